"""A page that does not know its table yet: its controls are off, it says so, and no press is lost."""

import io
import re
from contextlib import contextmanager

import numpy as np
import pytest
from PIL import Image

from tests.patience import until
from tests.web.browsing import WAIT_MS, asked_for, needs_chromium, see, show_pin
from tests.web.fakes import PIN
from tests.web.test_in_a_browser import PAGES, in_play

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
LATE_MS = 2_000
WAITING = "Waiting for the table …"
FIGURES = re.compile("/api/(?!do|pin|lock|me|picture)")
"""Where a page asks how the table is, and what it has kept."""
CONTROLS = """() => [...document.querySelectorAll("main :is(button, select, input, textarea)")]
    .filter((each) => each.checkVisibility())"""
STATES = f"""() => ({CONTROLS})().map((each) => ({{
    name: [each.tagName, each.type, each.id, each.name, each.type === "radio" ? each.value : "",
        each.ariaLabel, each.type === "button" ? each.textContent : "",
        ...Object.values(each.dataset)].join(" "),
    isOff: each.matches(":disabled"), looksOff: Number(getComputedStyle(each).opacity) < 1 }}))"""
"""The controls in sight: what each is, whether it is off, and whether it looks so."""
BOXES = """() => [...document.querySelectorAll(".top, main *")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height];
})"""
TOLD = {
    "/": {"press", "call", "ask_back", "leave", "loudness"},
    "/new": {"start", "keep_rules"},
    "/calibrate": {"picture", "corners"},
    "/devices": {"choose", "try_out", "test_sound", "heard", "start_anew"},
    "/health": {"examine", "test_sound", "clock", "backup", "switch_off"},
    # The first card, on top of each step, tests the sound too; "Back" leads a step back.
    "/setup": {"test_sound", "keep_rules"},
    "/setup#seats": {"test_sound", "keep_rules"},
    "/setup#camera": {"test_sound"},
    "/setup#calibration": {"test_sound", "picture", "corners"},
    "/setup#sound": {"test_sound", "heard", "picture", "corners"},
    "/setup#done": {"test_sound", "start", "heard"},
}
"""What reaches the table where everything on a page is pressed; nothing, on other pages."""


@contextmanager
def late(phone, address=FIGURES):
    """A line on which nothing comes from an address until this is left."""
    held, is_late = [], True

    def answer(route):
        if is_late:
            held.append(route)
        else:
            route.fallback()

    phone.route(address, answer)
    yield
    is_late = False
    for route in held:
        route.fallback()


def let_in(phone, server):
    """The phone has shown its PIN; its presses go to the list that this gives, and nothing comes of them."""
    origin = {"origin": f"http://127.0.0.1:{server.port}"}
    assert phone.context.request.post("/api/pin", data={"pin": PIN}, headers=origin).ok
    told = []

    def answer(route):
        told.append(route.request.post_data_json)
        route.fulfill(json={"is_done": False, "line": "Heard."})

    phone.route("**/api/do", answer)
    # Not all options go together that are chosen so; the browser would complain of that answer.
    phone.route("**/changed?*", lambda route: route.fulfill(json={"changes": [], "warnings": []}))
    return told


def press_all(phone):
    """Press every control in sight, and what comes into sight by that."""
    pressed = set()
    while True:
        controls = phone.evaluate(STATES)
        left = [at for at, each in enumerate(controls) if not each["isOff"] and each["name"] not in pressed]
        if not left:
            return
        pressed.add(controls[left[0]]["name"])
        press(phone, phone.evaluate_handle(f"(at) => ({CONTROLS})()[at]", left[0]).as_element())


def press(phone, control):
    """Press a control, or change it; a question that this opens is answered with its last answer."""
    kind = control.evaluate("(each) => each.type")
    if kind == "select-one":
        values = control.evaluate("(each) => [...each.options].map((option) => option.value)")
        control.select_option(next((each for each in values if each != control.input_value()), values[0]))
    elif kind in ("number", "range"):
        least, most = control.get_attribute("min"), control.get_attribute("max")
        control.fill(most if control.input_value() == least else least)
    elif kind == "text":
        control.fill("Nobby")
    else:
        # What a button does that is greyed now is to say why.
        control.click(force=control.get_attribute("aria-disabled") == "true")
    for dialog in phone.locator("dialog[open]").all():
        if dialog.get_attribute("class") == "sure":
            dialog.get_by_role("button").last.click()
        else:
            phone.keyboard.press("Escape")
    see(phone.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("address", PAGES)
def test_nothing_is_lost_that_is_pressed_before_the_first_figures_have_come(phone, server, table, address):
    if address == "/":
        in_play(table)
    told = let_in(phone, server)
    with late(phone):
        phone.goto(address)
        see(phone.locator("#lock")).to_have_text("Lock")
        phone.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
        controls = phone.evaluate(STATES)
        assert controls or address not in TOLD
        assert [each for each in controls if not (each["isOff"] and each["looksOff"])] == []
        for at in range(len(controls)):
            control = phone.evaluate_handle(f"(at) => ({CONTROLS})()[at]", at).as_element()
            control.scroll_into_view_if_needed()
            box = control.bounding_box()
            phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            control.focus()
            assert not control.evaluate("(each) => each === document.activeElement")
        phone.wait_for_timeout(LATE_MS)
        assert phone.evaluate(STATES) == controls
        see(phone.get_by_role("status").filter(has_text=WAITING)).to_be_in_viewport()
        assert axe.Axe().run(phone).response["violations"] == []
    see(phone.locator("#controls")).to_have_js_property("disabled", False)
    see(phone.locator("#not-yet")).to_have_count(0)
    assert told == []
    press_all(phone)
    until(
        lambda: {each["do"] for each in told} == TOLD.get(address, set()),
        lambda: told,
        pause=lambda: phone.wait_for_timeout(20),
    )
    if address == "/devices":
        chosen = {key for each in told for key in each.get("values", ())}
        assert chosen == set(table.base.settings.values)


@pytest.mark.parametrize("address", PAGES)
def test_a_page_says_that_it_waits_after_a_second_and_that_moves_nothing(phone, address):
    phone.clock.install(time=0)
    phone.clock.pause_at(1)
    line = phone.locator("#not-yet")
    with late(phone):
        phone.goto(address)
        phone.clock.run_for(999)
        see(line).to_have_text("")
        before = phone.evaluate(BOXES)
        phone.clock.run_for(1)
        see(line).to_have_text(WAITING)
        assert phone.evaluate(BOXES) == before


@pytest.mark.parametrize("address", ["/new", "/devices"])
def test_what_is_off_at_night_is_red_too(phone, address):
    phone.add_init_script("localStorage.setItem('theme', 'night')")
    with late(phone):
        phone.goto(address)
        see(phone.locator("#not-yet")).to_have_text(WAITING)
        shown = np.array(Image.open(io.BytesIO(phone.screenshot(full_page=True))).convert("RGB"), float)
    red, others = shown[..., 0], shown[..., 1:].max(axis=-1)
    # Grey is as much of all three.
    assert (others <= 0.6 * red + 5).all()


def test_a_page_whose_scripts_are_late_waits_too(phone):
    with late(phone, "**/static/common.js"):
        phone.goto("/devices", wait_until="commit")
        see(phone.locator("#not-yet")).to_have_text(WAITING)
        see(phone.get_by_label("The lamps’ mains")).to_be_disabled()
    see(phone.get_by_label("The lamps’ mains")).to_be_enabled()
    see(phone.locator("#not-yet")).to_have_count(0)


@pytest.fixture
def watched(chromium, server):
    """A page whose browser may complain that the table does not answer, or refuses."""
    context = chromium.new_context(base_url=f"http://127.0.0.1:{server.port}")
    context.set_default_timeout(WAIT_MS)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("address", "cut"),
    [("/new", ""), ("/matches", ""), ("/matches", "[{"), ("/matches/7", ""), ("/matches/7/3", "")],
)
def test_what_a_page_does_not_get_it_asks_for_again(watched, address, cut):
    lost = set()

    def lose_once(route):
        if route.request.url in lost:
            route.continue_()
        else:
            lost.add(route.request.url)
            if cut:
                route.fulfill(body=cut, content_type="application/json")
            else:
                route.abort()

    watched.route(re.compile("/api/(rules|plan|matches)"), lose_once)
    watched.goto(address)
    see(watched.locator("#not-yet")).to_have_text(WAITING)
    see(watched.locator("#controls")).to_have_js_property("disabled", False)
    see(watched.locator("main :is(#list li, .wood, .sets label)").first).to_be_attached()
    assert len(lost) >= (1 if address == "/matches" else 2)


def test_a_phone_that_shows_its_pin_meanwhile_is_in(phone, server):
    told = let_in(phone, server)
    phone.context.clear_cookies()
    asked = asked_for(phone, "**/api/me")
    phone.goto("/health")
    early = asked()
    phone.get_by_role("button", name="PIN").click()
    show_pin(phone, PIN)
    see(phone.get_by_role("button", name="Lock")).to_be_visible()
    with phone.expect_response("**/api/me"):
        early.fulfill(json={"may_change": False})
    phone.get_by_role("button", name="Test the sound").click()
    until(lambda: told[-1]["do"] == "test_sound", lambda: told, pause=lambda: phone.wait_for_timeout(20))


def test_setting_up_says_nothing_of_a_table_that_it_does_not_know(phone):
    with late(phone):
        phone.goto("/setup#done")
        see(phone.locator("#not-yet")).to_have_text(WAITING)
        see(phone.locator("#summary li")).to_have_count(0)
    see(phone.locator("#summary")).to_contain_text("It knows the table.")


def test_a_page_that_the_table_refuses_says_why_and_does_not_wait(watched):
    watched.goto("/matches/99")
    see(watched.locator("#title")).to_have_text("There is no match 99.")
    see(watched.locator("#not-yet")).to_have_count(0)
    see(watched.get_by_role("button", name="Play")).to_be_disabled()
