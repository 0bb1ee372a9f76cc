"""Elementary scores and Murphy curves against their definition, in both conventions."""

from fractions import Fraction
from itertools import pairwise

import pytest

from tests.scoring.slow_decisions import SlowDecisions, Vector, example, midpoint, panels_of
from tests.scoring.slow_results import average
from worldgen.scoring.decisions.elementary import THRESHOLDS, MurphyCurves, elementary_score

Case = tuple[SlowDecisions, MurphyCurves]
NAMES = ("event", "choice", "mean", "random-interface", "repeat-mean", "oracle")


@pytest.fixture(params=[(1, 1, False), (2, 3, False), (4, 2, True)], ids=str)
def case(request: pytest.FixtureRequest) -> Case:
    seed, repeats, fine = request.param
    made, reports = example(12, seed, repeats, fine=fine)
    panels, slow = panels_of(made, reports), SlowDecisions(made, reports)
    curves = MurphyCurves.of(slow.axis, panels["event"], panels["binary-choice"], panels["exact-repeat"])
    return slow, curves


def said(slow: SlowDecisions, name: str, root: str) -> list[list[Fraction]]:
    """The reports of yes by slot; several in a slot are asked with equal probability."""
    request = slow.key.requests[f"{root}/event"]
    assert request.q is not None
    yes = request.events[request.options.index("true")]
    if name == "oracle":
        return [[request.q[request.events.index(yes)]]]

    def vector(variant: str, slot: int) -> Vector | None:
        return slow.read.get((f"{root}/{variant}", slot))

    found = []
    for slot in range(4):
        event, choice, repeat = (vector(v, slot) for v in ("event", "binary-choice", "exact-repeat"))
        pair: list[Vector | None] = [] if event is None or choice is None else [event, choice]
        vectors: list[Vector | None] = {
            "event": [event],
            "choice": [choice],
            "mean": [midpoint(event, choice)],
            "random-interface": pair,
            "repeat-mean": [midpoint(event, repeat)],
        }[name]
        values = [vector[yes] for vector in vectors if vector is not None]
        if values:
            found.append(values)
    return found


def score(slow: SlowDecisions, name: str, root: str, at: Fraction, inclusive: bool) -> Fraction | None:
    request = slow.key.requests[f"{root}/event"]
    assert request.q is not None
    q = request.q[request.options.index("true")]

    def one(p: Fraction) -> Fraction:
        passes = p >= at if inclusive else p > at
        return at * (1 - q) if passes else (1 - at) * q

    slots = said(slow, name, root)
    return average([average([one(p) for p in values]) for values in slots]) if slots else None


def test_murphy_curves_are_mean_elementary_scores(case: Case) -> None:
    slow, curves = case
    assert set(curves.said) == set(NAMES)
    places = [Fraction(k, 20) for k in range(21)] + [Fraction(1, 3), Fraction("0.84")]
    for (name, inclusive), curve in curves.curves.items():
        for at in places:
            assert curve(at) == slow.macro(lambda root, t=at, n=name, i=inclusive: score(slow, n, root, t, i))  # type: ignore[misc] # bound now


def test_the_table_has_both_conventions(case: Case) -> None:
    _, curves = case
    rows = curves.grid()
    assert len(rows) == 199 * len(NAMES)
    for row in rows[::13]:
        name, at = str(row["policy"]), Fraction(str(row["threshold"]))
        assert row["inclusive"] == float(curves.curves[name, True](at))
        assert row["strict"] == float(curves.curves[name, False](at))
    assert any(row["inclusive"] != row["strict"] for row in rows)


def test_breaks_hold_the_two_conventions_as_limits(case: Case) -> None:
    _, curves = case
    for name in NAMES:
        table = [row for row in curves.breakpoints() if row["policy"] == name]
        for before, after in pairwise(table):
            at = Fraction(str(after["exact_at"]))
            if at < 1:
                assert after["left"] == float(curves.curves[name, True](at))
                assert after["right"] == float(curves.curves[name, False](at))
            assert Fraction(str(before["exact_at"])) < at
        assert [table[0]["at"], table[-1]["at"]] == [0.0, 1.0]


@pytest.mark.parametrize("inclusive", [True, False])
def test_contrasts_stand_on_paired_valid_roots(case: Case, inclusive: bool) -> None:
    slow, curves = case
    measures = list(curves.contrasts(THRESHOLDS[4::15], inclusive=inclusive))
    for measure in measures:
        at = measure.label.at
        assert at is not None
        expected = []
        for root in slow.axis.roots:
            one, two = (score(slow, name, root, at, inclusive) for name in ("mean", "random-interface"))
            assert (one is None) == (two is None)
            expected.append(None if one is None or two is None else one - two)
        assert measure.column.values == tuple(expected)
        assert measure.label.view == "paired valid"
    assert len(list(curves.contrasts())) == 199


def test_the_two_conventions_differ_at_the_report_alone() -> None:
    p, q = Fraction(2, 5), Fraction(3, 10)
    for k in range(11):
        at = Fraction(k, 10)
        one, two = (elementary_score(p, q, at, inclusive=inclusive) for inclusive in (True, False))
        assert (one == two) == (at != p)


def test_without_a_second_interface_there_is_nothing_to_contrast() -> None:
    made, reports = example(6, 3)
    panels = panels_of(made, reports)
    curves = MurphyCurves.of(SlowDecisions(made, reports).axis, panels["event"])
    assert set(curves.said) == {"event", "oracle"}
    assert not list(curves.contrasts())
