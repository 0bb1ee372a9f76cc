"""Products of whole numbers: pools of operands, cells of carry complexity, and the task.

For each length of the product and each structure there is one pool of POOL pairs of operands, the same for
every seed: balanced operands differ by at most one digit in length, unbalanced ones by at least two. No two
pairs of a length have one product. The carries of schoolbook multiplication split a pool at their median: low
is at or below it, high is above. Of each such cell the pairs at even places are for testing, those at odd
places for development, so that the two never share a product or a pair of operands.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar, Literal

import numpy as np

from worldgen.exact.domains import Grid
from worldgen.exact.geometry import Candidates
from worldgen.exact.permutations import distinct
from worldgen.exact.streams import Stream
from worldgen.exact.variables import Variable
from worldgen.faults import Fault
from worldgen.worlds.items import Item, Slot, Source, Texts, crossed_choices
from worldgen.worlds.schoolbook import Worked, worked

Split = Literal["test", "development"]
Structure = Literal["balanced", "unbalanced"]
Pair = tuple[int, int]

DIGITS = "0123456789"
SPLITS: tuple[Split, ...] = ("test", "development")
STRUCTURES: tuple[Structure, ...] = ("balanced", "unbalanced")
CARRIES = ("low", "high")
CELLS = tuple(product(STRUCTURES, CARRIES))
POOL = 320
SHORTEST, LONGEST = 3, 8


def structure_of(left: int, right: int) -> Structure | None:
    """The structure of two operands, by their numbers of digits. None where one of them is 0 or 1, which
    leaves nothing to multiply.

    >>> structure_of(19, 31), structure_of(7, 123), structure_of(1, 123)
    ('balanced', 'unbalanced', None)
    """
    if min(left, right) < 2:
        return None
    return "balanced" if abs(len(str(left)) - len(str(right))) <= 1 else "unbalanced"


def _pairs(length: int, structure: Structure) -> Iterator[Pair]:
    """Pairs of operands of one structure whose product has `length` digits, in a drawn order without end."""
    sizes = [
        (a, b)
        for a, b in product(range(1, length + 1), repeat=2)
        if length <= a + b <= length + 1 and (abs(a - b) <= 1) == (structure == "balanced")
    ]
    stream, start = Stream.named(0, "products", str(length), structure), 0
    while True:
        lanes = np.arange(start, start + 3 * POOL)
        which = stream.below(lanes[0::3], 0, len(sizes)).tolist()
        lows = np.array([[10 ** (a - 1), 10 ** (b - 1)] for a, b in (sizes[i] for i in which)])
        left = stream.below(lanes[1::3], 0, 9 * lows[:, 0]) + lows[:, 0]
        right = stream.below(lanes[2::3], 0, 9 * lows[:, 1]) + lows[:, 1]
        yield from (
            (a, b)
            for a, b in zip(left.tolist(), right.tolist(), strict=True)
            if len(str(a * b)) == length and structure_of(a, b) == structure
        )
        start += 3 * POOL


@cache
def pools(length: int) -> Mapping[Structure, tuple[Pair, ...]]:
    """The pools of a length: POOL pairs for each structure, no two of which have one product."""
    taken: set[int] = set()
    found: dict[Structure, list[Pair]] = {structure: [] for structure in STRUCTURES}
    for structure, kept in found.items():
        for left, right in _pairs(length, structure):
            if left * right not in taken:
                taken.add(left * right)
                kept.append((left, right))
            if len(kept) == POOL:
                break
    return {structure: tuple(kept) for structure, kept in found.items()}


@cache
def median(length: int, structure: Structure) -> Fraction:
    """The median number of carries in a pool."""
    counts = sorted(_worked(*pair).carries for pair in pools(length)[structure])
    return Fraction(counts[(POOL - 1) // 2] + counts[POOL // 2], 2)


@cache
def bank(length: int, structure: Structure, carry: str, split: Split) -> tuple[Pair, ...]:
    """The pairs of a cell of a pool that are for testing, or for development."""
    middle = median(length, structure)
    cell = [
        pair for pair in pools(length)[structure] if (_worked(*pair).carries > middle) == (carry == "high")
    ]
    return tuple(cell[SPLITS.index(split) :: 2])


@cache
def _worked(left: int, right: int) -> Worked:
    return worked(str(left), str(right))


@dataclass(frozen=True)
class Products:
    """The task of multiplying: its answers are products of exactly as many digits as their slots say.

    The slots of one length take the cells (structure, carry) in turn; the pairs of a cell are drawn from its
    bank without replacement, so that no product comes twice.
    """

    name: ClassVar[str] = "product"
    says: ClassVar[str] = "Work out the exact product of the two numbers."
    alphabet: ClassVar[str] = DIGITS
    symbols: ClassVar[int] = len(DIGITS)
    crossed: ClassVar[bool] = True
    looked_up: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = (
        "structure",
        "carry",
        "multiplication_carries",
        "addition_carries",
        "longest_chain",
        "elementary_products",
        "zero_digits",
        "repeated_digits",
    )

    split: Split = "test"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The two operands."""
        domain = Grid(Fraction(1), Fraction(1), 10**LONGEST)
        return Variable("left", domain), Variable("right", domain)

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """The widths: candidates are all words that have one of so many characters at each branch."""
        return tuple(widths)

    def size(self, slots: Sequence[Slot]) -> int:
        """One for each slot."""
        return len(slots)

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """One item for each slot."""
        found: dict[str, Item] = {}
        for (length, structure, carry), wanted in _turns(slots).items():
            pairs = bank(length, structure, carry, self.split)
            stream = source.stream(f"pairs {length} {structure} {carry}")
            drawn = distinct(stream, source.attempt, len(pairs), len(wanted))
            for slot, place in zip(wanted, drawn, strict=True):
                cell = {"structure": structure, "carry": carry}
                found[slot.name] = _item(slot, widths, pairs[place], cell, source)
        return tuple(found[slot.name] for slot in slots)

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Lengths without a pool, more slots than a bank has pairs, and a leading digit of ten values."""
        for slot in slots:
            path = ("geometry", "slots", slot.name)
            if not SHORTEST <= slot.length <= LONGEST:
                message = f"there are no products of length {slot.length}"
                yield Fault(path, message, f"use {SHORTEST} to {LONGEST}")
            elif slot.positions[:1] == (1,) and max(widths[:1], default=0) >= len(DIGITS):
                yield Fault(path, "a product has no leading zero", "let 9 characters stand first at most")
        known = [slot for slot in slots if SHORTEST <= slot.length <= LONGEST]
        for (length, structure, carry), wanted in _turns(known).items():
            most = len(bank(length, structure, carry, self.split))
            if len(wanted) > most:
                said = f"{length} digits, {structure} with {carry} carry"
                message = f"{len(wanted)} products of {said} are asked for, and there are {most}"
                yield Fault(("geometry", "slots", wanted[most].name), message, "list fewer slots")

    def answers(self, problems: Texts) -> list[str]:
        """The products, by multiplication of integers."""
        pairs = zip(problems["left"], problems["right"], strict=True)
        return [str(int(left) * int(right)) for left, right in pairs]

    def slow_answers(self, problems: Texts) -> list[str]:
        """The products as worked by hand, digit by digit."""
        return [worked(*pair).product for pair in zip(problems["left"], problems["right"], strict=True)]


def _turns(slots: Sequence[Slot]) -> Mapping[tuple[int, Structure, str], list[Slot]]:
    """The slots of each length and cell."""
    found: dict[tuple[int, Structure, str], list[Slot]] = {}
    seen: dict[int, int] = {}
    for slot in slots:
        structure, carry = CELLS[seen.get(slot.length, 0) % len(CELLS)]
        seen[slot.length] = seen.get(slot.length, 0) + 1
        found.setdefault((slot.length, structure, carry), []).append(slot)
    return found


def _item(slot: Slot, widths: Sequence[int], pair: Pair, cell: Mapping[str, str], source: Source) -> Item:
    left, right = map(str, pair)
    done = _worked(*pair)
    allowed = [DIGITS[1:] if position == 1 else DIGITS for position in slot.positions]
    choices = crossed_choices(done.product, slot, widths, allowed, source)
    digits = left + right
    notes = {
        **cell,
        "multiplication_carries": str(done.multiplication_carries),
        "addition_carries": str(done.addition_carries),
        "longest_chain": str(done.longest_chain),
        "elementary_products": str(len(left) * len(right)),
        "zero_digits": str(digits.count("0")),
        "repeated_digits": str(len(digits) - len(set(digits))),
    }
    candidates = Candidates.crossed(done.product, choices, DIGITS)
    return Item(slot.name, {"left": left, "right": right}, done.product, candidates, notes)
