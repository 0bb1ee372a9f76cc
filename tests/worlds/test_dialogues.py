"""Dialogues: what each turn does to the state, on examples and against looking back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.worlds.dialogues import TURNED, Dialogues
from worldgen.worlds.services import ABSENT, LETTERS, SERVICES, Service

TASK = Dialogues((4, 6, 8))
RESTAURANTS = next(service for service in SERVICES if service.name == "restaurants")


def problem(service: Service, texts: list[str], letters: str = LETTERS) -> dict[str, list[str]]:
    padded = [*texts, *[ABSENT] * (8 - len(texts))]
    return {"schema": [service.schema(letters)], **{f"turn_{i}": [text] for i, text in enumerate(padded, 1)}}


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ([], "aaaa"),
        (["USER: I want to reserve."], "caaa"),
        (["USER: I want to reserve.", "USER: Leave it, there is nothing to do for now."], "aaaa"),
        (["USER: The cuisine should be Thai."], "adaa"),
        (["USER: The cuisine should be Thai.", "USER: Any cuisine will do."], "abaa"),
        (["USER: Any area will do.", "USER: Forget what I said about the area."], "aaaa"),
        (["SYSTEM: Would cheap suit as the price? USER: Yes, take that."], "aaac"),
        (["SYSTEM: Would cheap suit as the price? USER: No, leave it as it was."], "aaaa"),
        (
            [
                "USER: Make the area harbour, please.",
                "SYSTEM: Would north suit as the area? USER: It would not, change nothing.",
            ],
            "aafa",
        ),
    ],
)  # fmt: skip
def test_what_a_turn_does(said: list[str], state: str) -> None:
    assert TASK.answers(problem(RESTAURANTS, said)) == [state]
    turned = TASK.answers(problem(RESTAURANTS, said, TURNED))
    assert turned == [state.translate(str.maketrans(LETTERS, TURNED))]


@given(st.sampled_from(SERVICES), st.data())
def test_going_forward_and_looking_back_agree(service: Service, data: st.DataObject) -> None:
    texts = data.draw(st.lists(st.sampled_from(list(service.said)), max_size=8))
    rows = problem(service, texts, data.draw(st.sampled_from((LETTERS, TURNED))))
    assert TASK.answers(rows) == TASK.slow_answers(rows)


def test_a_turn_of_another_service_has_no_answer() -> None:
    rows = problem(RESTAURANTS, ["USER: Any car will do."])
    assert TASK.answers(rows) == TASK.slow_answers(rows) == [""]


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_wordings_of_a_service_tell_its_acts_apart(service: Service) -> None:
    assert len(service.said) == 2 * len(service.acts)
    assert all(len(set(values)) == len(LETTERS) for values in service.fields.values())
    assert 1 <= len(service.slots) <= 3
