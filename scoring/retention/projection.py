"""From whole answers to positions: the masses of candidates, added up by character, against the masses that
were reported when a single position was asked for.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.exact.geometry import Candidates
from worldgen.scoring.accuracy.scores import total_variation
from worldgen.scoring.figures.logs import ln
from worldgen.scoring.figures.means import mean

Masses = Mapping[str, Fraction]


def projected(candidates: Candidates, masses: Sequence[Fraction]) -> tuple[dict[str, Fraction], ...]:
    """For each position, the mass of each character that occurs there: that of the words which have it.

    `masses` belong to the words in their order, as reported: nothing is normalised. ValueError for another
    number of them.

    >>> two = Candidates(("ab", "aa"), "ab")
    >>> [{k: str(v) for k, v in at.items()} for at in projected(two, (Fraction(3, 4), Fraction(1, 8)))]
    [{'a': '7/8'}, {'b': '3/4', 'a': '1/8'}]
    """
    found: list[defaultdict[str, Fraction]] = [defaultdict(Fraction) for _ in range(candidates.length)]
    for word, mass in zip(candidates.words, masses, strict=True):
        for at, symbol in zip(found, word, strict=True):
            at[symbol] += mass
    return tuple(map(dict, found))


@dataclass(frozen=True)
class Gap:
    """How masses of one position differ from those projected there.

    `whole` and `local` are the raw masses on either side. `total_variation` and `divergence`, the one of
    Jensen and Shannon in nats, compare them after each was divided by its own sum, and are None where a sum
    is 0. `unsupported` is the local mass on characters that no candidate has at the position; a
    uniform report would put `reference` = 1 - support / alphabet there.
    """

    whole: Fraction
    local: Fraction
    total_variation: Fraction | None
    divergence: Fraction | None
    unsupported: Fraction
    reference: Fraction


def gaps(candidates: Candidates, masses: Sequence[Fraction], local: Sequence[Masses]) -> tuple[Gap, ...]:
    """The gap at each position; `local` holds for each the masses of characters, 0 for those left out.

    ValueError for another number of masses or positions, a negative mass, or a character that is not in the
    alphabet.
    """
    found = []
    unions = candidates.unions
    for there, union, here in zip(projected(candidates, masses), unions, local, strict=True):
        if not set(here) <= set(candidates.alphabet) or min((*there.values(), *here.values())) < 0:
            raise ValueError(f"masses are of characters of {candidates.alphabet!r}, and not negative")
        first, second = ([side.get(s, Fraction(0)) for s in candidates.alphabet] for side in (there, here))
        whole, part = sum(first, Fraction(0)), sum(second, Fraction(0))
        distance = divergence = None
        if whole and part:
            p, q = [mass / whole for mass in first], [mass / part for mass in second]
            distance, divergence = total_variation(p, q), jensen_shannon(p, q)
        outside = sum((mass for symbol, mass in here.items() if symbol not in union), Fraction(0))
        reference = 1 - Fraction(len(union), len(candidates.alphabet))
        found.append(Gap(whole, part, distance, divergence, outside, reference))
    return tuple(found)


def jensen_shannon(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """The mean of KL(p || m) and KL(q || m) for m = (p + q) / 2, in nats, from logarithms to 30 places.

    0 where p = q, ln 2 where they have no outcome in common. ValueError if they differ in length.

    >>> float(jensen_shannon((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))))
    0.6931471805599453
    """
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    terms = (a * ln(a / m) for side in (p, q) for a, m in zip(side, middle, strict=True) if a)
    return sum(terms, Fraction(0)) / 2


def mean_known(values: Sequence[Fraction | None]) -> Fraction | None:
    """The mean of the values that there are, such as over the positions of an item; None without any.

    >>> mean_known([Fraction(1, 2), None, Fraction(1, 4)])
    Fraction(3, 8)
    """
    known = [value for value in values if value is not None]
    return mean(known) if known else None
