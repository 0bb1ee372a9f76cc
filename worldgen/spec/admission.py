"""Which roots a cohort takes, in specs: quotas, and roots that it must not share with earlier cohorts."""

from worldgen.cohort.exclusion import digests_in, is_digest
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.quotas import Admission, Bin, Quantity, Quota
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


def _digests(fields: Fields, node: Node, text: str) -> frozenset[str]:
    """The digests that an item of `exclude` stands for."""
    if is_digest(text):
        return frozenset([text])
    path = fields.beside(node, text, "write the digests themselves")
    if path is None:
        return frozenset()
    try:
        return digests_in(path)
    except CohortError as error:
        fields.fault(node, error.message, error.remedy)
        return frozenset()
