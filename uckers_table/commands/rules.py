"""What `uckers-table rules` prints and writes: the list, one set or two, as pages, as JSON, as a card."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from uckers_table.announce.card import card, differences_card
from uckers_table.announce.rules_in_words import (
    OWN_SET,
    Known,
    edition,
    known_sets,
    rule_differences,
    rule_lines,
)
from uckers_table.announce.rules_pages import differences_page, list_page, rules_page
from uckers_table.commands.options import add_record, record_of
from uckers_table.commands.printing import write_out
from uckers_table.errors import InputError, RecordError
from uckers_table.record.kept_rules import KeptRules, kept_rules

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

_WIDEST = 100
"""Longer rows are hard to read across."""


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "rules",
        help="rule sets in plain words: all, one, or what differs between two",
        description="No name: the list of sets. One: that set in plain words. Two: what differs.",
        epilog="A name is that of a set, of one that was kept on the page, or of a mess's own .toml file. "
        "Switches and options stand behind plus signs: br4006+var_c+var_g, mess.toml+exit_throw=1_or_6.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a rule set, also as in couk+var_a, or a .toml file"
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="a switch or an option on top of each",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument(
        "--card",
        type=Path,
        metavar="FILE.html",
        help="write the set as a page to print (A4); of two, what is different in the second",
    )
    add_record(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules, or write the card. The exit status."""
    kept = _kept(arguments)
    names = [_as_loaded(name, kept) for name in arguments.names]
    if arguments.card:
        write_card(names, arguments.option, arguments.card)
    else:
        print_rules(names, arguments.option, kept, json_lines=arguments.json, out=sys.stdout)
    return 0


def print_rules(
    names: Sequence[str],
    options: Sequence[str],
    kept: Sequence[KeptRules],
    *,
    json_lines: bool,
    out: TextIO,
) -> None:
    """The list, the set, or what differs between two sets, as wide as the terminal or 80 columns.

    A mess's own that are `kept` come first in the list. `options` are switched on in each set. InputError for
    names or options that there are not.
    """
    width = min(shutil.get_terminal_size((80, 24)).columns, _WIDEST)
    editions = [edition(name, options) for name in names]
    match editions:
        case []:
            sets = [*map(_as_known, kept), *known_sets()]
            data, page = [asdict(each) for each in sets], list_page(sets, width)
        case [one]:
            said = rule_lines(one)
            data, page = [asdict(line) for line in said], rules_page(one, said, width)
        case [left, right]:
            found = rule_differences(left, right)
            data, page = [asdict(each) for each in found], differences_page(left, right, found, width)
        case _:
            raise InputError(f"rules: {len(names)} names given; name one set, or two to compare them")
    out.write(_json_lines(data) if json_lines else page)


def write_card(names: Sequence[str], options: Sequence[str], file: Path) -> None:
    """One set as a page to print, or of two what is different in the second.

    InputError where it is neither one set nor two, or the file cannot be written.
    """
    match [edition(name, options) for name in names]:
        case [one]:
            page = card(one, rule_lines(one))
        case [left, right]:
            page = differences_card(left, right, rule_differences(left, right))
        case _:
            raise InputError("rules: --card is written for one rule set, or for two that differ: name them")
    write_out(file, page.encode("utf-8"))


def _kept(arguments: argparse.Namespace) -> tuple[KeptRules, ...]:
    """What is kept in the record. Where there is none, or none to be read, no set of ours waits for it."""
    try:
        return kept_rules(record_of(arguments))
    except (InputError, RecordError):
        if arguments.record is not None and not arguments.names:
            raise
        return ()


def _as_loaded(typed: str, kept: Iterable[KeptRules]) -> str:
    """A set that is kept, as `edition` takes it, with what stands behind its name; others as they are."""
    name, sign, added = typed.partition("+")
    own = next((each for each in kept if each.name.casefold() == name.casefold()), None)
    return f"{own.file}{sign}{added}" if own is not None else typed


def _as_known(kept: KeptRules) -> Known:
    if kept.trouble:
        return Known(kept.name, "cannot be read", 2, kept.trouble)
    one = edition(str(kept.file))
    return Known(kept.name, one.source, one.rules.dice_per_throw, OWN_SET)


def _json_lines(data: Iterable[Mapping[str, Any]]) -> str:
    return "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in data)
