"""No test says by itself how long something may take, or measures it: `tests/patience.py` says it for all."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import USUAL_S, VARIABLE, limit_s

HERE = Path(__file__).parent
SOURCES = [path for path in sorted(HERE.rglob("*.py")) if path.name != "patience.py"]
WAITS = {"join", "result", "settimeout", "set_default_timeout"}
CLOCKS = {"monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"}


def is_number(node):
    """Whether it is a number that is written out; 0 asks without waiting."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float) and node.value > 0


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def limits(source):
    """The lines of limits that are numbers, and of clocks that are read."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            given = node.args[:1] if name_of(node.func) in WAITS | {"timeout"} else []
            given += [keyword.value for keyword in node.keywords if keyword.arg in ("timeout", "deadline")]
            if any(map(is_number, given)) or name_of(node.func) in CLOCKS:
                yield node.lineno


def test_no_test_has_a_limit_of_its_own_or_measures():
    found = {str(path.relative_to(HERE)): list(limits(path.read_text(encoding="utf-8"))) for path in SOURCES}
    own = {name: lines for name, lines in found.items() if lines}
    assert own == {}, "take HANGS_S, until or unhurried of tests/patience.py"


@pytest.mark.parametrize(
    ("source", "is_limit"),
    [
        ("run(words, timeout=60)", True),
        ("thread.join(5.0)", True),
        ("pytestmark = pytest.mark.timeout(60)", True),
        ("settings(deadline=200)", True),
        ("assert time.monotonic() - began < 1", True),
        ("run(words, timeout=HANGS_S)", False),
        ("answer.result(timeout=0)", False),
        ("', '.join(words)", False),
    ],
)
def test_what_a_limit_is(source, is_limit):
    assert bool(list(limits(source))) == is_limit


def test_how_long_a_wait_may_take_is_said_from_outside():
    assert limit_s(None) == USUAL_S == 600
    assert limit_s("45") == 45
    assert limit_s("0.5") == 0.5


@pytest.mark.parametrize("said", ["", "ten minutes", "0", "-1", "nan", "inf"])
def test_what_is_no_limit_is_said_in_one_line(said):
    with pytest.raises(SystemExit, match=rf"^{VARIABLE}: .* is no number of seconds above 0.*600$"):
        limit_s(said)


def pytest_with(limit):
    """What pytest does, with the variable set, before it runs any test."""
    collect = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        Path(__file__).name,
    ]
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_TIMEOUT"}
    return subprocess.run(collect, env={**own, VARIABLE: limit}, cwd=HERE, capture_output=True, text=True)


def test_a_whole_test_has_three_times_as_long_as_one_wait():
    assert re.search(r"^timeout: 45\.0s$", pytest_with("15").stdout, re.MULTILINE)


def test_a_limit_that_is_none_ends_the_tests_with_one_line():
    ended = pytest_with("soon")
    assert ended.returncode != 0
    assert ended.stderr.splitlines() == [
        f"{VARIABLE}: 'soon' is no number of seconds above 0; leave it out for 600"
    ]
