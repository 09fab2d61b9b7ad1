"""Requests become commands, or one line that says what is wrong with them."""

import json

import pytest

from uckers_table.announce.loudness import Loudness
from uckers_table.errors import InputError
from uckers_table.game.board import Board
from uckers_table.game.events import Call
from uckers_table.web import commands
from uckers_table.web.asked import CommandReader, parsed

SEATS = ("red", "green", "yellow", "blue")
BASES = {colour: [0, 0, 0, 0] for colour in SEATS}
START = {"do": "start", "rules": "wafu", "players": 4, "seats": list(SEATS), "loudness": "quiet"}


def read(data):
    asked = CommandReader({"wafu": "wafu", "mess": "/etc/mess.toml"})
    return asked.command(parsed(json.dumps(data).encode()), Board())


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        (START, commands.StartMatch("wafu", loudness="quiet")),
        (
            START
            | {"rules": "mess", "options": {"var_c": True}, "names": {"red": " Nobby "}, "to_play": "blue"},
            commands.StartMatch(
                "/etc/mess.toml", {"var_c": True}, names={"red": "Nobby"}, loudness="quiet", to_play="blue"
            ),
        ),
        ({"do": "leave"}, commands.LeaveMatch()),
        ({"do": "throw", "dice": [6, 3]}, commands.EnterThrow((6, 3))),
        ({"do": "fault", "kind": "dropped", "deliberate": True}, commands.EnterFault("dropped", True)),
        ({"do": "play", "position": BASES}, commands.EnterPlay(((0,) * 4,) * 4)),
        (
            {"do": "correct", "position": BASES | {"red": [57, 4, -1, 0]}},
            commands.Correct(((-1, 0, 4, 57), *((0,) * 4,) * 3)),
        ),
        ({"do": "press", "button": "accept"}, commands.Press("accept")),
        (
            {"do": "call", "call": "suckback", "piece": {"colour": "green", "steps": 25}, "target": 3},
            commands.MakeCall(Call("suckback", 1, 25, 3)),
        ),
        (
            {"do": "call", "call": "upboard", "piece": {"colour": "blue"}},
            commands.MakeCall(Call("upboard", 3)),
        ),
        ({"do": "loudness", "level": "chatty"}, commands.SetLoudness(Loudness.CHATTY)),
        ({"do": "picture", "what": "start"}, commands.TakePicture("start")),
        (
            {"do": "picture", "what": "empty", "seats": ["red", "blue", "yellow", "green"]},
            commands.TakePicture("empty", ("red", "blue", "yellow", "green")),
        ),
        ({"do": "corners", "corners": None}, commands.SetCorners(None)),
        (
            {"do": "corners", "corners": [[0, 0], [9.5, 0], [9, 9], [0, 9]]},
            commands.SetCorners(((0, 0), (9.5, 0), (9, 9), (0, 9))),
        ),
        ({"do": "top_left", "colour": "green"}, commands.SetTopLeft("green")),
        ({"do": "count_as", "colour": "green"}, commands.CountAs("green")),
        ({"do": "learn_paint", "base": "red", "colour": "red"}, commands.LearnPaint("red", "red")),
        ({"do": "clock", "unix_s": 1795212345}, commands.SetClock(1795212345)),
        ({"do": "dismiss", "number": 3}, commands.Dismiss(3)),
        ({"do": "try_again", "part": "camera"}, commands.TryAgain("camera")),
    ],
)
def test_a_request_is_the_command_that_it_names(asked, command):
    assert read(asked) == command


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"do": "erase"},
        {"do": ["leave"]},
        {"do": {"leave": 1}},
        {"do": "throw", "dice": [7, 1]},
        {"do": "throw", "dice": [True, 1]},
        {"do": "throw", "dice": [1.0, 1]},
        {"do": "throw", "dice": [1] * 3},
        {"do": "throw", "dice": "66"},
        {"do": "play", "position": {"red": [0, 0, 0, 0]}},
        {"do": "play", "position": BASES | {"pink": [0, 0, 0, 0]}},
        {"do": "play", "position": BASES | {"red": [0, 0, 0]}},
        {"do": "play", "position": BASES | {"red": [0, 0, 0, 58]}},
        {"do": "play", "position": BASES | {"red": [0, 0, 0, "1"]}},
        {"do": "play", "position": []},
        {"do": "press", "button": "self_destruct"},
        {"do": "call", "call": "suckback", "piece": {"colour": "green", "steps": 99}},
        {"do": "call", "call": "suckback", "piece": "green"},
        {"do": "call", "call": "suckback", "target": 7},
        {"do": "corners", "corners": [[0, 0]] * 3},
        {"do": "corners", "corners": [[0, 0, 0]] * 4},
        {"do": "corners", "corners": [[0, 1e9]] * 4},
        {"do": "loudness", "level": "deafening"},
        {"do": "picture", "what": "empty", "seats": ["red"] * 4},
        {"do": "picture", "what": "empty", "seats": "red"},
        {"do": "clock", "unix_s": 0},
        {"do": "clock", "unix_s": True},
        {"do": "dismiss", "number": 0},
        {"do": "dismiss", "number": "1"},
        {"do": "dismiss"},
        {"do": "try_again", "part": "../card"},
        START | {"rules": "/etc/passwd"},
        START | {"rules": "../wafu.toml"},
        START | {"players": 40},
        START | {"seats": ["red"] * 4},
        START | {"seats": ["red", "green", "yellow"]},
        START | {"seats": ["red", "green", "yellow", "<b>"]},
        START | {"seats": ["red", "green", "yellow", "blue", "white"]},
        START | {"loudness": "deafening"},
        START | {"names": {"red": "a\nb"}},
        START | {"names": {"red": "x" * 41}},
        START | {"names": {"pink": "x"}},
        START | {"options": {"no_such": True}},
        START | {"options": {"var_c": None}},
        START | {"options": {"var_c": [1]}},
        START | {"to_play": "pink"},
    ],
)
def test_what_makes_no_sense_is_one_line(asked):
    with pytest.raises(InputError) as error:
        read(asked)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[1]",
        b'{"do": ',
        b'{"a": NaN}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": ' + b"9" * 5000 + b"}",
        b"[" * 60_000,
        b'{"a":' * 12_000 + b"1" + b"}" * 12_000,
        b"\xff\xfe",
    ],
)
def test_what_is_no_json_object_of_ours_is_one_line(body):
    with pytest.raises(InputError) as error:
        parsed(body)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"do": "choose"},
        {"do": "choose", "values": {}},
        {"do": "choose", "values": {"record": "/"}},
        {"do": "choose", "values": {"switch_off": "reboot"}},
        {"do": "choose", "values": {"volume": 101}},
        {"do": "choose", "values": {"volume": True}},
        {"do": "choose", "values": {"mains_hz": True}},
        {"do": "choose", "values": {"camera": "simulated"}},
        {"do": "choose", "values": {"sound_stays_open": 1}},
        {"do": "choose", "values": {"tray_camera": "a\nb"}},
        {"do": "choose", "values": {"tray_camera": "x" * 121}},
        {"do": "choose", "values": {"sound_card": 5}},
        {"do": "try_out", "device": "camera", "deed": "lock"},
        {"do": "try_out", "device": "tower", "deed": "prompt"},
        {"do": "try_out", "device": "tray", "deed": "scale", "die_mm": 300},
        {"do": "heard", "is_heard": "yes"},
    ],
    ids=lambda asked: str(asked)[:60],
)
def test_of_devices_only_what_the_page_offers_can_be_asked(asked):
    with pytest.raises(InputError):
        CommandReader({}).command(asked, Board())


def test_what_is_chosen_is_taken_as_it_was_asked():
    values = {
        "volume": 40,
        "mains_hz": 60,
        "tray_camera": "ACME",
        "sound_stays_open": True,
        "tray_px_mm": 4.25,
    }
    assert CommandReader({}).command({"do": "choose", "values": values}, Board()) == commands.Choose(values)
    asked = {"do": "try_out", "device": "tray", "deed": "scale", "die_mm": 14}
    assert CommandReader({}).command(asked, Board()) == commands.TryOut("tray", "scale", 14)
