"""Commands on worlds with views: what they show, draw, emit and verify, and what is wrong use."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_commands import parsed, run
from worldgen.cli.spreads import picture, steps
from worldgen.emission.folder import open_cohort
from worldgen.spec import read_spec
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.spreads import spread
from worldgen.worlds.transfer import TransferWorld

WORLDS = ("covert-transfer", "credit-risk", "peer-review")


@pytest.mark.parametrize("world", WORLDS)
def test_show_tells_the_uncertainty_of_every_view(world: str) -> None:
    text, found = run("show", world).stdout, parsed("show", world)
    assert list(found["views"]) == ["low", "medium", "high"]
    assert sum(Fraction(p["exact"]) for p in found["prior"].values()) == 1
    squeezed = "".join(text.split())
    for view in found["views"].values():
        assert view["bayes_error"]["decimal"] == float(Fraction(view["bayes_error"]["exact"]))
        assert f"{view['bayes_error']['decimal']:.5f}" in text
        assert "".join(view["says"].split())[:12] in squeezed
    for said in (*found["classes"].values(), found["spec_digest"], f"{int(found['states']):,}"):
        assert said in text or said.replace(" ", "") in squeezed


def test_show_tells_what_each_factor_is_worth_and_the_graph() -> None:
    text, found = run("show", "credit-risk").stdout, parsed("show", "credit-risk")
    factors = found["factors"]
    assert factors["residual"]["worth"] is None
    assert Fraction(factors["flexibility"]["worth"]["exact"]) > Fraction(
        found["views"]["low"]["bayes_error"]["exact"]
    )
    assert factors["cash_buffer"]["depends_on"] == ["cash_generation"]
    assert factors["concentration"]["measured_as"] == "customer_share, 0.0..100.0 by 0.1"
    assert found["graph"][:2] == ["cash_generation -> cash_buffer", "cycle -> refinancing"]
    for line in found["graph"]:
        assert line in text or "".join(line.split()) in "".join(text.split())
    assert found["irrelevant"]["employees"] == "10..2000, weighted"


@pytest.mark.parametrize("world", WORLDS)
def test_the_plot_has_a_curve_for_each_view(world: str, tmp_path: Path) -> None:
    file = tmp_path / "curve.svg"
    run("show", world, "--plot", file)
    drawn = ElementTree.parse(file).getroot()
    space = "{http://www.w3.org/2000/svg}"
    lines = drawn.findall(f"{space}polyline")
    spec = read_spec(world)
    assert isinstance(spec, FactorWorld | TransferWorld)
    for line, view in zip(lines, spec.views, strict=True):
        points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
        assert points == [(x / 10, y / 10) for x, y in steps(spread(spec.through(view)))]
        assert points == sorted(points, key=lambda point: (point[0], -point[1]))
        assert points[0][0] == 70 and points[-1][0] == 710
    assert {text.text for text in drawn.findall(f"{space}text")} >= {"low", "medium", "high", spec.title}


def test_the_names_of_many_views_stand_one_under_the_other_inside_the_picture() -> None:
    views = [f"a view with a name of some length, number {n}" for n in range(9)]
    drawn = ElementTree.fromstring(picture("t", "e", {view: {Fraction(1, 2): Fraction(1)} for view in views}))
    height = float(drawn.attrib["viewBox"].split()[3])
    names = [text for text in drawn if text.text in views]
    places = [float(text.attrib["y"]) for text in names]
    assert [text.text for text in names] == views and {text.attrib["x"] for text in names} == {"70"}
    assert all(later - earlier > 13 for earlier, later in pairwise([*places, height + 14]))


def test_a_case_after_demonstrations_is_previewed_by_name() -> None:
    named = parsed("preview", "credit-risk", "--view", "high", "--seed", 5, "--variant", "case-2")
    part = parsed("preview", "credit-risk", "--view", "high", "--seed", 5, "--demos", "2")
    assert (named["payload"], named["outcome"]) == (part["payload"], part["outcome"])
    refused = run("preview", "credit-risk", "--variant", "case-2000", code=1)
    assert "'case-2000' shows 2000 cases of a pool, and the pool has 1000" in refused.stderr
    refused = run("preview", "noisy-sensor", "--variant", "case-2", code=1)
    assert "'case-2' cannot be asked of noisy-sensor" in refused.stderr


def test_the_curve_of_two_steps() -> None:
    found = steps({Fraction(0): Fraction(1, 4), Fraction(1, 2): Fraction(3, 4)})
    assert found == [(700, 4500), (2300, 4500), (2300, 2500), (7100, 2500)]


def test_a_plot_needs_a_world_with_views(tmp_path: Path) -> None:
    for spec in ("noisy-sensor", "contracts"):
        result = run("show", spec, "--plot", tmp_path / "x.svg", code=2)
        assert "--plot draws the views" in result.stderr
    assert not list(tmp_path.iterdir())


def test_a_view_that_there_is_not_is_wrong_use(tmp_path: Path) -> None:
    assert "its views are low, medium, high" in run("preview", "credit-risk", "--view", "lo", code=2).stderr
    out = tmp_path / "cohort"
    refused = run("emit", "contracts", "--view", "low", "--seed", 1, "--out", out, code=2)
    assert "the strata of a cohort name their views themselves" in refused.stderr
    assert "its views are full" in run("preview", "noisy-sensor", "--view", "low", code=2).stderr


HARBOUR = Path(__file__).parents[1] / "faults" / "specs" / "harbour.yaml"


def test_a_view_is_emitted_verified_and_shows_the_cases_of_the_others(tmp_path: Path) -> None:
    found = {}
    for view in ("all", "few"):
        out = tmp_path / view
        run("emit", HARBOUR, "--view", view, "--roots", 30, "--seed", 4, "--out", out, "-q")
        assert "no finding" in run("verify", out).stdout
        opened = open_cohort(out)
        found[view] = opened.table("truth").to_pylist()
        assert {row["view"] for row in opened.table("roots").to_pylist()} == {view}
        assert {row["stratum"] for row in opened.table("roots").to_pylist()} == {f"harbour.{view}.table"}
    for more, less in zip(found["all"], found["few"], strict=True):
        assert more["outcome"] == less["outcome"]
        assert more["hidden"] == less["hidden"][-1:] and len(less["hidden"]) == 3


def test_demonstrations_stand_in_place_of_variants(tmp_path: Path) -> None:
    plan = parsed("emit", HARBOUR, "--demos", "0,3", "--seed", 1, "--out", tmp_path / "c", "--dry-run")
    assert plan["variants"] == ["case", "case-3"] and plan["rows"]["pool"] == 1000
    shown = parsed("preview", HARBOUR, "--demos", "3", "--seed", 1)
    assert shown["variant"] == "case-3" and "after 3 cases with their outcomes" in shown["manner"]
    both = run("preview", HARBOUR, "--demos", "3", "--variants", "case", "--seed", 1, code=2)
    assert "--demos names the variants" in both.stderr
    assert "write whole numbers" in run("preview", HARBOUR, "--demos", "a,3", "--seed", 1, code=2).stderr


def test_a_root_is_shown_whole() -> None:
    root = parsed("preview", "covert-transfer", "--view", "medium", "--seed", 3, "--root")
    assert [cell["category"] for cell in root["cells"]] == ["no-encoding", "encoding"]
    assert sum(Fraction(cell["posterior"]) for cell in root["cells"]) == 1
    assert set(root["visible"]) >= {"report_type", "letter_16", "narrow_range", "attachments"}
    text = run("preview", "covert-transfer", "--view", "medium", "--seed", 3, "--root").stdout
    assert root["cells"][root["outcome"]]["category"] in text and "Classes" in text
