"""Networks are checked when they are built, and say what is wrong where."""

from typing import Any

import numpy as np
import pytest

from tests.networks import credit, review
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.networks import CycleError, Network, NetworkError, Outcome, TooLargeError

ALWAYS = Outcome(Atoms(("only",)), (), lambda codes: np.zeros((), dtype=np.int64))
TWO = ("a", "b")


def fair(name: str, *parents: str) -> Factor:
    """A fair coin, whatever its parents say."""
    return Factor(name, TWO, parents, np.ones((2,) * (len(parents) + 1), dtype=np.int64), 2)


def test_states_are_counted() -> None:
    assert review().states == 216_513
    assert credit().states == 393_660


def test_a_cycle_is_reported_as_its_path() -> None:
    with pytest.raises(CycleError) as caught:
        Network((fair("x", "z"), fair("y", "x"), fair("z", "y"), fair("w", "x")), ALWAYS)
    path = caught.value.path
    assert path[0] == path[-1] and sorted(path[1:]) == ["x", "y", "z"]
    following = {"x": "y", "y": "z", "z": "x"}
    assert [following[name] for name in path[:-1]] == list(path[1:])
    assert " -> ".join(path) in str(caught.value)


@pytest.mark.parametrize(
    ("factors", "outcome", "message"),
    [
        ((fair("x"), fair("x")), ALWAYS, "a factor stands twice: x"),
        ((fair("x", "y"),), ALWAYS, "factor 'x' depends on 'y', and there is no such factor"),
        (
            (fair("x"),),
            Outcome(Atoms(("only",)), ("y",), lambda codes: codes["y"]),
            "the outcome reads 'y', and there is no such factor",
        ),
        (
            (Factor("y", ("a",), (), [1], 1), fair("x", "y")),
            ALWAYS,
            r"the table of 'x' has shape \(2, 2\)",
        ),
    ],
)
def test_what_is_no_network_is_refused(factors: tuple[Factor, ...], outcome: Outcome, message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        Network(factors, outcome)


def test_too_many_states_are_refused_before_the_rule_is_asked() -> None:
    def never(codes: Any) -> Any:
        raise AssertionError("the rule was asked")

    fields = tuple(Factor(f"field {i}", tuple("0123456789"), (), [1] * 10, 10) for i in range(12))
    names = tuple(field.name for field in fields)
    with pytest.raises(
        TooLargeError, match=r"1,000,000,000,000 entries, and 100,000,000 is the most"
    ) as caught:
        Network(fields, Outcome(Atoms(("no", "yes")), names, never))
    assert caught.value.size == 10**12
    assert Network(fields, Outcome(Atoms(("no", "yes")), names[:8], never)).states == 10**12


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda codes: codes["x"] / 2, "a rule gives integers, the codes of classes, not float64"),
        (lambda codes: codes["x"] - 1, "a rule gives classes from 0 to 1"),
        (lambda codes: codes["x"] + 1, "a rule gives classes from 0 to 1"),
    ],
)
def test_a_rule_gives_classes(rule: Any, message: str) -> None:
    network = Network((fair("x"),), Outcome(Atoms(TWO), ("x",), rule))
    with pytest.raises(ValueError, match=message):
        network.classes  # noqa: B018  (reading it asks the rule)


def test_the_rule_is_asked_in_blocks_and_once_for_every_state() -> None:
    sizes, asked = (3, 40, 200, 200), []

    def rule(codes: Any) -> Any:
        found = (codes["0"] * 7 + codes["1"] * 5 + codes["2"] * 3 + codes["3"]) % 3
        asked.append(found.size)
        return found

    factors = tuple(Factor(str(i), tuple(map(str, range(n))), (), [1] * n, n) for i, n in enumerate(sizes))
    network = Network(factors, Outcome(Atoms(("0", "1", "2")), ("0", "1", "2", "3"), rule))
    expected = rule(dict(zip("0123", np.ix_(*map(np.arange, sizes)), strict=True)))
    asked.clear()
    assert (network.classes == expected).all()
    assert sum(asked) == expected.size and max(asked) <= 2**20


def test_only_what_a_path_leads_from_is_relevant() -> None:
    # cause -> sign -> report, cause -> outcome: the report matters only while the sign is hidden.
    cause, sign, report, other = fair("cause"), fair("sign", "cause"), fair("report", "sign"), fair("other")
    ill = Outcome(Atoms(TWO), ("cause",), lambda codes: codes["cause"])
    network = Network((other, report, sign, cause), ill)
    assert network.relevant(["other", "report"]) == ("report",)
    assert network.relevant(["report", "sign", "other"]) == ("sign",)
    assert network.relevant(["report", "other"], ["sign"]) == ()
    assert network.relevant(["report", "sign", "cause"]) == ("cause",)


def test_a_common_effect_makes_its_causes_relevant() -> None:
    ill = Outcome(Atoms(TWO), ("x",), lambda codes: codes["x"])
    network = Network((fair("x"), fair("y"), fair("both", "x", "y")), ill)
    assert network.relevant(["y"]) == ()
    assert network.relevant(["y", "both"]) == ("y", "both")
