"""The roots of earlier cohorts, by semantic digest, so that a new cohort can do without them."""

import re
from pathlib import Path

from worldgen.cohort.manifests import CohortError, read_rows

_DIGEST = re.compile("[0-9a-f]{64}", re.ASCII)


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 as this library writes it.

    >>> is_digest("0" * 64), is_digest("A" * 64)
    (True, False)
    """
    return _DIGEST.fullmatch(text) is not None


def digests_in(path: Path) -> frozenset[str]:
    """The semantic digests that a path holds: of every root of the cohort in a folder, or those in a file,
    one a line. Raises CohortError for anything else.
    """
    if path.is_dir():
        return frozenset(read_rows(path, "roots", ["semantic_digest"]).column("semantic_digest").to_pylist())
    remedy = "give the folder of a cohort, or a file of semantic digests with one a line"
    try:
        lines = path.read_text(encoding="utf-8").split()
    except (OSError, ValueError) as error:
        raise CohortError(f"{path} cannot be read as a list of digests", remedy=remedy) from error
    wrong = [line for line in lines if not is_digest(line)]
    if wrong:
        raise CohortError(f"{path} holds '{wrong[0][:40]}', which is no digest", remedy=remedy)
    return frozenset(lines)
