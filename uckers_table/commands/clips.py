"""A mess's own voice: the list to record, a folder of recordings checked, and sentences played from it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.phrases import fixed_phrases, said_often, word_pack
from uckers_table.commands.options import add_config, config_of
from uckers_table.config import Config
from uckers_table.devices.base import DeviceEvent, Lost
from uckers_table.devices.recordings import Clips, doubtful, joined, sound_of
from uckers_table.devices.segments import Pack, Stop, clip_name
from uckers_table.devices.speech import PROGRAMS, Speech
from uckers_table.devices.voice import LONGEST_S, PLAY_WAIT_S, SpokenVoice
from uckers_table.errors import DeviceError, InputError
from uckers_table.machine.files import write_whole

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

LIST, SAMPLES = "words.txt", "computer"
"""In the folder: what to read while recording, and the folder of the computer's own samples."""
HOW_TO = """\
Record each line in a voice of your own, and save it in this folder under the name before it, as a WAV file of
16 bit. Say it as in the middle of a sentence, all at one pace, a hand's breadth from the microphone. Silence
before and after it is cut off. The folder "computer" has each as the computer says it.

    uckers-table clips --check {folder}    says what is missing, too long, clipped, noisy, silent or too quiet
    uckers-table clips --play {folder}     plays sentences put together from what is there

The table uses them once a third of them is there, and the computer says what is missing.

These first. They make 97 of 100 sentences.

"""
AS_IN = {"a": "a piece", "the": "the dice", "and": "red and blue"}
"""Small words, which nobody says alone as in a sentence, and where they stand in one."""
SELDOM = "\nThe others are said seldom.\n\n"
WHOLE = "\nWhole sentences, if you like: such a file is played instead of the sentence's words.\n\n"


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "clips",
        help="record a mess's own voice: write the list of words, check the recordings, play sentences",
        description="Writes into FOLDER the list of words and phrases that sentences are put together from, "
        "and the computer's samples of them. Record your own, and let 'clips' in the configuration name the "
        "folder.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of the recordings")
    parser.add_argument("sentences", nargs="*", metavar="SENTENCE", help="what to play; else some examples")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="examine the folder's recordings")
    what.add_argument("--play", action="store_true", help="play sentences put together from them")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="with --play: write them as one WAV file instead"
    )
    parser.add_argument(
        "--voice", choices=tuple(PROGRAMS), help="the computer's voice (default: the table's)"
    )
    add_config(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked. The exit status."""
    config = config_of(arguments)
    voice = arguments.voice or (config.voice if config.voice in PROGRAMS else Config().voice)
    config = replace(config, voice=voice)
    if (arguments.sentences or arguments.output) and not arguments.play:
        raise InputError("sentences and -o go with --play: `uckers-table clips --play FOLDER SENTENCE`")
    if arguments.check:
        return check_clips(arguments.folder, config.seats, out=sys.stdout)
    if arguments.play:
        sentences = arguments.sentences or examples(config.seats)
        return play_clips(arguments.folder, sentences, config, arguments.output, out=sys.stdout)
    return write_clips(arguments.folder, config, out=sys.stdout)


def examples(seats: Sequence[str]) -> tuple[str, ...]:
    """Sentences to hear a pack by."""
    one, other = seats[0].capitalize(), seats[1 % len(seats)]
    return (
        "Timber shift. Put it two back.",
        f"{one} starts.",
        f"{one} calls challenge. Two sixes wanted.",
        f"Challenge won. {other.capitalize()}'s blob goes to base.",
        "Cocked. Throw again.",
        f"{one} and {other} have won. Eight-piecer.",
    )


def write_clips(folder: Path, config: Config, *, out: TextIO) -> int:
    """Write the list, and speak each of its lines into the folder of samples. The exit status.

    InputError when the folder cannot be written, DeviceError when the program is not installed.
    """
    speech = Speech(config.voice)
    words = Pack(word_pack(config.seats)).phrases
    whole = _whole_sentences(config.seats, words)
    samples = folder / SAMPLES
    try:
        samples.mkdir(parents=True, exist_ok=True)
        for name, phrase in (words | whole).items():
            write_whole(samples / f"{name}.wav", b"".join(speech.sounds(phrase)))
        often = Pack(said_often(config.seats)).phrases
        seldom = {name: phrase for name, phrase in words.items() if name not in often}
        lines = [HOW_TO.format(folder=folder), *_listed(often), SELDOM, *_listed(seldom)]
        lines += [WHOLE, *_listed(whole)]
        write_whole(folder / LIST, "".join(lines).encode())
    except OSError as error:
        if isinstance(error, DeviceError | InputError):
            raise
        raise InputError(f"{folder}: the clips cannot be written there ({error.strerror})") from None
    print(
        f"{folder / LIST}: {len(words)} words and phrases to record, and {len(whole)} whole sentences",
        file=out,
    )
    print(f"{samples}: how the computer says each of them", file=out)
    return 0


def _listed(phrases: dict[str, str]) -> Iterator[str]:
    for name, phrase in phrases.items():
        as_in = f'   (as in "{AS_IN[name]}")' if name in AS_IN else ""
        yield f"{name + '.wav':<40} {phrase}{as_in}\n"


def _whole_sentences(seats: Sequence[str], words: dict[str, str]) -> dict[str, str]:
    whole = {clip_name(phrase): phrase for phrase in fixed_phrases(seats)}
    return {name: phrase for name, phrase in whole.items() if name not in words}


def check_clips(folder: Path, seats: Sequence[str], *, out: TextIO) -> int:
    """Print a line for each recording that does not hold: 0 when all do, 1 when one does not."""
    words = Pack(word_pack(seats)).phrases
    whole = _whole_sentences(seats, words)
    clips = Clips(folder, words)
    found = clips.broken | {name: doubtful(path.read_bytes()) for name, path in clips.files.items()}
    lines = {name: "missing" for name in words if name not in found}
    lines |= {name: why for name, why in found.items() if why}
    lines |= {
        name: f"nothing is called so; {LIST} has the names"
        for name in found
        if name not in words and name not in whole
    }
    for name, why in lines.items():
        print(f"{name}.wav: {why}", file=out)
    good = sum(name in words and name not in lines for name in found)
    extra = sum(name in whole and name not in lines for name in found)
    print(f"{folder}: {good} of {len(words)} words and phrases hold, and {extra} whole sentences", file=out)
    return int(bool(lines))


def play_clips(
    folder: Path, sentences: Sequence[str], config: Config, output: Path | None, *, out: TextIO
) -> int:
    """Play sentences from a folder's recordings, or write them as one WAV file. The exit status."""
    speech = Speech(config.voice, clips=folder, pack=word_pack(config.seats), volume=config.volume)
    if speech.trouble:
        print(speech.trouble, file=out)
    said = [sentence for sentence in sentences if sentence.strip()]
    for sentence in said:
        parts = (words if is_own else f"({words})" for words, is_own in speech.makeup(sentence))
        print(" · ".join(parts), file=out)
    if output is not None:
        sounds = [(sound_of(wav), Stop.FULL) for sentence in said for wav in speech.sounds(sentence)]
        try:
            write_whole(output, joined(sounds, 1.0))
        except OSError as error:
            raise InputError(f"{output}: cannot be written ({error.strerror})") from None
        return 0
    told: list[DeviceEvent] = []
    voice = SpokenVoice(speech, card=config.sound_card, listener=told.append)
    try:
        for sentence in said:
            voice.say(sentence, urgent=True)
            voice.finish(LONGEST_S + PLAY_WAIT_S)
            if lost := next((event for event in told if isinstance(event, Lost)), None):
                raise DeviceError(f"{lost.why} With -o FILE.wav they are written instead.")
    finally:
        voice.close()
    return 0
