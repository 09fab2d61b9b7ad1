"""A mess's own rules on the page, in a browser: chosen in words, kept by a name, told apart from the book."""

import pytest

from tests.web.browsing import chromium_open, needs_chromium, phone_at, see, show_pin
from tests.web.fakes import PIN
from uckers_table.game.options import OPTIONS
from uckers_table.web import commands

pytestmark = needs_chromium
SIZES = [{"width": 320, "height": 640}, {"width": 390, "height": 844}, {"width": 1366, "height": 768}]
FROZEN = "Three or more on a square can't be moved."


@pytest.fixture(scope="module")
def chromium():
    with chromium_open() as browser:
        yield browser


@pytest.fixture
def phone(chromium, server):
    with phone_at(chromium, server.port) as page:
        page.goto("/new")
        yield page


def rule(page, section, words):
    """A rule of a section, opened: what it can be."""
    if not page.locator("#rules-part").evaluate("part => part.open"):
        page.get_by_text("Every rule, one by one").click()
    part = page.locator(f"#options > [data-of='{section}']")
    one = part.locator("> details").filter(has_text=words).first
    for folded in (part, one):
        if not folded.evaluate("part => part.open"):
            folded.locator("> summary").click()
    return one


def test_a_rule_is_chosen_in_words_warned_of_and_set_back(phone):
    see(phone.locator("#warned")).to_be_hidden()
    superblob = rule(phone, "Blobs", FROZEN)
    see(superblob.get_by_role("radio", checked=True)).to_have_count(1)
    superblob.get_by_role("radio", name=FROZEN).check()
    see(phone.locator("#warned")).to_contain_text("standstill")
    see(phone.locator("#changed li")).to_have_text([f"{FROZEN}Set back"])
    changed = phone.locator("#options summary:has-text('Changed:')")
    see(changed).to_have_text(f"Changed: {FROZEN}")
    see(phone.locator("#options > details > summary small")).to_have_text(" 1 changed")
    # The finger, or the keyboard, is still where it was.
    see(phone.get_by_role("radio", name=FROZEN)).to_be_focused()
    phone.get_by_role("button", name=f"Set back: {FROZEN}").click()
    see(phone.locator("#changed li")).to_have_count(0)
    see(changed).to_have_count(0)
    see(phone.locator("#warned")).to_be_hidden()
    see(phone.get_by_role("radio", name=FROZEN)).not_to_be_checked()


def test_what_is_chosen_in_words_is_what_is_played(phone, table):
    rule(phone, "Blobs", FROZEN).get_by_role("radio", name=FROZEN).check()
    see(phone.locator("#changed li")).to_have_count(1)
    phone.get_by_role("button", name="Start the match").click()
    show_pin(phone, PIN)
    phone.wait_for_url("**/")
    (started,) = (each for each in table.commands if isinstance(each, commands.StartMatch))
    assert started.options == {"superblob_mobility": "frozen"}
    # Last time's are offered again.
    phone.goto("/new")
    see(phone.locator("#changed li")).to_have_text([f"{FROZEN}Set back"])


def test_what_another_rule_brings_with_it_can_be_chosen_too(phone):
    rule(phone, "Suckback and blowback", "There is no suckback.").get_by_role(
        "radio", name="Suckback: from"
    ).check()
    timing = phone.locator("[data-option=suckback_timing]")
    see(timing).to_have_count(1)
    # Home takes the exact number then.
    home = rule(phone, "The chute and home", "Home takes the exact number")
    see(home.get_by_role("radio", name="Home takes the exact number or anything above it.")).to_be_disabled()
    rule(phone, "Suckback and blowback", "There is no suckback.").get_by_role(
        "radio", name="There is no suckback."
    ).check()
    see(timing).to_have_count(0)


@pytest.mark.parametrize("size", SIZES, ids=["small", "phone", "desk"])
def test_the_list_of_rules_is_short_and_has_no_raw_name(chromium, server, size):
    with phone_at(chromium, server.port, size) as page:
        page.goto("/new")
        page.get_by_text("Every rule, one by one").click()
        see(page.locator("#options > details")).not_to_have_count(0)
        folded = page.locator("#options").bounding_box()["height"]
        assert folded < 14_251 / 10, "px at 390; the list of raw names was 14,251 px long there"
        page.evaluate("document.querySelectorAll('#options details').forEach((each) => (each.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        said = page.locator("main").inner_text()
        assert "_" not in said
        # That blob takes blob, people say too.
        raw = {option.replace("_", " ") for option in OPTIONS if option.count("_") > 1} - {"blob takes blob"}
        assert [each for each in raw if each in said.lower()] == []
