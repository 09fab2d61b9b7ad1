"""Rule sets: small TOML files that give options their values.

A file names the set it lies on top of (`base`, optional), where its rules come from (`source`), and its
`options`. Sets that come with the program are found by name; anybody's own file by its path, which in
`base` is taken from the folder of the file that names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from importlib.resources import files
from os.path import normpath
from pathlib import Path
from typing import Any, NamedTuple

from uckers_table.errors import RulesError
from uckers_table.foreign.documents import toml_from, toml_of
from uckers_table.foreign.words import as_typed
from uckers_table.game.fixed import FIXED
from uckers_table.game.options import COUNTED, OPTIONS, SWITCHES, RuleSet, Value

_FOLDER = files("uckers_table.game") / "rulesets"
_KEYS = {"base", "source", "options"}
_OF_THE_TABLE = {
    "arms": "an option of a scenario or a recording",
    "arm_length": "an option of a scenario or a recording",
    "doorstep_position": "an option of a scenario or a recording",
    "colour_order": "the key 'seats'",
    "player_count": "the key 'players'",
}
"""What belongs to the table and so to no rule set, and where it is said."""


class _Layer(NamedTuple):
    """The options that one file or one caller gives, and where they stand."""

    where: str
    options: Mapping[str, Value]


def known_rules() -> tuple[str, ...]:
    """The names of the rule sets that come with the program."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    )


def load_rules(name: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """The rule set of that name, or in that `.toml` file, with single options changed.

    What lies on top wins; in one layer a single option beats the variation that holds it. RulesError when
    there is no such set, option or value, or when options exclude each other.
    """
    layers = [*_layers(name, ()), _layer(f"options on {name}", options or {})]
    variations: dict[str, Value] = {}
    for layer in layers:
        variations |= {option: value for option, value in layer.options.items() if option in SWITCHES}
    switched_on = [variation for variation, is_on in variations.items() if is_on]
    values: dict[str, Any] = {}
    for layer in layers:
        values |= _spelled_out(layer, switched_on)
    rules = replace(RuleSet(name=Path(name).stem if name.endswith(".toml") else name), **values)
    _check_together(rules, switched_on, name)
    return rules


def origin_of(name: str) -> tuple[str, str | None]:
    """Where a loadable set says its rules come from, and the set of ours it is or lies on, if any."""
    data = _read(name)
    if name in known_rules():
        below: str | None = name
    else:
        below = origin_of(rules_beside(Path(name), str(data["base"])))[1] if "base" in data else None
    return str(data.get("source", "")), below


def on_ours(name: str, options: Mapping[str, object] | None = None) -> tuple[str, dict[str, Value]]:
    """The same rules as one of our sets, and every option that differs: a file may be changed, or go."""
    below = origin_of(name)[1] or "br4006"
    ours, theirs = load_rules(below), load_rules(name, options)
    return below, {
        option: getattr(theirs, option)
        for option in OPTIONS
        if getattr(theirs, option) != getattr(ours, option)
    }


def check_option(name: str, value: object, where: str) -> Value:
    """The value, if the option takes it; RulesError says what it does take."""
    if name in SWITCHES:
        allowed: tuple[Value, ...] = (True, False)
    elif name in OPTIONS:
        allowed = OPTIONS[name]
    else:
        raise RulesError(f"{where}: {_no_such_option(name)}")
    for one in allowed:
        # 1 == True in Python, and a rule set that writes 1 for true is not what it means to be.
        if type(one) is type(value) and one == value:
            return one
    if name in COUNTED and type(value) is int and value > int(allowed[-1]):
        return value
    *most, last = [*map(as_typed, allowed), *(["any number above"] if name in COUNTED else [])]
    listed = " or ".join(filter(None, (", ".join(most), last)))
    raise RulesError(f"{where}: {name} cannot be {as_typed(value)}; it is {listed}")


def goes_with(rules: RuleSet, option: str, value: Value, variations: Sequence[str] = ()) -> bool:
    """Whether an option can have a value beside the others of a rule set, which has these variations on."""
    changed: Mapping[str, Any] = _spelled_out(_Layer("", {option: value}), [])
    try:
        _check_together(replace(rules, **changed), list(variations), "")
    except RulesError:
        return False
    return True


def _no_such_option(name: str) -> str:
    """Why a rule set cannot give that name a value."""
    if name in FIXED:
        fixed = FIXED[name]
        return f"{name} is no switch, it is always so: {fixed.value} ({fixed.says.rstrip('.')})"
    if name in _OF_THE_TABLE:
        return f"{name} belongs to the table, not to a rule set: it is {_OF_THE_TABLE[name]}"
    close = get_close_matches(name, [*OPTIONS, *SWITCHES, *FIXED], 1)
    hint = f": did you mean {close[0]!r}?" if close else ""
    return f"there is no option {name!r}{hint}"


def _layers(name: str, above: tuple[str, ...]) -> list[_Layer]:
    """A set and those below it, the lowest first."""
    if name in above:
        raise RulesError(f"rule set {name!r} lies on top of itself: check 'base' in {' and '.join(above)}")
    where = f"rule set {name!r}"
    data = _read(name)
    unknown = sorted(set(data) - _KEYS)
    if unknown:
        raise RulesError(f"{where}: key {unknown[0]!r} is none of {', '.join(sorted(_KEYS))}")
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RulesError(f"{where}: 'options' must be a table")
    top = _layer(where, options)
    if "base" not in data:
        return [top]
    base = data["base"]
    if not isinstance(base, str):
        raise RulesError(f"{where}: 'base' must be the name of a rule set, not {as_typed(base)}")
    try:
        return [*_layers(rules_beside(Path(name), base), (*above, name)), top]
    except RulesError as error:
        raise error if not name.endswith(".toml") else RulesError(f"{where}, 'base': {error}") from None


def rules_beside(file: Path, name: str) -> str:
    """A rule set as a file names it: `.toml` paths are taken from the file's folder."""
    return normpath(file.parent / name) if name.endswith(".toml") else name


def _read(name: str) -> dict[str, Any]:
    """What stands in a rule set's file."""
    try:
        if name.endswith(".toml"):
            return toml_of(Path(name))
        if name in known_rules():
            return toml_from((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    except OSError as error:
        raise RulesError(f"rule set {name}: cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise RulesError(f"rule set {name}: is no TOML file ({error})") from None
    close = get_close_matches(name, known_rules(), 1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise RulesError(f"there is no rule set {name!r}: {hint}known are {', '.join(known_rules())}")


def _layer(where: str, options: Mapping[str, object]) -> _Layer:
    """Options with their values checked."""
    return _Layer(where, {name: check_option(name, value, where) for name, value in options.items()})


def _spelled_out(layer: _Layer, switched_on: list[str]) -> dict[str, Value]:
    """A layer's options with the variations spelled out; one that a layer above switches off is left out."""
    values: dict[str, Value] = {}
    for name, value in layer.options.items():
        if name in switched_on and value:
            values |= SWITCHES[name]
    single = {name: value for name, value in layer.options.items() if name not in SWITCHES}
    if single.get("suckback_miss") == "advance":
        # A piece that goes on after a miss has left the square it called from.
        values["suckback_attempts"] = 1
    return values | single


def _check_together(rules: RuleSet, switched_on: list[str], name: str) -> None:
    """Refuses options that exclude each other (RULES, below part 4)."""
    if switched_on and rules.dice_per_throw != 2:
        raise RulesError(
            f"{name}: {switched_on[0]} is a variation of rules with two dice, and here dice_per_throw = 1"
        )
    if rules.suckback and rules.home_exact != "exact":
        raise RulesError(
            f"{name}: suckback needs home_exact = 'exact' (VAR G, closing note), so var_g excludes var_d"
        )
    if rules.suckback_miss == "advance" and rules.suckback_attempts != 1:
        raise RulesError(
            f"{name}: suckback_miss = 'advance' moves the piece off its square, so suckback_attempts is 1, "
            f"not {rules.suckback_attempts!r} (SUCK o2, WIKI wafu1; ruling A61)"
        )
    if rules.challenge_double_six_spare and rules.extra_for_double_six != 2:
        raise RulesError(
            f"{name}: challenge_double_six_spare needs extra_for_double_six = 2 (var_f): the spare is the "
            "second throw that a double six earns"
        )
    if rules.throw_off_winner_chooses and rules.throw_off_counts_as_turn:
        raise RulesError(
            f"{name}: throw_off_winner_chooses needs throw_off_counts_as_turn = false: else he has no time to"
        )
    if rules.suckback_both_dice and rules.suckback_dice == "one":
        raise RulesError(
            f"{name}: suckback_both_dice needs suckback_dice = 'two': with one die there is no other"
        )
    if rules.hex6_teams == "two_threes" and rules.partner_seats == "none":
        raise RulesError(
            f"{name}: hex6_teams = 'two_threes' makes teams, and partner_seats = 'none' has none"
        )
