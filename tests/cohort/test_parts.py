"""Parts of cohorts: what they keep, what they refuse, and that their roots are those of the whole."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.exclusion import digests_in
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.roots import draw_roots
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.exact.expressions import Expression
from worldgen.faults import SpecError
from worldgen.relations.written import Written
from worldgen.spec import cohort_of, read_cohort, read_world
from worldgen.spec.cohorts import narrowed

CONTRACTS = read_cohort("contracts")
SENSOR = read_world("noisy-sensor")
SEED = 12


def test_a_part_has_the_roots_that_the_whole_has(tmp_path: Path) -> None:
    """35 roots do not divide by eight strata: the first three have one more."""
    whole = replace(CONTRACTS, roots=35)
    part = whole.only(
        strata=["noisy-sensor.*", "missing-rule.nested-records"], variants=["event", "canonical"]
    )
    assert part.roots == 5 + 4 + 4
    for cohort, folder in ((whole, "whole"), (part, "part")):
        emit(cohort, cohort.roots, SEED, tmp_path / folder)
    shown = ["stratum", "visible", "semantic_digest"]
    rows = {
        folder: open_cohort(tmp_path / folder).table("roots", shown).to_pylist()
        for folder in ("whole", "part")
    }
    kept = {stratum.name for stratum in part.strata}
    assert rows["part"] == [row for row in rows["whole"] if row["stratum"] in kept]
    payloads = {
        folder: open_cohort(tmp_path / folder).table("requests", ["variant", "payload"]).to_pylist()
        for folder in ("whole", "part")
    }
    assert all(row in payloads["whole"] for row in payloads["part"])
    assert verify(tmp_path / "part").ok


def test_what_is_kept_keeps_its_order_and_relations_need_their_claims() -> None:
    part = CONTRACTS.only(
        strata=["*.nested-records", "*-population.*"],
        variants=["conditional", "query-b", "intersection", "event"],
    )
    assert [stratum.name for stratum in part.strata] == [
        stratum.name
        for stratum in CONTRACTS.strata
        if stratum.encoding == "nested-records" or stratum.world.name == "finite-population"
    ]
    assert part.variants == ("event", "query-b", "intersection", "conditional")
    assert part.relations == ("intersection", "product")
    mine = Written("mine", (("x", "event"), ("y", "query-b")), Expression("x - y"))
    assert replace(CONTRACTS, relations=(mine,)).only(variants=["event"]).relations == ()
    assert replace(CONTRACTS, relations=(mine,)).only(variants=["event", "query-b"]).relations == (mine,)


def test_nothing_asked_for_changes_nothing() -> None:
    assert CONTRACTS.only() == CONTRACTS == narrowed(CONTRACTS)
    assert narrowed(SENSOR) == cohort_of(SENSOR)


def test_a_part_on_another_wire_has_the_same_roots() -> None:
    other = CONTRACTS.only(wire="chat")
    assert other.wire == "chat" and other.strata == CONTRACTS.strata


def test_fewer_roots_than_strata_still_make_a_cohort() -> None:
    assert replace(CONTRACTS, roots=1).only(strata=["missing-rule.*"]).roots == 1


@pytest.mark.parametrize(
    ("part", "said"),
    [
        (
            lambda: CONTRACTS.only(strata=["noisy-sensr.joined-tables"]),
            "did you mean 'noisy-sensor.joined-tables'",
        ),
        (lambda: CONTRACTS.only(strata=["noisy-sensor.*", "urn.*"]), r"strata\[1\].*no stratum 'urn"),
        (lambda: CONTRACTS.only(variants=["evnt"]), "did you mean 'event'"),
        (lambda: CONTRACTS.only(variants=[]), "there is no variant"),
        (lambda: CONTRACTS.only(strata=[]), "there is no stratum"),
        (lambda: CONTRACTS.only(wire="post"), "there is no wire 'post'"),
        (lambda: read_cohort("recoding").only(wire="systemone"), "use the wire chat"),
        (lambda: narrowed(SENSOR, variants=["event-recoded"]), "use the wire chat"),
        (lambda: narrowed(SENSOR, variants=["evnt"]), "did you mean 'event'"),
    ],
)
def test_what_is_not_there_is_refused_with_the_nearest_name(part: Callable[[], Cohort], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        part()


def test_a_bare_world_takes_any_variant_that_it_supports() -> None:
    assert narrowed(SENSOR, variants=["query-b", "metadata"]).variants == ("query-b", "metadata")
    recoded = narrowed(SENSOR, variants=["event-recoded"], wire="chat", strata=["*.joined-tables"])
    assert (recoded.variants, recoded.wire, len(recoded.strata)) == (("event-recoded",), "chat", 1)


def test_no_root_is_one_of_an_earlier_cohort(tmp_path: Path) -> None:
    """The earlier cohort has the same seed, so that without the exclusion every root would be shared."""
    earlier = narrowed(SENSOR, strata=["*.joined-tables"])
    emit(earlier, 20, SEED, tmp_path / "earlier")
    digests = digests_in(tmp_path / "earlier")
    assert len(digests) == 20
    file = tmp_path / "digests.txt"
    file.write_text("\n".join(sorted(digests)))
    assert digests_in(file) == digests
    later = earlier.only(excluded=digests)
    drawn = [
        draw_roots(cohort.strata[0], SEED, np.arange(40), cohort.admission) for cohort in (earlier, later)
    ]
    first, second = (roots.digests.to_pylist() for roots in drawn)
    assert set(first) >= digests and not set(second) & digests
    assert first[20:] == second[20:], "a root that is not excluded stays"
    assert (drawn[1].attempts[:20] > 1).all()
    twice = later.only(excluded=["0" * 64])
    assert twice.admission.excluded == digests | {"0" * 64}


@pytest.mark.parametrize("content", [b"urn", b"\xff\xfe", ("A" * 64).encode()])
def test_a_file_of_anything_else_excludes_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "digests.txt"
    file.write_bytes(content)
    with pytest.raises(CohortError, match="digest"):
        digests_in(file)
    with pytest.raises(CohortError, match="not a finished cohort"):
        digests_in(tmp_path)
