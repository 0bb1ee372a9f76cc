"""Exact finite probability: integers inside, one denominator, `Fraction` at the door.

Conventions, stated once. Counts and weights are non-negative integers. A probability is a `Fraction`
or a pair of integer arrays (numerators, denominators); arrays are int64 only where a bound proves that
nothing wraps, and hold Python integers otherwise. A *code* is the integer (or string) that stands for a
value of a domain. `n` is a number of rows, `K` a number of atoms.
"""
