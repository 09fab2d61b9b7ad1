"""A mess's own rules on the page, in a browser: chosen in words, kept by a name, told apart from the book."""

import pytest

from tests.web.browsing import needs_chromium, phone_at, see, show_pin
from tests.web.fakes import PIN
from tests.web.test_in_a_browser import CUT_OFF
from uckers_table.game.options import OPTIONS
from uckers_table.game.rules import load_rules
from uckers_table.record.kept_rules import keep_rules, kept_files, take_rules_away
from uckers_table.web import commands

axe = pytest.importorskip("axe_playwright_python.sync_playwright")

pytestmark = needs_chromium
SIZES = [{"width": 320, "height": 640}, {"width": 390, "height": 844}, {"width": 1366, "height": 768}]
HOSTILE = "Ünser <b>Møss & '海軍' %2F"
FROZEN = "Three or more on a square can't be moved."


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


def keep(page, name):
    """Keep what is chosen by a name."""
    if not page.locator("#keep-part").evaluate("part => part.open"):
        page.get_by_text("Keep these rules by a name").click()
    page.locator("#keep-name").fill(name)
    page.get_by_role("button", name="Keep them").click()


def names(page):
    """The sets in the list, in their order."""
    return page.locator("#sets strong").all_inner_texts()


def test_rules_are_kept_by_a_name_come_first_and_are_played(phone, table):
    phone.locator("#switched").click()
    phone.get_by_role("checkbox", name="Variation E").check()
    rule(phone, "Blobs", FROZEN).get_by_role("radio", name=FROZEN).check()
    see(phone.locator("#changed li")).to_have_count(1)
    # Enter in the name keeps the rules, and begins no match.
    phone.get_by_text("Keep these rules by a name").click()
    phone.get_by_role("textbox", name="Their name").fill(HOSTILE)
    phone.get_by_role("textbox", name="Their name").press("Enter")
    show_pin(phone, PIN)
    see(phone.get_by_role("status").filter(has_text="is kept")).to_have_text(f"“{HOSTILE}” is kept.")
    see(phone.locator("#rules-chosen strong")).to_have_text(HOSTILE)
    # What was chosen is the set's own now.
    see(phone.locator("#changed li")).to_have_count(0)
    see(phone.locator("#switched")).to_have_text("None")
    phone.reload()
    phone.locator("#rules-chosen").click()
    see(phone.locator("#sets strong").first).to_have_text(HOSTILE)
    see(phone.locator("#sets label").first).to_contain_text("on top of submariners, with variation E")
    phone.locator("#sets input").first.check()
    see(phone.locator("#rules-chosen strong")).to_have_text(HOSTILE)
    see(phone.locator("#warned")).to_be_hidden()
    phone.get_by_role("button", name="Start the match").click()
    phone.wait_for_url("**/")
    assert (table.match.rules.name, table.match.rules.superblob_mobility) == (HOSTILE, "frozen")
    assert not any(isinstance(each, commands.StartMatch) and each.options for each in table.commands)


def test_a_name_that_is_taken_asks_and_is_replaced(phone, table):
    keep_rules(table.record, "Our mess", "wafu", {})
    phone.reload()
    keep(phone, "our MESS ")
    asked = phone.get_by_role("alertdialog")
    see(asked).to_contain_text("“Our mess” is kept already.")
    asked.get_by_role("button", name="Leave it").click()
    assert table.commands == []
    phone.get_by_role("button", name="Keep them").click()
    asked.get_by_role("button", name="Replace it").click()
    show_pin(phone, PIN)
    see(phone.locator("#rules-chosen strong")).to_have_text("our MESS")
    assert load_rules(str(kept_files(table.record)["our MESS"])).snake_eyes_out is True
    assert list(kept_files(table.record)) == ["our MESS"]


def test_where_another_phone_was_quicker_nothing_is_replaced_unasked(phone, table):
    see(phone.locator("#sets label")).not_to_have_count(0)
    keep_rules(table.record, "Our mess", "wafu", {})
    keep(phone, "Our mess")
    show_pin(phone, PIN)
    see(phone.get_by_role("alert").filter(has_text="kept already")).to_be_visible()
    assert 'base = "wafu"' in kept_files(table.record)["Our mess"].read_text()
    see(phone.get_by_role("alertdialog")).to_contain_text("“Our mess” is kept already.")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("WAFU", "comes with the program"),
        ("../up", "without /"),
        (" ", "1 to 40 letters"),
        (".x", "begins with"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_a_line(phone, table, name, line):
    keep(phone, name)
    show_pin(phone, PIN)
    see(phone.get_by_role("alert").filter(has_text=line)).to_be_visible()
    assert kept_files(table.record) == {}


def test_rules_are_taken_away_again_and_one_that_is_torn_too(phone, table):
    keep_rules(table.record, "Our mess", "wafu", {})
    keep_rules(table.record, "Torn", "wafu", {})
    kept_files(table.record)["Torn"].write_text("base =")
    phone.reload()
    phone.locator("#rules-chosen").click()
    see(phone.get_by_role("radio", name="Torn")).to_be_disabled()
    phone.get_by_role("radio", name="Our mess").check()
    for name in ("Torn", "Our mess"):
        phone.get_by_role("button", name=f"Take away: {name}").click()
        phone.get_by_role("alertdialog").get_by_role("button", name="Take it away").click()
        if name == "Torn":
            show_pin(phone, PIN)
        see(phone.get_by_role("radio", name=name)).to_have_count(0)
    see(phone.locator("#rules-chosen strong")).to_have_text(names(phone)[0])
    assert kept_files(table.record) == {}


def test_what_another_phone_has_taken_away_is_said_and_leaves_the_list(chromium, server, table):
    keep_rules(table.record, "Our mess", "wafu", {})
    # That there is nothing any more is an answer, which the browser calls an error.
    phone = chromium.new_context(base_url=f"http://127.0.0.1:{server.port}").new_page()
    phone.goto("/new")
    phone.locator("#rules-chosen").click()
    see(phone.get_by_role("radio", name="Our mess")).to_be_visible()
    take_rules_away(table.record, "Our mess")
    phone.get_by_role("radio", name="Our mess").check()
    see(phone.get_by_role("alert").filter(has_text="not any more")).to_be_visible()
    see(phone.get_by_role("radio", name="Our mess")).to_have_count(0)
    phone.context.close()


@pytest.mark.parametrize("size", SIZES, ids=["small", "phone", "desk"])
@pytest.mark.parametrize("theme", ["light", "dark", "night"])
def test_own_rules_fit_the_screen_and_axe_finds_no_fault(chromium, server, table, size, theme):
    keep_rules(table.record, HOSTILE, "wafu", {"beer_fine": 1})
    keep_rules(table.record, "W" * 40, "br4006", {})
    kept_files(table.record)["W" * 40].write_text("base =")
    with phone_at(chromium, server.port, size) as page:
        page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
        page.goto("/new")
        rule(page, "Blobs", FROZEN).get_by_role("radio", name=FROZEN).check()
        see(page.locator("#changed li")).to_have_count(1)
        page.evaluate("document.querySelectorAll('main details').forEach((each) => (each.open = true))")
        see(page.locator("#rule-card h2")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_OFF) == []
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


SHOWN = """() => [...document.querySelectorAll("body *")].filter((each) =>
    each.checkVisibility() && each.getClientRects().length
    && !each.closest("#card-part") && !each.querySelector("#card-part")
).map((each) => each.outerHTML.slice(0, 80))"""
"""What is on the paper beside the card."""


@pytest.mark.parametrize("size", SIZES, ids=["small", "phone", "desk"])
@pytest.mark.parametrize("path", ["/new", "/setup"])
def test_the_card_says_what_is_different_and_is_printed_alone(chromium, server, table, size, path):
    keep_rules(table.record, HOSTILE, "br4006", {"challenge_forced": True})
    with phone_at(chromium, server.port, size) as page:
        page.add_init_script(
            "window.print = () => { document.body.dataset.printed = document.body.className; }"
        )
        page.goto(path)
        page.locator("#rules-chosen").click()
        page.locator("#sets input").first.check()
        page.get_by_text("What is different from BR 4006").first.click()
        card = page.locator("#rule-card")
        see(card.get_by_role("heading")).to_have_text([HOSTILE, "Challenging"])
        see(card.get_by_role("listitem")).to_have_text(
            "You must challenge if the six has no other use.BR 4006: You never have to challenge."
        )
        # A card that is open goes with what is chosen.
        rule(page, "Blobs", FROZEN).get_by_role("radio", name=FROZEN).check()
        see(card.get_by_role("heading")).to_have_text([HOSTILE, "Blobs", "Challenging"])
        see(card).to_contain_text("with 1 rule changed")
        page.get_by_role("button", name="Print this card").click()
        see(page.locator("body")).to_have_attribute("data-printed", "prints-card")
        page.emulate_media(media="print")
        assert page.evaluate(SHOWN) == []
        see(card).to_be_visible()
        see(page.get_by_role("button", name="Print this card")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        see(page.get_by_role("radio", name=FROZEN)).to_be_visible()


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
