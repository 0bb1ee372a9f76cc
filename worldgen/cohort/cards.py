"""The dataset card of one side of a cohort: what a loader, a hub and a reader need to know of it."""

from collections.abc import Iterator
from io import StringIO
from textwrap import indent

from jinja2 import Environment, PackageLoader, StrictUndefined
from ruamel.yaml import YAML

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.columns import DESCRIPTIONS, KEYS, ROWS
from worldgen.cohort.contents import Contents
from worldgen.cohort.schemas import POOLED
from worldgen.cohort.variants import BY_NAME, PARTITION, Variant
from worldgen.exact.arrow import Kind, kinds
from worldgen.exact.numbers import Notation, decimal_places, write_number
from worldgen.relations.declared import Relation
from worldgen.worlds.candidates import CandidateWorld

DEFAULT = {"public": "requests", "evaluator": "targets"}

_HOLDS = {"public": "requests", "evaluator": "answers"}
_ITEMS = {"string": "text", "bool": "true or false", "int32": "integer", "double": "double"}
_FORMS = {"event": "event: is it so?", "choice": "choice: which one?", "score": "score: how much?"}
_ARRANGED = {"reversed": "{} in reverse order", "permuted": "{} in a drawn order"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SUPPORTS = {
    "full": "every character as an option",
    "union": "those that candidates have there",
    "trie": "those that continue a draft, which may be wrong",
}
_BINDINGS = {
    "opaque": "opaque keys for options",
    "remapped": "opaque keys for options, deranged",
    "aligned": "characters as keys, each its own",
    "conflicting": "characters as keys, deranged",
}
_EVIDENCES = {
    "indexed": "beside a table of the positions of the word to be copied",
    "direct": "beside a table of the positions of the word to be copied, and the character asked for",
    "padded": "beside as many points as such a table has characters",
}
_SIZES = {
    10**3: "n<1K",
    10**4: "1K<n<10K",
    10**5: "10K<n<100K",
    10**6: "100K<n<1M",
    10**7: "1M<n<10M",
    10**8: "10M<n<100M",
}
_JINJA = Environment(
    loader=PackageLoader("worldgen.cohort", "pages"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    autoescape=False,
)


def card(contents: Contents) -> str:
    """README.md of a side: a YAML head for loaders, with one config a table, then a page for people."""
    cohort = contents.cohort
    return _JINJA.get_template("card.md.j2").render(
        head=_head(contents),
        name=_name(contents),
        side=contents.side,
        roots=f"{contents.roots:,}",
        requests=f"{contents.requests:,}",
        wire=cohort.wire,
        tables=list(_tables(contents)),
        strata=list(_strata(cohort, contents.roots)),
        variants=[described(BY_NAME[name]) for name in cohort.variants],
        credits=[indent(text.rstrip(), "    ") for text in _credits(cohort)],
        relations=[demanded(one) for one in cohort.declared] if contents.side == "evaluator" else [],
    )


def _credits(cohort: Cohort) -> list[str]:
    """The notices of all worlds, each once."""
    worlds = (stratum.world for stratum in cohort.strata)
    return list(
        dict.fromkeys(text for world in worlds if isinstance(world, CandidateWorld) for text in world.credits)
    )


def _name(contents: Contents) -> str:
    title = " ".join((contents.cohort.title or contents.cohort.name).split())
    return f"{title}, {_HOLDS[contents.side]}"


def _head(contents: Contents) -> str:
    configs = [
        {
            "config_name": table,
            **({"default": True} if table == DEFAULT[contents.side] else {}),
            "version": contents.version,
            "data_files": [{"split": "train" if table in POOLED else "test", "path": f"{table}/*.parquet"}],
        }
        for table in contents.tables
    ]
    size = next((name for bound, name in _SIZES.items() if contents.requests < bound), "100M<n<1B")
    data = {
        "pretty_name": _name(contents),
        "language": ["en"],
        "tags": ["benchmark", "calibration", "exact probability"],
        "size_categories": [size],
        "configs": configs,
    }
    yaml, text = YAML(typ="rt", pure=True), StringIO()
    yaml.width = 10**6
    yaml.dump(data, text)
    return text.getvalue()


def _tables(contents: Contents) -> Iterator[dict[str, object]]:
    for table, schema in contents.tables.items():
        yield {
            "name": table,
            "rows": f"{contents.total(table, 'rows'):,}",
            "bytes": f"{contents.total(table, 'bytes'):,}",
            "meaning": ROWS[table],
            "key": " and ".join(f"`{column}`" for column in KEYS[table]),
            "columns": [
                {"name": name, "type": _type(kind), "meaning": DESCRIPTIONS[table][name]}
                for name, kind in kinds(schema).items()
            ],
        }


def _type(kind: Kind) -> str:
    return "list of " * kind.depth + _ITEMS[kind.item] + (", or null" if kind.nullable else "")


def _strata(cohort: Cohort, roots: int) -> Iterator[dict[str, str]]:
    for stratum, size in zip(cohort.strata, cohort.sizes(roots), strict=True):
        yield {
            "name": stratum.name,
            "world": stratum.world.name,
            "encoding": stratum.encoding,
            "options": ", ".join(f"`{name}`" for name in stratum.world.partition),
            "roots": f"{size:,}",
        }


def described(variant: Variant) -> dict[str, str]:
    """A variant as the card tells it: its name, form, what it asks for, how it differs from the plain way.

    >>> described(BY_NAME["permutation"])["shown"]
    'options in a drawn order'
    """
    asks = "the options of its world" if variant.asks == PARTITION else variant.asks
    if variant.at is not None:
        asks = f"the character of the answer at position {variant.at}, where it has one"
    if variant.branch is not None:
        place = _ORDINALS[variant.branch - 1]
        asks = f"the character of the answer at the {place} position where candidates differ"
    differences = [
        _ARRANGED[variant.order].format("options") if variant.order != "canonical" else "",
        _ARRANGED[variant.ids].format("letters") if variant.ids != "canonical" else "",
        _BINDINGS.get(variant.binding, ""),
        _SUPPORTS[variant.support] if variant.support else "",
        "by the name of its field" if variant.named else "",
        _drafted(variant),
        _EVIDENCES.get(variant.evidence, ""),
        "answered by what options say" if variant.contract == "character" else "",
        f"in wording {variant.wording}" if variant.wording else "",
        f"the {_ORDINALS[variant.layout]} layout of the encoding" if variant.layout else "",
        "beside metadata that do not matter" if variant.metadata else "",
        f"byte for byte as `{variant.repeats}`" if variant.repeats else "",
        "as a case, asked for as one number" if variant.cases is not None else "",
        f"after the first {variant.demonstrations} of the pool" if variant.demonstrations else "",
    ]
    return {
        "name": variant.name,
        "form": _FORMS[variant.form],
        "asks": f"{asks}, given {variant.given}" if variant.given else asks,
        "shown": ", ".join(filter(None, differences)) or "plainly",
    }


def _drafted(variant: Variant) -> str:
    """How a draft is shown, where the support does not say so."""
    if variant.draft is None or variant.support == "trie":
        return ""
    what = f"a draft of the first {variant.draft}" if variant.draft else "a draft up to there"
    return f"beside {what}" + (f", wrong at position {variant.slip}" if variant.slip else "")


def demanded(relation: Relation) -> dict[str, str]:
    """A relation as the card tells it: its name, the requests compared, what it demands, its tolerance."""
    places = decimal_places(relation.tolerance)
    notation: Notation = "rational" if places is None else "decimal"
    return {
        "name": relation.name,
        "claims": ", ".join(f"`{claim}`" for claim in relation.claims),
        "condition": relation.condition.replace("|", "\\|"),
        "tolerance": write_number(relation.tolerance, notation, places or 0),
    }
