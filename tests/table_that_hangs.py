"""`uckers-table run` at a table where one thing hangs for ever; then it is told to end.

    python -m tests.table_that_hangs CONFIG WHAT HOW

WHAT is a name in WORK, or "voice", whose program hangs. HOW is "switch_off", "start_anew" or "TERM". It is
told once the thing hangs. FOLDER/voice-hangs, beside CONFIG, is what the voice's program makes.
"""

import http.client
import os
import signal
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import numpy as np

from tests.patience import until
from uckers_table.commands.cli import main
from uckers_table.config import load_config
from uckers_table.devices.absent import NoButtons, NoDisplay
from uckers_table.devices.base import Frame
from uckers_table.errors import DeviceError
from uckers_table.table.news import Asked
from uckers_table.web.commands import Backup, Choose, Examine, StartAnew, SwitchOff, TakePicture, TryAgain

WORK = {
    "backup": ("uckers_table.keeping.backing_up.backup", Backup()),
    "examination": ("uckers_table.table.bench.examine_running", Examine()),
    "old match": ("uckers_table.table.left_out.pick_up", TryAgain("match")),
    "rebuilding": ("uckers_table.keeping.rebuilding.rebuild", None),
    "calibration": ("uckers_table.table.calibrating.find_board", TakePicture("empty")),
    "frame": (f"{__name__}.Camera.read", None),
    "health": ("uckers_table.machine.health.read_health", None),
    "opening": ("uckers_table.table.reopening.openers", Choose({"volume": 40})),
    "looking": (f"{__name__}.opened_later", None),
    "closing": (f"{__name__}.Closing.close", None),
    "answer": ("uckers_table.record.library.Library.matches", None),
}
"""What hangs, by the function that never comes back, and what somebody asks for before it is called."""
HOW = {"switch_off": SwitchOff(), "start_anew": StartAnew()}
SHORT_S = 0.5
"""How long is waited for what hangs. The product waits for four seconds, and so would each of these tests."""

PACE_S = 0.01
"""Between two frames."""

HUNG, OVER = threading.Event(), threading.Event()


def hang(*_, **__):
    """Never come back; say that it is so."""
    HUNG.set()
    OVER.wait()


class Camera:
    """A camera whose frames show nothing."""

    name, waits = "camera", False
    frames = 0

    def read(self):
        time.sleep(PACE_S)
        self.frames += 1
        return Frame(self.frames * PACE_S, np.zeros((8, 8, 3), np.uint8))

    def close(self):
        pass


class Closing(NoDisplay):
    """A display; it hangs while it closes."""

    def close(self):
        pass


def opened_later(*_):
    """A display that is not there at first; it hangs when it is looked for."""


class Box(NoButtons):
    """Buttons, whose thread has something begin that hangs, and then has the table end."""

    def __init__(self, what, how, folder, port):
        self._what, self._how, self._folder, self._port = what, how, folder, port

    def listen(self, listener):
        threading.Thread(target=self._go, args=(listener,), daemon=True).start()

    def _go(self, listener):
        command = WORK[self._what][1] if self._what in WORK else None
        if command is not None:
            asked = Asked(command)
            listener(asked)
            assert asked.answer.result().is_done, asked.answer.result()
        if self._what == "answer":
            line = http.client.HTTPConnection("127.0.0.1", self._port)
            line.request("GET", "/api/matches")
        if self._what == "voice":
            until((self._folder / "voice-hangs").exists)
        elif self._what != "closing":
            HUNG.wait()
        print("hangs", self._what, flush=True)
        if self._how in HOW:
            listener(Asked(HOW[self._how]))
        else:
            os.kill(os.getpid(), signal.SIGTERM)


def run(path, what, how):
    """Run the table as its service does; the process ends with it."""
    config, displays = load_config(path), []

    def display(*arguments):
        displays.append(arguments)
        if what == "looking" and len(displays) == 1:
            raise DeviceError("no display")
        return opened_later() if what == "looking" else Closing()

    with ExitStack() as patched:
        for target, stand_in in {
            "uckers_table.table.parts._display": display,
            "uckers_table.table.parts._camera": lambda *_: Camera(),
            "uckers_table.table.parts._buttons": lambda _: Box(what, how, path.parent, config.page_port),
            "uckers_table.keeping.backing_up.sticks": lambda: [path.parent],
            "uckers_table.machine.threads.CLOSE_ALL_S": SHORT_S,
            "uckers_table.machine.threads.STOP_WAIT_S": SHORT_S,
            "uckers_table.machine.threads.CLOSE_S": SHORT_S,
            "uckers_table.web.server.STOP_S": SHORT_S,
        }.items():
            patched.enter_context(mock.patch(target, stand_in))
        if what in WORK:
            patched.enter_context(mock.patch(WORK[what][0], hang))
        if what == "old match":
            patched.enter_context(
                mock.patch(
                    "uckers_table.table.left_out.SafeStart.does_without", lambda _, part: part == "match"
                )
            )
        if what == "rebuilding":
            unfinished = "uckers_table.record.library.Library.unfinished"
            patched.enter_context(mock.patch(unfinished, lambda _: [1]))
        awaited = "uckers_table.devices.awaited._Awaited.__init__.__kwdefaults__"
        patched.enter_context(mock.patch(awaited, {"retry_s": 0.05}))
        sys.argv = ["uckers-table", "run", "--config", str(path)]
        sys.exit(main())


if __name__ == "__main__":
    run(Path(sys.argv[1]), *sys.argv[2:])
