"""How far an emission is, in roots: what is finished, and what stands in batches of shards at work."""

from collections.abc import Callable

Progress = Callable[[int, int], None]


class Gauge:
    """Tells `progress` how many of `total` roots are written, never fewer than it told before.

    A shard that was lost with its worker is heard of twice, so what batches say counts for no more than all.
    """

    def __init__(self, progress: Progress, total: int, found: int) -> None:
        self._progress, self._total = progress, total
        self._finished = self._heard = self._told = found
        progress(found, total)

    def batch(self, roots: int) -> None:
        """Hear of roots in a batch of a shard that is not finished."""
        self._heard += roots
        self._tell(min(self._heard, self._total))

    def shard(self, roots: int) -> None:
        """Hear of a finished shard."""
        self._finished += roots
        self._tell(self._finished)

    def _tell(self, roots: int) -> None:
        if roots > self._told:
            self._told = roots
            self._progress(roots, self._total)
