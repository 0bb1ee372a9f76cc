"""Descriptions of worlds with views: what each view leaves uncertain, and what each factor is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from worldgen.exact.domains import Numbers
from worldgen.exact.numbers import integers, nearest_doubles
from worldgen.spec.describe_domains import domain_text
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import FactorPart, Field
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld


@dataclass(frozen=True)
class Probability:
    """An exact probability as text, and the double nearest to it."""

    exact: str
    decimal: float

    @classmethod
    def of(cls, value: Fraction) -> "Probability":
        """The two forms of a fraction.

        >>> Probability.of(Fraction(1, 4))
        Probability(exact='1/4', decimal=0.25)
        """
        top, bottom = value.numerator, value.denominator
        bound = max(abs(top), bottom) + 1
        (decimal,) = nearest_doubles(integers([top], bound), integers([bottom], bound)).tolist()
        return cls(str(value), decimal)


@dataclass(frozen=True)
class ViewDescription:
    """A view: what it says, how many patterns it can show, and how often the best guess from it is wrong."""

    says: str
    patterns: str
    bayes_error: Probability


@dataclass(frozen=True)
class FactorDescription:
    """A factor: its levels, the factors that it depends on, and how it is shown where not by its level.

    `in_rule` says whether the rule looks at it. `worth` is the Bayes error of who sees everything but this
    factor and the residual; None for the residual.
    """

    levels: tuple[str, ...]
    depends_on: tuple[str, ...]
    measured_as: str
    in_rule: bool
    worth: Probability | None


@dataclass(frozen=True)
class ViewedDescription:
    """What worlds with views have in common. `states` counts all that can be drawn, a residual too, as text;
    `variants` are those that the world can be asked in.
    """

    kind: str
    name: str
    title: str
    classes: Mapping[str, str]
    prior: Mapping[str, Probability]
    states: str
    views: Mapping[str, ViewDescription]
    irrelevant: Mapping[str, str]
    encodings: Mapping[str, tuple[str, ...]]
    variants: tuple[str, ...]
    spec_digest: str


@dataclass(frozen=True)
class FactorWorldDescription(ViewedDescription):
    """A world of factors; `graph` is the factor graph, a line each."""

    factors: Mapping[str, FactorDescription]
    terms: Mapping[str, str]
    rule: str
    graph: tuple[str, ...]


@dataclass(frozen=True)
class TransferDescription(ViewedDescription):
    """A world of covert transfer. `reports` maps a type to the position that the tag takes."""

    alphabet: str
    identifier: str
    reports: Mapping[str, int]


def factor_description(world: FactorWorld, variants: tuple[str, ...], digest: str) -> FactorWorldDescription:
    """What a world of factors is; `digest` is that of its spec, `variants` those that it can be asked in."""
    model = world.model
    joint = model.joint()
    masses = zip(model.classes, joint.prior.masses, strict=True)
    return FactorWorldDescription(
        kind=world.family,
        name=model.name,
        title=model.title,
        classes=dict(model.classes),
        prior={name: Probability.of(mass) for name, mass in masses},
        states=str(model.states),
        views={name: _view(model, hidden) for name, hidden in model.views.items()},
        factors={part.name: _factor(model, part) for part in model.parts},
        terms=dict(model.terms),
        rule=model.rule,
        graph=graph(model),
        irrelevant={one.variable.name: field_text(one) for one in model.irrelevant},
        encodings=_encodings(world),
        variants=variants,
        spec_digest=digest,
    )


def _encodings(world: FactorWorld | TransferWorld) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(layout.name for layout in encoding.layouts) for name, encoding in world.encodings.items()
    }


def _view(model: FactorModel, hidden: tuple[str, ...]) -> ViewDescription:
    joint = model.joint(hidden)
    says = f"hides {', '.join(hidden)}" if hidden else "hides nothing"
    return ViewDescription(says, str(len(joint)), Probability.of(joint.bayes_error))


def _factor(model: FactorModel, part: FactorPart) -> FactorDescription:
    measured = model.measured.get(part.name)
    shown = "" if measured is None else f"{measured.name}, {domain_text(measured.grid)}"
    worth = None
    if part in model.factors and len(model.factors) > 1:
        worth = Probability.of(model.joint((part.name,)).bayes_error)
    return FactorDescription(part.levels, part.parents, shown, part.name in model.decision.factors, worth)


def field_text(one: Field) -> str:
    """The values of an irrelevant field, shortened where they are whole numbers in a row.

    >>> from worldgen.exact.domains import Numbers
    >>> from worldgen.exact.variables import Variable
    >>> field_text(Field(Variable("n", Numbers((Fraction(2), Fraction(3)), "integer")), (1, 5)))
    '2..3, weighted'
    """
    domain = one.variable.domain
    said = domain_text(domain)
    if isinstance(domain, Numbers) and domain.notation == "integer":
        first = domain.values[0]
        if domain.values == tuple(first + i for i in range(domain.size)):
            said = f"{domain.text(0)}..{domain.text(domain.size - 1)}"
    return f"{said}, weighted" if one.weights else said


def graph(model: FactorModel) -> tuple[str, ...]:
    r"""The factor graph as text: a line for each factor that has parents, and one for the outcome.

    >>> from worldgen.spec import read_spec
    >>> print("\n".join(graph(read_spec("credit-risk").model)[:2]))
    cash_generation -> cash_buffer
    cycle -> refinancing
    """
    lines = [f"{', '.join(part.parents)} -> {part.name}" for part in model.factors if part.parents]
    reads = [name for name in model.levels if name in model.decision.factors]
    return (*lines, f"{', '.join(reads) or 'nothing'} -> {' | '.join(model.classes)}")


def transfer_description(world: TransferWorld, variants: tuple[str, ...], digest: str) -> TransferDescription:
    """What a world of covert transfer is; see `factor_description`."""
    model = world.model
    chances = zip(model.classes, (1 - model.encoding, model.encoding), strict=True)
    views: dict[str, ViewDescription] = {}
    for name, view in model.views.items():
        ranges = view.parts(model.alphabet)
        patterns = len(model.reports) * len(model.alphabet) ** model.length * len(ranges)
        error = Probability.of(model.bayes_error(name))
        views[name] = ViewDescription(f"says {view.shows}: {', '.join(ranges)}", str(patterns), error)
    return TransferDescription(
        kind=world.family,
        name=model.name,
        title=model.title,
        classes=dict(model.classes),
        prior={name: Probability.of(chance) for name, chance in chances},
        states=str(model.states),
        views=views,
        alphabet=model.alphabet,
        identifier=f"{model.length} letters, shown in groups of {model.group}",
        reports=dict(model.reports),
        irrelevant={one.variable.name: field_text(one) for one in model.irrelevant},
        encodings=_encodings(world),
        variants=variants,
        spec_digest=digest,
    )
