"""The rules of docs/house-style.md that a program can check."""

import ast
import io
import os
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest

from worldgen.cli.main import main

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOMS = set(CONFIG["tool"]["setuptools"]["package-dir"].values())
NOT_OURS = {"build", "dist", "__pycache__"}
LONGEST_FILE = 450

MIDDLE = ["catalog", "worlds", "cohort", "spec", "emission"]  # each may import those before it
GROUND = {"faults", "frameless", "interrupts", "names"}  # directly in worldgen/, shared by the middle rooms
ARROWS: dict[str, set[str]] = {
    "exact": set(),
    "renderers": {"exact"},
    "relations": {"exact"},
    "scoring": {"exact", "relations"},
    "lexicon": {"exact", "scoring", "catalog", "worlds", "spec"} | GROUND,
    **{room: {"exact", "renderers", "relations"} | GROUND | set(MIDDLE[:i]) for i, room in enumerate(MIDDLE)},
}
ARROWS["collecting"] = ARROWS["emission"] | {"emission", "lexicon", "scoring"}
SCORING = [
    "reports",
    "figures",
    "panels",
    "decisions",
    "accuracy",
    "retention",
]  # each, likewise
OUTER = {"cli", "worldgen"}  # the command line and the front door may import everything

EXTRAS = {"lexicon": "lexical"}  # room -> the extra without which some of it cannot run

ARROW_USERS = {
    "exact/arrow.py",
    "exact/places.py",
    "exact/pools.py",
    "worldgen/cohort/schemas.py",
    "worldgen/emission/digests.py",
    "worldgen/emission/parquet.py",
    "scoring/reports/parquet.py",
    "scoring/saved.py",
}

FLOATS_ALLOWED = {("exact/numbers.py", "nearest_doubles"), ("exact/elimination.py", "arithmetic")}
INTEGER_MATH = {"comb", "factorial", "gcd", "isqrt", "lcm", "perm", "prod"}


def walk(folder: Path) -> Iterator[Path]:
    """Our files: all but what tools leave behind; links are not followed, so each comes once."""
    for here, below, names in os.walk(folder):
        tool = {name for name in below if name.startswith(".") and name != ".ci"}
        below[:] = sorted(set(below) - NOT_OURS - tool - {n for n in below if n.endswith(".egg-info")})
        yield from (Path(here) / name for name in sorted(names) if name not in {".coverage", ".git"})


FILES = {path.relative_to(ROOT).as_posix(): path for path in walk(ROOT)}
PYTHON = {name: path.read_text() for name, path in FILES.items() if path.suffix == ".py"}
TREES = {name: ast.parse(text) for name, text in PYTHON.items()}
LIBRARY = [name for name in PYTHON if name.split("/")[0] in ROOMS | {"worldgen"}]


def room_of(name: str) -> str:
    """The room of a file; the modules directly in worldgen/ are the front door, called worldgen."""
    parts = name.split("/")
    return parts[1] if parts[0] == "worldgen" and len(parts) > 2 else parts[0]


def imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every module that a file names in an import, wherever in the file, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)


def rooms_imported(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The rooms among them; `worldgen` itself where a name of the front door is imported."""
    for module, line in imports(tree):
        parts = module.split(".")
        if parts[0] == "worldgen":
            known = len(parts) > 1 and parts[1] in set(ARROWS) | OUTER | GROUND
            yield parts[1] if known else "worldgen", line


def test_every_room_has_its_arrows() -> None:
    inner = {folder.name for folder in (ROOT / "worldgen").iterdir() if (folder / "__init__.py").is_file()}
    assert inner | ROOMS == set(ARROWS) | OUTER - {"worldgen"}


def test_arrows_between_rooms_point_one_way() -> None:
    wrong = [
        f"{name}:{line} imports {target}"
        for name in LIBRARY
        if (room := room_of(name)) not in OUTER
        for target, line in rooms_imported(TREES[name])
        if target not in ARROWS[room] | {room}
    ]
    assert not wrong


def test_arrows_inside_scoring_point_one_way() -> None:
    """What stands in the folder itself puts the parts together, and may import each of them."""
    inner = {name: name.split("/")[1] for name in LIBRARY if re.fullmatch(r"scoring/\w+/\w+\.py", name)}
    assert set(inner.values()) == set(SCORING)
    wrong = [
        f"{name}:{line} imports {module}"
        for name, part in inner.items()
        for module, line in imports(TREES[name])
        if module.startswith("worldgen.scoring.")
        and module.split(".")[2] not in SCORING[: SCORING.index(part) + 1]
    ]
    assert not wrong


def test_only_the_named_modules_touch_arrow() -> None:
    users = {name for name in LIBRARY for module, _ in imports(TREES[name]) if module.startswith("pyarrow")}
    assert users <= ARROW_USERS


def test_only_one_module_touches_sympy() -> None:
    users = {name for name in LIBRARY for module, _ in imports(TREES[name]) if module.startswith("sympy")}
    assert users == {"exact/symbols.py"}


def declared(requirements: list[str]) -> set[str]:
    """The normal names of the projects that a list of requirements asks for."""
    return {re.sub(r"[-_.]+", "-", re.split(r"[<>=!~;\[ ]", text)[0]).lower() for text in requirements}


def test_every_import_is_a_declared_dependency() -> None:
    """What is installed only because something else needs it is not ours to import."""
    optional = CONFIG["project"]["optional-dependencies"]
    extras = {room: declared(optional[extra]) for room, extra in EXTRAS.items()}
    anywhere = [
        text for name, extra in optional.items() if name not in {"dev", *EXTRAS.values()} for text in extra
    ]
    run_time = declared(CONFIG["project"]["dependencies"] + anywhere)
    everywhere = run_time | declared(optional["dev"])
    projects = packages_distributions()
    own = sys.stdlib_module_names | {"worldgen", "tests", "examples", "benchmarks"}
    wrong = []
    for name, tree in TREES.items():
        allowed = run_time | extras.get(room_of(name), set()) if name in LIBRARY else everywhere
        for module, line in imports(tree):
            top = module.split(".")[0]
            if top not in own and not declared(projects.get(top, [])) & allowed:
                wrong.append(f"{name}:{line} imports {top}")
    assert not wrong


def test_every_dependency_is_pinned_once_and_exactly() -> None:
    pins = [line for line in FILES["constraints.txt"].read_text().splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+]+", line) for line in pins)
    assert len(declared(pins)) == len(pins)
    project = CONFIG["project"]
    assert declared(project["dependencies"] + project["optional-dependencies"]["dev"]) <= declared(pins)


@pytest.mark.parametrize("name", PYTHON)
def test_no_file_is_too_long_to_read(name: str) -> None:
    assert len(PYTHON[name].splitlines()) <= LONGEST_FILE


DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def undocumented(node: ast.AST, inside: str) -> Iterator[str]:
    """The public functions, methods and classes below a node that have no docstring."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, DEFINITIONS) and not child.name.startswith("_"):
            if not ast.get_docstring(child):
                yield f"{inside}: {child.name}"
            if isinstance(child, ast.ClassDef):
                yield from undocumented(child, f"{inside}: {child.name}")


def test_everything_public_is_defined_by_a_docstring() -> None:
    wrong = [item for name in LIBRARY for item in undocumented(TREES[name], name)]
    wrong += [name for name in PYTHON if PYTHON[name].strip() and not ast.get_docstring(TREES[name])]
    assert not wrong


def makes_float(node: ast.AST) -> bool:
    """Whether a node could make a float: a literal, the name float, numpy's floats, the rest of math."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float | complex)
    if isinstance(node, ast.Name):
        return node.id in {"float", "complex"}
    if isinstance(node, ast.Attribute):
        return node.attr.startswith(("float", "double", "complex"))
    if isinstance(node, ast.Import):
        return any(alias.name in {"math", "random", "statistics"} for alias in node.names)
    if isinstance(node, ast.ImportFrom) and node.module == "math":
        return not {alias.name for alias in node.names} <= INTEGER_MATH
    return False


def floats(node: ast.AST, name: str) -> Iterator[str]:
    """Where a file could make one, the functions that may left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and (name, child.name) in FLOATS_ALLOWED:
            continue
        if makes_float(child):
            yield f"{name}:{ast.unparse(child)}"
        yield from floats(child, name)


def test_no_float_is_made_in_the_exact_room() -> None:
    assert not [spot for name in PYTHON if name.startswith("exact/") for spot in floats(TREES[name], name)]


def texts() -> Iterator[tuple[str, int, str]]:
    """Every line of every text file of ours."""
    for name, path in FILES.items():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        yield from ((name, number, line) for number, line in enumerate(lines, 1))


ABSOLUTE = re.compile(r"(?<![\w.:}$/>])/(?:home|root|work|Users|opt|mnt|tmp|var|usr/local)/\w")
HOSTS = re.compile(r"pypi[.]org|python[h]osted|conda[.]anaconda|--(?:extra-)?index[-]url", re.IGNORECASE)


@pytest.mark.parametrize("pattern", [ABSOLUTE, HOSTS], ids=["absolute paths", "package hosts"])
def test_no_text_names_a_place_outside_the_tree(pattern: re.Pattern[str]) -> None:
    assert not [f"{name}:{number}" for name, number, line in texts() if pattern.search(line)]


def test_documented_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", FILES["Makefile"].read_text(), re.MULTILINE))
    asked = {
        (name, target)
        for name, _, line in texts()
        if name.endswith(".md") or name == ".ci/run"
        for target in re.findall(r"(?:^|[`$] ?)make ([a-z]+)", line)
    }
    assert not [(name, target) for name, target in asked if target not in targets]
    assert {"demo", "test"} <= targets


def test_documented_commands_exist() -> None:
    commands = main.list_commands(click.Context(main))
    asked = {
        (name, command)
        for name, _, line in texts()
        if name.endswith(".md") or name == "Makefile"
        for command in re.findall(r"(?:^\s*(?:\$ )?|`)worldgen ([a-z]+)", line)
    }
    assert not [(name, command) for name, command in asked if command not in commands]


SUPPRESSION = re.compile(r"#\s*(?:noqa\b|type:\s*ignore\b|pragma:\s*no cover\b)")
WHAT = r"noqa: [A-Z]+\d+(?:, ?[A-Z]+\d+)*|type: ignore\[[\w, -]+\]|pragma: no cover"
REASONED = re.compile(rf"#\s*(?:{WHAT})\s+(?:# |\()\w+.* .*\w")  # a reason has at least two words


def test_every_suppression_says_what_and_why() -> None:
    wrong = []
    for name, text in PYTHON.items():
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            comment = token.string if token.type == tokenize.COMMENT else ""
            if SUPPRESSION.search(comment) and not REASONED.search(comment):
                wrong.append(f"{name}:{token.start[0]}")
    assert not wrong


def test_every_rule_that_is_turned_off_says_why() -> None:
    lines = FILES["pyproject.toml"].read_text().splitlines()
    off = [line for line in lines if re.match(r'\s+"[A-Z]+\d*",', line)]
    assert off
    assert not [line for line in off if not re.search(r"# \w.* ", line)]
    overrides = [i for i, line in enumerate(lines) if line == "[[tool.mypy.overrides]]"]
    assert all(lines[i + 1].startswith("# ") for i in overrides)
