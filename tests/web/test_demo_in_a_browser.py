"""An evening at the demo's table from a phone: the program as it is started, and a real browser."""

import re
import socket
import subprocess
import sys

import pytest

from tests.web.browsing import chromium_open, needs_chromium, phone_at, see, show_pin

pytestmark = needs_chromium
SLOW_MS = 60_000
WIDTH_OF_PICTURE = "image => image.decode().then(() => image.naturalWidth)"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """The demo with a page: its port and its PIN."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"--headless --seed 7 --cheats 8 --speed 8 --page {port}".split()
    command = [sys.executable, "-m", "uckers_table", "demo", *options]
    folder = tmp_path_factory.mktemp("demo")
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        said = ""
        for line in running.stdout:
            said += line
            if found := re.search(r"PIN (\d{6})", line):
                break
        else:
            raise AssertionError(f"the demo has no page: {said}")
        yield port, found[1]
        running.terminate()


def test_an_evening_from_a_phone(demo):
    port, pin = demo
    with chromium_open() as browser, phone_at(browser, port) as phone:
        phone.goto("/")
        see(phone.locator("#turn-who"), SLOW_MS).to_have_text(re.compile("Red|Green|Yellow|Blue"))
        see(phone.get_by_role("log").get_by_text(re.compile("throws .* for start")).first).to_be_visible()
        see(phone.locator("#camera-words")).to_contain_text(" of 16 pieces seen.")
        accused = phone.get_by_role("log").locator(".disputed").first
        see(accused, SLOW_MS).to_be_attached()

        # What the accusation rests on, and the match so far.
        accused.get_by_role("link").first.click()
        see(phone.locator("#say")).to_have_text(re.compile("Timber shift|Illegal"))
        see(phone.get_by_role("button", name="What differs")).to_have_attribute("aria-pressed", "true")
        assert phone.locator("#picture").evaluate(WIDTH_OF_PICTURE) > 600
        phone.get_by_role("link", name="The whole match").click()
        slider = phone.get_by_role("slider", name="Ruling")
        see(slider).to_have_attribute("max", re.compile("[0-9]+"))
        last = int(slider.get_attribute("max"))
        slider.fill(str(last))
        see(phone.locator("#meta")).to_contain_text(f"{last + 1} of {last + 1}")
        assert phone.locator("#board .piece").count() > 4

        # What is read otherwise than it stands is put right.
        phone.goto("/")
        phone.get_by_text("More", exact=True).click()
        phone.get_by_role("button", name="Correct the board").click()
        phone.locator("#board [data-steps='0'].may").first.click()
        phone.locator("#board [data-to='30']").click()
        phone.get_by_role("button", name="The board stands like this").click()
        show_pin(phone, pin)
        see(phone.locator("#mode")).to_be_hidden()

        # Another match by other rules.
        phone.get_by_role("button", name="Leave the match").click()
        phone.get_by_role("button", name="Yes").click()
        see(phone.get_by_role("heading", name=re.compile("No match is being played"))).to_be_visible()
        phone.get_by_role("link", name="Start a match").click()
        phone.locator("#rules-chosen").click()
        phone.get_by_role("radio", name=re.compile("^submariners")).check()
        see(phone.locator("#rules-chosen")).to_contain_text("submariners")
        phone.get_by_label("Name of who plays green").fill("Dusty")
        phone.get_by_role("button", name="Start the match").click()
        phone.wait_for_url("**/")
        see(phone.locator("#turn-what"), SLOW_MS).to_have_text(re.compile("to throw|to play"))
        see(phone.locator("#match-words")).to_contain_text("Match 2 · submariners")

        phone.goto("/matches")
        see(phone.locator("#list > li").first).to_contain_text("2: Not finished")
        see(phone.locator("#list > li").first).to_contain_text("Dusty (green)")
        see(phone.locator("#list > li").last).to_contain_text("1: No result")


def test_the_table_is_shown_to_its_camera_from_a_phone(demo):
    port, pin = demo
    with chromium_open() as browser, phone_at(browser, port) as phone:
        phone.goto("/calibrate")
        phone.get_by_role("button", name="Take the bare board").click()
        show_pin(phone, pin)
        see(phone.locator("#step-empty"), SLOW_MS).to_have_class(re.compile("done"))
        corner = phone.locator("[data-corner='2']")
        see(corner, SLOW_MS).to_be_visible()
        phone.get_by_role("button", name="Take it with the pieces").click()
        see(phone.locator("#quality"), SLOW_MS).to_contain_text("all sixteen read back")
        see(phone.get_by_role("button", name="Use this")).to_be_enabled()

        # A corner that is dragged off the board is refused, with what is wrong.
        box = corner.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.mouse.move(x, y)
        phone.mouse.down()
        phone.mouse.move(x - 30, y - 30, steps=5)
        phone.mouse.up()
        see(phone.locator("#trouble"), SLOW_MS).to_contain_text("The pa")
        see(phone.get_by_role("button", name="Use this")).to_be_disabled()
        phone.get_by_role("button", name="Find them again").click()
        see(phone.get_by_role("button", name="Use this"), SLOW_MS).to_be_enabled()
        phone.get_by_role("button", name="Use this").click()
        phone.goto("/")
        see(phone.get_by_role("log"), SLOW_MS).to_contain_text("Match resumed.")
