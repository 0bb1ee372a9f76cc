"""The figures that docs/certificate.md works out by hand."""

import re
from fractions import Fraction
from pathlib import Path

from worldgen.relations.aligned import Aligned
from worldgen.relations.certificate import Certificate, payoffs

PAGE = (Path(__file__).parents[2] / "docs" / "certificate.md").read_text(encoding="utf-8")
WORLD, HALF = frozenset(range(3)), Fraction(1, 2)


def says(event: set[int], probability: str) -> Aligned:
    masses = (Fraction(probability), 1 - Fraction(probability))
    return Aligned((frozenset(event), WORLD - event), WORLD, masses)


def test_the_dutch_book_by_hand_pays_what_the_page_says_and_proves_the_value() -> None:
    rows = re.findall(r"^\| (?:sell|buy|in all).*\|$", PAGE, re.MULTILINE)
    written = [tuple(map(Fraction, re.findall(r"-?\d\.\d", row))) for row in rows]
    forecast = [says({0}, "0.5"), says({1}, "0.3"), says({0, 1}, "0.6")]
    buy, sell = (HALF, -HALF), (-HALF, HALF)
    book = (sell, sell, buy)
    assert written[:3] == [payoffs([forecast[r]], (book[r],), 3) for r in range(3)]
    assert written[3] == payoffs(forecast, book, 3)
    by_hand = Certificate(Fraction(1, 15), (HALF, Fraction("0.1"), Fraction("0.4")), book)
    assert by_hand.holds(forecast)
