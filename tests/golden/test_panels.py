"""Panels of requests that "Correct Choices, Failed Sequences" (arXiv 2610.16191) counts, as cohorts: emitted,
verified, and answered by a system that knows the truth.
"""

from itertools import product
from pathlib import Path

import pytest

from worldgen import catalog
from worldgen.cohort.fields import EVIDENCES, ORDERS, WORDINGS
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.spec import Source, cohort_of, read_candidates
from worldgen.worlds.candidates import CandidateWorld

CONTRACTS = ("", "+character")


def sums(name: str, split: str, per_length: int) -> str:
    slots = {
        f"p{length}x{number}": [length, 1, 2 + number % (length - 1)]
        for length, number in product(range(3, 9), range(per_length))
    }
    return spec(name, f"product: {{split: {split}}}", slots)


def copies(bases: int) -> CandidateWorld:
    lengths = [3 + number % 6 for number in range(bases)]
    slots = {f"b{number}": [length, 1, 2] for number, length in enumerate(lengths)}
    task = "symbols: {operations: [copy], scripts: {0123456789: [], abcdefghij: []}}"
    return read_candidates(Source(spec("copies", task, slots)))


def spec(name: str, task: str, slots: dict[str, list[int]]) -> str:
    written = "\n".join(f"    {slot}: {numbers}" for slot, numbers in slots.items())
    return f"""
kind: candidates
name: {name}
task: {{{task}}}
geometry:
  widths: [4, 2]
  slots:
{written}
views: [copy, miscopy]
encodings: [sheet]
"""


def nouns() -> CandidateWorld:
    return read_candidates("lexical").through("copy")


def counted(world: CandidateWorld, variants: list[str], roots: int, folder: Path) -> int:
    """How many requests a cohort of a world has, all of them eligible and of exact answers."""
    emit(cohort_of(world, variants, wire="chat"), roots, 1, folder)
    done = verify(folder)
    assert done.ok and done.derivable["not"] == 0
    return done.rows["requests"]


@pytest.mark.slow
def test_the_readout_panel(tmp_path: Path) -> None:
    """144 records, 60 of each of two domains and twelve bases in two scripts; three kinds of evidence and two
    contracts make 864 requests (Appendix A.5).
    """
    evidences = ("", *(f"+{one}" for one in EVIDENCES[1:3]))
    variants = [f"at-3{how}+opaque{contract}" for how, contract in product(evidences, CONTRACTS)]
    panel = ((read_candidates(Source(sums("sums", "test", 10))), 60), (nouns(), 60), (copies(12), 24))
    assert [world.model.size for world, _ in panel] == [60, 384, 24] and sum(n for _, n in panel) == 144
    counts = [counted(world, variants, n, tmp_path / str(n) / world.name) for world, n in panel]
    assert sum(counts) == 864


GRID = [
    "+".join(filter(None, (f"at-3+{evidence}+opaque", *more)))
    for evidence in EVIDENCES[1:3]
    for more in product(
        ("", "character"), ("", *(f"wording-{n}" for n in range(1, WORDINGS))), ("", *ORDERS[1:])
    )
]


@pytest.mark.slow
def test_the_grid_of_wordings_and_orders(tmp_path: Path) -> None:
    """96 parents, two kinds of evidence, two contracts, three wordings and three orders (Appendix D.13)."""
    assert len(GRID) == len(set(GRID)) == 36
    panel = (read_candidates(Source(sums("sums", "test", 8))), nouns())
    counts = [counted(world, GRID, 48, tmp_path / world.name) for world in panel]
    assert sum(counts) == 3456


def test_a_grid_keeps_bindings_evidence_and_answers(tmp_path: Path) -> None:
    world = read_candidates(Source(sums("sums", "test", 1)))
    emit(cohort_of(world, GRID, wire="chat"), 6, 1, tmp_path / "cohort")
    found = open_cohort(tmp_path / "cohort")
    rows = list(zip(found.table("requests").to_pylist(), found.table("targets").to_pylist(), strict=True))
    assert len({request["payload"] for request, _ in rows}) == len(rows) == 6 * 36
    bindings: dict[str, set[tuple[tuple[str, str], ...]]] = {}
    golds: dict[str, set[str]] = {}
    for request, target in rows:
        lines = request["payload"].split("\\n")[-10:]
        pairs = [line.rstrip('"}]').split(": ") for line in lines]
        assert [symbol for _, symbol in pairs] == request["options"]
        bindings.setdefault(request["root_id"], set()).add(
            tuple(sorted((key, symbol) for key, symbol in pairs))
        )
        golds.setdefault(request["root_id"], set()).add(request["options"][target["q"].index("1")])
    assert all(len(one) == 1 for one in bindings.values()) and all(len(one) == 1 for one in golds.values())


def test_the_twelve_character_panel(tmp_path: Path) -> None:
    """64 x (1 + 2 + 2 + 6 + 6) = 1,088 requests: the word whole, and two or six of its positions among ten
    letters and among twenty-six (Appendix D.7).
    """
    text = (catalog.worlds()["reversal"]).read_text(encoding="utf-8")
    wide = text.replace(
        "scripts: {abcdefghij: []}", "scripts: {abcdefghij: []}\n    options: abcdefghijklmnopqrstuvwxyz"
    )
    two, four = ["full-1", "full-2"], [f"at-{place}" for place in (1, 4, 8, 12)]
    calls = 0
    for number, (said, width) in enumerate(((text, 10), (wide, 26))):
        world = read_candidates(Source(said)).through("problem")
        whole = ["canonical"] if width == 10 else []
        emit(cohort_of(world, [*whole, *two, *four]), 64, 1, tmp_path / str(number))
        done = verify(tmp_path / str(number))
        assert done.ok and done.derivable["not"] == 0
        rows = open_cohort(tmp_path / str(number)).table("requests").to_pylist()
        assert {str(row["options"]).count(",") + 1 for row in rows if row["variant"] != "canonical"} == {
            width
        }
        calls += len(rows) + sum(row["variant"] in two for row in rows)  # the two stand in both arms
    assert calls == 1088


def test_the_semantic_panel(tmp_path: Path) -> None:
    """128 records, 16 of each pattern, by named fields and as bits: three decisions of two options each."""
    named = [f"at-{place}+named" for place in (1, 2, 3)]
    bits = [f"at-{place}" for place in (1, 2, 3)]
    emit(cohort_of(read_candidates("facts"), [*named, *bits]), 256, 1, tmp_path / "facts")
    assert verify(tmp_path / "facts").ok
    found = open_cohort(tmp_path / "facts")
    gold = [row["gold"] for row in found.table("geometry").to_pylist()]
    said: dict[str, list[str]] = {}
    rows = zip(found.table("requests").to_pylist(), found.table("targets").to_pylist(), strict=True)
    for request, target in rows:
        assert len(request["options"]) == 2
        said.setdefault(request["root_id"], []).append(request["options"][target["q"].index("1")])
    symbols = {"above its limit": "1", "not above its limit": "0"}
    patterns = ["".join(symbols[text] for text in texts[:3]) for texts in said.values()]
    assert ["".join(texts[3:]) for texts in said.values()] == gold and patterns[:128] == gold[128:]
    assert sorted(map(patterns[:128].count, set(patterns))) == [16] * 8 and patterns[128:] == gold[128:]
