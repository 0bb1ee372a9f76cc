"""Which roots a cohort takes, in specs: quotas, and roots that it must not share with earlier cohorts."""

from collections.abc import Sequence
from pathlib import Path

from worldgen.cohort.manifests import CohortError, read_rows
from worldgen.cohort.quotas import Admission, Bin, Quantity, Quota, is_digest
from worldgen.exact.expressions import ExpressionError
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Node
from worldgen.spec.numbers import number, whole

_EXCLUDE = "list folders of cohorts, files of digests with one a line, or digests"


def admission(fields: Fields, quota: Node | None, exclude: Node | None) -> Admission:
    """The admission of a cohort; what could not be read of it is noted and left out."""
    found: set[str] = set()
    for item in fields.items(exclude, _EXCLUDE) or ():
        text = fields.text(item, _EXCLUDE)
        if text is not None:
            found.update(_digests(fields, item, text))
    return Admission(None if quota is None else _quota(fields, quota), frozenset(found))


def _quota(fields: Fields, node: Node) -> Quota | None:
    found = fields.keys(node, ("of", "bins"))
    if found is None:
        return None
    text = fields.text(found.get("of"), "write an expression, like max(q(A), 1 - q(A))")
    bins = fields.items(found.get("bins"), "list {from: 1/2, below: 3/4, roots: 10}, one for each bin")
    quantity = None
    if text is not None:
        try:
            quantity = Quantity(text)
        except ExpressionError as error:
            fields.fault(found["of"], error.message, error.remedy)
    read = [_bin(fields, item) for item in bins or ()]
    whole_bins = tuple(each for each in read if each is not None)
    return Quota(quantity, whole_bins) if quantity and len(whole_bins) == len(read) else None


def _bin(fields: Fields, node: Node) -> Bin | None:
    found = fields.keys(node, ("from", "below", "roots"))
    if found is None:
        return None
    low, high = number(fields, found.get("from")), number(fields, found.get("below"))
    roots = whole(fields, found.get("roots"), 1)
    return None if low is None or high is None or roots is None else Bin(low[0], high[0], roots)


def _digests(fields: Fields, node: Node, text: str) -> Sequence[str]:
    """The digests that an item of `exclude` stands for."""
    if is_digest(text):
        return [text]
    if fields.source.folder is None:
        message = "this spec is not in a file, so it has no files beside it"
        fields.fault(node, message, "write the digests themselves")
        return []
    try:
        return listed_digests(fields.source.folder / text)
    except CohortError as error:
        fields.fault(node, error.message, error.remedy)
        return []


def listed_digests(path: Path) -> Sequence[str]:
    """The digests of a cohort's roots, for a folder, or those that a file lists. Raises CohortError."""
    try:
        if path.is_dir():
            return read_rows(path, "roots", ["semantic_digest"]).column("semantic_digest").to_pylist()
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except FileNotFoundError:
        raise CohortError(f"there is no file or folder {path}", remedy=_EXCLUDE) from None
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else "it is not text in UTF-8"
        raise CohortError(f"{path} cannot be read: {said}", remedy=_EXCLUDE) from error
    for place, line in enumerate(lines, 1):
        if line and not is_digest(line):
            message = f"line {place} of {path} is '{line[:40]}', which is no digest"
            raise CohortError(message, remedy="write one digest a line, 64 hexadecimal digits in lower case")
    return [line for line in lines if line]
