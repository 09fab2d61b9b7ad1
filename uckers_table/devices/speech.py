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
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

import numpy as np

from uckers_table.errors import DeviceError, InputError

PROGRAMS: Mapping[str, tuple[str, ...]] = {
    "flite": ("flite", "-voice", "slt", "-o", "/dev/stdout", "-t"),
    "espeak": ("espeak-ng", "-v", "en-us+f2", "-s", "140", "--stdout", "--"),
}
"""How each program is asked to write a sentence, its last word, to the standard output as a WAV file.

These are their voices and paces that a speech recogniser understood best. Of 200 rulings it wrote down 198 of
flite's word for word; of espeak-ng's it takes many a "first" for a "third", and 88 of 100 were right.
"""
PACKAGES = {"flite": "flite", "espeak-ng": "espeak-ng", "aplay": "alsa-utils"}
"""What Debian calls the package of each program."""
SPEAK_WAIT_S = 20.0
"""The longest sentence takes a second to speak on the slowest Raspberry Pi; what needs so long hangs."""
FULL = 100
"""The volume at which sound is played as it is."""
_LARGEST_CLIP = 10_000_000
"""Bytes: a minute in a studio's quality. A longer clip would be in the way of the game."""


class Speech:
    """Turns sentences into WAV files. `volume` is 0 to 100, `clips` a folder of a mess's own WAV files.

    Raises DeviceError when the program is not installed, and InputError for a clip that cannot be played.
    """

    def __init__(self, program: str = "flite", *, clips: Path | None = None, volume: int = FULL) -> None:
        if program not in PROGRAMS:
            raise InputError(f"no voice is called {program!r}: there are {', '.join(PROGRAMS)}")
        if not 0 <= volume <= FULL:
            raise InputError(f"the volume is {volume}; it is 0 to {FULL}")
        self._command = PROGRAMS[program]
        require(self._command[0])
        self._gain = (volume / FULL) ** 2
        self._kept = {path.stem: self._own(path) for path in _clip_files(clips)} if clips is not None else {}

    def sounds(self, sentence: str) -> Iterator[bytes]:
        """The sentence as WAV files to be played in turn; DeviceError when it cannot be spoken."""
        for kept, parts in groupby(_parts(sentence), key=lambda part: self._kept.get(clip_name(part))):
            if kept is None:
                yield self._spoken(" ".join(parts))
            else:
                yield from (kept for _ in parts)

    def prepare(self, phrase: str) -> None:
        """Speak a phrase and keep it, unless there is a clip of it."""
        if clip_name(phrase) not in self._kept:
            self._kept[clip_name(phrase)] = self._spoken(phrase)

    def _own(self, path: Path) -> bytes:
        try:
            if path.stat().st_size > _LARGEST_CLIP:
                raise wave.Error(f"it is longer than {_LARGEST_CLIP} bytes")
            return louder(path.read_bytes(), self._gain)
        except (OSError, EOFError, wave.Error) as error:
            raise InputError(
                f"{path}: no clip that can be played ({error}); save it as a 16-bit WAV file, or take it out"
            ) from None

    def _spoken(self, text: str) -> bytes:
        try:
            done = subprocess.run(
                [*self._command, text],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SPEAK_WAIT_S,
                check=True,
            )
            return louder(done.stdout, self._gain)
        except (OSError, EOFError, wave.Error, subprocess.SubprocessError) as error:
            raise DeviceError(f"the sentence could not be spoken ({error})") from error


def require(program: str) -> None:
    """DeviceError when a program of the voice is not installed."""
    if shutil.which(program) is None:
        package = PACKAGES.get(program, program)
        raise DeviceError(f"the voice needs {program}, which is not installed: apt-get install {package}")


def louder(wav: bytes, gain: float) -> bytes:
    """A WAV file of 16 bit made so many times as loud; wave.Error or EOFError for anything else.

    The length in its header is set right: programs that write to a pipe cannot know it.
    """
    with wave.open(io.BytesIO(wav)) as source:
        if source.getsampwidth() != 2:
            raise wave.Error(f"it has {8 * source.getsampwidth()} bit")
        channels, rate = source.getnchannels(), source.getframerate()
        samples = np.frombuffer(source.readframes(_LARGEST_CLIP), "<i2")
    scaled = np.clip(np.rint(samples * gain), -32768, 32767).astype("<i2")
    made = io.BytesIO()
    with wave.open(made, "wb") as target:
        target.setnchannels(channels)
        target.setsampwidth(2)
        target.setframerate(rate)
        target.writeframes(scaled.tobytes())
    return made.getvalue()


def clip_name(phrase: str) -> str:
    """The name of a phrase's file, without its ending: "touch-wood" for "Touch wood."

    >>> clip_name("I can't see the board.")
    'i-cant-see-the-board'
    """
    return re.sub(r"[^a-z0-9]+", "-", phrase.lower().replace("'", "")).strip("-")


def _parts(sentence: str) -> list[str]:
    return re.split(r"(?<=[.?!]) ", sentence)


def _clip_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".wav")
    except OSError as error:
        raise InputError(
            f"the clips' folder {folder} cannot be read ({error.strerror}); name a folder of WAV files"
        ) from None
