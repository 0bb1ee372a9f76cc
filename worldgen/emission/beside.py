"""What payloads about candidates show beside the state, held against the state alone: a draft, the evidence
of a word to be copied, and what options are called. No answer depends on it, and none of it may say what the
state does not.
"""

from collections.abc import Iterator, Mapping, Sequence

from worldgen.cohort.candidate_asking import CandidateAsking
from worldgen.cohort.shapes import DRAFT, FIELD, FILLER, POSITION, SYMBOL, TABLE
from worldgen.cohort.variants import CHARACTER
from worldgen.exact.domains import Codes
from worldgen.exact.variables import Variable
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import PREFIX, SUPPLIED
from worldgen.worlds.items import Called

SENTENCE = "The characters of the word to be copied, each behind its position: "


def beside_faults(asking: CandidateAsking, values: Mapping[str, Codes]) -> Iterator[tuple[int, str]]:
    """The rows of payload values that show something else beside the state than their variant says: (row,
    message).
    """
    variables = {one.name: one for one in asking.plan.variables}
    texts = {
        name: [variables[name].domain.text(code) for code in codes.tolist()] for name, codes in values.items()
    }
    if asking.variant.named:
        texts |= _spelled(asking, texts, asking.world.called(values))
    words = _words(asking, texts) if {DRAFT, TABLE, FILLER, SYMBOL} & texts.keys() else []
    for row, word in enumerate(words):
        told = {name: column[row] for name, column in texts.items()}
        place = int(told.get(POSITION, 0))
        yield from ((row, message) for message in _evidence(told, word, place))
        if DRAFT in told and not _drafted(asking, told[DRAFT], word, place):
            yield row, f"its draft reads {told[DRAFT]}, which is no draft of {word} as the variant has it"
    if asking.wording.keys and asking.variant.asks == CHARACTER:
        keys = zip(*(texts[key.name] for key in asking.wording.keys), strict=True)
        said = zip(*(texts[option.name] for option in asking.options), strict=True)
        for row, (called, symbols) in enumerate(zip(keys, said, strict=True)):
            if not _bound(asking.variant.binding, called, symbols):
                keyed, listed = ", ".join(called), ", ".join(symbols)
                yield row, f"it calls {listed} {keyed}, which is not {asking.variant.binding}"


def listed_faults(
    asking: CandidateAsking,
    values: Mapping[str, Codes],
    options: Sequence[Sequence[str]],
    answer_ids: Sequence[Sequence[str]],
) -> Iterator[tuple[int, str, str]]:
    """Where the options of requests, or what answers call them, are not those that payload values display:
    (row, column, message).
    """
    columns = zip(*(_texts_of(option, values) for option in asking.options), strict=True)
    keys = zip(*(_texts_of(key, values) for key in asking.wording.keys), strict=True)
    for row, said in enumerate(columns):
        called = next(keys) if asking.wording.keys else asking.wording.labels
        answers = called if asking.variant.contract == "code" else said
        for column, shown, found in (
            ("options", said, options[row]),
            ("answer_ids", answers, answer_ids[row]),
        ):
            if list(shown) != list(found):
                yield row, column, f"it says {', '.join(found)}, the payload says {', '.join(shown)}"


def _texts_of(variable: Variable, values: Mapping[str, Codes]) -> list[str]:
    return [variable.domain.text(code) for code in values[variable.name].tolist()]


def _spelled(
    asking: CandidateAsking, texts: Mapping[str, Sequence[str]], fields: Sequence[Called]
) -> dict[str, list[str]]:
    """What is told by name, as positions and characters: 0 and ? for what the problem does not have."""
    found: dict[str, list[str]] = {POSITION: []}
    for row, (own, asked) in enumerate(zip(fields, texts[FIELD], strict=True)):
        place = next((at for at, (name, _) in enumerate(own, 1) if name == asked), 0)
        found[POSITION].append(str(place))
        for option in asking.options:
            back = {text: symbol for symbol, text in own[place - 1][1].items()} if place else {}
            found.setdefault(option.name, []).append(back.get(texts[option.name][row], "?"))
        if DRAFT in texts:
            parts = texts[DRAFT][row].split(" / ")
            known = [{f"{name} is {text}": symbol for symbol, text in meant.items()} for name, meant in own]
            known += [{}] * len(parts)
            spelled = (back.get(said, "?") for said, back in zip(parts, known, strict=False))
            found.setdefault(DRAFT, []).append("".join(spelled))
    return found


def _words(asking: CandidateAsking, texts: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The word that each state makes certain, or how it certainly begins."""
    world = asking.world
    if world.seen in COPYING:
        return texts[SUPPLIED]
    return world.model.task.slow_answers(texts) if world.states else texts[PREFIX]


def _evidence(told: Mapping[str, str], word: str, place: int) -> Iterator[str]:
    written = ""
    for number, symbol in enumerate(word, 1):
        written += (" " if written else "") + str(number) + ":" + symbol
    if TABLE in told and told[TABLE] != written:
        yield f"its table reads {told[TABLE]}, and that of {word} is {written}"
    if FILLER in told and len(told[FILLER]) != len(SENTENCE) + len(written):
        yield f"{len(told[FILLER])} points stand for {len(SENTENCE) + len(written)} characters"
    if SYMBOL in told and told[SYMBOL] != word[place - 1 : place]:
        yield f"it says that {told[SYMBOL]} stands at position {place} of {word}"


def _drafted(asking: CandidateAsking, draft: str, word: str, place: int) -> bool:
    """Whether a draft is the beginning of a word that the variant has, but for its slip."""
    slip = asking.variant.slip
    reach = asking.variant.draft or place - 1
    apart = [at for at, (shown, right) in enumerate(zip(draft, word, strict=False), 1) if shown != right]
    return len(draft) == reach <= len(word) and apart == ([slip] if slip else [])


def _bound(binding: str, called: Sequence[str], symbols: Sequence[str]) -> bool:
    """Whether options are called what a binding may call them."""
    if len(set(called)) < len(called):
        return False
    alike = [key == symbol for key, symbol in zip(called, symbols, strict=True)]
    return {"aligned": all(alike), "conflicting": not any(alike)}.get(binding, True)
