"""The search for two inputs with one text: the self-product of a line's automaton.

Two runs go over the same line. While they agree, one position stands for both; they part at the first item
where their codes differ, and from then on one run may be ahead by a *lag*, the text that the other has yet
to write. The run behind moves; its next text must agree with the lag as far as both go. They meet when the
lag is empty at one position with equal codes of all variables that the rest mentions: from there both
continue alike, and that is a collision. Positions only grow, so the search ends; it is complete when
every table is complete and no bound was reached.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from worldgen.exact.domains import Code, Grid, Identifiers
from worldgen.exact.variables import Variable
from worldgen.renderers.errors import Collision
from worldgen.renderers.lines import Column, Line, Literal, Slot, escaped, following

MOST_MOVES = 200_000

Codes = tuple[Code, ...]


@dataclass(frozen=True)
class Search:
    """What a search found. Without a collision, `complete` says whether there is none; else `bound` says
    how far the search went.
    """

    collision: Collision | None
    complete: bool
    bound: str = ""


class _State(NamedTuple):
    """Positions and live codes of the run behind and of the run ahead, and what the one behind lacks.

    `parted` is False while both runs are one.
    """

    behind: int
    behind_codes: Codes
    ahead: int
    ahead_codes: Codes
    lag: str
    parted: bool


class _Move(NamedTuple):
    """How a state came about: the codes that each run chose, then whether the runs changed places."""

    before: _State
    behind: Codes
    ahead: Codes
    swap: bool


def find_collision(line: Line, most_moves: int = MOST_MOVES) -> Search:
    """Two different inputs with one payload, rendered again to prove it, or how far there is none.

    >>> from worldgen.exact.domains import Phrases
    >>> from worldgen.renderers.lines import Leaf, straight
    >>> x, y = (Variable(name, Phrases(("1", "11"))) for name in "xy")
    >>> both = Leaf((Column((x,), ("1", "11")), Column((y,), ("1", "11"))))
    >>> found = find_collision(straight(both)).collision
    >>> found.first, found.second, found.text
    ({'x': 0, 'y': 1}, {'x': 1, 'y': 0}, '"111"')
    """
    product = _Product(line)
    start = _State(0, (), 0, (), "", False)
    origin: dict[_State, _Move | None] = {start: None}
    queue = deque([start])
    moves = 0
    while queue:
        for state, move in product.successors(queue.popleft()):
            moves += 1
            if state in origin:
                continue
            origin[state] = move
            if product.meets(state):
                return Search(product.witness(state, origin), True)
            if moves > most_moves:
                return Search(None, False, f"among {most_moves:,} comparisons")
            queue.append(state)
    sampled = any(isinstance(item, Slot) for item in line.items)
    return Search(None, not sampled, "trying a few values of each open variable" if sampled else "")


class _Product:
    """The two runs over one line."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.end = len(line.items)
        self.known: list[tuple[str, ...]] = [()]
        for item in line.items:
            names = (variable.name for variable in item.variables)
            self.known.append(tuple(dict.fromkeys((*self.known[-1], *names))))
        self.live: list[tuple[str, ...]] = [()] * (self.end + 1)
        later: set[str] = set()
        for position in reversed(range(self.end)):
            later.update(variable.name for variable in line.items[position].variables)
            self.live[position] = tuple(name for name in self.known[position] if name in later)
        self._tables: dict[int, dict[Codes, list[tuple[str, Codes]]]] = {}

    def meets(self, state: _State) -> bool:
        """Whether the runs differ so far and can go on alike."""
        return (
            state.parted
            and not state.lag
            and (state.behind, state.behind_codes) == (state.ahead, state.ahead_codes)
        )

    def successors(self, state: _State) -> Iterator[tuple[_State, _Move]]:
        """All states one move further."""
        if not state.parted:
            return self._together(state)
        # A line ends in JSON syntax, never in nothing: a run at the end is never met by one that is not.
        if state.behind == self.end:
            return iter(())
        return self._catch_up(state)

    def _together(self, state: _State) -> Iterator[tuple[_State, _Move]]:
        position = state.behind
        if position == self.end:
            return
        options = self._options(position, state.behind_codes)
        for number, (text, codes) in enumerate(options):
            here = self._advance(position, state.behind_codes, codes)
            yield _State(position + 1, here, position + 1, here, "", False), _Move(state, codes, codes, False)
            for longer, other in islice(options, number + 1, None):
                if not longer.startswith(text):
                    break
                there = self._advance(position, state.behind_codes, other)
                lag = longer[len(text) :]
                yield (
                    _State(position + 1, here, position + 1, there, lag, True),
                    _Move(state, codes, other, False),
                )

    def _catch_up(self, state: _State) -> Iterator[tuple[_State, _Move]]:
        options = self._options(state.behind, state.behind_codes)
        place, lag = state.behind + 1, state.lag
        for length in range(len(lag)):
            for text, codes in islice(options, bisect_left(options, (lag[:length],)), None):
                if text != lag[:length]:
                    break
                here = self._advance(state.behind, state.behind_codes, codes)
                rest = lag[length:]
                yield (
                    _State(place, here, state.ahead, state.ahead_codes, rest, True),
                    _Move(state, codes, (), False),
                )
        for text, codes in islice(options, bisect_left(options, (lag,)), None):
            if not text.startswith(lag):
                break
            here = self._advance(state.behind, state.behind_codes, codes)
            rest = text[len(lag) :]
            yield (
                _State(state.ahead, state.ahead_codes, place, here, rest, True),
                _Move(state, codes, (), True),
            )

    def _advance(self, position: int, live: Codes, fresh: Codes) -> Codes:
        """The live codes after an item, from those before it and the codes chosen at it."""
        at_hand = dict(zip(self.live[position], live, strict=True)) | dict(
            zip(self._fresh(position), fresh, strict=True)
        )
        return tuple(at_hand[name] for name in self.live[position + 1])

    def _fresh(self, position: int) -> tuple[str, ...]:
        known = self.known[position]
        names = (variable.name for variable in self.line.items[position].variables)
        return tuple(name for name in names if name not in known)

    def _options(self, position: int, live: Codes) -> list[tuple[str, Codes]]:
        """Every (text, fresh codes) of an item in the light of the live codes, in order of texts."""
        item = self.line.items[position]
        if isinstance(item, Literal):
            return [(item.text, ())]
        at_hand = dict(zip(self.live[position], live, strict=True))
        given = tuple(at_hand[variable.name] for variable in item.variables if variable.name in at_hand)
        if position not in self._tables:
            self._tables[position] = {}
            if isinstance(item, Column):
                for codes, entries in item.given(self.known[position]).items():
                    self._tables[position][codes] = sorted((text, fresh) for fresh, text in entries)
        table = self._tables[position]
        if given not in table:
            # Only slots come here: a known one has one text, a fresh one its samples.
            assert isinstance(item, Slot)
            domain = item.variable.domain
            samples = given or samples_of(item.variable, following(self.line.items, position))
            table[given] = sorted((escaped(domain.text(code)), () if given else (code,)) for code in samples)
        return table[given]

    def witness(self, state: _State, origin: dict[_State, _Move | None]) -> Collision:
        """The two inputs that led to a state where the runs meet."""
        moves: list[_Move] = []
        move = origin[state]
        while move is not None:
            moves.append(move)
            move = origin[move.before]
        runs: list[dict[str, Code]] = [{}, {}]
        for move in reversed(moves):
            runs[0].update(
                zip(self._fresh(move.before.behind), move.behind, strict=True) if move.behind else ()
            )
            runs[1].update(zip(self._fresh(move.before.ahead), move.ahead, strict=True) if move.ahead else ())
            if move.swap:
                runs.reverse()
        for item in self.line.items:
            for variable in item.variables:
                rest = 0 if variable.domain.size else samples_of(variable, "")[0]
                for run in runs:
                    run.setdefault(variable.name, rest)
        first, second = (dict(sorted(run.items())) for run in runs)
        text = self.line.write(first)
        assert first != second
        assert text == self.line.write(second)
        return Collision(first, second, text)


def samples_of(variable: Variable, after: str) -> list[Code]:
    """A few codes of an open variable: short ones, extreme ones, and ones that look like the literal after.

    >>> samples_of(Variable("tag", Identifiers("ab-", 1, 3)), "-")[:4]
    ['a', 'b', '-', 'aa']
    """
    domain = variable.domain
    if isinstance(domain, Grid):
        near = [code for power in range(19) for code in (10**power - 1, 10**power)]
        codes = [*range(12), *near, domain.size - 2, domain.size - 1]
        return list(dict.fromkeys(code for code in codes if 0 <= code < domain.size))
    if isinstance(domain, Identifiers):
        marks = domain.alphabet[:20] + "".join(mark for mark in after[:1] if mark in domain.alphabet[20:])
        stems = [mark * length for length in range(domain.shortest, domain.shortest + 2) for mark in marks]
        ends = [marks[0] * (domain.longest if domain.longest <= 64 else domain.shortest)]
    else:
        stems, ends = ["a", "", "b", '"', "\\", "\n", " "], []
    mixed = [stem + after + stem for stem in stems] + [stem + after[:1] for stem in stems]
    texts: list[Code] = []
    for text in dict.fromkeys([*stems, *ends, *mixed]):
        code = domain.code(text)
        if code is not None:
            texts.append(code)
    return texts
