"""A phone that says what the table says, by a speech of its own that notes what it is asked to say."""

from dataclasses import replace

import pytest

from tests.patience import until
from tests.web.browsing import needs_chromium, phone_at, see
from uckers_table.devices.voice import MOST_WAITING, STALE_S
from uckers_table.table.refereeing import LATEST_SPOKEN
from uckers_table.web import commands
from uckers_table.web.feed import SpokenLine

pytestmark = needs_chromium
SWITCH = "Say it on this phone too"
STAND_IN = """
window.spoken = []; window.cancelled = 0;
class Utterance extends EventTarget { constructor(text) { super(); this.text = text; } }
window.SpeechSynthesisUtterance = Utterance;
const voice = (lang, localService) => ({ lang, localService, name: lang + localService });
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [voice("en-US", true), voice("en-GB", false), voice("en_GB", true), voice("fr-FR", true)],
  speak: (words) => { if (words.text) window.spoken.push(words); },
  cancel: () => { window.cancelled += 1; },
} });
window.end = () => window.spoken.at(-1).onend();
"""


@pytest.fixture
def phone(chromium, server, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    with phone_at(chromium, server.port) as page:
        page.add_init_script(STAND_IN)
        yield page


def said_by(page):
    return page.evaluate("window.spoken.map((words) => words.text)")


def says(page, *expected):
    until(lambda: said_by(page) == list(expected), pause=lambda: page.wait_for_timeout(20))


def table_says(table, *sentences, urgent=False):
    number = len(table.base.spoken)
    lines = [SpokenLine(number + at, words, urgent) for at, words in enumerate(sentences, 1)]
    table.base = replace(table.base, spoken=(*table.base.spoken, *lines))
    table.publish()


def switch_on(page):
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name=SWITCH).click()


def test_a_phone_says_what_the_table_says_and_the_urgent_first(phone, table):
    table_says(table, "Red throws 6 and 3.")
    phone.goto("/")
    switch_on(phone)
    says(phone, "This phone speaks.")
    words = phone.evaluate("({ lang: spoken[0].lang, voice: spoken[0].voice.name })")
    assert words == {"lang": "en-GB", "voice": "en_GBtrue"}
    table_says(table, "Green starts.", "Green throws 2 and 1.")
    phone.evaluate("window.end()")
    says(phone, "This phone speaks.", "Green starts.")
    cancelled = phone.evaluate("window.cancelled")
    table_says(table, "Timber shift. Put it back.", urgent=True)
    says(phone, "This phone speaks.", "Green starts.", "Timber shift. Put it back.")
    assert phone.evaluate("window.cancelled") == cancelled + 1
    # What it drove out is not said after it either; an urgent one interrupts no other.
    table_says(table, "Illegal. Red moved 7.", urgent=True)
    phone.evaluate("window.end()")
    says(phone, "This phone speaks.", "Green starts.", "Timber shift. Put it back.", "Illegal. Red moved 7.")


def test_nothing_old_is_said_after_a_line_was_lost(phone, table):
    phone.goto("/")
    switch_on(phone)
    phone.evaluate("window.end()")
    phone.evaluate("dispatchEvent(new Event('offline'))")
    see(phone.locator("#line")).to_be_visible()
    table_says(table, "Red throws 6 and 3.")
    phone.evaluate("dispatchEvent(new Event('online'))")
    see(phone.locator("#line")).to_be_hidden()
    table_says(table, "Green starts.")
    says(phone, "This phone speaks.", "Green starts.")


def test_a_phone_that_spoke_before_does_so_again_once_it_is_touched(phone, table):
    phone.goto("/")
    switch = phone.get_by_role("button", name=SWITCH, include_hidden=True)
    see(switch).to_have_attribute("aria-pressed", "false")
    switch_on(phone)
    see(switch).to_have_attribute("aria-pressed", "true")
    phone.reload()
    see(phone.locator(".toast")).to_contain_text("Touch this page once")
    table_says(table, "Red throws 6 and 3.")
    see(phone.locator("#turn-who")).to_have_text("Red")
    phone.locator("#turn").click()
    see(switch).to_have_attribute("aria-pressed", "true")
    table_says(table, "Green starts.")
    says(phone, "Green starts.")
    phone.get_by_text("More", exact=True).click()
    switch.click()
    see(switch).to_have_attribute("aria-pressed", "false")
    phone.reload()
    see(phone.locator("#turn-who")).to_have_text("Red")
    see(phone.locator(".toast")).to_have_count(0)


def test_a_browser_that_cannot_speak_says_so(chromium, server, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    with phone_at(chromium, server.port) as page:
        page.add_init_script("Object.defineProperty(window, 'speechSynthesis', { value: undefined });")
        page.goto("/")
        page.get_by_text("More", exact=True).click()
        see(page.get_by_role("button", name=SWITCH)).to_be_disabled()
        see(page.locator("#speaks-words")).to_have_text("This browser cannot speak.")


def test_a_phone_waits_no_longer_and_for_no_more_than_the_table_s_own_voice(server):
    import urllib.request

    address = f"http://127.0.0.1:{server.port}/static/aloud.js"
    with urllib.request.urlopen(address) as answer:
        script = answer.read().decode()
    assert f"STALE_MS = {STALE_S:.0f}_000, MOST_WAITING = {MOST_WAITING}" in script
    assert LATEST_SPOKEN == MOST_WAITING
