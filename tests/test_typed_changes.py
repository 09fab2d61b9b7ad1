"""A change of the match or of what the referee remembers is seen by the type checker, field by field."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import uckers_table

PACKAGE = Path(uckers_table.__file__).parent
CHANGING = sorted(path for room in ("game", "referee") for path in (PACKAGE / room).glob("*.py"))
LOOSE = {"Any", "object"}
SNIPPET = """
from dataclasses import replace
from uckers_table.game.match import Match
from uckers_table.game.ruling import Kind
from uckers_table.referee.referee import Referee

def change(match: Match, referee: Referee) -> None:
    replace(match, extra=1)
    match.ruling(Kind.VOID, throw=(6, 1))
    replace(referee, told='a')
    {mistake}
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """mypy's memory of the package, so that it is read through once."""
    return tmp_path_factory.mktemp("mypy")


@pytest.mark.parametrize(
    ("mistake", "complaint"),
    [
        ("pass", ""),
        ("replace(match, exrta=1)", 'Unexpected keyword argument "exrta"'),
        ("replace(match, extra='1')", 'Argument "extra" to "replace"'),
        ("match.copy().exrta = 1", '"Match" has no attribute "exrta"'),
        ("match.copy().extra = '1'", "Incompatible types in assignment"),
        ("match.ruling(Kind.VOID, thorw=(6, 1))", 'Unexpected keyword argument "thorw"'),
        ("match.ruling(Kind.VOID, throw='6-1')", 'Argument "throw"'),
        ("replace(referee, tolb=1)", 'Unexpected keyword argument "tolb"'),
        ("replace(referee, told=1)", 'Argument "told" to "replace"'),
    ],
)
def test_the_type_checker_finds_a_wrong_field(tmp_path, cache, mistake, complaint):
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET.format(mistake=mistake))
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, snippet],
        cwd=PACKAGE.parent,
        capture_output=True,
        text=True,
    )
    errors = [line for line in checked.stdout.splitlines() if " error: " in line]
    assert len(errors) == (1 if complaint else 0), checked.stdout
    assert complaint in "".join(errors)


@pytest.mark.parametrize("path", CHANGING, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_function_takes_fields_of_any_type(path):
    """What takes `**changes: Any` or `object` hides a misspelt field from the type checker."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.args.kwarg is not None
    ]
    untyped = {
        function.name
        for function in functions
        if function.args.kwarg.annotation is None or ast.unparse(function.args.kwarg.annotation) in LOOSE
    }
    assert untyped == set()
