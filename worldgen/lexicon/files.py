"""The files of the lexicon: its words, its sets, and what WordNet knows besides, as text."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO

from worldgen.lexicon.screening import Screen
from worldgen.lexicon.sets import Dealer, Slots

WORDS = ("word", "zipf", "synset", "definition", "lemmas")
SETS = ("slot", "answer", "candidates")


def lexicon(screen: Screen, slots: Slots) -> Mapping[str, str]:
    """The files by name: `words.csv` with every candidate, `test.csv` and `development.csv` with the sets,
    `nouns.txt` and `others.txt` with all words of WordNet that a candidate might be mistaken for: the nouns
    of 3 to 8 letters, and what is no noun; `development.yaml` with the slots that development fills, which are
    the first ones of `slots`.
    """
    dealt = Dealer(screen, slots).deal()
    used = {word for sets in dealt.values() for _, words in sets.values() for word in words}
    sets = {
        f"{split}.csv": _table(SETS, ((slot, answer, " ".join(words)) for slot, (answer, words) in rows.items()))
        for split, rows in dealt.items()
    }
    nouns = screen.wordnet.words["noun"]
    others = frozenset().union(*screen.wordnet.words.values()) - nouns
    return {
        "words.csv": _table(WORDS, _words(screen, sorted(used))),
        **sets,
        "development.yaml": "".join(
            f"{slot}: [{slots[slot][0]}, 1, {slots[slot][1]}]\n" for slot in dealt["development"]
        ),
        "nouns.txt": _list(nouns),
        "others.txt": _list(others),
    }


def _words(screen: Screen, words: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Each word with the sense that is asked for if it may be a right answer, else its most frequent one."""
    for word in words:
        sense = screen.answers.get(word, screen.wordnet.nouns[word][0])
        zipf = f"{screen.zipf[word] // 100}.{screen.zipf[word] % 100:02d}"
        yield word, zipf, sense.offset, sense.definition, " ".join(sense.lemmas)


def _table(names: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def _list(words: Iterable[str]) -> str:
    return "".join(f"{word}\n" for word in sorted(words))
