"""What was measured: a table for people, and files for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tools.reader.figures import CONFIDENCES, Figures

ERRORS = (
    "# How the board reader errs. tools/reader wrote this file; its README.md says what each key means.\n"
)
SURENESS = "# How sure the board reader may say it is. tools/reader wrote this file; see its README.md.\n"
"""The first lines of the files."""


def for_people(ordinary: Figures, everything: Figures, with_hard: bool) -> str:
    """The table: ordinary tables, and all beside them if some are hard. A dash is what was not measured."""
    lifts = _of(ordinary, "lifts", "elsewhere")
    if with_hard:
        lifts += f" / {_of(everything, 'lifts', 'elsewhere', but=ordinary)}"
    rows = [
        ("ordinary boards wrong at the first look", _of(ordinary, "boards", "wrong_at_first"), ""),
        _row("pairs of readings that differ by exactly an illegal move", _pairs, ordinary, everything),
        ("a lifted piece put elsewhere, ordinary / hard", lifts, ""),
        _row("stacks at home read right", lambda f: _right(f, "home_stack"), ordinary, everything),
        _row("leaning dice that are a good throw, or nothing", _leaning, ordinary, everything),
        _row("said over 0.99 and right", _sure, ordinary, everything),
        _row("readings a minute, trembling 0.3 px / firm with shadows", _readings, ordinary, everything),
        _row("flat dice right", lambda f: _right(f, "die"), ordinary, everything),
    ]
    if not with_hard:
        rows = [(name, value, "") for name, value, _ in rows]
    rows.insert(0, ("", "ordinary", "all tables" if with_hard else ""))
    wide, middle = (max(len(row[n]) for row in rows) for n in (0, 1))
    return "\n".join(f"{name:{wide}}  {value:{middle}}  {both}".rstrip() for name, value, both in rows)


def _row(name: str, said: Any, ordinary: Figures, everything: Figures) -> tuple[str, str, str]:
    return name, said(ordinary), said(everything)


def _of(figures: Figures, part: str, what: str, but: Figures | None = None) -> str:
    if part not in figures:
        return "-"
    less = (but or {}).get(part, {})
    return f"{figures[part][what] - less.get(what, 0)} of {figures[part]['of'] - less.get('of', 0)}"


def _pairs(figures: Figures) -> str:
    return (
        f"{figures['likeness']['illegal']} of {figures['likeness']['pairs']}"
        if "likeness" in figures
        else "-"
    )


def _wrong_of(figures: Figures, thing: str) -> tuple[int, int]:
    ways = figures[thing].values()
    return sum(way["wrong"] for way in ways), max(way["of"] for way in ways)


def _right(figures: Figures, thing: str) -> str:
    if thing not in figures:
        return "-"
    wrong, of = _wrong_of(figures, thing)
    return f"{of - wrong} of {of}"


def _leaning(figures: Figures) -> str:
    return "{} of {}".format(*_wrong_of(figures, "cocked")) if "cocked" in figures else "-"


def _sure(figures: Figures) -> str:
    if "sureness" not in figures:
        return "-"
    bins, first = figures["sureness"]["confidence"], CONFIDENCES.index(0.99)
    return f"{sum(bins['right'][first:])} of {sum(bins['said'][first:])}"


def _readings(figures: Figures) -> str:
    if "live" not in figures:
        return "-"
    said = []
    for camera in ("trembling", "firm"):
        readings, seconds = (figures["live"][camera][key] for key in ("readings", "seconds"))
        rate = f"{60 * readings / seconds:.1f}" if seconds else "-"
        said.append(f"{rate} ({readings} in {seconds} s)")
    return " / ".join(said)


def toml(head: str, tables: Mapping[str, Figures]) -> str:
    """A file: each table with its own, and one line for each innermost table."""
    return head + "".join(_tables(name, figures) for name, figures in tables.items())


def _tables(name: str, figures: Figures) -> str:
    depth = name.count(".")
    own = {
        key: value
        for key, value in figures.items()
        if not isinstance(value, dict) or (depth and all(_is_plain(each) for each in value.values()))
    }
    lines = [f"{key} = {_value(value)}\n" for key, value in own.items()]
    head = f"\n[{name}]\n" if lines else ""
    inner = (_tables(f"{name}.{key}", value) for key, value in figures.items() if key not in own)
    return head + "".join(lines) + "".join(inner)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, dict)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return str(value)
