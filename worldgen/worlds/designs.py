"""Designing a world of factors: which residual, or which factors hidden, give a wanted Bayes error."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from worldgen.exact.design import bayes_error_curve, hidings
from worldgen.exact.errors import DomainError
from worldgen.worlds.factor_parts import RESIDUAL
from worldgen.worlds.factors import FactorWorld


@dataclass(frozen=True)
class ScaleDesign:
    """A residual that gives a view its Bayes error: every probability but that of 0 times `scale`.

    `masses` maps the numbers of the residual, as texts, to their probabilities then. Any Bayes error from
    `lowest` to `highest` is reached by some scale from 0 to `largest`; the scale 1 is the world as it is.
    """

    scale: Fraction
    masses: Mapping[str, Fraction]
    largest: Fraction
    lowest: Fraction
    highest: Fraction


@dataclass(frozen=True)
class HidingDesign:
    """Factors to hide, those that the view hides already among them, and the Bayes error of what is left."""

    hidden: tuple[str, ...]
    bayes_error: Fraction


def design_residual(world: FactorWorld, target: Fraction) -> ScaleDesign:
    """The least scale of the residual at which the view of the world has the Bayes error `target`.

    Raises UnreachableError, with the reachable interval, where none has, and DomainError for a world without
    a residual, or with one that is never 0.

    >>> from worldgen.spec import read_factors
    >>> design_residual(read_factors("credit-risk"), Fraction(1, 10)).scale
    Fraction(1000000000000000000, 259265749903241391)
    """
    residual = world.model.residual
    if residual is None or Fraction(0) not in residual.numbers:
        raise DomainError(
            f"{world.name} has no residual that can be 0, so there is nothing to scale",
            remedy="give it one, like residual: {-1: 0.1, 0: 0.8, 1: 0.1}, or hide factors instead",
        )
    levels = residual.part.levels
    zero = levels[residual.numbers.index(Fraction(0))]
    curve = bayes_error_curve(world.model.network, world.joint.names, RESIDUAL, zero)
    scale = curve.scale_for(target)
    masses = {level: scale * mass for level, mass in zip(levels, residual.masses, strict=True)}
    masses[zero] = Fraction(1) - sum(mass for level, mass in masses.items() if level != zero)
    return ScaleDesign(scale, masses, curve.largest, *curve.reachable)


def design_hiding(world: FactorWorld, target: Fraction, most: int) -> list[HidingDesign]:
    """Every way to hide at most `most` further factors, the nearest to the Bayes error `target` first.

    Among equally near ones those that hide less come first, then those whose factors come first. A view shows
    at least one factor.

    >>> from worldgen.spec import read_factors
    >>> design_hiding(read_factors("credit-risk"), Fraction(1, 10), 1)[0].hidden
    ('cycle',)
    """
    shown = world.joint.names
    found = [
        HidingDesign((*world.hides, *hidden), error)
        for hidden, error in hidings(world.model.network, shown, min(most, len(shown) - 1))
    ]
    return sorted(found, key=lambda one: abs(one.bayes_error - target))
