"""P(Y | text) = P(Y | visible) for the memos of the catalog, over toy laws small enough to list."""

from collections.abc import Callable, Mapping
from itertools import product

import pytest

from tests.laws.text_posteriors import Listed, disagreements, given
from tests.memos import MEMOS, Memo
from worldgen.renderers.plans import Plan

Levels = Mapping[str, int]

# What varies, and its codes; of the numbers that are measured one value for each level. The rest is fixed.
VARYING: dict[str, dict[str, tuple[int, ...]]] = {
    "peer-review": {
        "contribution": (0, 1, 2),
        "novelty": (0, 1, 2),
        "validity": (0, 1, 2),
        "evidence_rating": (0, 17, 40),
        "comparison": (0, 2),
        "authors": (0, 3),
        "typeset": (0, 1),
    },
    "credit-risk": {
        "sector": (0, 3),
        "cycle": (0, 1, 2),
        "cash_buffer": (0, 1, 2),
        "principal_due": (0, 1, 2),
        "customer_share": (3, 250, 1000),
        "flexibility": (0, 2),
        "employees": (0, 1990),
    },
    "covert-transfer": {
        "report_type": (0, 1, 2),
        "tag": (0, 1, 4, 25),
        "letter_5": (0, 1, 4, 25),
        "letter_9": (0, 4),
        "letter_13": (1, 25),
        "shift": (0, 1),
    },
}
RESIDUAL = {-1: 1, 0: 5, 1: 1}


def reviewed(levels: Levels, residual: int) -> int:
    """A toy of the review: some levels add up, a flaw is fatal."""
    support = (0, 17, 40).index(levels["evidence_rating"])
    total = (levels["contribution"] + 1) * support + levels["novelty"] + levels["validity"]
    return int(levels["validity"] > 0 and total + levels["comparison"] + residual >= 5)


def defaulted(levels: Levels, residual: int) -> int:
    """A toy of the credit: a buffer against what falls due, less of it in a contraction."""
    lost = (levels["cycle"] == 2) * ((3, 250, 1000).index(levels["customer_share"]) - levels["flexibility"])
    return int(levels["cash_buffer"] + residual - lost < levels["principal_due"] + (levels["sector"] == 3))


RULES: dict[str, Callable[[Levels, int], int]] = {"peer-review": reviewed, "credit-risk": defaulted}


def states(memo: Memo) -> list[tuple[dict[str, int], int, int]]:
    """Every state of the toy: all levels, the class, the weight."""
    varying = VARYING[memo.world]
    fixed = {name: 0 for name in memo.every if name not in varying}
    found = []
    for codes in product(*varying.values()):
        levels = fixed | dict(zip(varying, codes, strict=True))
        weight = 1 + sum(codes) % 3  # anything but uniform
        if memo.world != "covert-transfer":
            rule = RULES[memo.world]
            found += [(levels, rule(levels, r), weight * chance) for r, chance in RESIDUAL.items()]
            continue
        levels |= {"narrow_range": levels["tag"] // 4, "broad_range": levels["tag"] // 8}
        site = ("letter_5", "letter_9", "letter_13")[levels["report_type"]]
        found += [(levels, 0, 1), (levels | {site: levels["tag"]}, 1, 1)]
    return found


def listed(memo: Memo) -> Listed:
    every = states(memo)
    visible = {variable.name: [levels[variable.name] for levels, _, _ in every] for variable in memo.shown}
    return Listed(visible, [label for _, label, _ in every], [weight for _, _, weight in every])


every_memo = pytest.mark.parametrize("memo", MEMOS, ids=str)


@every_memo
def test_a_memo_tells_as_much_as_what_it_shows(memo: Memo) -> None:
    law = listed(memo)
    assert disagreements(law.texts(memo.plan), law) == []
    posteriors = {tuple(sorted(found.items())) for found in given(law.looks, law).values()}
    assert len(posteriors) > 2  # the toy does tell the cases apart


@every_memo
def test_demonstrations_and_question_add_nothing(memo: Memo) -> None:
    law = listed(memo)
    cases = memo.cases(0)
    assert disagreements(law.texts(Plan(cases.chat("judge"), cases.shown)), law) == []


@pytest.mark.parametrize("name", ["novelty", "evidence_rating", "comparison"])
def test_texts_that_lose_a_field_break_the_law(name: str) -> None:
    memo = MEMOS[0]
    law = listed(memo)
    dulled = Listed({**law.visible, name: [0] * len(law.classes)}, law.classes, law.weights)
    assert disagreements(dulled.texts(memo.plan), law)


def test_texts_that_leak_the_outcome_break_the_law() -> None:
    memo = MEMOS[0]
    law = listed(memo)
    leaky = [text + "." * label for text, label in zip(law.texts(memo.plan), law.classes, strict=True)]
    assert disagreements(leaky, law)


def test_texts_that_lose_what_does_not_matter_keep_the_law() -> None:
    """The law is about the outcome only; that nothing at all is lost is the proof of the plan."""
    memo = MEMOS[0]
    law = listed(memo)
    levels = [levels for levels, _, _ in states(memo)]
    even = Listed(law.visible, law.classes, [RESIDUAL[r] for _ in range(len(levels) // 3) for r in RESIDUAL])
    dulled = Listed({**law.visible, "authors": [0] * len(levels)}, law.classes, even.weights)
    assert disagreements(dulled.texts(memo.plan), even) == []
