"""Sentences as sound: real programs where they are installed, a mess's own clips, and how loud it is."""

import doctest
import io
import re
import shutil
import stat
import sys
import threading
import wave
from queue import Queue

import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import segments
from uckers_table.devices import speech as module
from uckers_table.devices.segments import clip_name
from uckers_table.devices.speech import PROGRAMS, Speech, at_once, louder
from uckers_table.errors import DeviceError, InputError

ILLEGAL = [1000, -1000, 2000]


def wav(samples, rate=8000, width=2, channels=1):
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(np.asarray(samples, {1: "u1", 2: "<i2"}[width]).tobytes())
    return made.getvalue()


def sound(data):
    """Rate and samples of a WAV file."""
    with wave.open(io.BytesIO(data)) as file:
        return file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2").tolist()


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A speech program that says a number for each letter, and notes what it was asked for."""
    path, asked = tmp_path / "speaks", tmp_path / "asked"
    path.write_text(
        f"#!/bin/sh\nprintf '%s|' \"$1\" >>{asked}\n"
        f"[ \"$1\" = 'Break.' ] && exit 3\ncat {tmp_path}/said.wav\n"
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "said.wav").write_bytes(wav([100, -200]))
    asked.touch()
    monkeypatch.setattr(module, "PROGRAMS", {"other": (str(path),)})
    return asked


@pytest.fixture
def clips(tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    (folder / "illegal.wav").write_bytes(wav(ILLEGAL, rate=44100))
    (folder / "read me.txt").write_text("ours")
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_programs_make_real_sound_longer_for_longer_sentences(name):
    if shutil.which(PROGRAMS[name][0]) is None:
        pytest.skip(f"{PROGRAMS[name][0]} is not installed")
    speech = Speech(name)
    seconds = []
    for sentence in ("Green starts.", "Illegal. Red moved 7; the dice said 6 and 2.", "--help"):
        (spoken,) = speech.sounds(sentence)
        rate, samples = sound(spoken)
        assert np.abs(samples).max() > 3000
        seconds.append(len(samples) / rate)
    assert 0.4 < seconds[0] < seconds[1] < 8
    assert 0.2 < seconds[2] < 3


def test_a_sentence_is_spoken_in_one_go(program):
    assert [sound(each) for each in Speech("other").sounds("Illegal. Red moved 7.")] == [(8000, [100, -200])]
    assert program.read_text() == "Illegal. Red moved 7.|"


def test_a_clip_of_ones_own_takes_the_place_of_its_part(program, clips):
    speech = Speech("other", clips=clips)
    own, spoken = (44100, ILLEGAL), (8000, [100, -200])
    assert [sound(each) for each in speech.sounds("Illegal. Red moved 7. Put it back.")] == [own, spoken]
    assert [sound(each) for each in speech.sounds("Thank you. Illegal.")] == [spoken, own]
    assert program.read_text() == "Red moved 7. Put it back.|Thank you.|"


def test_what_was_prepared_is_not_spoken_again_and_no_clip_is_replaced(program, clips):
    speech = Speech("other", clips=clips)
    for phrase in ("Illegal.", "Thank you.", "Thank you."):
        speech.prepare(phrase)
    assert program.read_text() == "Thank you.|"
    assert len([*speech.sounds("Thank you. Illegal.")]) == 2
    assert program.read_text() == "Thank you.|"


def test_the_volume_is_of_clips_and_of_speech(program, clips):
    speech = Speech("other", clips=clips, volume=50)
    said = [sound(each)[1] for each in speech.sounds("Illegal. Thank you.")]
    # Half the volume is a quarter of the swing: that is about what ears call half as loud.
    assert said == [[250, -250, 500], [25, -50]]
    assert [sound(each)[1] for each in Speech("other", volume=0).sounds("Thank you.")] == [[0, 0]]


def test_a_length_that_a_pipe_could_not_know_is_set_right():
    unknown = bytearray(wav([1, 2, 3]))
    unknown[4:8] = unknown[40:44] = (0x7FFFFFFF).to_bytes(4, "little")
    assert louder(bytes(unknown), 1.0) == wav([1, 2, 3])


def test_a_sentence_is_heard_at_once():
    # Half a second of hiss, and a soft sound that belongs to the word.
    hiss, soft, word = [50, -50] * 2000, [200, -200] * 50, [10000, -10000] * 400
    rate, samples = sound(at_once(wav([*hiss, *soft, *word])))
    margin = round(0.03 * rate)
    assert samples == [*hiss[-margin:], *soft, *word]
    for kept in ([], [0, 0, 0], word):
        assert sound(at_once(wav(kept)))[1] == kept


def test_too_loud_is_clipped_and_does_not_wrap_round():
    assert sound(louder(wav([30000, -30000]), 2.0))[1] == [32767, -32768]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"RIFF", r"no clip that can be played \(it breaks off\)"),
        (b"", r"no clip that can be played \(it breaks off\)"),
        (b"ID3 an mp3", r"no clip that can be played \(.*does not start with RIFF"),
        (wav([1, 2], width=1), r"no clip that can be played \(it has 8 bit\)"),
        (wav([]), r"no clip that can be played \(it is empty\)"),
        (wav([9] * 800), "silent: nobody speaks in it"),
        (wav([9000, -9000] * 64000), "too long: it speaks for 16.0 s, and 15 s are the most"),
    ],
    ids=["RIFF and no more", "nothing", "an mp3", "8 bit", "no sample", "silence", "long"],
)
def test_a_clip_that_cannot_be_played_is_named_and_spoken_by_the_computer(program, clips, data, why):
    (clips / "thank-you.wav").write_bytes(data)
    speech = Speech("other", clips=clips)
    assert re.search(rf"clips: the computer speaks for thank-you\.wav: {why}", speech.trouble)
    assert [sound(each) for each in speech.sounds("Thank you.")] == [(8000, [100, -200])]


def test_what_cannot_be_used_is_told(program, tmp_path):
    with pytest.raises(InputError, match=r"no voice is called 'flute': there are other"):
        Speech("flute")
    with pytest.raises(InputError, match=r"the volume is 101; it is 0 to 100"):
        Speech("other", volume=101)
    with pytest.raises(InputError, match=r"the clips' folder .*nowhere cannot be read \(No such file"):
        Speech("other", clips=tmp_path / "nowhere")
    with pytest.raises(DeviceError, match=r"the sentence could not be spoken: .*failed \(status 3\)"):
        list(Speech("other").sounds("Break."))


def test_a_program_that_hangs_is_said_in_a_sentence_and_left(monkeypatch):
    monkeypatch.setattr(module, "PROGRAMS", {"other": (sys.executable, "-c", "import time; time.sleep(9e5)")})
    monkeypatch.setattr(module, "SPEAK_WAIT_S", 0.2)
    with pytest.raises(DeviceError) as hung:
        list(Speech("other").sounds("Illegal."))
    assert str(hung.value) == (
        f"the sentence could not be spoken: {sys.executable} hangs; start the table anew"
    )


def test_who_closes_it_ends_a_program_that_hangs(monkeypatch, tmp_path):
    begun = tmp_path / "begun"
    code = f"open({str(begun)!r}, 'w').close(); import time; time.sleep(9e5)"
    monkeypatch.setattr(module, "PROGRAMS", {"other": (sys.executable, "-c", code)})
    monkeypatch.setattr(module, "SPEAK_WAIT_S", 10 * HANGS_S)
    speech, told = Speech("other"), Queue()

    def speak():
        try:
            list(speech.sounds("Illegal."))
        except DeviceError as error:
            told.put(str(error))

    threading.Thread(target=speak).start()
    until(begun.exists)
    speech.close()
    assert "failed (status -9)" in told.get(timeout=HANGS_S)
    with pytest.raises(DeviceError, match="failed"):
        list(speech.sounds("Illegal."))


def test_a_program_that_is_not_installed(monkeypatch):
    monkeypatch.setattr(module, "PROGRAMS", {"flite": ("flite-nix",)})
    with pytest.raises(
        DeviceError, match=r"needs flite-nix, which is not installed: apt-get install flite-nix"
    ):
        Speech("flite")


def test_every_phrase_has_a_file_of_its_own():
    assert clip_name("Dice as they lie, please.") == "dice-as-they-lie-please"
    assert doctest.testmod(segments).failed == 0
