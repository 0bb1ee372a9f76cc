"""Batches by column are what a loop over roots and variants makes."""

import numpy as np
import pytest

from tests.emission.slow_batches import rows_of
from worldgen.cohort.roots import draw_roots
from worldgen.emission.batches import Batcher
from worldgen.spec import read_cohort

CONTRACTS = read_cohort("contracts")
COHORTS = {
    "systemone": CONTRACTS,
    "chat": CONTRACTS.only(wire="chat"),
    "recoded": read_cohort("recoding"),
}
SUBJECTS = [(name, number) for name, cohort in COHORTS.items() for number in range(len(cohort.strata))]


@pytest.mark.parametrize(("name", "number"), SUBJECTS)
def test_a_batch_is_its_rows_made_one_by_one(name: str, number: int) -> None:
    batcher = Batcher(COHORTS[name], number, 11, "abcdef01")
    roots = draw_roots(
        batcher.stratum, 11, np.arange(999_995, 1_000_005)
    )  # indices of six and of seven digits
    rows = rows_of(batcher, roots)
    for table, made in batcher.tables(roots).items():
        assert made.to_pylist() == rows[table], table


def test_roots_without_an_answer_are_among_them() -> None:
    batcher = Batcher(CONTRACTS, 0, 11, "abcdef01")
    roots = draw_roots(batcher.stratum, 11, np.arange(400))
    rows, made = rows_of(batcher, roots), batcher.tables(roots)
    assert any(not row["eligible"] for row in rows["requests"])
    assert any(row["identity_control"] for row in rows["relations"])
    assert all(made[table].to_pylist() == rows[table] for table in rows)
