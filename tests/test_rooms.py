"""How the package's modules may hang together: what each room holds, and what a reader may rely on."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import uckers_table

PACKAGE = Path(uckers_table.__file__).parent
WITHOUT_CIRCLES = ["game"]
"""The rooms whose modules import each other one way only. Add a room once that is true of it."""

IN_SHORT_FUNCTIONS = ["game", "referee"]
"""The rooms whose functions have at most `LONGEST` lines."""
LONGEST = 60


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


@pytest.mark.parametrize("room", WITHOUT_CIRCLES)
def test_no_two_modules_of_a_room_need_each_other(room):
    graph = imports(modules(room))
    assert sum(map(len, graph.values())) > len(graph)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))


@pytest.mark.parametrize("room", IN_SHORT_FUNCTIONS)
def test_a_room_s_functions_can_be_read_at_a_glance(room):
    lines = {
        f"{name}.{node.name}": node.end_lineno - node.lineno + 1
        for name, tree in modules(room).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert lines
    assert {name: count for name, count in lines.items() if count > LONGEST} == {}
