"""Shards written by a Dask cluster, on any machines that share a file system with this one."""

import logging
import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version

from worldgen.cohort.manifests import CohortError
from worldgen.emission.executors import interrupts_blocked
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
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if "distributed" in name]
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
    if address != LOCAL:
        _knock(address)
        with distributed.Client(address, timeout=PATIENCE, set_as_default=False) as client:
            yield client
        return
    with interrupts_blocked():
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            # Without a port of its own its server would take the usual one, which another cluster may have.
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            silence_logs=logging.CRITICAL,
        )
    with cluster, distributed.Client(cluster, set_as_default=False) as client:
        try:
            yield client
        except BaseException:
            # It would wait for shards at work, and an interrupt is to end within two seconds.
            for pid in [nanny.pid for nanny in cluster.workers.values()]:
                with suppress(ProcessLookupError, TypeError):  # it ended, or never started
                    os.kill(pid, signal.SIGKILL)
            raise


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
