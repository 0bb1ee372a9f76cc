"""Covert transfer: a letter that may have been replaced by a secret tag, as a network.

A message is a type and letters, each uniform over an alphabet; a tag is uniform over the same alphabet. With
some probability the message encodes the tag: it replaces the letter at the position that belongs to the type.
A view shows the message and the part of the alphabet that the tag lies in.

The letters at the other positions are independent of the tag and of whether it is encoded, given the type,
and the type is independent of both: they cancel from P(encoded | message, part). So the letter at the one
position is all of the message that matters, and the network has that letter alone. With n letters in the
alphabet, m in the part and encoding probability e, P(encoded | letter, part) = e n / (e n + (1 - e) m) where
the part holds the letter, else 0; with e = 1/2 this is n / (n + m).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor, FactorError
from worldgen.exact.networks import Codes, Network, Outcome

ENCODING, TAG, LETTER = "encoding", "tag", "letter"


def transfer(
    alphabet: str, partitions: Mapping[str, Sequence[str]], encoding: Fraction, classes: tuple[str, str]
) -> Network:
    """The network of a covert transfer: factors `encoding` (no, yes), `tag`, `letter`, and the partitions.

    `letter` is the letter at the position of the message's type. A partition cuts the alphabet into parts,
    strings of letters; its factor is the part that holds the tag. The outcome is classes[1] where the tag is
    encoded. A view shows `letter` and one partition. Raises FactorError for a partition that does not hold
    every letter once.

    >>> from worldgen.exact.joints import joint
    >>> half = Fraction(1, 2)
    >>> network = transfer("abc", {"coarse": ("ab", "c")}, half, ("absent", "present"))
    >>> joint(network, [], {"letter": 0, "coarse": 0}).prior.masses
    (Fraction(2, 5), Fraction(3, 5))
    """
    letters, size = tuple(alphabet), len(alphabet)
    uniform = np.ones((size, size), dtype=np.int64)
    # Both rows over the total n: a letter of its own has weight 1, the tag in its place n.
    replaced = np.stack([uniform, size * np.eye(size, dtype=np.int64)])
    factors = [
        Factor.of(ENCODING, ("no", "yes"), [1 - encoding, encoding]),
        Factor(TAG, letters, (), [1] * size, size),
        Factor(LETTER, letters, (ENCODING, TAG), replaced, size),
    ]
    for name, parts in partitions.items():
        if sorted("".join(parts)) != sorted(alphabet):
            raise FactorError(name, "its parts must hold every letter of the alphabet once")
        holds = [[int(letter in part) for part in parts] for letter in letters]
        factors.append(Factor(name, tuple(parts), (TAG,), holds, 1))
    return Network(tuple(factors), Outcome(Atoms(classes), (ENCODING,), _encoded))


def _encoded(codes: Mapping[str, Codes]) -> Codes:
    return codes[ENCODING]
