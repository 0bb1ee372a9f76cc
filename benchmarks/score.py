"""How fast exact scoring is, next to the usual way in doubles.

    python benchmarks/score.py [--rounds R]

Each line is one quantity, computed by this library and by the usual code on the same data in this very
run, in turn, on one thread; the figures are medians of CPU seconds, and their ratio. Data are made before
the clock starts, as integers for the one and as doubles for the other.

- total variation and expected Brier score of 4,000 reports on four options, averaged over the valid repeats
  of each (of which there is one), exactly with every bound proved, and in float64;
- the intervals of 48 means, 8 strata of 1,000 roots, 5,000 replicates, and `scipy.stats.bootstrap` with
  the percentile method, strata as samples, all columns in one vectorised call;
- the loss of a binary controller at 99 costs on 1,000 roots (and 8,000) for 4 systems, exactly for every cost
  there is, and broadcast in numpy for these 99, where doubles miss ties: with q in thousandths, and with
  the denominators of drawn worlds, whose common multiple has about a thousand digits.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from worldgen.scoring.accuracy.kernels import expected_brier, total_variation
from worldgen.scoring.decisions.curves import loss_curve
from worldgen.scoring.figures.bootstrap import Bootstrap, percentiles, resample
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.panels.losses import from_reports
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.accounting import Verdict
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import Request

Doubles = NDArray[np.float64]

STRATA, ROOTS, COLUMNS, REPLICATES = 8, 1_000, 48, 5_000
THREADS = "OPENBLAS_NUM_THREADS"
COSTS = np.arange(1, 100) / 200


@dataclass(frozen=True)
class Race:
    """Two ways to one quantity; `ours` and `theirs` take nothing, and `rounds` bounds how often they run."""

    name: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    repetitions: int
    rounds: int


def panel(axis: Axis, q: NDArray[np.int64], p: NDArray[np.int64]) -> Panel:
    """Reports p in hundredths on questions with answers proportional to q, both (n, K)."""
    options = ("yes", "no") if q.shape[1] == 2 else tuple(f"type_{k}" for k in range(q.shape[1]))
    events = tuple(frozenset({k}) for k in range(q.shape[1]))
    everything = frozenset(range(q.shape[1]))
    requests, verdicts = [], dict[str, dict[int, Verdict]]()
    for root, weights, parts in zip(axis.roots, q.tolist(), p.tolist(), strict=True):
        exact = tuple(Fraction(weight, sum(weights)) for weight in weights)
        requests.append(
            Request(root, root, "", "v", "choice", "chat", options, options, True, events, everything, exact)
        )
        verdicts[root] = {0: Valid(tuple(Fraction(part, 100) for part in parts))}
    return Panel.of("system", Truth.of("v", requests, axis), verdicts)


def hundredths(random: np.random.Generator, rows: int, options: int) -> NDArray[np.int64]:
    """(rows, options) random whole numbers that sum to 100."""
    cuts = np.sort(random.integers(0, 101, (rows, options - 1)), axis=1)
    return np.diff(cuts, axis=1, prepend=0, append=100)


def accuracy(random: np.random.Generator) -> Race:
    """Total variation and expected Brier score."""
    axis = Axis.of({str(i): "s" for i in range(4_000)})
    weights, parts = random.integers(1, 991, (4_000, 4)), hundredths(random, 4_000, 4)
    exact = panel(axis, weights, parts)
    p, q = parts[:, None] / 100, (weights / weights.sum(axis=1, keepdims=True))[:, None]

    def ours() -> object:
        fresh = replace(exact)  # nothing is remembered from the last time
        return total_variation(fresh), expected_brier(fresh)

    def averaged(scores: Doubles) -> Doubles:
        return np.asarray(np.where(exact.valid, scores, 0).sum(axis=1) / exact.valid.sum(axis=1))

    def theirs() -> object:
        brier = (p * (p - 2 * q)).sum(axis=2) + 1
        return averaged(np.abs(p - q).sum(axis=2) / 2), averaged(brier)

    return Race("TV and Brier, 4,000 x 4", ours, theirs, 50, 99)


def intervals(random: np.random.Generator) -> Race:
    """Percentile intervals of macro means."""
    axis = Axis.of({f"{i}": f"s{i % STRATA}" for i in range(STRATA * ROOTS)})
    values = random.integers(0, 1_001, (COLUMNS, STRATA * ROOTS))
    ones = np.ones(STRATA * ROOTS, dtype=np.bool_)
    columns = [Column.ratio(each, np.full(len(ones), 1_000), ones) for each in values]
    samples = [values[:, part] / 1_000 for part in axis.slices]

    def macro(*parts: Doubles, axis: int = -1) -> Doubles:
        return np.asarray(np.mean([part.mean(axis=axis) for part in parts], axis=0))

    def ours() -> object:
        return percentiles(resample(Bootstrap(axis, REPLICATES), columns).macro)

    def theirs() -> object:
        return stats.bootstrap(
            samples, macro, n_resamples=REPLICATES, batch=20, axis=-1, method="percentile", rng=random
        )

    return Race("bootstrap, 48 x 8 x 1,000 x 5,000", ours, theirs, 1, 3)


def curve(random: np.random.Generator, name: str, totals: Sequence[int]) -> Race:
    """Losses of the reject-option controller over costs."""
    whole, roots = np.array(totals), len(totals)
    axis = Axis.of({f"{i}": f"s{i % STRATA}" for i in range(roots)})
    yes = (random.random(roots) * (whole + 1)).astype(np.int64)
    systems = [hundredths(random, roots, 2) for _ in range(4)]
    panels = [panel(axis, np.stack([yes, whole - yes], axis=1), parts) for parts in systems]
    p, q = np.stack([parts[:, 0] / 100 for parts in systems]), yes / whole
    policies = [from_reports(each) for each in panels]

    def ours() -> object:
        fresh = replace(panels[0].truth)
        return [loss_curve(policy, fresh, axis).tops(range(1, 100), 200) for policy in policies]

    def theirs() -> object:
        sure = np.maximum(p, 1 - p)[..., None] >= 1 - COSTS
        wrong = np.where(p >= 1 / 2, 1 - q, q)[..., None]
        return np.where(sure, wrong, COSTS).mean(axis=1)

    return Race(f"99 costs, 4 x {roots:,}, q {name}", ours, theirs, 20, 99)


def seconds(action: Callable[[], object], repetitions: int) -> float:
    """CPU seconds of one call, from so many."""
    start = time.process_time()
    for _ in range(repetitions):
        action()
    return (time.process_time() - start) / repetitions


def main() -> None:
    """Print one line a race."""
    if os.environ.get(THREADS) != "1":  # it is read when numpy is loaded, and idle threads burn time
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, THREADS: "1"})
    parser = argparse.ArgumentParser(description="Exact scoring and the usual doubles, in one run.")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    random = np.random.default_rng(7)
    print(f"{'quantity':<42}{'ours ms':>10}{'usual ms':>10}{'usual / ours':>14}")
    for race in (
        accuracy(random),
        intervals(random),
        curve(random, "in thousandths", [1_000] * ROOTS),
        curve(random, "in thousandths", [1_000] * ROOTS * STRATA),
        curve(random, "of worlds", random.integers(400, 4_000, ROOTS).tolist()),
    ):
        found = [
            (seconds(race.ours, race.repetitions), seconds(race.theirs, race.repetitions))
            for _ in range(min(rounds, race.rounds))
        ]
        ours, theirs = (statistics.median(column) for column in zip(*found, strict=True))
        print(f"{race.name:<42}{1e3 * ours:>10.3f}{1e3 * theirs:>10.3f}{theirs / ours:>14.2f}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
