"""The voice: sentences through ALSA's aplay, one after the other; or one that only tells them."""

from __future__ import annotations

import io
import subprocess
import time
import wave
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Event
from typing import Protocol

from uckers_table.devices.base import Back, Listener, Lost, ignore
from uckers_table.devices.players import KILLED_S, leave_behind
from uckers_table.devices.silence import Silence
from uckers_table.devices.sound_cards import CARDS, find_card
from uckers_table.devices.speech import require
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import Worker

PLAY = ("aplay", "--quiet", "--device")
"""The program that plays what comes in by its standard input; the device follows."""
STALE_S = 8.0
"""What has waited for longer has been overtaken by the game: a throw and a play take about so long, and most
sentences three seconds to say."""
MOST_WAITING = 8
"""Sentences; of a flood only the newest are worth hearing."""
PLAY_WAIT_S, LONGEST_S = 8.0, 60.0
"""A sound card that needs so much longer than the sound lasts hangs; what lasts so long is no sentence."""
GLANCE_S = 0.2
"""How often whoever waits for a player looks whether it is still to be waited for."""
RETRY_S = 5.0
"""Between two looks for a speaker that was lost."""


@dataclass(frozen=True)
class _Waiting:
    sentence: str
    said_at: float
    urgent: bool


class Speaking(Protocol):
    """Turns sentences into sound: a `Speech`, or what stands in for one."""

    def sounds(self, sentence: str) -> Iterator[bytes]:
        """The sentence as WAV files to be played in turn; DeviceError when it cannot be spoken."""

    def prepare(self, phrase: str) -> None:
        """Speak a phrase ahead and keep it; DeviceError when it cannot be spoken."""

    def close(self) -> None:
        """Speak no more, and wait for nothing that is being spoken; from any thread."""


class SpokenVoice:
    """Says sentences from a thread of its own; whoever says one never waits.

    An urgent sentence stops what is being said, unless that is urgent too, and takes the place of all that
    waits but is not. What has waited for too long is not said. `card` is part of a sound card's name, none
    the first USB card; `phrases` are spoken ahead while there is nothing to say. `stays_open` keeps the card
    going with silence between sentences.

    `haste` is how many times sooner than usual a lost speaker is looked for.

    Raises DeviceError when aplay is not installed or no card is called so. A speaker lost later is a `Lost`
    event; once it is there again, that is `Back`. Not yet tried on hardware.
    """

    name = "voice"

    def __init__(
        self,
        speech: Speaking,
        *,
        card: str = "",
        phrases: Sequence[str] = (),
        play: Sequence[str] = PLAY,
        cards: Path = CARDS,
        stays_open: bool = False,
        clock: Callable[[], float] = time.monotonic,
        listener: Listener = ignore,
        haste: float = 1.0,
    ) -> None:
        require(play[0])
        self._haste = haste
        found = find_card(card, cards)
        # Kept to: a speaker that is pulled out is lost, and not replaced by a screen's.
        self._card, self._cards, self._is_shared = found.id if found is not None else "", cards, stays_open
        self._speech = speech
        self._unprepared = deque(phrases)
        self._play = tuple(play)
        self._clock = clock
        self._listener = listener
        self._lost = False
        self._unspoken = ""
        """What the speech program could not speak when the voice was lost; empty where that was not why."""
        self._changed = Condition()
        self._waiting: deque[_Waiting] = deque()
        self._saying: _Waiting | None = None
        self._player: subprocess.Popen[bytes] | None = None
        self._cut_short = False
        self._worker = Worker(self.name, self._run)
        self._silence = Silence(self._device) if stays_open else None

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it when the sentences before it are said; an urgent one before all that are not."""
        with self._changed:
            if urgent:
                self._waiting = deque(each for each in self._waiting if each.urgent)
                if self._saying is not None and not self._saying.urgent:
                    self._interrupt()
            self._waiting.append(_Waiting(sentence, self._clock(), urgent))
            while len(self._waiting) > MOST_WAITING:
                # The accusation is what people have to hear; if there is nothing else, the oldest goes.
                self._waiting.remove(next((e for e in self._waiting if not e.urgent), self._waiting[0]))
            self._changed.notify_all()

    def finish(self, wait_s: float) -> bool:
        """Wait until nothing is left to say; False when that takes longer."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and self._saying is None, wait_s)

    def close(self) -> None:
        """Fall silent and stop the thread; safe to call twice."""
        with self._changed:
            self._waiting.clear()
            self._worker.stopping.set()
            self._interrupt()
            self._changed.notify_all()
        self._speech.close()
        if self._silence is not None:
            self._silence.close()
        self._worker.stop()

    def _interrupt(self) -> None:
        self._cut_short = True
        if self._player is not None:
            self._player.kill()

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            if self._next() is None:
                self._while_silent(stopping)
                continue
            try:
                heard = self._say_it()
            except DeviceError as error:
                if not stopping.is_set():
                    self._lose(error)
            else:
                if heard:
                    self._regain()
            with self._changed:
                self._saying = None
                self._changed.notify_all()

    def _next(self) -> _Waiting | None:
        """The next sentence that is still worth saying, taken out of the queue."""
        with self._changed:
            while self._waiting and self._saying is None:
                waiting = self._waiting.popleft()
                if waiting.urgent or self._clock() - waiting.said_at <= STALE_S:
                    self._saying, self._cut_short = waiting, False
            self._changed.notify_all()
            return self._saying

    def _while_silent(self, stopping: Event) -> None:
        if self._unprepared and not self._lost:
            self._prepare(stopping)
            return
        with self._changed:
            wait_s = RETRY_S / self._haste if self._lost else None
            if self._changed.wait_for(lambda: self._waiting or stopping.is_set(), wait_s):
                return
        if self._lost and self._works_again():
            self._regain()

    def _prepare(self, stopping: Event) -> None:
        """Speak a phrase ahead. A program that cannot is told of before anybody waits for a sentence."""
        phrase = self._unprepared[0]
        try:
            self._speech.prepare(phrase)
        except DeviceError as error:
            if not stopping.is_set():
                self._unspoken = phrase
                self._lose(error)
            return
        self._unprepared.popleft()

    def _works_again(self) -> bool:
        """Whether what was lost is there: the speech program, or a card of that name. Of others only a
        sentence that is heard tells.
        """
        try:
            for _ in self._speech.sounds(self._unspoken) if self._unspoken else ():
                pass
            if self._card:
                self._device()
        except DeviceError:
            return False
        return bool(self._unspoken or self._card)

    def _device(self) -> str:
        card = find_card(self._card, self._cards) if self._card else None
        if card is None:
            return "default"
        return card.shared if self._is_shared else card.device

    def _say_it(self) -> bool:
        """Whether it was said to its end; False when it was cut short."""
        assert self._saying is not None
        device = self._device()
        return all(self._played(sound, device) for sound in self._spoken(self._saying.sentence))

    def _spoken(self, sentence: str) -> Iterator[bytes]:
        try:
            yield from self._speech.sounds(sentence)
        except DeviceError:
            self._unspoken = sentence
            raise

    def _played(self, sound: bytes, device: str) -> bool:
        with self._changed:
            if self._cut_short:
                return False
            try:
                self._player = subprocess.Popen(
                    [*self._play, device],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                raise DeviceError(f"no sound: {self._play[0]} does not start ({error})") from error
            player = self._player
        try:
            complaint = self._complaint(player, sound)
        finally:
            with self._changed:
                self._player = None
                cut_short = self._cut_short
        if complaint is None and not cut_short:
            raise DeviceError("no sound: the sound card hangs; pull the speaker out and put it in again")
        if complaint is None:
            return False
        if player.returncode == 0:
            return True
        if not cut_short:
            lines = complaint.decode(errors="replace").strip().splitlines() or ["it said nothing why"]
            raise DeviceError(f"no sound: {lines[-1]}; is the speaker plugged in (aplay -l)?")
        return False

    def _complaint(self, player: subprocess.Popen[bytes], sound: bytes) -> bytes | None:
        """What the player had to complain of when it has ended; None if it hangs, and is left behind."""
        end, unsent = time.monotonic() + min(lasts_s(sound), LONGEST_S) + PLAY_WAIT_S, sound or None
        while True:
            try:
                return player.communicate(unsent, timeout=GLANCE_S)[1]
            except subprocess.TimeoutExpired:
                unsent = None
            now = time.monotonic()
            if self._cut_short:
                # It was killed, and need not play to its end.
                end = min(end, now + KILLED_S)
            if now >= end:
                leave_behind(player)
                return None

    def _lose(self, error: DeviceError) -> None:
        if not self._lost:
            self._lost = True
            self._listener(Lost(self.name, str(error)))

    def _regain(self) -> None:
        self._unspoken = ""
        if self._lost:
            self._lost = False
            self._listener(Back(self.name))


def lasts_s(sound: bytes) -> float:
    """How long a WAV file sounds (seconds); 0 for anything else."""
    try:
        with wave.open(io.BytesIO(sound)) as opened:
            return float(opened.getnframes() / opened.getframerate())
    except (EOFError, wave.Error, ZeroDivisionError):
        return 0.0


class SilentVoice:
    """A voice that is not there: tells a function what it would have said, in order."""

    name = "voice"

    def __init__(self, on_say: Callable[[str], None] | None = None) -> None:
        self._on_say = on_say

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it, without a sound and without waiting."""
        if self._on_say is not None:
            self._on_say(sentence)

    def finish(self, wait_s: float) -> bool:
        """Nothing is ever left to say."""
        return True

    def close(self) -> None:
        """Nothing to give back."""
