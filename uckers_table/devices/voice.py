"""The voice: espeak-ng through ALSA's aplay, or one that only tells what it would have said."""

from __future__ import annotations

import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Event

from uckers_table.devices.base import Back, Listener, Lost, ignore
from uckers_table.devices.threads import Worker
from uckers_table.errors import DeviceError

SPEAK = ("espeak-ng", "-v", "en-us+f2", "-s", "140", "--stdin", "--stdout")
"""The voice and pace at which a recogniser understood 36 of 36 sentences; British ones came to 22 at most."""
PLAY = ("aplay", "--quiet")
"""espeak-ng's own way to the sound card stays silent where ALSA is redirected, so aplay plays its output."""
MOST_WAITING = 8
"""Sentences; what is older than that has been overtaken by the game."""
SPEAK_WAIT_S = 20.0
PLAY_WAIT_S = 60.0
"""The longest sentence takes about ten seconds to say; a program that needs so long hangs."""


class EspeakVoice:
    """Says sentences one after the other, from a thread of its own.

    An urgent sentence stops the one being said and takes the place of those that wait. Raises DeviceError
    when the programs are not installed; a sentence that cannot be played later is a `Lost` event, the
    next that can be is `Back`. Not yet tried on hardware.
    """

    name = "voice"

    def __init__(
        self,
        *,
        speak: Sequence[str] = SPEAK,
        play: Sequence[str] = PLAY,
        listener: Listener = ignore,
    ) -> None:
        for program in (speak[0], play[0]):
            if shutil.which(program) is None:
                raise DeviceError(
                    f"the voice needs {program}, which is not installed: apt-get install espeak-ng alsa-utils"
                )
        self._speak = tuple(speak)
        self._play = tuple(play)
        self._listener = listener
        self._lost = False
        self._changed = Condition()
        self._waiting: deque[str] = deque(maxlen=MOST_WAITING)
        self._player: subprocess.Popen[bytes] | None = None
        self._cut_short = False
        self._worker = Worker(self.name, self._run)

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it when the sentences before it are said, or at once when urgent."""
        with self._changed:
            if urgent:
                self._waiting.clear()
                self._interrupt()
            self._waiting.append(sentence)
            self._changed.notify()

    def close(self) -> None:
        """Fall silent and stop the thread; safe to call twice."""
        with self._changed:
            self._waiting.clear()
            self._worker.stopping.set()
            self._interrupt()
            self._changed.notify()
        self._worker.stop()

    def _interrupt(self) -> None:
        self._cut_short = True
        if self._player is not None:
            self._player.kill()

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or stopping.is_set())
                if not self._waiting:
                    continue
                sentence = self._waiting.popleft()
                self._cut_short = False
            try:
                heard = self._play_sound(self._sound(sentence))
            except DeviceError as error:
                if not self._lost:
                    self._lost = True
                    self._listener(Lost(self.name, str(error)))
                continue
            if heard and self._lost:
                self._lost = False
                self._listener(Back(self.name))

    def _sound(self, sentence: str) -> bytes:
        """The sentence as a WAV file. It goes in by the standard input, where no word can be an option."""
        try:
            done = subprocess.run(
                self._speak, input=sentence.encode(), capture_output=True, timeout=SPEAK_WAIT_S, check=True
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise DeviceError(f"the sentence could not be spoken ({error})") from error
        return done.stdout

    def _play_sound(self, sound: bytes) -> bool:
        """Whether it was played to its end; False when it was cut short."""
        with self._changed:
            if self._cut_short:
                return False
            try:
                self._player = subprocess.Popen(
                    self._play, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
                )
            except OSError as error:
                raise DeviceError(f"no sound: {self._play[0]} does not start ({error})") from error
            player = self._player
        complaint = b""
        try:
            _, complaint = player.communicate(sound, timeout=PLAY_WAIT_S)
        except subprocess.TimeoutExpired:
            player.kill()
            _, complaint = player.communicate()
        finally:
            with self._changed:
                self._player = None
                cut_short = self._cut_short
        if player.returncode == 0:
            return True
        if not cut_short:
            lines = complaint.decode(errors="replace").strip().splitlines() or ["it said nothing why"]
            raise DeviceError(f"no sound: {lines[-1]}; is the speaker plugged in (aplay -l)?")
        return False


class SilentVoice:
    """A voice that is not there: tells a function what it would have said, in order."""

    name = "voice"

    def __init__(self, on_say: Callable[[str], None] | None = None) -> None:
        self._on_say = on_say

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it, without a sound and without waiting."""
        if self._on_say is not None:
            self._on_say(sentence)

    def close(self) -> None:
        """Nothing to give back."""
