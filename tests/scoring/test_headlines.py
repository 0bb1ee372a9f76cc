"""Headlines against the figures that they are taken from."""

from fractions import Fraction

import pytest

from tests.scoring.slow_summary import answers, cohort, key_of
from worldgen.scoring.headlines import Worst, headline
from worldgen.scoring.oracle import oracle_reports
from worldgen.scoring.reports import Report
from worldgen.scoring.summary import score


@pytest.mark.parametrize("seed", range(4))
def test_a_headline_names_the_worst_of_each_kind(seed: int) -> None:
    made = cohort(9, seed)
    (system,) = score(key_of(made), answers(made, seed)).systems
    found = headline(system)
    assert found.distance and found.pass_rate and found.regret
    distances = [accuracy.total_variation.value for accuracy in system.accuracy.values()]
    assert found.distance.value == max(value for value in distances if value is not None)
    for name in found.distance.names:
        assert system.accuracy[name].total_variation.value == found.distance.value
    primary = {name: r for name, r in system.relations.items() if r.relation.primary}
    rates = [relation.pass_rate.value for relation in primary.values()]
    assert found.pass_rate.value == min(value for value in rates if value is not None)
    assert set(found.pass_rate.names) <= set(primary)
    regrets = {
        name: (loss.loss.value or 0) - (loss.oracle.value or 0)
        for name, losses in system.losses.items()
        for loss in losses
        if loss.cost == Fraction(1, 10)
    }
    worst = max(regrets.values())
    assert (found.regret.value, found.regret.among) == (worst, 12)
    assert found.regret.names == tuple(name for name, value in regrets.items() if value == worst)


def test_the_oracle_is_worst_nowhere() -> None:
    made = cohort(12, 5)
    (oracle,) = score(key_of(made), oracle_reports(made["requests"], made["targets"])).systems
    found = headline(oracle)
    assert (str(found.distance), str(found.pass_rate), str(found.regret)) == (
        "0.000000 in all 12",
        "1.000000 in all 9",
        "0.000000 in all 12",
    )


def test_a_system_without_answers_has_no_distance() -> None:
    made = cohort(4, 1)
    silent = [Report("m", "root-0/event", status="unavailable")]
    found = headline(score(key_of(made), silent).systems[0])
    assert (found.distance, found.pass_rate) == (None, None)
    assert found.regret is not None and found.regret.value > 0


def test_one_figure_alone_is_named() -> None:
    assert str(Worst(Fraction(1, 8), ("event",), 1)) == "0.125000 in event"
