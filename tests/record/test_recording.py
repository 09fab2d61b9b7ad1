"""Recordings on disk: strict where they are evidence, forgiving where the plug was pulled."""

import errno
import io
import json
import os
import tracemalloc

import pytest

from uckers_table.errors import RecordError, RecordingError, UnreadError
from uckers_table.game.board import COLOURS, Board
from uckers_table.game.events import Call
from uckers_table.game.position import all_in_base
from uckers_table.record.heading import read_heading
from uckers_table.record.recording import (
    RecordedFrame,
    RecordingSettings,
    RecordingWriter,
    is_recording,
    last_recording,
    open_recording,
    settings_as_toml,
)
from uckers_table.referee.events import (
    ButtonPressed,
    CallMade,
    Correction,
    DeviceChanged,
    DiceFault,
    Seen,
    ThrowMade,
    ThrowVoid,
    event_to_json,
)
from uckers_table.sighting import Alternative, SeenDie, Sighting, Stray

BOARD = Board()
START = all_in_base(BOARD)

EVENTS = [
    Seen(
        0.5,
        Sighting(
            {"red": (0, 0, 4, 57), "green": (), "yellow": (0,), "blue": ()},
            (Stray("red", (7, 0)), Stray("blue", None)),
            (SeenDie(6, "flat", 100.5, 20.0), SeenDie(None, "cocked", 1.0, 2.0)),
            True,
            ("board_moved",),
            0.75,
            (Alternative("15", {"red": 2}, 1.5),),
        ),
    ),
    # One reading in two frames, another that says the same, and one of two places alone.
    *(
        Seen(0.5, Sighting(dict.fromkeys(COLOURS, (0, 0, 0, 0)), reading=reading, anew=anew))
        for reading, anew in [(1, None), (1, None), (2, None), (3, ("15", "red 0"))]
    ),
    ThrowMade(1.0, (6, 3)),
    DiceFault(1.5, "cocked"),
    DiceFault(1.5, "dropped"),
    ThrowMade(1.5, (5, 4), "tower", "3fa9c1d2/7"),
    DiceFault(1.5, "cocked", told="3fa9c1d2/9"),
    ThrowVoid(1.5, "jam"),
    CallMade(2.0, Call("challenge", 3, 28)),
    CallMade(2.0, Call("suckback", 0, 38, 3, True)),
    CallMade(2.0, Call("upboard")),
    ButtonPressed(3.0, "trust_board"),
    DeviceChanged(4.0, "tower", "lost"),
    Correction(5.0, ((1, 2, 3, 4), (0, 0, 0, 0), (0, 0, 0, 57), (0, 0, 0, 0))),
]


def write(folder, lines, settings='rules = "br4006"\n'):
    (folder / "recording.toml").write_text(settings)
    (folder / "events.jsonl").write_text(lines)
    return folder


def events(folder, warn=None):
    return list(open_recording(folder).events(BOARD, START, warn or io.StringIO()))


def test_every_kind_of_event_comes_back_as_it_was_written(tmp_path):
    settings = RecordingSettings(
        options={"var_a": True},
        seats=COLOURS,
        to_play="red",
        start={"red": [1, 0, 0, 0]},
        calibrate=(tmp_path / "empty.jpg", tmp_path / "start.jpg"),
    )
    writer = RecordingWriter(tmp_path, settings)
    for event in EVENTS:
        writer.write(event_to_json(event, BOARD))
    writer.close()
    recording = open_recording(tmp_path)
    assert recording.settings == settings
    assert list(recording.events(BOARD, START, io.StringIO())) == EVENTS


def waiting(t, **seen):
    return event_to_json(Seen(t, Sighting(dict.fromkeys(COLOURS, (0, 0, 0, 0)), **seen)), BOARD)


def test_sightings_that_change_nothing_are_one_line_with_their_number(tmp_path):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    for t in range(1, 501):
        writer.wait(waiting(float(t)))
    writer.wait(waiting(501.0, hand=True))
    writer.write({"t": 502.0, "kind": "cocked"})
    writer.close()
    assert (tmp_path / "events.jsonl").read_bytes().count(b"\n") == 3
    board, hand = (Sighting(dict.fromkeys(COLOURS, (0, 0, 0, 0)), hand=hand) for hand in (False, True))
    assert events(tmp_path) == [Seen(1.0, board, 500, 500.0), Seen(501.0, hand), DiceFault(502.0, "cocked")]


def test_a_line_of_a_match_that_waits_is_written_every_ten_minutes(tmp_path):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    for t in range(0, 3600, 5):
        writer.wait(waiting(float(t)))
    # What the last minutes would have said is gone if the power goes now.
    assert [(event.times, event.last) for event in events(tmp_path)] == [
        (121, 605.0 * number - 5) for number in range(1, 6)
    ]
    writer.close()


def test_a_wait_that_is_much_to_write_is_synced_on_the_way(tmp_path, monkeypatch):
    monkeypatch.setattr("uckers_table.record.recording.MOST_UNSYNCED", 1)
    writer = RecordingWriter(tmp_path, RecordingSettings())
    for t in (1.0, 1.2, 700.0):
        writer.wait(waiting(t))
    writer.close()
    assert [event.times for event in events(tmp_path)] == [2, 1]


def test_sightings_that_wait_are_on_the_card_once_they_are_synced(tmp_path):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    writer.wait(waiting(1.0))
    writer.wait(waiting(1.2))
    writer.sync()
    (seen,) = events(tmp_path)
    assert (seen.times, seen.last) == (2, 1.2)
    writer.close()


@pytest.mark.parametrize("first", ["write", "wait", "sync"])
def test_a_card_that_refuses_a_wait_takes_it_once_later(tmp_path, monkeypatch, first):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    for t in (1.0, 1.2, 1.4):
        writer.wait(waiting(t))
    does = {
        "write": lambda: writer.write({"t": 2000.0, "kind": "cocked"}),
        "wait": lambda: writer.wait(waiting(2000.0)),
        "sync": writer.sync,
    }

    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as card:
        card.setattr(os, "pwrite", refuse)
        with pytest.raises(RecordError):
            does[first]()
    writer.close()
    assert events(tmp_path)[0].times == 3
    assert len(events(tmp_path)) == 1


def test_the_same_sighting_once_more_is_read_at_its_own_time(tmp_path):
    lines = [waiting(1.0), waiting(1.2), waiting(1.5), waiting(1.7, hand=True)]
    write(tmp_path, "".join(json.dumps(line) + "\n" for line in lines))
    assert [(event.t, event.sighting.hand) for event in events(tmp_path)] == [
        *((1.0, False), (1.2, False), (1.5, False)),
        (1.7, True),
    ]


def test_a_recording_is_read_line_by_line(tmp_path):
    line = json.dumps(waiting(1.0)) + "\n"
    write(tmp_path, line * 40_000)
    recording = open_recording(tmp_path)
    tracemalloc.start()
    assert sum(1 for _ in recording.events(BOARD, START, io.StringIO())) == 40_000
    assert tracemalloc.get_traced_memory()[1] < len(line) * 400
    tracemalloc.stop()


def test_a_frame_is_named_by_its_path_in_the_folder(tmp_path):
    write(tmp_path, '{"t": 1, "kind": "frame", "file": "frames/1.jpg"}\n')
    assert events(tmp_path) == [RecordedFrame(1.0, tmp_path / "frames/1.jpg")]


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_torn_last_line_is_one_warning_and_the_rest_is_used(tmp_path, end):
    write(tmp_path, '{"t": 1, "kind": "cocked"}\n{"t": 2, "kind": "dro' + end)
    warned = io.StringIO()
    assert events(tmp_path, warned) == [DiceFault(1.0, "cocked")]
    assert warned.getvalue().count("\n") == 1
    assert "events.jsonl:2" in warned.getvalue()


def test_a_last_line_without_its_newline_is_not_torn_if_it_is_whole(tmp_path):
    write(tmp_path, '{"t": 1, "kind": "cocked"}')
    assert events(tmp_path) == [DiceFault(1.0, "cocked")]


@pytest.mark.parametrize(
    ("lines", "place", "what"),
    [
        ('{"t": 1, "kin\n{"t": 2, "kind": "cocked"}\n', ":1:", "Unterminated string"),
        ('{"t": 1, "kind": "sighting", "red": [-7]}\n', ":1:", "-7"),
        ('{"t": 1, "kind": "sighting", "red": [3.7]}\n', ":1:", "pieces"),
        ('{"t": 1, "kind": "call", "call": "bingo"}\n', ":1:", "bingo"),
        ('{"t": 1, "kind": "throw", "dice": [6.0, 1]}\n', ":1:", "dice"),
        ('{"t": 1, "kind": "correction", "position": [1]}\n', ":1:", "no position"),
        ('{"t": 2, "kind": "cocked"}\n{"t": 1, "kind": "cocked"}\n', ":2:", "goes back"),
        ('{"t": 1, "kind": "sneezed"}\n', ":1:", "sneezed"),
        ('{"t": 1, "kind": "sneezed"}', ":1:", "sneezed"),
        ('{"t": 1}\n', ":1:", "'kind'"),
        ('{"t": NaN, "kind": "cocked"}\n', ":1:", "'t'"),
        ('{"t": 1, "kind": "throw", "dice": [7, 1]}\n', ":1:", "dice"),
        ('{"t": 1, "kind": "throw", "dice": 6}\n', ":1:", ""),
        ('{"t": 1, "kind": "button", "name": "panic"}\n', ":1:", "panic"),
        ('{"t": 1, "kind": "frame", "file": "../secret.jpg"}\n', ":1:", "not inside"),
        ('{"t": 1, "kind": "frame", "file": "/etc/passwd"}\n', ":1:", "not inside"),
        ('{"t": 1, "kind": "sighting", "red": "x"}\n', ":1:", "pieces"),
        ('{"t": 1, "kind": "sighting", "reading": "x"}\n', ":1:", "reading"),
        ('{"t": 1, "kind": "sighting", "anew": ["white 3"]}\n', ":1:", "anew"),
        ('{"t": 1, "kind": "correction", "position": {"red": [1, 2]}}\n', ":1:", "2 pieces"),
        ("[1]\n", ":1:", "object"),
        ("[" * 100000 + "\n", ":1:", ""),
    ],
)
def test_a_bad_line_is_named_with_its_place(tmp_path, lines, place, what):
    write(tmp_path, lines)
    with pytest.raises(RecordingError) as raised:
        events(tmp_path)
    assert place in str(raised.value)
    assert what in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ("rules = ", "not TOML"),
        ("", "'rules'"),
        ('rules = "br4006"\nrule = 1', "'rule'"),
        ('rules = "br4006"\ndice = "bones"', "bones"),
        ('rules = "br4006"\nplayers = "four"', "'players'"),
        ('rules = "br4006"\ncalibrate = { empty = "a.jpg" }', "'calibrate'"),
        (
            'rules = "br4006"\ncalibrate = { empty = "a.jpg", start = "b.jpg", top_left = "white" }',
            "'calibrate.top_left' is 'white'; it is one of the seats red, green, yellow, blue",
        ),
        (
            'rules = "br4006"\ncalibrate = { empty = "a.jpg", start = "b.jpg", strange = ["white"] }',
            "'calibrate.strange' is ['white']; it lists some of the seats red, green, yellow, blue",
        ),
        ('rules = "br4006"\ntable = "../table.toml"', "not inside"),
    ],
    ids=lambda given: given[-36:],
)
def test_settings_that_make_no_sense_are_named(tmp_path, settings, what):
    write(tmp_path, "", settings)
    with pytest.raises(RecordingError) as raised:
        open_recording(tmp_path)
    assert "recording.toml" in str(raised.value)
    assert what in str(raised.value)


def test_whose_base_is_at_the_top_left_comes_back_as_it_was_written(tmp_path):
    pictures = tmp_path / "a.jpg", tmp_path / "b.jpg"
    for top_left in ("yellow", None):
        settings = RecordingSettings(calibrate=pictures, top_left=top_left)
        (tmp_path / "recording.toml").write_text(settings_as_toml(settings), encoding="utf-8")
        assert open_recording(tmp_path).settings.top_left == top_left


@pytest.mark.parametrize("strange", [(), ("red", "blue")])
def test_which_seats_have_a_strange_piece_comes_back_as_it_was_written(tmp_path, strange):
    settings = RecordingSettings(calibrate=(tmp_path / "a.jpg", tmp_path / "b.jpg"), strange=strange)
    (tmp_path / "recording.toml").write_text(settings_as_toml(settings), encoding="utf-8")
    assert open_recording(tmp_path).settings.strange == strange


def test_a_folder_without_a_recording_is_named(tmp_path):
    with pytest.raises(RecordingError, match=r"recording\.toml"):
        open_recording(tmp_path)
    (tmp_path / "recording.toml").write_text('rules = "br4006"')
    with pytest.raises(RecordingError, match=r"events\.jsonl"):
        events(tmp_path)


def test_what_was_written_before_the_plug_was_pulled_is_on_disk(tmp_path):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    writer.write({"t": 1.0, "kind": "cocked"})
    # Not closed: what another process would find now.
    assert json.loads((tmp_path / "events.jsonl").read_text()) == {"t": 1.0, "kind": "cocked"}
    writer.close()
    writer.close()


def test_a_recording_is_never_added_to_by_another_match(tmp_path):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    writer.write({"t": 1.0, "kind": "cocked"})
    writer.close()
    with pytest.raises(RecordError, match="holds a recording already"):
        RecordingWriter(tmp_path, RecordingSettings(rules="subex"))
    assert events(tmp_path) == [DiceFault(1.0, "cocked")]


def test_a_full_card_is_one_clear_error(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    writer = RecordingWriter(tmp_path, RecordingSettings())
    monkeypatch.setattr(os, "fdatasync", full)
    writer.write({"t": 1.0, "kind": "cocked"})
    with pytest.raises(RecordError, match=r"cannot be written \(No space left on device\)"):
        writer.sync()
    writer.close()


def test_a_recording_whose_folder_cannot_be_made_is_one_clear_error(tmp_path):
    (tmp_path / "a_file").write_text("in the way")
    with pytest.raises(RecordError, match="cannot be written"):
        RecordingWriter(tmp_path / "a_file" / "recording", RecordingSettings())


def test_what_a_card_forgot_that_would_not_sync_is_written_once_more(tmp_path, monkeypatch):
    def fails(descriptor):
        # What the system does then: the pages count as clean, and are gone.
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"\0" * 40, 0)
        raise OSError(errno.EIO, "Input/output error")

    writer = RecordingWriter(tmp_path, RecordingSettings())
    sync = os.fdatasync
    monkeypatch.setattr(os, "fdatasync", fails)
    writer.write({"t": 1.0, "kind": "cocked"})
    with pytest.raises(RecordError, match="the card fails: back it up, and replace it"):
        writer.sync()
    monkeypatch.setattr(os, "fdatasync", sync)
    writer.write({"t": 2.0, "kind": "cocked"})
    writer.sync()
    writer.close()
    assert events(tmp_path) == [DiceFault(1.0, "cocked"), DiceFault(2.0, "cocked")]


def test_half_a_line_on_a_full_card_leaves_no_hole(tmp_path, monkeypatch):
    writer = RecordingWriter(tmp_path, RecordingSettings())
    writer.write({"t": 1.0, "kind": "cocked"})
    put = os.pwrite

    def half(descriptor, data, offset):
        put(descriptor, data[: len(data) // 2], offset)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "pwrite", half)
    for _ in range(2):
        with pytest.raises(RecordError):
            writer.write({"t": 2.0, "kind": "cocked"})
    monkeypatch.setattr(os, "pwrite", put)
    writer.write({"t": 2.0, "kind": "cocked"})
    writer.close()
    assert events(tmp_path) == [DiceFault(1.0, "cocked"), DiceFault(2.0, "cocked")]


@pytest.mark.parametrize("read", [open_recording, is_recording, read_heading, last_recording])
def test_what_cannot_be_read_now_is_not_taken_for_what_is_not_there(tmp_path, monkeypatch, read):
    def refuse(*_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("os.open", refuse)
    monkeypatch.setattr("os.listdir", refuse)
    with pytest.raises(UnreadError, match="cannot be read now"):
        read(tmp_path)
