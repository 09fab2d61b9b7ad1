"""The devices of a simulated mess that can be lost. Their drivers are real; the far end of each cable is
pulled.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from uckers_table.devices.base import Voice
from uckers_table.simulator.evening import SimulatedEvening


class SoakPanel:
    """The display at the end of its lead. It shows nothing. While `is_out`, nothing answers."""

    def __init__(self) -> None:
        self.is_out = False
        self.pictures = 0

    def open_bus(self) -> Bus:
        """The machine's end of the lead, as luma knows one."""
        return Bus(self)


class Bus:
    """An open bus. Until `cleanup` it holds a file handle, as the system's does."""

    def __init__(self, panel: SoakPanel) -> None:
        self._panel = panel
        # A bare number, as in smbus2: unlike a Python file it stays open until it is closed.
        self._handle: int | None = os.open(os.devnull, os.O_RDWR)

    def command(self, *command: int) -> None:
        """Takes a command. Raises OSError while the lead is out."""
        self._answer()

    def data(self, data: object) -> None:
        """Takes a picture. Raises OSError while the lead is out."""
        self._answer()
        self._panel.pictures += 1

    def cleanup(self) -> None:
        """Closes the bus. Safe to call twice."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _answer(self) -> None:
        if self._panel.is_out:
            raise OSError(121, "Remote I/O error")


class Speaker:
    """The far end of a loudspeaker's lead: a program that takes sound. It fails while the file `plug` is
    gone.
    """

    def __init__(self, plug: Path) -> None:
        self._plug = plug
        plug.touch()

    @property
    def play(self) -> tuple[str, ...]:
        """The program that plays. It ignores the device that is named after it."""
        plug = shlex.quote(str(self._plug))
        return ("sh", "-c", f"cat > /dev/null; test -e {plug} || {{ echo no such card >&2; exit 1; }}")

    def pull(self) -> None:
        """Pulls the plug."""
        self._plug.unlink(missing_ok=True)

    def put_in(self) -> None:
        """Puts the plug in again."""
        self._plug.touch()


class Mumble:
    """Speech without words: the sentence as bytes."""

    def sounds(self, sentence: str) -> Iterator[bytes]:
        """The sentence as bytes, in one piece."""
        yield sentence.encode()

    def prepare(self, phrase: str) -> None:
        """Does nothing: no phrase needs to be spoken beforehand."""

    def close(self) -> None:
        """Nothing is being spoken."""


class HeardVoice:
    """A voice that the people at a simulated table always hear, even if its speaker is lost."""

    name = "voice"

    def __init__(self, voice: Voice, evening: SimulatedEvening) -> None:
        self._voice, self._evening = voice, evening

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Says the sentence to the people, and aloud."""
        self._evening.hear(sentence)
        self._voice.say(sentence, urgent=urgent)

    def finish(self, wait_s: float) -> bool:
        """Waits until nothing is left to say. False if that takes longer than `wait_s` seconds."""
        return self._voice.finish(wait_s)

    def close(self) -> None:
        """Stops the voice's thread. Safe to call twice."""
        self._voice.close()
