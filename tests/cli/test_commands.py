"""Every command: what it prints for people, and that its JSON says the same."""

import csv
import json
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import worldgen
from tests.cli.conftest import ASKED, ROOTS, SEED, VARIANTS
from worldgen.cli.main import main

UNREACHABLE = """\
kind: cohort
name: unreachable
strata: [{world: noisy-sensor, encoding: joined-tables}]
variants: [event]
relations: []
quota:
  of: q(A)
  bins: [{from: 0, below: 2, roots: 255}, {from: 2, below: 3, roots: 1}]
roots: 300
"""


def run(*words: object, code: int = 0) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words], prog_name="worldgen")
    assert result.exit_code == code, result.output
    return result


def parsed(*words: object, code: int = 0) -> Any:
    return json.loads(run(*words, "--json", code=code).stdout)


def test_worlds_lists_what_ships() -> None:
    text, listed = run("worlds").stdout, parsed("worlds")
    assert {each["name"] for each in listed} >= {"noisy-sensor", "contracts"}
    for each in listed:
        assert each["name"] in text and each["kind"] in text and each["title"] in text


def test_show_tells_all_of_a_world(spec: Path) -> None:
    text, found = run("show", spec).stdout, parsed("show", spec)
    assert [cell["count"] for cell in found["cells"]] == ["1..9", "[2, 4]", "{0: 1, 5: 3}"]
    assert [cell["likelihood"] for cell in found["cells"]] == ["1", "1/2", "0.25"]
    assert found["events"] == {
        "A": {"means": "category is red", "cells": [0, 1]},
        "B": {"means": "size is large", "cells": [1, 2]},
    }
    assert found["tables"] == str(9 * 2 * 2)
    assert found["encodings"] == {"joined-tables": ["commas", "pipes"]}
    assert "metadata" not in found["variants"] and "conditional" in found["variants"]
    for said in (found["rule"], "1..9", "{0: 1, 5: 3}", "category is red", found["spec_digest"]):
        assert said in text


def test_show_tells_all_of_a_cohort() -> None:
    text, found = run("show", ASKED).stdout, parsed("show", ASKED)
    assert found["kind"] == "cohort"
    for name in (*found["variants"], *found["relations"], found["spec_digest"]):
        assert name in text
    assert all(stratum["name"] in text for stratum in found["strata"])


def test_preview_shows_the_request_that_is_emitted(cohort: Path) -> None:
    opened = worldgen.open(cohort)
    requests, targets = opened.table("requests").to_pylist(), opened.table("targets").to_pylist()
    strata = [stratum["name"] for stratum in opened.manifest["strata"]]
    for request, target in list(zip(requests, targets, strict=True))[:: len(requests) // 7]:
        _, number, index = request["root_id"].split("-")
        words: tuple[object, ...] = ("preview", ASKED, "--seed", SEED, "--index", int(index))
        words += ("--stratum", strata[int(number)], "--variant", request["variant"])
        assert run(*words, "--payload").stdout_bytes == request["payload"].encode() + b"\n"
        found, text = parsed(*words), run(*words).stdout
        assert found["request_id"] == request["request_id"]
        assert [option["answer_id"] for option in found["options"]] == request["answer_ids"]
        assert [option["q"] for option in found["options"]] == target["q"]
        assert [option["q_float"] for option in found["options"]] == target["q_float"]
        assert found["outcome"] == request["options"][target["outcome"]]
        for part in (*found["parts"].values(), *target["q"], request["request_id"], "came true"):
            assert part in text


def test_preview_takes_any_seed_and_any_variant_of_a_world(spec: Path) -> None:
    huge = "9" * 4000
    assert parsed("preview", spec, "--seed", huge) != parsed("preview", spec)
    found = parsed("preview", spec, "--variant", "conditional", "--seed", "1")
    assert sum(Fraction(option["q"]) for option in found["options"]) == 1


def test_preview_says_why_a_request_is_never_sent() -> None:
    words = ("preview", Path(__file__).parent / "never.yaml", "--variant", "conditional")
    assert "This request is never sent: the condition has probability zero." in run(*words).stdout
    found = parsed(*words)
    assert found["payload"] is None and found["outcome"] is None
    assert [option["q"] for option in found["options"]] == [None, None]
    assert run(*words, "--payload").stdout == "null\n"


def test_check_proves_everything_that_a_world_can_render(spec: Path) -> None:
    text, found = run("check", spec).stdout, parsed("check", spec)
    assert found["ok"] and found["name"] == "urn"
    assert {proof["layout"] for proof in found["proofs"]} == {"commas", "pipes"}
    assert f"urn is fine: {len(found['proofs'])} payloads" in text
    assert all(proof["variant"] in text for proof in found["proofs"])


def test_check_lists_every_fault_with_its_line(spec: Path) -> None:
    spec.write_text(spec.read_text().replace("category: blue", "category: bleu").replace("1/2", "3/2"))
    result = run("check", spec, code=1)
    assert result.stdout == ""
    assert "2 faults" in result.stderr or "3 faults" in result.stderr
    for place in (f"{spec}:9:", f"{spec}:10:"):
        assert place in result.stderr
    found = parsed("check", spec, code=1)
    assert not found["ok"]
    assert {fault["line"] for fault in found["faults"]} >= {9, 10}
    assert all(fault["file"] == str(spec) for fault in found["faults"])


def test_check_refuses_a_template_that_loses_something(spec: Path) -> None:
    mine = "encodings:\n  mine: {plain: {text: '{{ rule }} {% for c in cells %}{{ c.count }}{% endfor %}'}}\n"
    spec.write_text(spec.read_text().replace("encodings: [joined-tables]\n", mine))
    result = run("check", spec, code=1)
    assert "encodings.mine.plain" in result.stderr
    assert result.stderr.count("encodings.mine.plain") == 1, "one template at fault is told once"


def test_emit_writes_what_the_dry_run_says(spec: Path, tmp_path: Path) -> None:
    words = ("emit", spec, "--roots", 300, "--seed", 3, "--out", tmp_path / "made")
    plan, text = parsed(*words, "--dry-run"), run(*words, "--dry-run").stdout
    assert not (tmp_path / "made").exists()
    assert plan["shards"] == {"00000-of-00002.parquet": 256, "00001-of-00002.parquet": 44}
    assert "nothing was written" in text and "00001-of-00002.parquet" in text
    done = parsed(*words)
    assert done["rows"] == plan["rows"] and done["strata"] == plan["strata"]
    assert done["shards"] == {"written": 2, "found": 0}
    opened = worldgen.open(tmp_path / "made")
    assert {name: opened.table(name).num_rows for name in plan["rows"]} == plan["rows"]
    again = run(*words).stdout
    assert "0 written, 2 found finished" in again


def test_emit_is_silent_where_asked_and_takes_the_roots_of_the_spec(tmp_path: Path) -> None:
    result = run("emit", ASKED, "--seed", 1, "--out", tmp_path / "made", "--quiet")
    assert result.output == ""
    assert worldgen.open(tmp_path / "made").manifest["roots"] == 30


def test_emit_never_overwrites_unless_forced(cohort: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cohort"
    shutil.copytree(cohort, folder)
    words = ("emit", ASKED, "--roots", ROOTS, "--seed", 8, "--out", folder)
    result = run(*words, code=1)
    assert "another cohort" in result.stderr and "--force" in result.stderr
    assert parsed(*words, "--force")["shards"]["written"] == 1


def test_verify_finds_nothing_in_a_whole_cohort(cohort: Path) -> None:
    text, found = run("verify", cohort).stdout, parsed("verify", cohort)
    assert found["ok"] and found["findings"] == []
    assert "no finding" in text
    assert all(f"{rows:,} rows redrawn" in text for rows in found["rows"].values())


def test_verify_names_file_row_and_column(cohort: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cohort"
    shutil.copytree(cohort, folder)
    (file,) = (folder / "evaluator" / "targets").iterdir()
    table = pq.read_table(file)
    values = table.column("q").to_pylist()
    values[5] = values[5][::-1]
    place = table.column_names.index("q")
    pq.write_table(
        table.set_column(place, table.schema.field("q"), pa.array(values, table.schema.field("q").type)), file
    )
    text, found = run("verify", folder, code=1).stdout, parsed("verify", folder, code=1)
    name = f"evaluator/targets/{file.name}"
    assert not found["ok"]
    assert {"draws", "payloads"} <= {
        f["check"] for f in found["findings"] if (f["row"], f["column"]) == (5, "q")
    }
    assert name in {finding["file"] for finding in found["findings"]}
    assert name in text and f"{len(found['findings'])} findings" in text


@pytest.mark.parametrize("ending", ["jsonl", "parquet", "csv"])
def test_the_oracle_scores_zero(cohort: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"oracle.{ending}"
    written = parsed("oracle", cohort, "--out", file)
    assert written == {"file": str(file), "reports": ROOTS * VARIANTS}
    found = parsed("score", cohort, file)
    assert found["systems"] == ["oracle"]
    assert found["accounting"][0]["valid"] == ROOTS * VARIANTS
    zeros = [row for row in found["figures"] if row["metric"] in {"total_variation", "residual", "regret"}]
    assert len(zeros) > 20 and {row["value"] for row in zeros} == {0}


def test_score_shows_each_system_and_strata_where_asked(cohort: Path, reports: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    lines = [json.loads(line) | {"system": "half"} for line in reports.read_text().splitlines()]
    for line in lines:
        line["probabilities"] = dict.fromkeys(line["probabilities"], "1")
    other.write_text("\n".join(map(json.dumps, lines)))
    text = run("score", cohort, reports, other).stdout
    assert text.startswith("oracle\n") and "\nhalf\n" in text
    assert "simplex sum" in text, "the reason for which answers were rejected"
    assert "oracle less half, on roots valid for both" in text
    assert "by stratum" not in text
    assert "Total variation by stratum" in run("score", cohort, reports, "--strata").stdout


def test_score_shows_one_cost_of_deferring_unless_all_are_asked_for(cohort: Path, reports: Path) -> None:
    text, every = run("score", cohort, reports).stdout, run("score", cohort, reports, "--costs").stdout
    shown = "Deciding from the reports where deferring costs"
    assert text.count(shown) == 1 and f"{shown} 0.10;" in text
    for cost in ("0.02", "0.05", "0.10", "0.20", "0.30", "0.40"):
        assert f"{shown} {cost};" in every
    figures = parsed("score", cohort, reports)["figures"]
    wanted = {"expected_loss": 0, "oracle_loss": 0}
    for line in text.split(f"{shown} 0.10;")[1].split("\n\n")[0].splitlines()[3:]:
        variant, _, loss, *_ = line.split()
        for row in figures:
            if (row["subject"], row["at"], row["stratum"]) == (variant, 0.1, None) and row[
                "metric"
            ] in wanted:
                wanted[row["metric"]] += 1
                assert f"{row['value']:.4f}" == loss, "the oracle loses what knowing q does not save"
    assert wanted == {"expected_loss": 3, "oracle_loss": 3}


def test_score_writes_every_table_into_a_new_folder(cohort: Path, reports: Path, tmp_path: Path) -> None:
    assert "files in" in run("score", cohort, reports, "--out", tmp_path / "scores").stdout
    printed = parsed("score", cohort, reports)
    with (tmp_path / "scores" / "accounting.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["valid"] for row in rows] == [str(row["valid"]) for row in printed["accounting"]]
    figures = pq.read_table(tmp_path / "scores" / "figures.parquet").to_pylist()
    assert [row for row in figures if row["family"] == "accuracy"] == [
        row for row in printed["figures"] if row["family"] == "accuracy"
    ]
    assert {row["family"] for row in figures} >= {"decisions", "certificate"}
    assert pq.read_table(tmp_path / "scores" / "leakage.parquet").num_rows == VARIANTS
    again = run("score", cohort, reports, "--out", tmp_path / "scores", code=1)
    assert "is not empty" in again.stderr and "name a new folder" in again.stderr


def test_score_opens_with_the_headline(cohort: Path, reports: Path) -> None:
    lines = run("score", cohort, reports).stdout.splitlines()
    count = f"{ROOTS * VARIANTS}"
    assert lines[0] == "oracle"
    assert lines[1].split(maxsplit=1)[1] == f"{count} intended, {count} eligible, {count} answered validly"
    said = dict(line.split("  ", 1) for line in lines[2:8])
    assert said["total variation"].strip() == "at most 0.0000 [0.0000, 0.0000] in all 3"
    assert said["primary pass rate"].strip() == "at least 1.0000 [1.0000, 1.0000] in all 2"


def test_preview_shows_a_root_whole() -> None:
    words = ("preview", "contracts", "--root", "--seed", 7, "--stratum", "noisy-sensor.joined-tables")
    text, found = run(*words).stdout, parsed(*words)
    assert found["root_id"] in text and found["semantic_digest"] in text
    for cell in found["cells"]:
        assert cell["posterior"] in text
    for request in found["requests"]:
        assert f"{request['variant']} " in text and f"{request['form']}: {request['asks']}" in text
        for said in request["manner"]:
            assert said in text
        for option in request["options"]:
            line = f"{option['answer_id']} +{option['name']} +{option['q']} +{option['q_float']:.6f}"
            assert re.search(line, text)
    for relation in found["relations"]:
        assert relation["formula"] in text and ", ".join(relation["claims"]) in text
    assert text.count("identity control") == 1


def test_preview_of_a_root_says_all_that_sets_a_request_apart() -> None:
    """Three lines beside two options; and a relation of its own names its symbols."""
    lines = run("preview", "recoding", "--root", "--seed", 7).stdout.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("event-recoded"))
    assert [lines[place + i].split()[:2] for i in (1, 2)] == [["order", "reversed"], ["letters", "reversed"]]
    formula = "|x + y - 1| for x = p(event-recoded), y = p(complement-recoded)"
    assert any(formula in line for line in lines)
    assert "Relations" not in run("preview", ASKED, "--variants", "event", "--root").stdout


def test_score_shows_refused_rows_by_reason(cohort: Path, reports: Path, tmp_path: Path) -> None:
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"system": "oracle", "request_id": "none", "status": "unavailable"}')
    given = (cohort, reports, reports, strange)
    head = run("score", *given).stdout.split("\n\n")[0]
    twice = 2 * ROOTS * VARIANTS
    assert re.search(f"refused, two final attempts +{twice} rows\n", head)
    assert re.search(r"refused, unknown request +1 row\n", head)
    found = parsed("score", *given)
    refused = {row["reason"]: row["rows"] for row in found["refused"]}
    assert refused == {"unknown request": 1, "two final attempts": twice}
    account = found["accounting"][0]
    assert account["missing"] == account["unfinished"] == account["eligible"] == ROOTS * VARIANTS
    assert "refused," not in run("score", cohort, reports).stdout


def test_score_of_a_silent_system_has_no_distance(cohort: Path, tmp_path: Path) -> None:
    silent = tmp_path / "silent.jsonl"
    first = worldgen.open(cohort).table("requests").column("request_id").to_pylist()[0]
    silent.write_text(json.dumps({"system": "silent", "request_id": first, "status": "unavailable"}))
    head = run("score", cohort, silent).stdout.split("\n\n")[0]
    assert "native validity  0.000000" in head and "regret" in head
    assert "total variation" not in head and "primary pass rate" not in head


@pytest.mark.parametrize("wire", ["systemone", "chat"])
def test_preview_shows_a_case_after_its_demonstrations(wire: str) -> None:
    words = ("preview", "covert-transfer", "--view", "high", "--demos", "2", "--seed", 3, "--wire", wire)
    text, found = run(*words).stdout, parsed(*words)
    parts = ["demonstration 1", "demonstration 2", "case", "question"]
    assert list(found["parts"]) == (parts if wire == "systemone" else ["system", "user"])
    for part in found["parts"].values():
        assert part in text
    assert text.count("Outcome: ") == (2 if wire == "systemone" else 0)


def test_preview_of_a_root_says_what_is_never_sent() -> None:
    words = (
        "preview",
        Path(__file__).parent / "never.yaml",
        "--variants",
        "event,query-b,intersection,conditional",
    )
    text, found = run(*words, "--root").stdout, parsed(*words, "--root")
    assert "conditional is never sent: the condition has probability zero." in text
    assert "product is not judged here: the condition has probability zero." in text
    assert [request["reason"] is None for request in found["requests"]] == [True, True, True, False]
    assert len([line for line in text.splitlines() if line.endswith("never sent")]) == 1


def test_emit_takes_a_part_and_leaves_out_what_was(tmp_path: Path) -> None:
    part = ("emit", ASKED, "--strata", "*.joined-tables", "--variants", "event,complement", "--wire", "chat")
    first = (*part, "--seed", 3, "--out", tmp_path / "first")
    plan = parsed(*first, "--dry-run")
    assert (plan["wire"], plan["variants"], plan["relations"]) == (
        "chat",
        ["event", "complement"],
        ["complement"],
    )
    assert (plan["roots"], plan["excluded"]) == (15, 0)
    text = run(*first, "--dry-run").stdout
    assert "event, complement" in text and "chat" in text and "0 digests" in text
    assert parsed(*first)["rows"]["requests"] == 30
    digests = tmp_path / "digests.txt"
    digests.write_text("0" * 64)
    out = ("--seed", 3, "--out", tmp_path / "second")
    second = ("emit", ASKED, *out, "--exclude", tmp_path / "first", "--exclude", digests)
    assert parsed(*second, "--dry-run")["excluded"] == 16
    run(*second)
    made = [
        set(worldgen.open(tmp_path / name).table("roots").column("semantic_digest").to_pylist())
        for name in ("first", "second")
    ]
    assert not made[0] & made[1]


def test_a_preview_of_a_part_is_of_its_emission(tmp_path: Path) -> None:
    part = ("--strata", "*.nested-records", "--variants", "event", "--wire", "chat", "--seed", 3)
    run("emit", ASKED, *part, "--out", tmp_path / "part", "--quiet")
    (request, *_) = worldgen.open(tmp_path / "part").table("requests").to_pylist()
    found = parsed("preview", ASKED, *part)
    assert (found["request_id"], found["payload"]) == (request["request_id"], request["payload"])


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_unreachable_quota_is_refused_with_its_rate(tmp_path: Path, workers: int) -> None:
    """Only the last root of the first shard cannot be: 10,000 draws of one root are quick."""
    spec = tmp_path / "unreachable.yaml"
    spec.write_text(UNREACHABLE)
    words = ("emit", spec, "--seed", 1, "--out", tmp_path / "made", "--workers", workers)
    result = run(*words, code=1)
    assert result.stdout == ""
    assert result.stderr.startswith(
        "Error: stratum 'noisy-sensor.joined-tables': root 255 must have q(A) in [2, 3)"
    )
    assert re.search(r"of 10,\d{3} draws made for roots of this kind, 0 could be kept", result.stderr)
    assert "loosen the quota" in result.stderr and "Traceback" not in result.stderr
