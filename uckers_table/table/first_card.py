"""The first card: a line for each part of the table. It says what is well, and what to press or try.

Pure: it is given what the devices have said of themselves and what the camera sees, and words it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from uckers_table.sighting import Sighting
from uckers_table.web.feed import CardLine, DeviceLine

BOARD_TROUBLES: Mapping[str, tuple[str, str, str]] = {
    "board_not_found": (
        "Board not found.",
        "Is the whole board in the picture? If it is, show it the table anew.",
        "/setup#calibration",
    ),
    "occluded": ("Something lies over the board.", "Take hands, glasses and papers away.", "/setup#camera"),
    "blurred": (
        "The picture is blurred.",
        "Clean the lens, and let camera and board come to rest. If it stays so, show it the table anew.",
        "/setup#camera",
    ),
}
"""By the reader's word for what keeps it from reading the board: what is so, what to try, and where."""
LIGHT_TROUBLES: Mapping[str, tuple[str, str]] = {
    "too_dark": ("Too dark.", "Light the lamp over the board. Does something cover the lens?"),
    "colours_indistinct": (
        "The colours cannot be told.",
        "Put white light over the board: under red light no colours can be told.",
    ),
}
TOWER_FAULTS: Mapping[str, tuple[str, str]] = {
    "jam": ("A die is stuck in the tower.", "Take it out."),
    "dark": ("The tray’s lamp is dark.", "Is it plugged in, and are both of its strips lit?"),
    "blind": ("The tower cannot see its dice.", "Is the tray lit, and its camera plugged in and clean?"),
}
"""By the tower's word for what is wrong with it, as in `devices.base.NoThrow`."""
READERS = {
    "camera": "The camera reads the dice.",
    "buttons": "The dice are told by buttons or on this page.",
}
"""Who reads the dice where no tower does, by the configuration's word."""


@dataclass(frozen=True)
class CardFacts:
    """What is known of the table beside what its devices have said.

    `tower_faults` are the keys of TOWER_FAULTS that hold. `is_heard` is what people said of the voice, None
    while nobody was asked. `are_pressed` is set once each button has come in a test. `needs_tray_lock` is set
    where a camera over the tray is not locked.
    """

    dice: str = "tower"
    seen: Sighting | None = None
    tower_faults: Collection[str] = ()
    is_heard: bool | None = None
    are_pressed: bool = False
    needs_tray_lock: bool = False


def first_card(devices: Sequence[DeviceLine], known: CardFacts) -> tuple[CardLine, ...]:
    """The lines, in the order of the evening: board, light, tower, tray, buttons, display, sound."""
    by_name = {device.name: device for device in devices}
    return (
        *_sight(by_name["camera"], known.seen),
        *_tower(by_name["tower"], known),
        _buttons(by_name["buttons"], known),
        _display(by_name["display"]),
        _sound(by_name["voice"], known.is_heard),
    )


def _sight(camera: DeviceLine, seen: Sighting | None) -> Iterator[CardLine]:
    if camera.state == "none":
        yield CardLine("board", "No camera: plays are told on this page.", where="/setup#camera")
        return
    if camera.state == "lost":
        yield CardLine("board", "Camera not connected.", False, camera.what_to_try, "/setup#camera")
        return
    if camera.state == "not calibrated":
        to_try = "Show it the table: two pictures."
        yield CardLine(
            "board", "The camera does not know this board yet.", False, to_try, "/setup#calibration"
        )
        return
    if seen is None:
        to_try = "It takes some seconds. If none comes, see to the camera’s lead."
        yield CardLine("board", "No picture yet.", False, to_try, "/setup#camera")
        return
    troubles = set(seen.trouble)
    # What lies in the dark, or out of its place, can have further troubles that would be none in the light.
    if "too_dark" not in troubles:
        found = next((BOARD_TROUBLES[each] for each in BOARD_TROUBLES if each in troubles), None)
        yield (
            CardLine("board", "Board found.")
            if found is None
            else CardLine("board", found[0], False, *found[1:])
        )
    bad = next((LIGHT_TROUBLES[each] for each in LIGHT_TROUBLES if each in troubles), None)
    if bad is not None:
        yield CardLine("light", bad[0], False, bad[1], "/setup#camera")
    elif "board_not_found" not in troubles:
        yield CardLine("light", "Light good.")


def _tower(tower: DeviceLine, known: CardFacts) -> Iterator[CardLine]:
    if tower.state == "none":
        yield CardLine("tower", f"No tower. {READERS.get(known.dice, '')}".strip(), where="/devices#tower")
        return
    if tower.state == "lost":
        yield CardLine("tower", "Tower not connected.", False, tower.what_to_try, "/devices#tower")
        return
    faults = [TOWER_FAULTS[each] for each in TOWER_FAULTS if each in known.tower_faults]
    if tower.what_to_try:
        faults.append(("The tower needs looking after.", tower.what_to_try))
    if not faults:
        yield CardLine("tower", "Tower: press to test.", where="/devices#tower")
    for words, to_try in faults:
        yield CardLine("tower", words, False, to_try, "/devices#tower")
    if known.needs_tray_lock:
        to_try = "Press “Lock it”, so that its picture stays the same."
        yield CardLine("tray", "The tray’s camera is not locked.", False, to_try, "/devices#tray")


def _buttons(buttons: DeviceLine, known: CardFacts) -> CardLine:
    match buttons.state:
        case "none":
            return CardLine("buttons", "No buttons: this page has them.", where="/devices#buttons")
        case "lost":
            return CardLine(
                "buttons", "Buttons not connected.", False, buttons.what_to_try, "/devices#buttons"
            )
        case _ if known.are_pressed:
            return CardLine("buttons", "Buttons tested.", where="/devices#buttons")
        case _:
            return CardLine("buttons", "Buttons: press to test.", where="/devices#buttons")


def _display(display: DeviceLine) -> CardLine:
    match display.state:
        case "none":
            return CardLine("display", "No display: this page shows everything.", where="/devices#display")
        case "lost":
            to_try = display.what_to_try
            return CardLine("display", "Display not connected.", False, to_try, "/devices#display")
        case _:
            return CardLine("display", "Display: press to test.", where="/devices#display")


def _sound(voice: DeviceLine, is_heard: bool | None) -> CardLine:
    match voice.state:
        case "none":
            words = "No loudspeaker: display and page tell everything."
            return CardLine("sound", words, where="/devices#sound")
        case "lost":
            return CardLine("sound", "No sound.", False, voice.what_to_try, "/devices#sound")
        case _ if is_heard is False:
            to_try = "Is the loudspeaker’s lead in, has it power, is it turned up?"
            return CardLine("sound", "Sound not heard.", False, to_try, "/devices#sound", True)
        case _ if is_heard:
            return CardLine("sound", "Sound good.", where="/devices#sound", is_pressed_here=True)
        case _:
            return CardLine("sound", "Sound: press to test.", where="/devices#sound", is_pressed_here=True)
