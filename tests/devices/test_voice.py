"""The voice: real sound from espeak-ng where it is installed, and the queue over stand-in programs."""

import shutil
import sys
import threading
import time
import wave
from queue import Queue

import numpy as np
import pytest

from uckers_table.devices.base import Back, Lost
from uckers_table.devices.voice import MOST_WAITING, SPEAK, EspeakVoice, SilentVoice
from uckers_table.errors import DeviceError

pytestmark = pytest.mark.timeout(60)
WAIT_S = 20
ECHO = ("cat",)


@pytest.fixture(autouse=True)
def _all_threads_end():
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) == before


@pytest.fixture
def voice():
    """Makes voices whose speaker writes the text itself, and whose player is as given."""
    made = []

    def make(*play, **others):
        made.append(EspeakVoice(speak=ECHO, play=play, **others))
        return made[-1]

    yield make
    for each in made:
        each.close()
        each.close()


def player(code):
    return (sys.executable, "-c", "import sys, os, time\n" + code)


def until(holds):
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_espeak_makes_real_sound(tmp_path):
    if shutil.which(SPEAK[0]) is None:
        pytest.skip("espeak-ng is not installed")
    lengths = []
    for number, sentence in enumerate(["Green starts.", "Illegal. Red moved 7; the dice said 6 and 2."]):
        file = tmp_path / f"{number}.wav"
        part = tmp_path / f"{number}.part"
        keep = f"open({str(part)!r}, 'wb').write(sys.stdin.buffer.read())\n"
        voice = EspeakVoice(play=player(keep + f"os.rename({str(part)!r}, {str(file)!r})"))
        voice.say(sentence)
        until(file.exists)
        voice.close()
        with wave.open(str(file)) as sound:
            assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 22050)
            samples = np.frombuffer(sound.readframes(10**7), np.int16)
        assert np.abs(samples).max() > 3000
        lengths.append(len(samples) / 22050)
    assert 0.4 < lengths[0] < lengths[1] < 8


def test_sentences_are_said_in_order(voice, tmp_path):
    said = tmp_path / "said"
    said.touch()
    speaker = voice(*player(f"open({str(said)!r}, 'a').write(sys.stdin.read() + '|')"))
    for sentence in ("Red to throw for start.", "--help", "Green starts."):
        speaker.say(sentence)
    until(lambda: said.read_text().count("|") == 3)
    assert said.read_text() == "Red to throw for start.|--help|Green starts.|"


def test_an_urgent_sentence_cuts_in_and_drops_those_that_wait(voice, tmp_path):
    said = tmp_path / "said"
    said.touch()
    speaker = voice(
        *player(
            f"text = sys.stdin.read(); open({str(said)!r}, 'a').write(text + '|')\n"
            "time.sleep(60 if 'long' in text else 0)"
        )
    )
    speaker.say("a long story")
    speaker.say("and another")
    until(lambda: said.read_text() == "a long story|")
    speaker.say("Illegal.", urgent=True)
    until(lambda: said.read_text().count("|") == 2)
    assert said.read_text() == "a long story|Illegal.|"


def test_closing_cuts_off_what_is_being_said(voice, tmp_path):
    started = tmp_path / "started"
    speaker = voice(*player(f"open({str(started)!r}, 'w').close(); time.sleep(60)"))
    speaker.say("a long story")
    until(started.exists)
    before = time.monotonic()
    speaker.close()
    assert time.monotonic() - before < WAIT_S


def test_what_waits_is_bounded_and_the_newest_stays(voice, tmp_path):
    said, go = tmp_path / "said", tmp_path / "go"
    said.touch()
    speaker = voice(
        *player(
            f"text = sys.stdin.read(); open({str(said)!r}, 'a').write(text + '|')\n"
            f"while not os.path.exists({str(go)!r}): time.sleep(0.005)"
        )
    )
    speaker.say("first")
    until(lambda: said.read_text() == "first|")
    for number in range(20):
        speaker.say(str(number))
    go.touch()
    until(lambda: said.read_text().endswith("|19|"))
    assert said.read_text().split("|")[1:-1] == [str(number) for number in range(20 - MOST_WAITING, 20)]


def test_a_missing_sound_card_is_told_once_and_so_is_its_return(voice, tmp_path):
    card, events = tmp_path / "card", Queue()
    speaker = voice(
        *player(
            "sys.stdin.read()\n"
            f"if not os.path.exists({str(card)!r}): sys.exit('aplay: main: audio open error: No such device')"
        ),
        listener=events.put,
    )
    speaker.say("one")
    speaker.say("two")
    assert events.get(timeout=WAIT_S) == Lost(
        "voice",
        "no sound: aplay: main: audio open error: No such device; is the speaker plugged in (aplay -l)?",
    )
    until(lambda: not speaker._waiting)
    card.touch()
    speaker.say("three")
    assert events.get(timeout=WAIT_S) == Back("voice")
    assert events.empty()


@pytest.mark.parametrize("programs", [{"speak": ("espeak-nix",)}, {"speak": ECHO, "play": ("aplay-nix",)}])
def test_missing_programs_say_what_to_install(programs):
    with pytest.raises(
        DeviceError, match=r"-nix, which is not installed: apt-get install espeak-ng alsa-utils"
    ):
        EspeakVoice(**programs)


def test_the_silent_voice_tells_what_it_would_have_said():
    said = []
    voice = SilentVoice(said.append)
    voice.say("Green starts.")
    voice.say("Illegal.", urgent=True)
    voice.close()
    SilentVoice().say("nobody hears")
    assert said == ["Green starts.", "Illegal."]
