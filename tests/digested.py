"""The content digest of a table that is there as a whole."""

from worldgen.emission.digests import ContentDigest
from worldgen.exact.arrow import Table


def content_digest(table: Table) -> str:
    """What the footer of a file that holds these rows, and no others, says."""
    digest = ContentDigest(table.schema)
    digest.update(table)
    return digest.hexdigest()
