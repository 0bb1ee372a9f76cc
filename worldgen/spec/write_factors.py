"""Worlds of factors and of covert transfer as plain data: numbers are texts, tables are nested lists."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from worldgen.exact.rules import Amounts
from worldgen.spec.write_domains import encoding_data, numbers_data, range_data, variable_data
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import FactorPart, Field, Levels, Residual, Shift
from worldgen.worlds.transfer_models import TransferModel

Data = dict[str, Any]


def factor_data(model: FactorModel) -> Data:
    """A model of factors as plain data; which of its views is looked through is not part of it.

    >>> from worldgen.spec import read_spec
    >>> factor_data(read_spec("credit-risk").model)["factors"][1]
    {'cycle': {'levels': ['expansion', 'steady', 'contraction'], 'prior': ['3/10', '2/5', '3/10']}}
    """
    data: Data = {"kind": "factors", "name": model.name}
    if model.title:
        data["title"] = model.title
    levels = model.levels
    data["factors"] = [{part.name: _factor(part, levels)} for part in model.factors]
    if model.residual is not None:
        data["residual"] = _residual(model.residual)
    if model.tables:
        data["tables"] = {name: _table(table, levels) for name, table in model.tables.items()}
    if model.terms:
        data["terms"] = dict(model.terms)
    data["rule"] = model.rule
    data["classes"] = [{name: phrase} for name, phrase in model.classes.items()]
    data["positive"] = list(model.positive)
    if model.ordered:
        data["ordered"] = "true"
    data["views"] = [{name: {"hide": list(hidden)}} for name, hidden in model.views.items()]
    if model.measurements:
        data["measurements"] = [
            {one.name: {"of": one.of, "numbers": range_data(one.grid), "from": list(map(str, one.starts))}}
            for one in model.measurements
        ]
    if model.irrelevant:
        data["irrelevant"] = irrelevant_data(model.irrelevant)
    data["encodings"] = [{name: encoding_data(one)} for name, one in model.encodings.items()]
    return data


def transfer_data(model: TransferModel) -> Data:
    """A model of covert transfer as plain data; which view is looked through is not part of it.

    >>> from worldgen.spec import read_spec
    >>> transfer_data(read_spec("covert-transfer").model)["reports"]
    [{'progress': '5'}, {'experiment': '9'}, {'error': '13'}]
    """
    data: Data = {"kind": "transfer", "name": model.name}
    if model.title:
        data["title"] = model.title
    data["alphabet"] = model.alphabet
    data["identifier"] = {"length": str(model.length), "group": str(model.group)}
    data["reports"] = [{name: str(position)} for name, position in model.reports.items()]
    data["encoding"] = str(model.encoding)
    data["classes"] = [{name: phrase} for name, phrase in model.classes.items()]
    data["views"] = [
        {name: {"shows": view.shows, **({"ranges": list(view.ranges)} if view.ranges else {})}}
        for name, view in model.views.items()
    ]
    if model.irrelevant:
        data["irrelevant"] = irrelevant_data(model.irrelevant)
    data["encodings"] = [{name: encoding_data(one)} for name, one in model.encodings.items()]
    return data


def irrelevant_data(fields: Sequence[Field]) -> list[Data]:
    """Irrelevant fields as plain data."""
    return [{one.variable.name: _field(one)} for one in fields]


def _field(one: Field) -> Any:
    plain = variable_data(one.variable)
    if one.weights is None:
        return plain
    size = one.variable.domain.size
    assert size is not None, "a field has a finite domain"
    texts = [one.variable.domain.text(code) for code in range(size)]
    return [{text: str(weight)} for text, weight in zip(texts, one.weights, strict=True)]


def _factor(part: FactorPart, levels: Levels) -> Data:
    data: Data = {"levels": list(part.levels)}
    if part.masses and not part.given:
        data["prior"] = list(map(str, part.masses))
    if part.given:
        data |= {"given": list(part.given), "table": nested(part.masses, (*part.given, part.name), levels)}
    if part.shifts:
        data["shifts"] = [_shift(shift) for shift in part.shifts]
    if part.amounts is not None:
        numbers = nested(part.amounts.numbers, part.amounts.of, levels)
        given = list(part.amounts.of[:-1])
        data["amounts"] = {"given": given, "table": numbers} if given else numbers
    return data


def _shift(shift: Shift) -> Data:
    by = list(map(str, shift.by))
    return {"given": shift.given, "from": shift.source, "to": shift.target, "by": by}


def _residual(residual: Residual) -> list[Data]:
    texts = numbers_data(residual.numbers, residual.notation)
    return [{text: str(mass)} for text, mass in zip(texts, residual.masses, strict=True)]


def _table(table: Amounts, levels: Levels) -> Data:
    return {"of": list(table.of), "numbers": nested(table.numbers, table.of, levels)}


def nested(numbers: Sequence[Fraction], of: Sequence[str], levels: Mapping[str, Sequence[str]]) -> list[Any]:
    """Numbers in C order as lists in lists, one depth for each factor.

    >>> nested([Fraction(1), Fraction(2), Fraction(3), Fraction(4)], ["a", "b"], {"a": "xy", "b": "uv"})
    [['1', '2'], ['3', '4']]
    """
    if len(of) == 1:
        return [str(number) for number in numbers]
    step = len(numbers) // len(levels[of[0]])
    parts = (numbers[i * step : (i + 1) * step] for i in range(len(levels[of[0]])))
    return [nested(part, of[1:], levels) for part in parts]
