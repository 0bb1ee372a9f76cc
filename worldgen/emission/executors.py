"""Who writes shards: this process, processes on this machine, or any executor; and how none is lost.

A shard is a pure function of its job, and its files appear by rename. So whatever became of a worker,
writing its shards once more is always right, and never changes a byte.
"""

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Pipe, get_context, resource_tracker

from worldgen.cohort.manifests import CohortError
from worldgen.emission.leash import Lock, tell, tie
from worldgen.emission.shards import Job, Receipt, Told, write_shard
from worldgen.emission.temporaries import AGAIN
from worldgen.interrupts import heed

IN_FLIGHT = (
    1024  # jobs that an executor of the caller's holds at once: work for many, no burden in a scheduler
)
LOOK = 0.2  # seconds between looks at how far workers are

Written = tuple[Job, Receipt]


@dataclass(frozen=True)
class _Crew:
    """An executor at work: what it is given, how many jobs at once, and how to look at its progress."""

    executor: Executor
    write: Callable[[Job], Receipt]
    jobs: int
    look: Callable[[], None]


def write_shards(
    jobs: Sequence[Job], executor: Executor | None, workers: int, lock: Lock | None, told: Told
) -> Iterator[Written]:
    """Write shards by an executor, or by `workers` processes of this machine; each job when it is done.

    `told` hears of batches within shards that are written on this machine by this function's own means. A
    shard that a process took with it is written by another. Raises CohortError when that is killed, too.
    """
    if executor is None and min(workers, len(jobs)) <= 1:
        for job in jobs:
            yield job, write_shard(job, told)
        return
    left, losses = {job.shard.number: job for job in jobs}, Counter[int]()
    while left:
        try:
            with _crew(executor, min(workers, len(left)), lock, told) as crew:
                for job, receipt in _written(list(left.values()), crew, losses):
                    del left[job.shard.number]
                    yield job, receipt
        except BrokenExecutor as error:
            if executor is None and max(losses.values(), default=0) < 2:
                continue
            raise CohortError(
                "a worker was killed (out of memory?)",
                remedy=f"use fewer workers; {AGAIN}",
            ) from error


def _written(jobs: list[Job], crew: _Crew, losses: Counter[int]) -> Iterator[Written]:
    """Every job with its receipt, in the order in which they are done, a bounded number of them at work.

    Jobs at work when the executor breaks are counted in `losses`: which one was to blame is not known.
    """
    waiting, flying = iter(jobs), dict[Future[Receipt], Job]()
    try:
        while True:
            for job in islice(waiting, crew.jobs - len(flying)):
                with interrupts_blocked():
                    flying[crew.executor.submit(crew.write, job)] = job
            if not flying:
                return
            heed()
            done = wait(flying, LOOK, FIRST_COMPLETED).done
            crew.look()
            for future in done:
                yield flying[future], future.result()
                del flying[future]
    except BrokenExecutor:
        losses.update(job.shard.number for job in flying.values())
        raise
    finally:
        for future in flying:
            future.cancel()


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Processes that start meanwhile never see Ctrl-C: this process alone decides what is stopped."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it starts with the first process, and then lets SIGINT through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _crew(executor: Executor | None, workers: int, lock: Lock | None, told: Told) -> Iterator[_Crew]:
    """The executor of the caller; or processes of this machine, none of which outlives this process."""
    if executor is not None:
        yield _Crew(executor, write_shard, IN_FLIGHT, lambda: None)
        return
    held, leash = Pipe(duplex=False)
    news, teller = Pipe(duplex=False)

    def look() -> None:
        while news.poll():
            told(int.from_bytes(news.recv_bytes(), "big"))

    # Arrow and numpy keep threads that a forked child would inherit locked, so children are spawned.
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=tie, initargs=(held, teller, lock))
    try:
        yield _Crew(pool, _write, 2 * workers, look)
    except BaseException:
        leash.close()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        for end in (leash, held, news, teller):
            end.close()


def _write(job: Job) -> Receipt:
    return write_shard(job, tell)
