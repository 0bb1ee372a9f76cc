"""From a file to its tree, and to the kind of spec that it holds."""

from collections.abc import Sequence
from pathlib import Path

from worldgen.names import nearest
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, read_tree
from worldgen.spec.sources import Source, read_source

SUFFIXES = (".yaml", ".yml", ".json")


def is_path(text: str) -> bool:
    """Whether a text names a file rather than a shipped spec.

    >>> is_path("noisy-sensor"), is_path("mine/urn.yaml")
    (False, True)
    """
    return text.endswith(SUFFIXES)


def open_spec(source: Path | Source, kinds: Sequence[str], prove: bool = False) -> tuple[Fields, Node]:
    """The fields and the root of a spec of one of the kinds.

    Raises SpecError where the text is not YAML or of another kind: nothing further can be read then.
    """
    if isinstance(source, Path):
        source = read_source(source)
    root, faults = read_tree(source.text, source.file)
    fields = Fields(source, faults, prove=prove)
    if root is None:
        fields.raise_all()
        raise AssertionError("a text without a tree has a fault")
    if kind_of(fields, root, kinds) is None:
        fields.raise_all()
    return fields, root


def kind_of(fields: Fields, root: Node, kinds: Sequence[str]) -> str | None:
    """The kind that a spec says it is, or None with the fault noted."""
    remedy = f"start with 'kind: {kinds[0]}'"
    if not isinstance(root, Mapping_):
        fields.unlike(root, "a mapping", remedy)
        return None
    node = root.get("kind")
    if node is None:
        fields.fault(root, "the key 'kind' is missing", remedy)
        return None
    text = fields.text(node, remedy)
    if text is not None and text not in kinds:
        fields.fault(node, f"the kind '{text}' is not expected here", nearest(text, kinds))
        return None
    return text
