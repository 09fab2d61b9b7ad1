"""The devices of a simulated mess that can be lost: real drivers, with the far end of each cable pulled."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from uckers_table.devices.base import Voice
from uckers_table.simulator.evening import SimulatedEvening


class SoakPanel:
    """The display at the end of its lead. It shows nothing; while `is_out`, nothing answers."""

    def __init__(self) -> None:
        self.is_out = False
        self.pictures = 0

    def open_bus(self) -> Bus:
        """The machine's end of the lead, as luma knows one."""
        return Bus(self)


class Bus:
    """A bus that is open, with a file handle as the system's has, until `cleanup`."""

    def __init__(self, panel: SoakPanel) -> None:
        self._panel = panel
        # A number, as smbus2 has it: unlike a Python file it stays open until it is closed.
        self._handle: int | None = os.open(os.devnull, os.O_RDWR)

    def command(self, *command: int) -> None:
        """Take a command; OSError while the lead is out."""
        self._answer()

    def data(self, data: object) -> None:
        """Take a picture; OSError while the lead is out."""
        self._answer()
        self._panel.pictures += 1

    def cleanup(self) -> None:
        """Close it; safe to call twice."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def _answer(self) -> None:
        if self._panel.is_out:
            raise OSError(121, "Remote I/O error")


class Speaker:
    """A loudspeaker's end of its lead: a program that takes sound, and fails where the `plug` is not."""

    def __init__(self, plug: Path) -> None:
        self._plug = plug
        plug.touch()

    @property
    def play(self) -> tuple[str, ...]:
        """The program that plays; the device that follows means nothing to it."""
        plug = shlex.quote(str(self._plug))
        return ("sh", "-c", f"cat > /dev/null; test -e {plug} || {{ echo no such card >&2; exit 1; }}")

    def pull(self) -> None:
        """Pull the plug."""
        self._plug.unlink(missing_ok=True)

    def put_in(self) -> None:
        """Put it in again."""
        self._plug.touch()


class Mumble:
    """Speech without words: what is to be said, as bytes."""

    def sounds(self, sentence: str) -> Iterator[bytes]:
        """The sentence."""
        yield sentence.encode()

    def prepare(self, phrase: str) -> None:
        """It needs no time to be spoken."""


class HeardVoice:
    """A voice that the people at a simulated table hear, whatever becomes of it on its way to the speaker."""

    name = "voice"

    def __init__(self, voice: Voice, evening: SimulatedEvening) -> None:
        self._voice, self._evening = voice, evening

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it to them, and aloud."""
        self._evening.hear(sentence)
        self._voice.say(sentence, urgent=urgent)

    def finish(self, wait_s: float) -> bool:
        """Wait until nothing is left to say; False when that takes longer."""
        return self._voice.finish(wait_s)

    def close(self) -> None:
        """Stop the voice's thread; safe to call twice."""
        self._voice.close()
