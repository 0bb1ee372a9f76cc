"""Multiplication as it is taught at school: digit by digit, every carry on record."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Worked:
    """A multiplication carried out by hand.

    `rows` holds the carries out of each digit, from the right, for each row: one digit of the right operand
    times the left operand. `sums` holds those out of each column of the final addition of the rows.
    """

    product: str
    rows: tuple[tuple[int, ...], ...]
    sums: tuple[int, ...]

    @property
    def multiplication_carries(self) -> int:
        """The number of positive carries within the rows."""
        return sum(carry > 0 for row in self.rows for carry in row)

    @property
    def addition_carries(self) -> int:
        """The number of positive carries of the final addition."""
        return sum(carry > 0 for carry in self.sums)

    @property
    def carries(self) -> int:
        """The number of positive carries."""
        return self.multiplication_carries + self.addition_carries

    @property
    def longest_chain(self) -> int:
        """The most positive carries that follow each other within one row, or within the addition."""
        return max(map(_longest, (*self.rows, self.sums)))


def worked(left: str, right: str) -> Worked:
    """The multiplication of two numbers in decimal digits, worked from their texts alone.

    A carry out of the leading digit of a row is written in front of it, and counts as a carry.

    >>> done = worked("19", "31")
    >>> done.product, done.rows, done.sums, done.carries
    ('589', ((0, 0), (2, 0)), (0, 0, 0, 0), 1)
    """
    rows, partial = [], []
    for shift, digit in enumerate(reversed(right)):
        carry, carries, written = 0, [], ["0"] * shift
        for other in reversed(left):
            carry, here = divmod(int(digit) * int(other) + carry, 10)
            written.append(str(here))
            carries.append(carry)
        partial.append([*written, str(carry)])
        rows.append(tuple(carries))
    columns = max(map(len, partial))
    carry, sums, total = 0, [], []
    for column in range(columns):
        here = sum(int(row[column]) for row in partial if column < len(row))
        carry, digit_here = divmod(here + carry, 10)
        total.append(str(digit_here))
        sums.append(carry)
    total.extend(reversed(str(carry)))
    return Worked("".join(reversed(total)).lstrip("0") or "0", tuple(rows), tuple(sums))


def _longest(carries: Iterable[int]) -> int:
    longest = chain = 0
    for carry in carries:
        chain = chain + 1 if carry else 0
        longest = max(longest, chain)
    return longest
