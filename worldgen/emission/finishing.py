"""Finishing a cohort: the spec that made it, the pages, and the manifests, which land last."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import rfc8785

from worldgen.cohort.cards import card
from worldgen.cohort.cohorts import Stratum
from worldgen.cohort.contents import Contents, Entry
from worldgen.cohort.croissant import croissant
from worldgen.cohort.manifests import FORMAT, MANIFEST, pretty, sha256_of
from worldgen.cohort.schemas import PUBLIC, sides_of
from worldgen.emission.batches import seed_digest
from worldgen.emission.repeats import repeated_roots
from worldgen.emission.shards import Job, Receipt, temporary
from worldgen.exact import arrow
from worldgen.spec.write import write_spec_folder
from worldgen.worlds.base import World

Hash = Callable[[Path], str]

SIDES = ("public", "evaluator")


def finish(jobs: Sequence[Job], receipts: Sequence[Receipt]) -> None:
    """Write everything beside the shards, given a receipt of each. The evaluator's manifest is the last file
    of all.
    """
    folder = jobs[0].folder
    for name, text in write_spec_folder(jobs[0].cohort).items():
        write_whole(folder / "evaluator" / "spec" / name, text.encode())
    for side in SIDES:
        shards = shard_entries(jobs, receipts, side)
        pages = page_bytes(jobs, side, shards)
        for name, data in pages.items():
            write_whole(folder / side / name, data)
        write_whole(folder / side / MANIFEST, pretty(manifest(jobs, receipts, side)))


def shard_entries(jobs: Sequence[Job], receipts: Sequence[Receipt], side: str) -> dict[str, Entry]:
    """For each shard of a side, by relative path: its size, hash, rows and content digest."""
    cohort = jobs[0].cohort
    return {
        f"{table}/{job.shard.file}": receipt.entries[table]
        for table in sides_of(cohort.pool, cohort.candidates)[side]
        for job, receipt in zip(jobs, receipts, strict=True)
    }


def content_of(shards: Mapping[str, Entry]) -> str:
    """The content digest of a side: over table, place in the table and content digest of every shard."""
    listed = [[name, entry["content"]] for name, entry in sorted(shards.items())]
    return hashlib.sha256(rfc8785.dumps(listed)).hexdigest()


def version_of(content: str) -> str:
    """A version of digits only, made of the content digest: what a cache that keys on versions needs.

    >>> version_of("00000010" + "000000ff" + "0" * 48)
    '1.16.255'
    """
    return f"1.{int(content[:8], 16)}.{int(content[8:16], 16)}"


def page_bytes(jobs: Sequence[Job], side: str, shards: Mapping[str, Entry]) -> dict[str, bytes]:
    """The card and the Croissant file of a side."""
    version = version_of(content_of(shards))
    cohort = jobs[0].cohort
    tables = sides_of(cohort.pool, cohort.candidates)[side]
    contents = Contents(cohort, jobs[0].roots, side, version, tables, shards)
    return {"README.md": card(contents).encode(), "croissant.json": pretty(croissant(contents))}


def manifest(
    jobs: Sequence[Job], receipts: Sequence[Receipt], side: str, hashed: Hash = sha256_of
) -> dict[str, Any]:
    """The manifest of a side: no time, no host, no count of workers; the seed on the evaluator's only."""
    job, cohort = jobs[0], jobs[0].cohort
    folder = job.folder / side
    shards = shard_entries(jobs, receipts, side)
    content = content_of(shards)
    others = [path for path in sorted(folder.rglob("*")) if _plain(path, folder)]
    pages = {
        path.relative_to(folder).as_posix(): {"bytes": path.stat().st_size, "sha256": hashed(path)}
        for path in others
    }
    data: dict[str, Any] = {
        "format": FORMAT,
        "name": cohort.name,
        "roots": job.roots,
        "requests": job.roots * len(cohort.variants),
        "spec_digest": job.spec_digest,
        "content": content,
        "version": version_of(content),
        "wire": cohort.wire,
        "variants": list(cohort.variants),
        "strata": [_stratum(stratum) for stratum in cohort.strata],
        "worlds": {name: _world(world) for name, world in cohort.worlds.items()},
        "files": dict(sorted({**shards, **pages}.items())),
    }
    if cohort.pool:
        data["pool"] = cohort.pool
    if side == "evaluator":
        data["seed"] = str(job.seed)
        data["seed_digest"] = seed_digest(job.seed)
        data["relations"] = [relation.name for relation in cohort.declared]
        data["attempts"] = sum(receipt.attempts for receipt in receipts)
        data["repeated_roots"] = repeated_roots(
            [receipt.openings for receipt in receipts], lambda shard: _digests(jobs[shard])
        )
        data["public_manifest"] = hashed(job.folder / "public" / MANIFEST)
    return data


def _plain(path: Path, folder: Path) -> bool:
    return path.is_file() and path.suffix != ".parquet" and path != folder / MANIFEST


def _stratum(stratum: Stratum) -> dict[str, Any]:
    """A stratum; where its world has several views, with what it shows through its own."""
    world = stratum.world
    view = {"view": world.view.name, **_names(world)} if len(world.views) > 1 else {}
    return {"name": stratum.name, "world": world.name, "encoding": stratum.encoding, **view}


def _world(world: World) -> dict[str, Any]:
    return {
        "family": world.family,
        **(_names(world) if len(world.views) == 1 else {}),
        "options": list(world.partition),
        "atoms": list(world.atoms.names),
    }


def _names(world: World) -> dict[str, list[str]]:
    """The names of what is shown and of what is hidden, in the order of the tables."""
    return {
        "visible": [variable.name for variable in world.view.variables],
        "hidden": [variable.name for variable in world.hidden],
    }


def _digests(job: Job) -> arrow.Array:
    table = arrow.read_table([job.path("roots")], PUBLIC["roots"], ["semantic_digest"])
    return arrow.whole(table, "semantic_digest")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary(path).write_bytes(data)
    os.replace(temporary(path), path)
