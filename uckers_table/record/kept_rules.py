"""Rules that a mess keeps by a name: a rule file each, in a folder of the record.

`rules/NAME.toml` is such a file as anybody may write (docs/rules.md). It lies on a set of this program, never
on another that is kept: none of them changes, or is lost, with another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from uckers_table.errors import InputError, RulesError
from uckers_table.game.options import Value
from uckers_table.game.rules import known_rules, load_rules, on_ours
from uckers_table.machine.files import is_missing, make_folder, not_given, refusals_said, remove, write_whole

KEPT_RULES = "rules"
"""The folder, in the record's."""
MOST_LETTERS = 40
"""Of a name. In any alphabet the file's name is shorter than the 255 bytes that a folder takes."""
MOST_KEPT = 100
_ENDING = ".toml"
_NO_PART_OF_A_NAME = "/\\+"
"""A path's signs, and the one behind which people type a variation."""
_HEAD = "# Rules that were kept on the page. `uckers-table rules` says them in words."


@dataclass(frozen=True)
class KeptRules:
    """A set that is kept. `trouble` says in a line why it cannot be played; empty if it can."""

    name: str
    file: Path
    trouble: str


def kept_files(record: Path) -> dict[str, Path]:
    """The files by the sets' names, in the order of these. UnreadError where the card does not give them."""
    folder = record / KEPT_RULES
    try:
        files = [each for each in folder.iterdir() if is_of_kept_rules(f"{KEPT_RULES}/{each.name}")]
    except OSError as error:
        if is_missing(error):
            return {}
        raise not_given(folder, error) from None
    return {each.stem: each for each in sorted(files, key=lambda file: file.stem.casefold())}


def is_of_kept_rules(file: str) -> bool:
    """Whether a path, relative to a record, is that of a set that is kept."""
    folder, _, name = file.partition("/")
    stem = name.removesuffix(_ENDING)
    return folder == KEPT_RULES and stem != name and not _why_no_name(stem)


def kept_rules(record: Path) -> tuple[KeptRules, ...]:
    """The sets that are kept, each tried. UnreadError where the card does not give them."""
    return tuple(KeptRules(name, file, _trouble(file)) for name, file in kept_files(record).items())


def keep_rules(
    record: Path, name: str, rules: str, options: Mapping[str, Value], *, replaces: bool = False
) -> str:
    """Keep a loadable set, with options changed, by a name. The name as it is kept.

    InputError for a name that is none, or is taken and not to be replaced. InputError for rules that there
    are not. RecordError where the card does not take it. Nothing has changed then.
    """
    name = _name(name)
    if _key(name) in map(_key, known_rules()):
        raise InputError(f"“{name}” is a set that comes with the program; give yours another name")
    load_rules(rules, options)
    base, differing = (rules, options) if rules in known_rules() else on_ours(rules, options)
    before = kept_files(record)
    same = [each for each in before if _key(each) == _key(name)]
    if same and not replaces:
        raise InputError(f"“{same[0]}” is kept already; it is replaced if you say so")
    if not same and len(before) >= MOST_KEPT:
        raise InputError(f"{MOST_KEPT} sets of rules are kept, which is as many as can be; take one away")
    lines = [_HEAD, f"base = {json.dumps(base)}", "", "[options]"]
    lines += [f"{option} = {json.dumps(value)}" for option, value in differing.items()]
    file = record / KEPT_RULES / f"{name}{_ENDING}"
    with refusals_said(file.parent, f"“{name}” cannot be kept"):
        make_folder(file.parent)
        write_whole(file, "\n".join(lines) + "\n")
        for each in same:
            # In other letters, large or small, it is another file.
            if each != name:
                remove(before[each])
    return name


def take_rules_away(record: Path, name: str) -> None:
    """Keep a set no longer. InputError where none has that name, RecordError where the card keeps it."""
    file = kept_files(record).get(name)
    if file is None:
        raise InputError(f"“{name}” is not kept any more")
    with refusals_said(file, f"“{name}” cannot be taken away"):
        remove(file)


def _name(text: str) -> str:
    """A name in the one way in which it is written; InputError where it is none."""
    name = " ".join(normalize("NFC", text).split())
    if why := _why_no_name(name):
        raise InputError(why)
    return name


def _why_no_name(name: str) -> str:
    if not name or len(name) > MOST_LETTERS:
        return f"a name has 1 to {MOST_LETTERS} letters"
    if not name.isprintable() or name.startswith(".") or any(sign in name for sign in _NO_PART_OF_A_NAME):
        return "a name is letters, figures and signs in a line, without /, \\ and +, and begins with no dot"
    return ""


def _key(name: str) -> str:
    """What two names have in common that people would take for one."""
    return name.casefold().replace("_", " ")


def _trouble(file: Path) -> str:
    try:
        load_rules(str(file))
    except RulesError as error:
        return str(error)
    return ""
