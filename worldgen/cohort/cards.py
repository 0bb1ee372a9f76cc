"""The dataset card of one side of a cohort: what a reader, a loader and a hub need to know of it."""

from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.columns import DESCRIPTIONS, KEYS, ROWS
from worldgen.cohort.shards import sizes
from worldgen.cohort.variants import BY_NAME, PARTITION, Variant
from worldgen.exact.arrow import Kind, Schema, kinds

_DEFAULT = {"public": "requests", "evaluator": "targets"}
_ITEMS = {"string": "text", "bool": "true or false", "int32": "integer", "double": "double"}
_FORMS = {"event": "is it so?", "choice": "which one?", "score": "how much?"}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
)


def card(
    cohort: Cohort,
    roots: int,
    side: str,
    version: str,
    tables: Mapping[str, Schema],
    shards: Mapping[str, Mapping[str, Any]],
) -> str:
    """README.md of the folder `side`, "public" or "evaluator": a YAML head for loaders, then a page for people.

    `version` is three numbers made of the content digest, so that it changes with the rows: a loader that
    keys its cache on the name of the folder and the version never serves the rows of another cohort.
    `shards` maps "<table>/<file>" to its `bytes` and `rows`. The page holds no time, no host and no seed.
    """
    parts = [
        f"# {_heading(cohort)}, {_SIDES[side]}",
        _OPENINGS[side],
        "## What is in it",
        f"{roots:,} roots, {roots * len(cohort.variants):,} requests, written for the wire `{cohort.wire}`.",
        _grid(("table", "rows", "bytes", "a row is"), _sizes(tables, shards)),
        "## Strata",
        "A root is one draw of a world; its stratum is the world in one encoding.",
        _grid(("stratum", "world", "encoding", "options", "roots"), _strata(cohort, roots)),
        "## Requests of a root",
        _grid(("position", "variant", "form", "asks for", "shown"), _variants(cohort)),
        "## Columns",
        *_columns(tables),
        "## How to read it",
        "From the folder that holds this one:",
        _SNIPPETS[side],
        _CACHE,
        *_CLOSINGS[side],
    ]
    return f"---\n{_head(cohort, roots, side, version, tables)}---\n\n" + "\n\n".join(parts) + "\n"


def _heading(cohort: Cohort) -> str:
    return " ".join((cohort.title or cohort.name).split())


def _head(cohort: Cohort, roots: int, side: str, version: str, tables: Mapping[str, Schema]) -> str:
    rows = roots * len(cohort.variants)
    configs = [
        {
            "config_name": table,
            **({"default": True} if table == _DEFAULT[side] else {}),
            "version": version,
            "data_files": [{"split": "test", "path": f"{table}/*.parquet"}],
        }
        for table in tables
    ]
    data = {
        "pretty_name": f"{_heading(cohort)}, {_SIDES[side]}",
        "language": ["en"],
        "tags": ["benchmark", "calibration", "exact probability"],
        "size_categories": [next((name for most, name in _SIZES if rows < most), "n>10M")],
        "configs": configs,
    }
    yaml, text = YAML(typ="safe", pure=True), StringIO()
    yaml.default_flow_style, yaml.sort_base_mapping_type_on_output, yaml.width = False, False, 10**6
    yaml.dump(data, text)
    return text.getvalue()


def _sizes(tables: Iterable[str], shards: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for table in tables:
        own = [entry for path, entry in shards.items() if path.startswith(f"{table}/")]
        yield (
            f"`{table}`",
            *(f"{sum(entry[key] for entry in own):,}" for key in ("rows", "bytes")),
            ROWS[table],
        )


def _strata(cohort: Cohort, roots: int) -> Iterator[tuple[str, ...]]:
    for stratum, size in zip(cohort.strata, sizes(cohort, roots), strict=True):
        options = ", ".join(f"`{name}`" for name in stratum.world.partition)
        yield f"`{stratum.name}`", f"`{stratum.world.name}`", stratum.encoding, options, f"{size:,}"


def _variants(cohort: Cohort) -> Iterator[tuple[str, ...]]:
    for position, name in enumerate(cohort.variants):
        variant = BY_NAME[name]
        yield (
            str(position),
            f"`{name}`",
            f"{variant.form}: {_FORMS[variant.form]}",
            _asks(variant),
            _shown(variant),
        )


def _asks(variant: Variant) -> str:
    asked = "the options of the world" if variant.asks == PARTITION else variant.asks
    return f"{asked}, given {variant.given}" if variant.given else asked


def _shown(variant: Variant) -> str:
    differences = [
        "options in a drawn order" if variant.order == "permuted" else "",
        "options under opaque keys" if variant.keys == "opaque" else "",
        f"the {_ORDINALS[variant.layout]} layout of the encoding" if variant.layout else "",
        "beside metadata that do not matter" if variant.metadata else "",
        f"byte for byte as `{variant.repeats}`" if variant.repeats else "",
    ]
    return ", ".join(filter(None, differences)) or "plainly"


def _columns(tables: Mapping[str, Schema]) -> Iterator[str]:
    for table, schema in tables.items():
        yield f"### {table}"
        yield f"A row is {ROWS[table]}; its key is {' and '.join(f'`{key}`' for key in KEYS[table])}."
        rows = ((f"`{name}`", _type(kind), DESCRIPTIONS[table][name]) for name, kind in kinds(schema).items())
        yield _grid(("column", "type", "meaning"), rows)


def _type(kind: Kind) -> str:
    return "list of " * kind.depth + _ITEMS[kind.item] + (", or null" if kind.nullable else "")


def _grid(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ("---",) * len(head), *rows))


_SIDES = {"public": "requests", "evaluator": "answers"}

_OPENINGS = {
    "public": """Questions about small finite worlds whose every probability is known exactly. Each request is a complete
text: the world as far as it is shown, then one question about it. What is shown settles the answer, so an
answer can be held against the true probability itself and not only against one outcome.

The truth is not here. It lies in the folder `evaluator/` that was made together with this one: keep it from
whatever you evaluate.""",
    "evaluator": """The exact answers to the requests in the folder `public/` that was made together with this one: the posterior
of every root, the probability of every option, the outcome, and the relations that hold between the requests
of a root. A system under evaluation must not see this folder.""",
}

_SNIPPETS = {
    "public": """```python
from datasets import load_dataset

requests = load_dataset("public", split="test")  # the default table
roots = load_dataset("public", "roots", split="test")
```

```python
import pandas as pd

requests = pd.read_parquet("public/requests")
```

```python
import polars as pl

requests = pl.scan_parquet("public/requests/*.parquet").collect()
```""",
    "evaluator": """```python
from datasets import load_dataset

targets = load_dataset("evaluator", split="test")  # the default table
truth = load_dataset("evaluator", "truth", split="test")
```

```python
import pandas as pd

requests = pd.read_parquet("public/requests")
targets = pd.read_parquet("evaluator/targets")
joined = requests.merge(targets, on="request_id", validate="one_to_one")
```

```python
from fractions import Fraction

import polars as pl

targets = pl.scan_parquet("evaluator/targets/*.parquet").drop_nulls("q").collect()
q = [Fraction(text) for text in targets["q"][0]]
```""",
}

_CACHE = """`datasets` keeps what it has loaded under the name of the folder and the `version` above, which is made of the
content of the tables. Leave that line as it is, or the rows of a namesake may be served instead of these."""

_CHECK = """```python
import hashlib
import json
from pathlib import Path

folder = Path("{side}")
for name, file in json.loads((folder / "manifest.json").read_text())["files"].items():
    assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == file["sha256"], name
```"""

_EXACT = """A probability is a text, numerator/denominator in lowest terms, like `220/317`; whole numbers stand alone: `0`,
`1`. The entries of `q` follow the `options` of the request and add up to exactly 1. They are the probabilities
given all that the payload shows and nothing else."""

_CLOSINGS = {
    "public": (
        "## How answers are written, and where the truth is",
        _EXACT.replace("The entries of `q`", "The entries of `q` in `evaluator/targets`"),
        "An ineligible request keeps its row, without a payload: send only what is eligible.",
        "## How to verify it",
        "That the files are those that were written:",
        _CHECK.format(side="public"),
        "With both folders at hand, `worldgen verify FOLDER` reads every payload back and works every answer out "
        "again, in two ways that share no code.",
    ),
    "evaluator": (
        "## How answers are written",
        _EXACT,
        "An outcome is drawn once for each root, from its posterior; every request of the root reads it through its "
        "own `event_map`.",
        "## How to verify it",
        "That the files are those that were written:",
        _CHECK.format(side="evaluator"),
        "That they are right: `worldgen verify FOLDER`, with `public/` beside this folder, reads every payload back "
        "and works every answer out again, in two ways that share no code. The folder `spec/` and the seed in "
        "manifest.json make the same cohort again.",
    ),
}
