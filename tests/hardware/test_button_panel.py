"""The button box's lid: every button has its hole, its words and its digit, and fingers find room."""

from itertools import combinations
from math import dist
from xml.etree import ElementTree

from hardware.button_panel import WORDS, Panel, panel_sheet
from uckers_table.devices.pins import BUTTONS, DICE_BUTTON, NUMBERED, SWITCHES_OFF

SVG = "{http://www.w3.org/2000/svg}"
PANEL = Panel()


def test_every_button_has_a_place_and_words():
    assert PANEL.places().keys() == BUTTONS.keys() == WORDS.keys()


def test_holes_lie_within_the_lid_and_apart():
    wide, high = PANEL.size_mm
    for x, y in PANEL.places().values():
        assert 30.0 <= x <= wide - 30.0
        assert 30.0 <= y <= high - 30.0
    for one, other in combinations(PANEL.places().values(), 2):
        assert dist(one, other) > PANEL.hole_mm + 30.0


def test_the_template_has_each_hole_at_full_size_beside_its_digit():
    root = ElementTree.fromstring(panel_sheet(PANEL).svg())
    holes = [
        (float(c.get("cx")), float(c.get("cy"))) for c in root.iter(SVG + "circle") if c.get("r") == "12"
    ]
    digits = {t.text: (float(t.get("x")), float(t.get("y"))) for t in root.iter(SVG + "text")}
    assert len(holes) == len(BUTTONS)
    for index, name in enumerate(NUMBERED):
        nearest = min(holes, key=lambda hole: dist(hole, digits[str(index + 1)]))
        word = digits[WORDS[name][0]]
        assert nearest == min(holes, key=lambda hole: dist(hole, word))


def test_the_lid_says_which_button_switches_off_and_which_tells_the_dice():
    assert [name for name, (_, meaning) in WORDS.items() if "off" in meaning] == [SWITCHES_OFF]
    assert [name for name, (_, meaning) in WORDS.items() if "dice" in meaning] == [DICE_BUTTON]
