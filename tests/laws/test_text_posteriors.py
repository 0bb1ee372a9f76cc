"""P(Y | text) = P(Y | visible) for the memos of the catalog, every state of a part of each world listed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from tests.by_hand import outcome_of
from tests.laws.text_posteriors import Listed, disagreements, given
from tests.memos import FORMS, MEMOS, Memo
from worldgen.renderers.plans import Plan
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

State = tuple[dict[str, int], int, Fraction]

# Levels that the part is conditioned on. They are visible in every view, so that conditioning on them changes
# no posterior; all that is hidden, and the rest of what is visible, takes every level there is.
PARTS: dict[str, Mapping[str, int]] = {
    "peer-review": {"significance": 2, "comparison": 2, "reproducibility": 1, "clarity": 2},
    "credit-risk": {"sector": 2, "debt_service": 1, "refinancing": 1, "cash_generation": 1},
}
# Letters at the positions of reports; 0 to 3 share the ranges a-d and a-h, 25 is of another one.
LETTERS = (0, 1, 5, 25)
PATTERNS = {"peer-review": ("authors", "typeset"), "credit-risk": ("charts", "year_end")}


def factor_states(world: FactorWorld) -> Iterator[State]:
    """Every state of the part: a number in the middle of its level for each measurement, two values each of
    two irrelevant fields, the class by the rule.
    """
    model, part = world.model, PARTS[world.name]
    irrelevant = {one.variable.name: one for one in model.irrelevant}
    varying = [irrelevant[name] for name in PATTERNS[world.name]]
    sizes = [[part[name]] if name in part else range(len(levels)) for name, levels in model.levels.items()]
    for codes in product(*sizes):
        state = dict(zip(model.levels, codes, strict=True))
        mass = Fraction(1)
        for factor in model.network.factors:
            mass *= factor.probability(state[factor.name], state)
        label = outcome_of(model.decision, state)
        shown = dict.fromkeys(irrelevant, 0) | state
        for measured in model.measurements:
            first, after = measured.ends[state[measured.of]], measured.ends[state[measured.of] + 1]
            shown[measured.name] = int(first + after) // 2
        for pair in product((0, 1), repeat=2):
            weight = mass
            for code, one in zip(pair, varying, strict=True):
                shown = shown | {one.variable.name: code}
                weight *= one.weights[code] if one.weights else 1
            yield shown, label, weight


def transfer_states(world: TransferWorld) -> Iterator[State]:
    """Every tag, every type of report, and LETTERS at the positions of the tag, the other letters fixed.

    A letter that was replaced may have been any of the alphabet: so many states are one here.
    """
    model = world.model
    ranges = {
        view.shows: [
            next(i for i, part in enumerate(view.parts(model.alphabet).values()) if letter in part)
            for letter in model.alphabet
        ]
        for view in model.views.values()
    }
    sites = [f"letter_{position}" for position in model.reports.values()]
    blank = dict.fromkeys(world.template_names(metadata=False), 0)
    for report, tag, *letters in product(range(len(sites)), range(len(model.alphabet)), *[LETTERS] * 3):
        shown = blank | {"report_type": report} | dict(zip(sites, letters, strict=True))
        shown |= {name: places[tag] for name, places in ranges.items()}
        yield shown, 0, 1 - model.encoding
        if shown[sites[report]] == tag:
            yield shown, 1, model.encoding * len(model.alphabet)


@cache
def listed(memo: Memo) -> Listed:
    world = memo.world
    every = list(factor_states(world) if isinstance(world, FactorWorld) else transfer_states(world))
    visible = {name: [shown[name] for shown, _, _ in every] for name in world.view.names}
    return Listed(visible, [label for _, label, _ in every], [weight for _, _, weight in every])


every_memo = pytest.mark.parametrize("memo", MEMOS, ids=str)


@pytest.mark.parametrize("memo", MEMOS + FORMS, ids=str)
def test_a_memo_tells_as_much_as_what_it_shows(memo: Memo) -> None:
    law = listed(memo)
    assert disagreements(law.texts(memo.plan), law) == []


@every_memo
def test_what_it_tells_is_the_posterior_of_the_world(memo: Memo) -> None:
    law = listed(memo)
    texts = law.texts(memo.plan)
    posteriors, positive = memo.world.posterior(law.values)
    told = given(texts, law)
    firsts = {text: row for row, text in enumerate(texts)}
    assert positive.all()
    for text, row in firsts.items():
        masses = posteriors.row(row).masses
        assert told[text] == {label: mass for label, mass in enumerate(masses) if mass}
    assert len({tuple(sorted(found.items())) for found in told.values()}) > 1


@every_memo
def test_the_question_and_the_system_message_add_nothing(memo: Memo) -> None:
    law = listed(memo)
    cases = memo.cases(0)
    assert disagreements(law.texts(Plan(cases.chat("m"), cases.shown)), law) == []


@pytest.mark.parametrize(
    ("memo", "name"),
    [
        (MEMOS[0], "novelty"),
        (MEMOS[0], "evidence_rating"),
        (MEMOS[3], "cycle"),
        (MEMOS[5], "customer_share"),
        (MEMOS[6], "tag"),
        (MEMOS[8], "letter_9"),
    ],
    ids=str,
)
def test_texts_that_lose_a_field_break_the_law(memo: Memo, name: str) -> None:
    law = listed(memo)
    dulled = replace(law, visible={**law.visible, name: [0] * len(law.classes)})
    assert disagreements(dulled.texts(memo.plan), law)


def test_texts_that_leak_the_outcome_break_the_law() -> None:
    law = listed(MEMOS[0])
    texts = law.texts(MEMOS[0].plan)
    leaky = [text + "." * label for text, label in zip(texts, law.classes, strict=True)]
    assert disagreements(leaky, law)


def test_texts_that_lose_what_the_outcome_does_not_depend_on_keep_the_law() -> None:
    """The law is about the outcome; that nothing at all is lost is what the proof of a plan says."""
    law = listed(MEMOS[0])
    dulled = replace(law, visible={**law.visible, "authors": [0] * len(law.classes)})
    assert disagreements(dulled.texts(MEMOS[0].plan), law) == []
