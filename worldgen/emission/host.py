"""The process that hosts a Dask cluster of this machine: its scheduler, and the processes that work for it.

    python -m worldgen.emission.host WORKERS

It prints the scheduler's address once all workers are there, or else why they are not. It and they are a
process group that lives as long as its stdin is open: whoever started it holds the other end, and lets go of
it even when killed. Nothing that the group does has to be finished, so nobody waits for its end.

This module imports nothing that is slow to import, so that it is on its leash before all else.
"""

import os
import signal
import sys
import threading
from contextlib import suppress


def main(workers: int) -> None:
    """Host a cluster of so many workers until stdin ends."""
    leash = threading.Thread(target=_end_with_stdin, daemon=True)
    leash.start()
    from distributed import LocalCluster  # noqa: PLC0415  # it takes half a second

    try:
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            # Without a port of its own its server would take the usual one, which another cluster may have.
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
        )
    except Exception as error:  # whatever keeps a cluster from starting, the one who waits for it is told
        print(f"{type(error).__name__}: {error}", flush=True)
        return
    print(cluster.scheduler_address, flush=True)
    leash.join()


def end_group(leader: int) -> None:
    """Kill all processes of a group, in the middle of what they do."""
    with suppress(ProcessLookupError):  # it ended by itself
        os.killpg(leader, signal.SIGKILL)


def _end_with_stdin() -> None:
    sys.stdin.read()
    end_group(os.getpgrp())


if __name__ == "__main__":
    main(int(sys.argv[1]))
