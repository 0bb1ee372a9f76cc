"""Descriptions against the specs that they describe."""

import pytest

from worldgen import catalog
from worldgen.cohort.cohorts import Cohort
from worldgen.exact.domains import Texts
from worldgen.spec import Source, read_spec, read_world
from worldgen.spec.checking import check
from worldgen.spec.describe import WorldDescription, describe, shipped_specs
from worldgen.spec.describe_domains import domain_text

TEXT = """\
kind: cells
name: urn
rule: One ball is drawn.
attributes: {size: [small, large]}
categories: [red, blue]
cells:
  - {size: small, category: red, count: NUMBER, likelihood: 1}
  - {size: large, category: blue, count: 3, likelihood: 0.5}
events: {A: {category: red}}
encodings: [joined-tables]
"""


@pytest.mark.parametrize("number", ["5", "1..9", "0..8 by 2", "[1, 4]", "{0: 1, 7: 2}"])
def test_a_number_is_described_as_it_was_written(number: str) -> None:
    found = describe(read_spec(Source(TEXT.replace("NUMBER", number))))
    assert isinstance(found, WorldDescription)
    assert found.cells[0].count == number
    again = read_world(Source(TEXT.replace("NUMBER", found.cells[0].count)))
    assert describe(again) == found


@pytest.mark.parametrize("name", catalog.specs())
def test_every_shipped_spec_is_described_and_proved(name: str) -> None:
    spec = read_spec(name)
    found = describe(spec)
    assert found.name == name and found.title
    proofs = check(spec)
    assert {proof.variant for proof in proofs} == set(found.variants)
    if not isinstance(spec, Cohort):
        layouts = {layout.name for encoding in spec.encodings.values() for layout in encoding.layouts}
        assert {proof.layout for proof in proofs} == layouts
    else:
        assert len(proofs) == len(spec.strata) * len(spec.variants)


def test_the_list_holds_every_shipped_spec() -> None:
    assert [spec.name for spec in shipped_specs()] == list(catalog.specs())


def test_open_domains_are_described() -> None:
    assert domain_text(Texts()) == "any text"
