"""Worlds of candidates against the published figures of their design, and their pages against the code."""

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from worldgen import catalog
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.emission.batches import Batcher
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.exact.errors import DomainError
from worldgen.exact.geometry import Geometry
from worldgen.spec import cohort_of, read_candidates
from worldgen.worlds.lexical import Lexical
from worldgen.worlds.pairs import table
from worldgen.worlds.products import CARRIES, STRUCTURES, median


def page(name: str) -> str:
    return (catalog.worlds()[name].parent / "README.md").read_text(encoding="utf-8")


@cache
def drawn(name: str, seed: int = 1) -> tuple[Roots, list[dict[str, object]]]:
    world = read_candidates(name)
    cohort = cohort_of(world)
    roots = draw_roots(cohort.strata[0], seed, np.arange(world.model.size))
    return roots, Batcher(cohort, 0, seed, "gold").tables(roots)["geometry"].to_pylist()


def hidden(name: str, column: str, seed: int = 1) -> list[str]:
    found: list[str] = drawn(name, seed)[0].hidden[column].tolist()
    return found


def test_the_table_of_pairs_is_what_the_code_makes() -> None:
    shipped = catalog.worlds()["arithmetic"].parent / "pairs.yaml"
    assert shipped.read_text(encoding="utf-8") == table()


@pytest.mark.parametrize("seed", [1, 2])
def test_arithmetic_has_384_items_in_cells_of_16(seed: int) -> None:
    roots, geometry = drawn("arithmetic", seed)
    assert len(roots) == 384
    lengths = [row["length"] for row in geometry]
    assert Counter(lengths) == dict.fromkeys(range(3, 9), 64)
    structure, carry = hidden("arithmetic", "structure", seed), hidden("arithmetic", "carry", seed)
    cells = Counter(zip(lengths, structure, carry, strict=True))
    assert cells == {(n, s, c): 16 for n in range(3, 9) for s in STRUCTURES for c in CARRIES}
    gold = [row["gold"] for row in geometry]
    assert len(set(gold)) == 384


def test_arithmetic_candidates_are_four_leading_digits_by_two() -> None:
    roots, geometry = drawn("arithmetic")
    slots = {slot.name: slot for slot in read_candidates("arithmetic").model.slots}
    for row, slot in zip(geometry, hidden("arithmetic", "slot"), strict=True):
        first, j = slots[slot].positions
        length = slots[slot].length
        # K = (8, 2 for 1 <= k < j, then 1): K(0) = 8 and K(1) = 2.
        assert (first, row["length"]) == (1, length)
        assert row["counts"] == [8, *[2] * (j - 1), *[1] * (length - j + 1)]
        assert row["cartesian"] == 8
        assert row["mean_union"] == str(1 + Fraction(4, length))
        assert "0" not in row["unions"][0]  # type: ignore[index]  # a list
    left, right = (roots.values[name] + 1 for name in ("left", "right"))
    assert [str(product) for product in (left * right).tolist()] == [row["gold"] for row in geometry]


def test_two_fills_an_item_are_768_calls_and_1344_fills() -> None:
    """Where a position has one character it is filled, where it has several it is asked for."""
    unions = [len(union) for row in drawn("arithmetic")[1] for union in row["unions"]]  # type: ignore[attr-defined]  # a list
    assert (len(unions), sum(width > 1 for width in unions)) == (2112, 768)
    assert unions.count(1) == 1344


def test_another_seed_draws_other_products() -> None:
    one, other = ({row["gold"] for row in drawn("arithmetic", seed)[1]} for seed in (1, 2))
    shared = len(one & other)
    assert 16 <= shared < 300


def test_the_page_of_arithmetic_has_the_medians() -> None:
    for length in range(3, 9):
        balanced, unbalanced = (median(length, structure) for structure in STRUCTURES)
        assert f"| {length} | {balanced} | {unbalanced} |" in page("arithmetic")
    for word in ("384", "2,112", "768", "1,344", "1 + 4/L"):
        assert word in page("arithmetic")


def test_symbols_are_120_sources_in_four_presentations_and_12_in_two_more() -> None:
    roots, geometry = drawn("symbols")
    scripts, names = hidden("symbols", "script"), hidden("symbols", "source_name")
    repeats = hidden("symbols", "repeats")
    assert Counter(scripts) == {"0123456789": 240, "abcdefghij": 240, "etaoinshrd": 24}
    assert Counter(Counter(names[:480]).values()) == {4: 120}
    assert Counter(Counter(names[480:]).values()) == {2: 12}
    digits = {script: str.maketrans(script, "0123456789") for script in set(scripts)}
    source = [text.translate(digits[s]) for text, s in zip(roots.values["source"], scripts, strict=True)]
    assert len(set(source)) == 120
    for name in set(names):
        mine = [i for i, other in enumerate(names) if other == name]
        assert len({source[i] for i in mine}) == 1
        for operation in (0, 1):
            ours = [i for i in mine if roots.values["operation"][i] == operation]
            assert len({tuple(geometry[i]["counts"]) for i in ours}) == 1  # type: ignore[arg-type]  # a list
            assert len({tuple(_turned(geometry[i], digits[scripts[i]])) for i in ours}) == 1
            for i in ours:
                assert geometry[i]["gold"] == roots.values["source"][i][:: -1 if operation else 1]
    strata: Counter[tuple[int, str, bool]] = Counter()
    for i, name in enumerate(names[:480]):
        length = int(geometry[i]["length"])  # type: ignore[call-overload]  # a number
        early = 2 * int(geometry[i]["first_unique"]) <= length + 1 or geometry[i]["first_unique"] == 2  # type: ignore[call-overload]  # a number
        strata[length, repeats[i], early] += 1
        assert (len(set(source[i])) < length) == (repeats[i] == "yes"), name
    assert strata == {(n, r, e): 20 for n in range(3, 9) for r in ("yes", "no") for e in (True, False)}


def _turned(row: dict[str, object], digits: dict[int, int]) -> list[str]:
    """The unions of a row as sets of digits."""
    return ["".join(sorted(union.translate(digits))) for union in row["unions"]]  # type: ignore[attr-defined]  # a list


def test_reversal_is_32_sources_of_twelve_letters_with_branches_early_and_late() -> None:
    roots, geometry = drawn("reversal")
    assert len(roots) == 64
    assert len(set(roots.values["source"])) == 32
    assert Counter(tuple(row["branches"]) for row in geometry) == {(2, 3): 32, (10, 11): 32}  # type: ignore[arg-type]  # a list
    early = [8, 8, 2, *[1] * 10]
    late = [*[8] * 10, 2, 1, 1]
    assert Counter(tuple(row["counts"]) for row in geometry) == {tuple(early): 32, tuple(late): 32}  # type: ignore[arg-type]  # a list
    golds = [row["gold"] for row in geometry]
    assert golds[0::2] == golds[1::2] == [word[::-1] for word in roots.values["source"][::2]]
    queried = len(geometry) * (1 + 2 + 2 + 6 + 6)
    assert queried == 1088 and "1,088" in page("reversal")


def test_facts_are_128_records_16_of_each_pattern_in_two_formats() -> None:
    roots, geometry = drawn("facts")
    patterns = hidden("facts", "pattern")
    assert Counter(patterns[:128]) == Counter(patterns[128:]) == {f"{i:03b}": 16 for i in range(8)}
    readings = [name for name in roots.values if "candidate" not in name and name != "format"]
    records = list(zip(*(roots.values[name].tolist() for name in readings), strict=True))
    assert records[:128] == records[128:] and len(set(records)) == 128
    assert [row["gold"] for row in geometry[128:]] == patterns[128:]
    assert [str(row["gold"]).translate(str.maketrans("ny", "01")) for row in geometry[:128]] == patterns[:128]
    assert {tuple(row["counts"]) for row in geometry} == {(8, 4, 2, 1)}  # type: ignore[arg-type]  # a list
    assert {tuple(row["entropies"]) for row in geometry} == {("3", "2", "1", "0")}  # type: ignore[arg-type]  # a list
    named = Counter(zip(roots.values["format"].tolist(), (row["unions"][0] for row in geometry), strict=True))  # type: ignore[index]  # a list
    assert named == {(0, "ny"): 128, (1, "01"): 128}


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("arithmetic", 384),
        ("symbols", 504),
        ("reversal", 64),
        ("facts", 256),
        ("dialogue", 684),
        ("lexical", 384),
    ],
)
def test_a_root_beyond_the_items_is_refused(name: str, size: int) -> None:
    world = read_candidates(name)
    assert world.model.size == size
    assert str(size) in page(name)
    with pytest.raises(DomainError, match=f"has {size} items, and there is no item {size + 1}"):
        draw_roots(cohort_of(world).strata[0], 1, np.array([size]))


@pytest.mark.parametrize(("name", "source"), [("arithmetic", "payload"), ("lexical", "payload and spec")])
def test_every_character_is_2112_questions(name: str, source: str, tmp_path: Path) -> None:
    """A definition is looked up in the lexicon, which is part of the spec."""
    world = read_candidates(name)
    cohort = cohort_of(world, [f"at-{place}" for place in range(1, 9)])
    emit(cohort, 384, 1, tmp_path / "cohort")
    done = verify(tmp_path / "cohort")
    counts = {"payload": 0, "payload and spec": 0} | {source: 2112, "not": 384 * 8 - 2112}
    assert done.ok and done.derivable == counts
    found = open_cohort(tmp_path / "cohort")
    gold = {row["root_id"]: row["gold"] for row in found.table("geometry").to_pylist()}
    rows = zip(found.table("requests").to_pylist(), found.table("targets").to_pylist(), strict=True)
    for request, target in rows:
        place = int(request["variant"].removeprefix("at-"))
        word, symbols = gold[request["root_id"]], world.model.task.alphabet
        assert request["eligible"] == (place <= len(word))
        if request["eligible"]:
            assert request["options"] == list(symbols)
            assert target["q"] == ["1" if symbol == word[place - 1] else "0" for symbol in symbols]
        else:
            assert target["ineligible_reason"] == "the answer has no such position"


def test_lexical_shares_the_geometry_of_each_item_with_arithmetic() -> None:
    """64 items of each length from 3 to 8, each with the whole K of the product of the same slot."""
    _, geometry = drawn("lexical")
    assert Counter(row["length"] for row in geometry) == dict.fromkeys(range(3, 9), 64)
    products = {
        slot: row["counts"]
        for slot, row in zip(hidden("arithmetic", "slot"), drawn("arithmetic")[1], strict=True)
    }
    mine = {slot: row["counts"] for slot, row in zip(hidden("lexical", "slot"), geometry, strict=True)}
    assert mine == products and len(mine) == 384
    for row in geometry:
        unions: list[str] = row["unions"]  # type: ignore[assignment]  # a list
        assert len(unions[0]) == 4 and all(len(unions[place - 1]) == 6 for place in row["branches"][1:])  # type: ignore[index]  # a list


def test_lexical_answers_are_of_four_kinds_and_never_the_same() -> None:
    _, geometry = drawn("lexical")
    assert len({row["gold"] for row in geometry}) == 384
    lengths = [row["length"] for row in geometry]
    kinds = Counter(zip(lengths, hidden("lexical", "frequency"), hidden("lexical", "repeats"), strict=True))
    each = [(f, r) for f in ("rare", "common") for r in ("no", "yes")]
    lines = [
        f"| {n} | {' | '.join(str(kinds[n, frequency, repeats]) for frequency, repeats in each)} |"
        for n in range(3, 9)
    ]
    assert "\n".join(lines) in page("lexical")
    assert {kinds[n, *one] for n in range(4, 9) for one in each} == {16}


def test_what_the_candidates_of_lexical_tell_of_the_answer_is_on_its_page() -> None:
    """That of unequal frequencies the highest, and of unequal branches the latest, is right more often."""
    task = read_candidates("lexical").model.task
    assert isinstance(task, Lexical)
    zipf = {entry.word: Fraction(entry.zipf) for entry in task.entries}
    frequent = sum(
        all(zipf[one.answer] > zipf[w] for w in one.candidates if w != one.answer) for one in task.sets
    )
    late = Fraction(0)
    for one in task.sets:
        branches = {word: Geometry(one.offered, word).branches[-1] for word in one.candidates}
        last = [word for word in one.candidates if branches[word] == max(branches.values())]
        late += Fraction(one.answer in last, len(last))
    assert f"The most frequent of the eight is right in {frequent} of the 384 sets" in page("lexical")
    assert f"a noun of the pair that branches last in {late}, on average" in page("lexical")


def test_the_widest_and_the_narrowest_sets_of_lexical_are_on_its_page() -> None:
    _, geometry = drawn("lexical")
    for length in range(3, 9):
        rows = [row for row in geometry if row["length"] == length]
        sizes = sorted(int(row["cartesian"]) for row in rows)  # type: ignore[call-overload]  # a number
        mean = sum(Fraction(str(row["mean_union"])) for row in rows) / len(rows)
        middle = Fraction(sizes[31] + sizes[32], 2)
        line = f"| {length} | {float(mean):.2f} | {sizes[0]:,} | {int(middle):,} | {sizes[-1]:,} |"
        assert middle.denominator == 1 and line in page("lexical"), line


def test_dialogue_is_96_dialogues_of_576_turns_and_1716_fields() -> None:
    roots, geometry = drawn("dialogue")
    shown = {
        name: hidden("dialogue", name) for name in ("dialogue", "turn", "turns", "service", "presentation")
    }
    plain = [i for i, how in enumerate(shown["presentation"]) if how == "plain"]
    assert plain == list(range(576)) and len(roots) == 684
    turns = {shown["dialogue"][i]: int(shown["turns"][i]) for i in plain}
    assert Counter(turns.values()) == {4: 32, 6: 32, 8: 32}
    fields = [int(geometry[i]["length"]) for i in plain]  # type: ignore[call-overload]  # a number
    assert sum(fields) == 1716 and set(fields) == {2, 3, 4}
    again = {
        how: {shown["dialogue"][i] for i in range(576, 684) if shown["presentation"][i] == how}
        for how in ("paraphrased", "permuted")
    }
    assert [len(found) for found in again.values()] == [12, 6] and again["permuted"] < again["paraphrased"]
    services = Counter(
        {
            name: shown["service"][i]
            for i, name in zip(plain, (shown["dialogue"][i] for i in plain), strict=True)
        }.values()
    )
    assert len(services) == 10 and max(services.values()) <= 12
    for rows in (
        ("taxis", "weather", "parking"),
        ("trains", "hotels", "films", "museums"),
        ("restaurants", "flights", "rentals"),
    ):
        found = [services[name] for name in rows]
        assert f"| {', '.join(rows)} | {sum(found)} | {max(found)} |" in page("dialogue")
    back = str.maketrans("abcdef", "fedcba")
    gold = {
        (shown["dialogue"][i], shown["turn"][i]): (geometry[i]["gold"], geometry[i]["counts"]) for i in plain
    }
    for i in range(576, 684):
        first, counts = gold[shown["dialogue"][i], shown["turn"][i]]
        word = str(geometry[i]["gold"])
        assert first == (word.translate(back) if shown["presentation"][i] == "permuted" else word)
        assert counts == geometry[i]["counts"]
    states = "".join(str(geometry[i]["gold"])[1:] for i in plain)
    assert states.count("a") > 50 and states.count("b") > 50  # not set, and no preference
