"""One function asks whether something is at a path: no answer is no fact, and ends nothing."""

import ast
import errno
import os
from pathlib import Path
from unittest import mock

import pytest

import uckers_table
from uckers_table.machine.files import is_folder, is_plain_file, is_there, nearest_there, size_of

HERE = Path(str(uckers_table.__file__)).parent
ASKS = frozenset(
    (
        "exists",
        "lexists",
        "is_file",
        "isfile",
        "is_dir",
        "isdir",
        "is_symlink",
        "islink",
        "is_mount",
        "ismount",
    )
) | {"stat", "lstat", "getsize", "getmtime", "is_fifo", "is_socket", "is_block_device", "is_char_device"}
"""What asks the system for a path, and raises what the card answers or takes it for "no"."""
ALLOWED = {
    ("machine/files.py", "stat"): "the one that asks",
    # Root's commands alone come there. Whoever does not know whose the record is goes no further.
    ("machine/owner.py", "stat"): "whose it is, which no other tells; a RecordError where there is no answer",
}


def asked(source):
    """What a module asks the system for paths by, called or handed on."""
    return {
        node.attr
        for node in ast.walk(ast.parse(source))
        # `stat.S_ISREG` and its like are names of a module, and ask nobody.
        if isinstance(node, ast.Attribute) and node.attr in ASKS
    }


def test_nothing_else_in_the_program_asks_whether_a_file_is_there():
    found = {
        (str(path.relative_to(HERE)), name)
        for path in sorted(HERE.rglob("*.py"))
        # The Pico's own file system is no card of ours.
        if "pico" not in path.parts
        for name in asked(path.read_text(encoding="utf-8"))
    }
    assert found == ALLOWED.keys()


@pytest.mark.parametrize(
    "line",
    ["path.exists()", "takewhile(Path.exists, paths)", "os.path.isfile(name)", "path.stat().st_size"],
)
def test_whoever_asks_otherwise_is_found(line):
    assert asked(f"def f(path):\n    return {line}\n")


def refusing(answer, times):
    """Stands for a system that does not answer so many times when it is asked for a path."""
    left = iter([answer] * times)
    real = os.stat

    def stat(path, *arguments, **more):
        if (number := next(left, None)) is not None:
            raise OSError(number, os.strerror(number), str(path))
        return real(path, *arguments, **more)

    return mock.patch("os.stat", stat)


def test_what_is_at_a_path_is_told(tmp_path):
    (tmp_path / "file").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    told = {
        name: (is_there(path), is_folder(path), is_plain_file(path), size_of(path) if name == "file" else 0)
        for name in ("file", ".", "pipe", "link", "none", "file/below", "x" * 300, "a\0b")
        for path in [tmp_path / name]
    }
    nothing = (False, False, False, 0)
    assert told == {
        "file": (True, False, True, 5),
        ".": (True, True, False, 0),
        "pipe": (True, False, False, 0),
        **dict.fromkeys(("link", "none", "file/below", "x" * 300, "a\0b"), nothing),
    }


@pytest.mark.parametrize("answer", [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOMEM])
def test_a_card_that_does_not_answer_once_is_asked_again(tmp_path, answer):
    for ask, path, told in (
        *((each, tmp_path / "none", False) for each in (is_there, is_folder, is_plain_file)),
        (is_plain_file, tmp_path, False),
        (is_folder, tmp_path, True),
    ):
        with refusing(answer, 1):
            assert ask(path) is told


@pytest.mark.parametrize("answer", [errno.EIO, errno.EACCES, errno.ESTALE, errno.ENOMEM])
def test_what_no_card_tells_counts_as_there(tmp_path, answer):
    nobody = tmp_path / "none"
    with refusing(answer, 99):
        assert is_there(nobody)
        assert is_folder(nobody)
        assert is_plain_file(nobody)
        assert size_of(nobody) == 0
        assert nearest_there(nobody) == nobody
