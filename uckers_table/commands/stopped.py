"""`uckers-table stopped`: says on the display that the referee has failed, when its service is no more.

People at the table have nothing else that would tell them, and a panel goes on showing whose throw it was.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from uckers_table.announce.oled import draw
from uckers_table.commands.options import add_config
from uckers_table.config import Config, found_config, load_config, with_own_settings
from uckers_table.devices.base import ignore
from uckers_table.errors import InputError
from uckers_table.machine.clock import WallClock
from uckers_table.machine.messages import Message
from uckers_table.machine.starts import ANEW, blame_the_last, starts_kept_in
from uckers_table.table.parts import check_config, openers

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

STOPPED = Message("REFEREE STOPPED", "It starts again by itself, and goes on with the match.")
NOT_STARTED = "NOT STARTED"


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("stopped", help="say on the display that the referee has failed")
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Say so on the display. The exit status."""
    return show_stopped(arguments.config, os.environ)


def show_stopped(path: Path | None, environment: Mapping[str, str]) -> int:
    """Say so on the display, and to the next start, unless the service manager's `environment` has it that
    all went well.

    What is wrong with the configuration in `path` is said itself, on the display that is usual. DeviceError
    where there is no display. The exit status.
    """
    if environment.get("SERVICE_RESULT") == "success" or environment.get("EXIT_STATUS") == str(ANEW):
        return 0
    config, notice = Config(), STOPPED
    try:
        config = load_config(path or found_config())
        check_config(config, path)
        config, _ = with_own_settings(config)
        blame_the_last(starts_kept_in(config.record, environment), environment)
    except InputError as error:
        # Without its folders, for which there is no room.
        name = path.name if path is not None else ""
        notice = Message(NOT_STARTED, str(error).replace(str(path), name))
    with closing(openers(config, None, WallClock(), ignore).display()) as display:
        display.show(draw(notice), stays=True)
    return 0
