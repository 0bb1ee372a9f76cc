"""Reference inputs: independent draws of what a view shows, each with its exact probabilities.

An integral over the law of a view becomes a mean over such inputs: they are points of integration, and
nothing is asked about them. They come from streams of their own, which no root and no case of a pool reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import index

import numpy as np

from worldgen.exact.errors import WorldgenError
from worldgen.exact.numbers import Integers, integers
from worldgen.exact.streams import Indices, Stream
from worldgen.worlds.base import Streams, Values, World, view_named
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

STRATUM = "the reference draw"  # no name, so no stratum and no world can have it: their streams are others
MOST_INPUTS = 10**9
LARGEST_SNAPSHOT = 10_000
BATCH = 65_536


class DrawError(WorldgenError):
    """Reference inputs that cannot be drawn, or a folder that does not hold any."""


@dataclass(frozen=True)
class Inputs:
    """n reference inputs of a world, in order of index, and their posteriors in lowest terms.

    `values` are the codes of the variables that the view shows, by name, each (n,). P(class k | input i) =
    numerators[i, k] / denominators[i]: `numerators` is (n, K), `denominators` (n,), int64 where all of them
    fit and Python integers otherwise.
    """

    world: World
    seed: int
    indices: Indices
    values: Values
    numerators: Integers
    denominators: Integers

    def __len__(self) -> int:
        return len(self.indices)

    @property
    def positives(self) -> Integers:
        """The numerators of P(A | input), (n,), over the least common denominator of the classes. A is the
        positive class.
        """
        columns = self.numerators[:, list(self.world.events["A"].indices)]
        return np.asarray(columns.sum(axis=1, dtype=columns.dtype))

    def snapshots(self, sizes: Sequence[int]) -> Integers:
        """How often each class came up among the first k of the labels of every input, for each k of
        `sizes`, (n, len(sizes), K).

        Label j of an input is its own exact draw from P(class | input), independent of all others: a count
        among k has the binomial (multinomial) law exactly. Snapshots nest: the larger one of an input holds
        the labels of the smaller one. Raises DrawError unless sizes are from 1 to 10,000, none twice.
        """
        checked_sizes(sizes)
        stream = _labels(self.world, self.seed)
        # A label is the class in whose stretch of 0 ... denominator - 1 a uniform mark falls; the marks at or
        # beyond the end of class k are those of later classes.
        ends = np.ascontiguousarray(self.numerators.cumsum(axis=1).T[:-1])
        beyond = np.zeros((len(ends) + 2, len(self)), dtype=np.int64)
        found = np.zeros((len(self), len(sizes), len(ends) + 1), dtype=np.int64)
        for label in range(max(sizes, default=0)):
            marks = stream.below(self.indices, label, self.denominators)
            beyond[0] += 1
            for k, end in enumerate(ends, 1):
                beyond[k] += marks >= end
            if label + 1 in sizes:
                found[:, sizes.index(label + 1)] = (beyond[:-1] - beyond[1:]).T
        return found


def inputs_at(world: World, seed: int, indices: Indices) -> Inputs:
    """The reference inputs at any indices, in any order: each is the same whatever else is drawn."""
    draw = world.draw(Streams(seed, world.name, STRATUM), indices, 0)
    posteriors, _ = world.posterior(draw.values)
    # Labels are drawn from lowest terms, so that they depend on the probabilities and on nothing else: not on
    # the integers that an engine happens to divide.
    divisors = np.gcd.reduce(posteriors.numerators, axis=1)
    largest = int((posteriors.denominators // divisors).max(initial=1))
    # Numerators are not negative and sum to the denominator, so the largest denominator bounds everything.
    numerators = integers(posteriors.numerators // divisors[:, None], largest + 1)
    denominators = integers(posteriors.denominators // divisors, largest + 1)
    return Inputs(world, seed, indices, draw.values, numerators, denominators)


def reference(world: World, view: str, inputs: int, seed: int, *, batch: int = BATCH) -> Iterator[Inputs]:
    """`inputs` independent draws from the law of a world, seen through a view (the first one for ""), in
    batches of at most `batch`.

    Input i is the same in every batch size and for any number of inputs; memory grows with `batch` alone.
    Raises DrawError for a world of cells, whose views and outcomes are drawn root by root, and for
    numbers out of range; DomainError for an unknown view.

    >>> from worldgen.spec import read_spec
    >>> first = next(reference(read_spec("credit-risk"), "medium", 3, seed=7))
    >>> first.numerators.tolist(), first.denominators.tolist()
    ([[2611, 7389], [1, 0], [5431, 4569]], [10000, 1, 10000])
    """
    through = viewed(world, view)
    checked_numbers(inputs, seed)
    if index(batch) < 1:
        raise DrawError(f"a batch of {batch} inputs holds nothing", remedy="ask for at least 1")
    starts = range(0, inputs, batch)
    return (inputs_at(through, seed, np.arange(at, min(at + batch, inputs))) for at in starts)


def viewed(world: object, view: str) -> FactorWorld | TransferWorld:
    """The world seen through a view. Raises DrawError for one that has no law to draw inputs from."""
    if not isinstance(world, FactorWorld | TransferWorld):
        raise DrawError(
            f"{getattr(world, 'name', world)} is no world with views, so no inputs are drawn from it",
            remedy="take a world of factors or of covert transfer, like credit-risk",
        )
    return world.through(view_named(world.name, view, world.views))


def checked_numbers(inputs: int, seed: int) -> None:
    """Raises DrawError for a number of inputs or a seed that is out of range."""
    if not 1 <= index(inputs) <= MOST_INPUTS:
        remedy = f"ask for a number from 1 to {MOST_INPUTS:,}"
        raise DrawError(f"there is no reference draw of {inputs:,} inputs", remedy=remedy)
    if index(seed) < 0:
        raise DrawError(f"{seed} is no seed", remedy="take any whole number from 0")


def checked_sizes(sizes: Sequence[int]) -> None:
    """Raises DrawError for the size of a snapshot that is out of range or stands twice."""
    for size in sizes:
        if not 1 <= index(size) <= LARGEST_SNAPSHOT:
            remedy = f"take sizes from 1 to {LARGEST_SNAPSHOT:,}"
            raise DrawError(f"there is no snapshot of {size:,} labels", remedy=remedy)
        if list(sizes).count(size) > 1:
            raise DrawError(f"the snapshot of {size:,} labels stands twice", remedy="name it once")


def _labels(world: World, seed: int) -> Stream:
    """The stream of labels. Each view has its own, since each has probabilities of its own."""
    return Streams(seed, world.name, STRATUM).purpose(f"labels {world.view.name}")
