"""Covert transfer: the letter at the one position is all of a message that matters."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.networks import transfer
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.joints import bayes_error, joint
from worldgen.exact.networks import Network, Outcome

CLASSES = ("absent", "present")
Message = tuple[int, str, str]  # the type, the letters, the part that holds the tag


def messages(
    alphabet: str, length: int, positions: list[int], parts: list[str], encoding: Fraction
) -> dict[Message, list[Fraction]]:
    """P(message, class) by writing down every type, tag, identifier and choice to encode."""
    found: dict[Message, list[Fraction]] = {}
    once = Fraction(1, len(positions) * len(alphabet) ** (length + 1))
    for kind, tag, letters in product(range(len(positions)), alphabet, product(alphabet, repeat=length)):
        part = next(part for part in parts if tag in part)
        encoded = [*letters]
        encoded[positions[kind]] = tag
        for k, (text, chance) in enumerate([(letters, 1 - encoding), (tuple(encoded), encoding)]):
            masses = found.setdefault((kind, "".join(text), part), [Fraction(0), Fraction(0)])
            masses[k] += once * chance
    return found


@pytest.mark.parametrize("encoding", [Fraction(1, 2), Fraction(1, 7), Fraction(0), Fraction(1)])
@pytest.mark.parametrize(
    ("alphabet", "length", "positions", "parts"),
    [
        ("ab", 3, [0, 2], ["a", "b"]),
        ("ab", 2, [0, 1, 0], ["ab"]),
        ("abc", 4, [1, 3], ["ab", "c"]),
        ("abcd", 3, [0, 1, 2], ["abc", "d"]),
        ("abcde", 3, [2], ["ab", "c", "de"]),
    ],
)
def test_every_message_has_the_posterior_of_its_letter(
    alphabet: str, length: int, positions: list[int], parts: list[str], encoding: Fraction
) -> None:
    network = transfer(alphabet, {"part": parts}, encoding, CLASSES)
    found = joint(network, ["letter", "part"])
    literal = messages(alphabet, length, positions, parts, encoding)
    assert found.bayes_error == 1 - sum(map(max, literal.values()))
    n, e = len(alphabet), encoding
    for (kind, text, part), masses in literal.items():
        letter = text[positions[kind]]
        codes = np.array([[alphabet.index(letter), parts.index(part)]])
        if not any(masses):
            assert not found.possible[found.index(codes)[0]]
            continue
        q = found.posteriors(codes).row(0).masses
        assert list(q) == [mass / sum(masses) for mass in masses]
        assert q[1] == (e * n / (e * n + (1 - e) * len(part)) if letter in part else 0)


def spelled(alphabet: str, length: int, positions: list[int], parts: list[str]) -> Network:
    """The whole message as a network: its type, the tag, and a factor for every letter."""
    n, kinds = len(alphabet), len(positions)
    own = np.ones((n, n), dtype=np.int64)
    factors = [
        Factor("type", tuple(map(str, range(kinds))), (), [1] * kinds, kinds),
        Factor("encoding", ("no", "yes"), (), [1, 1], 2),
        Factor("tag", tuple(alphabet), (), [1] * n, n),
        Factor("part", tuple(parts), ("tag",), [[int(a in part) for part in parts] for a in alphabet], 1),
    ]
    for place in range(length):
        if place not in positions:
            factors.append(Factor(f"letter {place}", tuple(alphabet), (), [1] * n, n))
            continue
        here = [n * np.eye(n, dtype=np.int64) if place == position else own for position in positions]
        table = np.stack([np.stack([own, replaced]) for replaced in here])
        factors.append(Factor(f"letter {place}", tuple(alphabet), ("type", "encoding", "tag"), table, n))

    def encoded(
        codes: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.int64]]],
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return codes["encoding"]

    return Network(tuple(factors), Outcome(Atoms(CLASSES), ("encoding",), encoded))


@given(st.integers(2, 4), st.integers(2, 16), st.data())
def test_elimination_prunes_the_letters_that_no_tag_touches(n: int, length: int, data: st.DataObject) -> None:
    alphabet = "abcd"[:n]
    positions = data.draw(st.lists(st.integers(0, length - 1), min_size=1, max_size=3))
    cut = data.draw(st.integers(1, n))
    parts = [part for part in (alphabet[:cut], alphabet[cut:]) if part]
    network = spelled(alphabet, length, positions, parts)
    view = ["type", "part", *(f"letter {place}" for place in range(length))]
    assert network.states == len(positions) * 2 * n ** (length + 1) * len(parts)
    touched = {f"letter {place}" for place in positions}
    assert {name for name in network.relevant(view) if name.startswith("letter")} == touched
    short = transfer(alphabet, {"part": parts}, Fraction(1, 2), CLASSES)
    assert bayes_error(network, view) == bayes_error(short, ["letter", "part"])
