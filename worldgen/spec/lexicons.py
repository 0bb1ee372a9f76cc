"""Lexicons in specs: words with their definitions, and sets of candidates, as comma-separated values.

Each table stands in a file beside the spec or, as a text, in the spec itself. Every row is checked; what is
wrong with one is said at its line.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import read_number
from worldgen.faults import Fault, SpecError
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node
from worldgen.spec.sources import read_source
from worldgen.worlds.lexical import Entry, Lexical, WordSet

WORDS = ("word", "zipf", "synset", "definition", "lemmas")
SETS = ("slot", "answer", "candidates")
_WORDS_NEEDED = ("word", "definition")
_REMEDY = "write {file: words.csv}, or {text: ...}"
_LETTERS = re.compile("[a-z]+", re.ASCII)


@dataclass
class _Table:
    """The rows of a table, each with its line, and the faults found in it so far."""

    fields: Fields
    node: Node
    file: str | None
    text: str
    rows: list[tuple[int, Mapping[str, str]]] = field(default_factory=list)

    def place(self, line: int) -> tuple[str, int]:
        """The file and line of a row. A table inside the spec is known by the line where it begins."""
        return (self.file, line) if self.file else (self.fields.source.file, self.node.place.line)

    def fault(self, line: int, key: str, message: str, remedy: str) -> None:
        """Note what is wrong with a row."""
        file, at = self.place(line)
        path = (*self.node.place.path, *((key,) if key else ()))
        column = 1 if self.file else self.node.place.column
        self.fields.faults.append(Fault(path, message, remedy, file, at, column))


def lexical(fields: Fields, node: Node) -> Lexical | None:
    """The task of a lexicon, or None with every fault noted."""
    before = len(fields.faults)
    found = fields.keys(node, ("words", "sets"), ("credits",))
    if found is None:
        return None
    words = _table(fields, found.get("words"), WORDS, _WORDS_NEEDED)
    entries = {entry.word: entry for entry in _entries(words)} if words else {}
    whole = len(fields.faults) == before
    sets = _table(fields, found.get("sets"), SETS, SETS)
    credit = _credits(fields, found["credits"]) if "credits" in found else ()
    if words is None or sets is None:
        return None
    read = list(_sets(sets, entries, whole))
    if len(fields.faults) > before:
        return None
    used = {word for one in read for word in one.candidates}
    kept = tuple(entry for word, entry in entries.items() if word in used)
    return Lexical(kept, tuple(read), credit)


def lexicon_data(task: Lexical) -> dict[str, object]:
    """The tables and credits of a lexicon as texts in a spec: `lexical` reads them back."""
    words = [
        (entry.word, entry.zipf, entry.synset, entry.definition, " ".join(entry.lemmas))
        for entry in task.entries
    ]
    sets = [(one.slot, one.answer, " ".join(one.candidates)) for one in task.sets]
    credit = {"credits": [{"text": text} for text in task.credits]} if task.credits else {}
    return {"words": {"text": table_text(WORDS, words)}, "sets": {"text": table_text(SETS, sets)}, **credit}


def table_text(names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as comma-separated values, each line ending in a line feed.

    >>> print(table_text(("word", "definition"), [("cat", "a pet, often")]), end="")
    word,definition
    cat,"a pet, often"
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([names, *rows])
    return out.getvalue()


def _credits(fields: Fields, node: Node) -> tuple[str, ...]:
    """The notices, those alone that could be read."""
    items = fields.items(node, "list {file: NOTICE.txt}, or {text: ...}") or ()
    read = (_opened(fields, item) for item in items)
    return tuple(found[1] for found in read if found is not None)


def _table(fields: Fields, node: Node | None, known: Sequence[str], needed: Sequence[str]) -> _Table | None:
    """The rows of a table; None with the fault noted where it cannot be read at all."""
    opened = None if node is None else _opened(fields, node)
    if node is None or opened is None:
        return None
    table = _Table(fields, node, *opened)
    return table if _read(table, known, needed) else None


def _opened(fields: Fields, node: Node) -> tuple[str | None, str] | None:
    """The name of a file and its text, or no name and a text that stands in the spec."""
    found = fields.keys(node, (), ("file", "text"))
    if found is None:
        return None
    if len(found) != 1:
        if not isinstance(node, Mapping_) or len(node.pairs) == len(found):
            fields.fault(node, "give either a file or a text", _REMEDY)
        return None
    if "text" in found:
        text = fields.text(found["text"])
        return None if text is None else (None, text)
    name = fields.text(found["file"], "name a file")
    path = None if name is None else fields.beside(found["file"], name, "write {text: ...}")
    if path is None:
        return None
    try:
        return str(path), read_source(path).text
    except SpecError as error:
        (fault,) = error.faults
        fields.fault(found["file"], f"{name}: {fault.message}", fault.remedy)
        return None


def _read(table: _Table, known: Sequence[str], needed: Sequence[str]) -> bool:
    """Whether the text of a table could be read into rows."""
    reader = csv.reader(StringIO(table.text, newline=""), strict=True)
    try:
        names = next(reader, [])
        wrong = [name for name in names if name not in known or names.count(name) > 1]
        if wrong or not set(needed) <= set(names):
            message = f"the first line names {', '.join(names) or 'no column'}"
            table.fault(1, "", message, f"name {', '.join(needed)}" + _others(known, needed))
            return False
        line = reader.line_num + 1
        for row in reader:
            if len(row) == len(names):
                table.rows.append((line, dict(zip(names, row, strict=True))))
            elif row:
                message = f"{len(row)} values, where the first line names {len(names)}"
                table.fault(line, "", message, "quote a value that holds a comma")
            line = reader.line_num + 1
    except csv.Error as error:
        message = f"this is no table of comma-separated values: {error}"
        table.fault(reader.line_num, "", message, "close every quotation mark, and double one inside a value")
        return False
    return True


def _others(known: Sequence[str], needed: Sequence[str]) -> str:
    others = [name for name in known if name not in needed]
    return f"; there may be {', '.join(others)}" if others else ""


def _entries(table: _Table) -> Iterator[Entry]:
    """The words of a table, the good rows alone."""
    seen: dict[str, int] = {}
    for line, row in table.rows:
        word, definition, zipf = row["word"], row["definition"], row.get("zipf", "")
        if not _LETTERS.fullmatch(word):
            table.fault(line, word, f"'{word}' is no word in lower case ASCII letters", "write it in them")
        elif seen.setdefault(word, line) != line:
            table.fault(line, word, f"'{word}' stands in line {seen[word]} already", "keep one of them")
        elif not definition.strip():
            table.fault(line, word, f"'{word}' has no definition", "give one")
        elif not definition.isprintable():
            table.fault(line, word, "the definition holds a control character", "write it in one line")
        elif zipf and not _is_number(zipf):
            table.fault(line, word, f"'{zipf}' is no number", "write a Zipf frequency like 4.69")
        else:
            lemmas = tuple(row.get("lemmas", "").split())
            yield Entry(word, definition, zipf, row.get("synset", ""), lemmas)


def _is_number(text: str) -> bool:
    try:
        read_number(text)
    except NumberError:
        return False
    return True


def _sets(table: _Table, entries: Mapping[str, Entry], whole: bool) -> Iterator[WordSet]:
    """The sets of a table, the good rows alone. Unless the words are whole, sets that lack some are passed
    over.
    """
    by_definition: dict[str, list[str]] = {}
    for entry in entries.values():
        by_definition.setdefault(entry.definition, []).append(entry.word)
    seen: dict[str, int] = {}
    for line, row in table.rows:
        slot, one = row["slot"], WordSet(row["slot"], row["answer"], tuple(row["candidates"].split()))
        if not whole and not set(one.candidates) <= set(entries):
            continue
        fault = next(_unsound(one, entries, by_definition), None)
        if seen.setdefault(slot, line) != line:
            fault = f"'{slot}' stands in line {seen[slot]} already", "keep one of them"
        if fault is None:
            yield WordSet(slot, one.answer, one.candidates, table.place(line))
        else:
            table.fault(line, slot, *fault)


def _unsound(
    one: WordSet, entries: Mapping[str, Entry], by_definition: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """What is wrong with a set, the causes before what follows from them, each with what to do."""
    for word in dict.fromkeys(one.candidates):
        if one.candidates.count(word) > 1:
            yield f"'{word}' stands twice among the candidates", "give distinct words"
        if word not in entries:
            yield f"'{word}' is not among the words", "add it there, with its definition"
        elif len(word) != len(one.answer):
            lengths = f"'{word}' has {len(word)} letters and '{one.answer}' {len(one.answer)}"
            yield lengths, "give words of one length"
    if one.answer not in one.candidates:
        yield f"'{one.answer}' is not among the candidates", "list it with them, separated by blanks"
    else:
        yield from _ambiguous(one, entries, by_definition)


def _ambiguous(
    one: WordSet, entries: Mapping[str, Entry], by_definition: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Words that have one sense, though one of them is asked for or both are candidates."""
    for other in by_definition[entries[one.answer].definition]:
        if other != one.answer:
            yield f"'{other}' has the definition of '{one.answer}'", "tell them apart, or ask for another"
    for what in ("definition", "synset"):
        known: dict[str, str] = {}
        for word in one.candidates:
            text = getattr(entries[word], what)
            if text and known.setdefault(text, word) != word:
                yield f"'{known[text]}' and '{word}' have one {what}", "offer words of different senses"
