"""Lexicons in specs: tables beside a spec or inside it, and what is said of rows that cannot be used."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.faults import Fault, SpecError
from worldgen.spec import Source, read_candidates, read_cohort, write_spec, write_spec_folder
from worldgen.spec.cohorts import cohort_of
from worldgen.spec.lexicons import table_text
from worldgen.worlds.lexical import Lexical

SPEC = """
kind: candidates
name: pets
task:
  lexical:
    words: {file: words.csv}
    sets: {file: sets.csv}
geometry:
  widths: [2, 2]
  slots: {a: [3, 1, 2], b: [3, 1, 3]}
views: [problem, prefix]
encodings: [sheet]
"""
WORDS = """word,zipf,definition
cat,4.78,"a pet that purrs, mostly"
cup,,a vessel to drink from
cap,,a soft flat hat
dog,,a pet that barks
dig,,a remark that is meant to hurt
dot,,a very small round mark
doge,,a man who ruled Venice
"""
SETS = """slot,answer,candidates
a,cat,cat cup dig dog
b,cap,cap cat dog dot
"""


def place(folder: Path, words: str = WORDS, sets: str = SETS, spec: str = SPEC) -> Path:
    for name, text in {"words.csv": words, "sets.csv": sets, "pets.yaml": spec}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "pets.yaml"


def test_only_the_words_of_the_sets_are_kept(tmp_path: Path) -> None:
    task = read_candidates(place(tmp_path)).model.task
    assert isinstance(task, Lexical)
    assert [entry.word for entry in task.entries] == ["cat", "cup", "cap", "dog", "dig", "dot"]
    assert (task.entries[0].definition, task.entries[0].zipf) == ("a pet that purrs, mostly", "4.78")
    assert [one.answer for one in task.sets] == ["cat", "cap"]


def test_a_lexicon_is_written_into_the_spec_and_read_back(tmp_path: Path) -> None:
    (tmp_path / "notice.txt").write_text('Thanks: to all.\nAnd "more".\n', encoding="utf-8")
    spec = SPEC.replace("sets.csv}", "sets.csv}\n    credits: [{file: notice.txt}, {text: again}]")
    world = read_candidates(place(tmp_path, spec=spec))
    assert world.credits == ('Thanks: to all.\nAnd "more".\n', "again")
    for text in (write_spec(world), write_spec(world, "yaml")):
        assert read_candidates(Source(text)) == world
    cohort = cohort_of(world)
    folder = write_spec_folder(cohort)
    for name, text in folder.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_cohort(tmp_path / "cohort.json") == cohort


def refused(path: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_candidates(path)
    texts = map(str, caught.value.faults)
    return [text.replace(f"{path.parent}/", "").replace("task.lexical.", "") for text in texts]


ROWS = {
    "cup,,a vessel to drink from": {
        "Cup,,a vessel": "words.csv:3:1: words.Cup: 'Cup' is no word in lower case ASCII letters",
        "cüp,,a vessel": "words.csv:3:1: words.cüp: 'cüp' is no word in lower case ASCII letters",
        "cat,,a vessel": "words.csv:3:1: words.cat: 'cat' stands in line 2 already",
        "cup,,": "words.csv:3:1: words.cup: 'cup' has no definition",
        "cup,, ": "words.csv:3:1: words.cup: 'cup' has no definition",
        'cup,,"a\nb"': "words.csv:3:1: words.cup: the definition holds a control character",
        "cup,x,a vessel": "words.csv:3:1: words.cup: 'x' is no number",
        "cup,a vessel": "words.csv:3:1: words: 2 values, where the first line names 3",
        'cup,,"a vessel': "words.csv:8:1: words: this is no table of comma-separated values",
    },
    "a,cat,cat cup dig dog": {
        "a,cat,cat cow dig dog": "sets.csv:2:1: sets.a: 'cow' is not among the words",
        "a,cat,cat cup doge dog": "sets.csv:2:1: sets.a: 'doge' has 4 letters and 'cat' 3",
        "a,cat,cat cat dig dog": "sets.csv:2:1: sets.a: 'cat' stands twice among the candidates",
        "a,cat,cap cup dig dog": "sets.csv:2:1: sets.a: 'cat' is not among the candidates",
        "a,cat,": "sets.csv:2:1: sets.a: 'cat' is not among the candidates",
        "b,cat,cat cup dig dog": "sets.csv:3:1: sets.b: 'b' stands in line 2 already",
        "a,cat,cat cap dig dog": "sets.csv:2:1: sets.a: K of 'cat' is 4, 2, 2, 1, and that of the "
        "slot 4, 2, 1, 1",
        "a,cat,cat cup cap dog": "sets.csv:2:1: sets.a: the words that begin like 'cat' differ in 2, 2, 2 ",
        "a,cap,cap cup dig dog": "sets.csv:3:1: sets.b: 'cap' is the right answer of a already",
    },
    "dot,,a very small round mark": {
        "dot,,a soft flat hat": "sets.csv:3:1: sets.b: 'dot' has the definition of 'cap'",
        "dot,,a pet that barks": "sets.csv:3:1: sets.b: 'dog' and 'dot' have one definition",
    },
    "word,zipf,definition": {
        "word,zipf": "words.csv:1:1: words: the first line names word, zipf",
        "word,zipf,meaning": "words.csv:1:1: words: the first line names word, zipf, meaning",
        "word,word,definition": "words.csv:1:1: words: the first line names word, word, definition",
    },
}


@pytest.mark.parametrize(("good", "bad"), [(good, bad) for good, all_bad in ROWS.items() for bad in all_bad])
def test_a_row_that_cannot_be_used_is_said_at_its_line(good: str, bad: str, tmp_path: Path) -> None:
    message = ROWS[good][bad]
    found = refused(place(tmp_path, WORDS.replace(good, bad, 1), SETS.replace(good, bad, 1)))
    assert any(fault.startswith(message) for fault in found), found
    assert len(found) == 1 or "cap cup" in bad or "cup cap" in bad or "b,cat" in bad, found


def test_what_follows_from_a_bad_word_is_not_said(tmp_path: Path) -> None:
    assert len(refused(place(tmp_path, WORDS.replace("cat,", "CAT,")))) == 1


def test_what_is_wrong_with_a_table_inside_the_spec_is_said_at_its_line(tmp_path: Path) -> None:
    inside = SPEC.replace("{file: words.csv}", '{text: "word,definition\\ncat,a pet\\nCUP,a vessel"}')
    (fault,) = refused(place(tmp_path, spec=inside))
    assert fault.startswith("pets.yaml:6:12: words.CUP: 'CUP' is no word")


SPECS = {
    "words: {file: words.csv}": {
        "words: {file: none.csv}": "pets.yaml:6:19: words.file: none.csv: there is no such file",
        "words: {}": "pets.yaml:6:12: words: give either a file or a text",
        "words: words.csv": "pets.yaml:6:12: words: this should be a mapping and is a text",
        "word: {file: words.csv}": "pets.yaml:6:5: word: unknown key 'word'",
    },
    "sets: {file: sets.csv}": {
        "sets: {file: sets.csv, text: x}": "pets.yaml:7:11: sets: give either a file or a text",
        "sets: {file: sets.csv}\n    credits: thanks": "pets.yaml:8:14: credits: this should be a list",
        "sets: {file: sets.csv}\n    credits: [{file: x}]": "pets.yaml:8:22: credits[0].file: x: there",
        "": "pets.yaml:6:5: task.lexical: the key 'sets' is missing",
    },
    "{a: [3, 1, 2], b: [3, 1, 3]}": {
        "{a: [3, 1, 2], b: [3, 1, 3], c: [3, 1, 2]}": "pets.yaml:10:42: geometry.slots.c: no set of",
        "{file: slots.yaml}": "pets.yaml:10:17: geometry.slots.file: slots.yaml: there is no such file",
    },
}


@pytest.mark.parametrize(("good", "bad"), [(good, bad) for good, all_bad in SPECS.items() for bad in all_bad])
def test_a_spec_that_cannot_be_used_is_said_at_its_line(good: str, bad: str, tmp_path: Path) -> None:
    found = refused(place(tmp_path, spec=SPEC.replace(good, bad)))
    assert any(fault.startswith(SPECS[good][bad]) for fault in found), found


def test_a_bad_file_of_slots_is_refused(tmp_path: Path) -> None:
    """Faults of files beside the spec are the spec's, too."""
    (tmp_path / "slots.yaml").write_text("a: [3, 1, 2]\nb: [3, x]\n", encoding="utf-8")
    (fault,) = refused(
        place(tmp_path, spec=SPEC.replace("{a: [3, 1, 2], b: [3, 1, 3]}", "{file: slots.yaml}"))
    )
    assert fault.startswith("slots.yaml:2:8: b[1]: 'x' is not an exact number")


def inside(words: str, sets: str, credit: str = "") -> str:
    """The spec with its tables in it."""
    data = {
        "kind": "candidates",
        "name": "pets",
        "task": {
            "lexical": {"words": {"text": words}, "sets": {"text": sets}, "credits": [{"text": credit}]}
        },
        "geometry": {"widths": ["2", "2"], "slots": {"a": ["3", "1", "2"]}},
        "views": ["problem"],
        "encodings": ["sheet"],
    }
    return json.dumps(data)


DEFINITIONS = st.lists(
    st.text().filter(lambda text: text.isprintable() and text.strip()), min_size=4, max_size=4, unique=True
)


@given(DEFINITIONS, st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_any_definition_that_is_one_line_is_read_as_it_stands(definitions: list[str], credit: str) -> None:
    words = ("cat", "cup", "dig", "dog")
    text = table_text(("definition", "word"), list(zip(definitions, words, strict=True)))
    world = read_candidates(Source(inside(text, "slot,answer,candidates\na,cat,cat cup dig dog\n", credit)))
    assert isinstance(task := world.model.task, Lexical)
    assert [(entry.word, entry.definition) for entry in task.entries] == list(
        zip(words, definitions, strict=True)
    )
    assert task.credits == (credit,)
    assert read_candidates(Source(write_spec(world))) == world
    assert task.answers({"definition": definitions}) == ["cat", "", "", ""]
    assert task.slow_answers({"definition": definitions}) == list(words)


CELLS = st.sampled_from(
    [
        "cat",
        "cup",
        "dig",
        "dog",
        "Cat",
        "doge",
        "a",
        "b",
        "cat cup dig dog",
        "cat cat",
        "4.78",
        "",
        "x",
        '"',
        "\n",
        "\0",
    ]
)
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=4).map(",".join), max_size=6).map("\n".join)


@given(
    st.sampled_from(["word,definition\n", "word,definition,zipf\n", "word,synset,definition\n", ""]),
    LINES,
    st.sampled_from(["slot,answer,candidates\n", "slot\n", ""]),
    LINES,
)
def test_whatever_stands_in_a_table_is_read_or_refused(first: str, words: str, head: str, sets: str) -> None:
    found: tuple[Fault, ...] = ()
    try:
        world = read_candidates(Source(inside(first + words, head + sets)))
    except SpecError as error:
        found = error.faults
    assert all(fault.line and fault.message for fault in found)
    assert found or world.model.size == 1


def test_a_spec_in_no_folder_has_no_tables_beside_it() -> None:
    with pytest.raises(SpecError, match="this spec is not in a file"):
        read_candidates(Source(SPEC))
