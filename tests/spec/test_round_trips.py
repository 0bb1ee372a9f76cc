"""Cohorts with quotas, exclusions and relations written out read back, and each of them is in the digest."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.quotas import Admission, Bin, Quantity, Quota
from worldgen.exact.expressions import Expression
from worldgen.relations.written import Written
from worldgen.spec import (
    Source,
    cohort_data,
    cohort_of,
    read_cohort,
    read_world,
    spec_digest,
    write_spec,
    write_spec_folder,
)

EVENTS = ("event", "complement", "query-b", "intersection", "conditional")
PLAIN = cohort_of(read_world("noisy-sensor"), ("canonical", *EVENTS))

fractions = st.fractions(-3, 3, max_denominator=10**12) | st.sampled_from(
    [Fraction(1, 2), Fraction(3), Fraction("0.05")]
)
symbols = st.text(st.sampled_from("abxyzé_"), min_size=1, max_size=4).filter(str.isidentifier)


@st.composite
def written(draw: st.DrawFn, name: str) -> Written:
    variants = draw(st.permutations(EVENTS))[: draw(st.integers(2, 4))]
    named = draw(st.lists(symbols, min_size=len(variants), max_size=len(variants), unique=True))
    factor = draw(st.sampled_from(["1", "0.5", "1/3", "2e-3"]))
    text = draw(st.sampled_from([" + ", "-", " * "])).join(named) + f" - ({factor}) "
    claims = tuple(zip(named, variants, strict=True))
    return Written(name, claims, Expression(text), abs(draw(fractions)), draw(st.booleans()))


@st.composite
def admissions(draw: st.DrawFn) -> Admission:
    quantities = [
        "q(A)",
        "max(q(A), 1 - q(A))",
        "q('not A', given=B or type_0) * 0.5",
        "count_0/7 - likelihood_1",
    ]
    bins = draw(
        st.lists(
            st.tuples(fractions, fractions, st.integers(1, 99)).filter(lambda b: b[0] < b[1]),
            min_size=1,
            max_size=3,
        )
    )
    quota = Quota(Quantity(draw(st.sampled_from(quantities))), tuple(Bin(*each) for each in bins))
    digests = st.binary(min_size=32, max_size=32).map(bytes.hex)
    return Admission(draw(st.none() | st.just(quota)), frozenset(draw(st.lists(digests, max_size=3))))


@st.composite
def cohorts(draw: st.DrawFn) -> Cohort:
    own = tuple(draw(written(f"own-{number}")) for number in range(draw(st.integers(0, 2))))
    relations = draw(st.permutations([*own, *draw(st.sets(st.sampled_from(PLAIN.relations)))]))
    return replace(PLAIN, relations=tuple(relations), admission=draw(admissions()))


@given(cohorts())
def test_a_cohort_reads_back_from_both_forms_with_one_digest(cohort: Cohort) -> None:
    for form in ("json", "yaml"):
        again = read_cohort(Source(write_spec(cohort, form)))
        assert again == cohort
        assert spec_digest(cohort_data(again)) == spec_digest(cohort_data(cohort))
        assert [one.name for one in again.declared] == [one.name for one in cohort.declared]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("specs")


@given(cohort=cohorts())
def test_a_cohort_reads_back_from_its_folder(folder: Path, cohort: Cohort) -> None:
    for path, text in write_spec_folder(cohort).items():
        (folder / path).parent.mkdir(exist_ok=True, parents=True)
        (folder / path).write_text(text, encoding="utf-8")
    again = read_cohort(folder / "cohort.json")
    assert again == cohort
    assert spec_digest(cohort_data(again)) == spec_digest(cohort_data(cohort))


@given(cohorts(), cohorts())
def test_digests_differ_where_cohorts_do(one: Cohort, other: Cohort) -> None:
    assert (spec_digest(cohort_data(one)) == spec_digest(cohort_data(other))) == (one == other)


def test_every_single_change_changes_the_digest() -> None:
    low, high = Fraction(1, 2), Fraction(3, 4)
    quota = Quota(Quantity("q(A)"), (Bin(low, high, 2),))
    own = Written("own", (("x", "event"), ("y", "complement")), Expression("x + y - 1"))
    full = replace(PLAIN, admission=Admission(quota, frozenset({"0" * 64})), relations=(own,))
    ordered = replace(read_world("noisy-sensor"), ordered=True)
    changed = [
        full,
        PLAIN,
        replace(full, admission=Admission(quota)),
        replace(full, admission=Admission(quota, frozenset({"1" * 64}))),
        replace(full, admission=Admission(excluded=full.admission.excluded)),
        *(
            replace(full, admission=Admission(other, full.admission.excluded))
            for other in (
                replace(quota, quantity=Quantity("q(B)")),
                replace(quota, bins=(Bin(low, high, 3),)),
                replace(quota, bins=(Bin(low, Fraction(1), 2),)),
                replace(quota, bins=(Bin(Fraction(0), high, 2),)),
                replace(quota, bins=quota.bins * 2),
            )
        ),
        *(
            replace(full, relations=(other,))
            for other in (
                replace(own, name="other"),
                replace(own, claims=own.claims[::-1]),
                replace(own, claims=(("x", "event"), ("y", "query-b"))),
                replace(own, residual=Expression("y + x - 1")),
                replace(own, tolerance=Fraction(0)),
                replace(own, primary=True),
            )
        ),
        replace(full, relations=("complement",)),
        replace(full, strata=tuple(replace(stratum, world=ordered) for stratum in full.strata)),
    ]
    assert len({spec_digest(cohort_data(cohort)) for cohort in changed}) == len(changed)
