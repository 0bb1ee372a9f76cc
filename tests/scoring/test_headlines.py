"""Headlines against the figures that they are taken from."""

from fractions import Fraction

import pytest

from tests.scoring.slow_results import answers, cohort, key_of
from worldgen.scoring.headlines import headline
from worldgen.scoring.reports.oracle import oracle_reports
from worldgen.scoring.reports.report import Report
from worldgen.scoring.results import score

TENTH = Fraction(1, 10)


@pytest.mark.parametrize("seed", range(4))
def test_a_headline_names_the_worst_of_each_kind(seed: int) -> None:
    made = cohort(9, seed)
    results = score(key_of(made), answers(made, seed), replicates=100)
    (system,) = results.systems
    found = headline(results, system)
    assert found.distance and found.pass_rate and found.regret
    distances = {name: results.figure("total_variation", name).exact for name in system.accounts}
    primary = [relation.name for relation in results.relations if relation.primary]
    rates = {name: results.figure("pass_rate", name).exact for name in primary}
    regrets = {name: results.figure("regret", name, at=TENTH).exact for name in system.accounts}
    for worst, values, choose in (
        (found.distance, distances, max),
        (found.pass_rate, rates, min),
        (found.regret, regrets, max),
    ):
        known = {name: value for name, value in values.items() if value is not None}
        assert worst.figure.exact == choose(known.values())
        assert worst.names == tuple(name for name, value in known.items() if value == worst.figure.exact)
        assert worst.among == len(known)


def test_the_oracle_is_worst_nowhere() -> None:
    made = cohort(12, 5)
    results = score(key_of(made), oracle_reports(made["requests"], made["targets"]), replicates=100)
    found = headline(results, results.systems[0])
    assert (str(found.distance), str(found.pass_rate), str(found.regret)) == (
        "0.0000 [0.0000, 0.0000] in all 12",
        "1.0000 [1.0000, 1.0000] in all 9",
        "0.0000 [0.0000, 0.0000] in all 12",
    )


def test_a_system_without_answers_has_no_distance() -> None:
    made = cohort(4, 1)
    silent = [Report("m", "root-0/event", status="unavailable")]
    results = score(key_of(made), silent, replicates=100)
    found = headline(results, results.systems[0])
    assert (found.distance, found.pass_rate) == (None, None)
    assert found.regret is not None and (found.regret.figure.value or 0) > 0


def test_a_headline_says_on_how_many_roots_it_stands() -> None:
    made = cohort(4, 1)
    event = next(row for row in made["requests"] if row["variant"] == "event")
    masses = tuple((name, "1/2") for name in event["answer_ids"])
    one = [Report("m", event["request_id"], probabilities=masses)]
    results = score(key_of(made), one, replicates=100)
    assert str(headline(results, results.systems[0]).distance).endswith(
        "] (roots: 1 of 4, 2 strata empty) in event"
    )
