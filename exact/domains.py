"""Domains: the values a variable may take, each with one code and one text.

A *code* is what arrays hold: an integer 0 .. size - 1 for a finite domain, the text itself for an open
one. Within a domain, code and text determine each other; that is what makes a rendering invertible.

| domain      | values                                     | code | text                         |
| ----------- | ------------------------------------------ | ---- | ---------------------------- |
| Phrases     | a table of distinct texts                  | int  | the entry                    |
| Numbers     | a table of distinct rationals              | int  | in the notation of the table |
| Grid        | low, low + step, ..., size of them         | int  | in the notation of the grid  |
| Identifiers | strings over an alphabet, of bounded length | str  | itself                       |
| Texts       | any Unicode text                           | str  | itself                       |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.errors import DomainError, NumberError
from worldgen.exact.numbers import (
    INT64_BOUND,
    LARGEST_PART,
    Integers,
    Notation,
    common_denominator,
    decimal_places,
    integers,
    read_number,
    write_number,
)

Code = int | str
Codes = NDArray[np.int64] | NDArray[np.object_]

LARGEST_GRID = 2**62
LARGEST_TABLE = 20_000  # values of which a table is made


@dataclass(frozen=True)
class Phrases:
    """A table of distinct texts; the code is the position in the table.

    Raises DomainError when the table is empty or an entry stands twice.

    >>> Phrases(("low", "high")).code("high")
    1
    """

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.values or len(set(self.values)) != len(self.values):
            raise DomainError(f"a phrase table needs distinct entries, got {list(self.values)}")

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    @property
    def texts(self) -> tuple[str, ...]:
        """The text of every code, in order."""
        return self.values

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.values)}

    def text(self, code: Code) -> str:
        """The text of a code. Raises DomainError for a code outside 0 .. size - 1."""
        return self.values[_position(code, self.size)]

    def code(self, text: str) -> int | None:
        """The code of a text; None for a text that is not in the table."""
        return self._codes.get(text)


@dataclass(frozen=True)
class Numbers:
    """A table of distinct rationals, all in one notation; the code is the position in the table.

    Decimals are written with the fewest places that write every entry. Raises DomainError when the
    table is empty, an entry stands twice, or the notation cannot write an entry exactly.

    >>> Numbers((Fraction(0), Fraction(1, 4)), "decimal").text(0)
    '0.00'
    """

    values: tuple[Fraction, ...]
    notation: Notation = "rational"

    def __post_init__(self) -> None:
        if not self.values or len(set(self.values)) != len(self.values):
            raise DomainError("a table of numbers needs distinct entries")
        try:
            self._codes  # noqa: B018  (every entry must have a text)
        except NumberError as error:
            raise DomainError(error.message) from error

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self.values)

    @cached_property
    def places(self) -> int:
        """Decimal places of every text; 0 unless the notation is decimal."""
        return _places(self.values, self.notation)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every code, in order."""
        return tuple(self.text(code) for code in range(self.size))

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {text: code for code, text in enumerate(self.texts)}

    @property
    def denominator(self) -> int:
        """The least common denominator of all values."""
        return common_denominator(self.values)

    @property
    def extremes(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value."""
        return min(self.values), max(self.values)

    def value(self, code: Code) -> Fraction:
        """The number of a code. Raises DomainError for a code outside 0 .. size - 1."""
        return self.values[_position(code, self.size)]

    def text(self, code: Code) -> str:
        """The text of a code. Raises DomainError for a code outside 0 .. size - 1."""
        return write_number(self.value(code), self.notation, self.places)

    def code(self, text: str) -> int | None:
        """The code of a text; None for a text that no value has."""
        return self._codes.get(text)

    def code_of(self, value: Fraction) -> int | None:
        """The code of a number; None for a number that is not in the table."""
        return self.values.index(value) if value in self.values else None

    def scaled(self, codes: Codes, denominator: int) -> Integers:
        """`denominator * value` of each code, as integers; `denominator` is a multiple of ours."""
        if denominator not in self._scaled:
            scaled = [int(value * denominator) for value in self.values]
            self._scaled[denominator] = integers(scaled, max(map(abs, scaled)) + 1)
        return self._scaled[denominator][codes]

    @cached_property
    def _scaled(self) -> dict[int, Integers]:
        """The tables of scaled values that were asked for, by denominator."""
        return {}


@dataclass(frozen=True)
class Grid:
    """The numbers low, low + step, ..., `size` of them, in one notation; the code counts the steps.

    Decimals are written with the fewest places that write every value. Raises DomainError for an
    empty grid, a step that is not positive, more than 2**62 values, values that need more digits than a
    number may have, or a notation that cannot write the values.

    >>> Grid(Fraction(0), Fraction(1, 10), 11, "rational").text(4)
    '2/5'
    """

    low: Fraction
    step: Fraction
    size: int
    notation: Notation = "integer"

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LARGEST_GRID or self.step <= 0:
            raise DomainError(
                f"a grid of {self.size} steps of {self.step} cannot be drawn from",
                remedy="give a positive step and at most 2**62 values",
            )
        widest = max(abs(self.low), abs(self.high), Fraction(1))
        if widest * self.denominator >= LARGEST_PART:
            raise DomainError(
                "a number of the grid is too long to be read back", remedy="use numbers of fewer digits"
            )
        if self.notation == "integer" and self.denominator != 1:
            raise DomainError("a grid in integer notation needs integer low and step")
        self.places  # noqa: B018  (a decimal grid must have finitely many places)

    @classmethod
    def between(cls, low: Fraction, high: Fraction, step: Fraction, notation: Notation) -> "Grid":
        """The grid from low to high inclusive; DomainError unless step divides high - low."""
        steps = (high - low) / step if step > 0 else Fraction(-1)
        if steps < 0 or steps.denominator != 1:
            raise DomainError(
                f"steps of {step} do not lead from {low} to {high}",
                remedy="choose bounds low <= high that differ by a whole number of steps",
            )
        return cls(low, step, int(steps) + 1, notation)

    @cached_property
    def values(self) -> tuple[Fraction, ...]:
        """All numbers, in order: to be asked of small grids."""
        return tuple(self.low + self.step * code for code in range(self.size))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every code, in order: to be asked of small grids."""
        return tuple(write_number(value, self.notation, self.places) for value in self.values)

    @property
    def high(self) -> Fraction:
        """The greatest value."""
        return self.low + self.step * (self.size - 1)

    @cached_property
    def places(self) -> int:
        """Decimal places of every text; 0 unless the notation is decimal."""
        return _places((self.low, self.step), self.notation)

    @property
    def denominator(self) -> int:
        """The least common denominator of low and step, hence of all values."""
        return common_denominator((self.low, self.step))

    @property
    def extremes(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value."""
        return self.low, self.high

    def value(self, code: Code) -> Fraction:
        """The number of a code. Raises DomainError for a code outside 0 .. size - 1."""
        return self.low + self.step * _position(code, self.size)

    def text(self, code: Code) -> str:
        """The text of a code. Raises DomainError for a code outside 0 .. size - 1."""
        return write_number(self.value(code), self.notation, self.places)

    def code(self, text: str) -> int | None:
        """The code of a text; None unless it is exactly the text of a value of the grid."""
        try:
            code = self.code_of(read_number(text))
        except NumberError:
            return None
        return code if code is not None and self.text(code) == text else None

    def code_of(self, value: Fraction) -> int | None:
        """The code of a number; None for a number that is not on the grid."""
        steps = (value - self.low) / self.step
        return int(steps) if steps.denominator == 1 and 0 <= steps < self.size else None

    def scaled(self, codes: Codes, denominator: int) -> Integers:
        """`denominator * value` of each code, as integers; `denominator` is a multiple of ours."""
        low, step = (part.numerator * (denominator // part.denominator) for part in (self.low, self.step))
        bound = abs(low) + step * self.size + 1
        return integers(codes, bound) * integers(step, bound) + integers(low, bound)


@dataclass(frozen=True)
class Identifiers:
    """Strings over an alphabet whose length lies in `shortest` .. `longest`; the code is the string.

    The alphabet may not hold a quotation mark, a backslash or a control character, so that a string
    looks the same inside JSON. Raises DomainError otherwise.

    >>> Identifiers("abc", 2, 2).code("ad") is None
    True
    """

    alphabet: str
    shortest: int
    longest: int

    size: None = None

    def __post_init__(self) -> None:
        if not self.alphabet or len(set(self.alphabet)) != len(self.alphabet):
            raise DomainError("an alphabet needs distinct characters, at least one")
        if any(mark in '"\\' or mark < " " or _is_surrogate(mark) for mark in self.alphabet):
            raise DomainError("an alphabet may not hold quotation marks, backslashes or control characters")
        if not 1 <= self.shortest <= self.longest:
            raise DomainError(f"lengths {self.shortest} .. {self.longest} hold no identifier")

    @property
    def count(self) -> int:
        """How many identifiers there are."""
        base = len(self.alphabet)
        return sum(base**length for length in range(self.shortest, self.longest + 1))

    def nth(self, rank: int) -> str:
        """The identifier at a rank from 0 to count - 1: shorter ones first, then by the alphabet.

        >>> [Identifiers("ab", 1, 2).nth(rank) for rank in range(6)]
        ['a', 'b', 'aa', 'ab', 'ba', 'bb']
        """
        base, length = len(self.alphabet), self.shortest
        while rank >= base**length:
            rank, length = rank - base**length, length + 1
        marks = (self.alphabet[rank // base**place % base] for place in reversed(range(length)))
        return "".join(marks)

    def nths(self, ranks: Codes) -> NDArray[np.object_]:
        """The identifiers at many ranks: `nth` for a whole array.

        >>> Identifiers("ab", 1, 2).nths(np.array([0, 5, 2])).tolist()
        ['a', 'bb', 'aa']
        """
        found = np.empty(len(ranks), dtype=np.object_)
        if self.count >= INT64_BOUND:
            found[:] = [self.nth(int(rank)) for rank in ranks.tolist()]
            return found
        # Below 2**63 in number, so no power of the base here exceeds an int64.
        base, rest = len(self.alphabet), np.asarray(ranks, dtype=np.int64)
        marks = np.array(list(self.alphabet))
        for length in range(self.shortest, self.longest + 1):
            rows = np.flatnonzero((rest >= 0) & (rest < base**length))
            powers = base ** np.arange(length - 1, -1, -1, dtype=np.int64)
            spelled = marks[rest[rows, None] // powers % base]
            # No alphabet holds the NUL that would be cut from the end.
            found[rows] = spelled.reshape(-1).view(f"<U{length}").astype(np.object_)
            rest = rest - base**length
        return found

    def text(self, code: Code) -> str:
        """The text of a code: itself. Raises DomainError for a string outside the domain."""
        if self.code(str(code)) is None:
            raise DomainError(f"'{code}' is not an identifier over '{self.alphabet}'")
        return str(code)

    def code(self, text: str) -> str | None:
        """The text itself if it is in the domain, else None."""
        fits = self.shortest <= len(text) <= self.longest and all(mark in self.alphabet for mark in text)
        return text if fits else None


@dataclass(frozen=True)
class Texts:
    """Any Unicode text, the empty one included; the code is the text.

    Lone surrogates are not text and are outside the domain.

    >>> Texts().code('say "no"')
    'say "no"'
    """

    size: None = None

    def text(self, code: Code) -> str:
        """The text of a code: itself. Raises DomainError for a string that is not Unicode text."""
        if self.code(str(code)) is None:
            raise DomainError("a text holds a lone surrogate")
        return str(code)

    def code(self, text: str) -> str | None:
        """The text itself, or None where it is not Unicode text: UTF-8 writes all but surrogates."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return None
        return text


Domain = Phrases | Numbers | Grid | Identifiers | Texts
Numeric = Numbers | Grid


def texts_at(domain: Phrases | Numeric, codes: Codes) -> tuple[Sequence[str], NDArray[np.int64]]:
    """A table of texts, and the place in it of the text of each code.

    >>> texts, places = texts_at(Phrases(("low", "high")), np.array([1, 1]))
    >>> [texts[place] for place in places]
    ['high', 'high']
    """
    if domain.size <= LARGEST_TABLE:
        return domain.texts, np.asarray(codes, dtype=np.int64)
    distinct, places = np.unique(codes, return_inverse=True)
    return [domain.text(code) for code in distinct.tolist()], places


def values_at(domain: Numeric, codes: Codes) -> tuple[Sequence[Fraction], NDArray[np.int64]]:
    """A table of numbers, and the place in it of the number of each code.

    >>> values_at(Numbers((Fraction(1), Fraction(1, 2))), np.array([1]))[0][1]
    Fraction(1, 2)
    """
    if domain.size <= LARGEST_TABLE:
        return domain.values, np.asarray(codes, dtype=np.int64)
    distinct, places = np.unique(codes, return_inverse=True)
    return [domain.value(code) for code in distinct.tolist()], places


def _position(code: Code, size: int) -> int:
    position = int(code)
    if not 0 <= position < size:
        raise DomainError(f"there is no code {position}: codes run from 0 to {size - 1}")
    return position


def _is_surrogate(mark: str) -> bool:
    return "\ud800" <= mark <= "\udfff"


def _places(values: Sequence[Fraction], notation: Notation) -> int:
    if notation != "decimal":
        return 0
    places = [decimal_places(value) for value in values]
    if any(count is None for count in places):
        raise DomainError(
            "some values are not finite decimals", remedy="write the numbers as ratios, like 1/3"
        )
    return max(count for count in places if count is not None)
