"""The lexicon that ships: the words of its index, and the classes of what was constructed for its sets."""

from collections.abc import Mapping
from functools import cache

from worldgen import catalog
from worldgen.scoring.retention.outcomes import Lexicon, WordClass, word_class
from worldgen.worlds.lexical import Lexical


@cache
def index() -> Lexicon:
    """The nouns, and all words, of 3 to 8 lower case ASCII letters that WordNet 3.0 indexes, in lower case
    where it writes them otherwise. Inflected forms are not among them, unless they are indexed themselves.

    >>> [word in index().nouns for word in ("chair", "chairs", "eat")], "eat" in index().words
    ([True, False, False], True)
    """
    folder = catalog.worlds()["lexical"].parent
    nouns, others = (
        frozenset((folder / name).read_text(encoding="utf-8").split()) for name in ("nouns.txt", "others.txt")
    )
    return Lexicon(nouns, nouns | others)


def word_classes(task: Lexical, outputs: Mapping[str, str], lexicon: Lexicon) -> dict[str, WordClass]:
    """The class of each string that was constructed for a set of a task, by the slot that it was for: that of
    `worldgen.scoring.retention.outcomes.word_class`, for which the lemmas are those of the answer's entry.

    Raises ValueError for a slot without a set.

    >>> from worldgen.spec import read_candidates
    >>> task = read_candidates("lexical").model.task
    >>> task.sets[0].answer, task.sets[0].candidates[:3]
    ('zoo', ('din', 'dye', 'gam'))
    >>> [word_classes(task, {"p000": text}, index())["p000"] for text in ("dye", "menagerie", "zap", "zzz")]
    ['other candidate', 'malformed', 'other noun', 'unindexed']
    """
    sets = {one.slot: one for one in task.sets}
    lemmas = {entry.word: entry.lemmas for entry in task.entries}
    unknown = sorted(set(outputs) - set(sets))
    if unknown:
        raise ValueError(f"there is no set for {', '.join(unknown)}")
    return {
        slot: word_class(text, sets[slot].answer, sets[slot].candidates, lemmas[sets[slot].answer], lexicon)
        for slot, text in outputs.items()
    }
