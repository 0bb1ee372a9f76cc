"""scipy as the judge of our bootstrap."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from tests.scoring.built import axis_of
from worldgen.scoring.figures.bootstrap import Bootstrap, percentiles, resample
from worldgen.scoring.figures.columns import Column


def test_intervals_agree_with_scipy() -> None:
    """5,000 replicates leave an end of the interval a standard error of 0.038 of the figure's, and two of
    them 0.054; five times that is allowed.
    """
    axis, random = axis_of(60, 25, 40), np.random.default_rng(8)
    grids = [random.integers(0, 1001, len(axis)), random.integers(0, 3, len(axis)) * 500]
    columns = [Column.ratio(each, np.full(len(axis), 1000), np.ones(len(axis), np.bool_)) for each in grids]
    low, high = percentiles(resample(Bootstrap(axis), columns).macro)
    for place, numbers in enumerate(grids):
        samples = [numbers[part] / 1000 for part in axis.slices]

        def macro(*parts: NDArray[np.float64], axis: int = -1) -> Any:
            return sum(part.mean(axis=axis) for part in parts) / len(parts)

        found = stats.bootstrap(samples, macro, n_resamples=5000, method="percentile", rng=random)
        allowed = 5 * 0.054 * found.standard_error
        assert abs(found.confidence_interval.low - low[place]) < allowed
        assert abs(found.confidence_interval.high - high[place]) < allowed
