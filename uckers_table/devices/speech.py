"""Sentences as sound: a mess's own clips where it has them, a speech program for the rest, and how loud.

A sentence is taken apart at its full stops, so that "Illegal." is the mess's own voice also where what
follows can only be the computer's. What is said often is spoken ahead and kept.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import wave
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from uckers_table.devices.players import leave_behind
from uckers_table.devices.recordings import LARGEST_CLIP, MARGIN_S, Clips, Sound, joined, ready, sound_of
from uckers_table.devices.segments import Pack, Stop, clip_name
from uckers_table.errors import DeviceError, InputError

PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "awb": ("flite", "-voice", "awb", "--setf", "duration_stretch=1.1", "-o", "/dev/stdout", "-t"),
    "flite": ("flite", "-voice", "slt", "-o", "/dev/stdout", "-t"),
    "espeak": ("espeak-ng", "-v", "en-us+f2", "-s", "140", "--stdout", "--"),
}
"""How each program is asked to write a sentence, its last word, to the standard output as a WAV file.

"awb" is a Scot, "flite" an American woman, "espeak" no person. `python -m bench.voices` prints how many of
200 rulings a speech recogniser writes down word for word, of these and of the other British voices.
"""
PACKAGES = {"flite": "flite", "espeak-ng": "espeak-ng", "aplay": "alsa-utils"}
"""What Debian calls the package of each program."""
SPEAK_WAIT_S = 8.0
"""The longest sentence takes a second to speak on the slowest Raspberry Pi; what needs so long hangs. By then
the game has overtaken a sentence (`voice.STALE_S`)."""
FULL = 100
"""The volume at which sound is played as it is."""
_LEAD = 0.01
"""Softer than so much of its loudest sample is silence before a sentence: flite's hisses at 0.006."""
MOST_TOLD = 3
"""Files that are named in one line; the others are counted."""


class Speech:
    """Turns sentences into WAV files. `volume` is 0 to 100, `clips` a folder of a mess's own WAV files.

    `pack` are the words and phrases that sentences can be put together from. Once a third of them is in the
    folder, all that is said is put together, one sound a sentence: a whole sentence's own file wins, then the
    words'. A word that the folder lacks is the computer's.

    Raises DeviceError when the program is not installed, and InputError where the folder cannot be read.
    """

    def __init__(
        self,
        program: str = "awb",
        *,
        clips: Path | None = None,
        pack: Sequence[str] = (),
        volume: int = FULL,
    ) -> None:
        if program not in PROGRAMS:
            raise InputError(f"no voice is called {program!r}: there are {', '.join(PROGRAMS)}")
        if not 0 <= volume <= FULL:
            raise InputError(f"the volume is {volume}; it is 0 to {FULL}")
        self._command = PROGRAMS[program]
        require(self._command[0])
        self._gain = (volume / FULL) ** 2
        self._pack = Pack(pack)
        self._folder = clips
        self._clips = Clips(clips, self._pack.phrases) if clips is not None else None
        self._files = self._clips.files if self._clips is not None else {}
        words = self._pack.phrases
        self.has_pack = bool(words) and 3 * sum(name in self._files for name in words) >= len(words)
        """Whether the folder has so many words that sentences are put together from them."""
        wholes = {} if self.has_pack else self._files
        self._kept = {name: louder(path.read_bytes(), self._gain) for name, path in wholes.items()}
        self._by_computer = dict[str, Sound]()
        self._speaking: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def close(self) -> None:
        """Speak no more: a program that is at it is ended. From any thread; safe to call twice."""
        self._is_closed = True
        if (program := self._speaking) is not None:
            program.kill()

    @property
    def trouble(self) -> str:
        """What is wrong with the folder's files, and what to try, in a line; empty where nothing is."""
        if self._clips is None:
            return ""
        wrong = {name: f"{name}.wav: {why}" for name, why in self._clips.broken.items()}
        if self.has_pack:
            missing = [name for name in self._pack.phrases if name not in self._files]
            wrong = {name: f"{name}.wav: missing" for name in missing} | wrong
        if not wrong:
            return ""
        some = "; ".join([*wrong.values()][:MOST_TOLD])
        more = f"; and {len(wrong) - MOST_TOLD} more" if len(wrong) > MOST_TOLD else ""
        return (
            f"{self._folder}: the computer speaks for {some}{more}; "
            f"`uckers-table clips --check {self._folder}` names each"
        )

    def sounds(self, sentence: str) -> Iterator[bytes]:
        """The sentence as WAV files to be played in turn; DeviceError when it cannot be spoken."""
        if self.has_pack:
            yield joined(self._pieces(sentence), self._gain)
            return
        for kept, parts in groupby(_parts(sentence), key=lambda part: self._kept.get(clip_name(part))):
            if kept is None:
                yield self._spoken(" ".join(parts))
            else:
                yield from (kept for _ in parts)

    def prepare(self, phrase: str) -> None:
        """Speak a phrase and keep it, unless there is a clip of it or it is put together."""
        if self.has_pack:
            self._pieces(phrase)
        elif clip_name(phrase) not in self._kept:
            self._kept[clip_name(phrase)] = self._spoken(phrase)

    def makeup(self, sentence: str) -> Iterator[tuple[str, bool]]:
        """What a sentence is put together from, in order: the words, and whether the mess speaks them."""
        for words, sound, _ in self._taken_apart(sentence):
            yield words, sound is not None

    def _pieces(self, sentence: str) -> list[tuple[Sound, Stop]]:
        return [
            (self._stand_in(words) if sound is None else sound, stop)
            for words, sound, stop in self._taken_apart(sentence)
        ]

    def _taken_apart(self, sentence: str) -> Iterator[tuple[str, Sound | None, Stop]]:
        """Words, the mess's recording of them or None, and the stop after them.

        Words that follow one another without a recording stay together.
        """
        for whole, parts in groupby(_parts(sentence), key=lambda part: clip_name(part) in self._files):
            if whole:
                yield from ((part, self._own(part), Stop.FULL) for part in parts)
            elif self.has_pack:
                yield from self._in_words(" ".join(parts))
            else:
                yield " ".join(parts), None, Stop.FULL

    def _in_words(self, sentence: str) -> Iterator[tuple[str, Sound | None, Stop]]:
        missing: list[str] = []
        for segment in self._pack.segments(sentence):
            own = self._own(segment.words) if segment.is_known else None
            if own is None:
                missing.append(segment.words)
            if missing and (own is not None or segment.stop):
                yield " ".join(missing), None, Stop.NONE if own is not None else segment.stop
                missing = []
            if own is not None:
                yield segment.words, own, segment.stop
        if missing:
            yield " ".join(missing), None, Stop.NONE

    def _own(self, phrase: str) -> Sound | None:
        return self._clips.sound(clip_name(phrase)) if self._clips is not None else None

    def _stand_in(self, words: str) -> Sound:
        if words not in self._by_computer:
            self._by_computer[words] = ready(sound_of(self._spoken(words, gain=1.0)))
        return self._by_computer[words]

    def _spoken(self, text: str, *, gain: float | None = None) -> bytes:
        try:
            return louder(at_once(self._written_by_program(text)), self._gain if gain is None else gain)
        except DeviceError:
            raise
        except (OSError, EOFError, wave.Error) as error:
            raise DeviceError(f"the sentence could not be spoken ({self._command[0]}: {error})") from error

    def _written_by_program(self, text: str) -> bytes:
        """What the speech program writes of a text. DeviceError where it fails or hangs."""
        program = subprocess.Popen(
            [*self._command, text],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._speaking = program
        if self._is_closed:
            program.kill()
        try:
            written, _ = program.communicate(timeout=SPEAK_WAIT_S)
        except subprocess.TimeoutExpired:
            leave_behind(program)
            raise DeviceError(
                f"the sentence could not be spoken: {self._command[0]} hangs; start the table anew"
            ) from None
        finally:
            self._speaking = None
        if program.returncode:
            raise DeviceError(
                f"the sentence could not be spoken: {self._command[0]} failed (status {program.returncode})"
            )
        return written


def require(program: str) -> None:
    """DeviceError when a program of the voice is not installed."""
    if shutil.which(program) is None:
        package = PACKAGES.get(program, program)
        raise DeviceError(f"the voice needs {program}, which is not installed: apt-get install {package}")


def louder(wav: bytes, gain: float) -> bytes:
    """A WAV file of 16 bit made so many times as loud; wave.Error or EOFError for anything else.

    The length in its header is set right: programs that write to a pipe cannot know it.
    """
    samples, rate = _read(wav)
    return _written(np.clip(np.rint(samples * gain), -32768, 32767).astype("<i2"), rate)


def at_once(wav: bytes) -> bytes:
    """A WAV file of 16 bit without the silence before its sound: flite's is 0.3 s long."""
    samples, rate = _read(wav)
    swing = np.abs(samples.astype(int)).max(axis=1)
    first = int(np.argmax(swing > _LEAD * swing.max())) if len(swing) else 0
    return _written(samples[max(first - round(MARGIN_S * rate), 0) :], rate)


_Samples = npt.NDArray[np.int16]


def _read(wav: bytes) -> tuple[_Samples, int]:
    """A file's samples, of shape (samples, channels), and its rate."""
    with wave.open(io.BytesIO(wav)) as source:
        if source.getsampwidth() != 2:
            raise wave.Error(f"it has {8 * source.getsampwidth()} bit")
        samples = np.frombuffer(source.readframes(LARGEST_CLIP), "<i2")
        return samples.reshape(-1, source.getnchannels()), source.getframerate()


def _written(samples: _Samples, rate: int) -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as target:
        target.setnchannels(samples.shape[1])
        target.setsampwidth(2)
        target.setframerate(rate)
        target.writeframes(samples.tobytes())
    return made.getvalue()


def _parts(sentence: str) -> list[str]:
    return re.split(r"(?<=[.?!]) ", sentence)
