"""Reading the file of a shard from its beginning to its end, in memory that does not grow with it."""

from contextlib import ExitStack, suppress
from types import TracebackType

from worldgen.cohort.contents import Entry
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import read_batches
from worldgen.emission.repeats import Openings, openings_of
from worldgen.exact import arrow
from worldgen.exact.places import Place, here, sha256_of

BATCH_ROWS = 8192


class Reading:
    """A Parquet file that is read once, wherever it lies, while its rows are digested.

    A file that cannot be read, or not to its end, has a `fault`, which says why, and no more rows; one whose
    rows hold semantic digests gives their `openings`, unless they are no digests.
    """

    def __init__(self, file: Place, schema: arrow.Schema) -> None:
        self._file, self._schema = file, schema
        self._held = ExitStack()
        self._digest = ContentDigest(schema)
        self._waiting = [arrow.table(schema, {name: [] for name in schema.names})]
        self.fault = ""
        self.footer: dict[str, str] = {}
        self.openings: list[Openings] = []
        self.size, self.sha256, self.rows = 0, "", 0

    def __enter__(self) -> "Reading":
        try:
            local = self._held.enter_context(here(self._file))
            self.size, self.sha256 = local.stat().st_size, sha256_of(local)
            self.footer = arrow.read_footer(local)
            self._batches = read_batches(local, self._schema, BATCH_ROWS)
        except (OSError, ValueError) as error:
            self.fault = str(error)
        except BaseException:
            self._held.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()

    def take(self, rows: int) -> arrow.Table:
        """The next rows, fewer where the file ends."""
        while sum(table.num_rows for table in self._waiting) < rows and self._more():
            pass
        joined = arrow.joined(self._waiting)
        self._waiting = [joined.slice(rows, joined.num_rows)]
        return joined.slice(0, rows)

    def rest(self) -> int:
        """How many rows are left. They are read, and not kept."""
        left = sum(table.num_rows for table in self._waiting)
        self._waiting = self._waiting[:1]
        while self._more():
            left += self._waiting.pop().num_rows
        self._waiting = [self._waiting[0].slice(0, 0)]
        return left

    def _more(self) -> bool:
        """Read a batch; False where there is none."""
        if self.fault:
            return False
        try:
            batch = next(self._batches, None)
        except (OSError, ValueError) as error:
            self.fault = str(error)
            return False
        if batch is None:
            return False
        self._digest.update(batch)
        self.rows += batch.num_rows
        self._waiting.append(batch)
        if "semantic_digest" in batch.column_names:
            with suppress(ValueError):  # what is no digest has no opening, and differs from the row redrawn
                self.openings.append(openings_of(arrow.whole(batch, "semantic_digest")))
        return True

    @property
    def entry(self) -> Entry:
        """What a manifest lists of the file, once all of it was read."""
        return {"bytes": self.size, "sha256": self.sha256, "rows": self.rows, "content": self.content}

    @property
    def content(self) -> str:
        """The content digest of the rows that were read."""
        return self._digest.hexdigest()
