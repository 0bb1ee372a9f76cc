"""What every family of worlds offers to cohorts: the posterior of what a view shows, and draws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Identifiers, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.events import Atoms, Event
from worldgen.exact.numbers import Integers
from worldgen.exact.streams import Attempts, Indices, Stream
from worldgen.exact.variables import Variable, View
from worldgen.names import nearest
from worldgen.renderers.encodings import Encoding
from worldgen.renderers.unrolling import Constant

Values = Mapping[str, Codes]


@dataclass(frozen=True)
class Streams:
    """The streams of one stratum; `purpose` names one of them."""

    seed: int
    world: str
    stratum: str

    def purpose(self, name: str) -> Stream:
        """The stream of one purpose."""
        return _stream(self, name)


@lru_cache(maxsize=4096)
def _stream(streams: Streams, purpose: str) -> Stream:
    """Named once: a root under a quota may take thousands of draws from the same streams."""
    return Stream.named(streams.seed, streams.world, streams.stratum, purpose)


@dataclass(frozen=True)
class Draw:
    """n draws of one attempt: codes of the view's variables, of the hidden ones, and the outcome atom.

    `possible` marks the draws of positive mass; the other rows hold no root.
    """

    values: Values
    hidden: Values
    outcomes: NDArray[np.int64]
    possible: NDArray[np.bool_]


class World(Protocol):
    """A law on roots, seen through a view, and the posterior over atoms given what that view shows.

    One root is the same draw and has the same outcome whatever the view: `through` changes what is shown.
    `partition` holds the events of the canonical question in canonical order, `events` the further
    events that may be asked for, by name; the label of each event is its phrase.
    """

    @property
    def name(self) -> str:
        """The name, unique in a cohort."""
        ...

    @property
    def family(self) -> str:
        """The kind of world, as specs write it."""
        ...

    @property
    def atoms(self) -> Atoms:
        """The finest outcomes that a question may separate."""
        ...

    @property
    def views(self) -> tuple[str, ...]:
        """The names of the views through which the world can be seen, the first one by default."""
        ...

    def through(self, view: str) -> "World":
        """The same law seen through another view. Raises DomainError for one that the world does not have."""
        ...

    @property
    def view(self) -> View:
        """The variables that a request shows: the view that the world is seen through."""
        ...

    @property
    def hidden(self) -> tuple[Variable, ...]:
        """The variables that are drawn and never shown."""
        ...

    @property
    def partition(self) -> Mapping[str, Event]:
        """Option name -> event of the canonical question."""
        ...

    @property
    def ordered(self) -> bool:
        """Whether the partition runs from a lowest to a highest option."""
        ...

    @property
    def events(self) -> Mapping[str, Event]:
        """Event name -> event. With each X there is its complement, as `negation_of` names it."""
        ...

    @property
    def encodings(self) -> Mapping[str, Encoding]:
        """The encodings that the world can be rendered in."""
        ...

    def template_names(self, *, metadata: bool) -> Mapping[str, Constant]:
        """What a template of the world may name."""
        ...

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Draw:
        """The attempt of each root, one for all or one each; the same whatever else is drawn with it."""
        ...

    def shown(self, streams: Streams, indices: Indices, attempt: Attempts) -> Values:
        """The values of `view.shown` in `draw`, which are all that an admission looks at; others may lack."""
        ...

    def posterior(self, values: Values) -> tuple[Posteriors, NDArray[np.bool_]]:
        """The posterior of each row, and whether it has positive mass."""
        ...

    def disagreements(self, values: Values, posteriors: Posteriors) -> Sequence[int]:
        """The rows where an independent slow path does not confirm the posterior."""
        ...

    def slow_posterior(self, values: Values) -> Integers:
        """The weights of the atoms by the slow path, (n, K): over the sum of its row, each is within 1e-15 of
        the posterior. A row without mass has zeros. They are int64 only where no sum of a row reaches 2**63.
        """
        ...

    def digests(self, values: Values) -> Array:
        """The semantic digest of each row: SHA-256 in hex of what the posterior depends on."""
        ...


def view_named(world: str, view: str, views: Sequence[str]) -> str:
    """The view of a name, the first where it is empty. Raises DomainError for one that there is not.

    >>> view_named("urn", "", ["full"])
    'full'
    """
    if view and view not in views:
        raise DomainError(f"{world} has no view '{view}'", remedy=nearest(view, views))
    return view or views[0]


def draw_nuisance(variable: Variable, streams: Streams, indices: Indices, attempt: Attempts) -> Codes:
    """A uniform value of the variable for each root, from a stream that nothing else reads.

    Raises DomainError for Texts, which have no uniform law.
    """
    domain, stream = variable.domain, streams.purpose(f"nuisance {variable.name}")
    if isinstance(domain, Texts):
        raise DomainError(f"'{variable.name}' may be any text, so it cannot be drawn")
    if isinstance(domain, Identifiers):
        return domain.nths(stream.below(indices, attempt, domain.count))
    return stream.below(indices, attempt, domain.size)
