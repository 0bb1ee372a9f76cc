"""Item sets of the shape that the worlds will have, and answerers that follow a script."""

from collections.abc import Callable, Iterator

from worldgen.collecting.controllers.options import permutation
from worldgen.collecting.controllers.records import Answer, Request
from worldgen.collecting.controllers.symbols import DIGITS, END, LETTERS
from worldgen.collecting.controllers.tasks import Task
from worldgen.exact.geometry import Candidates

SEED = 6
LENGTHS = range(3, 9)

Answerer = Callable[[Request], Answer]


def arithmetic(per_length: int) -> Iterator[Task]:
    """Four first digits by two digits at one later position, no leading zero, gold anywhere among them."""
    for length in LENGTHS:
        for number in range(per_length):
            name = f"{length}-{number}"
            first = [digit for digit in permutation(10, SEED, name, "first") if digit][:4]
            rest = [permutation(10, SEED, name, str(place)) for place in range(1, length)]
            later = 1 + number % (length - 1)
            word = str(first[0]) + "".join(str(drawn[0]) for drawn in rest)
            choices = {0: "".join(map(str, first)), later: "".join(map(str, rest[later - 1][:2]))}
            words = Candidates.crossed(word, choices, "".join(DIGITS)).words
            yield Task(words[number % 8], words, DIGITS)


def lexical(per_length: int) -> Iterator[Task]:
    """Eight words of one length, two to an initial letter, every position open."""
    for length in LENGTHS:
        for number in range(per_length):
            drawn = [permutation(26, SEED, f"{length}-{number}-{place}") for place in range(length)]
            columns = [
                [LETTERS[row[k // 2 if place == 0 else k]] for k in range(8)]
                for place, row in enumerate(drawn)
            ]
            words = tuple(map("".join, zip(*columns, strict=True)))
            yield Task(words[number % 8], words, LETTERS)


def right(request: Request, task: Task) -> tuple[str, ...]:
    """The right symbol for each position of a request, or the right answer: the copy of what is supplied."""
    wanted = request.shown.string if request.shown else task.known
    if request.arm.interface == "identity-check":
        assert request.shown is not None
        return ("true" if wanted[request.positions[0]] == request.shown.claimed else "false",)
    return (
        (wanted,) if request.arm.whole else tuple((*wanted, END)[position] for position in request.positions)
    )


def answering(request: Request, symbols: tuple[str, ...]) -> Answer:
    """Symbols under the contract of a request; what is no option is answered as it stands."""
    codes = {option.symbol: option.code for option in request.options}
    texts = symbols if request.arm.contract == "character" else tuple(codes.get(s, s) for s in symbols)
    return texts if request.arm.feedback == "batch" else texts[0]


def perfect(task: Task) -> Answerer:
    return lambda request: answering(request, right(request, task))


def wrong_at(task: Task, position: int) -> Answerer:
    """Right everywhere but at one position, where another of the options is taken, if there is one; where the
    right one is no option any more, the first is.
    """

    def answer(request: Request) -> Answer:
        symbols = list(right(request, task))
        for place, there in enumerate(request.positions):
            known = [option.symbol for option in request.options]
            others = [symbol for symbol in known if symbol != symbols[place]]
            if others and (there == position or symbols[place] not in known):
                symbols[place] = others[0]
        return answering(request, tuple(symbols))

    return answer


def in_codes(task: Task) -> Answerer:
    """The code of what is right, whatever was asked for."""

    def answer(request: Request) -> Answer:
        codes = {option.symbol: option.code for option in request.options}
        texts = tuple(codes.get(symbol, symbol) for symbol in right(request, task))
        return texts if request.arm.feedback == "batch" else texts[0]

    return answer


def ending_at(task: Task, position: int) -> Answerer:
    """Right up to a position, where it says that nothing follows; beyond the answer for a late one."""

    def answer(request: Request) -> Answer:
        place = request.positions[0]
        return END if place == position else task.known[min(place, task.length - 1)]

    return answer
