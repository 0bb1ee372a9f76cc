"""Finishing a cohort: the spec that made it, the pages, and the manifests, which land last."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import rfc8785

from worldgen.cohort.cards import card
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.contents import Contents, Entry
from worldgen.cohort.croissant import croissant
from worldgen.cohort.manifests import FORMAT, MANIFEST, pretty
from worldgen.cohort.schemas import sides_of
from worldgen.emission.batches import seed_digest
from worldgen.emission.repeats import repeated_roots
from worldgen.emission.shards import Job, Receipt
from worldgen.exact.drafts import settle, together, write_whole
from worldgen.interrupts import heed
from worldgen.spec.write import write_spec_folder
from worldgen.worlds.base import World

SIDES = ("public", "evaluator")


def finish(jobs: Sequence[Job], receipts: Sequence[Receipt]) -> None:
    """Write everything beside the shards, given a receipt of each: pages first, then the manifests, that of
    the evaluator last of all. No manifest is on a disk before what it lists.
    """
    folder, files = jobs[0].folder, beside(jobs, receipts)
    manifests = [f"{side}/{MANIFEST}" for side in SIDES]
    pages = [name for name in files if name not in manifests]
    together(lambda name: write_whole(folder / name, files[name]), pages)
    settle(folder, below=True)
    for name in manifests:
        heed()
        write_whole(folder / name, files[name])
    settle(folder, below=True)


def beside(jobs: Sequence[Job], receipts: Sequence[Receipt]) -> dict[str, bytes]:
    """Every file of a cohort but its shards, relative path -> bytes. They follow from the spec and the
    receipts alone.
    """
    files: dict[str, bytes] = {}
    for side in SIDES:
        shards = shard_entries(jobs, receipts, side)
        pages = (spec_bytes(jobs[0].cohort) if side == "evaluator" else {}) | page_bytes(jobs, side, shards)
        data = manifest(jobs, receipts, side, pages)
        if side == "evaluator":
            data["public_manifest"] = _sha256(files[f"public/{MANIFEST}"])
        files |= {f"{side}/{name}": page for name, page in pages.items()}
        files[f"{side}/{MANIFEST}"] = pretty(data)
    return files


def spec_bytes(cohort: Cohort) -> dict[str, bytes]:
    """The files of the spec, by their paths in the evaluator's side."""
    return {f"spec/{name}": text.encode() for name, text in write_spec_folder(cohort).items()}


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


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
    jobs: Sequence[Job], receipts: Sequence[Receipt], side: str, pages: Mapping[str, bytes]
) -> dict[str, Any]:
    """The manifest of a side with these pages: no time, no host, no count of workers; the seed on the
    evaluator's only.
    """
    job, cohort = jobs[0], jobs[0].cohort
    shards = shard_entries(jobs, receipts, side)
    content = content_of(shards)
    entries = {name: {"bytes": len(data), "sha256": _sha256(data)} for name, data in pages.items()}
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
        "files": dict(sorted({**shards, **entries}.items())),
    }
    if cohort.pool:
        data["pool"] = cohort.pool
    if side == "evaluator":
        data["seed"] = str(job.seed)
        data["seed_digest"] = seed_digest(job.seed)
        data["relations"] = [relation.name for relation in cohort.declared]
        data["attempts"] = sum(receipt.attempts for receipt in receipts)
        data["repeated_roots"] = repeated_roots([receipt.openings for receipt in receipts])
    return data


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
