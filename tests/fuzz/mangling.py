"""What fuzzing does to good input, and how what comes of it is judged.

`make test` runs the same few examples each time. `make fuzz` sets UCKERS_FUZZ to how many times as many there
are, and these are other ones at every run.
"""

import contextlib
import copy
import io
import os
import random
import string
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from uckers_table.commands import cli

TIMES = int(os.environ.get("UCKERS_FUZZ", "0"))

EXTREMES = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 10**400, -(10**30), 0.5, -0.0, 1e308, 1e-308),
    *(float("nan"), float("inf"), -float("inf")),
    *(
        "",
        " ",
        "\0",
        "\n",
        "\x1b[31mred\x1b[0m",
        "\x9b2J",
        "\u202egnp.exe",
        "\ud800",
        "=1+1",
        "@x",
        "-1",
        "/",
    ),
    *("../../etc/passwd", "/dev/zero", "page.pin", "record.sqlite", "0001/evidence/../../page.pin", "C:\\x"),
    *("x" * 300, "nan", "red", "½", "٣", "\N{PILE OF POO}", "[]", "{}", '"', "a" * 5000),
    *([], {}, [[]], [None], {"": None}, [0] * 100, {"red": "x"}, [1, "a", None], [[[[]]]]),
)
"""Values that somebody who means harm, or a program that is wrong, puts where others are expected."""
BYTES = (
    *(
        b"\0",
        b"\xff",
        b"\xff\xff\xff\xff",
        b"\x80",
        b"\n",
        b"\r\n",
        b'"',
        b"'",
        b"\\",
        b"[",
        b"]",
        b"{",
        b"}",
    ),
    *(
        b"=",
        b",",
        b"nan",
        b"inf",
        b"-1",
        b"1e999",
        b"9" * 30,
        b"9" * 5000,
        b"[" * 3000,
        b"\xed\xa0\x80",
        b"#",
    ),
    *(b"true", b"null", b'"\\ud800"', b'"\\u0000"', b"\x1b[2J", b"../", b"/dev/zero", b" ", b";"),
    *(b"@", b">"),
)
"""Pieces that stand for something in a format."""


def fuzzed(examples, **given_by):
    """A test that hypothesis runs with so many examples, or as often as `make fuzz` says."""

    def decorate(test):
        how = settings(max_examples=examples * max(1, TIMES), derandomize=not TIMES, database=None)
        return how(given(**given_by)(test))

    return decorate


# ---------------------------------------------------------------------- mangling

chances = st.integers(0, 2**32 - 1).map(random.Random)
"""Chance, by its seed: what fails is seen again with it."""


def mangled(content, chance):
    """The bytes of a file with a few things done to them that happen to files, or are done on purpose."""
    content = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 3, 5))):
        at = chance.randrange(len(content) + 1)
        end = min(len(content), at + chance.choice((1, 2, 4, 16, 256, 4096)))
        match chance.randrange(8):
            case 0 if content:
                content[at % len(content)] ^= 1 << chance.randrange(8)
            case 1:
                content[at:] = b""
            case 2:
                content[at:end] = b""
            case 3:
                content[at:at] = bytes(content[at:end]) * chance.choice((1, 3, 40))
            case 4:
                content[at:at] = chance.choice(BYTES)
            case 5:
                content[at:end] = chance.choice(BYTES)
            case 6:
                content[at:end] = chance.randbytes(end - at)
            case _:
                to = chance.randrange(len(content) + 1)
                content[to:to] = content[at:end]
    return bytes(content)


def with_numbers_changed(text, chance):
    """Text with a number or a word in it exchanged for an extreme."""
    words = [k for k, letter in enumerate(text) if letter in string.digits + string.ascii_letters]
    if not words:
        return text
    at = chance.choice(words)
    end = at
    while end < len(text) and text[end].isalnum():
        end += 1
    extreme = chance.choice(EXTREMES)
    return text[:at] + str(extreme) + text[end:]


def with_value_changed(data, chance):
    """Data as JSON has it, with a value in it exchanged, gone, or twice there."""
    places = list(_places(data))
    if not places:
        return chance.choice(EXTREMES)
    holder, key = chance.choice(places)
    match chance.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2 if isinstance(holder, dict):
            holder[str(chance.choice(EXTREMES))] = holder.pop(key)
        case 3:
            other, elsewhere = chance.choice(places)
            with contextlib.suppress(LookupError):
                holder[key] = copy.deepcopy(other[elsewhere])
        case _:
            holder[key] = chance.choice(EXTREMES)
    return data


def _places(data):
    if isinstance(data, dict | list):
        for key, value in list(data.items() if isinstance(data, dict) else enumerate(data)):
            yield data, key
            yield from _places(value)


# ---------------------------------------------------------------------- judging


def said_in_one_line(*words, lines=1, statuses=(0, 1, 2)):
    """Run a command: it ends with one of its statuses, says at most a line of errors, and commands no
    terminal. What was printed; whatever nobody foresaw is raised as it is.
    """

    def unforeseen(error):
        raise error

    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(cli, "keep_traceback", unforeseen),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = cli.main([str(word) for word in words])
    assert status in statuses
    complaints = err.getvalue().splitlines()
    assert len(complaints) <= lines, complaints
    assert bool(complaints) == (status == 2) or status == 0, (status, complaints)
    for printed in (out.getvalue(), err.getvalue()):
        assert not set(printed) & {*map(chr, range(10)), "\r", "\x1b", "\x7f", "\x9b", "\u202e"}, printed
    return out.getvalue()
