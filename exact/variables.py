"""Variables and views: what there is, and what of it is shown."""

from dataclasses import dataclass

from worldgen.exact.domains import Domain
from worldgen.exact.errors import DomainError


@dataclass(frozen=True)
class Variable:
    """A named quantity and the values it may take."""

    name: str
    domain: Domain


@dataclass(frozen=True)
class View:
    """The variables that a request shows.

    `shown` determine the posterior. `nuisance` variables are shown and decoded beside them, and the
    posterior does not depend on them. Raises DomainError if a name stands twice.

    >>> from worldgen.exact.domains import Phrases
    >>> reading = Variable("reading", Phrases(("low", "high")))
    >>> View("full", (reading,)).names
    ('reading',)
    """

    name: str
    shown: tuple[Variable, ...]
    nuisance: tuple[Variable, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise DomainError(f"view '{self.name}' shows a variable twice: {', '.join(self.names)}")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables, the shown ones first."""
        return self.shown + self.nuisance

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all variables, the shown ones first."""
        return tuple(variable.name for variable in self.variables)
