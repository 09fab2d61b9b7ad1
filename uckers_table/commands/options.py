"""Options that several verbs share, and what they mean."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from uckers_table.config import MACHINE_FILE, Config, found_config, load_config
from uckers_table.errors import InputError
from uckers_table.machine.files import is_folder
from uckers_table.machine.owner import become_owner

if TYPE_CHECKING:
    Verbs: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]
    """Where a verb adds itself to the command line."""


def add_config(parser: argparse.ArgumentParser) -> None:
    """`--config`: the table's configuration."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"the table's configuration (default: {MACHINE_FILE}, if it is there)",
    )


def config_of(arguments: argparse.Namespace) -> Config:
    """The configuration that is named, or the machine's own. ConfigError where it cannot be used."""
    return load_config(arguments.config or found_config())


def add_record(parser: argparse.ArgumentParser) -> None:
    """`--record`: where the matches are kept."""
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="the record (default: the one that the configuration names)",
    )


def record_of(arguments: argparse.Namespace) -> Path:
    """The record that is named, or the configuration's, to be read; InputError where that is no folder."""
    record = _named_record(arguments)
    if not is_folder(record):
        raise InputError(f"{record}: there is no record here; name its folder with --record")
    return record


def own_record_of(arguments: argparse.Namespace) -> Path:
    """The same, for a verb that writes in it, and may begin it: root goes on as its user."""
    record = _named_record(arguments)
    become_owner(record)
    return record


def _named_record(arguments: argparse.Namespace) -> Path:
    given: Path | None = arguments.record
    return given if given is not None else load_config(found_config()).record


def add_loudness(parser: argparse.ArgumentParser) -> None:
    """`--loudness`: how much is said."""
    parser.add_argument(
        "--loudness",
        choices=("quiet", "calls", "chatty"),
        default="calls",
        help="how much is said and shown; what is ruled is the same",
    )


def add_referee(parser: argparse.ArgumentParser) -> None:
    """`--referee belief`: there is one referee, and scripts may still name it."""
    parser.add_argument("--referee", choices=("belief",), help=argparse.SUPPRESS)
