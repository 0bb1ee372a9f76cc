"""Items, leaves, and the one straight line that a JSON tree of leaves becomes."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod

from worldgen.exact.domains import LARGEST_TABLE, Code, Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable


@dataclass(frozen=True)
class Literal:
    """A text that every row shows."""

    text: str

    @property
    def variables(self) -> tuple[Variable, ...]:
        """None: the variables, as those of a column."""
        return ()


@dataclass(frozen=True)
class Column:
    """A text for each joint code of finite variables.

    `texts` are in row-major order of the codes of `variables`: the last variable changes fastest.
    `origin` says where the column stands in a template. Raises DomainError unless the variables are
    distinct and finite and there is exactly one text for each joint code, at most 20,000 of them.

    >>> from worldgen.exact.domains import Phrases
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> Column((coin,), ("obverse", "reverse")).label
    '{coin}'
    """

    variables: tuple[Variable, ...]
    texts: tuple[str, ...]
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if len({variable.name for variable in self.variables}) != len(self.variables):
            raise DomainError(f"column {self.label} names a variable twice")
        if len(self.texts) > LARGEST_TABLE or len(self.texts) != prod(self.sizes):
            raise DomainError(
                f"column {self.label} has {len(self.texts)} texts for {prod(self.sizes)} joint codes",
                remedy=f"give one text for each joint code, at most {LARGEST_TABLE:,}",
            )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of codes of each variable."""
        return tuple(size_of(variable) for variable in self.variables)

    @property
    def label(self) -> str:
        """The column as a person would point at it."""
        return _label(self.variables, self.origin)

    def given(self, known: Sequence[str]) -> dict[tuple[int, ...], list[tuple[tuple[int, ...], str]]]:
        """The texts for each joint code of the variables in `known`: (codes of the others, text).

        Both tuples of codes follow the order of `variables`.
        """
        old = [i for i, variable in enumerate(self.variables) if variable.name in known]
        new = [i for i, variable in enumerate(self.variables) if variable.name not in known]
        grouped: dict[tuple[int, ...], list[tuple[tuple[int, ...], str]]] = {}
        for codes, text in zip(product(*map(range, self.sizes)), self.texts, strict=True):
            group = grouped.setdefault(tuple(codes[i] for i in old), [])
            group.append((tuple(codes[i] for i in new), text))
        return grouped


@dataclass(frozen=True)
class Slot:
    """The text of one variable with too many texts to tabulate, read up to the next literal.

    `origin` is as in Column. Raises DomainError for a variable with a table of values: make it a column.
    """

    variable: Variable
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.variable.domain, Phrases | Numbers):
            raise DomainError(f"'{self.variable.name}' has a table of values: it is a column, not a slot")

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variable, as the one of a column."""
        return (self.variable,)

    @property
    def label(self) -> str:
        """The slot as a person would point at it."""
        return _label(self.variables, self.origin)

    def holds(self, mark: str) -> bool:
        """Whether a text of this slot, as it stands in the payload, can hold an unescaped `mark`."""
        domain = self.variable.domain
        if isinstance(domain, Texts):
            return mark != '"'
        if isinstance(domain, Identifiers):
            return mark in domain.alphabet
        assert isinstance(domain, Grid)
        signs = "-" * (domain.low < 0) + "." * (domain.places > 0)
        return mark in "0123456789" + signs + "/" * (domain.notation == "rational")


Item = Literal | Column | Slot


@dataclass(frozen=True)
class Leaf:
    """A straight line of items that becomes one JSON string.

    Neighbouring literals are merged and empty ones dropped, so that equal leaves are equal objects.

    >>> Leaf((Literal("a"), Literal(""), Literal("b"))).items
    (Literal(text='ab'),)
    """

    items: tuple[Item, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "items", merged(self.items))

    @cached_property
    def escaped(self) -> tuple[Item, ...]:
        """The items as they stand in a payload, between the quotation marks: made once for all plans."""
        return tuple(map(_escaped, self.items))


Tree = (
    Leaf
    | str
    | None
    | Sequence["Tree"]
    | Mapping[str, "Tree"]
    | Mapping[Leaf, "Tree"]
    | Mapping[str | Leaf, "Tree"]
)


@dataclass(frozen=True)
class Line:
    """The items of a whole payload, texts as they stand in it, and the path of the leaf of each item."""

    items: tuple[Item, ...]
    places: tuple[str, ...]

    def write(self, codes: Mapping[str, Code]) -> str:
        """The payload of one row, item by item: the slow twin of batch rendering."""
        return "".join(_write(item, codes) for item in self.items)


def straight(tree: Tree) -> Line:
    r"""The line of a JSON tree, written as json.dumps(ensure_ascii=False, separators=(",", ":")) does.

    >>> from worldgen.exact.domains import Texts
    >>> line = straight({"say": Leaf((Slot(Variable("word", Texts())),)), "to": ["me", None]})
    >>> line.write({"word": '"hi"'})
    '{"say":"\\"hi\\"","to":["me",null]}'
    """
    items: list[Item] = []
    places: list[str] = []
    for item, place in _lay(tree, "$"):
        last = items[-1] if items else None
        if isinstance(item, Literal) and isinstance(last, Literal):
            items[-1] = Literal(last.text + item.text)
        else:
            items.append(item)
            places.append(place)
    return Line(tuple(items), tuple(places))


def merged(items: Iterable[Item]) -> tuple[Item, ...]:
    """The items with neighbouring literals merged and empty ones dropped."""
    made: list[Item] = []
    for item in items:
        last = made[-1] if made else None
        if isinstance(item, Literal) and isinstance(last, Literal):
            made[-1] = Literal(last.text + item.text)
        elif item != Literal(""):
            made.append(item)
    return tuple(made)


def escaped(text: str) -> str:
    """The text as it stands between the quotation marks of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def size_of(variable: Variable) -> int:
    """The number of codes of a finite variable. Raises DomainError for an open one."""
    if variable.domain.size is None:
        raise DomainError(f"'{variable.name}' is open: its texts cannot be tabulated")
    return variable.domain.size


def longest(item: Item) -> int | None:
    """A bound on the UTF-8 bytes of an item as it stands in a payload; None where there is none.

    >>> longest(Literal("a\u00e9")), longest(Slot(Variable("tag", Identifiers("ab", 1, 8))))
    (3, 8)
    """
    if isinstance(item, Literal):
        return len(item.text.encode())
    if isinstance(item, Column):
        return max(len(text.encode()) for text in item.texts)
    domain = item.variable.domain
    if isinstance(domain, Identifiers):
        return domain.longest * max(len(mark.encode()) for mark in domain.alphabet)
    if isinstance(domain, Grid):
        # A sign, a mark, and at most the digits of |value| * denominator and of the denominator.
        whole = max(map(abs, domain.extremes)) * domain.denominator
        return 2 + len(str(int(whole))) + max(len(str(domain.denominator)), domain.places)
    return None


def following(items: Sequence[Item], position: int) -> str:
    """The literal right after an item; empty where none follows."""
    after = items[position + 1] if position + 1 < len(items) else None
    return after.text if isinstance(after, Literal) else ""


def _lay(tree: Tree, place: str) -> Iterable[tuple[Item, str]]:
    if tree is None:
        yield Literal("null"), place
    elif isinstance(tree, str):
        yield Literal(f'"{escaped(tree)}"'), place
    elif isinstance(tree, Leaf):
        yield Literal('"'), place
        yield from ((item, place) for item in tree.escaped)
        yield Literal('"'), place
    elif isinstance(tree, Mapping):
        for number, (key, value) in enumerate(tree.items()):
            yield Literal("," if number else "{"), place
            yield from _lay(key, f"{place}.(key {number + 1})")
            yield Literal(":"), place
            yield from _lay(
                value, f"{place}.{key}" if isinstance(key, str) else f"{place}.(value {number + 1})"
            )
        yield Literal("}" if tree else "{}"), place
    else:
        for number, value in enumerate(tree):
            yield Literal("," if number else "["), place
            yield from _lay(value, f"{place}[{number}]")
        yield Literal("]" if tree else "[]"), place


def _escaped(item: Item) -> Item:
    if isinstance(item, Literal):
        return Literal(escaped(item.text))
    if isinstance(item, Column):
        return Column(item.variables, tuple(map(escaped, item.texts)), item.origin)
    return item


def _write(item: Item, codes: Mapping[str, Code]) -> str:
    if isinstance(item, Literal):
        return item.text
    if isinstance(item, Slot):
        return escaped(item.variable.domain.text(codes[item.variable.name]))
    joint = 0
    for variable, size in zip(item.variables, item.sizes, strict=True):
        joint = joint * size + int(codes[variable.name])
    return item.texts[joint]


def _label(variables: Sequence[Variable], origin: str) -> str:
    names = "{" + ", ".join(variable.name for variable in variables) + "}"
    return f"{names} ({origin})" if origin else names
