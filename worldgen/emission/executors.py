"""Who works on shards: this process, processes on this machine, or any executor; and how none is lost.

Writing a shard is a pure function of its job, and its files appear by rename. So whatever became of a worker,
doing its work once more is always right, and never changes a byte.
"""

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Pipe, get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import TypeVar

from worldgen.cohort.manifests import CohortError
from worldgen.emission.leash import Lock, tell, tie
from worldgen.emission.shards import Job, Told
from worldgen.exact.drafts import AGAIN
from worldgen.interrupts import heed

IN_FLIGHT = 1024  # jobs with an executor of the caller's: work for many, and no burden in a scheduler
LOOK = 0.2  # seconds between looks at how far workers are

# Processes that are spawned import the script again, and a call that is not guarded breaks them at once.
_FEWER = f"use fewer workers, and in a script emit below 'if __name__ == \"__main__\":'; {AGAIN}"

Done = TypeVar("Done")
Work = Callable[[Job, Told], Done]


@dataclass
class _Processes:
    """Processes of this machine, none of which outlives this process: they are on a leash (`leash.tie`).

    Whoever lets go of the leash, on purpose or by being killed, ends them in the middle of their work.
    """

    pool: ProcessPoolExecutor
    leash: Connection
    news: Connection
    ends: list[Connection]

    @staticmethod
    def started(workers: int, lock: Lock | None) -> "_Processes":
        held, leash = Pipe(duplex=False)
        news, teller = Pipe(duplex=False)
        # Arrow and numpy keep threads that a forked child would inherit locked, so children are spawned.
        context = get_context("spawn")
        pool = ProcessPoolExecutor(workers, context, initializer=tie, initargs=(held, teller, lock))
        return _Processes(pool, leash, news, [held, teller, news])

    def look(self, told: Told) -> None:
        """Pass on what workers told since the last look."""
        while self.news.poll():
            told(int.from_bytes(self.news.recv_bytes(), "big"))

    def end(self) -> None:
        """End them, in the middle of their work or after it. What is done is written, and a process that ends
        by its leash does not tidy up first.
        """
        self.leash.close()
        self.pool.shutdown(cancel_futures=True)
        for connection in self.ends:
            connection.close()


class Crew:
    """Who works on jobs: an executor of the caller's, or up to `workers` processes of this machine, which
    share the lock; this process itself if that is one. Processes start with the first work and end with the
    crew.
    """

    def __init__(self, executor: Executor | None, workers: int, lock: Lock | None) -> None:
        self._executor, self._workers, self._lock = executor, workers, lock
        self._processes: _Processes | None = None

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()

    def run(self, work: Work[Done], jobs: Sequence[Job], told: Told) -> Iterator[tuple[Job, Done]]:
        """Do work on every job, and yield each with what came of it when it is done.

        `told` hears what work tells of its progress, except from an executor of the caller's. What a process
        took with it when it was killed is done by another, once. Raises CohortError when that is killed, too.
        """
        if self._executor is None and self._workers <= 1:
            for job in jobs:
                yield job, work(job, told)
            return
        left, losses = {job.shard.number: job for job in jobs}, Counter[int]()
        while left:
            try:
                for job, done in self._flown(work, list(left.values()), told, losses):
                    del left[job.shard.number]
                    yield job, done
            except BrokenExecutor as error:
                self._leave()
                if self._executor is not None or max(losses.values(), default=0) > 1:
                    raise CohortError("a worker was killed (out of memory?)", remedy=_FEWER) from error

    def _flown(
        self, work: Work[Done], jobs: list[Job], told: Told, losses: Counter[int]
    ) -> Iterator[tuple[Job, Done]]:
        """The same as long as no process is killed; those at work then are counted, the one to blame among
        them.
        """
        waiting, flying = iter(jobs), dict[Future[Done], Job]()
        most = IN_FLIGHT if self._executor is not None else 2 * self._workers
        try:
            while True:
                for job in islice(waiting, most - len(flying)):
                    flying[self._submit(work, job)] = job
                if not flying:
                    return
                heed()
                finished = wait(flying, LOOK, FIRST_COMPLETED).done
                if self._processes:
                    self._processes.look(told)
                for future in finished:
                    yield flying[future], future.result()
                    del flying[future]
        except BrokenExecutor:
            losses.update(job.shard.number for job in flying.values())
            raise
        finally:
            for future in flying:
                future.cancel()

    def _submit(self, work: Work[Done], job: Job) -> "Future[Done]":
        if self._executor is not None:
            return self._executor.submit(_quietly, work, job)
        with interrupts_blocked():
            if self._processes is None:
                self._processes = _Processes.started(self._workers, self._lock)
            return self._processes.pool.submit(work, job, tell)

    def _leave(self) -> None:
        if self._processes:
            self._processes.end()
            self._processes = None


def _quietly(work: Work[Done], job: Job) -> Done:
    return work(job, lambda roots: None)


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
