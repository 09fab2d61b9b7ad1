"""An evening at the demo's table from a phone: the program as it is started, and a real browser."""

import re
import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest

from tests.web.browsing import chromium_open, needs_chromium, phone_at, see, show_pin

pytestmark = needs_chromium
WIDTH_OF_PICTURE = "image => image.decode().then(() => image.naturalWidth)"


@contextmanager
def started(folder, *options):
    """The program with a page: its PIN, once it is up."""
    program = [sys.executable, "-m", "uckers_table"]
    of_the_record = folder / "record.toml"
    of_the_record.write_text('record = "matches"')
    with subprocess.Popen(
        [*program, *map(str, options)], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as running:
        said = ""
        for line in running.stdout:
            said += line
            if line.startswith("Page: "):
                break
        else:
            raise AssertionError(f"there is no page: {said}")
        asking = [*program, "pin", "--config", str(of_the_record)]
        pin = subprocess.run(asking, cwd=folder, capture_output=True, text=True, check=True).stdout
        try:
            yield pin.split()[0]
        finally:
            running.terminate()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo with a page: its port and its PIN."""
    port = free_port()
    options = f"demo --headless --seed 7 --cheats 8 --speed 8 --page {port}".split()
    with started(tmp_path_factory.mktemp("demo"), *options) as pin:
        yield port, pin


def test_an_evening_from_a_phone(demo):
    port, pin = demo
    with chromium_open() as browser, phone_at(browser, port) as phone:
        phone.goto("/")
        see(phone.locator("#turn-who")).to_have_text(re.compile("Red|Green|Yellow|Blue"))
        see(phone.get_by_role("log").get_by_text(re.compile("throws .* for start")).first).to_be_visible()
        see(phone.locator("#camera-words")).to_contain_text(" of 16 pieces seen.")
        accused = phone.get_by_role("log").locator(".disputed").first
        see(accused).to_be_attached()

        # What the accusation rests on, and the match so far.
        accused.get_by_role("link").first.click()
        see(phone.locator("#say")).to_have_text(re.compile("Timber shift|Illegal"))
        see(phone.get_by_role("button", name="Close up")).to_have_attribute("aria-pressed", "true")
        see(phone.locator("#counted .ring").first).to_be_visible()
        assert phone.locator("#picture").evaluate(WIDTH_OF_PICTURE) < 900
        phone.get_by_role("button", name="Whole picture").click()
        see(phone.locator("#counted .ring")).to_have_count(0)
        assert phone.locator("#picture").evaluate(WIDTH_OF_PICTURE) > 1000
        phone.get_by_role("link", name="The whole match").click()
        slider = phone.get_by_role("slider", name="Ruling")
        see(slider).to_have_attribute("max", re.compile("[0-9]+"))
        last = int(slider.get_attribute("max"))
        slider.fill(str(last))
        see(phone.locator("#meta")).to_contain_text(f"{last + 1} of {last + 1}")
        assert phone.locator("#board .piece").count() > 4

        # What is read otherwise than it stands is put right.
        phone.goto("/")
        phone.get_by_role("button", name="Correct the board").click()
        phone.locator("#board [data-steps='0'].may").first.click()
        phone.locator("#board [data-to='30']").click()
        phone.get_by_role("button", name="The board stands like this").click()
        show_pin(phone, pin)
        see(phone.locator("#mode")).to_be_hidden()

        # Another match by other rules.
        phone.get_by_text("More", exact=True).click()
        phone.get_by_role("button", name="Leave the match").click()
        phone.get_by_role("button", name="Leave it").click()
        see(phone.get_by_role("heading", name=re.compile("No match is being played"))).to_be_visible()
        phone.get_by_role("link", name="Start a match").click()
        phone.locator("#rules-chosen").click()
        phone.get_by_role("radio", name=re.compile("^submariners")).check()
        see(phone.locator("#rules-chosen")).to_contain_text("submariners")
        phone.get_by_label("Name of who plays green").fill("Dusty")
        phone.get_by_role("button", name="Start the match").click()
        phone.wait_for_url("**/")
        see(phone.locator("#turn-what")).to_have_text(re.compile("to throw|to play"))
        see(phone.locator("#match-words")).to_contain_text("Match 2 · submariners")

        phone.goto("/matches")
        see(phone.locator("#list > li").first).to_contain_text("2: Not finished")
        see(phone.locator("#list > li").first).to_contain_text("Dusty (green)")
        see(phone.locator("#list > li").last).to_contain_text("1: No result")


def test_the_table_is_shown_to_its_camera_from_a_phone(demo):
    port, pin = demo
    with chromium_open() as browser, phone_at(browser, port) as phone:
        phone.goto("/setup#camera")
        see(phone.locator("#camera-state")).to_have_text(
            re.compile("Board found. Light good. [0-9]+ of 16 pieces seen.")
        )
        phone.get_by_role("button", name="Next").click()
        phone.get_by_role("button", name="Take the bare board").click()
        show_pin(phone, pin)
        see(phone.locator("#step-empty")).to_have_class(re.compile("done"))
        corner = phone.locator("[data-corner='2']")
        see(corner).to_be_visible()
        phone.get_by_role("button", name="Take it with the pieces").click()
        see(phone.locator("#quality")).to_contain_text("all sixteen read back")
        see(phone.get_by_role("button", name="Use this")).to_be_enabled()

        # A corner that is dragged off the board is refused, with what is wrong.
        corner.scroll_into_view_if_needed()
        box = corner.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.mouse.move(x, y)
        phone.mouse.down()
        phone.mouse.move(x - 30, y - 30, steps=5)
        phone.mouse.up()
        see(phone.locator("#trouble")).to_contain_text("painted lines")
        see(phone.get_by_role("button", name="Use this")).to_be_disabled()
        phone.get_by_role("button", name="Find them again").click()
        see(phone.get_by_role("button", name="Use this")).to_be_enabled()
        phone.get_by_role("button", name="Use this").click()
        phone.goto("/")
        see(phone.get_by_role("log")).to_contain_text("Match resumed.")


NOTHING_WATCHES = """
camera = "none"
dice = "buttons"
tower = "none"
buttons = "none"
display = "none"
voice = "silent"
"""


def enter_throw(phone, *dice):
    phone.get_by_role("button", name="Enter the throw").click()
    for number, value in enumerate(dice, start=1):
        phone.get_by_role("radiogroup", name=f"Die {number}").get_by_role("radio", name=f"{value}").click()
    phone.get_by_role("button", name="Enter", exact=True).click()


def test_a_match_on_six_arms_is_told_from_a_phone_and_gone_through(tmp_path):
    port = free_port()
    config = tmp_path / "table.toml"
    config.write_text(f"{NOTHING_WATCHES}page_port = {port}\n")
    with (
        started(tmp_path, "run", "--config", config) as pin,
        chromium_open() as browser,
        phone_at(browser, port) as phone,
    ):
        phone.goto("/new")
        phone.get_by_role("radio", name="six arms").check()
        phone.locator("#board-words").click()
        phone.get_by_label("Squares along an arm").fill("5")
        see(phone.locator("#board-words")).to_have_text("5 squares an arm, the doorstep its second")
        see(phone.get_by_role("radio", name="two, each with two colours")).to_be_hidden()
        phone.get_by_label("Name of who plays black").fill("Nobby")
        phone.get_by_label("Who starts").select_option("black")
        phone.get_by_role("button", name="Start the match").click()
        show_pin(phone, pin)
        phone.wait_for_url("**/")
        see(phone.locator("#turn-what")).to_have_text("Nobby to throw")
        see(phone.locator("#match-words")).to_contain_text("The board has six arms.")
        # Six arms of fifteen squares, and the track's squares are counted as the rules count them.
        see(phone.locator("#board rect.square")).to_have_count(6 * 15)

        enter_throw(phone, 6, 3)
        phone.get_by_role("button", name="Enter the play").click()
        phone.locator("#board [data-colour=black].may").first.click()
        phone.locator("#board [data-to='4']").click()
        phone.get_by_role("button", name="Yes, play it").click()
        piece = phone.locator("#board [data-colour=black][data-steps='4']")
        see(piece).to_be_visible()
        see(piece.locator("text")).to_have_text("K")
        before = piece.get_attribute("transform")
        for _ in range(6):
            phone.get_by_role("button", name="Turn the board").click()
        see(piece).to_have_attribute("transform", before)
        phone.get_by_role("button", name="Turn the board").click()
        see(piece).not_to_have_attribute("transform", before)
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")

        phone.goto("/matches/1")
        slider = phone.get_by_role("slider", name="Ruling")
        slider.fill("0")
        see(phone.locator("#board [data-colour=black][data-steps='4']")).to_have_count(1)
        see(phone.locator("#board rect.square")).to_have_count(6 * 15)
