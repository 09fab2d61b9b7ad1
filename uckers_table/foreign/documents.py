"""Files, JSON and TOML that may come from anywhere: the one way in which this program reads them.

More than the formats themselves, it refuses what nobody writes on purpose: a key given twice, NaN, numbers
that no database holds, text that cannot be written down again, and values nested without end.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

from uckers_table.errors import InputError

LARGEST = 64 * 2**20
"""Bytes of a file. A table's profile has 4 MB, and the match of a long evening 1 MB."""
DEEPEST = 32
"""Levels of nesting. The deepest of ours has 6."""
LARGEST_NUMBER = 10**15
"""Whole numbers up to here are exact in a browser, and fit a database."""


def bytes_of(path: Path, most: int = LARGEST) -> bytes:
    """All that is in a file. OSError as `open` raises it; InputError, as words that follow the
    file's name, for more than `most` bytes.

    A device without end is read as far as `most`, and a pipe that nobody writes to is empty. A read that
    fails is done once more, on a file that is opened anew.
    """
    try:
        content = _read(path, most + 1)
    except OSError:
        content = _read(path, most + 1)
    if len(content) > most:
        raise _too_large(most)
    return content


def lines_of(path: Path, most: int) -> Iterator[bytes]:
    """The lines of a file as `bytes_of`, one after the other, each with its end: never all at once.

    A line that could not be read is read once more too.
    """
    place, is_again = 0, False
    while True:
        try:
            with _opened(path) as file:
                file.seek(place) if place else None
                while line := file.readline(most + 1 - place):
                    place, is_again = place + len(line), False
                    if place > most:
                        raise _too_large(most)
                    yield line
            return
        except OSError:
            if is_again:
                raise
            is_again = True


def _read(path: Path, most: int) -> bytes:
    with _opened(path) as file:
        return file.read(most)


def _opened(path: Path) -> BinaryIO:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError:
        # A path with NUL in it.
        raise InputError("is no name of a file") from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def _too_large(most: int) -> InputError:
    return InputError(f"has more than {most // 2**20} MB, which is too large for such a file")


def text_of(path: Path, most: int = LARGEST) -> str:
    """The text in a file, as `bytes_of`; UnicodeDecodeError (ValueError) where it is not UTF-8."""
    return bytes_of(path, most).decode("utf-8").replace("\r\n", "\n")


def json_from(text: str | bytes) -> Any:
    """What JSON says. ValueError for anything else: JSONDecodeError or UnicodeDecodeError if it may be torn,
    InputError if it is whole and still refused.
    """
    if isinstance(text, bytes):
        # `json` would guess at other encodings.
        text = text.decode("utf-8")
    try:
        return _usable(_JSON.decode(text))
    except RecursionError:
        raise InputError("is nested too deeply") from None


def toml_from(text: str) -> dict[str, Any]:
    """What TOML says; ValueError for anything else, InputError if it is TOML and still refused."""
    try:
        read: dict[str, Any] = _usable(tomllib.loads(text))
    except RecursionError:
        raise InputError("is nested too deeply") from None
    return read


def toml_of(path: Path) -> dict[str, Any]:
    """What the TOML in a file says, as `text_of` and `toml_from`."""
    return toml_from(text_of(path))


def _without_key_twice(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(f"key {twice!r} is given twice")
    return data


_JSON = json.JSONDecoder(object_pairs_hook=_without_key_twice)


def _usable(data: Any) -> Any:
    """The same data; InputError where something in it is of no use, with its key."""
    level = [data]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for value in level:
            kind = type(value)
            if kind is list:
                below += value
            elif kind is dict:
                below += value
                below += value.values()
            elif kind is str and value.isascii() and "\0" not in value:
                # Nearly all that there is: `_of_no_use` says nothing of it either.
                continue
            elif why := _of_no_use(value):
                raise InputError(f"key '{_key_of(value, data)}' makes no sense: {why}")
        if not below:
            return data
        level = below
    raise InputError("is nested too deeply")


def _of_no_use(value: Any) -> str:
    """Why a single value cannot be used; empty for one that can."""
    if isinstance(value, str):
        return unwritable(value)
    if isinstance(value, float) and not isfinite(value):
        return f"{value} is no number that can be used"
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return "it is too large a number"
    return ""


def _key_of(value: Any, data: Any) -> str:
    """The dotted key under which a value is found in data that is not nested too deeply."""
    if isinstance(data, dict):
        keys = {
            key: key if each is value or key is value else _key_of(value, each) for key, each in data.items()
        }
        found = ((key, at) for key, at in keys.items() if at)
        return next((key if at == key else f"{key}.{at}" for key, at in found), "")
    if isinstance(data, list):
        places = (str(place) if each is value else _key_of(value, each) for place, each in enumerate(data, 1))
        return next(filter(None, places), "")
    return ""


def unwritable(text: str) -> str:
    """Why text cannot be written down again: it has NUL or half a character (a lone surrogate) in it.

    Empty for text that can.
    """
    if "\0" in text:
        return f"{text!r} has a NUL in it"
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return f"{text!r} has half a character in it"
    return ""
