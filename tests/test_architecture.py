"""The folder tree is the architecture: imports point only to what stands earlier in one list."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "winded"

# What each room may import: of Winded, and of other people's packages (None: whatever is installed with Winded).
MAY_IMPORT: dict[str, tuple[set[str], set[str] | None]] = {
    "sentence": (set(), {"msgspec"}),
    "errors": ({"sentence"}, {"msgspec"}),
    "rules": ({"sentence", "errors"}, {"msgspec"}),
    "roles": ({"sentence", "errors", "rules"}, {"msgspec"}),
    "odds": ({"sentence", "errors", "rules"}, {"msgspec", "numpy"}),
    "charts": ({"sentence", "errors", "rules", "odds"}, {"msgspec"}),
    "journal": ({"sentence", "errors", "rules", "roles"}, {"msgspec"}),
    "tables": ({"sentence", "errors", "rules", "roles", "journal"}, {"msgspec"}),
    "service": ({"sentence", "errors", "rules", "roles", "odds", "charts", "journal", "tables"}, {"msgspec"}),
    "web": ({"sentence", "errors", "rules", "roles", "odds", "charts", "service"}, None),
    "cli": ({"sentence", "errors", "rules", "roles", "odds", "charts", "service", "web"}, None),
    "__main__": ({"cli"}, set()),
}
FRONT_DOOR = "winded"

# Inside the web: each of these may import, of the web, only what stands before it. What is not named stands last.
WEB = (
    (
        "language",
        "dice",
        "errors",
        "methods",
        "forms",
        "guard",
        "assets",
        "access",
        "long_work",
        "network",
        "uploads",
        "devices",
    ),
    ("live",),
    ("host",),
    ("screens.parts",),
    ("screens", "api"),
    ("app",),
    ("server",),
)

# What a door is never to call: what a role may see is decided by the service, once.
VEILING = {"veiled", "seen_by", "seen_events"}
DOORS = {"web", "cli"}
THE_SERVICES_OWN = {"tables", "links", "journal", "sights"}

# Pure: no clock, no dice, no files, no network, no threads, no logging. A roll is an input.
PURE = {"sentence", "errors", "rules", "roles"}
IMPURE_MODULES = {
    "asyncio", "concurrent", "datetime", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time",
    "urllib", "uuid", "warnings",
}  # fmt: skip
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "__import__"}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def room_of(module: str) -> str:
    """The room a module of Winded stands in: "rules" for winded.rules.rest, "winded" for the front door itself."""
    return module.split(".")[1] if "." in module else FRONT_DOOR


def imports(module: str, tree: ast.Module, is_package: bool) -> Iterator[tuple[ast.stmt | ast.expr, str, list[str]]]:
    """All that a module imports, wherever in it, as (node, full name, names of the functions around it)."""

    def walk(node: ast.AST, inside: list[str]) -> Iterator[tuple[ast.stmt | ast.expr, str, list[str]]]:
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.Import(names=names):
                    yield from ((child, alias.name, inside) for alias in names)
                case ast.ImportFrom(names=names, level=level):
                    origin = absolute(child.module, level)
                    # `from winded import rules` means winded.rules, `from winded import Table` the front door.
                    yield from (
                        (child, f"{origin}.{alias.name}" if f"{origin}.{alias.name}" in known else origin, inside)
                        for alias in names
                    )
                case ast.Call(
                    func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(str(name)), *_]
                ) if called in {"import_module", "__import__"}:
                    yield child, name, inside
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    yield from walk(child, [*inside, name])
                    continue
            yield from walk(child, inside)

    def absolute(origin: str | None, level: int) -> str:
        if not level:
            return origin or ""
        package = module.split(".") if is_package else module.split(".")[:-1]
        base = package[: len(package) - (level - 1)]
        return ".".join([*base, origin] if origin else base)

    known = {name for name, _ in modules()} | {f"winded.{room}" for room in MAY_IMPORT}
    yield from walk(tree, [])


def trespasses(module: str, source: str, is_package: bool = False) -> list[str]:
    """Each way in which a module breaks the house's rule, as a sentence with its line."""
    tree = ast.parse(source)
    room = room_of(module)
    if room == FRONT_DOOR:
        return [
            f"{module}:{statement.lineno} the front door holds re-exports and __all__, nothing else"
            for statement in tree.body
            if not _belongs_at_the_front_door(statement)
        ]
    if room not in MAY_IMPORT:
        return [f"{module}: {room} has no place in the list of rooms"]
    ours, theirs = MAY_IMPORT[room]
    found = []
    for node, name, inside in imports(module, tree, is_package):
        top = name.split(".")[0]
        if top == "winded":
            target = room_of(name)
            if target != room and target not in ours:
                found.append(f"{module}:{node.lineno} {room} must not import {name}")
            elif (room, target) == ("cli", "web") and "serve" not in inside:
                found.append(f"{module}:{node.lineno} cli imports web only inside serve: {name}")
        elif top in sys.stdlib_module_names:
            if room in PURE and top in IMPURE_MODULES:
                found.append(f"{module}:{node.lineno} {room} is pure and must not import {name}")
        elif theirs is not None and top not in theirs:
            found.append(f"{module}:{node.lineno} {room} must not import {name}")
    if room in PURE:
        found += [
            f"{module}:{node.lineno} {room} is pure and must not call {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
        ]
    return found


def _belongs_at_the_front_door(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.ImportFrom(module=str(origin), level=0):
            return origin == "__future__" or (origin.startswith("winded.") and room_of(origin) not in {"web", "cli"})
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def web_layer(module: str) -> int:
    """How far down the list of the web's layers a module stands."""
    inside = module.removeprefix("winded.web").removeprefix(".")
    fitting = [
        (len(name), at)
        for at, names in enumerate(WEB)
        for name in names
        if inside == name or inside.startswith(f"{name}.")
    ]
    return max(fitting)[1] if fitting else len(WEB)


def test_inside_the_web_imports_point_only_up_its_layers() -> None:
    found = []
    for module, path in modules():
        if room_of(module) != "web" or module == "winded.web":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node, name, _ in imports(module, tree, path.name == "__init__.py"):
            if name.startswith("winded.web.") and web_layer(name) > web_layer(module):
                found.append(f"{module}:{node.lineno} must not import {name}")
    assert found == []


def test_no_door_reaches_past_the_service_or_veils_by_itself() -> None:
    found = []
    for module, path in modules():
        if room_of(module) not in DOORS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(attr=own, value=ast.Name(id="desk") | ast.Attribute(attr="desk")) if (
                    own in THE_SERVICES_OWN
                ):
                    found.append(f"{module}:{node.lineno} reaches past the service: desk.{own}")
                case ast.ImportFrom(names=names) if veiling := VEILING & {alias.name for alias in names}:
                    found.append(f"{module}:{node.lineno} decides what may be seen: {veiling}")
    assert found == []


def test_no_circle_of_imports_but_the_one_of_commands_and_tables() -> None:
    graph: dict[str, set[str]] = {}
    for module, path in modules():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # Type hints count too; what a function imports when it is called does not.
        graph[module] = {name for _, name, inside in imports(module, tree, path.name == "__init__.py") if not inside}
    within = {module: reached(module, graph) for module in graph}
    circles = {
        frozenset(other for other in graph if other in within[module] and module in within[other])
        for module in graph
        if module in within[module]
    }
    assert circles <= {frozenset({"winded.rules.command", "winded.rules.table"})}


def reached(module: str, graph: dict[str, set[str]]) -> set[str]:
    """All that a module imports, and all that those import."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        for name in graph.get(waiting.pop(), ()):
            if name not in found and name in graph:
                found.add(name)
                waiting.append(name)
    return found


def test_no_module_of_the_web_holds_work_of_its_own() -> None:
    found = [
        f"{module}:{node.lineno} {ast.unparse(node.func)}"
        for module, path in modules()
        if room_of(module) == "web"
        for statement in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and "Executor" in ast.unparse(node.func)
    ]
    assert found == []


@pytest.mark.parametrize(("module", "path"), [pytest.param(*each, id=each[0]) for each in modules()])
def test_imports_point_only_up_the_list(module: str, path: Path) -> None:
    assert trespasses(module, path.read_text(encoding="utf-8"), path.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("winded.errors", "from winded.rules import Table"),
        ("winded.rules.rest", "from winded.odds import chance"),
        ("winded.rules.rest", "from winded import odds"),
        ("winded.rules.rest", "from winded import Table"),
        ("winded.rules.rest", "import winded"),
        ("winded.rules.rest", "from ..journal import Entry"),
        ("winded.rules.rest", "from .. import journal"),
        ("winded.rules.rest", "def decide():\n    from winded.tables import Tables"),
        ("winded.rules.rest", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import winded.web.board"),
        ("winded.rules.rest", "import importlib\nimportlib.import_module('winded.web')"),
        ("winded.rules.rest", "import numpy as np"),
        ("winded.rules.rest", "import random"),
        ("winded.rules.rest", "from datetime import datetime"),
        ("winded.rules.rest", "import logging"),
        ("winded.rules.rest", "text = open('rules.toml').read()"),
        ("winded.roles.members", "from winded.journal import Entry"),
        ("winded.roles.members", "import secrets"),
        ("winded.odds.forecast", "from winded.roles import Member"),
        ("winded.odds.forecast", "import litestar"),
        ("winded.journal.sqlite", "from winded.odds import chance"),
        ("winded.journal.sqlite", "from winded.tables import Tables"),
        ("winded.tables", "from winded.web import app"),
        ("winded.tables", "from winded.odds import chance"),
        ("winded.tables", "import litestar"),
        ("winded.web.board", "from winded.cli import main"),
        ("winded.web.board", "from winded.tables import Tables"),
        ("winded.cli.run", "from winded.journal import Entry"),
        ("winded.cli", "from winded.web import app"),
        ("winded.cli.run", "def run():\n    from winded.web import app"),
        ("winded.attic", "import msgspec"),
        ("winded", "VERSION = 1"),
        ("winded", "def helper(): ..."),
        ("winded", "from winded.web import app"),
        ("winded", "import numpy"),
    ],
)
def test_a_trespass_is_noticed(module: str, source: str) -> None:
    assert trespasses(module, source)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("winded.rules.rest", "import msgspec\nfrom fractions import Fraction\nfrom winded.errors import Refused"),
        ("winded.rules.rest", "from winded.rules.table import Table\nfrom .stamina import pay"),
        ("winded.rules.rest", "from winded import rules"),
        ("winded.journal.sqlite", "import sqlite3, threading\nfrom winded.rules import AnyCommand"),
        ("winded.odds.forecast", "import numpy as np\nfrom winded.rules import Table"),
        ("winded.web.board", "import litestar\nfrom winded.service import Desk\nfrom winded.odds import chance"),
        ("winded.cli.serve", "def serve():\n    from winded.web import app"),
        ("winded", '"""Winded."""\n\nfrom winded.rules import Table\n\n__all__ = ["Table"]'),
    ],
)
def test_what_the_list_allows_is_no_trespass(module: str, source: str) -> None:
    assert trespasses(module, source) == []


def test_a_package_resolves_its_relative_imports_from_itself() -> None:
    assert trespasses("winded.rules", "from .rest import Rest", is_package=True) == []
    assert trespasses("winded.rules", "from ..odds import chance", is_package=True)


HEAVY = {"litestar", "uvicorn", "jinja2", "numpy", "icepool", "segno", "winded.web"}


def loaded_after(code: str) -> set[str]:
    """What is loaded of HEAVY once this code has run in a process of its own."""
    report = f"import sys\ntry:\n    {code}\nfinally:\n    print('loaded:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=False)
    *_, last = done.stdout.splitlines() or [""]
    assert done.returncode == 0, done.stderr
    assert last.startswith("loaded:"), done.stdout
    return HEAVY & set(last.split())


def test_importing_winded_loads_neither_the_web_nor_numbers() -> None:
    assert loaded_after("import winded; winded.Table()") == set()


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["rules"]])
def test_the_command_line_starts_without_the_web_and_numbers(arguments: list[str]) -> None:
    assert loaded_after(f"sys.argv = ['winded', *{arguments!r}]; from winded.cli import main; main()") == set()
