"""The contents of one side of a cohort: all that its pages are made of."""

from collections.abc import Mapping
from dataclasses import dataclass

from worldgen.cohort.cohorts import Cohort
from worldgen.exact.arrow import Schema

Entry = Mapping[str, int | str]


@dataclass(frozen=True)
class Contents:
    """What stands in the folder `side`, "public" or "evaluator", of a cohort of `roots` roots.

    `version` is three numbers made of the content digest, so that it changes with the rows. `tables`
    are the tables of the side, and `shards` maps "<table>/<file>" to its `bytes`, `rows` and `sha256`.
    Nothing here knows of a time, a host or a seed, and so no page can.
    """

    cohort: Cohort
    roots: int
    side: str
    version: str
    tables: Mapping[str, Schema]
    shards: Mapping[str, Entry]

    @property
    def requests(self) -> int:
        """The number of requests of all roots, ineligible ones included."""
        return self.roots * len(self.cohort.variants)

    def total(self, table: str, key: str) -> int:
        """The sum of `bytes` or `rows` over the shards of a table."""
        return sum(int(entry[key]) for path, entry in self.shards.items() if path.startswith(f"{table}/"))
