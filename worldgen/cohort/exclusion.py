"""The roots of earlier cohorts, by semantic digest, so that a new cohort can do without them."""

import re

from worldgen.cohort.manifests import CohortError, check_finished, read_rows
from worldgen.exact.places import Place

_DIGEST = re.compile("[0-9a-f]{64}", re.ASCII)


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 as this library writes it.

    >>> is_digest("0" * 64), is_digest("A" * 64)
    (True, False)
    """
    return _DIGEST.fullmatch(text) is not None


def digests_in(path: Place) -> frozenset[str]:
    """The semantic digests that a path holds: of every root of the cohort in a folder, or those in a file,
    one a line. Raises CohortError for anything else.
    """
    if path.is_dir():
        check_finished(path)
        return frozenset(read_rows(path, "roots", ["semantic_digest"]).column("semantic_digest").to_pylist())
    remedy = "give the folder of a cohort, or a file of semantic digests with one a line"
    try:
        lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else "it is not text in UTF-8"
        raise CohortError(f"{path} cannot be read as a list of digests: {said}", remedy=remedy) from error
    for number, line in enumerate(lines, 1):
        if line and not is_digest(line):
            message = f"line {number} of {path} is '{line[:40]}', which is no digest"
            raise CohortError(message, remedy=remedy)
    return frozenset(line for line in lines if line)
