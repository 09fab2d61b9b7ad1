"""Reads a TOML file into dataclasses, strictly: every key is known, and none is missing.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True)
... class Mug:
...     height_mm: float
...     paint: tuple[int, int, int]
>>> built(Mug, {"height_mm": 92, "paint": "navy"}, {"navy": [30, 38, 66]})
Mug(height_mm=92.0, paint=(30, 38, 66))
>>> built(Mug, {"height_mm": 92, "pant": [30, 38, 66]})
Traceback (most recent call last):
...
uckers_table.errors.InputError: key 'pant' is unknown; did you mean 'paint'?
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from uckers_table.errors import InputError

Kind = TypeVar("Kind")
_NAMES = {float: "a number", int: "a whole number", str: "a word in quotes", bool: "true or false"}


def load(path: Path, kind: type[Kind], words: Mapping[str, Any] | None = None) -> Kind:
    """The file as a dataclass. Where it may have a list, it may have one of `words` that stands for one.

    InputError names the file and the key in one line.
    """
    try:
        return built(kind, tomllib.loads(path.read_text(encoding="utf-8")), words)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: not TOML ({error})") from None
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def built(kind: type[Kind], data: Any, words: Mapping[str, Any] | None = None) -> Kind:
    """A value of a type, from what TOML has for it. InputError names the key, dotted."""
    value: Kind = _built(kind, data, "", words or {})
    return value


def _built(kind: Any, data: Any, key: str, words: Mapping[str, Any]) -> Any:
    if is_dataclass(kind):
        return _dataclass(kind, data, key, words)
    origin, args = get_origin(kind), get_args(kind)
    if origin is Literal:
        if data not in args:
            raise InputError(f"{_named(key)} is {data!r}; known are {', '.join(args)}")
        return data
    if origin is tuple:
        return _tuple(args, data, key, words)
    if origin is dict:
        if not isinstance(data, dict):
            raise InputError(f"{_named(key)} is {data!r}; it is a table of keys")
        return {name: _built(args[1], value, _dotted(key, name), words) for name, value in data.items()}
    if origin is UnionType:
        # Of a number or a list, the one that is there.
        is_list = isinstance(data, list)
        return _built(next(arg for arg in args if (get_origin(arg) is tuple) == is_list), data, key, words)
    is_number = kind is float and type(data) is int
    if type(data) is not kind and not is_number:
        raise InputError(f"{_named(key)} is {data!r}; it is {_NAMES[kind]}")
    return kind(data)


def _dataclass(kind: Any, data: Any, key: str, words: Mapping[str, Any]) -> Any:
    if not isinstance(data, dict):
        raise InputError(f"{_named(key)} is {data!r}; it is a table of keys")
    known = {field.name: field for field in fields(kind)}
    for name in data:
        if name not in known:
            near = get_close_matches(name, known, 1)
            tip = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
            raise InputError(f"{_named(_dotted(key, name))} is unknown; {tip}")
    for name, field in known.items():
        if name not in data and field.default is MISSING and field.default_factory is MISSING:
            raise InputError(f"{_named(_dotted(key, name))} is missing")
    types = get_type_hints(kind)
    return kind(**{n: _built(types[n], value, _dotted(key, n), words) for n, value in data.items()})


def _tuple(args: tuple[Any, ...], data: Any, key: str, words: Mapping[str, Any]) -> Any:
    if isinstance(data, str):
        if data not in words:
            known = f"; known are {', '.join(words)}" if words else "; it is a list"
            raise InputError(f"{_named(key)} is {data!r}{known}")
        data = words[data]
    if not isinstance(data, list | tuple):
        raise InputError(f"{_named(key)} is {data!r}; it is a list")
    if args[-1] is Ellipsis:
        args = (args[0],) * len(data)
    if len(data) != len(args):
        raise InputError(f"{_named(key)} has {len(data)} values; it has {len(args)}")
    pairs = zip(args, data, strict=True)
    return tuple(_built(arg, value, f"{key}[{n}]", words) for n, (arg, value) in enumerate(pairs, 1))


def _dotted(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _named(key: str) -> str:
    return f"key '{key}'" if key else "the file"
