"""Specs written out: plain data that JSON can hold, its digest, and texts that the reader reads back.

Every number is a text, every template stands inline, and where an order means something (attributes,
observations, metadata, layouts, weighted values) there is a list, so that sorting keys changes nothing.
"""

import hashlib
import io
import json
import re
from collections.abc import Mapping
from typing import Any, Literal

import rfc8785
from ruamel.yaml import YAML

from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.quotas import Admission
from worldgen.exact.domains import Grid
from worldgen.exact.errors import DomainError
from worldgen.relations.written import Written
from worldgen.spec.write_candidates import candidate_data
from worldgen.spec.write_domains import encoding_data, numbers_data, range_data, variable_data
from worldgen.spec.write_factors import factor_data, transfer_data
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.definitions import All, AnyOf, Definition, Is, Not, Ref
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.parts import Cell, Drawn
from worldgen.worlds.transfer import TransferWorld

Data = dict[str, Any]

EXCLUDED = "excluded.txt"

# Characters that JSON allows inside a string and YAML does not, or reads as the end of a line.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def world_data(world: World) -> Data:
    """A world as plain data, whichever view it is seen through. Raises DomainError for a world of a family
    that specs do not have.

    >>> from worldgen.spec import read_world
    >>> world_data(read_world("noisy-sensor"))["cells"][1]["likelihood"]
    '0..1 by 1/10'
    """
    if isinstance(world, FactorWorld):
        return factor_data(world.model)
    if isinstance(world, TransferWorld):
        return transfer_data(world.model)
    if isinstance(world, CandidateWorld):
        return candidate_data(world.model)
    if not isinstance(world, CellWorld):
        raise DomainError(f"a world of family '{world.family}' has no written form")
    data: Data = {"kind": "cells", "name": world.name}
    if world.title:
        data["title"] = world.title
    data["rule"] = world.rule
    data["attributes"] = [{name: list(values)} for name, values in world.attributes.items()]
    data["categories"] = list(world.categories)
    if world.ordered:
        data["ordered"] = "true"
    data["cells"] = [_cell(world, cell) for cell in world.cells]
    if world.observations:
        data["observe"] = [{seen.attribute: str(seen.chance)} for seen in world.observations]
    data["events"] = {name: _definition(definition) for name, definition in world.definitions.items()}
    if world.metadata:
        data["metadata"] = [{variable.name: variable_data(variable)} for variable in world.metadata]
    data["encodings"] = [{name: encoding_data(encoding)} for name, encoding in world.encodings.items()]
    return data


def cohort_data(cohort: Cohort) -> Data:
    """A cohort as plain data, its worlds inline."""
    return _cohort(cohort, {name: world_data(world) for name, world in cohort.worlds.items()})


def spec_digest(data: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of the RFC 8785 JSON of plain data. Two files that say the same thing, whatever
    their comments, key order and white space, have the same data and so the same digest.

    >>> spec_digest({"b": "1", "a": []}) == spec_digest({"a": [], "b": "1"})
    True
    """
    return hashlib.sha256(rfc8785.dumps(dict(data))).hexdigest()


def write_spec(spec: World | Cohort, form: Literal["json", "yaml"] = "json") -> str:
    """The text of a world or cohort; reading it gives an equal one."""
    data = cohort_data(spec) if isinstance(spec, Cohort) else world_data(spec)
    return _yaml(data) if form == "yaml" else _json(data)


def write_spec_folder(cohort: Cohort) -> dict[str, str]:
    """The files of a cohort spec, relative path -> text: cohort.json, its worlds beside it, and the
    digests that it excludes, if any: there may be more of them than a spec may be long.

    >>> from worldgen.spec import read_cohort
    >>> list(write_spec_folder(read_cohort("contracts")))[:2]
    ['cohort.json', 'worlds/finite-population.json']
    """
    paths = {name: f"worlds/{name}.json" for name in cohort.worlds}
    data, files = _cohort(cohort, paths), {}
    if cohort.admission.excluded:
        files[EXCLUDED] = "".join(f"{digest}\n" for digest in data["exclude"])
        data["exclude"] = [EXCLUDED]
    files["cohort.json"] = _json(data)
    return files | {paths[name]: write_spec(world) for name, world in cohort.worlds.items()}


def _cohort(cohort: Cohort, worlds: Mapping[str, Any]) -> Data:
    title = {"title": cohort.title} if cohort.title else {}
    strata = [_stratum(one) for one in cohort.strata]
    return {
        "kind": "cohort",
        "name": cohort.name,
        **title,
        "strata": strata,
        "variants": list(cohort.variants),
        "relations": [one if isinstance(one, str) else _written(one) for one in cohort.relations],
        "wire": cohort.wire,
        "model": cohort.model,
        "roots": str(cohort.roots),
        **({"pool": str(cohort.pool)} if cohort.pool else {}),
        **_admission(cohort.admission),
        "worlds": dict(worlds),
    }


def _stratum(one: Stratum) -> Data:
    # A world of one view says nothing of it, as in specs that are older than views.
    view = {"view": one.world.view.name} if len(one.world.views) > 1 else {}
    return {"name": one.name, "world": one.world.name, **view, "encoding": one.encoding}


def _written(one: Written) -> Data:
    return {
        "name": one.name,
        "claims": [{symbol: variant} for symbol, variant in one.claims],
        "residual": one.residual.text,
        "tolerance": str(one.tolerance),
        "primary": "true" if one.primary else "false",
    }


def _admission(admission: Admission) -> Data:
    data: Data = {}
    if admission.quota:
        bins = [
            {"from": str(each.low), "below": str(each.high), "roots": str(each.roots)}
            for each in admission.quota.bins
        ]
        data["quota"] = {"of": admission.quota.quantity.text, "bins": bins}
    if admission.excluded:
        data["exclude"] = sorted(admission.excluded)
    return data


def _cell(world: CellWorld, cell: Cell) -> Data:
    values = dict(zip(world.attributes, cell.values, strict=True))
    numbers = {"count": _drawn(cell.count), "likelihood": _drawn(cell.likelihood)}
    return {**values, "category": cell.category, **numbers}


def _drawn(drawn: Drawn) -> Any:
    domain = drawn.domain
    if isinstance(domain, Grid):
        return range_data(domain)
    texts = numbers_data(domain.values, domain.notation)
    if drawn.weights is not None:
        return [{text: str(weight)} for text, weight in zip(texts, drawn.weights, strict=True)]
    return texts[0] if len(texts) == 1 else texts


def _definition(definition: Definition) -> Any:
    match definition:
        case Ref(name):
            return name
        case Is(name, (value,)):
            return {name: value}
        case Is(name, values):
            return {name: list(values)}
        case Not(part):
            return {"not": _definition(part)}
        case All(parts):
            return {"all": [_definition(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [_definition(part) for part in parts]}


def _json(data: Data) -> str:
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def _yaml(data: Data) -> str:
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    # Left alone, the emitter writes characters that its own reader takes for the end of a line.
    yaml.allow_unicode = not _UNSAFE.search(json.dumps(data, ensure_ascii=False))
    setattr(yaml, "sort_base_mapping_type_on_output", False)  # noqa: B010  (ruamel types it as None)
    out = io.StringIO()
    yaml.dump(data, out)
    return out.getvalue()
