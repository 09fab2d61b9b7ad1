"""What is read from anywhere: bounded, strict, and by one module alone."""

import ast
import errno
import json
import os
from pathlib import Path

import pytest

import uckers_table
from uckers_table.errors import InputError
from uckers_table.foreign.documents import DEEPEST, bytes_of, json_from, toml_from

PACKAGE = Path(uckers_table.__file__).parent
READERS = {
    "json.load",
    "json.loads",
    "json.JSONDecoder",
    "tomllib.load",
    "tomllib.loads",
    "cv2.imdecode",
    "cv2.imread",
    "Image.open",
}
"""What reads a format that anybody may have written."""
OF_OUR_OWN = {
    "soak/visitors.py": "what this program says to itself",
    "table/last_time.py": "what it has just written",
}
"""Modules that call one of them on what no stranger wrote, and why."""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"a": 1, "a": 2}', "key 'a' is given twice"),
        ('{"t": NaN}', "key 't' makes no sense: nan"),
        ('{"t": [1, Infinity]}', "key 't.2' makes no sense: inf"),
        ('{"t": 1e999}', "key 't' makes no sense: inf"),
        ('{"a": {"b": 10000000000000001}}', "key 'a.b' makes no sense"),
        ('{"name": "\\ud800"}', "half a character"),
        ('{"\\u0000": 1}', "a NUL"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=range(9),
)
def test_json_that_nobody_writes_on_purpose_is_refused(text, why):
    with pytest.raises(InputError, match=why):
        json_from(text)


def test_json_that_is_torn_is_told_from_what_is_refused():
    for torn in ('{"a": 1', b'{"a": "\xff"}', b"\x00\x00\x00{"):
        with pytest.raises(ValueError) as error:
            json_from(torn)
        assert isinstance(error.value, json.JSONDecodeError | UnicodeDecodeError)


def test_ordinary_documents_are_read_unchanged():
    assert json_from(b'{"a": [1, 2.5, "\xc3\xa9", null, true, {}]}') == {"a": [1, 2.5, "é", None, True, {}]}
    assert toml_from("a = 1\n[b]\nc = [0.5]") == {"a": 1, "b": {"c": [0.5]}}


@pytest.mark.parametrize(
    "text", ["a = nan", "a = inf", "a = 99999999999999999", f"a = {'9' * 5000}", "a = " + "[" * 5000]
)
def test_toml_with_such_values_is_refused(text):
    with pytest.raises(ValueError):
        toml_from(text)


def test_a_file_without_end_is_read_as_far_as_it_may_be():
    with pytest.raises(InputError, match="has more than 1 MB"):
        bytes_of(Path("/dev/zero"), 2**20)


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert bytes_of(tmp_path / "pipe") == b""


def test_a_path_with_nul_is_no_name_of_a_file():
    with pytest.raises(InputError, match="no name of a file"):
        bytes_of(Path("a\0b"))


def test_no_other_module_reads_what_anybody_may_have_written():
    calls = {}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in READERS:
                calls.setdefault(str(path.relative_to(PACKAGE)), []).append(ast.unparse(node.func))
    assert sorted(calls.pop("foreign/documents.py")) == ["json.JSONDecoder", "tomllib.loads"]
    assert calls.pop("foreign/pictures.py") == ["cv2.imdecode"]
    assert calls.keys() == OF_OUR_OWN.keys()


def test_a_read_that_fails_once_is_done_again_on_a_file_that_is_opened_anew(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("content")
    fails = iter([True])
    opened, real = [], os.open

    def refuse(path, *how):
        opened.append(path)
        if next(fails, False):
            raise OSError(errno.EIO, "Input/output error", str(path))
        return real(path, *how)

    monkeypatch.setattr("os.open", refuse)
    assert bytes_of(tmp_path / "file") == b"content"
    assert opened == [tmp_path / "file"] * 2
    fails = iter([True, True])
    with pytest.raises(OSError, match="Input/output error"):
        bytes_of(tmp_path / "file")
