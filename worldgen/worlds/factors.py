"""Worlds of factors: a model, and which of its views is looked through.

A root is a state of all factors; the outcome is the rule on that state, the same whatever a view shows of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Phrases
from worldgen.exact.events import Event
from worldgen.exact.joints import Joint
from worldgen.exact.numbers import Integers
from worldgen.exact.pools import ascii_texts
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable, View
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import Draw, Streams, Values
from worldgen.worlds.digests import object_digests
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.known import Known
from worldgen.worlds.literal_sums import literal_sums
from worldgen.worlds.viewed import ViewedClasses


@dataclass(frozen=True)
class FactorWorld(ViewedClasses[FactorModel]):
    """A model seen through one of its views, the first unless it is named.

    Every request shows all that the view shows, the irrelevant fields among it. Raises DomainError for a view
    that the model does not have.
    """

    family: ClassVar[str] = "factors"

    @cached_property
    def hides(self) -> tuple[str, ...]:
        """The factors that the view hides, the residual left out."""
        return self.model.views[self.seen]

    @cached_property
    def view(self) -> View:
        """The factors that are not hidden, each by its level or by a number, then the irrelevant fields."""
        shown = (self.model.shown_as(part) for part in self.model.factors if part.name not in self.hides)
        return View(self.seen, (*shown, *(one.variable for one in self.model.irrelevant)))

    @cached_property
    def hidden(self) -> tuple[Variable, ...]:
        """The factors that the view hides, then the residual."""
        parts = (part for part in self.model.parts if part.name not in self.joint.names)
        return tuple(Variable(part.name, Phrases(part.levels)) for part in parts)

    @property
    def ordered(self) -> bool:
        """Whether the classes run from lowest to highest."""
        return self.model.ordered

    @cached_property
    def events(self) -> Mapping[str, Event]:
        """A, that a positive class comes true, and "not A"; of two classes, each is said as its class is."""
        classes = self.model.classes
        sides = {"A": self.model.positive}
        sides["not A"] = tuple(name for name in classes if name not in self.model.positive)
        return {
            name: self.model.event(side, " or ".join(classes[each] for each in side))
            for name, side in sides.items()
        }

    def template_names(self, *, metadata: bool) -> Mapping[str, Constant]:
        """Every variable that some view shows by its name, `shown` with the names of those that this one
        shows, and `fields` with name and value of each of them. There are no metadata: what is irrelevant is
        always shown. A template that shows what the view hides is refused when its plan is made.
        """
        variables, every = self.view.shown, self.through(self.views[0]).view.shown
        every = (*map(self.model.shown_as, self.model.factors), *every)
        listed: list[Constant] = [{"name": one.name, "value": one} for one in variables]
        named: dict[str, Constant] = {one.name: one for one in every}
        return {**named, "shown": [one.name for one in variables], "fields": listed}

    @property
    def joint(self) -> Joint:
        """The joint law of the pattern that the view shows and of the outcome."""
        return self.model.joint(self.hides)

    def _levels(self, values: Values) -> NDArray[np.int64]:
        """The codes of the levels that are shown, (n, factors): a number that is measured says its level."""
        columns = []
        for name in self.joint.names:
            measured = self.model.measured.get(name)
            columns.append(measured.level(values[measured.name]) if measured else values[name])
        return np.array(columns, dtype=np.int64).T

    def posterior(self, values: Values) -> tuple[Posteriors, NDArray[np.bool_]]:
        """The posterior of each row, and whether the pattern that it shows has positive mass."""
        rows = self.joint.index(self._levels(values))
        weights = cast(Integers, np.take(self.joint.numerators, rows, axis=0))
        totals = cast(Integers, np.take(self.joint.totals, rows))
        positive: NDArray[np.bool_] = np.take(self.joint.possible, rows)
        if not positive.all():
            weights[~positive] = [1] + [0] * (len(self.atoms) - 1)
            totals[~positive] = 1
        return Posteriors(self.atoms, weights, totals), positive

    @cached_property
    def _sums(self) -> Known:
        """The literal sums of the patterns, by number."""
        return Known(len(self.joint))

    @cached_property
    def _named(self) -> Known:
        """The digests of the patterns, likewise."""
        return Known(len(self.joint))

    def _numbers(self, values: Values) -> NDArray[np.int64]:
        """The pattern that each row shows, numbered in C order."""
        # Not by `joint.index`: a slip of it must not lead the literal sum astray as well.
        columns = tuple(self._levels(values).T)
        return np.asarray(np.ravel_multi_index(columns, self.joint.sizes), dtype=np.int64)

    def _codes(self, patterns: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """The codes of the levels that some patterns show, factor by factor."""
        return np.unravel_index(patterns, self.joint.sizes)

    def _literally(self, patterns: NDArray[np.int64]) -> Integers:
        factors, names = self.model.network.factors, self.joint.names
        return literal_sums(factors, self.model.decision, names, np.stack(self._codes(patterns), axis=1))

    def slow_posterior(self, values: Values) -> Integers:
        """The weights of the classes, by the literal sum over the hidden states."""
        return self._sums.of(self._numbers(values), self._literally)

    def disagreements(self, values: Values, posteriors: Posteriors) -> list[int]:
        """The rows where the literal sum over the hidden states is not the posterior exactly."""
        return posteriors.unlike(self.slow_posterior(values))

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Draw:
        """A state for each root, what is measured of it, irrelevant fields, and the outcome by the rule."""
        state = self.model.draw(streams, indices, attempt)
        outcomes = self.model.network.outcome.classes(state)
        codes: dict[str, Codes] = dict(state)
        for one in self.model.measurements:
            codes[one.name] = one.draw(codes[one.of], streams, indices, attempt)
        for each in self.model.irrelevant:
            codes[each.variable.name] = each.draw(streams, indices, attempt)
        return Draw(
            {name: codes[name] for name in self.view.names},
            {variable.name: codes[variable.name] for variable in self.hidden},
            np.broadcast_to(outcomes, len(indices)).copy(),
            np.ones(len(indices), dtype=np.bool_),
        )

    def shown(self, streams: Streams, indices: Indices, attempt: Attempts) -> Values:
        """What `draw` shows: nothing is drawn beside it that would be worth leaving out."""
        return self.draw(streams, indices, attempt).values

    def digests(self, values: Values) -> Array:
        """SHA-256 of the law, the classes, and the levels that are shown, by factor."""
        return ascii_texts(self._named.of(self._numbers(values), self._digests))

    def _digests(self, patterns: NDArray[np.int64]) -> NDArray[np.bytes_]:
        pairs = zip(self.joint.names, self._codes(patterns), strict=True)
        levels = {name: (self.model.levels[name], codes) for name, codes in pairs}
        fixed = {"law": self.model.law, "classes": list(self.model.classes.values())}
        return object_digests(fixed, "shown", levels, len(patterns))
