"""The task of finding a noun: its answers on two roads, its options at branches, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.roots import draw_roots
from worldgen.exact.errors import DomainError
from worldgen.faults import SpecError
from worldgen.renderers.encodings import shipped
from worldgen.spec import cohort_of, read_candidates
from worldgen.worlds.candidate_models import VIEWS, CandidateModel
from worldgen.worlds.items import Slot, Texts
from worldgen.worlds.lexical import Entry, Lexical, WordSet

ENTRIES = tuple(
    Entry(word, f"the definition of {word}", zipf)
    for word, zipf in {"cat": "4.78", "cup": "4.00", "cap": "3.99", "dog": "", "dig": "3", "dot": "3"}.items()
)
SETS = (
    WordSet("a", "cat", ("cat", "cup", "dig", "dog")),
    WordSet("b", "cap", ("cap", "cat", "dog", "dot")),
)
SLOTS = (Slot("a", 3, (1, 2)), Slot("b", 3, (1, 3)))


def model(
    sets: tuple[WordSet, ...] = SETS, slots: tuple[Slot, ...] = SLOTS, widths: tuple[int, ...] = (2, 2)
) -> CandidateModel:
    return CandidateModel("pets", Lexical(ENTRIES, sets), widths, slots, tuple(VIEWS), shipped("candidates"))


def test_an_item_is_the_set_of_its_slot_with_what_is_on_record() -> None:
    task = Lexical(ENTRIES, SETS)
    for item, one in zip(task.items(SLOTS, (2, 2), None), SETS, strict=True):  # type: ignore[arg-type]  # nothing is drawn
        assert (item.slot, item.gold, item.candidates.words) == (one.slot, one.answer, one.candidates)
        assert item.problem == {"definition": f"the definition of {one.answer}"}
        assert item.inventory == "abcdefghijklmnopqrstuvwxyz"
    notes = [item.notes for item in task.items(SLOTS[::-1], (2, 2), None)]  # type: ignore[arg-type]  # as above
    assert [note["frequency"] for note in notes] == ["rare", "common"]
    assert [note["zipf"] for note in notes] == ["3.99", "4.78"]


def degrees(words: tuple[str, ...], word: str) -> tuple[list[int], list[int]]:
    """The letters that are open where the words that begin as one of them differ: beside it, and in all."""
    beside, everywhere = [], []
    for k in range(len(word)):
        letters = {other[k] for other in words if other[:k] == word[:k]}
        if len(letters) > 1:
            beside.append(len(letters))
            everywhere.append(len({other[k] for other in words}))
    return beside, everywhere


WORDS = st.lists(st.text("abc", min_size=4, max_size=4), min_size=1, max_size=8, unique=True)


@given(WORDS)
def test_degrees_are_those_of_the_words(words: list[str]) -> None:
    one = WordSet("a", words[0], tuple(words))
    for word in words:
        assert tuple(map(list, one.degrees(word))) == degrees(one.candidates, word)


@given(WORDS, st.sampled_from([(2,), (2, 2), (3, 2), (2, 3)]))
def test_a_set_is_refused_unless_it_has_the_geometry_of_its_slot(
    words: list[str], widths: tuple[int, ...]
) -> None:
    entries = tuple(Entry(word, word) for word in words)
    task = Lexical(entries, (WordSet("a", words[0], tuple(words)),))
    counts = [sum(word[:k] == words[0][:k] for word in words) for k in range(5)]
    falls = tuple(k + 1 for k in range(4) if counts[k + 1] < counts[k])
    even = all(degrees(tuple(words), word)[0] == list(widths) for word in words)
    fine = not list(task.faults((Slot("a", 4, falls),), widths))
    assert fine == even
    other = tuple(k % 4 + 1 for k in falls)
    if even and tuple(sorted(other)) != falls:
        (fault,) = task.faults((Slot("a", 4, tuple(sorted(other))),), widths)
        assert f"K of '{words[0]}' is {', '.join(map(str, counts))}" in fault.message


def test_unions_are_known_where_all_sets_agree() -> None:
    assert model().unions == (2, None)  # at the branch of 'cat' there are u, a, i, o; of 'cap' p, t, g
    assert model((SETS[0],), (SLOTS[0],)).unions == (2, 4)
    assert read_candidates("lexical").model.unions == (4, 6)
    assert read_candidates("arithmetic").model.unions == (4, 2)


@given(st.lists(st.sampled_from([*(entry.definition for entry in ENTRIES), "nothing", ""])))
def test_answers_are_the_same_on_both_roads_where_they_are_asked_for(texts: list[str]) -> None:
    task = Lexical(ENTRIES, SETS)
    asked = {f"the definition of {one.answer}": one.answer for one in SETS}
    assert task.answers({"definition": texts}) == [asked.get(text, "") for text in texts]
    for text, word in zip(texts, task.slow_answers({"definition": texts}), strict=True):
        assert word == (text.rsplit(" ", 1)[-1] if text.startswith("the") else "")


def test_the_slow_road_reads_the_words_and_not_the_sets() -> None:
    """A set that names another right answer than its definition has is found out."""
    task = Lexical(ENTRIES, SETS)
    broken = Lexical(ENTRIES, SETS)
    object.__setattr__(broken, "_answers", {"the definition of cat": "cup"})
    problem = {"definition": ["the definition of cat"]}
    assert (broken.answers(problem), broken.slow_answers(problem)) == (["cup"], task.answers(problem))


def test_a_lie_of_the_fast_road_is_found_by_the_slow_one(monkeypatch: pytest.MonkeyPatch) -> None:
    world = read_candidates("lexical")
    values = draw_roots(cohort_of(world).strata[0], 3, np.arange(9)).values
    assert world.disagreements(values, world.posterior(values)[0]) == []
    words, honest = world.words(values), world.model.task.answers

    def lying(_: Lexical, problems: Texts) -> list[str]:
        right = honest(problems)
        return [*right[:4], next(word for word in words[4] if word != right[4]), *right[5:]]

    monkeypatch.setattr(Lexical, "answers", lying)
    assert world.disagreements(values, world.posterior(values)[0]) == [4]


REFUSED = {
    "no set of the lexicon is named so": (SETS[:1], SLOTS),
    "there is no such slot": (SETS, SLOTS[:1]),
    "'cat' is the right answer of a already": (
        (SETS[0], WordSet("b", "cat", ("cap", "cat", "dog", "dot"))),
        SLOTS,
    ),
    "'cat' has 3 letters, and the slot 4": (SETS, (Slot("a", 4, (1, 2)), SLOTS[1])),
    "K of 'cat' is 4, 2, 1, 1, and that of the slot 4, 2, 2, 1": (SETS, (Slot("a", 3, (1, 3)), SLOTS[1])),
    "the words that begin like 'cat' differ in 2 letters, and the widths are 2, 2": (
        (WordSet("a", "cat", ("cat", "dog")), SETS[1]),
        SLOTS,
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_has_not_the_geometry_of_its_slot_is_refused(message: str) -> None:
    with pytest.raises(SpecError) as caught:
        model(*REFUSED[message])
    assert any(message in fault.message for fault in caught.value.faults)


def test_a_lexicon_that_cannot_tell_its_answers_is_refused() -> None:
    with pytest.raises(DomainError, match="one entry for each word; cup"):
        Lexical((ENTRIES[0], *ENTRIES[2:]), SETS)
    with pytest.raises(DomainError, match="some have two"):
        Lexical((*ENTRIES, ENTRIES[0]), SETS)
    with pytest.raises(DomainError, match="one entry for each word; cow"):
        Lexical(ENTRIES, (WordSet("a", "cow", SETS[0].candidates),))
    with pytest.raises(DomainError, match="'cat' is no candidate of a, or shares its definition"):
        Lexical((*ENTRIES, Entry("car", "the definition of cat")), SETS)
