"""Which voices are understood, and how long they take: one line a voice, of those that are installed.

    python -m bench.voices [--sentences 200] [--only awb,pico]

`understood` is the share of rulings that a speech recogniser (pocketsphinx, which knows all that can be said
and nothing else) writes down word for word. Its sounds are American; British pronunciations are added for all
voices alike. `time` is a sentence's, from the text to the whole sound, as a ratio to flite's slt speaking the
same sentence right before, a program started each. `seconds` is how long a sentence sounds, `stop` the
silence at a full stop inside one and `comma` at any other stop (medians, in seconds). `peak` is the largest
sample and `level` the root mean square while it speaks, both of 1.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np

from tests.announce.conftest import said_at_random
from tests.announce.listening import Sayable, heard_words, listener, some_of
from uckers_table.devices.recordings import FRAME_S, SOFT, sound_of
from uckers_table.devices.recordings import RATE as SAMPLED
from uckers_table.devices.speech import PROGRAMS, louder

FRAME = round(FRAME_S * SAMPLED)
GRAMMAR = Path(__file__).parents[1] / "tests" / "announce" / "referee.gram"
FLITE = ("flite", "-voice", "{voice}", "-o", "{wav}", "-t", "{text}")
ESPEAK = ("espeak-ng", "-v", "{voice}", "-s", "140", "-w", "{wav}", "--", "{text}")
PICO = ("pico2wave", "-l", "{voice}", "-w", "{wav}", "--", "{text}")
FESTIVAL = ("sh", "-c", 'echo "$1" | text2wave -eval "(voice_{voice})" -o "$0"', "{wav}", "{text}")
RHVOICE = ("sh", "-c", 'echo "$1" | RHVoice-test -p {voice} -o "$0"', "{wav}", "{text}")


@dataclass(frozen=True)
class Candidate:
    """A voice: its accent, the program that speaks it, Debian's packages, and what their licences allow."""

    name: str
    accent: str
    command: tuple[str, ...]
    packages: str
    licence: str

    def speak(self, text: str, wav: Path) -> None:
        """Write a sentence into a WAV file. OSError or CalledProcessError: the voice is not installed."""
        words = {"{voice}": self.name, "{wav}": str(wav), "{text}": text}
        command = []
        for part in self.command:
            for name, value in words.items():
                part = part.replace(name, value)
            command.append(part)
        done = subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True)
        if "{wav}" not in self.command:
            wav.write_bytes(done.stdout)


FREE, NO_SOURCE = "free", "free to use; non-free in Debian: no source of its data"
CANDIDATES = (
    Candidate("slt", "American", (*PROGRAMS["flite"], "{text}"), "flite", FREE),
    Candidate("awb-slower", "Scottish", (*PROGRAMS["awb"], "{text}"), "flite", FREE),
    Candidate("awb", "Scottish", FLITE, "flite", FREE),
    Candidate("rms", "American", FLITE, "flite", FREE),
    Candidate("kal", "American", FLITE, "flite", FREE),
    Candidate("en-us+f2", "American", (*PROGRAMS["espeak"], "{text}"), "espeak-ng", FREE),
    *(
        Candidate(voice, "English", ESPEAK, "espeak-ng", FREE)
        for voice in ("en-gb", "en-gb-x-rp", "en-gb+f2", "en-gb+f3", "en-gb+m3")
    ),
    Candidate("en-gb-scotland", "Scottish", ESPEAK, "espeak-ng", FREE),
    Candidate("en-GB", "English", PICO, "libttspico-utils", NO_SOURCE),
    Candidate("mb-en1", "English", ESPEAK, "mbrola mbrola-en1", "non-free: with the mbrola program only"),
    Candidate("rab_diphone", "English", FESTIVAL, "festvox-rablpc16k", "its lexicon non-free: no commerce"),
    Candidate("kal_diphone", "American", FESTIVAL, "festvox-kallpc16k", FREE),
    Candidate("alan", "Scottish", RHVOICE, "rhvoice rhvoice-english", NO_SOURCE),
)
"""The first is the yardstick; those that the table has to choose from speak as it has them speak."""


class Looks:
    """What sounds look like: how long they are, how loud, and where they pause."""

    def __init__(self) -> None:
        self.lasts_s, self.level, self.peak = list[float](), list[float](), 0.0
        self.pauses_s: dict[str, list[float]] = {"stop": [], "comma": []}

    def see(self, sentence: str, wav: bytes) -> None:
        """Look at a sentence's sound."""
        sound = sound_of(wav)
        whole = sound[: len(sound) // FRAME * FRAME].reshape(-1, FRAME)
        frames = np.sqrt(np.mean(whole**2, axis=1))
        (loud,) = np.nonzero(frames > SOFT * frames.max())
        self.lasts_s.append((loud[-1] - loud[0] + 1) * FRAME / SAMPLED)
        self.level.append(float(np.sqrt(np.mean(frames[frames > 0.1 * frames.max()] ** 2))))
        self.peak = max(self.peak, float(np.abs(sound).max()))
        stops = re.findall(r"[.,;:?!](?= )", sentence)
        if len(stops) == 1:
            longest_s = float(np.diff(loud).max() - 1) * FRAME / SAMPLED
            self.pauses_s["stop" if stops[0] in ".?!" else "comma"].append(longest_s)

    def __str__(self) -> str:
        pauses = "".join(f"{median(each):7.2f}" if each else f"{'-':>7}" for each in self.pauses_s.values())
        return f"{fmean(self.lasts_s):8.1f}{pauses}{self.peak:6.2f}{fmean(self.level):7.3f}"


def measure(candidate: Candidate, sentences: list[str], listen: Callable[[bytes], str]) -> str:
    """A voice's line of the table."""
    yardstick, understood, spent, usual, looks = CANDIDATES[0], 0, 0.0, 0.0, Looks()
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "spoken.wav"
        for sentence in sentences:
            times = [time.perf_counter()]
            for each in (yardstick, candidate):
                each.speak(sentence, wav)
                times.append(time.perf_counter())
            usual, spent = usual + times[1] - times[0], spent + times[2] - times[1]
            spoken = louder(wav.read_bytes(), 1.0)
            looks.see(sentence, spoken)
            understood += listen(spoken) == " ".join(heard_words(sentence))
    figures = f"{understood / len(sentences):10.3f}{spent / usual:7.2f}{looks}"
    return f"{candidate.name:<16}{candidate.accent:<10}{figures}  {candidate.packages:<25}{candidate.licence}"


HEAD = (
    f"{'voice':<16}{'accent':<10}{'understood':>10}{'time':>7}{'seconds':>8}{'stop':>7}{'comma':>7}{'peak':>6}"
    f"{'level':>7}  {'packages':<25}licence"
)


def main() -> None:
    """Measure what is installed, and name what is not."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--only", default="", help="names of voices, with commas between")
    arguments = parser.parse_args()
    sentences = some_of(said_at_random(), arguments.sentences)
    listen = listener(Sayable(GRAMMAR.read_text(encoding="utf-8")))
    only = arguments.only.split(",") if arguments.only else [each.name for each in CANDIDATES]
    print(
        f"{'voice':<16}{'accent':<10}{'understood':>10} {'time':>6} {'seconds':>8}   {'packages':<26}licence"
    )
    for candidate in CANDIDATES:
        if candidate.name not in only:
            continue
        try:
            print(measure(candidate, sentences, listen), flush=True)
        except (OSError, EOFError, subprocess.CalledProcessError):
            print(f"{candidate.name:<16}not installed: {candidate.packages}", flush=True)


if __name__ == "__main__":
    if shutil.which("flite") is None:
        raise SystemExit("flite, the yardstick, is not installed: apt-get install flite")
    main()
