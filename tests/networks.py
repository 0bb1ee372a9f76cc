"""The networks that tests and benchmarks are about, built by hand from their published descriptions."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.networks import Codes, Network, Outcome

LEVELS = ("low", "middle", "high")
PRIOR = (48, 27, 25)


def plain(name: str) -> Factor:
    """A factor of three levels with the default prior."""
    return Factor(name, LEVELS, (), PRIOR, 100)


def scaled(name: str, weights: Mapping[str, int], total: int) -> Factor:
    """A factor without parents from its weights by level."""
    return Factor(name, tuple(weights), (), list(weights.values()), total)


def even(name: str, *levels: str) -> Factor:
    """A uniform factor."""
    return Factor(name, levels, (), [1] * len(levels), len(levels))


def chosen(table: Any, codes: Codes) -> Codes:
    """The entry of a table for each code."""
    return np.asarray(np.asarray(table, dtype=np.int64)[codes], dtype=np.int64)


def shifted(steps: int) -> list[list[int]]:
    """Rows in hundredths: per level of the parent above the middle, `steps` move from first to last."""
    low, middle, high = PRIOR
    return [[low - steps * k, middle, high + steps * k] for k in (-1, 0, 1)]


# Peer review

REVIEW_TYPES = ("theoretical", "empirical", "applied")
QUALITIES = (
    "novelty",
    "significance",
    "validity",
    "evidence",
    "comparison",
    "robustness",
    "reproducibility",
    "clarity",
)
REVIEW_WEIGHTS = (  # tenths, by type, in the order above
    (18, 10, 20, 18, 10, 10, 8, 8),
    (10, 10, 18, 20, 16, 12, 8, 8),
    (10, 18, 12, 20, 10, 12, 10, 10),
)
REVIEW_RESIDUAL = {
    "0": 720,
    **{f"{sign}{k}": w for k, w in enumerate((90, 30, 15, 4, 1), start=1) for sign in "+-"},
}
REVIEW_VIEWS = {
    "low": ("type", *QUALITIES),
    "medium": ("type", *QUALITIES[1:]),
    "high": ("type", "significance", *QUALITIES[3:]),
}


def accepted(codes: Mapping[str, Codes]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether a submission is accepted, in integer tenths."""
    kind = codes["type"]
    score = 6 * ((codes["evidence"] == 2) & (codes["comparison"] == 2)).astype(np.int64)
    score = score + 6 * ((codes["validity"] == 2) & (codes["robustness"] == 2))
    for place, quality in enumerate(QUALITIES):
        score = score + chosen([row[place] for row in REVIEW_WEIGHTS], kind) * codes[quality]
    residual = chosen([10 * int(level) for level in REVIEW_RESIDUAL], codes["residual"])
    return np.asarray((score + residual >= 115) & (codes["validity"] > 0))


def review() -> Network:
    """Peer review."""
    thousandths = [[PRIOR[0] * 10 - 35 * k, PRIOR[1] * 10, PRIOR[2] * 10 + 35 * k] for k in (-1, 0, 1)]
    special = {
        "validity": Factor("validity", LEVELS, (), [15, 35, 50], 100),
        "evidence": Factor("evidence", LEVELS, ("validity",), [[85, 13, 2], [50, 30, 20], [33, 29, 38]], 100),
        "robustness": Factor("robustness", LEVELS, ("validity",), thousandths, 1000),
    }
    factors = (
        even("type", *REVIEW_TYPES),
        *(special.get(name, plain(name)) for name in QUALITIES),
        scaled("residual", REVIEW_RESIDUAL, 1000),
    )
    reads = ("type", *QUALITIES, "residual")
    return Network(factors, Outcome(Atoms(("rejected", "accepted")), reads, accepted))


# Credit risk

SECTORS = ("technology", "manufacturing", "consumer", "healthcare")
CYCLES = ("expansion", "steady", "contraction")
POSITIONS = (
    "cash_generation",
    "cash_buffer",
    "refinancing",
    "debt_service",
    "rate_exposure",
    "principal_due",
    "concentration",
    "flexibility",
)
CREDIT_RESIDUAL = {"-3": 3, "-1": 9, "0": 76, "1": 9, "3": 3}
CREDIT_VIEWS = {
    "low": ("sector", "cycle", *POSITIONS),
    "medium": ("sector", "cycle", *(name for name in POSITIONS if name != "cash_buffer")),
    "high": (
        "sector",
        "cycle",
        *(name for name in POSITIONS if name not in ("cash_buffer", "principal_due")),
    ),
}


def surplus(codes: Mapping[str, Codes]) -> Codes:
    """Resources and residual minus obligations, in twentieths."""
    cycle, contraction = codes["cycle"], codes["cycle"] == 2
    cash = chosen([60, 100, 140], codes["cash_generation"])
    per_level = 15 + chosen([5, 10, 15, 0], codes["sector"])
    fall = 20 + per_level * codes["concentration"] - 10 * codes["flexibility"]
    cash = cash - np.where(contraction, np.maximum(fall, 0), 0)
    buffer = chosen([20, 60, 100], codes["cash_buffer"])
    refinancing = 2 * codes["refinancing"] * chosen([20, 15, 8], cycle)
    service = chosen([20, 40, 60], codes["debt_service"])
    exposure = codes["rate_exposure"] * chosen([0, 5, 15], cycle)
    due = chosen([20, 60, 120], codes["principal_due"])
    residual = chosen([20 * int(level) for level in CREDIT_RESIDUAL], codes["residual"])
    return cash + buffer + refinancing + residual - service - exposure - due


def credit() -> Network:
    """Credit risk."""
    cycle = Factor("cycle", CYCLES, (), [30, 40, 30], 100)
    special = {
        "cash_buffer": Factor("cash_buffer", LEVELS, ("cash_generation",), shifted(3), 100),
        "refinancing": Factor("refinancing", LEVELS, ("cycle",), shifted(-4), 100),
    }
    factors = (
        even("sector", *SECTORS),
        cycle,
        *(special.get(name, plain(name)) for name in POSITIONS),
        scaled("residual", CREDIT_RESIDUAL, 100),
    )
    reads = ("sector", "cycle", *POSITIONS, "residual")
    rule = Outcome(Atoms(("no default", "default")), reads, lambda codes: surplus(codes) < 0)
    return Network(factors, rule)


# Covert transfer


def transfer(
    alphabet: str, partitions: Mapping[str, Sequence[str]], encoding: Fraction, classes: tuple[str, str]
) -> Network:
    """Whether the tag replaced the letter at the position of the message's type, from that letter alone.

    The letters at the other positions are independent of the tag and of whether it is encoded, given the
    type, and the type is independent of both: they cancel. `letter` is the one that is left; a partition cuts
    the alphabet into parts, and its factor is the part that holds the tag.
    """
    letters, size = tuple(alphabet), len(alphabet)
    uniform = np.ones((size, size), dtype=np.int64)
    # Both rows over the total n: a letter of its own has weight 1, the tag in its place n.
    replaced = np.stack([uniform, size * np.eye(size, dtype=np.int64)])
    factors = [
        Factor.of("encoding", ("no", "yes"), [1 - encoding, encoding]),
        Factor("tag", letters, (), [1] * size, size),
        Factor("letter", letters, ("encoding", "tag"), replaced, size),
    ]
    for name, parts in partitions.items():
        holds = [[int(letter in part) for part in parts] for letter in letters]
        factors.append(Factor(name, tuple(parts), ("tag",), holds, 1))
    return Network(tuple(factors), Outcome(Atoms(classes), ("encoding",), lambda codes: codes["encoding"]))
