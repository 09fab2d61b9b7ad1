"""A word pack: sentences in its entries, and a mess's recordings joined to one sound."""

import stat

import numpy as np
import pytest

from tests.devices.test_speech import sound, wav
from uckers_table.devices import speech as module
from uckers_table.devices.recordings import LEVEL, PAUSES_S, PEAK, RATE, doubtful, ready, sound_of
from uckers_table.devices.segments import Pack, Segment, Stop
from uckers_table.devices.speech import Speech

NONE, COMMA, FULL = Stop
WORDS = ("red", "red's", "Timber shift", "two on from", "two", "on from", "doorstep", "6", "put it", "back")


@pytest.mark.parametrize(
    ("sentence", "segments"),
    [
        (
            "Timber shift! Red, two on from red's doorstep. Put it 6 back.",
            [
                *[("timber shift", FULL), ("red", COMMA), ("two on from", NONE), ("red's", NONE)],
                *[("doorstep", FULL), ("put it", NONE), ("six", NONE), ("back", FULL)],
            ],
        ),
        # No entry reaches over a stop that it does not have.
        (
            "Timber, shift. Two. On from",
            [("timber", COMMA), ("shift", FULL), ("two", FULL), ("on from", NONE)],
        ),
        ("26", [("twenty", NONE), ("six", NONE)]),
        ("'Red'", [("red", NONE)]),
        ("", []),
    ],
    ids=["a sentence", "stops", "a number", "quoted", "nothing"],
)
def test_a_sentence_is_taken_apart_into_the_fewest_entries(sentence, segments):
    pack = Pack(WORDS)
    known = {"timber", "shift", "twenty"}
    expected = [Segment(words, words not in known, stop) for words, stop in segments]
    assert list(pack.segments(sentence)) == expected


def test_a_long_entry_is_not_chosen_where_it_leaves_a_word_unknown():
    words = [each.words for each in Pack(["a b", "a", "b c"]).segments("a b c")]
    assert words == ["a", "b c"]


def test_an_entry_with_a_stop_in_it_is_found():
    assert [
        each.words for each in Pack(["which one? Press its number"]).segments("Which one? Press its number.")
    ] == ["which one press its number"]


def tone(hertz, lasts_s, *, rate=RATE, level=0.3, silence_s=0.0, channels=1):
    """A word that a stand-in speaks: a tone between silences."""
    t = np.arange(round(lasts_s * rate)) / rate
    quiet = np.zeros(round(silence_s * rate))
    samples = np.concatenate([quiet, level * np.sin(2 * np.pi * hertz * t), quiet])
    return wav(np.repeat(np.rint(samples * 32767).astype(int), channels), rate=rate, channels=channels)


def heard(data):
    """Of each stretch of a sound its strongest frequency and how long it lasts; the silences between them."""
    rate, samples = sound(data)
    assert rate == RATE
    swing = np.abs(np.asarray(samples, float)) / 32768
    is_on = np.convolve(swing, np.ones(100) / 100, "same") > 0.01
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_on, [False]]).astype(int)))
    found = []
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        spectrum = np.abs(np.fft.rfft(np.asarray(samples[start:end]) * np.hanning(end - start)))
        hertz = np.argmax(spectrum) * RATE / (end - start)
        found.append((round(hertz, -2), round((end - start) / RATE, 1)))
    pauses = [round((after - end) / RATE, 2) for end, after in zip(edges[1::2], edges[2::2], strict=False)]
    return found, pauses


@pytest.fixture
def mess(tmp_path, monkeypatch):
    """A folder of a mess's recordings, each word a tone of its own, and a computer that speaks at 3000 Hz."""
    folder = tmp_path / "ours"
    folder.mkdir()
    for number, name in enumerate(Pack(WORDS).phrases):
        odd = number % 2
        (folder / f"{name}.wav").write_bytes(
            tone(
                200 + 200 * number,
                0.3,
                rate=(44100, 16000)[odd],
                level=(0.5, 0.1)[odd],
                silence_s=0.4,
                channels=1 + odd,
            )
        )
    said = tmp_path / "said.wav"
    said.write_bytes(tone(3000, 0.3))
    program = tmp_path / "speaks"
    program.write_text(f'#!/bin/sh\nprintf "%s|" "$1" >>{tmp_path}/asked\ncat {said}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "asked").touch()
    monkeypatch.setattr(module, "PROGRAMS", {"other": (str(program),)})
    return folder


def asked(folder):
    return (folder.parent / "asked").read_text()


def speech_of(folder, volume=100):
    return Speech("other", clips=folder, pack=WORDS, volume=volume)


def test_a_sentence_of_recordings_is_one_sound_without_their_silence(mess):
    speech = speech_of(mess)
    (data,) = speech.sounds("Timber shift. Red, two on from red's doorstep.")
    found, pauses = heard(data)
    assert [hertz for hertz, _ in found] == [600, 200, 800, 400, 1400]
    # All that is left of the silence round a word is its margin.
    assert all(abs(lasts - 0.3) <= 0.1 for _, lasts in found)
    expected = [PAUSES_S[stop] for stop in (FULL, COMMA, NONE, NONE)]
    assert pauses == pytest.approx([each + 0.06 for each in expected], abs=0.03)
    assert speech.trouble == asked(mess) == ""


def test_all_recordings_are_equally_loud_and_none_is_clipped(mess):
    (data,) = speech_of(mess).sounds("Timber shift red doorstep")
    _, samples = sound(data)
    swing = np.abs(np.asarray(samples)) / 32768
    peaks = [swing[start : start + 8000].max() for start in range(0, 24000, 8000)]
    assert peaks == pytest.approx([LEVEL * np.sqrt(2)] * 3, rel=0.05)
    (softer,) = speech_of(mess, volume=50).sounds("Timber shift red doorstep")
    assert np.abs(sound(softer)[1]).max() / 32768 == pytest.approx(LEVEL * np.sqrt(2) / 4, rel=0.05)
    click = np.zeros(RATE)
    click[1000] = 0.5
    assert np.abs(ready(click)).max() == pytest.approx(PEAK)


def test_a_whole_sentence_s_own_recording_wins_over_its_words(mess):
    (mess / "put-it-back.wav").write_bytes(tone(5000, 0.3))
    (data,) = speech_of(mess).sounds("Timber shift. Put it back. Timber shift.")
    assert [hertz for hertz, _ in heard(data)[0]] == [600, 5000, 600]


def test_what_is_missing_or_broken_is_spoken_by_the_computer_and_told_in_a_line(mess):
    (mess / "doorstep.wav").write_bytes(b"RIFF")
    (mess / "reds.wav").unlink()
    speech = speech_of(mess)
    for _ in range(2):
        (data,) = speech.sounds("Red, two on from red's doorstep. Timber shift.")
        assert [hertz for hertz, _ in heard(data)[0]] == [200, 800, 3000, 600]
    # Words in a row are spoken together, and once.
    assert asked(mess) == "red's doorstep|"
    assert list(speech.makeup("Red's. Timber shift.")) == [("red's", False), ("Timber shift.", True)]
    assert speech.trouble == (
        f"{mess}: the computer speaks for reds.wav: missing; doorstep.wav: no clip that can be played "
        f"(it breaks off); save it as a 16-bit WAV file; `uckers-table clips --check {mess}` names each"
    )


def test_a_recording_that_goes_away_is_spoken_by_the_computer(mess):
    speech = speech_of(mess)
    (mess / "red.wav").unlink()
    (data,) = speech.sounds("Red. Timber shift.")
    assert [hertz for hertz, _ in heard(data)[0]] == [3000, 600]


def test_words_that_are_not_in_the_pack_are_spoken_by_the_computer(mess):
    (data,) = speech_of(mess).sounds("Red is here.")
    assert [hertz for hertz, _ in heard(data)[0]] == [200, 3000]
    assert asked(mess) == "is here|"


def test_a_folder_with_few_words_is_one_of_whole_sentences(mess):
    kept = {"back", "timber-shift"}
    for path in mess.iterdir():
        if path.stem not in kept:
            path.unlink()
    speech = speech_of(mess)
    assert len([*speech.sounds("Timber shift. Red put it back.")]) == 2
    assert asked(mess) == "Red put it back.|"
    assert speech.trouble == ""
    assert list(speech.makeup("Timber shift. Red put it back.")) == [
        ("Timber shift.", True),
        ("Red put it back.", False),
    ]


def test_what_is_prepared_of_a_pack_is_what_it_lacks(mess):
    (mess / "red.wav").unlink()
    speech = speech_of(mess)
    for word in WORDS:
        speech.prepare(word)
    assert asked(mess) == "red|"
    assert len([*speech.sounds("Red.")]) == 1
    assert asked(mess) == "red|"


def test_a_recording_in_stereo_and_at_another_rate_keeps_its_pitch_and_length():
    for rate in (8000, 16000, 22050, 44100, 48000):
        data = tone(1000, 0.5, rate=rate, channels=2)
        samples = sound_of(data)
        assert len(samples) == pytest.approx(0.5 * RATE, abs=1)
        assert np.argmax(np.abs(np.fft.rfft(samples))) * RATE / len(samples) == pytest.approx(1000, abs=2)
        assert np.abs(samples[100:-100]).max() == pytest.approx(0.3, abs=0.01)


def in_a_compartment(decibels_under, *, offset=0.0):
    """A word with a fan's noise so far under it, and half a second before and after it, as a WAV file."""
    word = sound_of(tone(200, 0.6, level=0.2, silence_s=0.5))
    noise = np.convolve(np.random.default_rng(1).normal(size=len(word)), np.ones(8) / 8, "same")
    fan = 0.2 / np.sqrt(2) / 10 ** (decibels_under / 20)
    return wav(np.rint(32767 * (word + noise / noise.std() * fan + offset)).astype(int), rate=RATE)


@pytest.mark.parametrize(("decibels_under", "offset"), [(60, 0.0), (30, 0.0), (30, 0.05), (25, 0.0)])
def test_what_a_fan_makes_of_silence_is_cut_off_too(decibels_under, offset):
    recorded = in_a_compartment(decibels_under, offset=offset)
    assert len(ready(sound_of(recorded))) / RATE == pytest.approx(0.66, abs=0.03)
    assert doubtful(recorded) == ""


def test_a_recording_with_too_much_of_a_background_is_called_noisy():
    before, _, after = doubtful(in_a_compartment(15)).partition(" dB ")
    assert (before[:-3], after) == (
        "noisy: the background is only",
        "under the voice; record it where it is quiet",
    )
    assert int(before[-2:]) == pytest.approx(15, abs=1)


def test_a_word_without_a_pause_has_no_background():
    word = tone(200, 0.6)
    assert len(ready(sound_of(word))) / RATE == pytest.approx(0.6, abs=0.02)
    assert doubtful(word) == ""
