"""A phone with a real browser for the tests, where Chromium is installed (`apt-get install chromium`).

Playwright drives it and fetches none.
"""

import re
import shutil
from contextlib import contextmanager

import pytest

from tests.patience import HANGS_S, until

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed (apt-get install chromium)"
)
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}
WAIT_MS = HANGS_S * 1000


@contextmanager
def chromium_open():
    """The browser."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET, timeout=WAIT_MS)
        yield browser
        browser.close()


@contextmanager
def phone_at(browser, port, size=PHONE, *, press_ms=WAIT_MS, silent_ms=WAIT_MS):
    """A phone's page of the table at a port; whatever its scripts complain about fails the test.

    Its scripts wait as patiently as the tests do: None leaves a limit as it is.
    """
    context = browser.new_context(
        viewport=size, has_touch=True, base_url=f"http://127.0.0.1:{port}", reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT_MS)
    limits = {"PRESS_MS": press_ms, "SILENT_MS": silent_ms}
    context.route("**/static/common.js", lambda route: _limited(route, limits))
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda said: complaints.append((said.text, said.location)) if _is_complaint(said) else None
    )
    yield page
    context.close()
    assert complaints == [], complaints


def limit_ms(name, script):
    """A limit of the page's scripts, in milliseconds."""
    return int(re.search(rf"\b{name} = ([0-9_]+)", script).group(1))


def _limited(route, limits):
    answer = route.fetch()
    script = answer.text()
    for name, limit in limits.items():
        if limit is not None:
            script, times = re.subn(rf"\b{name} = [0-9_]+", f"{name} = {limit}", script)
            assert times == 1, name
    route.fulfill(response=answer, body=script)


def _is_complaint(said):
    # That a PIN was wrong, or is missing, is an answer like others to the page, and an error to the browser.
    return said.type in ("error", "warning") and not re.search("status of 40[13]", said.text)


def show_pin(page, pin):
    """Type the PIN that is asked for."""
    page.get_by_label("Six digits").fill(pin)
    page.get_by_role("button", name="Go on").click()


def see(locator):
    """What is expected of a place on the page, sooner or later."""
    sync_api.expect.set_options(timeout=WAIT_MS)
    return sync_api.expect(locator)


def asked_for(page, address):
    """Hold back what a page asks for at an address. Call what this gives to wait until it has asked."""
    held = []
    page.route(address, lambda route: held.append(route))

    def wait():
        return until(lambda: held, pause=lambda: page.wait_for_timeout(20))[0]

    return wait
