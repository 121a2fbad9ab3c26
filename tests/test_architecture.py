"""The shape of the code: imports point down, one package talks to the driver, query text is written out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "hydramind").rglob("*.py"))

LAYERS = (
    {"errors", "clock", "ids"},
    {"records", "settings"},
    {"mind", "queries", "node"},
    {"models", "graph", "embed"},
    {"index"},
    {"store"},
    {"verbs", "verify", "archive", "ingest"},
    {"opening"},
    {"service"},
    {"demo"},
    {"api", "attach", "cli", "doctor", "mcp_server", "sdk", "web", "__main__"},
)
"""Lowest first. A part may import what stands below it, and inside its own layer only the faces know each other."""

RANK = {part: rank for rank, layer in enumerate(LAYERS) for part in layer}
FACES = LAYERS[-1]


def part_of(path: Path) -> str:
    """The package or module directly under hydramind that a file belongs to."""
    return path.relative_to(ROOT / "hydramind").parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Full names of everything a file imports, wherever in it; relative imports stay inside their package."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_of(node: ast.stmt) -> str:
    """The module that a statement imports from when it runs, else nothing."""
    return (node.module or "") if isinstance(node, ast.ImportFrom) else ""


def name_of(path: Path) -> str:
    """How a test names a file."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    """STYLE, DESIGN 2: faces, service, verbs, store, index, graph, queries, pure rules: never upwards, never sideways."""
    part = part_of(path)
    if part == "__init__":
        # The public names come from the SDK, when they are asked for: nothing is imported with the package itself.
        assert {name.rpartition(".")[0] for name in imported(path) if name.startswith("hydramind")} == {
            "hydramind.sdk.client",
            "hydramind.sdk.embedded",
        }
        assert not [node for node in ast.parse(path.read_text()).body if "hydramind" in imports_of(node)]
        return
    assert part in RANK, f"{part} has no layer yet: decide which it belongs to"
    for name in imported(path):
        head, _, rest = name.partition(".")
        target = rest.split(".")[0]
        if head != "hydramind" or target in (part, "__version__"):
            continue
        below = RANK[target] < RANK[part]
        assert below or (part in FACES and target in FACES), f"{name_of(path)} imports {name}"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_one_package_talks_to_the_driver(path: Path) -> None:
    """HYD-6, DESIGN 2: only graph/ imports neo4j; the node's readiness probe is the one exception."""
    if any(name.split(".")[0] == "neo4j" for name in imported(path)):
        assert part_of(path) == "graph" or path.parts[-2:] == ("node", "probe.py")


def test_pure_rules_do_no_io() -> None:
    """mind/ knows no clock, no randomness, no files, no network and no event loop."""
    banned = {"time", "random", "secrets", "os", "pathlib", "socket", "asyncio", "neo4j", "subprocess", "logging"}
    for path in (ROOT / "hydramind" / "mind").rglob("*.py"):
        assert not banned & {name.split(".")[0] for name in imported(path)}, name_of(path)


def literal(node: ast.expr) -> bool:
    """Whether an expression is text written out here: a constant, a name of one, or such joined by +."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Add) and literal(node.left) and literal(node.right)
    return isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("path", sorted((ROOT / "hydramind" / "queries").glob("*.py")), ids=name_of)
def test_query_text_is_written_out(path: Path) -> None:
    """STYLE: no query text is built from a value: f-strings only name a query or explain an error, nothing is formatted."""
    tree = ast.parse(path.read_text())
    words = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"Query", "Unsupported"} and node.args
        for part in ast.walk(node.args[0])
    }
    for node in ast.walk(tree):
        assert not isinstance(node, ast.JoinedStr) or id(node) in words, f"line {node.lineno}: an f-string"
        if isinstance(node, ast.Attribute):
            assert node.attr not in {"format", "replace", "format_map"}, f"line {node.lineno}"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            raise AssertionError(f"line {node.lineno}: % on text")
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Query":
            texts = [*node.args[1:2]]
            for argument in node.args[3:4]:
                texts += argument.values if isinstance(argument, ast.Dict) else []
            assert all(literal(each) for each in texts), f"line {node.lineno}: query text that is not written out"


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_modules_are_short_and_say_what_they_are_for(path: Path) -> None:
    """STYLE: at most 400 lines, opened by one line of purpose, and no drawer names."""
    lines = path.read_text().splitlines()
    assert len(lines) <= 400
    assert ast.get_docstring(ast.parse("\n".join(lines))), "a module opens with its purpose"
    assert not {"utils", "helpers", "manager", "base", "common", "misc"} & set(path.with_suffix("").parts)


@pytest.mark.parametrize("path", SOURCES, ids=name_of)
def test_nothing_is_swallowed(path: Path) -> None:
    """STYLE: whoever catches everything raises again, or says on the line why this frame is the outermost one."""
    text = path.read_text().splitlines()
    for node in ast.walk(ast.parse("\n".join(text))):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = {part.id for part in ast.walk(node.type) if isinstance(part, ast.Name)} if node.type else {"all"}
        if caught & {"Exception", "BaseException", "all"}:
            raises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
            reason = re.search(r"noqa: BLE001 - \w+", text[node.lineno - 1])
            assert raises or reason, f"line {node.lineno}"


TRACKED = [
    path for name in ("hydramind", "tests", "scripts", "benchmarks", ".github") for path in (ROOT / name).rglob("*")
] + [path for path in ROOT.iterdir() if path.suffix in {".md", ".toml", ".lock", ".txt"}]
PLACES = re.compile(
    "|".join(
        (
            r"(?<![\w.\"'-])/(?:work|root|farm|home/\w+|Users/\w+)/",
            "index" + "-url",
            r"https?://(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d",
        )
    )
)


def test_no_place_of_this_machine_is_written_down() -> None:
    """Nothing committed names a folder of the machine it was written on, a private address or a package index."""
    texts = {".py", ".md", ".toml", ".lock", ".txt", ".sh", ".yml", ".yaml", ".html", ""}
    found = [
        f"{name_of(path)}: {match.group()}"
        for path in TRACKED
        if path.is_file()
        and path.suffix in texts
        and "__pycache__" not in path.parts
        and "node_modules" not in path.parts
        for match in PLACES.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
