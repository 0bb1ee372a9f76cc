"""What the parts of an outcome rule mean: once in Fractions, state by state, and once in integers, over
arrays of states.

The two meanings share the tree of parts and nothing else. In a batch a number is an array of integers
over one denominator. `largest` bounds their absolute value over all states, so each operation knows what
bounds its operands, over the denominator they are brought to, and its result; `integers` takes int64 where
that bound is below 2**63, else Python integers.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, common_denominator, integers

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]
Order = Callable[[Any, Any], Any]


Terms = dict[tuple[str, tuple[int, ...]], Fraction]


@dataclass(frozen=True)
class State:
    """One state, factor -> code of its level, and the terms worked out so far, by name and by the codes of
    the factors that they look at: states that differ elsewhere may share them.
    """

    codes: Mapping[str, int]
    terms: Terms = field(default_factory=dict)


@dataclass(frozen=True)
class Grids:
    """Many states, factor -> codes in arrays that broadcast together, and the terms so far."""

    codes: Mapping[str, Codes]
    terms: dict[str, Integers] = field(default_factory=dict)


@dataclass(frozen=True)
class Number:
    """A number: exactly in a state, and in a batch as integers over `denominator`.

    `largest` bounds the absolute value of those integers, over every state there is.
    """

    exact: Callable[[State], Fraction]
    scaled: Callable[[Grids], Integers]
    denominator: int
    largest: int
    constant: Fraction | None = None


@dataclass(frozen=True)
class Truth:
    """Whether something holds: in a state, and in a batch."""

    exact: Callable[[State], bool]
    batch: Callable[[Grids], Bools]


@dataclass(frozen=True)
class Choice:
    """Which outcome class comes true, by position: in a state, and in a batch."""

    exact: Callable[[State], int]
    batch: Callable[[Grids], Codes]


def constant(value: Fraction) -> Number:
    """A number that is the same in every state."""
    top, bottom = value.numerator, value.denominator
    number = integers(top, abs(top) + 1)
    return Number(lambda _: value, lambda _: number, bottom, abs(top), value)


def _over(number: Number, denominator: int, grids: Grids, bound: int) -> Integers:
    """A number as integers over a multiple of its denominator; `bound` is above all that is made of it.

    `integers` picks int64 below 2**63 only, and then the product here is below the bound as well.
    """
    return integers(number.scaled(grids), bound) * integers(denominator // number.denominator, bound)


def _aligned(*numbers: Number) -> tuple[int, list[int]]:
    """The common denominator of numbers, and what bounds each over it."""
    denominator = lcm(*(number.denominator for number in numbers))
    return denominator, [n.largest * (denominator // n.denominator) for n in numbers]


def _folded(made: Number, *parts: Number) -> Number:
    """A part of constants is a constant."""
    if any(part.constant is None for part in parts):
        return made
    return constant(made.exact(State({})))


def total(left: Number, right: Number, sign: int) -> Number:
    """The sum, or the difference where `sign` is -1."""
    denominator, sizes = _aligned(left, right)
    largest = sum(sizes)

    def scaled(grids: Grids) -> Integers:
        first, second = (_over(part, denominator, grids, largest + denominator + 1) for part in (left, right))
        return first + second if sign > 0 else first - second

    def exact(state: State) -> Fraction:
        return left.exact(state) + sign * right.exact(state)

    return _folded(Number(exact, scaled, denominator, largest), left, right)


def product(left: Number, right: Number) -> Number:
    """The product."""
    largest = left.largest * right.largest
    # Above either factor and above the product, though one of them be zero.
    bound = max(left.largest, right.largest, largest) + 1

    def scaled(grids: Grids) -> Integers:
        return integers(left.scaled(grids), bound) * integers(right.scaled(grids), bound)

    made = Number(
        lambda state: left.exact(state) * right.exact(state),
        scaled,
        left.denominator * right.denominator,
        largest,
    )
    return _folded(made, left, right)


def either(holds: Truth, then: Number, other: Number) -> Number:
    """One number where something holds, another elsewhere."""
    denominator, sizes = _aligned(then, other)
    bound = max(sizes) + denominator + 1

    def scaled(grids: Grids) -> Integers:
        first, second = (_over(part, denominator, grids, bound) for part in (then, other))
        return np.where(holds.batch(grids), first, second)

    return Number(
        lambda state: then.exact(state) if holds.exact(state) else other.exact(state),
        scaled,
        denominator,
        max(sizes),
    )


def absolute(part: Number) -> Number:
    """The absolute value."""
    made = Number(
        lambda s: abs(part.exact(s)), lambda g: np.abs(part.scaled(g)), part.denominator, part.largest
    )
    return _folded(made, part)


def extreme(greatest: bool, parts: Sequence[Number]) -> Number:
    """The greatest of some numbers, or the least."""
    denominator, sizes = _aligned(*parts)
    bound = max(sizes) + denominator + 1
    combine, choose = (np.maximum, max) if greatest else (np.minimum, min)

    def scaled(grids: Grids) -> Integers:
        found = _over(parts[0], denominator, grids, bound)
        for part in parts[1:]:
            found = combine(found, _over(part, denominator, grids, bound))
        return found

    made = Number(lambda s: choose([p.exact(s) for p in parts]), scaled, denominator, max(sizes))
    return _folded(made, *parts)


def ordered(order: Order, left: Number, right: Number) -> Truth:
    """Whether two numbers stand in an order."""
    denominator, sizes = _aligned(left, right)
    bound = max(sizes) + denominator + 1

    def batch(grids: Grids) -> Bools:
        first, second = (_over(part, denominator, grids, bound) for part in (left, right))
        return np.asarray(order(first, second), dtype=np.bool_)

    return Truth(lambda state: order(left.exact(state), right.exact(state)), batch)


def joined(parts: Sequence[Truth], both: bool) -> Truth:
    """Whether all parts hold, or any."""
    combine, exact = (np.logical_and, all) if both else (np.logical_or, any)

    def batch(grids: Grids) -> Bools:
        found = parts[0].batch(grids)
        for part in parts[1:]:
            found = combine(found, part.batch(grids))
        return found

    return Truth(lambda state: exact(part.exact(state) for part in parts), batch)


def opposite(part: Truth) -> Truth:
    """Whether a part does not hold."""
    return Truth(lambda state: not part.exact(state), lambda grids: np.logical_not(part.batch(grids)))


def member(factor: str, chosen: Sequence[bool]) -> Truth:
    """Whether the level of a factor is one of those chosen."""
    table = np.array(chosen, dtype=np.bool_)
    return Truth(
        lambda state: chosen[state.codes[factor]],
        lambda grids: np.asarray(table[grids.codes[factor]], dtype=np.bool_),
    )


def entry(of: Sequence[str], shape: tuple[int, ...], numbers: Sequence[Fraction]) -> Number:
    """The entry of a table, numbers in C order, at the levels of the factors `of`."""
    denominator = common_denominator(tuple(numbers))
    whole = [int(number * denominator) for number in numbers]
    largest = max(map(abs, whole))
    table = integers(whole, largest + 1).reshape(shape)

    def exact(state: State) -> Fraction:
        place = 0
        for factor, size in zip(of, shape, strict=True):
            place = place * size + state.codes[factor]
        return numbers[place]

    def scaled(grids: Grids) -> Integers:
        return table[tuple(grids.codes[factor] for factor in of)]

    return Number(exact, scaled, denominator, largest)


def always(outcome: int) -> Choice:
    """One class, whatever the state."""
    return Choice(lambda _: outcome, lambda _: np.array(outcome, dtype=np.int64))


def alternative(holds: Truth, then: Choice, other: Choice) -> Choice:
    """One choice where something holds, another elsewhere."""
    return Choice(
        lambda state: then.exact(state) if holds.exact(state) else other.exact(state),
        lambda grids: np.where(holds.batch(grids), then.batch(grids), other.batch(grids)),
    )


def shared(name: str, part: Number, reads: Sequence[str]) -> Number:
    """A term that is named often is worked out once for the codes of the factors that it looks at, and once
    for a batch.
    """

    def exact(state: State) -> Fraction:
        key = name, tuple([state.codes[factor] for factor in reads])
        if key not in state.terms:
            state.terms[key] = part.exact(state)
        return state.terms[key]

    def scaled(grids: Grids) -> Integers:
        if name not in grids.terms:
            grids.terms[name] = part.scaled(grids)
        return grids.terms[name]

    return Number(exact, scaled, part.denominator, part.largest, part.constant)
