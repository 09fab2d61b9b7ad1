"""A mess's own recordings: read, examined, and joined so that a sentence of them is one sound.

Sound is an array of shape (samples,), float64 in -1 to 1, at RATE.
"""

from __future__ import annotations

import io
import wave
from collections.abc import Container, Mapping, Sequence
from math import inf, log10
from pathlib import Path

import numpy as np
import numpy.typing as npt

from uckers_table.devices.segments import Stop
from uckers_table.errors import InputError
from uckers_table.machine.files import is_plain_file, size_of

Sound = npt.NDArray[np.float64]

RATE = 22050
"""Samples a second: speech has next to nothing above half of it."""
LARGEST_CLIP = 10_000_000
"""Bytes: a minute in a studio's quality. A longer clip would be in the way of the game."""
SHORTEST_S = 0.05
"""A recording that speaks for less was cut short. The shortest of the computer's samples, "the", has 0.19 s.
`uckers-table clips FOLDER` writes them."""
LONGEST_S, LONGEST_WORD_S = 15.0, 3.0
"""A recording that speaks for longer holds more than one sentence, or more than one entry of the pack."""
PAUSES_S: Mapping[Stop, float] = {Stop.NONE: 0.03, Stop.COMMA: 0.15, Stop.FULL: 0.3}
"""Silence after a word, a comma and a full stop, beside the margins. flite pauses for 0.2 s at either stop,
and pico for 0.3 s and 0.6 s (`python -m bench.voices`)."""
LEVEL = 0.12
"""The root mean square, while somebody speaks, that all sound is brought to. It is the computer's own, as
`python -m bench.voices` prints it."""
PEAK = 0.95
"""No sample is made larger, so that nothing is clipped."""
FRAME_S, SOFT, MARGIN_S = 0.01, 0.03, 0.03
"""Silence is told by frames: softer than so much of the loudest. What is cut off leaves a margin, since the
first sound of "six" and the last of "throw it" are soft."""
STEADY_S, ABOVE = 0.2, 2.0
"""A background is what is as soft for so long in all, up to so many times the softest tenth of that. The
frames of 10 ms of a fan's noise differ by an eighth or so, and the softest are a fifth below their mean."""
NOISY_DB = 20.0
"""A background that is no softer than this under the voice: words lose a seventh of their length with it."""
FADE_S = 0.005
"""So long sound swells and dies away at a cut: a sudden one clicks."""
SILENT, QUIET = 0.003, 0.02
"""The loudest frame of a recording in which nobody speaks, and of one that was made too far from the
microphone: its hiss is heard once it is as loud as the others."""
FULL_SCALE, CLIPPED_RUN = 0.999, 4
"""So many samples one after the other at the end of the scale: the microphone's level was too high."""


class Clips:
    """A folder of WAV files, by name in small letters and without the ending.

    `words` are the names that are no whole sentences.

    What cannot be used is left out, and told in `broken`. InputError when the folder cannot be read.
    """

    def __init__(self, folder: Path, words: Container[str] = ()) -> None:
        self.broken: dict[str, str] = {}
        """Why a file is of no use, by its name."""
        self.files: dict[str, Path] = {}
        """Those that can be played."""
        for path in clip_files(folder):
            try:
                checked(path, LONGEST_WORD_S if path.stem.lower() in words else LONGEST_S)
                self.files[path.stem.lower()] = path
            except InputError as error:
                self.broken[path.stem.lower()] = str(error)
        # As they are played: a whole pack of files in a studio's quality takes fifty megabytes.
        self._sounds: dict[str, npt.NDArray[np.int16]] = {}

    def sound(self, name: str) -> Sound | None:
        """A recording ready to be joined; None where there is none, or none any more."""
        if name not in self.files:
            return None
        try:
            if name not in self._sounds:
                sound = ready(sound_of(self.files[name].read_bytes()))
                self._sounds[name] = np.rint(sound * 32767).astype(np.int16)
        except (OSError, EOFError, wave.Error):
            return None
        return self._sounds[name] / 32767


def clip_files(folder: Path) -> list[Path]:
    """The WAV files of a folder, in their names' order; InputError when it cannot be read."""
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".wav")
    except OSError as error:
        raise InputError(
            f"the clips' folder {folder} cannot be read ({error.strerror}); name a folder of WAV files"
        ) from None


def checked(path: Path, longest_s: float) -> None:
    """InputError, in a few words, for a file that cannot be played."""
    try:
        if not is_plain_file(path):
            # A pipe would be waited for.
            raise InputError("no clip that can be played (it is no file)")
        if size_of(path) > LARGEST_CLIP:
            raise InputError(f"too long: it is larger than {LARGEST_CLIP // 10**6} MB")
        sound = sound_of(path.read_bytes())
    except (OSError, EOFError, wave.Error) as error:
        why = str(error) or "it breaks off"
        raise InputError(f"no clip that can be played ({why}); save it as a 16-bit WAV file") from None
    if _loudest(sound) < SILENT:
        raise InputError("silent: nobody speaks in it")
    if (lasts := len(trimmed(sound)) / RATE) > longest_s:
        raise InputError(f"too long: it speaks for {lasts:.1f} s, and {longest_s:.0f} s are the most")


def doubtful(wav: bytes) -> str:
    """What is wrong with a recording that can be played; empty where nothing is."""
    # Of the samples as they were taken: at another rate, what was cut off at the top is round again.
    _, samples = _samples(wav)
    is_full = np.abs(samples).max(axis=1) >= FULL_SCALE
    if CLIPPED_RUN in np.convolve(is_full, np.ones(CLIPPED_RUN, int), "valid"):
        return "clipped: too loud for the microphone's level; record it softer"
    sound = sound_of(wav)
    if len(trimmed(sound)) / RATE < SHORTEST_S:
        return "too short: it was cut off"
    if _loudest(sound) < QUIET:
        return "too quiet: record it closer to the microphone"
    frames = _frames(sound)
    background = _background(frames)
    spoken = _spoken(frames[frames > ABOVE * background])
    under_db = 20 * log10(spoken / background) if background else inf
    if under_db < NOISY_DB:
        return f"noisy: the background is only {under_db:.0f} dB under the voice; record it where it is quiet"
    return ""


def sound_of(wav: bytes) -> Sound:
    """A WAV file of 16 bit as sound, its channels in one; wave.Error or EOFError for anything else."""
    rate, samples = _samples(wav)
    sound = _at_rate(samples.mean(axis=1), rate)
    # A cheap microphone's zero is not zero.
    level: Sound = sound - sound.mean()
    return level


def _samples(wav: bytes) -> tuple[int, npt.NDArray[np.float64]]:
    """A file's rate, and its samples of shape (samples, channels), in -1 to 1."""
    with wave.open(io.BytesIO(wav)) as file:
        if file.getsampwidth() != 2:
            raise wave.Error(f"it has {8 * file.getsampwidth()} bit")
        rate, channels = file.getframerate(), file.getnchannels()
        frames = file.readframes(LARGEST_CLIP)
        if not rate or len(frames) % (2 * channels):
            raise wave.Error("it breaks off")
        samples = np.frombuffer(frames, "<i2").reshape(-1, channels) / 32768
    if not len(samples):
        raise wave.Error("it is empty")
    return rate, samples


def _at_rate(sound: Sound, rate: int) -> Sound:
    """The same sound at RATE: its spectrum cut off, or filled up with nothing."""
    if rate == RATE:
        return sound
    length = max(round(len(sound) * RATE / rate), 1)
    spectrum = np.fft.rfft(sound)[: length // 2 + 1]
    return np.fft.irfft(spectrum, length) * (length / len(sound))


def _frames(sound: Sound) -> Sound:
    """The root mean square of each whole frame; of what is shorter than one, its own."""
    size = min(round(FRAME_S * RATE), len(sound))
    whole = sound[: len(sound) // size * size].reshape(-1, size)
    made: Sound = np.sqrt(np.mean(whole**2, axis=1))
    return made


def _loudest(sound: Sound) -> float:
    return float(_frames(sound).max())


def trimmed(sound: Sound) -> Sound:
    """The sound without the silence at its ends, swelling and dying away at the cuts."""
    frames = _frames(sound)
    (loud,) = np.nonzero(frames > max(SOFT * frames.max(), ABOVE * _background(frames)))
    if not len(loud):
        return sound
    frame, margin, fade = (round(each * RATE) for each in (FRAME_S, MARGIN_S, FADE_S))
    cut = sound[max(loud[0] * frame - margin, 0) : (loud[-1] + 1) * frame + margin].copy()
    fade = min(fade, len(cut) // 2)
    ramp = np.linspace(0.0, 1.0, fade, endpoint=False)
    cut[:fade] *= ramp
    cut[len(cut) - fade :] *= ramp[::-1]
    return cut


def _background(frames: Sound) -> float:
    """The root mean square of what is heard while nobody speaks; 0 where somebody speaks all the time."""
    size = round(STEADY_S / FRAME_S)
    softest = np.sort(frames)[: size // 10].mean()
    steady = frames[frames <= ABOVE * softest]
    level = float(steady.mean())
    return level if len(steady) >= size and frames.max() > ABOVE * level else 0.0


def _spoken(frames: Sound) -> float:
    """The root mean square while somebody speaks."""
    spoken = frames[frames > 0.1 * frames.max()]
    return float(np.sqrt(np.mean(spoken**2))) if len(spoken) else 0.0


def ready(sound: Sound) -> Sound:
    """The sound without silence at its ends, as loud as all others: at LEVEL, or as near as PEAK lets it."""
    cut = trimmed(sound)
    level, peak = _spoken(_frames(cut)), float(np.abs(cut).max())
    return cut * min(LEVEL / level, PEAK / peak) if level else cut


def joined(pieces: Sequence[tuple[Sound, Stop]], gain: float) -> bytes:
    """Sounds one after the other, each with its pause, as one WAV file made so many times as loud."""
    parts = []
    for number, (sound, stop) in enumerate(pieces, 1):
        parts.append(sound)
        if number < len(pieces):
            parts.append(np.zeros(round(PAUSES_S[stop] * RATE)))
    whole = np.concatenate(parts) if parts else np.zeros(0)
    samples = np.clip(np.rint(whole * gain * 32768), -32768, 32767).astype("<i2")
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return made.getvalue()
