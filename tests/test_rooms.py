"""How the package's modules may hang together: what each room holds, and what a reader may rely on."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import uckers_table

PACKAGE = Path(uckers_table.__file__).parent
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
LOOSE = {"__init__", "__main__", "config", "errors", "sighting"}
"""The modules that lie in no room."""
LONGEST = 60
"""Lines of a function."""

RIGHT_TWICE = {
    "main": "what a program begins with",
    "add": "each verb of the command line has one",
    "run": "each verb of the command line has one",
}
"""Public names that several modules may define, and why."""


def modules(room=""):
    """The syntax tree of every module of a room, by its dotted name."""
    return {
        ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts)): ast.parse(
            path.read_text(encoding="utf-8")
        )
        for path in sorted((PACKAGE / room).rglob("*.py"))
    }


def imports(trees):
    """Which of some modules each imports, anywhere: also for types alone, and inside functions."""
    found = {name: set() for name in trees}
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found[name] |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                # What is imported from a package may be a module of it.
                found[name] |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name: (others & trees.keys()) - {name} for name, others in found.items()}


def test_no_module_lies_loose_but_those_that_serve_every_room():
    assert {path.stem for path in PACKAGE.glob("*.py")} == LOOSE


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_modules_of_a_room_need_each_other(room):
    graph = imports(modules(room))
    assert graph
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_s_functions_can_be_read_at_a_glance(room):
    lines = {
        f"{name}.{node.name}": node.end_lineno - node.lineno + 1
        for name, tree in modules(room).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert lines
    assert {name: count for name, count in lines.items() if count > LONGEST} == {}


def defined(tree):
    """The public classes, functions and names of types that a module defines. Constants are left out."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from (name for name in names if not name.startswith("_") and not name.isupper())


def test_a_public_name_means_one_thing():
    homes = {}
    for module, tree in modules().items():
        for name in defined(tree):
            homes.setdefault(name, set()).add(module)
    assert homes["Match"] == {"uckers_table.game.match"}
    several = {name: sorted(where) for name, where in homes.items() if len(where) > 1}
    assert several.keys() == RIGHT_TWICE.keys(), several
