"""Checking a spec to the end: that it reads well, and that everything it can render is proved a codec."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from worldgen.cohort.asking import asking_of
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.variants import BY_NAME, Variant, refusal
from worldgen.faults import Fault, SpecError
from worldgen.renderers.errors import PlanError, TemplateError
from worldgen.spec.cohorts import as_cohort, cohort_of
from worldgen.worlds.base import World
from worldgen.worlds.layouts import unshown


@dataclass(frozen=True)
class Proof:
    """One plan that was proved: different inputs give different payloads, and each can be read back.

    `variables` counts what the payload shows, and so what a reader gets back from it.
    """

    stratum: str
    layout: str
    variant: str
    variables: int


def check(spec: World | Cohort) -> list[Proof]:
    """Compile everything that a spec can render, and return the proofs.

    For a world: every view, every variant that it can be asked in, and every layout of every encoding. For a
    cohort: its strata in its variants. Raises SpecError listing every encoding that is refused.

    >>> from worldgen.spec import read_spec
    >>> check(read_spec("noisy-sensor"))[0]
    Proof(stratum='noisy-sensor.joined-tables', layout='commas', variant='canonical', variables=12)
    """
    cohort, wanted = _wanted(spec)
    proofs: list[Proof] = []
    faults: dict[str, Fault] = {}
    for stratum, variant in wanted:
        encoding = stratum.world.encodings[stratum.encoding]
        layout = encoding.layouts[variant.layout].name
        try:
            plan = asking_of(cohort, stratum, variant).plan
        except (PlanError, TemplateError) as error:
            # A template at fault is at fault in every variant; it is told once.
            fault = Fault(("encodings", encoding.name, layout), error.message, error.remedy)
            faults.setdefault(str(fault), fault)
        else:
            proofs.append(Proof(stratum.name, layout, variant.name, len(plan.variables)))
    if faults:
        raise SpecError(list(faults.values()))
    return proofs


def notes(spec: World | Cohort) -> list[str]:
    """What is allowed and perhaps not meant: layouts that show the category, or an attribute, of no cell.

    A proof concerns what is drawn. A category is not drawn, so a template may leave it out, and then a
    reader of the payload cannot work the answer out, unless the wording of the template says it.

    >>> from worldgen.spec import read_spec
    >>> notes(read_spec("contracts"))
    []
    """
    return [
        f"{world.name}, {name}.{layout.name}: the text does not depend on the {what} of any cell"
        for world in as_cohort(spec).worlds.values()
        for name, encoding in world.encodings.items()
        for layout in encoding.layouts
        for what in unshown(world, layout)
    ]


def _wanted(spec: World | Cohort) -> tuple[Cohort, Iterator[tuple[Stratum, Variant]]]:
    if isinstance(spec, Cohort):
        variants = [BY_NAME[name] for name in spec.variants]
        return spec, ((stratum, variant) for stratum in spec.strata for variant in variants)
    cohorts = [cohort_of(spec.through(view)) for view in spec.views]
    return cohorts[0], (
        (stratum, variant)
        for cohort in cohorts
        for stratum in cohort.strata
        for variant in _presentations(stratum.world, stratum.encoding)
    )


def _presentations(world: World, encoding: str) -> Iterator[Variant]:
    """Every variant that the world can be asked in, then the layouts that none of them shows."""
    variants = [each for each in BY_NAME.values() if not refusal(each, Cohort.wire, world, encoding)]
    yield from variants
    shown = {variant.layout for variant in variants}
    for place in range(len(world.encodings[encoding].layouts)):
        if place not in shown:
            yield replace(BY_NAME["canonical"], layout=place)
