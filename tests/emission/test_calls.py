"""Speed without a clock: how often Python calls a function may not depend on how many roots there are.

A call costs what a hundred values of a column cost, so one for each row is what makes emission slow. What is
known of a pattern is worked out once for all roots that show it, so each count is taken after the same roots
were made before. Candidates that differ by root are asked about row by row, and are no subjects here; nor is
the confirmation of tables of cells by decimals, table by table.
"""

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from tests.cohorts import sensor
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.shards import shards
from worldgen.emission.batches import Batcher
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import Writer
from worldgen.emission.shards import Job
from worldgen.exact import arrow
from worldgen.exact.pools import take
from worldgen.spec import cohort_of, read_spec
from worldgen.worlds.cells import CellWorld

FEW, MANY, SLACK = 400, 1200, 0.1


def cohort(name: str, wire: str) -> Cohort:
    spec = read_spec(name)
    return (spec if isinstance(spec, Cohort) else cohort_of(spec)).only(wire=wire)


SUBJECTS = [
    (name, wire)
    for name in ("contracts", "peer-review", "credit-risk", "covert-transfer")
    for wire in ("systemone", "chat")
]


def calls(action: Callable[[], object]) -> int:
    """How many functions written in Python an action enters."""
    entered = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal entered
        entered += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(before)
    return entered


def emitted(batcher: Batcher, roots: int, folder: Path) -> None:
    """Draw, lay out, digest and write so many roots of a stratum in one batch."""
    drawn = draw_roots(batcher.stratum, batcher.seed, np.arange(roots), batcher.cohort.admission)
    for name, table in batcher.tables(drawn).items():
        digest = ContentDigest(table.schema)
        digest.update(table)
        writer = Writer(folder / f"{name}.parquet", table.schema)
        writer.write(table)
        writer.close({"worldgen.content": digest.hexdigest()})


@pytest.mark.parametrize(("name", "wire"), SUBJECTS)
def test_emission_calls_no_function_for_each_row(name: str, wire: str, tmp_path: Path) -> None:
    batcher = Batcher(cohort(name, wire), 0, 7, "abcdef01")
    with patch.object(CellWorld, "disagreements", lambda *_: []):
        emitted(batcher, MANY, tmp_path)
        emitted(batcher, FEW, tmp_path)
        few = calls(lambda: emitted(batcher, FEW, tmp_path))
        many = calls(lambda: emitted(batcher, MANY, tmp_path))
    assert many <= few * (1 + SLACK), "a root without mass is drawn again, and nothing else may take calls"


@pytest.mark.parametrize(("name", "wire"), SUBJECTS)
def test_reading_payloads_back_calls_no_function_for_each_row(name: str, wire: str) -> None:
    batcher = Batcher(cohort(name, wire), 0, 7, "abcdef01")
    (plan, *_), variants = [asking.plan for asking in batcher.askings], len(batcher.askings)
    payloads = arrow.whole(
        batcher.tables(draw_roots(batcher.stratum, 7, np.arange(MANY)))["requests"], "payload"
    )

    def read(roots: int) -> None:
        plan.decode(take(payloads, np.arange(roots) * variants))

    read(MANY)
    assert calls(lambda: read(MANY)) <= calls(lambda: read(FEW)) * (1 + SLACK)


def test_jobs_of_one_cohort_share_it_where_they_arrive(tmp_path: Path) -> None:
    """So that a worker proves its plans and confirms a pattern once, not once for every shard."""
    one = sensor()
    jobs = [Job(one, "digest", 7, 600, shard, tmp_path) for shard in shards(600)]
    arrived = [pickle.loads(pickle.dumps(job)) for job in jobs]
    assert arrived == jobs
    assert len({id(job.cohort) for job in arrived}) == 1
    other = Job(cohort("contracts", "chat"), "digest", 7, 600, jobs[0].shard, tmp_path)
    assert pickle.loads(pickle.dumps(other)).cohort == other.cohort
