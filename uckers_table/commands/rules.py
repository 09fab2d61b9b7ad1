"""What `uckers-table rules` prints and writes: the list, one set or two, as pages, as JSON, as a card."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from uckers_table.announce.card import card
from uckers_table.announce.rules_in_words import differences, edition, known_sets, lines
from uckers_table.announce.rules_pages import differences_page, list_page, rules_page
from uckers_table.errors import InputError

_WIDEST = 100
"""Longer rows are hard to read across."""


def print_rules(names: Sequence[str], options: Sequence[str], *, json_lines: bool, out: TextIO) -> None:
    """The list, the set, or what differs between two sets, as wide as the terminal or 80 columns.

    `options` are switched on in each set. InputError for names or options that there are not.
    """
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    editions = [edition(name, options) for name in names]
    match editions:
        case []:
            sets = known_sets()
            data, page = [asdict(each) for each in sets], list_page(sets, width)
        case [one]:
            said = lines(one)
            data, page = [asdict(line) for line in said], rules_page(one, said, width)
        case [left, right]:
            found = differences(left, right)
            data, page = [asdict(each) for each in found], differences_page(left, right, found, width)
        case _:
            raise InputError(f"rules: {len(names)} names given; name one set, or two to compare them")
    out.write(_json_lines(data) if json_lines else page)


def write_card(names: Sequence[str], options: Sequence[str], file: Path) -> None:
    """One set as a page to print. InputError where it is not one set or the file cannot be written."""
    if len(names) != 1:
        raise InputError("rules: --card is written for one rule set: give one name with it")
    chosen = edition(names[0], options)
    page = card(chosen, lines(chosen))
    try:
        file.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file}: cannot be written ({error.strerror})") from None


def _json_lines(data: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in data)
