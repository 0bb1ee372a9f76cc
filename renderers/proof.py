"""The proof that a line can be read back, made when a plan is built.

Walk the items from left to right; let *known* be the variables of the items before. A line is accepted when

1. in every column, for each joint code of its known variables, no {text + following literal} is a prefix
   of another: different codes of the fresh variables give different texts that nothing after can blur;
2. every slot of a fresh variable is followed by a literal whose first character no text of the slot holds;
3. exactly the variables of the plan appear.

Then rendering is injective, and the decoder is that same walk. For take two inputs with one payload, and
the first item where they differ. All before it is equal, so what stands from there on is equal too: in a
column one {text + literal} is then a prefix of the other, against 1; in a slot both texts end where the
first character outside the alphabet stands, so they are equal. By 3 they differ nowhere.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from worldgen.exact.variables import Variable
from worldgen.renderers.collisions import Search, find_collision
from worldgen.renderers.errors import Collision, PlanError
from worldgen.renderers.lines import Column, Line, Literal, Slot, following


def prove(line: Line, variables: Sequence[Variable]) -> None:
    """Raise PlanError unless the line is a codec for exactly these variables.

    >>> from worldgen.exact.domains import Phrases
    >>> from worldgen.renderers.lines import Leaf, straight
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> prove(straight(Leaf((Column((coin,), ("h", "t")),))), [coin])
    >>> prove(straight(Leaf((Column((coin,), ("coin", "coin")),))), [coin])
    Traceback (most recent call last):
    worldgen.renderers.errors.PlanError: $, {coin}: these two inputs render to one text:
      coin = heads
      coin = tails
      both: "coin"
      try: show {coin} in full
    """
    _check_names(line, variables)
    _check_unicode(line)
    known: set[str] = set()
    for position, item in enumerate(line.items):
        if isinstance(item, Literal):
            continue
        after = following(line.items, position)
        if isinstance(item, Column):
            _check_column(line, position, item, after, known)
        elif item.variable.name not in known and (not after or item.holds(after[0])):
            end = "the end of its string" if item.holds(" ") and not item.holds('"') else "a separator"
            raise _refusal(line, position, f"put {end} right after {item.label}")
        known.update(variable.name for variable in item.variables)


def _check_column(line: Line, position: int, column: Column, after: str, known: set[str]) -> None:
    fresh = [variable.name for variable in column.variables if variable.name not in known]
    blurred = _blurred(column, after, tuple(v.name for v in column.variables if v.name in known))
    if blurred == "equal":
        remedy = f"show {{{', '.join(fresh)}}} in full" + " before it words anything" * _again(line, position)
        raise _refusal(line, position, remedy)
    if blurred == "prefix":
        raise _refusal(line, position, f"put a separator right after {column.label}")


@lru_cache(maxsize=1024)
def _blurred(column: Column, after: str, known: tuple[str, ...]) -> str:
    """In what way a column breaks condition 1, if it does: the same for every plan that shows it so."""
    for entries in column.given(known).values():
        texts = sorted(text + after for _, text in entries)
        # In sorted order all texts that start with t stand right after t: neighbours are enough.
        for text, successor in pairwise(texts):
            if text == successor:
                return "equal"
            if successor.startswith(text):
                return "prefix"
    return ""


def _again(line: Line, position: int) -> bool:
    here = set(line.items[position].variables)
    return any(here & set(item.variables) for item in line.items[position + 1 :])


def _check_names(line: Line, variables: Sequence[Variable]) -> None:
    wanted = {variable.name: variable for variable in variables}
    shown: dict[str, Variable] = {}
    for item, place in zip(line.items, line.places, strict=True):
        for variable in item.variables:
            if shown.setdefault(variable.name, variable) != variable:
                raise PlanError(
                    f"two different variables are named '{variable.name}'", leaf=place, remedy="rename one"
                )
            if wanted.get(variable.name) != variable:
                raise PlanError(
                    f"'{variable.name}' is shown but is no variable of this view or question",
                    leaf=place,
                    remedy="take it out of the template, or show it only where the view does: "
                    f"{{% if '{variable.name}' in shown %}}",
                )
    for name in wanted:
        if name not in shown:
            raise PlanError(f"'{name}' is nowhere shown", remedy="show it somewhere, constants too")


def _check_unicode(line: Line) -> None:
    for item, place in zip(line.items, line.places, strict=True):
        texts = (item.text,) if isinstance(item, Literal) else item.texts if isinstance(item, Column) else ()
        if _holds_surrogate(texts):
            raise PlanError("a text holds a lone surrogate", leaf=place, remedy="write Unicode text")


@lru_cache(maxsize=1024)
def _holds_surrogate(texts: tuple[str, ...]) -> bool:
    return any("\ud800" <= mark <= "\udfff" for text in texts for mark in text)


def _refusal(line: Line, position: int, remedy: str) -> PlanError:
    item = line.items[position]
    assert isinstance(item, Column | Slot)
    search = find_collision(line)
    message = _collided(line, search.collision) if search.collision else _unreadable(search)
    return PlanError(
        message, leaf=line.places[position], column=item.label, collision=search.collision, remedy=remedy
    )


def _collided(line: Line, collision: Collision) -> str:
    domains = {
        v.name: v.domain for item in line.items if not isinstance(item, Literal) for v in item.variables
    }
    apart = [name for name in domains if collision.first[name] != collision.second[name]]
    inputs = [
        ", ".join(f"{name} = {domains[name].text(side[name])}" for name in apart)
        for side in (collision.first, collision.second)
    ]
    alike = " (all else alike)" if len(apart) < len(domains) else ""
    parting = next(i for i, item in enumerate(line.items) if any(v.name in apart for v in item.variables))
    start = len(Line(line.items[:parting], ()).write(collision.first))
    return (
        f"these two inputs render to one text{alike}:\n  {inputs[0]}\n  {inputs[1]}\n"
        f"  both: {_around(collision.text, start)}"
    )


def _around(text: str, at: int) -> str:
    """The text near an offset, with dots where it is cut."""
    start, end = max(0, at - 40), at + 40
    return "..." * (start > 0) + text[start:end] + "..." * (end < len(text))


def _unreadable(search: Search) -> str:
    if search.complete:
        return "no two inputs render to one text, but it cannot be read from left to right"
    return f"it cannot be read from left to right; no two inputs with one text were found, {search.bound}"
