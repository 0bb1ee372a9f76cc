"""Whatever a system answers or a file holds: a reason or a list of faults, never a crash, never a repair."""

import json
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.reports.reader import (
    REASONS,
    Rejected,
    Valid,
    read_logprobs,
    read_probabilities,
    read_report,
    read_response,
)
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import Request

IDS = ("A", "B")


def chat(body: str) -> Valid | Rejected:
    return read_response(body, "choice", "chat", IDS)


def systemone(answer: str, form: str = "choice") -> Valid | Rejected:
    ids = ("true", "false") if form == "event" else IDS
    return read_response('{"model": "m", "answers": {"q": ' + answer + "}}", form, "systemone", ids)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "invalid JSON"),
        ("  \n", "invalid JSON"),
        ("\ufeff" + '{"A": 1, "B": 0}', "invalid JSON"),
        ("The answer is A.", "invalid JSON"),
        ('```json\n{"A": 1, "B": 0}\n```', "invalid JSON"),
        ("{'A': 1, 'B': 0}", "invalid JSON"),
        ('{"A": 1, "B": 0', "invalid JSON"),
        ('{"A": .5, "B": .5}', "invalid JSON"),
        ('{"A": 01, "B": 0}', "invalid JSON"),
        ('{"A": +1, "B": 0}', "invalid JSON"),
        ('{"A": 1, "B": 0,}', "invalid JSON"),
        ('{"A\n": 1, "B": 0}', "invalid JSON"),
        ('{"A": 0x1, "B": 0}', "invalid JSON"),
        ("[" * 100_000, "invalid JSON"),
        ('{"A":' * 65 + "0" + "}" * 65, "invalid JSON"),
        ('{"A": 1, "B": 0} I am sure.', "trailing content"),
        ('{"A": 1, "B": 0}{"A": 1, "B": 0}', "trailing content"),
        ('{"A": 1, "B": 0}\u00a0', "trailing content"),
        ('{"A": 1, "B": 0}\x00', "trailing content"),
        ("0.5 0.5", "trailing content"),
        ("null", "wrong key support"),
        ("0.84", "wrong key support"),
        ("[0.5, 0.5]", "wrong key support"),
        ('"A"', "wrong key support"),
        ("{}", "wrong key support"),
        ('{"A": 1}', "wrong key support"),
        ('{"A": 1, "B": 0, "C": 0}', "wrong key support"),
        ('{"a": 1, "b": 0}', "wrong key support"),
        ('{"A": 0.5, "B": 0.5, "A": 0.5}', "wrong key support"),
        ('{"A": 0.5, "\\u0041": 0.5}', "wrong key support"),
        ('{"A": NaN, "B": 1}', "non-numeric"),
        ('{"A": Infinity, "B": 0}', "non-numeric"),
        ('{"A": -Infinity, "B": 1}', "non-numeric"),
        ('{"A": true, "B": 0}', "non-numeric"),
        ('{"A": null, "B": 1}', "non-numeric"),
        ('{"A": "0.5", "B": 0.5}', "non-numeric"),
        ('{"A": "1/2", "B": 0.5}', "non-numeric"),
        ('{"A": [1], "B": 0}', "non-numeric"),
        ('{"A": {"p": 1}, "B": 0}', "non-numeric"),
        ('{"A": -0.1, "B": 1.1}', "out of range"),
        ('{"A": 50, "B": 50}', "out of range"),
        ('{"A": 1e400, "B": 0}', "out of range"),
        ('{"A": 1e999999999, "B": 0}', "out of range"),
        ('{"A": 1e-999999999, "B": 1}', "out of range"),
        ('{"A": -1e-300, "B": 1}', "out of range"),
        ('{"A": 0.' + "3" * 5000 + ', "B": 1}', "out of range"),
        ('{"A": ' + "9" * 1_000_000 + ', "B": 1}', "out of range"),
        ('{"A": 0, "B": 0}', "simplex sum"),
        ('{"A": 0.5, "B": 0.500001000001}', "simplex sum"),
        ('{"A": 0.5, "B": 0.4}', "simplex sum"),
    ],
)
def test_each_reason(body: str, reason: str) -> None:
    assert chat(body) == Rejected(reason)  # type: ignore[arg-type] # the cases are plain texts
    assert reason in REASONS


def test_the_first_failing_check_is_the_reason() -> None:
    bodies = ['{"A": "x", "C": 9} .', '{"A": "x", "C": 9}', '{"A": "x", "B": 9}', '{"A": 0.1, "B": 9}']
    reasons = ["trailing content", "wrong key support", "non-numeric", "out of range"]
    assert list(map(chat, bodies)) == list(map(Rejected, reasons))  # type: ignore[arg-type] # as above


@pytest.mark.parametrize(
    ("body", "p"),
    [
        ('{"A": 0.84, "B": 0.16}', "0.84"),
        (' \r\n\t{"B":0.16,"A":8.4E-1} \n', "0.84"),
        ('{"A": -0.0, "B": 1}', "0"),
        ('{"A": 1e-300, "B": 1}', "1e-300"),
        ('{"A": 0.' + "3" * 900 + ', "B": 0.666667}', "0." + "3" * 900),
        ('{"\\u0041": 1, "B": 0e5}', "1"),
    ],
)
def test_numbers_are_taken_as_written(body: str, p: str) -> None:
    read = chat(body)
    assert isinstance(read, Valid)
    assert read.masses[0] == Fraction(p)


def test_the_sum_bound_is_inclusive_on_both_sides() -> None:
    for b in ("0.499999", "0.500001"):
        assert chat('{"A": 0.5, "B": ' + b + "}") == Valid((Fraction(1, 2), Fraction(b)))
    for b in ("0.49999899999", "0.50000100001"):
        assert chat('{"A": 0.5, "B": ' + b + "}") == Rejected("simplex sum")


@pytest.mark.parametrize(
    ("answer", "form", "reason"),
    [
        ('{"type": "noul", "noul": 0.84}', "choice", "wrong key support"),
        ('{"type": "boolean", "noul": 0.84}', "event", "wrong key support"),
        ('{"noul": 0.84}', "event", "wrong key support"),
        ('{"type": "noul"}', "event", "wrong key support"),
        ('{"type": "noul", "noul": 0.1, "noul": 0.2}', "event", "wrong key support"),
        ('{"type": "noul", "noul": "0.84"}', "event", "non-numeric"),
        ('{"type": "noul", "noul": NaN}', "event", "non-numeric"),
        ('{"type": "noul", "noul": null}', "event", "non-numeric"),
        ('{"type": "noul", "noul": 1.7}', "event", "out of range"),
        ('{"type": "choice", "choice": "A"}', "choice", "wrong key support"),
        ('{"type": "choice", "probabilities": [0.5, 0.5]}', "choice", "wrong key support"),
        ('{"type": "score", "probabilities": {"A": 1, "B": 0}}', "choice", "wrong key support"),
        ('{"type": "choice", "probabilities": {"A": 0.9, "B": 0.9}}', "choice", "simplex sum"),
        ('{"type": "choice", "probabilities": {"A": 1, "B": 0}}, "r": {}', "choice", "wrong key support"),
    ],
)
def test_reasons_on_the_systemone_wire(answer: str, form: str, reason: str) -> None:
    assert systemone(answer, form) == Rejected(reason)  # type: ignore[arg-type] # as above


@pytest.mark.parametrize("body", ["[]", "{}", '{"answers": []}', '{"answers": {}}', '{"answers": {"q": 1}}'])
def test_a_systemone_envelope_without_the_answer(body: str) -> None:
    assert read_response(body, "event", "systemone", ("true", "false")) == Rejected("wrong key support")


MASSES = (Fraction(3, 4), Fraction(1, 4))
BODY = '{"type": "choice", %s"probabilities": {"B": 0.25, "A": 0.75}}'


def test_fields_beside_the_answer_are_ignored() -> None:
    answer = BODY % '"confidence": NaN, "legend": {"a": 1, "a": 2}, '
    assert systemone(answer) == Valid(MASSES, model="m")


@pytest.mark.parametrize(
    ("field", "selected", "misnamed"),
    [
        ("", None, False),
        ('"choice": null, ', None, False),
        ('"choice": "A", ', "A", False),
        ('"choice": "B", ', "B", False),
        ('"choice": "zzz", ', None, True),
        ('"choice": "a", ', None, True),
        ('"choice": 0.5, ', None, True),
        ('"choice": ["A"], ', None, True),
        ('"score": "A", ', None, False),
    ],
)
def test_a_pick_is_read_as_named_and_never_invalidates(
    field: str, selected: str | None, misnamed: bool
) -> None:
    assert systemone(BODY % field) == Valid(MASSES, selected, misnamed, model="m")


@pytest.mark.parametrize("model", ["null", "1", "{}", "[]"])
def test_a_model_name_that_is_no_text_is_not_reported(model: str) -> None:
    body = '{"model": ' + model + ', "answers": {"q": {"type": "noul", "noul": 1}}}'
    read = read_response(body, "event", "systemone", ("true", "false"))
    assert read == Valid((Fraction(1), Fraction(0)))


def test_the_mean_of_the_levels_is_no_pick() -> None:
    answer = '{"type": "score", "score": 1.0, "choice": "A", "probabilities": {"A": 0.25, "B": 0.75}}'
    assert systemone(answer, "score") == Valid(MASSES[::-1], model="m")


def test_columns_go_before_the_response() -> None:
    events = (frozenset({0}), frozenset({1}))
    asked = Request(
        "r", "0", "s", "v", "choice", "systemone", IDS, IDS, True, events, frozenset({0, 1}), None
    )
    body = '{"model": "m", "answers": {"q": ' + BODY % '"choice": "A", ' + "}}"
    for selected, pick in ((None, ("A", False)), ("B", ("B", False)), ("zzz", (None, True))):
        for name in (None, "m-2"):
            report = Report("s", "r", response=body, selected=selected, model_reported=name)
            assert read_report(report, asked) == Valid(MASSES, pick[0], pick[1], model=name or "m")
    assert read_report(Report("s", "r", response="", selected="A"), asked) == Rejected("invalid JSON")


@pytest.mark.parametrize(
    ("form", "ids", "answer", "masses"),
    [
        ("event", ("true", "false"), '{"type": "noul", "noul": 0.84}', ("0.84", "0.16")),
        ("event", ("false", "true"), '{"type": "noul", "noul": 0.84}', ("0.16", "0.84")),
        (
            "score",
            ("0", "1"),
            '{"type": "score", "score": 0.3, "probabilities": {"0": 0.7, "1": 0.3}}',
            ("0.7", "0.3"),
        ),
    ],
)
def test_answers_of_the_systemone_wire(
    form: str, ids: tuple[str, ...], answer: str, masses: tuple[str, ...]
) -> None:
    body = '{"answers": {"q": ' + answer + "}}"
    assert read_response(body, form, "systemone", ids) == Valid(tuple(map(Fraction, masses)))


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ((("B", "97/317"), ("A", "220/317")), Valid((Fraction(220, 317), Fraction(97, 317)))),
        ((("A", "1"),), Rejected("wrong key support")),
        ((("A", "1"), ("B", "0"), ("B", "0")), Rejected("wrong key support")),
        ((("A", "1/0"), ("B", "0")), Rejected("non-numeric")),
        ((("A", "NaN"), ("B", "0")), Rejected("non-numeric")),
        ((("A", ""), ("B", "0")), Rejected("non-numeric")),
        ((("A", "4/3"), ("B", "0")), Rejected("out of range")),
        ((("A", "1e-99999"), ("B", "1")), Rejected("out of range")),
        ((("A", "1/3"), ("B", "1/3")), Rejected("simplex sum")),
    ],
)
def test_probabilities_obey_the_same_rules(
    written: tuple[tuple[str, str], ...], verdict: Valid | Rejected
) -> None:
    assert read_probabilities(written, IDS) == verdict


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ((("A", "-1"),), "wrong key support"),
        ((("A", "-1"), ("B", "-1"), ("B", "-1")), "wrong key support"),
        ((("A", "-1"), ("C", "-1")), "wrong key support"),
        ((("A", "null"), ("B", "-1")), "non-numeric"),
        ((("A", "nan"), ("B", "-1")), "non-numeric"),
        ((("A", "-1/2"), ("B", "-1")), "non-numeric"),
        ((("A", "inf"), ("B", "-1")), "non-numeric"),
        ((("A", "-INF"), ("B", "-1")), "non-numeric"),
        ((("A", " -1"), ("B", "-1")), "non-numeric"),
        ((("A", "-.5"), ("B", "-1")), "non-numeric"),
        ((("A", "\u0663"), ("B", "-1")), "non-numeric"),
        ((("A", "1e-9"), ("B", "-inf")), "out of range"),
        ((("A", "0.1"), ("B", "nan")), "non-numeric"),
        ((("A", "-10000.1"), ("B", "0")), "out of range"),
        ((("A", "-3.4028235e38"), ("B", "0")), "out of range"),
        ((("A", "-1e-9999"), ("B", "-inf")), "out of range"),
        ((("A", "-1e9999"), ("B", "0")), "out of range"),
        ((("A", "-0." + "1" * 1000), ("B", "-1")), "out of range"),
        ((("A", "-0.5"), ("B", "-0.5")), "out of range"),
        ((("A", "0"), ("B", "-13.8155")), "out of range"),  # 1.00000100001
        ((("A", "-inf"), ("B", "-Infinity")), "simplex sum"),
    ],
)
def test_log_probabilities_that_are_rejected(written: tuple[tuple[str, str], ...], reason: str) -> None:
    assert read_logprobs(written, IDS) == Rejected(reason)  # type: ignore[arg-type] # as above


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.text() | st.floats(max_value=1).map(str)), max_size=3))
def test_any_log_probabilities_get_a_verdict(written: list[tuple[str, str]]) -> None:
    read = read_logprobs(tuple(written), IDS)
    assert isinstance(read, Rejected) or (sum(read.masses) == 1 and read.held is not None)


@pytest.mark.parametrize(
    "body",
    [
        '{"A": 1e-999999999, "B": 1e999999999}',
        "[" * 1_000_000,
        '{"x": "' + '\\"' * 500_000,
        '{"x": [' + "[], " * 70 + '"' + '\\"' * 500_000,
        '{"A": ' + "[" * 60 + "]" * 60 + ', "x": "' + "[" * 1_000_000 + '"}',
        '{"A": 0.' + "1" * 2_000_000 + "}",
        "{" + ", ".join(f'"k{i}": 1e-999' for i in range(20_000)) + "}",
    ],
)
def test_no_answer_hangs_the_reader(body: str) -> None:
    start = time.process_time()
    assert isinstance(chat(body), Rejected)
    assert time.process_time() - start < 2


@given(st.text())
def test_any_text_gets_a_verdict(body: str) -> None:
    assert isinstance(chat(body), Valid | Rejected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["A", "B", "noul", "0.5"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["A", "B", "answers", "q", "type", "noul", "probabilities"]), inner)
    ),
    max_leaves=8,
)


@given(json_values, st.sampled_from(["event", "choice", "score"]), st.sampled_from(["chat", "systemone"]))
def test_any_json_gets_a_verdict(value: object, form: str, wire: str) -> None:
    ids = ("true", "false") if form == "event" else IDS
    assert isinstance(read_response(json.dumps(value), form, wire, ids), Valid | Rejected)


@given(st.integers(1, 10**6 - 1), st.integers(-1, 1))
def test_valid_masses_are_the_written_decimals(first: int, excess: int) -> None:
    millionths = (first, 10**6 - first + excess)
    a, b = (f"{m // 10**6}.{m % 10**6:06d}" for m in millionths)
    assert chat(f'{{"A": {a}, "B": {b}}}') == Valid(tuple(Fraction(m, 10**6) for m in millionths))
