"""Reference inputs as a folder: Parquet files written batch by batch, and a manifest of what they are."""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.cohort.manifests import FORMAT, MANIFEST, pretty
from worldgen.cohort.references import (
    BATCH,
    DrawError,
    Inputs,
    checked_numbers,
    checked_sizes,
    inputs_at,
    viewed,
)
from worldgen.cohort.schemas import FEW, reference_schema
from worldgen.cohort.shards import Shard
from worldgen.emission.batches import seed_digest
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import Writer
from worldgen.exact import arrow
from worldgen.exact.drafts import settle, write_whole
from worldgen.exact.numbers import Integers, nearest_doubles
from worldgen.exact.places import is_uri, sha256_of
from worldgen.exact.pools import lists, rationals, take
from worldgen.names import nearest
from worldgen.renderers.plans import Plan
from worldgen.spec.write import spec_digest, world_data, write_spec
from worldgen.worlds.base import Values, World
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

KIND = "reference"
TABLE = "inputs"
SPEC = "spec.json"
_MARKED = 2**20
CASE_BYTES = 2**25
FILE_ROWS = 16 * BATCH


@dataclass(frozen=True)
class Reference:
    """A reference draw and the folder that holds it: `inputs` rows of a world through its view, each written
    out as a case, too, where an encoding is named. Raises DrawError for one that the world does not have.
    """

    world: FactorWorld | TransferWorld
    inputs: int
    seed: int
    snapshots: tuple[int, ...]
    folder: Path
    encoding: str = ""

    def __post_init__(self) -> None:
        if self.encoding and self.encoding not in self.world.encodings:
            message = f"the world {self.world.name} has no encoding '{self.encoding}'"
            raise DrawError(message, remedy=nearest(self.encoding, self.world.encodings))

    @cached_property
    def schema(self) -> arrow.Schema:
        """The schema of the table."""
        return cast(
            arrow.Schema, reference_schema(len(self.world.atoms), self.snapshots, cases=bool(self.encoding))
        )

    @cached_property
    def spec_digest(self) -> str:
        """The digest of the spec of the world."""
        return spec_digest(world_data(self.world))

    @property
    def shards(self) -> list[Shard]:
        """The files, in order, each with the inputs that it holds."""
        of = -(-self.inputs // FILE_ROWS)
        return [Shard(k, of, k * FILE_ROWS, min((k + 1) * FILE_ROWS, self.inputs)) for k in range(of)]

    def name(self, shard: Shard) -> str:
        """The path of a file within the folder."""
        return f"{TABLE}/{shard.file}"

    def identity(self, shard: Shard) -> dict[str, str]:
        """What the footer of a file says before its rows are known."""
        return {
            "worldgen.format": str(FORMAT),
            "worldgen.table": KIND,
            "worldgen.spec": self.spec_digest,
            "worldgen.view": self.world.seen,
            "worldgen.seed": seed_digest(self.seed),
            "worldgen.range": f"{shard.start}:{shard.stop} of {self.inputs}",
        }

    @cached_property
    def _plan(self) -> Plan:
        """How a case is written: in the first layout of the encoding, as the pool of a cohort shows it."""
        layout = self.world.encodings[self.encoding].layouts[0]
        return Plan(layout.leaf(self.world.template_names(metadata=False)), self.world.view.shown)

    @cached_property
    def batch(self) -> int:
        """How many inputs are drawn and written at once: it bounds memory, and is the same in every run."""
        longest = (self._plan.longest or 1) if self.encoding else 1
        return max(1, min(BATCH, CASE_BYTES // longest))

    def drawn(self, start: int, stop: int) -> Inputs:
        """The inputs start ... stop - 1."""
        return inputs_at(self.world, self.seed, np.arange(start, stop))

    def table(self, drawn: Inputs) -> arrow.Table:
        """The rows of inputs."""
        counts = drawn.snapshots(self.snapshots)
        columns: dict[str, object] = {
            "position": drawn.indices,
            "visible": _visible(self.world, drawn.values, len(drawn)),
        }
        if self.encoding:
            texts = self._plan.render(drawn.values, len(drawn)).to_pylist()
            columns["case"] = [json.loads(text) for text in texts]
        if len(self.world.atoms) == 2:
            (positive,) = self.world.events["A"].indices
            exact, doubles = _written(drawn, [drawn.positives])
            columns |= {"p": exact, "p_float": doubles}
            counted = {f"positives_{size}": counts[:, i, positive] for i, size in enumerate(self.snapshots)}
        else:
            width = len(self.world.atoms)
            exact, doubles = _written(drawn, list(drawn.numerators.T))
            columns |= {
                "p": lists(exact, np.full(len(exact) // width, width)),
                "p_float": doubles.reshape(-1, width).tolist(),
            }
            counted = {f"labels_{size}": counts[:, i].tolist() for i, size in enumerate(self.snapshots)}
        return arrow.table(arrow.coded(self.schema, FEW), columns | counted)

    def manifest(self) -> bytes:
        """The manifest of the folder as it stands: no time, no host, nothing that differs between runs."""
        files: dict[str, dict[str, Any]] = {}
        for shard in self.shards:
            path = self.folder / self.name(shard)
            content = arrow.read_footer(path)["worldgen.content"]
            files[self.name(shard)] = {**_entry(path), "rows": arrow.count_rows(path), "content": content}
        listed = [[name, entry["content"]] for name, entry in files.items()]
        data = {
            "format": FORMAT,
            "kind": KIND,
            "world": self.world.name,
            "view": self.world.seen,
            "spec_digest": self.spec_digest,
            "seed": str(self.seed),
            "seed_digest": seed_digest(self.seed),
            "inputs": self.inputs,
            "snapshots": list(self.snapshots),
            "encoding": self.encoding,
            "visible": list(self.world.view.names),
            "classes": list(self.world.atoms.names),
            "positive": [self.world.atoms.names[i] for i in self.world.events["A"].indices],
            "content": hashlib.sha256(rfc8785.dumps(listed)).hexdigest(),
            "files": {SPEC: _entry(self.folder / SPEC), **files},
        }
        return pretty(data)


def write_reference(  # noqa: PLR0913  (every option is a keyword with a default)
    world: World,
    inputs: int,
    seed: int,
    out: str | Path,
    *,
    view: str = "",
    snapshots: Sequence[int] = (),
    encoding: str = "",
) -> Reference:
    """Write `inputs` reference inputs of a world through a view (the first one for "") to the folder `out`,
    each with what the view shows, its exact probabilities, and one count of labels for each of `snapshots`;
    written out as a case, too, where an `encoding` is named.

    The folder gets its name when it is whole, and memory does not grow with `inputs`. Raises DrawError where
    something stands at `out` already, for numbers out of range, an unknown encoding and a world without
    views.
    """
    through = viewed(world, view)
    checked_numbers(inputs, seed)
    checked_sizes(snapshots)
    if is_uri(str(out)):
        raise DrawError(f"{out} is a URI", remedy="name a folder of this machine, and copy it from there")
    final = Path(out)
    if final.exists():
        raise DrawError(f"{final} is there already", remedy="name a folder that is not there yet")
    folder = final.absolute().with_name(f".{final.absolute().name}.tmp")
    shutil.rmtree(folder, ignore_errors=True)  # left by a run that was killed
    draft = Reference(through, inputs, seed, tuple(snapshots), folder, encoding)
    try:
        for shard in draft.shards:
            _write(draft, shard)
        write_whole(folder / SPEC, write_spec(through).encode())
        write_whole(folder / MANIFEST, draft.manifest())
        settle(folder, below=True)
        os.replace(folder, final)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return replace(draft, folder=final)


def _write(draft: Reference, shard: Shard) -> None:
    writer = Writer(draft.folder / draft.name(shard), draft.schema)
    digest = ContentDigest(draft.schema)
    try:
        for start in range(shard.start, shard.stop, draft.batch):
            rows = draft.table(draft.drawn(start, min(start + draft.batch, shard.stop)))
            writer.write(rows)
            digest.update(rows)
    except BaseException:
        writer.abandon()
        raise
    writer.close(draft.identity(shard) | {"worldgen.content": digest.hexdigest()})


def _entry(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size, "sha256": sha256_of(path)}


def _visible(world: World, values: Values, rows: int) -> arrow.Array:
    """The texts of what is shown, row by row: each text is made once, however often it is shown."""
    texts: list[str] = []
    places = np.empty((rows, len(world.view.variables)), dtype=np.int64)
    for column, variable in enumerate(world.view.variables):
        distinct, which = _distinct(values[variable.name])
        places[:, column] = which + len(texts)
        texts += [variable.domain.text(code) for code in distinct.tolist()]
    return lists(take(texts, places.reshape(-1)), np.full(rows, places.shape[1]))


def _written(drawn: Inputs, columns: Sequence[Integers]) -> tuple[arrow.Array, NDArray[np.float64]]:
    """Texts and nearest doubles of the probabilities with these numerators, those of a row together. Few of
    them differ, so that each is written once.
    """
    tops, top = _distinct(np.stack(columns, axis=1).reshape(-1))
    bottoms, bottom = _distinct(np.repeat(drawn.denominators, len(columns)))
    pairs, which = _distinct(top * len(bottoms) + bottom)  # both positions are below the number of rows
    numerators, denominators = tops[pairs // len(bottoms)], bottoms[pairs % len(bottoms)]
    texts = rationals(numerators, denominators)
    return take(texts, which), nearest_doubles(numerators, denominators)[which]


def _distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The distinct values, ascending, and the position of each value among them. Small ones are marked in a
    table, which is much faster than sorting them.
    """
    if values.dtype == np.object_ or not len(values) or values.min() < 0 or values.max() >= _MARKED:
        distinct, which = np.unique(values, return_inverse=True)
        return distinct, which.reshape(-1).astype(np.int64)
    marked = np.zeros(int(values.max()) + 1, dtype=np.bool_)
    marked[values] = True
    return np.flatnonzero(marked), (marked.cumsum() - 1)[values]
