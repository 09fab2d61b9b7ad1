"""The page for a screen on the wall, in a real browser: what is read from four metres, and stays right."""

from dataclasses import replace

import pytest

from tests.record.test_statistics import RED, SEATS, match, taken_back, ucks
from tests.web.browsing import PHONE, WAIT_MS, needs_chromium, phone_at, see
from tests.web.fakes import PIN
from tests.web.test_in_a_browser import CUT_OFF, ON_ITS_SIDE, SMALL, in_play
from uckers_table.errors import InputError
from uckers_table.web import commands
from uckers_table.web.app import Page
from uckers_table.web.feed import RulingLine, TableState
from uckers_table.web.gate import Gate
from uckers_table.web.server import PageServer

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
TELEVISION = {"width": 1920, "height": 1080}
SIZES = {"small": SMALL, "phone": PHONE, "on_its_side": ON_ITS_SIDE, "laptop": {"width": 1366, "height": 768}}
LONG_NAME = "A very very long name, with titles & all"
NAMES = {"red": "Jack", "green": "<i>Nobby</i>", "yellow": LONG_NAME, "blue": "עמית 12"}
SENTENCE = (
    "A red piece moved 4 on and stands three on from green's doorstep, and a green piece went to base from "
    "three on from green's doorstep."
)
LEAST_PX = 24
"""The least letters on a television of 43 inches: 12 mm, a sixth of a degree at four metres."""
TEXTS = """() => [...document.querySelectorAll("main *")].filter((each) => each.checkVisibility()
    && !each.closest(".for-readers, svg")
    && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((each) => [each.textContent, parseFloat(getComputedStyle(each).fontSize)])"""
"""All that is written on the page, and how large."""


class Evening:
    """The record of an evening: two matches that are over, and what was ruled in the one that is on."""

    def __init__(self):
        self.rulings = ()

    def matches(self):
        played = {1: {"red": "Jack", "green": "Dusty"}, 2: {"red": "jack"}}
        return [
            match(number=hour, winner=RED, names=names, begun=f"2026-11-20T2{hour}:00:00+00:00").summary
            for hour, names in played.items()
        ]

    def match(self, number):
        if number != 1:
            raise InputError("there is no such match")
        return match(*self.rulings)


@pytest.fixture
def evening():
    return Evening()


@pytest.fixture
def port(table, evening):
    server = PageServer(Page(table.feed, table, evening, Gate(PIN, lambda: 0.0)), 0, "127.0.0.1")
    yield server.port
    server.close()


@pytest.fixture
def television(chromium, port):
    with phone_at(chromium, port, TELEVISION) as page:
        yield page


def begun(table, names=NAMES):
    in_play(table)
    table.names = names
    table.publish()


def rule(table, evening, ruling, kind="legal"):
    """The table rules something, as its record has it by then."""
    evening.rulings = (*evening.rulings, ruling)
    table.rulings = (*table.rulings, RulingLine(100 + len(evening.rulings), ruling.t, kind, "Words.", "red"))
    table.publish()


def test_the_match_is_on_the_wall_whose_turn_the_dice_and_the_names(television, table):
    television.goto("/wall")
    see(television.locator("#who")).to_have_text("No match is on")
    begun(table, {})
    see(television.locator("#who")).to_have_text("Red")
    see(television.locator("#what")).to_have_text("to play · 1 more")
    table.names = NAMES
    table.publish()
    see(television.locator("#who")).to_have_text("Jack")
    see(television.locator("#what")).to_have_text("Red to play · 1 more")
    see(television.locator("#dice").get_by_role("img")).to_have_count(2)
    people = television.locator("#people li")
    see(people.filter(has_text="▶")).to_contain_text("Jack")
    see(people.nth(1)).to_have_text("<i>Nobby</i>G · 0 in base · 2 home")
    assert television.locator("main i").count() == 0
    see(television.locator("#board [data-colour=yellow][data-steps='53']")).to_be_visible()
    table.do(commands.EnterPlay(table.match.plays[0]))
    see(television.locator("#dice").get_by_role("img")).to_have_count(0)


def test_the_last_ucking_is_there_until_it_is_taken_back(television, table, evening):
    begun(table)
    television.goto("/wall")
    see(television.locator("#who")).to_have_text("Jack")
    see(television.locator("#ucking-part")).to_be_hidden()
    rule(table, evening, replace(ucks("red", ("green", 5)), say="First."))
    see(television.locator("#ucking")).to_have_text("First.")
    rule(table, evening, replace(ucks("red", ("green", 7)), say="Second <b>.", t=6.0))
    see(television.locator("#ucking")).to_have_text("Second <b>.")
    rule(table, evening, taken_back(since=5.0), "taken_back")
    see(television.locator("#ucking")).to_have_text("First.")
    # Another match has its own.
    table.number = 8
    table.publish()
    see(television.locator("#ucking-part")).to_be_hidden()


def test_the_evening_s_score_and_the_winners_are_told(television, table, monkeypatch):
    begun(table)
    television.goto("/wall")
    see(television.locator("#score li")).to_have_text(["Jack 2", "Yellow 2", "Dusty 0", "Blue 0", "Green 0"])
    see(television.locator("#since")).to_contain_text("Won since Friday ")
    over = replace(
        table.snapshot(), state=TableState.OVER, awaiting="over", winner=RED, honours=("eight_piecer",)
    )
    monkeypatch.setattr(table, "snapshot", lambda: over)
    table.publish()
    see(television.locator("#who")).to_have_text(f"Jack and {LONG_NAME} won")
    see(television.locator("#what")).to_have_text("Eight piecer")
    see(television.locator("#people li").filter(has_text="★")).to_have_count(2)


@pytest.mark.parametrize(
    "names", [NAMES, dict.fromkeys(SEATS, "W" * 40), {}], ids=["names", "endless", "none"]
)
def test_a_television_shows_all_at_once_in_letters_read_from_four_metres(television, table, evening, names):
    begun(table, names)
    rule(table, evening, replace(ucks("red", ("green", 5)), say=SENTENCE))
    television.goto("/wall")
    see(television.locator("#ucking")).to_have_text(SENTENCE)
    see(television.locator("#score li").first).to_be_visible()
    size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert television.evaluate(size) == [*TELEVISION.values()]
    letters = television.evaluate(TEXTS)
    assert len(letters) > 10
    assert [each for each in letters if each[1] < LEAST_PX] == []
    assert television.locator("#board").bounding_box()["height"] > 1000


def test_the_bar_rests_until_somebody_touches_the_screen(television, table):
    begun(table)
    television.goto("/wall")
    see(television.locator("#who")).to_have_text("Jack")
    see(television.get_by_text("Menu", exact=True)).to_be_hidden()
    television.keyboard.press("Shift")
    see(television.get_by_text("Menu", exact=True)).to_be_visible()
    see(television.get_by_role("button", name="The whole screen")).to_be_visible()
    television.get_by_text("Menu", exact=True).click()
    television.get_by_label("Theme").select_option("night")
    see(television.locator("html")).to_have_attribute("data-theme", "night")


def test_an_address_may_say_the_theme_for_a_screen_that_nobody_can_touch(television, table):
    television.goto("/wall?theme=night")
    see(television.locator("html")).to_have_attribute("data-theme", "night")
    television.goto("/wall")
    see(television.locator("html")).not_to_have_attribute("data-theme", "night")


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        *((size, "light") for size in SIZES),
        ("television", "light"),
        ("television", "dark"),
        ("television", "night"),
    ],
)
def test_the_wall_fits_every_screen_and_axe_finds_no_fault_in_it(chromium, port, table, evening, size, theme):
    begun(table)
    rule(table, evening, replace(ucks("red", ("green", 5)), say=SENTENCE))
    context = chromium.new_context(viewport=SIZES.get(size, TELEVISION), base_url=f"http://127.0.0.1:{port}")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto(f"/wall?theme={theme}")
    see(page.locator("#ucking")).to_have_text(SENTENCE)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT_OFF) == []
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    context.close()
