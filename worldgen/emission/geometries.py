"""The rows of the table `geometry`: what the candidates of each root are like, beside the right one."""

from worldgen.cohort.roots import Roots
from worldgen.cohort.schemas import GEOMETRY
from worldgen.exact.arrow import Array
from worldgen.exact.entropy import Entropy
from worldgen.exact.geometry import Candidates, Geometry
from worldgen.worlds.base import World
from worldgen.worlds.candidates import GOLD, INVENTORY, CandidateWorld


def geometry_columns(world: World, roots: Roots, ids: Array) -> dict[str, object]:
    """The columns of the roots of a stratum; no rows for a world that is not one of candidates."""
    rows: list[tuple[object, ...]] = []
    if isinstance(world, CandidateWorld):
        known = zip(
            ids.to_pylist(),
            world.words(roots.values),
            roots.hidden[INVENTORY].tolist(),
            roots.hidden[GOLD].tolist(),
            strict=True,
        )
        rows = [
            (root, *_row(Geometry(Candidates(words, inventory), gold)))
            for root, words, inventory, gold in known
        ]
    columns = list(zip(*rows, strict=True)) or [() for _ in GEOMETRY.names]
    return {name: list(column) for name, column in zip(GEOMETRY.names, columns, strict=True)}


def _row(found: Geometry) -> tuple[object, ...]:
    candidates = found.candidates
    return (
        found.gold,
        candidates.length,
        found.counts,
        tuple(map(exact_text, found.entropies)),
        exact_text(found.mean_entropy),
        tuple(map(exact_text, found.branch_entropies)),
        found.first_unique,
        tuple(position + 1 for position in found.branches),
        candidates.unions,
        str(candidates.mean_union),
        candidates.cartesian,
    )


def exact_text(entropy: Entropy) -> str:
    """An entropy in bits, exactly: a number where it is rational, else log2(RATIO)/PARTS.

    >>> exact_text(Entropy.of([1, 1, 1, 1])), exact_text(Entropy.of([2, 1]))
    ('2', 'log2(27/4)/3')
    """
    bits = entropy.bits
    return f"log2({entropy.ratio})/{entropy.parts}" if bits is None else str(bits)
