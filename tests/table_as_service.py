"""A table with nothing at it, run as a service runs it. A line that comes in hangs its loop.

python -m tests.table_as_service FOLDER
"""

import sys
import threading
from pathlib import Path
from unittest import mock

from tests.patience import unhurried_table
from uckers_table.config import Config
from uckers_table.devices.absent import NoButtons
from uckers_table.devices.base import Pressed
from uckers_table.table.running import run_table

INTERRUPTED = 130
"""The exit status of the command line then."""


class PressedByLine(NoButtons):
    """Buttons, one of which is pressed when a line comes in."""

    def listen(self, listener):
        threading.Thread(target=self._press, args=(listener,), daemon=True).start()

    def _press(self, listener):
        sys.stdin.readline()
        listener(Pressed("done"))


def hang(*_):
    """Never come back."""
    print("hung", flush=True)
    threading.Event().wait()


def main(folder):
    """Run until SIGTERM or SIGINT."""
    config = Config(
        **dict.fromkeys(("camera", "tower", "buttons", "display"), "none"),
        voice="silent",
        dice="buttons",
        record=folder,
        page_port=0,
        headless=True,
    )
    with (
        unhurried_table(),
        mock.patch("uckers_table.table.parts.NoButtons", PressedByLine),
        mock.patch("uckers_table.table.refereeing.Refereeing.deal_with", hang),
    ):
        try:
            run_table(config, out=sys.stdout)
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
