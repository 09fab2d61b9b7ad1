"""A mess's own voice: the list is written, recordings are checked, and sentences are played from them."""

import stat
import sys
from functools import partial

import numpy as np
import pytest

from tests.devices.test_speech import sound, wav
from uckers_table.announce.phrases import fixed_phrases, word_pack
from uckers_table.commands import clips
from uckers_table.commands.cli import main
from uckers_table.devices import speech, voice
from uckers_table.devices.segments import Pack, clip_name
from uckers_table.game.board import COLOURS

WORDS = Pack(word_pack()).phrases
WORD = wav(np.rint(6000 * np.sin(np.arange(8000) / 5)).astype(int), rate=16000)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder for recordings, on a machine whose computer's voice says one word for everything."""
    (tmp_path / "said.wav").write_bytes(WORD)
    program = tmp_path / "speaks"
    program.write_text(f'#!/bin/sh\nprintf "%s|" "$1" >>{tmp_path}/asked\ncat {tmp_path}/said.wav\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(speech, "PROGRAMS", dict.fromkeys(speech.PROGRAMS, (str(program),)))
    return tmp_path / "ours"


def ran(capsys, *argv):
    """The exit status, and the lines that were printed."""
    status = main(["clips", *map(str, argv)])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


@pytest.fixture
def recorded(folder):
    """Every word recorded."""
    folder.mkdir()
    for name in WORDS:
        (folder / f"{name}.wav").write_bytes(WORD)
    return folder


def test_the_list_names_each_word_and_sentence_and_the_computer_says_them(folder, capsys):
    status, lines, _ = ran(capsys, folder)
    whole = {clip_name(phrase): phrase for phrase in fixed_phrases()}
    extra = whole.keys() - WORDS.keys()
    assert status == 0
    assert lines == [
        f"{folder}/words.txt: {len(WORDS)} words and phrases to record, and {len(extra)} whole sentences",
        f"{folder}/computer: how the computer says each of them",
    ]
    listed = dict(
        line.split(maxsplit=1) for line in (folder / "words.txt").read_text().splitlines() if ".wav " in line
    )
    expected = {name: whole[name] for name in whole if name in extra} | WORDS
    assert {name.removesuffix(".wav"): phrase.split("   (")[0] for name, phrase in listed.items()} == expected
    # "a" is not said as the letter.
    assert listed["a.wav"] == 'a   (as in "a piece")'
    assert {path.stem for path in (folder / "computer").iterdir()} == expected.keys()
    # What has been recorded stays.
    (folder / "red.wav").write_bytes(b"ours")
    assert ran(capsys, folder)[0] == 0
    assert (folder / "red.wav").read_bytes() == b"ours"


def test_recordings_that_hold_are_counted(recorded, capsys):
    whole = next(clip_name(phrase) for phrase in fixed_phrases() if clip_name(phrase) not in WORDS)
    (recorded / f"{whole}.wav").write_bytes(WORD)
    status, lines, _ = ran(capsys, "--check", recorded)
    assert (status, lines) == (
        0,
        [f"{recorded}: {len(WORDS)} of {len(WORDS)} words and phrases hold, and 1 whole sentences"],
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "missing"),
        (b"", "no clip that can be played (it breaks off); save it as a 16-bit WAV file"),
        (WORD[:-1], "no clip that can be played (it breaks off); save it as a 16-bit WAV file"),
        (
            WORD[:24] + bytes(4) + WORD[28:],
            "no clip that can be played (it breaks off); save it as a 16-bit WAV file",
        ),
        (wav([3] * 8000), "silent: nobody speaks in it"),
        (wav([4000, -4000] * 100), "too short: it was cut off"),
        (wav([4000, -4000] * 16000), "too long: it speaks for 4.0 s, and 3 s are the most"),
        (
            wav([200, -200] * 4000),
            "too quiet: record it closer to the microphone",
        ),
        (
            wav([32767, 32767, 32767, 32767, -32768, -32768] * 1000),
            "clipped: too loud for the microphone's level; record it softer",
        ),
    ],
    ids=["missing", "empty", "half a sample", "no rate", "silent", "short", "long", "quiet", "clipped"],
)
def test_what_does_not_hold_is_a_line_each(recorded, capsys, data, why):
    (recorded / "red.wav").unlink()
    if data is not None:
        (recorded / "red.wav").write_bytes(data)
    (recorded / "rde.wav").write_bytes(WORD)
    status, lines, _ = ran(capsys, "--check", recorded)
    assert status == 1
    assert lines == [
        f"red.wav: {why}",
        "rde.wav: nothing is called so; words.txt has the names",
        f"{recorded}: {len(WORDS) - 1} of {len(WORDS)} words and phrases hold, and 0 whole sentences",
    ]


def test_names_may_be_in_capitals(recorded, capsys):
    (recorded / "red.wav").rename(recorded / "RED.WAV")
    assert ran(capsys, "--check", recorded)[0] == 0
    assert ran(capsys, "--play", recorded, "Red starts.", "-o", recorded.parent / "out.wav")[1] == [
        "red · starts"
    ]


def test_a_sentence_is_written_and_what_it_is_made_of_is_told(recorded, capsys, tmp_path):
    (recorded / "red.wav").unlink()
    out = tmp_path / "out.wav"
    status, lines, _ = ran(capsys, "--play", recorded, "Red starts.", "Timber shift.", "-o", out)
    assert status == 0
    assert lines[0].startswith(f"{recorded}: the computer speaks for red.wav: missing; `uckers-table clips")
    assert lines[1:] == ["(red) · starts", "Timber shift."]
    assert (tmp_path / "asked").read_text() == "red|"
    rate, samples = sound(out.read_bytes())
    # Three words of half a second, and the pauses.
    assert 1.5 < len(samples) / rate < 2.5


def test_sentences_are_played_through_the_loudspeaker(recorded, capsys, tmp_path, monkeypatch):
    heard = tmp_path / "heard"
    play = f"import sys; open({str(heard)!r}, 'ab').write(sys.stdin.buffer.read())"
    through = partial(voice.SpokenVoice, play=(sys.executable, "-c", play), cards=tmp_path / "none")
    monkeypatch.setattr(clips, "SpokenVoice", through)
    status, lines, _ = ran(capsys, "--play", recorded)
    assert status == 0
    assert len(lines) == len(clips.examples(COLOURS))
    assert heard.read_bytes().count(b"RIFF") == len(lines)


def test_what_makes_no_sense_is_told_in_a_line(folder, capsys):
    status, _, complaint = ran(capsys, folder, "Red starts.")
    assert status == 2
    assert "sentences and -o go with --play" in complaint
    for what in ("--check", "--play"):
        status, _, complaint = ran(capsys, what, folder / "nowhere")
        assert status == 2
        assert "cannot be read (No such file or directory)" in complaint


def test_other_colours_are_in_the_list_of_a_table_that_has_them(folder, capsys, tmp_path):
    (tmp_path / "table.toml").write_text('seats = ["orange", "green", "yellow", "blue"]\n')
    ran(capsys, folder, "--config", tmp_path / "table.toml")
    names = {path.stem for path in (folder / "computer").iterdir()}
    assert {"orange", "oranges"} <= names
    assert COLOURS[0] not in names
