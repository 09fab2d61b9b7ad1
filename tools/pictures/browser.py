"""Chromium, which turns drawings into pictures and shows the page as a phone does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, ViewportSize, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
PHONE: ViewportSize = {"width": 390, "height": 844}


@contextmanager
def browser_open() -> Iterator[Browser]:
    """The browser. It fetches nothing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


def drawn(browser: Browser, svg: str, size: ViewportSize, ground: str = "transparent") -> bytes:
    """A drawing as a picture (PNG) of this size, over a ground of this colour."""
    page = browser.new_page(viewport=size)
    style = (
        f"<style>body {{ margin: 0; background: {ground} }} svg {{ width: 100vw; display: block }}</style>"
    )
    page.set_content(f"{style}{svg}")
    picture = page.locator("svg").first.screenshot()
    page.close()
    return picture
