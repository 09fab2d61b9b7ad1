"""A match gone through in a real browser: what is pressed stays under the thumb, and leads to its moments."""

from dataclasses import replace

import pytest

from tests.web.browsing import needs_chromium, phone_at, see
from tests.web.test_in_a_browser import CUT_OFF
from uckers_table.record.match_record import Moved

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
SIZES = [(320, 640), (390, 844), (844, 390), (1366, 768)]
TAPS = 60
SENTENCES = (
    "Red starts.",
    "Yellow still has the 1 to play.",
    "Timber shift. Red, one short of green's mouth. Put it one back. A red piece moved 1 on and stands one "
    "short of green's mouth. It is not red's turn.",
    "",
    "Blue cannot move: yellow's blob one on from blue's doorstep and yellow's blob on yellow's doorstep.",
)
"""Of one to six lines on a phone."""
CONTROLS = ["#at", "#moment-back", "#back", "#play", "#on", "#moment-on", "#moments"]
BOXES = f"""() => Object.fromEntries({CONTROLS}.map((name) => {{
    const {{ x, y, width, height }} = document.querySelector(name).getBoundingClientRect();
    return [name, [x, y, width, height].map(Math.round)];
}}))"""
MOMENTS = {4: "illegal", 9: "legal", 14: "challenge_lost", 15: "timber_shift", 40: "legal"}
"""Rulings of the long match that are moments, by their numbers."""


@pytest.fixture(scope="module")
def long_match(shared_server):
    """A match of many rulings, with sentences of every length, an accusation, uckings and a challenge."""
    library = shared_server._page._library
    record = library.record
    plain = replace(record.rulings[1], facts={})
    entries = [
        replace(plain, t=float(each), say=SENTENCES[each % len(SENTENCES)]) for each in range(2 * TAPS)
    ]
    ahead = {**plain.position, "red": (0, 0, 0, 40)}
    behind = {**plain.position, "green": (0, 0, 0, 20)}
    for number, kind in MOMENTS.items():
        entries[number - 1] = replace(entries[number - 1], ruling=kind)
    # The first ucking changes nothing; at the second, green is ahead instead of red.
    for number, position in ((9, ahead), (40, behind)):
        ucked = (Moved("blue" if number == 9 else "red", 40, 0),)
        entries[number - 1] = replace(entries[number - 1], side="green", moves=ucked, position=position)
    for number in (*range(10, 40),):
        entries[number - 1] = replace(entries[number - 1], position=ahead)
    library.record = replace(record, entries=(*entries, record.entries[-1]), pictures={})
    yield shared_server
    library.record = record


@pytest.fixture
def phone(chromium, long_match):
    with phone_at(chromium, long_match.port) as page:
        page.goto("/matches/7")
        see(page.locator("#meta")).to_contain_text("1 of ")
        yield page


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_sixty_taps_at_one_spot_are_sixty_rulings(chromium, long_match, size):
    width, height = size
    with phone_at(chromium, long_match.port, {"width": width, "height": height}) as page:
        page.goto("/matches/7")
        see(page.locator("#meta")).to_contain_text("1 of ")
        first = page.evaluate(BOXES)
        for name in CONTROLS:
            see(page.locator(name)).to_be_in_viewport(ratio=1)
        for name in CONTROLS[1:-1]:
            assert min(first[name][2:]) >= 44, name
        # The first line of what was ruled is seen with them.
        line = page.locator("#say")
        assert line.evaluate("(each) => each.getBoundingClientRect().top + 24 <= innerHeight")
        x, y, w, h = first["#on"]
        for tap in range(TAPS):
            page.touchscreen.tap(x + w / 2, y + h / 2)
            see(page.locator("#meta")).to_contain_text(f"{tap + 2} of ")
            assert page.evaluate(BOXES) == first
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_OFF) == []


def test_it_steps_from_moment_to_moment(phone):
    seen = []
    for _ in MOMENTS:
        phone.get_by_role("button", name="One moment on").click()
        seen.append(phone.locator("#meta").inner_text())
    assert [int(each.partition(" ")[0]) for each in seen] == list(MOMENTS)
    said = ["accusation", "ucking", "challenge", "accusation", "ucking · turning point"]
    assert [each.endswith(f"· {kind}") for each, kind in zip(seen, said, strict=True)] == [True] * 5
    phone.get_by_role("button", name="One moment on").click()
    see(phone.locator(".toast")).to_have_text("There is none after this.")
    phone.get_by_role("button", name="One moment back").click()
    see(phone.locator("#meta")).to_contain_text("15 of ")


def test_it_steps_by_one_kind_of_moment_and_the_slider_shows_where_they_are(phone):
    ticks, kinds = phone.locator("#ticks line"), phone.get_by_label("step by")
    see(kinds.locator("option")).to_have_text(
        [
            "all moments (5)",
            "accusations (2)",
            "uckings (2)",
            "challenges (1)",
            "turning points (1)",
        ]
    )
    see(ticks).to_have_count(5)
    kinds.select_option("accusation")
    see(ticks).to_have_count(2)
    for number in (4, 15):
        phone.get_by_role("button", name="One moment on").click()
        see(phone.locator("#meta")).to_contain_text(f"{number} of ")
    kinds.select_option("turning_point")
    see(ticks).to_have_count(1)
    phone.get_by_role("button", name="One moment on").press("Enter")
    see(phone.locator("#meta")).to_contain_text("40 of ")
    # The tick stands over the thumb: its place is told by the slider's value.
    tick, slider = ticks.bounding_box(), phone.locator("#at").bounding_box()
    share = (tick["x"] + tick["width"] / 2 - slider["x"]) / slider["width"]
    assert share == pytest.approx(39 / (2 * TAPS), abs=0.03)


def test_a_match_without_moments_says_so(chromium, shared_server):
    library = shared_server._page._library
    record = library.record
    library.record = replace(record, entries=record.entries[:2])
    try:
        with phone_at(chromium, shared_server.port) as page:
            page.goto("/matches/7")
            see(page.get_by_label("step by").locator("option").first).to_have_text("all moments (0)")
            page.get_by_role("button", name="One moment on").click()
            see(page.locator(".toast")).to_have_text("There is none after this.")
    finally:
        library.record = record


@pytest.mark.parametrize("theme", ["light", "dark", "night"])
def test_axe_finds_no_fault_in_its_moments(phone, theme):
    phone.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    phone.get_by_role("button", name="One moment on").click()
    found = axe.Axe().run(phone).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
