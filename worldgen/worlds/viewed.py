"""What worlds with views have in common: a model, and which of its views is looked through."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

from worldgen.exact.events import Atoms, Event
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.base import view_named


class Model(Protocol):
    """A law with named views of it."""

    @property
    def name(self) -> str:
        """The name, unique in a cohort."""
        ...

    @property
    def title(self) -> str:
        """A line for lists of worlds."""
        ...

    @property
    def atoms(self) -> Atoms:
        """The finest outcomes."""
        ...

    @property
    def views(self) -> Iterable[str]:
        """The views by name, in their order; a mapping says what each is."""
        ...

    @property
    def encodings(self) -> Mapping[str, Encoding]:
        """The encodings that cases can be rendered in."""
        ...


class ClassModel(Model, Protocol):
    """A model whose atoms are classes."""

    @property
    def classes(self) -> Mapping[str, str]:
        """What each class says in a sentence, by name."""
        ...


M = TypeVar("M", bound=Model)
C = TypeVar("C", bound=ClassModel)


@dataclass(frozen=True)
class Viewed(Generic[M]):
    """A model seen through one of its views, the first unless it is named.

    Raises DomainError for a view that the model does not have.
    """

    model: M
    seen: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", view_named(self.model.name, self.seen, self.views))

    def __reduce__(self) -> tuple[type[Self], tuple[M, str]]:
        """Only what was given travels to other processes."""
        return type(self), (self.model, self.seen)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def title(self) -> str:
        """The title of the model."""
        return self.model.title

    @property
    def views(self) -> tuple[str, ...]:
        """The names of the views, in the order of the spec."""
        return tuple(self.model.views)

    def through(self, view: str) -> Self:
        """The same world seen through another view. Raises DomainError for one that it does not have."""
        return type(self)(self.model, view)

    @property
    def atoms(self) -> Atoms:
        """The atoms of the model."""
        return self.model.atoms

    @property
    def encodings(self) -> Mapping[str, Encoding]:
        """The encodings of the model."""
        return self.model.encodings


class ViewedClasses(Viewed[C]):
    """A model of classes seen through one of its views."""

    @cached_property
    def partition(self) -> Mapping[str, Event]:
        """The classes, in the order of the spec."""
        return {name: self.atoms.membership([name], says) for name, says in self.model.classes.items()}
