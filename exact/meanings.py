"""What the parts of an outcome rule mean over arrays of states: once in machine integers, and once more in
Python's, to confirm that.

The two meanings share the tree of parts and nothing else. In both a number is an array of integers over one
denominator. In a `batch` the denominator and a bound on the integers are known for all states before any is
looked at: `largest` bounds their absolute value, so each operation knows what bounds its operands, over the
denominator they are brought to, and its result; `integers` takes int64 where that bound is below 2**63, else
Python integers. The `slow` meaning is arithmetic of fractions as schools teach it: it works denominators out
as it goes, and its integers are Python's throughout, so there is no bound that could be wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import lcm
from operator import and_, or_
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, common_denominator, integers

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]
Order = Callable[[Any, Any], Any]

N = TypeVar("N")


@dataclass(frozen=True)
class Batch(Generic[N]):
    """Many states, factor -> codes in arrays that broadcast together, and the terms worked out so far."""

    codes: Mapping[str, Codes]
    terms: dict[str, N] = field(default_factory=dict)


@dataclass(frozen=True)
class Quotients:
    """A number in many states: `tops`, an array of Python integers, over one positive `bottom`.

    >>> Quotients.of([Fraction(1, 2), Fraction(2, 3)]).tops.tolist()
    [3, 4]
    """

    tops: NDArray[np.object_]
    bottom: int

    @classmethod
    def of(cls, numbers: Sequence[Fraction]) -> "Quotients":
        """These numbers, one after another."""
        bottom = lcm(*(number.denominator for number in numbers))
        tops = [number.numerator * (bottom // number.denominator) for number in numbers]
        return cls(np.array(tops, dtype=np.object_), bottom)

    def over(self, bottom: int) -> NDArray[np.object_]:
        """The integers over a multiple of the bottom."""
        return self.tops if bottom == self.bottom else _tops(self.tops * (bottom // self.bottom))


def _tops(found: object) -> NDArray[np.object_]:
    """An array again where numpy makes one entry a number."""
    return np.asarray(found, dtype=np.object_)


Grids = Batch[Integers]
States = Batch[Quotients]


@dataclass(frozen=True)
class Number:
    """A number by both meanings; `scaled` are integers over `denominator`.

    `largest` bounds the absolute value of those integers, over every state there is.
    """

    slow: Callable[[States], Quotients]
    scaled: Callable[[Grids], Integers]
    denominator: int
    largest: int
    constant: Fraction | None = None


@dataclass(frozen=True)
class Truth:
    """Whether something holds, by both meanings."""

    slow: Callable[[States], Bools]
    batch: Callable[[Grids], Bools]


@dataclass(frozen=True)
class Choice:
    """Which outcome class comes true, by position, by both meanings."""

    slow: Callable[[States], Codes]
    batch: Callable[[Grids], Codes]


def constant(value: Fraction) -> Number:
    """A number that is the same in every state."""
    top, bottom = value.numerator, value.denominator
    number, quotient = integers(top, abs(top) + 1), Quotients(_tops(top), bottom)
    return Number(lambda _: quotient, lambda _: number, bottom, abs(top), value)


def _over(number: Number, denominator: int, grids: Grids, bound: int) -> Integers:
    """A number as integers over a multiple of its denominator; `bound` is above all that is made of it.

    `integers` picks int64 below 2**63 only, and then the product here is below the bound as well.
    """
    return integers(number.scaled(grids), bound) * integers(denominator // number.denominator, bound)


def _aligned(*numbers: Number) -> tuple[int, list[int]]:
    """The common denominator of numbers, and what bounds each over it."""
    denominator = lcm(*(number.denominator for number in numbers))
    return denominator, [n.largest * (denominator // n.denominator) for n in numbers]


def _common(parts: Sequence[Number], states: States) -> tuple[list[NDArray[np.object_]], int]:
    """Numbers as Python integers over their common denominator, and that."""
    found = [part.slow(states) for part in parts]
    bottom = lcm(*(each.bottom for each in found))
    return [each.over(bottom) for each in found], bottom


def _folded(made: Number, *parts: Number) -> Number:
    """A part of constants is a constant."""
    if any(part.constant is None for part in parts):
        return made
    found = made.slow(Batch({}))
    return constant(Fraction(found.tops.item(), found.bottom))


def total(left: Number, right: Number, sign: int) -> Number:
    """The sum, or the difference where `sign` is -1."""
    denominator, sizes = _aligned(left, right)
    largest = sum(sizes)

    def scaled(grids: Grids) -> Integers:
        first, second = (_over(part, denominator, grids, largest + denominator + 1) for part in (left, right))
        return first + second if sign > 0 else first - second

    def slow(states: States) -> Quotients:
        (first, second), bottom = _common((left, right), states)
        return Quotients(_tops(first + second if sign > 0 else first - second), bottom)

    return _folded(Number(slow, scaled, denominator, largest), left, right)


def product(left: Number, right: Number) -> Number:
    """The product."""
    largest = left.largest * right.largest
    # Above either factor and above the product, though one of them be zero.
    bound = max(left.largest, right.largest, largest) + 1

    def scaled(grids: Grids) -> Integers:
        return integers(left.scaled(grids), bound) * integers(right.scaled(grids), bound)

    def slow(states: States) -> Quotients:
        first, second = left.slow(states), right.slow(states)
        return Quotients(_tops(first.tops * second.tops), first.bottom * second.bottom)

    return _folded(Number(slow, scaled, left.denominator * right.denominator, largest), left, right)


def either(holds: Truth, then: Number, other: Number) -> Number:
    """One number where something holds, another elsewhere."""
    denominator, sizes = _aligned(then, other)
    bound = max(sizes) + denominator + 1

    def scaled(grids: Grids) -> Integers:
        first, second = (_over(part, denominator, grids, bound) for part in (then, other))
        return np.where(holds.batch(grids), first, second)

    def slow(states: States) -> Quotients:
        (first, second), bottom = _common((then, other), states)
        return Quotients(np.where(holds.slow(states), first, second), bottom)

    return Number(slow, scaled, denominator, max(sizes))


def absolute(part: Number) -> Number:
    """The absolute value."""

    def slow(states: States) -> Quotients:
        found = part.slow(states)
        return Quotients(_tops(abs(found.tops)), found.bottom)

    made = Number(slow, lambda grids: np.abs(part.scaled(grids)), part.denominator, part.largest)
    return _folded(made, part)


def extreme(greatest: bool, parts: Sequence[Number]) -> Number:
    """The greatest of some numbers, or the least."""
    denominator, sizes = _aligned(*parts)
    bound = max(sizes) + denominator + 1
    combine = np.maximum if greatest else np.minimum

    def scaled(grids: Grids) -> Integers:
        found = _over(parts[0], denominator, grids, bound)
        for part in parts[1:]:
            found = combine(found, _over(part, denominator, grids, bound))
        return found

    def slow(states: States) -> Quotients:
        tops, bottom = _common(parts, states)
        return Quotients(_tops(reduce(combine, tops)), bottom)

    return _folded(Number(slow, scaled, denominator, max(sizes)), *parts)


def ordered(order: Order, left: Number, right: Number) -> Truth:
    """Whether two numbers stand in an order."""
    denominator, sizes = _aligned(left, right)
    bound = max(sizes) + denominator + 1

    def batch(grids: Grids) -> Bools:
        first, second = (_over(part, denominator, grids, bound) for part in (left, right))
        return np.asarray(order(first, second), dtype=np.bool_)

    def slow(states: States) -> Bools:
        (first, second), _ = _common((left, right), states)
        return np.asarray(order(first, second), dtype=np.bool_)

    return Truth(slow, batch)


def joined(parts: Sequence[Truth], both: bool) -> Truth:
    """Whether all parts hold, or any."""
    combine = np.logical_and if both else np.logical_or

    def batch(grids: Grids) -> Bools:
        found = parts[0].batch(grids)
        for part in parts[1:]:
            found = combine(found, part.batch(grids))
        return found

    def slow(states: States) -> Bools:
        return reduce(and_ if both else or_, [part.slow(states) for part in parts])

    return Truth(slow, batch)


def opposite(part: Truth) -> Truth:
    """Whether a part does not hold."""
    return Truth(lambda states: ~part.slow(states), lambda grids: np.logical_not(part.batch(grids)))


def member(factor: str, chosen: Sequence[bool]) -> Truth:
    """Whether the level of a factor is one of those chosen."""
    table = np.array(chosen, dtype=np.bool_)
    codes = [code for code, taken in enumerate(chosen) if taken]
    return Truth(
        lambda states: np.isin(states.codes[factor], codes),
        lambda grids: np.asarray(table[grids.codes[factor]], dtype=np.bool_),
    )


def entry(of: Sequence[str], shape: tuple[int, ...], numbers: Sequence[Fraction]) -> Number:
    """The entry of a table, numbers in C order, at the levels of the factors `of`."""
    denominator = common_denominator(tuple(numbers))
    whole = [int(number * denominator) for number in numbers]
    largest = max(map(abs, whole))
    table, listed = integers(whole, largest + 1).reshape(shape), Quotients.of(numbers)

    def slow(states: States) -> Quotients:
        place = np.zeros((), dtype=np.int64)
        for factor, size in zip(of, shape, strict=True):
            place = np.asarray(place * size + states.codes[factor])
        return Quotients(_tops(listed.tops[place]), listed.bottom)

    def scaled(grids: Grids) -> Integers:
        return table[tuple(grids.codes[factor] for factor in of)]

    return Number(slow, scaled, denominator, largest)


def always(outcome: int) -> Choice:
    """One class, whatever the state."""
    code = np.array(outcome, dtype=np.int64)
    return Choice(lambda _: code, lambda _: code)


def alternative(holds: Truth, then: Choice, other: Choice) -> Choice:
    """One choice where something holds, another elsewhere."""
    return Choice(
        lambda states: np.where(holds.slow(states), then.slow(states), other.slow(states)),
        lambda grids: np.where(holds.batch(grids), then.batch(grids), other.batch(grids)),
    )


def shared(name: str, part: Number) -> Number:
    """A term that is named often is worked out once for all states that are asked about together."""

    def slow(states: States) -> Quotients:
        if name not in states.terms:
            states.terms[name] = part.slow(states)
        return states.terms[name]

    def scaled(grids: Grids) -> Integers:
        if name not in grids.terms:
            grids.terms[name] = part.scaled(grids)
        return grids.terms[name]

    return Number(slow, scaled, part.denominator, part.largest, part.constant)
