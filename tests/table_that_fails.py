"""A table with a page, one part of which ends its start, or breaks, as long as a file says so.

    python -m tests.table_that_fails FOLDER PORT

FOLDER/fault holds the part ("match", "camera", "frame", "tower") and how it fails: "segv" and "exit" end the
process at once, "raise" is an error of no kind that anybody expects. It prints each part that is tried, and
each title that the display shows.
"""

import faulthandler
import os
import signal
import sys
import time
from pathlib import Path
from unittest import mock

import numpy as np

from tests.patience import unhurried_table
from uckers_table.announce.oled import draw
from uckers_table.config import Config
from uckers_table.devices.absent import NoTower
from uckers_table.devices.base import Frame
from uckers_table.keeping.resume import pick_up
from uckers_table.table.running import run_table


def tried(folder, part):
    """Say that a part is tried; it fails if it is to."""
    print("tried", part, flush=True)
    fault = folder / "fault"
    wanted, how = fault.read_text().split() if fault.exists() else ("", "")
    if wanted != part:
        return
    if how == "raise":
        raise RuntimeError(f"the {part} broke")
    if how == "exit":
        os._exit(9)
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)


class Camera:
    """A camera whose first frame may be its last."""

    name, waits = "camera", False

    def __init__(self, folder):
        tried(folder, "camera")
        self._folder, self._frames = folder, 0

    def read(self):
        if not self._frames:
            tried(self._folder, "frame")
        self._frames += 1
        time.sleep(0.05)
        return Frame(float(self._frames), np.zeros((8, 8, 3), np.uint8))

    def close(self):
        pass


def main(folder, port):
    """Run until SIGTERM."""
    config = Config(
        **dict.fromkeys(("buttons", "display"), "none"),
        camera="webcam",
        tower="serial",
        voice="silent",
        record=folder,
        page_port=port,
        headless=True,
    )

    def tower(config):
        tried(folder, "tower")
        return NoTower()

    def match(record, *rest):
        tried(folder, "match")
        return pick_up(record, *rest)

    def shown(screen):
        print("shown", getattr(screen, "title", ""), flush=True)
        return draw(screen)

    with (
        unhurried_table(),
        mock.patch("uckers_table.table.parts._camera", lambda *_: Camera(folder)),
        mock.patch("uckers_table.table.parts._tower", tower),
        mock.patch("uckers_table.table.old_matches.pick_up", match),
        mock.patch("uckers_table.table.left_out.pick_up", match),
        mock.patch("uckers_table.table.screens.draw", shown),
        mock.patch("uckers_table.devices.awaited._Awaited.__init__.__kwdefaults__", {"retry_s": 0.05}),
    ):
        sys.exit(run_table(config, out=sys.stdout))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
