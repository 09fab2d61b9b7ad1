"""Silence on a sound card between sentences: an amplifier on the Pi's pins clicks whenever sound starts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Event

from uckers_table.devices.players import leave_behind
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import Worker

PLAY = ("aplay", "--quiet", "--file-type=raw", "--format=S16_LE", "--rate=48000", "--channels=2", "/dev/zero")
"""The program that plays silence without end; `--device` and the device follow."""
LOOK_S = 0.2
RETRY_S = 5.0
"""Between two tries to play on a card that is not there."""


class Silence:
    """Plays silence on what `device` names, from now until closed; what is said has to share that device.

    A card that is lost is for whoever speaks to tell; here it is tried again. Not yet tried on hardware.
    """

    def __init__(self, device: Callable[[], str], *, play: Sequence[str] = PLAY) -> None:
        self._device, self._play = device, tuple(play)
        self._worker = Worker("silence", self._run)

    def close(self) -> None:
        """Let the card stop; safe to call twice."""
        self._worker.stop()

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            with suppress(DeviceError, OSError):
                self._play_on(self._device(), stopping)
            stopping.wait(RETRY_S)

    def _play_on(self, device: str, stopping: Event) -> None:
        quiet = subprocess.DEVNULL
        player = subprocess.Popen([*self._play, "--device", device], stdin=quiet, stdout=quiet, stderr=quiet)
        try:
            while player.poll() is None and not stopping.wait(LOOK_S):
                pass
        finally:
            leave_behind(player)
