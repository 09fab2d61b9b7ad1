"""Rule sets on plain paper: the list, one set, two side by side. Plain text; nothing here knows a rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from textwrap import TextWrapper

from uckers_table.announce.rules_in_words import Difference, Edition, Known, RuleLine, book, rule_warnings

_SOURCE_WIDTH = 22
"""Columns that hold "[silent; ruling A48]", and most longer sources on two rows."""
_NARROW = 60
"""Below this many columns a source stands behind its line instead of in a column of its own."""
_GAP = "  "
_BULLET = "- "


def list_page(sets: Iterable[Known], width: int) -> str:
    """Each set's name, its dice, where it comes from and what it is known by."""
    rows = []
    for each in sets:
        dice = "one die" if each.dice == 1 else "two dice"
        rows += [each.name, *_wrapped(f"{each.source}; {dice}. {each.known_by}", width, "    ", "    "), ""]
    switches = (
        "On top of any with two dice: the variations var_a to var_g of BR 4006, as in br4006+var_c+var_g."
    )
    return _page([*rows, *_wrapped(switches, width)])


def rules_page(edition: Edition, lines: Sequence[RuleLine], width: int) -> str:
    """One set, section by section, each line with its source."""
    rows = [
        edition.name,
        "=" * len(edition.name),
        *_wrapped(edition.source, width),
        *_wrapped(edition.known_by, width),
        *_wrapped(_minded(edition), width),
    ]
    for section, group in groupby(lines, lambda line: line.section):
        rows += ["", section.upper()]
        for line in group:
            rows += _with_source(line, width)
    return _page([*rows, "", *_wrapped(legend(line.source for line in lines), width)])


def differences_page(left: Edition, right: Edition, found: Sequence[Difference], width: int) -> str:
    """Two sets side by side, only where they differ."""
    if not found:
        return _page(_wrapped(f"{left.name} and {right.name} are played alike.", width))
    rows = [
        *_side_by_side(left.name, right.name, width),
        *_side_by_side(left.source, right.source, width),
        *_side_by_side(_minded(left), _minded(right), width),
    ]
    for section, group in groupby(found, lambda difference: difference.section):
        rows += ["", section.upper()]
        for number, each in enumerate(group):
            rows += [""] * (number > 0)
            rows += _side_by_side(_cell(each.left), _cell(each.right), width)
    sources = (line.source for each in found for line in (each.left, each.right) if line)
    return _page([*rows, "", *_wrapped(legend(sources), width)])


def legend(sources: Iterable[str]) -> str:
    """What the short names in some sources stand for."""
    words = {word.strip(",;") for source in sources for word in source.split()}
    named = [f"{short}: {text}" for short, text in book().text_names.items() if short in words]
    silent = ["silent: the set's own texts say nothing of it"] * ("silent" in words)
    ruling = ["ruling A..: how this referee then rules"] * ("ruling" in words)
    return "; ".join([*named, *silent, *ruling]) + "."


def _with_source(line: RuleLine, width: int) -> Iterator[str]:
    if width < _NARROW:
        yield from _bulleted(_cell(line), width)
        return
    column = width - _SOURCE_WIDTH - len(_GAP)
    left, right = _bulleted(line.text, column), _wrapped(f"[{line.source}]", _SOURCE_WIDTH)
    for text, source in zip_longest(left, right, fillvalue=""):
        yield f"{text:<{column}}{_GAP}{source}".rstrip()


def _minded(edition: Edition) -> str:
    return " ".join(f"Mind: {each}" for each in rule_warnings(edition.rules))


def _cell(line: RuleLine | None) -> str:
    return f"{line.text} [{line.source}]" if line else "-"


def _side_by_side(left: str, right: str, width: int) -> Iterator[str]:
    column = (width - 2 * len(_GAP)) // 2
    for one, other in zip_longest(_wrapped(left, column), _wrapped(right, column), fillvalue=""):
        yield f"{one:<{column}}{2 * _GAP}{other}".rstrip()


def _bulleted(text: str, width: int) -> list[str]:
    return _wrapped(text, width, _BULLET, " " * len(_BULLET))


def _wrapped(text: str, width: int, first: str = "", later: str = "") -> list[str]:
    return TextWrapper(width, initial_indent=first, subsequent_indent=later, break_on_hyphens=False).wrap(
        text
    )


def _page(rows: Iterable[str]) -> str:
    return "\n".join(rows) + "\n"
