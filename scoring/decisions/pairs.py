"""What the errors of two reports of one event consist of: what their disagreement certifies, and the rest.

With reports p and p' of an event of probability q and their midpoint m,

    (|p - q| + |p' - q|) / 2      = |p - p'| / 2     + dist(q, [min(p, p'), max(p, p')]),
    ((p - q)^2 + (p' - q)^2) / 2  = (p - p')^2 / 4   + (m - q)^2.

The first term on the right needs no q.
"""

from collections.abc import Iterator

import numpy as np

from worldgen.scoring.decisions.elementary import Said, target
from worldgen.scoring.figures.columns import Column, bounded, common_unit, largest
from worldgen.scoring.figures.measures import Label, Mean, Ratio
from worldgen.scoring.panels.alike import alike, paired
from worldgen.scoring.panels.losses import mean_over_slots
from worldgen.scoring.panels.panel import Panel


def pair_measures(relation: str, left: Panel, right: Panel) -> Iterator[Mean | Ratio]:
    """The two decompositions on the roots where both reports are valid, and the shares that disagreement
    certifies (ratios of means). `relation` names the pair; the event is the one that `left` asks about, and
    reports of the complement are turned to it. Nothing where `left` is no question of yes and no.

    `pair_absolute_error` = `disagreement_bound` + `error_beyond_bound`, of which `absolute_share_certified`
    is the first over the sum; `pair_squared_error` = `squared_disagreement` + `midpoint_squared_error`,
    with `squared_share_certified`.
    """
    if not (left.truth.yes >= 0).any():
        return
    eligible = left.truth.eligible & alike(left.truth, right.truth)
    columns = _columns(left, right)
    for metric, column in columns.items():
        yield Mean(Label("pairs", metric, relation, left.system, "paired valid"), column, eligible)
    for metric, part, whole in (
        ("absolute_share_certified", "disagreement_bound", "pair_absolute_error"),
        ("squared_share_certified", "squared_disagreement", "pair_squared_error"),
    ):
        label = Label("pairs", metric, relation, left.system, "paired valid")
        yield Ratio(label, columns[part], columns[whole], eligible)


def _columns(left: Panel, right: Panel) -> dict[str, Column]:
    """The terms, with p, p' and q as x, y and z over one unit w a root.

    None of them exceeds M in absolute value, so sums of two squares and squares of sums stay within 16 M^2.
    """
    one, two, both = paired(left, right)
    first, second = (Said.of(each, left.truth.yes, both) for each in (one, two))
    weights = first.weights
    unit, (more, other) = common_unit(first.unit, second.unit)
    q, total = target(left.truth)
    shares = max(largest(first.tops) * largest(more), largest(second.tops) * largest(other), largest(unit))
    bound = 16 * (shares * largest(total)) ** 2 + 1
    tops, others, more, other, unit, q, total = bounded(
        bound, first.tops, second.tops, more, other, unit, q, total
    )
    x, y = tops * (more * total)[:, None], others * (other * total)[:, None]
    z, w = (q * unit)[:, None], unit * total
    outside = np.maximum(np.maximum(np.minimum(x, y) - z, z - np.maximum(x, y)), 0)
    terms = {
        "pair_absolute_error": (abs(x - z) + abs(y - z), 2 * w),
        "disagreement_bound": (abs(x - y), 2 * w),
        "error_beyond_bound": (outside, w),
        "pair_squared_error": ((x - z) ** 2 + (y - z) ** 2, 2 * w * w),
        "squared_disagreement": ((x - y) ** 2, 4 * w * w),
        "midpoint_squared_error": ((x + y - 2 * z) ** 2, 4 * w * w),
    }
    return {name: mean_over_slots(top, bottom, weights) for name, (top, bottom) in terms.items()}
