"""`uckers-table config`: what is in force, and from where; or the file that says what there is to choose."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from uckers_table.commands.options import add_config
from uckers_table.config import (
    OWN_FILE,
    Config,
    SimulatorConfig,
    default_file,
    found_config,
    line_of,
    load_config,
    with_own_settings,
)
from uckers_table.foreign.documents import text_of
from uckers_table.machine.files import is_there

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "config",
        help="show what is configured, and from where",
        description="Prints every setting in force with the line of the file that it is from. Without a file "
        "that is the machine's own, /etc/uckers-table.toml, if there is one. What the page has set counts "
        "over it.",
    )
    add_config(parser)
    parser.add_argument("--default", action="store_true", help="print the commented file to start from")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each setting")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the settings. The exit status."""
    return print_config(
        arguments.config, default=arguments.default, json_lines=arguments.json, out=sys.stdout
    )


class ConfigValue(NamedTuple):
    """A key, dotted where it is in a table, its value as a file would give it, and where that is from."""

    key: str
    value: str
    origin: str


def print_config(path: Path | None, *, default: bool, json_lines: bool, out: TextIO) -> int:
    """Print the settings in force, one a line, or with `default` the commented file to start from.

    ConfigError for a file that cannot be used. The exit status.
    """
    if default:
        out.write(default_file())
        return 0
    path = path or found_config()
    configured = load_config(path)
    config, trouble = with_own_settings(configured)
    if trouble:
        print(trouble, file=sys.stderr)
    own = configured.record / OWN_FILE
    settings = list(_settings(config, path, own if is_there(own) and not trouble else None))
    if json_lines:
        for setting in settings:
            print(json.dumps(setting._asdict(), ensure_ascii=False), file=out)
        return 0
    width = max(len(f"{setting.key} = {setting.value}") for setting in settings)
    for setting in settings:
        shown = f"{setting.key} = {setting.value}"
        print(f"{shown:<{width}}  # {setting.origin}", file=out)
    return 0


def _settings(config: Config, path: Path | None, own: Path | None) -> Iterator[ConfigValue]:
    """Each setting. `own` is the file of what the page has set, None where that does not count."""
    text = text_of(path) if path is not None else ""
    own_text = text_of(own) if own is not None else ""
    for key, value in _values(config):
        line = line_of(text, key)
        usual = dict(_values(Config())).get(key)
        own_line = line_of(own_text, key)
        if own_line is not None:
            origin = f"{own}:{own_line} (set on the page)"
        elif line is not None:
            origin = f"{path}:{line}"
        elif value != usual:
            # The one that depends on others: who reads the dice.
            origin = "follows from the devices that there are"
        else:
            origin = "default"
        yield ConfigValue(key, _as_toml(value), origin)


def _values(config: Config | SimulatorConfig, before: str = "") -> Iterator[tuple[str, Any]]:
    for known in fields(config):
        value = getattr(config, known.name)
        if isinstance(value, SimulatorConfig):
            yield from _values(value, f"{known.name}.")
        else:
            yield before + known.name, value


def _as_toml(value: Any) -> str:
    match value:
        case None:
            return "(not given)"
        case Mapping():
            inside = ", ".join(f"{key} = {_as_toml(each)}" for key, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case tuple():
            return json.dumps(list(value))
        case bool() | int() | float():
            return json.dumps(value)
        case _:
            return json.dumps(str(value), ensure_ascii=False)
