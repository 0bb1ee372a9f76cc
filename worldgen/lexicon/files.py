"""The files of the lexicon: its words, its sets, and what WordNet knows besides, as text."""

from collections.abc import Iterable, Iterator, Mapping

from worldgen.lexicon.screening import Screen
from worldgen.lexicon.sets import Dealer, Sets, Slots
from worldgen.spec.lexicons import SETS, WORDS, table_text


def lexicon(screen: Screen, slots: Slots) -> Mapping[str, str]:
    """The files by name: `words.csv` with every candidate, `test.csv` and `development.csv` with the sets,
    `development.yaml` with the slots that development fills, and `nouns.txt` and `others.txt` with all words
    of 3 to 8 letters that WordNet has: the nouns, and the verbs, adjectives and adverbs that are no nouns.
    """
    dealt = Dealer(screen, slots).deal()
    used = {word for sets in dealt.values() for _, words in sets.values() for word in words}
    nouns = screen.wordnet.words["noun"]
    others = frozenset().union(*screen.wordnet.words.values()) - nouns
    return {
        "words.csv": table_text(WORDS, list(_words(screen, sorted(used)))),
        **{f"{split}.csv": table_text(SETS, list(_rows(sets))) for split, sets in dealt.items()},
        "development.yaml": "".join(
            f"{slot}: [{slots[slot][0]}, 1, {slots[slot][1]}]\n" for slot in dealt["development"]
        ),
        "nouns.txt": _list(nouns),
        "others.txt": _list(others),
    }


def _rows(sets: Sets) -> Iterator[tuple[str, ...]]:
    return ((slot, answer, " ".join(words)) for slot, (answer, words) in sets.items())


def _words(screen: Screen, words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Each word with the sense that is asked for if it may be a right answer, else its most frequent one."""
    for word in words:
        sense = screen.answers.get(word, screen.wordnet.nouns[word][0])
        zipf = f"{screen.zipf[word] // 100}.{screen.zipf[word] % 100:02d}"
        yield word, zipf, sense.offset, sense.definition, " ".join(sense.lemmas)


def _list(words: Iterable[str]) -> str:
    return "".join(f"{word}\n" for word in sorted(words))
