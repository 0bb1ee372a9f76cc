"""Verifying a folder of reference inputs: every row is drawn again, every probability is summed again.

1. Files: every hash, no file missing or over, the spec and the manifest byte for byte.
2. Draws: every row, redrawn from the spec and the seed, batch by batch.
3. Probabilities: each stored text against the slow path of the world, the literal sum over all that the
   view leaves open, which shares no table of posteriors with what drew them.
"""

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from worldgen.cohort.manifests import FORMAT, MANIFEST
from worldgen.cohort.references import (
    DrawError,
    Inputs,
    checked_numbers,
    checked_sizes,
    viewed,
)
from worldgen.cohort.shards import Shard
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import read_batches
from worldgen.emission.references import KIND, SPEC, TABLE, Reference
from worldgen.emission.shards import differences
from worldgen.emission.verify import SHOWN, Finding, Verification, compare
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.exact.places import Place, folder_here, place, sha256_of
from worldgen.spec.reading import read_spec
from worldgen.spec.write import write_spec

SUMMED = "the literal sum"


def holds_reference(folder: str | Place) -> bool:
    """Whether a folder says of itself that it holds reference inputs."""
    try:
        return bool(json.loads((place(folder) / MANIFEST).read_text(encoding="utf-8"))["kind"] == KIND)
    except (OSError, ValueError, TypeError, KeyError):
        return False


def verify_reference(folder: str | Place) -> Verification:
    """Verify the reference inputs in a folder, in memory that does not grow with their number.

    Faults of the folder are findings. Raises DrawError only where there are no reference inputs at all. What
    lies elsewhere is copied to this machine first.
    """
    found = place(folder)
    if not holds_reference(found):
        raise DrawError(
            f"{found} does not hold reference inputs: its {MANIFEST} does not say so", remedy="write it again"
        )
    with folder_here(found) as root:
        return _verified(root)


def _verified(root: Path) -> Verification:
    listed = _manifest(root)
    done = Verification(derivable={SUMMED: 0, "not": 0})
    done.findings += _files(root, listed, done)
    try:
        draft = _reference(root, listed)
    except WorldgenError as error:
        done.findings.append(Finding("spec", SPEC, error.message))
        return done
    done.findings += _derived_files(draft)
    for shard in draft.shards:
        done.findings += _shard(draft, shard, done)
    return done


def _manifest(root: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((root / MANIFEST).read_text(encoding="utf-8"))
    if data.get("format") != FORMAT or not isinstance(data.get("files"), dict):
        raise DrawError(f"{root / MANIFEST} is of another format, or lists no files", remedy="write it again")
    return data


def _files(root: Path, listed: dict[str, Any], done: Verification) -> Iterator[Finding]:
    present = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    for name in sorted(present - set(listed["files"]) - {MANIFEST}):
        yield Finding("files", name, "the manifest does not list this file")
    for name, entry in sorted(listed["files"].items()):
        done.files += 1
        if name not in present:
            yield Finding("files", name, "the file is missing")
        elif not isinstance(entry, dict) or sha256_of(root / name) != entry.get("sha256"):
            yield Finding("files", name, "its SHA-256 is not the one in the manifest")


def _reference(root: Path, listed: dict[str, Any]) -> Reference:
    """The reference draw that the spec and the manifest state. Raises WorldgenError."""
    world = read_spec(root / SPEC)
    try:
        view, encoding = str(listed["view"]), str(listed["encoding"])
        seed, inputs = int(listed["seed"]), int(listed["inputs"])
        snapshots = tuple(int(size) for size in listed["snapshots"])
    except (KeyError, TypeError, ValueError):
        raise DrawError(
            "the manifest states no view, encoding, seed, number of inputs and snapshots"
        ) from None
    checked_numbers(inputs, seed)
    checked_sizes(snapshots)
    return Reference(viewed(world, view), inputs, seed, snapshots, root, encoding)


def _derived_files(draft: Reference) -> Iterator[Finding]:
    try:
        expected = {SPEC: write_spec(draft.world).encode(), MANIFEST: draft.manifest()}
    except (OSError, ValueError, KeyError) as error:
        yield Finding("files", MANIFEST, f"it cannot be derived again: {error}")
        return
    for name, data in expected.items():
        if (draft.folder / name).read_bytes() != data:
            yield Finding("files", name, "it is not what the spec and the files say")


def _shard(draft: Reference, shard: Shard, done: Verification) -> Iterator[Finding]:
    name, digest, start = draft.name(shard), ContentDigest(draft.schema), shard.start
    try:
        for rows in read_batches(draft.folder / name, draft.schema, draft.batch):
            digest.update(rows)
            done.rows[TABLE] = done.rows.get(TABLE, 0) + rows.num_rows
            kept = rows.slice(0, max(0, shard.stop - start))
            if kept.num_rows:
                drawn, row = draft.drawn(start, start + kept.num_rows), start - shard.start
                yield from compare(name, row, draft.table(drawn), kept)
                yield from _probabilities(draft, drawn, name, row, kept)
                done.derivable[SUMMED] += kept.num_rows
            start += rows.num_rows
        footer = arrow.read_footer(draft.folder / name)
    except (OSError, ValueError) as error:
        yield Finding("tables", name, f"it cannot be read: {error}")
        return
    if start > shard.stop:
        yield Finding("draws", name, f"{start - shard.stop} rows too many", shard.stop - shard.start)
    if start < shard.stop:
        yield Finding("draws", name, f"{shard.stop - start} rows are missing", start - shard.start)
    identity = draft.identity(shard) | {"worldgen.content": digest.hexdigest()}
    for key in differences(footer, identity):
        yield Finding("tables", name, f"its footer says {key} = {footer.get(key)}")


def _probabilities(
    draft: Reference, drawn: Inputs, file: str, first: int, rows: arrow.Table
) -> Iterator[Finding]:
    """The rows whose p is not what the slow path sums, at most 10 of them and then their number."""
    summed: dict[tuple[int, ...], str | list[str]] = {}
    wrong = []
    slow = draft.world.slow_posterior(drawn.values)
    for row, (weights, said) in enumerate(zip(slow.tolist(), rows.column("p").to_pylist(), strict=True)):
        key = tuple(weights)
        right = summed.get(key)
        if right is None:
            right = summed[key] = _text(draft, key)
        if said != right:
            wrong.append((row, said, right))
    for row, said, right in wrong[:SHOWN]:
        yield Finding("probabilities", file, f"it says {said}, the sum is {right}", first + row, "p")
    if len(wrong) > SHOWN:
        yield Finding("probabilities", file, f"{len(wrong) - SHOWN} more rows differ", column="p")


def _text(draft: Reference, weights: Sequence[int]) -> str | list[str]:
    """The text of p where the classes have these weights; none for an input of probability zero."""
    masses = [Fraction(weight, sum(weights)) for weight in weights] if any(weights) else []
    if len(draft.world.atoms) != 2 or not masses:
        return [str(mass) for mass in masses]
    (positive,) = draft.world.events["A"].indices
    return str(masses[positive])
