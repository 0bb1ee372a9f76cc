"""The kernels of whole panels against the definitions of one report, and the columns that they fill."""

from collections.abc import Callable
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.accuracy import kernels, scores
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.figures.logs import ln
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.accounting import Unavailable, Verdict
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import Request

Masses = tuple[Fraction, ...]
Score = Callable[[Masses, Masses], Fraction | float]

SCORES: dict[str, tuple[Callable[[Panel], Column], Score]] = {
    "total variation": (kernels.total_variation, scores.total_variation),
    "expected Brier": (kernels.expected_brier, scores.expected_brier),
    "expected log loss": (kernels.expected_log_loss, scores.expected_log_loss),
    "clipped divergence": (lambda panel: kernels.clipped_divergence(panel)[0], scores.clipped_divergence),
    "ranked probability": (kernels.ranked_probability_score, scores.ranked_probability_score),
}
SCALES = st.sampled_from([10, 10**3, 10**9, 10**25])  # the last two leave int64


def simplex(size: int, scale: int) -> st.SearchStrategy[Masses]:
    weights = st.lists(st.sampled_from([0, 0, 1, 2, scale - 1, scale]), min_size=size, max_size=size)
    return weights.filter(any).map(lambda found: tuple(Fraction(each, sum(found)) for each in found))


@st.composite
def asked(draw: st.DrawFn) -> tuple[list[Request], dict[str, dict[int, Verdict]]]:
    requests: list[Request] = []
    verdicts: dict[str, dict[int, Verdict]] = {}
    for i in range(draw(st.integers(1, 4))):
        size = draw(st.integers(2, 4))
        q = draw(simplex(size, draw(SCALES)))
        names = tuple(f"k{k}" for k in range(size))
        atoms = tuple(frozenset({k}) for k in range(size))
        outcome = draw(st.none() | st.integers(0, size - 1))
        requests.append(
            Request(
                f"r{i}",
                f"root{i}",
                "s",
                "v",
                "score",
                "chat",
                names,
                names,
                True,
                atoms,
                frozenset(range(size)),
                q,
                outcome,
            )
        )
        answers = draw(st.lists(st.none() | simplex(size, draw(SCALES)), max_size=3))
        verdicts[f"r{i}"] = {
            r: Unavailable() if masses is None else Valid(masses) for r, masses in enumerate(answers)
        }
    return requests, verdicts


def panel_of(requests: list[Request], verdicts: dict[str, dict[int, Verdict]]) -> Panel:
    axis = Axis.of({request.root_id: request.stratum for request in requests})
    return Panel.of("m", Truth.of("v", requests, axis), verdicts)


def by_definition(
    request: Request, answers: dict[int, Verdict], score: Callable[[Masses], Fraction | float]
) -> Fraction | float | None:
    found = [score(verdict.masses) for verdict in answers.values() if isinstance(verdict, Valid)]
    if not found:
        return None
    finite = [value for value in found if isinstance(value, Fraction)]
    return inf if len(finite) < len(found) else sum(finite, Fraction(0)) / len(finite)


def read(column: Column) -> list[Fraction | float | None]:
    return [
        inf if sign else value for value, sign in zip(column.values, column.infinite.tolist(), strict=True)
    ]


@pytest.mark.parametrize("name", SCORES)
@given(made=asked())
def test_a_panel_scores_as_its_reports_do(
    name: str, made: tuple[list[Request], dict[str, dict[int, Verdict]]]
) -> None:
    requests, verdicts = made
    kernel, score = SCORES[name]
    expected = [
        by_definition(request, verdicts[request.request_id], lambda p, q=request.q or (): score(p, q))  # type: ignore[misc]  # bound now
        for request in requests
    ]
    assert read(kernel(panel_of(requests, verdicts))) == expected


@given(made=asked())
def test_realised_ranked_scores_are_those_of_a_certain_truth(
    made: tuple[list[Request], dict[str, dict[int, Verdict]]],
) -> None:
    requests, verdicts = made
    expected = []
    for request in requests:
        y = request.outcome
        truth = tuple(Fraction(k == y) for k in range(len(request.options)))
        scored = by_definition(
            request,
            verdicts[request.request_id],
            lambda p, q=truth: scores.ranked_probability_score(p, q),  # type: ignore[misc]  # bound now
        )
        expected.append(None if y is None else scored)
    found = kernels.realised_ranked_probability_score(panel_of(requests, verdicts))
    assert read(found) == expected


@given(made=asked())
def test_classes_and_outcomes_are_scored_as_defined(
    made: tuple[list[Request], dict[str, dict[int, Verdict]]],
) -> None:
    requests, verdicts = made
    panel = panel_of(requests, verdicts)
    picks = kernels.best_class(panel)
    wanted: dict[str, list[Fraction | float | None]] = {}
    for request in requests:
        q, y, answers = request.q or (), request.outcome, verdicts[request.request_id]
        size = range(len(q))

        def best(p: Masses) -> int:
            return max(range(len(p)), key=lambda k: (p[k], -k))

        def realised_brier(p: Masses, y: int | None = y, size: range = size) -> Fraction:
            return sum((((p[k] - (k == y)) ** 2) for k in size), Fraction(0))

        scores: dict[str, Callable[[Masses], Fraction | float]] = {
            "expected": lambda p, q=q: q[best(p)],  # type: ignore[misc]  # bound now
            "bayes": lambda p, q=q: max(q),  # type: ignore[misc]  # bound now
            "hit": lambda p, y=y: Fraction(best(p) == y),  # type: ignore[misc]  # bound now
            "brier": realised_brier,
            "log": lambda p, y=y: -ln(p[y or 0]) if p[y or 0] else inf,  # type: ignore[misc]  # bound now
        }
        for name, score in scores.items():
            value = by_definition(request, answers, score)
            unknown = y is None and name in {"hit", "brier", "log"}
            wanted.setdefault(name, []).append(None if unknown else value)
    found = {
        "expected": kernels.expected_accuracy(panel, picks),
        "bayes": kernels.bayes_accuracy(panel),
        "hit": kernels.realised_accuracy(panel, picks),
        "brier": kernels.realised_brier(panel),
        "log": kernels.realised_log_loss(panel),
    }
    assert {name: read(column) for name, column in found.items()} == wanted


@given(st.lists(st.tuples(*[st.none() | st.fractions(max_denominator=10**20)] * 2), min_size=1, max_size=9))
def test_columns_subtract_as_fractions_do(rows: list[tuple[Fraction | None, Fraction | None]]) -> None:
    left, right = (Column.of([row[side] for row in rows]) for side in (0, 1))
    expected = tuple(None if a is None or b is None else a - b for a, b in rows)
    assert (left - right).values == expected
    doubles = (left - right).doubles().tolist()
    assert doubles == [0.0 if value is None else float(value) for value in expected]


def test_an_infinite_value_less_another_is_none() -> None:
    ones, all_valid = np.ones(3, np.int64), np.ones(3, np.bool_)
    left = Column.ratio(ones, ones, all_valid, np.array([1, 1, 0], np.int8))
    right = Column.ratio(ones, ones, all_valid, np.array([1, 0, 1], np.int8))
    found = left - right
    assert found.valid.tolist() == [False, True, True]
    assert found.infinite.tolist() == [0, 1, -1]
