"""A system in a few figures: how much it answered, and where it is worst."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from worldgen.scoring.figures.estimates import Figure
from worldgen.scoring.panels.actions import PRIMARY_COST
from worldgen.scoring.results import Results, System
from worldgen.scoring.shown import estimate, roots


@dataclass(frozen=True)
class Worst:
    """The worst of `among` figures, and the subjects of all that are as bad, in table order. Of these the
    figure is the one with a value on the fewest roots.
    """

    figure: Figure
    names: tuple[str, ...]
    among: int

    def __str__(self) -> str:
        """The figure with four places and its interval, the roots it stands on where these are not all, and
        where it stands.
        """
        everywhere = len(self.names) == self.among > 1
        where = f"all {self.among}" if everywhere else ", ".join(self.names)
        partial = self.figure.valid < self.figure.eligible
        support = f" (roots: {roots(self.figure)})" if partial else ""
        return f"{estimate(self.figure)}{support} in {where}"


@dataclass(frozen=True)
class Headline:
    """What to know of a system first; each part is None where no valid report gives it a figure.

    `distance` is the variant of greatest total variation, `pass_rate` the primary relation of least pass
    rate, `regret` the variant in which deciding at the primary cost of deferring loses most beyond the
    oracle. Worst cases stand for the system, as a mean over variants would hide what one of them shows.
    """

    distance: Worst | None
    pass_rate: Worst | None
    regret: Worst | None


def headline(results: Results, system: System) -> Headline:
    """The headline of a system."""
    primary = {relation.name for relation in results.relations if relation.primary}
    plain = [
        figure
        for figure in results.figures
        if (figure.label.system, figure.label.against, figure.stratum) == (system.name, "", "")
        and figure.valid
    ]
    return Headline(
        _most((each for each in plain if _is(each, "total_variation", system.accounts)), 1),
        _most((each for each in plain if _is(each, "pass_rate", primary)), -1),
        _most(
            (
                each
                for each in plain
                if _is(each, "regret", system.accounts) and each.label.at == PRIMARY_COST
            ),
            1,
        ),
    )


def _is(figure: Figure, metric: str, subjects: Container[str]) -> bool:
    return figure.label.metric == metric and figure.label.subject in subjects


def _most(figures: Iterable[Figure], sign: int) -> Worst | None:
    """The greatest of the figures that there are, or the least for the sign -1."""
    known = [(figure.exact, figure) for figure in figures if figure.exact is not None]
    if not known:
        return None
    value = max(known, key=lambda each: sign * each[0])[0]
    worst = [figure for exact, figure in known if exact == value]
    names = tuple(figure.label.subject for figure in worst)
    return Worst(min(worst, key=lambda figure: figure.valid), names, len(known))
