"""Rule sets as people type them: a name or a file, with switches and options behind plus signs.

br4006+var_c+var_g     BR 4006 with two of its variations
wafu+home_exact=bounce a single option changed
mess.toml+var_a        a mess's own file, and one more
"""

from __future__ import annotations

from collections.abc import Sequence

from uckers_table.foreign.documents import toml_from
from uckers_table.game.options import OPTIONS


def typed_rules(text: str, options: Sequence[str] = ()) -> tuple[str, dict[str, object]]:
    """The name of a rule set and the options changed on it, as `load_rules` and `load_setting` take them.

    `options` are further ones, each `switch` or `option=value`; the last one said holds. Whether they
    exist is for those functions to say.
    """
    # A plus sign may be part of a file's name.
    file, ending, rest = text.partition(".toml")
    name, *added = (rest if ending else file).split("+")
    return (f"{file}.toml{name}" if ending else name), dict(map(typed_option, (*added, *options)))


def typed_option(text: str) -> tuple[str, object]:
    """An option and its value; a bare name switches on.

    >>> typed_option("var_c"), typed_option("suckback_attempts=2"), typed_option("exit_throw=6")
    (('var_c', True), ('suckback_attempts', 2), ('exit_throw', '6'))
    """
    name, given, value = text.partition("=")
    if not given:
        return name, True
    for allowed in OPTIONS.get(name, ()):
        if value == _as_typed(allowed):
            return name, allowed
    try:
        return name, toml_from(f"value = {value}")["value"]
    except ValueError:
        return name, value


def _as_typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
