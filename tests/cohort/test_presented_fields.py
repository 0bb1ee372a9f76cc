"""What the fields of a request change, and what they leave as it is."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.unshipped import offered
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.variants import BY_NAME, refusal
from worldgen.emission.batches import Batcher
from worldgen.emission.beside import beside_faults, listed_faults
from worldgen.exact.domains import Codes
from worldgen.spec import cohort_of, read_world
from worldgen.worlds.candidates import matched

WORLDS = offered()
ROOTS = 12
SYMBOLS = "0123456789"
Row = dict[str, Any]


@cache
def asked(world: str, variant: str, wire: str = "chat") -> tuple[Row, ...]:
    """The requests of some roots in one variant, each with its gold and what its root shows."""
    cohort = Cohort("fields", cohort_of(WORLDS[world], ["canonical"]).strata, (variant,), (), wire)
    roots = draw_roots(cohort.strata[0], 5, np.arange(ROOTS))
    tables = Batcher(cohort, 0, 5, "tag").tables(roots)
    names = [one.name for one in WORLDS[world].view.shown]
    shown = (dict(zip(names, row["visible"], strict=True)) for row in tables["roots"].to_pylist())
    rows = zip(tables["requests"].to_pylist(), tables["targets"].to_pylist(), shown, strict=True)
    return tuple({**request, "q": target["q"], "shown": told} for request, target, told in rows)


def called(variant: str, world: str = "arithmetic.copy") -> list[dict[str, str]]:
    """For each root, what each character is called."""
    return [dict(zip(row["options"], row["answer_ids"], strict=True)) for row in asked(world, variant)]


def message(row: Row) -> str:
    return str(json.loads(row["payload"])["messages"][1]["content"])


def test_a_binding_is_drawn_once_for_a_root() -> None:
    first = called("at-2+opaque")
    assert all(set(keys) == set(SYMBOLS) and len(set(keys.values())) == 10 for keys in first)
    assert len({frozenset(keys.items()) for keys in first}) == ROOTS
    for others in ("indexed+opaque", "padded+opaque", "opaque+wording-1", "opaque+reversed", "draft+opaque"):
        assert called(f"at-2+{others}") == first
    assert (
        called("at-3+opaque")
        == called("full-2+opaque")
        == called("at-2+opaque", "arithmetic.miscopy")
        == first
    )
    for keys, few in zip(first, called("union-2+opaque"), strict=True):
        assert few.items() <= keys.items() and len(few) == 2


def test_deranged_bindings_keep_the_names_and_no_name_its_character() -> None:
    plain, moved = called("at-2+opaque"), called("at-2+remapped")
    aligned, crossed = called("at-2+aligned"), called("at-2+conflicting")
    for one, other, own, another in zip(plain, moved, aligned, crossed, strict=True):
        assert sorted(one.values()) == sorted(other.values())
        assert sorted(own.values()) == sorted(another.values())
        assert all(own[symbol] == symbol for symbol in SYMBOLS)
        assert all(one[symbol] != other[symbol] and another[symbol] != symbol for symbol in SYMBOLS)
        back = {key: symbol for symbol, key in one.items()}
        assert {symbol: back[other[symbol]] for symbol in SYMBOLS} == another
    assert len({frozenset(keys.items()) for keys in crossed}) == ROOTS


@pytest.mark.parametrize("wire", ["systemone", "chat"])
@pytest.mark.parametrize("binding", ["", "+opaque", "+conflicting"])
def test_orders_move_options_with_what_they_are_called(binding: str, wire: str) -> None:
    rows = {
        order: asked("arithmetic.copy", f"at-2{binding}{order}", wire)
        for order in ("", "+reversed", "+permuted")
    }
    pairs = {
        order: [list(zip(row["answer_ids"], row["options"], strict=True)) for row in found]
        for order, found in rows.items()
    }
    for plain, turned, drawn in zip(*pairs.values(), strict=True):
        assert turned == plain[::-1] and drawn != plain and sorted(drawn) == sorted(plain)
        assert [symbol for _, symbol in plain] == list(SYMBOLS)
    drawn = [row["options"] for row in rows["+permuted"]]
    assert len(set(map(tuple, drawn))) == ROOTS
    for others in ("wording-2+permuted", "direct+remapped+permuted"):
        assert [row["options"] for row in asked("arithmetic.copy", f"at-2+{others}", wire)] == drawn
    golds = [{row["options"][row["q"].index("1")] for row in found} for found in rows.values()]
    assert golds[0] == golds[1] == golds[2]


@pytest.mark.parametrize("view", ["copy", "miscopy"])
@pytest.mark.parametrize("wire", ["systemone", "chat"])
@pytest.mark.parametrize("more", ["", "+opaque+wording-1+reversed"])
def test_padding_has_the_very_bytes_of_the_table(view: str, wire: str, more: str) -> None:
    for world in (f"{name}.{view}" for name in ("arithmetic", "symbols", "dialogue", "reversal")):
        raw, padded, table, direct = (
            asked(world, f"at-2{evidence}{more}", wire) for evidence in ("", "+padded", "+indexed", "+direct")
        )
        for short, points, long, told in zip(raw, padded, table, direct, strict=True):
            word = short["shown"]["supplied"]
            assert len(points["payload"].encode()) == len(long["payload"].encode()) > len(short["payload"])
            said = ", ".join(f"{at}:{symbol}" for at, symbol in enumerate(word, 1)).replace(",", "")
            assert f"each behind its position: {said}" in long["payload"]
            assert (
                f"{said}\\n\\nThe character at position 2 of the word to be copied is {word[1]}."
                in told["payload"]
            )
            run = "." * len(f"The characters of the word to be copied, each behind its position: {said}")
            assert run in points["payload"] and points["payload"].replace(f"\\n\\n{run}", "") == (
                long["payload"].replace(
                    f"\\n\\nThe characters of the word to be copied, each behind its position: {said}", ""
                )
            )


def test_a_draft_is_the_beginning_and_a_slip_is_one_character_of_it() -> None:
    for wording, start in ((0, " reads "), (1, " down, with "), (2, " says ")):
        end = "" if wording == 0 else f"+wording-{wording}"
        right, wrong = (asked("arithmetic.copy", f"at-3+draft{slip}{end}") for slip in ("", "+slip-2"))
        for one, other in zip(right, wrong, strict=True):
            word, draft, slipped = (
                one["shown"]["supplied"],
                *(message(row).split(start)[1][:2] for row in (one, other)),
            )
            assert draft == word[:2] and slipped[0] == word[0]
            assert slipped[1] == SYMBOLS[(SYMBOLS.index(word[1]) + 1) % 10]
            assert one["q"] == other["q"]


def test_an_answer_that_is_a_character_is_listed_by_it() -> None:
    for plain, by_content in zip(
        asked("arithmetic.copy", "at-2+conflicting"),
        asked("arithmetic.copy", "at-2+conflicting+character"),
        strict=True,
    ):
        assert message(plain) == message(by_content) and plain["payload"] != by_content["payload"]
        assert by_content["answer_ids"] == by_content["options"] == plain["options"]
        assert plain["answer_ids"] != plain["options"] and plain["q"] == by_content["q"]
        assert "not the labels" in json.loads(by_content["payload"])["messages"][0]["content"]


def test_wrong_words_to_be_copied_match_the_right_ones() -> None:
    drawn = {}
    for name, world in WORLDS.items():
        if world.seen != "miscopy":
            continue
        roots = draw_roots(cohort_of(world).strata[0], 5, np.arange(world.model.size))
        words = world.words(roots.values)
        found = zip(words, roots.hidden["gold"].tolist(), roots.values["supplied"].tolist(), strict=True)
        for row, gold, wrong in found:
            first = next(at for at in range(len(gold)) if len({word[at] for word in row}) > 1)
            assert wrong != gold and len(wrong) == len(gold) and wrong in row
            assert wrong[first] == gold[first] and row.index(wrong) in matched(row, row.index(gold))
        drawn[name] = [
            row.index(word) for row, word in zip(words, roots.values["supplied"].tolist(), strict=True)
        ]
    assert len(drawn) == 7 and all(len(set(places)) > 4 for places in drawn.values())


def test_every_view_of_copying_is_there_for_every_shipped_world() -> None:
    assert all({"copy", "miscopy"} <= set(world.views) for world in WORLDS.values())


@pytest.mark.parametrize(
    ("world", "variant", "wire", "why"),
    [
        ("arithmetic.problem", "at-2+indexed", "chat", "supplies no word"),
        ("arithmetic.copy", "at-2+character", "systemone", "what they are called"),
        ("arithmetic.candidates", "at-2+draft", "chat", "keeps back"),
        ("arithmetic.prefix", "at-2+draft", "chat", "keeps back"),
        ("arithmetic.candidates", "canonical+draft-1", "chat", "has no feedback draft"),
        ("arithmetic.copy", "at-9+opaque", "chat", "at most 8"),
        ("arithmetic.copy", "canonical+draft-9", "chat", "at most 8"),
        ("arithmetic.copy", "canonical+direct", "chat", "no one symbol"),
        ("facts.problem", "at-2+permuted", "chat", "two orders"),
        ("facts.copy", "at-2+named", "chat", "no named fields"),
        ("arithmetic.problem", "at-2+named", "chat", "no named fields"),
        ("arithmetic.problem", "union-2+permuted", "chat", "two orders"),
        ("arithmetic.problem", "full-3+opaque", "chat", "differ at 2"),
    ],
)
def test_what_does_not_go_together_is_refused(world: str, variant: str, wire: str, why: str) -> None:
    found = refusal(BY_NAME[variant], wire, WORLDS[world], "sheet")
    assert found is not None and why in found[0] and found[1]


def test_parts_are_refused_where_there_are_no_candidates() -> None:
    world = WORLDS["facts.problem"]
    assert refusal(BY_NAME["canonical+wording-1"], "chat", world, "sheet") is None
    told = refusal(BY_NAME["canonical+wording-1"], "chat", read_world("noisy-sensor"), "joined-tables")
    assert told == ("noisy-sensor has no candidates", "ask it of a world of candidates, or drop the variant")


@pytest.mark.parametrize("variant", ["at-2", "at-2+conflicting+reversed", "at-2+opaque+character"])
def test_what_a_request_lists_is_what_its_payload_displays(variant: str) -> None:
    cohort = Cohort(
        "fields", cohort_of(WORLDS["arithmetic.copy"], ["canonical"]).strata, (variant,), (), "chat"
    )
    batcher = Batcher(cohort, 0, 5, "tag")
    (asking,) = batcher.by_root
    requests = batcher.tables(draw_roots(cohort.strata[0], 5, np.arange(3)))["requests"].to_pylist()
    values = asking.plan.decode([row["payload"] for row in requests]).values
    told = {name: [row[name] for row in requests] for name in ("options", "answer_ids")}
    assert list(listed_faults(asking, values, **told)) == []
    for column in told:
        forged = {name: [list(row) for row in rows] for name, rows in told.items()}
        forged[column][2][:2] = forged[column][2][1::-1]
        assert [found[:2] for found in listed_faults(asking, values, **forged)] == [(2, column)]


def test_fields_are_asked_for_by_name_with_words_as_options() -> None:
    for row in asked("facts.problem", "at-2+draft+named"):
        shown = {name: int(text) for name, text in row["shown"].items() if text.isdigit()}
        first = "above" if shown["pressure"] > shown["pressure_limit"] else "not above"
        second = shown["temperature"] > shown["temperature_limit"]
        assert f" reads pressure is {first} its limit, and" in row["payload"]
        assert "does the right answer say of temperature?" in row["payload"]
        assert row["options"] == ["not above its limit", "above its limit"]
        assert row["q"] == (["0", "1"] if second else ["1", "0"])
    by_letter = asked("dialogue.problem", "at-2")
    for plain, row in zip(by_letter, asked("dialogue.problem", "at-2+named"), strict=True):
        schema = row["shown"]["schema"].split("; ")[2]
        field, values = schema.split(": ")
        assert f"say of {field}?" in row["payload"] and row["q"] == plain["q"]
        pairs = zip(plain["options"], row["options"], strict=True)
        assert [f"{letter} {value}" for letter, value in pairs] == values.split(", ")


def test_names_that_a_problem_does_not_have_are_found() -> None:
    strata = cohort_of(WORLDS["dialogue.problem"], ["canonical"]).strata
    cohort = Cohort("fields", strata, ("at-2+draft+named",), (), "chat")
    batcher = Batcher(cohort, 0, 5, "tag")
    (asking,) = batcher.by_root
    tables = batcher.tables(draw_roots(cohort.strata[0], 5, np.arange(4)))
    decoded = asking.plan.decode(tables["requests"].column("payload").to_pylist()).values
    assert list(beside_faults(asking, decoded)) == []
    for name, forged in (("draft", "intent is nothing"), ("draft", "intent is search / car is a van")):
        columns: dict[str, Any] = {key: codes.copy() for key, codes in decoded.items()}
        columns[name][2] = forged
        assert [row for row, _ in beside_faults(asking, columns)] == [2]
    columns = {key: codes.copy() for key, codes in decoded.items()}
    columns["field"][1] = asking.wording.positions[0].domain.code("meal")
    events, _ = asking.events_of(columns)
    assert events[0].any() and not events[1].any()
    assert [row for row, _ in beside_faults(asking, columns)] == [1]


@pytest.mark.parametrize(
    ("variant", "name", "forged", "said"),
    [
        ("at-2+indexed", "table", "1:1 2:2 3:4", "its table reads"),
        ("at-2+padded", "filler", "...", "3 points stand for"),
        ("at-2+direct", "symbol", None, "stands at position 2"),
        ("at-3+draft", "draft", "0", "is no draft"),
        ("at-3+draft+slip-1", "draft", "right", "is no draft"),
        ("canonical+draft-2", "draft", "00", "is no draft"),
        ("at-2+aligned", "key_0", "x", "is not aligned"),
        ("at-2+conflicting", "key_0", "0", "is not conflicting"),
        ("at-2+opaque", "key_0", "same", "is not opaque"),
    ],
)
def test_what_stands_beside_a_state_is_held_against_it(
    variant: str, name: str, forged: str | None, said: str
) -> None:
    cohort = Cohort(
        "fields", cohort_of(WORLDS["arithmetic.copy"], ["canonical"]).strata, (variant,), (), "chat"
    )
    batcher = Batcher(cohort, 0, 5, "tag")
    (asking,) = batcher.by_root
    payloads = batcher.tables(draw_roots(cohort.strata[0], 5, np.arange(3)))["requests"].column("payload")
    values: dict[str, Codes] = asking.plan.decode(payloads.to_pylist()).values
    assert list(beside_faults(asking, values)) == []
    columns: dict[str, Any] = {key: codes.copy() for key, codes in values.items()}
    if name == "symbol":
        columns[name][1] = (int(columns[name][1]) + 1) % 10
    else:
        other = str(columns["key_1"][1]) if forged == "same" else forged
        columns[name][1] = columns["supplied"][1][:2] if forged == "right" else other
    ((row, message),) = beside_faults(asking, columns)
    assert row == 1 and said in message
