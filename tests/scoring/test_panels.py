"""Panels: where the reports of several variants and repeats stand."""

from fractions import Fraction

from tests.scoring.slow_decisions import axis_of, panels_of
from tests.scoring.slow_results import cohort
from worldgen.scoring.decisions.policies import Policies
from worldgen.scoring.panels.alike import action_changes
from worldgen.scoring.reports.report import Report

TENTH = Fraction(1, 10)


def said(request: str, repeat: int, yes: str, no: str, names: tuple[str, str]) -> Report:
    return Report("m", request, repeat, response=f'{{"{names[0]}": {yes}, "{names[1]}": {no}}}')


def test_repeats_of_one_number_are_paired_whatever_else_was_asked() -> None:
    """Repeats 1 and 4 of the event, 4 and 7 of the choice: only repeat 4 has both."""
    made = cohort(1, 3, strata=1)
    reports = [
        said("root-0/event", 1, "0.95", "0.05", ("true", "false")),
        said("root-0/event", 4, "0.05", "0.95", ("true", "false")),
        said("root-0/binary-choice", 7, "0.95", "0.05", ("yes", "no")),
        said("root-0/binary-choice", 4, "0.05", "0.95", ("yes", "no")),
    ]
    panels = panels_of(made, reports)
    event, choice = panels["event"], panels["binary-choice"]
    assert event.asked.tolist() == event.valid.tolist() == [[True, True, False]]
    assert choice.asked.tolist() == choice.valid.tolist() == [[False, True, True]]
    (changed, *_) = action_changes("event-choice", event, choice, (TENTH,))
    assert changed.column.values == (Fraction(0),)
    policies = Policies.of(event, choice)
    assert policies.decided("mean", TENTH).coverage.values == (Fraction(1, 3),)
    assert policies.decided("event", TENTH).coverage.values == (Fraction(1),)


def test_a_request_without_a_report_has_one_slot() -> None:
    made = cohort(2, 3, strata=1)
    reports = [said("root-0/event", number, "0.95", "0.05", ("true", "false")) for number in (2, 3)]
    panels = panels_of(made, reports)
    assert panels["event"].asked.tolist() == [[True, True], [True, False]]
    assert panels["canonical"].asked.tolist() == [[True, False], [True, False]]
    assert not panels["canonical"].valid.any()
    assert len(axis_of(made)) == 2
