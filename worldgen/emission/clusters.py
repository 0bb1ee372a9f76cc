"""Shards written by a Dask cluster, on any machines that share a file system with this one."""

import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import ExitStack, closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from worldgen.cohort.manifests import CohortError
from worldgen.emission.executors import interrupts_blocked
from worldgen.emission.host import end_group
from worldgen.exact.drafts import AGAIN

try:
    import distributed
except ImportError:  # it comes with the extra `dask`
    distributed = None

LOCAL = "local"
PATIENCE = 5  # seconds in which a scheduler that is there answers


@contextmanager
def dask(address: str, workers: int = 1) -> Iterator[Executor]:
    """The executor of a Dask cluster, for `emit(executor=)`: that of the scheduler at an address such as
    tcp://host:8786; or, for "local", of a cluster of `workers` processes of this machine that ends with it.

    Where a worker is lost Dask gives its shards to others. Raises CohortError where Dask is not installed, no
    scheduler answers within seconds, it has no workers, or these have another version of this library; and,
    while the cluster is in use, where the scheduler goes away or one shard killed every worker that took it.
    """
    if distributed is None:
        raise CohortError("Dask is not installed", remedy="pip install 'worldgen[dask]'")
    with _silence(), _client(address, workers) as client:
        _same_versions(client, address)
        try:
            yield client.get_executor(pure=False)
        except distributed.KilledWorker as error:
            raise CohortError(
                f"one shard killed {error.last_worker.address} and every worker that took it before (out of"
                " memory?)",
                remedy=f"give workers more memory or fewer threads; {AGAIN}",
            ) from error
        except (CancelledError, distributed.comm.CommClosedError) as error:
            raise CohortError(f"the scheduler at {address} went away", remedy=f"start it; {AGAIN}") from error


@contextmanager
def _silence() -> Iterator[None]:
    """Leave what becomes of a cluster to the errors that are raised: its log would tell it in tracebacks."""
    known = [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]
    loggers = [logging.getLogger(name) for name in known]
    before = [(logger, logger.level) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in before:
            logger.setLevel(level)


@contextmanager
def _client(address: str, workers: int) -> Iterator["distributed.Client"]:
    with ExitStack() as held:
        if address == LOCAL:
            address = _hosted(workers, held)
        else:
            _knock(address)
        yield held.enter_context(distributed.Client(address, timeout=PATIENCE, set_as_default=False))


def _hosted(workers: int, held: ExitStack) -> str:
    """The address of a cluster of this machine, which ends with `held`. Another process starts it, so that an
    interrupt need not wait until it has started: where that is done, no half of it can be thrown away.
    """
    scratch = held.enter_context(TemporaryDirectory(prefix="worldgen-", ignore_cleanup_errors=True))
    imported = os.pathsep.join(str(Path(folder).absolute()) for folder in sys.path)
    with interrupts_blocked():  # until the process is held
        host = subprocess.Popen(
            [sys.executable, "-P", "-m", "worldgen.emission.host", str(workers)],
            # It imports the library that this process imports, wherever that found it.
            env={**os.environ, "PYTHONPATH": imported, "DASK_TEMPORARY_DIRECTORY": scratch},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what becomes of the cluster is told by errors
            text=True,
            start_new_session=True,
        )
        held.enter_context(host)
        held.callback(end_group, host.pid)
    assert host.stdout is not None
    said = host.stdout.readline().strip()
    if not said.startswith("tcp://"):
        raise CohortError(
            f"no cluster could be started on this machine: {said or 'its process ended'}",
            remedy=f"use --workers instead of --dask; {AGAIN}",
        )
    return said


def _knock(address: str) -> None:
    """Raise CohortError unless something listens at an address. A client would try, and complain, longer."""
    try:
        host, port = distributed.comm.get_address_host_port(address, strict=True)
        with closing(socket.create_connection((host, port), PATIENCE)):
            return
    except ValueError as error:
        raise CohortError(
            f"'{address}' is no address of a scheduler: {error}", remedy="write tcp://host:8786, or local"
        ) from error
    except OSError as error:
        raise CohortError(
            f"no scheduler answers at {address}: {error.strerror or error}",
            remedy="start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
        ) from error


def _version() -> str:
    return version("worldgen")


def _same_versions(client: "distributed.Client", address: str) -> None:
    """Raise CohortError unless every worker has this version of the library, which decides the bytes."""
    ours, found = _version(), client.run(_version, on_error="return")
    if not found:
        raise CohortError(f"the scheduler at {address} has no workers", remedy="start some: `dask worker`")
    for worker, theirs in found.items():
        if theirs != ours:
            said = f"worldgen {theirs}" if isinstance(theirs, str) else f"no worldgen ({theirs})"
            raise CohortError(
                f"the worker at {worker} has {said}, and this is {ours}", remedy="install the same there"
            )
