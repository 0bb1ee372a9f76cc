"""A cohort in a store of objects is the cohort on a disk: byte for byte, after a kill, and verified there."""

import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cohorts import sensor
from tests.emission.s3 import Store, served
from worldgen.cli.main import main
from worldgen.cohort.exclusion import digests_in
from worldgen.cohort.manifests import CohortError
from worldgen.emission import claims, clusters
from worldgen.emission.emit import Emission, emit
from worldgen.emission.folder import open_cohort, read_spec_of
from worldgen.emission.verify import verify
from worldgen.exact import places
from worldgen.exact.places import Place, PlaceError, Remote, files_in, place
from worldgen.faults import SpecError
from worldgen.scoring.doors import oracle_reports, score, write_reports

ROOTS, SEED = 600, 11  # three shards


def contents(folder: Place) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files_in(folder)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with served() as running:
        yield running


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("reference") / "cohort"
    emit(sensor(), ROOTS, SEED, folder)
    return contents(folder)


@pytest.fixture(scope="module")
def stored(store: Store) -> Remote:
    """A cohort in the store. Nothing may be written there."""
    uri = store.uri("stored")
    emit(sensor(), ROOTS, SEED, uri)
    return Remote(uri)


def fresh(store: Store, reference: dict[str, bytes], name: str) -> Remote:
    """A finished cohort that may be damaged."""
    folder = Remote(store.uri(name))
    for file, data in reference.items():
        (folder / file).write_bytes(data)
    return folder


def test_a_cohort_in_a_store_has_the_bytes_of_one_on_a_disk(
    stored: Remote, reference: dict[str, bytes]
) -> None:
    assert contents(stored) == reference
    assert verify(stored).findings == []
    assert emit(sensor(), ROOTS, SEED, stored) == Emission(stored, 0, 3)


def test_a_cohort_in_a_store_is_opened_scored_and_excluded(stored: Remote) -> None:
    cohort = open_cohort(str(stored.uri))
    (oracle,) = score(cohort, *oracle_reports(cohort), replicates=100).systems
    assert oracle.account.valid == 3 * ROOTS
    assert len(digests_in(stored)) == ROOTS


READERS = {
    "score": lambda folder: score(open_cohort(folder), replicates=100),
    "oracle": lambda folder: oracle_reports(open_cohort(folder)),
    "exclude": digests_in,
}


@pytest.mark.parametrize("reader", list(READERS))
def test_a_byte_that_changed_in_a_store_is_found_by_whoever_reads_it(
    reader: str, store: Store, reference: dict[str, bytes]
) -> None:
    """The first byte of a Parquet file is no content: Arrow reads on."""
    folder = fresh(store, reference, f"changed-{reader}")
    name = f"{'public/roots' if reader == 'exclude' else 'evaluator/targets'}/00002-of-00003.parquet"
    (folder / name).write_bytes(b"p" + reference[name][1:])
    with pytest.raises(CohortError, match=rf"{name} was changed: its SHA-256"):
        READERS[reader](folder)


@pytest.mark.parametrize("name", ["evaluator/truth/00001-of-00003.parquet"])
def test_a_file_that_is_gone_from_a_store_is_named(
    name: str, store: Store, reference: dict[str, bytes]
) -> None:
    folder = fresh(store, reference, "gone")
    places.remove(folder / name)
    with pytest.raises(CohortError, match=rf"{name} cannot be read: .*\s+try: run the emit"):
        open_cohort(folder).table("truth")


def test_a_table_that_a_store_does_not_give_is_no_reason_to_emit_it_again(
    store: Store, stored: Remote, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reports = tmp_path / "reports.jsonl"
    write_reports(oracle_reports(open_cohort(stored)), reports)
    blind = Remote(store.uri("stored", "blinded"))
    done = CliRunner().invoke(main, ["score", blind.uri, str(reports)])
    first = blind / "evaluator" / "targets" / "00000-of-00003.parquet"
    told = f"Error: {first} cannot be read: ACCESS_DENIED"
    assert done.exit_code == 1 and done.stderr.startswith(told)
    assert done.stderr.endswith("try: check the credentials in the environment, and what they allow\n")

    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            said = "When reading: AWS Error NETWORK_CONNECTION during GetObject operation"
            raise OSError(f"{said}: curlCode: 56, Failure when receiving data from the peer")

    cohort, opened = open_cohort(stored), Remote.opened
    broken = lambda file: Broken() if "/targets/" in str(file) else opened(file)  # noqa: E731  (it is short)
    monkeypatch.setattr(Remote, "opened", broken)
    with pytest.raises(
        PlaceError, match=r"targets/00000-of-00003.parquet cannot be read: NETWORK_CONNECTION"
    ):
        oracle_reports(cohort)


def test_commands_take_uris_and_the_environment(store: Store, stored: Remote, tmp_path: Path) -> None:
    words = ["verify", "s3://bucket/stored", "--json"]
    line = [sys.executable, "-m", "worldgen", *words]
    environment = os.environ | store.environment
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "") and json.loads(done.stdout)["ok"]
    reports = tmp_path / "reports.jsonl"
    for words in (
        ["oracle", stored.uri, "--out", str(reports)],
        [*["score", "--json", "--replicates", "100"], stored.uri, str(reports)],
    ):
        assert CliRunner().invoke(main, words).exit_code == 0


def test_any_executor_writes_the_same_bytes(store: Store, reference: dict[str, bytes]) -> None:
    folder = Remote(store.uri("threads"))
    with ThreadPoolExecutor(2) as pool:
        emit(sensor(), ROOTS, SEED, folder, executor=pool)
    assert contents(folder) == reference


@pytest.mark.slow
def test_two_workers_open_the_store_themselves(store: Store, reference: dict[str, bytes]) -> None:
    folder = Remote(store.uri("two"))
    emit(sensor(), ROOTS, SEED, folder, workers=2)
    assert contents(folder) == reference


KILLED = """
import os, signal, sys
from worldgen.emission.emit import emit
from worldgen.exact.places import Remote
from worldgen.spec import cohort_of, read_world

written, put = [], Remote.put
def put_then_die(remote, source):
    put(remote, source)
    written.append(remote)
    if len(written) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
Remote.put = put_then_die
emit(cohort_of(read_world("noisy-sensor")), 600, 11, sys.argv[1])
"""


SLOW = pytest.mark.slow


# The claim is put first, then three shards of five files.
@pytest.mark.parametrize("puts", [pytest.param(1, marks=SLOW), 9, pytest.param(17, marks=SLOW)])
def test_a_killed_emission_is_no_cohort_and_is_finished_to_the_same_bytes(
    puts: int, store: Store, reference: dict[str, bytes]
) -> None:
    uri = store.uri(f"killed-{puts}")
    died = subprocess.run([sys.executable, "-c", KILLED, uri, str(puts)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert sum(map(claims.is_claim, files_in(place(uri)))) == 1
    with pytest.raises(CohortError, match="not a finished cohort"):
        open_cohort(uri)
    if puts > 1:
        with pytest.raises(CohortError, match="not empty"):
            emit(sensor(), ROOTS, SEED, uri, resume="never")
    assert emit(sensor(), ROOTS, SEED, uri).found == max(0, puts - 1) // 5
    assert contents(place(uri)) == reference


def test_damage_in_a_store_is_found_and_mended(store: Store, reference: dict[str, bytes]) -> None:
    folder = fresh(store, reference, "damaged")
    name = "evaluator/truth/00001-of-00003.parquet"
    whole = reference[name]
    (folder / name).write_bytes(whole[:99] + bytes([whole[99] ^ 1]) + whole[100:])
    assert {finding.file for finding in verify(folder).findings} == {name}
    assert emit(sensor(), ROOTS, SEED, folder) == Emission(folder, 1, 2)
    assert contents(folder) == reference


def test_another_cohort_in_a_store_is_only_overwritten_by_force(
    store: Store, reference: dict[str, bytes]
) -> None:
    folder = fresh(store, reference, "other")
    for roots, seed in ((ROOTS, 12), (300, SEED)):
        with pytest.raises(CohortError, match="holds another cohort"):
            emit(sensor(), roots, seed, folder)
    assert contents(folder) == reference
    emit(sensor(), 300, SEED, folder, force=True)
    assert open_cohort(folder).manifest["roots"] == 300
    (folder / "mine").write_bytes(b"mine")
    with pytest.raises(CohortError, match="'mine' among them"):
        emit(sensor(), 300, SEED, folder, force=True)
    assert (folder / "mine").read_bytes() == b"mine"


def test_a_file_that_may_not_be_written_ends_an_emission_that_can_be_resumed(
    store: Store, reference: dict[str, bytes]
) -> None:
    with pytest.raises(PlaceError, match=r"targets/00000-of-00003.parquet cannot be written.*DENIED"):
        emit(sensor(), ROOTS, SEED, store.uri("hindered", "hindered"))
    with pytest.raises(CohortError, match="not a finished cohort"):
        verify(store.uri("hindered"))
    emit(sensor(), ROOTS, SEED, store.uri("hindered"))
    assert contents(place(store.uri("hindered"))) == reference


def test_a_file_of_which_a_part_was_refused_is_not_there_and_leaves_what_was(store: Store) -> None:
    large = b"x" * (12 * 2**20)
    for name, before in (("new-in-part", None), ("old-in-part", b"small")):
        file = Remote(store.uri("parts")) / name
        if before:
            file.write_bytes(before)
        with pytest.raises(PlaceError, match="not this part"):
            file.write_bytes(large)
        assert (file.read_bytes() if file.is_file() else None) == before
    whole = Remote(store.uri("parts")) / "whole"
    whole.write_bytes(large)
    assert places.sha256_of(whole) == hashlib.sha256(large).hexdigest()


def refusals(store: Store) -> dict[str, tuple[str, str]]:
    secret = "not-the-secret"
    return {
        "missing bucket": (store.uri("new", bucket="nowhere"), "NO_SUCH_BUCKET"),
        "wrong secret": (store.uri("new", secret=secret), "ACCESS_DENIED"),
        "read only": (store.uri("new", "reader"), "cannot be written: ACCESS_DENIED"),
        "no such option": (store.uri("new") + "&reigon=x", "'reigon'"),
        "no such scheme": ("nowhere://bucket/new", "Protocol not known"),
        "no folder": ("s3://", "names no folder"),
    }


@pytest.mark.parametrize("case", list(refusals(Store(0, dict.fromkeys(("writer", "reader"), ("k", "s"))))))
def test_what_a_store_refuses_is_told_in_seconds_and_names_the_uri(case: str, store: Store) -> None:
    uri, said = refusals(store)[case]
    start = time.monotonic()
    done = CliRunner().invoke(main, ["emit", "noisy-sensor", "--roots", "2", "--seed", "1", "--out", uri])
    assert done.exit_code == 1 and time.monotonic() - start < 5
    assert done.stderr.startswith(f"Error: {Remote(uri)} ") and said in done.stderr
    assert "  try: " in done.stderr and "Traceback" not in done.stderr
    assert store.keys["writer"][1] not in done.stderr


@pytest.mark.slow
def test_an_endpoint_that_does_not_answer_is_given_up_in_seconds() -> None:
    start = time.monotonic()
    with pytest.raises(PlaceError, match=r"127\.0\.0\.1:9 cannot be reached: NETWORK_CONNECTION"):
        emit(sensor(), 2, SEED, "s3://k:s@bucket/new?scheme=http&endpoint_override=127.0.0.1:9")
    assert time.monotonic() - start < 20


def test_who_may_only_read_can_verify(store: Store, stored: Remote) -> None:
    assert verify(store.uri("stored", "reader")).ok


@pytest.mark.parametrize("name", ["stored/public", "nothing"])
def test_what_is_no_cohort_in_a_store_is_told(name: str, store: Store, stored: Remote) -> None:
    with pytest.raises(
        CohortError, match="name the folder above" if "public" in name else "there is nothing at"
    ):
        open_cohort(store.uri(name))


def test_a_spec_in_a_store_that_is_refused_is_named_by_its_uri(
    store: Store, reference: dict[str, bytes]
) -> None:
    folder = fresh(store, reference, "misspelt")
    spec = folder / "evaluator" / "spec" / "cohort.json"
    spec.write_bytes(spec.read_bytes().replace(b'"variants"', b'"variant"'))
    with pytest.raises(SpecError) as caught:
        read_spec_of(folder)
    assert caught.value.faults[0].file == str(spec)
    assert [finding.check for finding in verify(folder).findings][:1] == ["spec"]


@pytest.fixture
def memory() -> Iterator[Remote]:
    """A folder in the memory of this process, by fsspec."""
    folder = Remote("memory://store/cohort")
    yield folder
    places.remove_folder(folder)


def test_whatever_fsspec_opens_will_do(memory: Remote, reference: dict[str, bytes]) -> None:
    emit(sensor(), ROOTS, SEED, memory)
    assert contents(memory) == reference
    assert verify(memory).ok


def test_where_files_are_renamed_none_is_left_beside_its_place(
    tmp_path: Path, reference: dict[str, bytes]
) -> None:
    folder = Remote(f"local://{tmp_path}/cohort")  # by fsspec, as a file system that is no store
    for _ in range(2):
        emit(sensor(), ROOTS, SEED, folder, force=True)
    assert not folder.is_store and contents(folder) == contents(tmp_path / "cohort") == reference


def test_without_fsspec_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(PlaceError, match=r"pip install 'worldgen\[remote\]'"):
        emit(sensor(), 2, SEED, "memory://elsewhere/cohort")


@pytest.mark.parametrize("who", [("--workers", "2"), ("--dask", "local"), ("--dask", "tcp://127.0.0.1:9")])
def test_the_memory_of_one_process_is_refused_to_several_before_any_works(
    who: tuple[str, str], memory: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "distributed", None)
    words = ["emit", "noisy-sensor", "--roots", "2", "--seed", "1", "--out", str(memory), *who]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1 and not memory.exists()
    assert done.stderr.startswith(
        f"Error: {memory} is the memory of one process, which no other sees\n  try: "
    )


def test_workers_that_have_a_store_of_their_own_are_missed(memory: Remote) -> None:
    class Elsewhere(ThreadPoolExecutor):
        def submit(self, fn, /, *args, **options):  # type: ignore[no-untyped-def]  # as its base class has it
            work, job = args
            return super().submit(fn, work, replace(job, folder=memory.parent / "away"), **options)

    with Elsewhere(1) as pool, pytest.raises(CohortError, match="is not here"):
        emit(sensor(), 2, SEED, memory, executor=pool)
    places.remove_folder(memory.parent / "away")


def test_no_name_in_a_store_leads_out_of_the_copy_of_its_folder(
    memory: Remote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "files_in", lambda _: iter(["../outside"]))
    with pytest.raises(PlaceError, match=r"a file named '\.\./outside'"), places.folder_here(memory):
        pass
