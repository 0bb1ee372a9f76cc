"""Simulated systems through the whole command: each gets the scores that its rule implies."""

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import mul
from pathlib import Path

import pytest
from click.testing import CliRunner

import worldgen
from tests.reporters import BIAS, RULES, Masses, leaking, reports_of, rounded_to
from worldgen.cli.main import main
from worldgen.emission.emit import emit
from worldgen.relations.declared import RELATIONS
from worldgen.scoring.accuracy.selection import ORDERINGS
from worldgen.scoring.doors import TABLES
from worldgen.scoring.figures.estimates import Figure, Interval
from worldgen.scoring.panels.actions import COSTS
from worldgen.scoring.reports.tables import AnswerKey, Request
from worldgen.scoring.results import Results
from worldgen.spec import read_cohort

ROOTS = 24


@dataclass(frozen=True)
class Scored:
    """A cohort, its answer key, and every simulated system scored on it by itself."""

    folder: Path
    key: AnswerKey
    results: Mapping[str, Results]

    @cached_property
    def variants(self) -> dict[str, list[Request]]:
        """The eligible requests of each variant."""
        found: dict[str, list[Request]] = {}
        for request in self.key.requests.values():
            found.setdefault(request.variant, []).extend([request] * request.eligible)
        return found

    @cached_property
    def figures(self) -> dict[tuple[str, str, str, Fraction | None, Fraction | None], Figure]:
        """The figures over all strata by system, metric, subject, cost and coverage."""
        return {
            (system, label.metric, label.subject, label.at, label.coverage): figure
            for system, results in self.results.items()
            for figure in results.figures
            if not figure.stratum
            for label in [figure.label]
        }

    def exact(self, system: str, metric: str, subject: str, at: Fraction | None = None) -> Fraction | None:
        """The exact value of one of them."""
        return self.figures[system, metric, subject, at, None].exact


def macro(
    requests: Iterable[Request], value: Callable[[tuple[Fraction, ...], Request], Fraction]
) -> Fraction:
    """The mean over strata of the means over requests, the plain way."""
    strata: dict[str, list[Fraction]] = {}
    for request in requests:
        assert request.q is not None
        strata.setdefault(request.stratum, []).append(value(request.q, request))
    means = [sum(values, Fraction(0)) / len(values) for values in strata.values()]
    return sum(means, Fraction(0)) / len(means)


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Scored:
    folder = tmp_path_factory.mktemp("reporters") / "cohort"
    emit(read_cohort("contracts"), ROOTS, 20_261_130, folder)
    cohort = worldgen.open(folder)
    key = AnswerKey.of(*(cohort.table(name) for name in TABLES))
    results = {
        name: worldgen.score(cohort, *reports_of(rule, key.requests.values(), name), replicates=100)
        for name, rule in RULES.items()
    }
    return Scored(folder, key, results)


def test_every_report_is_valid(scored: Scored) -> None:
    for results in scored.results.values():
        (system,) = results.systems
        assert system.account.valid == system.account.eligible > ROOTS * 11
        assert not any(system.account.rejected.values())


def test_the_exact_oracle_scores_zero(scored: Scored) -> None:
    for variant in scored.variants:
        assert scored.exact("exact", "total_variation", variant) == 0
        assert {scored.exact("exact", "regret", variant, cost) for cost in COSTS} == {0}
        bayes = scored.exact("exact", "bayes_accuracy", variant)
        assert scored.exact("exact", "expected_accuracy", variant) == bayes
    for relation in RELATIONS:
        assert scored.exact("exact", "residual", relation.name) == 0
        assert scored.exact("exact", "pass_rate", relation.name) == 1
    assert scored.exact("exact", "complement_mass", "complement") == 1


def test_the_expected_brier_score_of_the_oracle_is_the_spread_of_outcomes(scored: Scored) -> None:
    for variant, requests in scored.variants.items():
        spread = macro(requests, lambda q, _: 1 - sum((x * x for x in q), Fraction(0)))
        assert scored.exact("exact", "expected_brier", variant) == spread


def test_the_rounded_oracle_is_off_by_its_rounding(scored: Scored) -> None:
    def lost(q: Masses, _: Request) -> Fraction:
        return sum((max(Fraction(0), x - p) for x, p in zip(q, rounded_to(q, 100), strict=True)), Fraction(0))

    for variant, requests in scored.variants.items():
        distance = scored.exact("rounded", "total_variation", variant)
        options = max(len(request.options) for request in requests)
        assert distance == macro(requests, lost)
        assert distance is not None and 0 < distance <= Fraction(options, 400)
        for cost in COSTS:
            regret = scored.exact("rounded", "regret", variant, cost)
            assert regret is not None and 0 <= regret <= 2 * distance
    for relation in ("permutation", "rendering", "opaque-keys", "metadata"):
        # Remainders tie only where q does, so equal questions are rounded to equal answers but for the order.
        residual = scored.exact("rounded", "residual", relation)
        assert residual is not None and residual <= Fraction(1, 100)


def test_the_sharpened_oracle_keeps_its_classes(scored: Scored) -> None:
    def distance(q: Masses, _: Request) -> Fraction:
        whole = sum((x * x for x in q), Fraction(0))
        return sum((abs(x * x / whole - x) for x in q), Fraction(0)) / 2

    def brier(q: Masses, _: Request) -> Fraction:
        """1 + S^-2 sum q^4 - 2 S^-1 sum q^3, S = sum q^2."""
        squares, cubes, fourths = (sum((x**k for x in q), Fraction(0)) for k in (2, 3, 4))
        return 1 + fourths / squares**2 - 2 * cubes / squares

    for variant, requests in scored.variants.items():
        assert scored.exact("sharpened", "total_variation", variant) == macro(requests, distance)
        assert scored.exact("sharpened", "expected_brier", variant) == macro(requests, brier)
        bayes = scored.exact("sharpened", "bayes_accuracy", variant)
        assert scored.exact("sharpened", "expected_accuracy", variant) == bayes
    for relation in RELATIONS:
        kept = {"coarsening", "intersection", "product"}.isdisjoint({relation.name})
        assert not kept or scored.exact("sharpened", "residual", relation.name) == 0
    coarse = scored.exact("sharpened", "residual", "coarsening")
    assert coarse is not None and coarse > 0


def denied(q: Masses, request: Request) -> Fraction:
    """2 d times the probability of no."""
    return 2 * BIAS * q[request.options.index("false")]


def test_the_affirming_system_exceeds_one_by_twice_its_bias(scored: Scored) -> None:
    figure, same = scored.figures["affirming", "residual", "complement", None, None], float(2 * BIAS)
    assert (figure.value, figure.slots, figure.support) == (same, Interval(same, same), Interval(same, same))
    assert scored.exact("affirming", "residual", "complement") == 2 * BIAS
    assert scored.exact("affirming", "complement_mass", "complement") == 1 + 2 * BIAS
    assert scored.exact("affirming", "excess_mass", "complement") == 1
    assert scored.exact("affirming", "pass_rate", "complement") == 1  # 0.04 is within 0.05
    assert scored.exact("affirming", "residual", "exact-repeat") == 0
    for variant, requests in scored.variants.items():
        expected = macro(requests, denied) if requests[0].form == "event" else 0
        assert scored.exact("affirming", "total_variation", variant) == expected
    expected = macro(scored.variants["event"], denied)
    assert scored.exact("affirming", "residual", "event-choice") == expected
    assert scored.exact("affirming", "residual", "coarsening") == expected


def test_the_uniform_system_always_defers(scored: Scored) -> None:
    for variant, requests in scored.variants.items():
        for cost in COSTS:
            assert scored.exact("uniform", "expected_loss", variant, cost) == cost
            assert scored.exact("uniform", "coverage", variant, cost) == 0
        expected = macro(
            requests, lambda q, _: sum((abs(x - Fraction(1, len(q))) for x in q), Fraction(0)) / 2
        )
        assert scored.exact("uniform", "total_variation", variant) == expected
    for relation in ("complement", "event-choice", "exact-repeat", "permutation"):
        assert scored.exact("uniform", "residual", relation) == 0


def test_only_the_leaking_system_is_flagged(scored: Scored) -> None:
    found = [row for results in scored.results.values() for row in results.rows["leakage"]]
    assert {row["system"] for row in found} == set(RULES)
    assert {row["system"] for row in found if row["flagged"]} == {"leaking"}
    for row in found:
        requests = [each for each in scored.variants[str(row["variant"])] if each.outcome is not None]
        assert row["cases"] == len(requests)
        if row["system"] == "leaking":
            assert row["correct"] == len(requests)
            chance = Fraction(1)
            for request in requests:
                chance *= max(request.q or ())
            assert row["p_value"] == float(chance)


def test_what_came_true_has_no_expected_loss_of_its_own(scored: Scored) -> None:
    """All mass on y is off by 1 - q_y, and loses as much at every cost."""
    requests = scored.variants["canonical"]
    expected = macro(requests, lambda q, r: Fraction(1) - sum(map(mul, q, leaking(r))))
    assert scored.exact("leaking", "total_variation", "canonical") == expected
    assert {scored.exact("leaking", "expected_loss", "canonical", cost) for cost in COSTS} == {expected}


def test_the_oracle_never_disagrees_and_its_confidence_is_its_risk(scored: Scored) -> None:
    """All its pairs tie, so disagreement retains as chance does; confidence retains the least risk."""
    found = {
        (subject, at, coverage): figure.exact
        for (system, metric, subject, at, coverage), figure in scored.figures.items()
        if (system, metric) == ("exact", "selective_loss")
    }
    for (subject, cost, coverage), value in found.items():
        if subject in {"disagreement", "oracle_excess"}:
            assert value == found["random", cost, coverage]
            least = found["confidence", cost, coverage]
            assert least is not None and value is not None and least <= value
    risk = macro(scored.variants["event"], lambda q, _: 1 - max(q))
    assert {found[name, COSTS[0], Fraction(1)] for name in ORDERINGS} == {risk}
    # No regret anywhere, so there is one class only.
    assert {scored.exact("exact", "auroc", "disagreement", cost) for cost in COSTS} == {None}


def test_the_command_writes_what_the_library_says(scored: Scored, tmp_path: Path) -> None:
    file = tmp_path / "affirming.jsonl"
    worldgen.write_reports(reports_of(RULES["affirming"], scored.key.requests.values(), "affirming"), file)
    options = ["--replicates", "100", "--out", str(tmp_path / "scores"), "--json"]
    done = CliRunner().invoke(main, ["score", str(scored.folder), str(file), *options])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)["figures"]
    with (tmp_path / "scores" / "figures.csv").open() as written:
        saved = list(csv.DictReader(written))
    assert len(printed) == len(saved) >= len(scored.results["affirming"].figures)
    for metric, subject in (("total_variation", "event"), ("residual", "complement")):
        where = {"system": "affirming", "metric": metric, "subject": subject}
        expected = scored.exact("affirming", metric, subject)
        for table in (printed, saved):
            (row,) = [row for row in table if where.items() <= row.items() and not row["stratum"]]
            assert Fraction(row["exact"]) == expected
