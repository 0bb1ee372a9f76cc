"""The garbage collector at rest, for work that makes many objects and no cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Keep Python from looking for cycles within a block, or within a function that this decorates.

    Reports and verdicts hold no cycles, so that nothing is left behind; looking through them, and through a
    cohort's tables, every time their number has grown by a quarter doubles the time of scoring them.
    Whatever was so before is so after, an error included.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
