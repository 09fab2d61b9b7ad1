"""Rule sets: small TOML files that give options their values.

A file names the set it lies on top of (`base`, optional), where its rules come from (`source`), and its
`options`. Sets that come with the program are found by name; anybody's own file by its path.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any

from uckers_table.errors import RulesError
from uckers_table.game.options import SWITCHES, RuleSet, Value, check_option

_FOLDER = files("uckers_table.game") / "rulesets"
_KEYS = {"base", "source", "options"}


def known_rules() -> tuple[str, ...]:
    """The names of the rule sets that come with the program."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    )


def load_rules(name: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """The rule set of that name, or in that `.toml` file, with single options changed.

    RulesError when there is no such set, option or value, or when options exclude each other.
    """
    values = _values_of(name, ())
    values |= _expanded(options or {}, f"options on {name}")
    rules = replace(RuleSet(name=Path(name).stem if name.endswith(".toml") else name), **values)
    _check_together(rules, name)
    return rules


def origin_of(name: str) -> tuple[str, str | None]:
    """Where a loadable set says its rules come from, and the set of ours it is or lies on, if any."""
    data = _read(name)
    if name in known_rules():
        below: str | None = name
    else:
        below = origin_of(str(data["base"]))[1] if "base" in data else None
    return str(data.get("source", "")), below


def _values_of(name: str, above: tuple[str, ...]) -> dict[str, Any]:
    """The options that a set and those below it give values to."""
    if name in above:
        raise RulesError(f"rule set {name!r} lies on top of itself: check 'base' in {' and '.join(above)}")
    data = _read(name)
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        raise RulesError(f"rule set {name!r}: key {unknown[0]!r} is none of {', '.join(sorted(_KEYS))}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RulesError(f"rule set {name!r}: 'options' must be a table")
    below = _values_of(str(data["base"]), (*above, name)) if "base" in data else {}
    return below | _expanded(options, f"rule set {name!r}")


def _read(name: str) -> dict[str, Any]:
    """What stands in a rule set's file."""
    try:
        if name.endswith(".toml"):
            return tomllib.loads(Path(name).read_text(encoding="utf-8"))
        if name in known_rules():
            return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(f"rule set {name}: cannot be read ({error.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesError(f"rule set {name}: is no TOML file ({error})") from None
    close = get_close_matches(name, known_rules(), 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise RulesError(f"there is no rule set {name!r}: {hint}known are {', '.join(known_rules())}")


def _expanded(options: Mapping[str, object], where: str) -> dict[str, Value]:
    """Options with the variations spelled out; a single option beats the variation that holds it."""
    checked = {name: check_option(name, value, where) for name, value in options.items()}
    values: dict[str, Value] = {}
    for name, value in checked.items():
        if name in SWITCHES and value:
            values |= SWITCHES[name]
    return values | {name: value for name, value in checked.items() if name not in SWITCHES}


def _check_together(rules: RuleSet, name: str) -> None:
    """Refuses options that exclude each other (RULES, below part 4)."""
    if rules.suckback and rules.home_exact != "exact":
        raise RulesError(
            f"{name}: suckback needs home_exact = 'exact' (VAR G, closing note), so var_g excludes var_d"
        )
