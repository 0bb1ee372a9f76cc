"""How sure a view makes of an event: the law of its posterior probability, exactly."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from worldgen.exact.events import Event
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

Spread = Mapping[Fraction, Fraction]


def spread(world: FactorWorld | TransferWorld) -> Spread:
    """P(A | what the view shows) -> the mass of all that gives it, in ascending order; masses sum to one.

    >>> from worldgen.spec import read_spec
    >>> {str(p): str(mass) for p, mass in spread(read_spec("covert-transfer")).items()}
    {'0': '25/52', '26/27': '27/52'}
    """
    event = world.events["A"]
    found = _factors(world, event) if isinstance(world, FactorWorld) else _transfer(world)
    return dict(sorted((p, mass) for p, mass in found.items() if mass))


def mean(law: Spread) -> Fraction:
    """The mean of the posterior, which is the prior.

    >>> mean({Fraction(0): Fraction(1, 2), Fraction(1): Fraction(1, 2)})
    Fraction(1, 2)
    """
    return sum((p * mass for p, mass in law.items()), Fraction(0))


def _factors(world: FactorWorld, event: Event) -> dict[Fraction, Fraction]:
    joint = world.joint
    tops = joint.numerators[:, list(event.indices)].sum(axis=1).tolist()
    masses: Counter[tuple[int, int]] = Counter()
    for top, bottom, mass in zip(tops, joint.totals.tolist(), joint.masses.tolist(), strict=True):
        masses[top, bottom] += mass
    found: dict[Fraction, Fraction] = {}
    for (top, bottom), mass in masses.items():
        if mass:
            p = Fraction(top, bottom)
            found[p] = found.get(p, Fraction(0)) + Fraction(mass, joint.denominator)
    return found


def _transfer(world: TransferWorld) -> dict[Fraction, Fraction]:
    """Ranges of m of the n letters: with mass (1 - e) m**2/n**2 + e m/n the tag and the letter at its place
    both lie in the range; what is left of m/n has the letter outside.
    """
    model = world.model
    n, e = len(model.alphabet), model.encoding
    found: dict[Fraction, Fraction] = {}
    for letters in world.tag_view.parts(model.alphabet).values():
        m = len(letters)
        without, encoded = model.weights(m, True)
        inside = (1 - e) * Fraction(m * m, n * n) + e * Fraction(m, n)
        for p, mass in (
            (Fraction(encoded, without + encoded) if inside else Fraction(0), inside),
            (Fraction(0), Fraction(m, n) - inside),
        ):
            found[p] = found.get(p, Fraction(0)) + mass
    return found
