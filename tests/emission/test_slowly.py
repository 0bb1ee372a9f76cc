"""The slow path over a batch: one verdict for each table and question, as with fractions row by row."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from tests.by_hand import masses_of
from worldgen.emission.slowly import TOLERANCE, SlowPath, gathered
from worldgen.exact.distributions import Distribution
from worldgen.exact.numbers import Integers
from worldgen.spec import read_factors, read_world
from worldgen.worlds.base import Streams, Values, World
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld

WORLD = read_world("finite-population")
DRAWN = WORLD.draw(Streams(3, "w", "s"), np.arange(200), 0).values


def by_hand(masses: Sequence[Fraction] | None, law: Sequence[Fraction], event: int, given: int) -> bool:
    """Whether two laws agree on P(event | given), with fractions."""
    atoms = [atom for atom in range(len(law)) if given >> atom & 1]
    if masses is None or not sum(masses[a] for a in atoms) or not sum(law[a] for a in atoms):
        return False
    one, other = (
        Fraction(sum(row[a] for a in atoms if event >> a & 1)) / sum(row[a] for a in atoms)
        for row in (masses, law)
    )
    return abs(one - other) <= TOLERANCE


@pytest.mark.parametrize("shift", [0, 10**-14, -(10**-16)])
def test_a_verdict_is_that_of_fractions(shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = [
        masses if masses is None or row % 3 else (max(masses[0] + Fraction(shift), Fraction(0)), *masses[1:])
        for row, masses in enumerate(masses_of(WORLD.slow_posterior(DRAWN)))
    ]
    weights = [Distribution.of(WORLD.atoms, masses).weights if masses else (0,) * 4 for masses in moved]
    monkeypatch.setattr(CellWorld, "slow_posterior", lambda *_: np.array(weights, dtype=np.object_))
    slow, (laws, _) = SlowPath(WORLD, DRAWN), WORLD.posterior(DRAWN)
    for event, given in (
        (0b0001, 0b1111),
        (0b0010, 0b1010),
        (0b1010, 0b1010),
        (0b0000, 0b0110),
        (0b0001, 0b0001),
    ):
        expected = [by_hand(masses, laws.row(row).masses, event, given) for row, masses in enumerate(moved)]
        assert slow.confirms(event, given).tolist() == expected
        assert any(expected)


def test_a_verdict_in_machine_integers_is_that_of_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    world = read_factors("peer-review").through("high")
    drawn = world.draw(Streams(3, "w", "s"), np.arange(300), 0).values
    weights = world.slow_posterior(drawn)
    assert weights.dtype == np.int64
    weights[::7, 1] += 1
    weights[5], weights[6] = 0, weights[6] * 1000  # no mass; the same masses over another sum
    monkeypatch.setattr(FactorWorld, "slow_posterior", lambda *_: weights)
    slow, (laws, _) = SlowPath(world, drawn), world.posterior(drawn)
    for event, given in ((0b10, 0b11), (0b01, 0b11), (0b10, 0b10), (0b00, 0b01)):
        rows = enumerate(masses_of(weights))
        expected = [by_hand(masses, laws.row(row).masses, event, given) for row, masses in rows]
        assert slow.confirms(event, given).tolist() == expected
        assert True in expected and False in expected


def test_a_row_agrees_where_all_of_its_options_do() -> None:
    slow, rows = SlowPath(WORLD, DRAWN), np.arange(200)
    events = np.zeros((200, 2, 4), dtype=np.bool_)
    events[rows, 0, rows % 4] = events[rows, 1, (rows + 1) % 4] = True
    given = np.ones((200, 4), dtype=np.bool_)
    given[::5] = [False, True, False, True]
    asked = events & given[:, None, :]
    found = slow.agrees(asked, given, rows[::-1]).tolist()
    bits = 1 << np.arange(4)
    for row in range(200):
        whole = int(given[row] @ bits)
        verdicts = [slow.confirms(int(option @ bits), whole)[199 - row] for option in asked[row]]
        assert found[row] == all(verdicts)
    assert True in found and False in found


def test_a_table_is_worked_out_once_however_many_requests_show_it() -> None:
    worked: list[int] = []

    class Counting:
        """A world that notes how many tables it is asked about."""

        view, atoms = WORLD.view, WORLD.atoms

        def slow_posterior(self, values: Values) -> Integers:
            worked.append(len(values["count_0"]))
            return WORLD.slow_posterior(values)

    shown = {variable.name: DRAWN[variable.name] for variable in WORLD.view.shown}
    other = dict(shown) | {"count_0": np.where(np.arange(200) == 7, 5, shown["count_0"])}
    owners = [np.arange(200)] * 3
    values, places = gathered([shown, other, shown], owners, 200)
    world: World = Counting()  # type: ignore[assignment]  # all that is asked of it here
    assert len(SlowPath(world, values).weights) == 201
    assert worked == [201]
    for group, found in zip((shown, other, shown), places, strict=True):
        assert all((values[name][found] == column).all() for name, column in group.items())
    assert [int(found[7]) for found in places] == [7, 200, 7]
