"""The first card says of each part of the table what is so, and what to press or try."""

import pytest

from tests.ids import begins
from uckers_table.devices.base import Cocked, NoThrow, ThrowRead
from uckers_table.game.board import COLOURS
from uckers_table.sighting import Sighting
from uckers_table.table.device_states import OVER, DeviceStates
from uckers_table.table.first_card import (
    BOARD_TROUBLES,
    LIGHT_TROUBLES,
    TOWER_FAULTS,
    CardFacts,
    first_card,
)
from uckers_table.web.app import SHELLS
from uckers_table.web.feed import DeviceLine

DEVICES = ("camera", "tower", "buttons", "display", "voice")
WHY = "is its cable in?"


def seen(*trouble):
    return Sighting(dict.fromkeys(COLOURS, ()), trouble=trouble)


def card(known=None, **states):
    """The card of a table whose devices work, but for these."""
    devices = [
        DeviceLine(name, states.get(name, "works"), name not in states, WHY if name in states else "")
        for name in DEVICES
    ]
    return first_card(devices, known if known is not None else CardFacts(seen=seen()))


def words(lines):
    return " ".join(line.words for line in lines)


def line(lines, part):
    (found,) = (each for each in lines if each.part == part)
    return found


def test_the_evening_s_own_words():
    lines = card(tower="lost")
    assert words(lines[:3] + lines[-1:]) == (
        "Board found. Light good. Tower not connected. Sound: press to test."
    )
    assert [each.is_well for each in lines] == [True, True, False, True, True, True]
    assert (lines[2].to_try, lines[2].where) == (WHY, "/devices#tower")


CASES = [
    ("board", "No camera", {"camera": "none"}, True, ""),
    ("board", "Camera not connected.", {"camera": "lost"}, False, WHY),
    ("board", "The camera does not know this board yet.", {"camera": "not calibrated"}, False, "Show it"),
    ("tower", "No tower.", {"tower": "none"}, True, ""),
    ("buttons", "No buttons", {"buttons": "none"}, True, ""),
    ("buttons", "Buttons not connected.", {"buttons": "lost"}, False, WHY),
    ("display", "No display", {"display": "none"}, True, ""),
    ("display", "Display not connected.", {"display": "lost"}, False, WHY),
    ("sound", "No loudspeaker", {"voice": "none"}, True, ""),
    ("sound", "No sound.", {"voice": "lost"}, False, WHY),
]


@pytest.mark.parametrize(("part", "said", "states", "is_well", "to_try"), CASES, ids=begins)
def test_a_device_that_is_missing_is_said_with_what_to_try(part, said, states, is_well, to_try):
    found = line(card(**states), part)
    assert found.words.startswith(said)
    assert found.is_well is is_well
    assert found.to_try.startswith(to_try)


@pytest.mark.parametrize("state", ["none", "lost", "not calibrated"])
def test_without_a_picture_nothing_is_said_of_the_light(state):
    assert "light" not in [each.part for each in card(camera=state)]


def test_before_the_first_picture_it_is_waited_for():
    lines = card(CardFacts())
    assert lines[0].words == "No picture yet."
    assert lines[1].part == "tower"


SIGHTS = [
    ((), "Board found. Light good."),
    (("board_moved",), "Board found. Light good."),
    (("too_dark",), "Too dark."),
    (("too_dark", "board_not_found", "blurred"), "Too dark."),
    (("colours_indistinct",), "Board found. The colours cannot be told."),
    (("board_not_found", "blurred"), "Board not found."),
    (("occluded",), "Something lies over the board. Light good."),
    (("blurred",), "The picture is blurred. Light good."),
]


@pytest.mark.parametrize(("trouble", "said"), SIGHTS, ids=begins)
def test_what_the_camera_sees_is_said_of_board_and_light(trouble, said):
    lines = [each for each in card(CardFacts(seen=seen(*trouble))) if each.part in ("board", "light")]
    assert words(lines) == said
    assert all(each.is_well or (each.to_try and each.where) for each in lines)


def test_what_the_tower_says_of_itself_is_said_each():
    lines = card(CardFacts(seen=seen(), tower_faults=("jam", "blind"), needs_tray_lock=True))
    said = [each.words for each in lines if each.part in ("tower", "tray")]
    assert said == [TOWER_FAULTS["jam"][0], TOWER_FAULTS["blind"][0], "The tray’s camera is not locked."]
    remarked = [
        DeviceLine(name, "works", True, "A beam fails." if name == "tower" else "") for name in DEVICES
    ]
    found = line(first_card(remarked, CardFacts()), "tower")
    assert (found.is_well, found.to_try) == (False, "A beam fails.")


@pytest.mark.parametrize(
    ("dice", "said"), [("camera", "The camera reads the dice."), ("buttons", "by buttons or on this page")]
)
def test_without_a_tower_it_is_said_who_reads_the_dice(dice, said):
    assert said in line(card(CardFacts(dice=dice), tower="none"), "tower").words


def test_what_was_tried_is_said():
    tried = card(CardFacts(seen=seen(), is_heard=True, are_pressed=True))
    assert (line(tried, "sound").words, line(tried, "buttons").words) == ("Sound good.", "Buttons tested.")
    unheard = line(card(CardFacts(is_heard=False)), "sound")
    assert (unheard.words, unheard.is_well) == ("Sound not heard.", False)
    assert unheard.is_pressed_here and "turned up" in unheard.to_try


def test_every_line_leads_to_a_page_that_there_is():
    told = [
        *(card(**states) for _, _, states, _, _ in CASES),
        *(card(CardFacts(seen=seen(each))) for each in (*BOARD_TROUBLES, *LIGHT_TROUBLES)),
    ]
    assert {each.where.partition("#")[0] for lines in told for each in lines if each.where} <= set(SHELLS)


def test_a_fault_of_the_tower_stands_until_it_is_over():
    states = DeviceStates()
    for why in OVER:
        states.hear(NoThrow(why))
    assert states.tower_faults == set(OVER) == set(TOWER_FAULTS)
    states.hear(NoThrow("lit"))
    assert states.tower_faults == {"blind", "jam"}
    states.hear(NoThrow("handled"))
    assert states.tower_faults == {"blind"}
    states.hear(NoThrow("jam"))
    states.hear(ThrowRead((6, 1)))
    states.hear(NoThrow("sees"))
    states.hear(Cocked())
    assert states.tower_faults == frozenset()
