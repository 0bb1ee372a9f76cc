"""One emission at a time in a store, which has no locks: a claim that is renewed, or dead."""

import json
import os
import time
from collections.abc import Iterator

import pytest

from tests.cohorts import sensor
from worldgen.cohort.manifests import CohortError
from worldgen.emission import claims
from worldgen.emission.emit import emit
from worldgen.emission.verify import verify
from worldgen.exact import places
from worldgen.exact.places import Remote, files_in

SEED = 11


@pytest.fixture
def memory() -> Iterator[Remote]:
    """A folder in the memory of this process, by fsspec."""
    folder = Remote("memory://claims/cohort")
    yield folder
    places.remove_folder(folder)


def test_two_emissions_never_share_a_folder(memory: Remote) -> None:
    tried: list[str] = []

    def intrude(done: int, total: int) -> None:
        with pytest.raises(CohortError, match="another emission is writing"):
            emit(sensor(), 20, SEED, memory)
        tried.append(f"{done} of {total}")

    emit(sensor(), 20, SEED, memory, progress=intrude)
    assert tried == ["0 of 20", "10 of 20", "20 of 20"]
    assert not any(map(claims.is_claim, files_in(memory)))


def put_claim(folder: Remote, **owner: object) -> Remote:
    claim = folder / ".emission-00.claim"
    claim.write_bytes(json.dumps(owner).encode())
    return claim


def test_a_claim_whose_process_is_gone_is_taken_over_at_once(memory: Remote) -> None:
    for process in (2**22 + 1, os.getpid(), None):  # the first is more than there can be
        put_claim(memory, machine=claims._machine(), process=process)
        emit(sensor(), 2, SEED, memory)
        assert not any(map(claims.is_claim, files_in(memory)))


# Of another process that runs here, and of another machine: what matters is whether it is renewed.
OWNERS = pytest.mark.parametrize(
    "owner",
    [{"machine": claims._machine(), "process": os.getppid()}, {"machine": "far away"}],
    ids=["here", "far"],
)


@OWNERS
def test_a_claim_is_dead_once_it_is_silent(
    owner: dict[str, object], memory: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims, "PATIENCE", 0.1)
    claim = put_claim(memory, **owner, renewals=7)
    emit(sensor(), 2, SEED, memory)
    claim.write_bytes(b"not json")
    emit(sensor(), 2, SEED, memory)
    assert not claim.is_file()


@OWNERS
def test_a_claim_that_is_renewed_is_respected(
    owner: dict[str, object], memory: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = put_claim(memory, **owner, renewals=7)
    monkeypatch.setattr(time, "sleep", lambda _: put_claim(memory, **owner, renewals=8))
    with pytest.raises(CohortError, match="another emission is writing"):
        emit(sensor(), 2, SEED, memory)
    assert [name for name in files_in(memory) if claims.is_claim(name)] == [claim.name]


def test_a_claim_beside_a_finished_cohort_is_no_finding(memory: Remote) -> None:
    emit(sensor(), 2, SEED, memory)
    put_claim(memory, machine="far away")  # of a run that was killed when all was written
    assert verify(memory).ok


def test_a_run_that_was_taken_for_dead_writes_no_manifest(memory: Remote) -> None:
    def take_over(done: int, total: int) -> None:
        for name in filter(claims.is_claim, list(files_in(memory))):
            places.remove(memory / name)

    with pytest.raises(CohortError, match="another emission took over"):
        emit(sensor(), 20, SEED, memory, progress=take_over)
    with pytest.raises(CohortError, match="not a finished cohort"):
        verify(memory)


def test_a_claim_is_renewed(memory: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "RENEWAL", 0.01)
    with claims.claimed(memory) as claim:
        deadline = time.monotonic() + 5
        while (said := claims._said(memory / claim.name).get("renewals", 0)) < 3:
            assert time.monotonic() < deadline
        claim.check()
    assert said >= 3 and not any(map(claims.is_claim, files_in(memory)))
