"""The live page while no match is on: what it says, and where it leads, by what a person sees and presses."""

from dataclasses import replace

import pytest

from tests.web.browsing import WAIT_MS, needs_chromium, phone_at, see
from tests.web.test_in_a_browser import CUT_OFF, in_play
from uckers_table.machine.messages import Reminder
from uckers_table.web import commands

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
SIZES = [(320, 640), (390, 844), (844, 390), (1366, 768)]
INSIDE = """(list) => {
    const whole = list.getBoundingClientRect();
    const parts = [...list.querySelectorAll("li > *")];
    return list.scrollHeight <= list.clientHeight + 1 && parts.every((each) => {
        const { top, bottom, left, right } = each.getBoundingClientRect();
        return top >= whole.top - 1 && bottom <= whole.bottom + 1
            && left >= whole.left && right <= whole.right + 1;
    });
}"""
"""Whether nothing of a list is cut off by its own edge."""


def left(table):
    """A match was left, with dice in hand."""
    in_play(table)
    old = replace(table.snapshot(), state="idle", match=12)
    table.do(commands.LeaveMatch())
    table.snapshot = lambda: replace(old, reminders=table.base.reminders)
    table.publish()


def over(table):
    """A match was won."""
    in_play(table)
    table.do(commands.MakeCall(commands.Call("upboard")))
    table.names = {"green": "Dusty", "blue": "Chalky"}
    table.publish()


STATES = {
    "no match": (lambda table: None, "No match is being played", "", 7),
    "left": (left, "No match is being played", "Match 12 was left. It has no result.", 12),
    "over": (over, "Green and blue won", "Dusty and Chalky · Eight piecer", 1),
}
"""How each comes about, what the page then says in its largest letters and under them, and its last match."""


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_match_is_a_page_of_its_own(chromium, server, table, size, state):
    come, headline, under, last = STATES[state]
    come(table)
    width, height = size
    with phone_at(chromium, server.port, {"width": width, "height": height}) as page:
        page.goto("/")
        title = page.get_by_role("heading", name=headline)
        see(title).to_be_in_viewport()
        see(page.locator("#idle-what")).to_have_text(under)
        largest = page.evaluate(
            """() => Math.max(...[...document.querySelectorAll("main *")]
            .filter((each) => each.checkVisibility() && !each.closest(".for-readers") && each.innerText)
            .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
        )
        assert float(title.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")) == largest
        # Nothing of a turn, a throw, or what could be done in a match.
        for gone in ("#turn", "#message", "#places"):
            see(page.locator(gone)).to_be_hidden()
        assert "to play" not in page.locator("main").inner_text()
        see(page.get_by_role("link", name="Start a match")).to_be_in_viewport(ratio=1)
        see(page.get_by_role("link", name="Last match")).to_have_attribute("href", f"/matches/{last}")
        see(page.get_by_role("link", name="Back of the board", exact=True).last).to_be_visible()
        card = page.get_by_role("list", name="How the table is")
        see(card.get_by_role("listitem")).to_have_count(5)
        assert card.evaluate(INSIDE)
        see(card).to_contain_text("Plug its lead in again.")
        see(card.get_by_role("button", name="Test")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(CUT_OFF) == []
        if state == "over":
            see(page.locator("#board .wood").first).to_be_visible()
        else:
            see(page.locator("#board")).to_be_hidden()


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_no_fault_in_it(chromium, server, table, state):
    come, headline, _, _ = STATES[state]
    come(table)
    for theme in ("light", "dark", "night"):
        context = chromium.new_context(base_url=f"http://127.0.0.1:{server.port}")
        context.set_default_timeout(WAIT_MS)
        context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
        page = context.new_page()
        page.goto("/")
        see(page.get_by_role("heading", name=headline)).to_be_visible()
        found = axe.Axe().run(page).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
        context.close()


def test_it_leads_to_the_match_and_to_the_back_of_the_board(phone, table):
    phone.goto("/")
    phone.get_by_role("link", name="Last match").click()
    see(phone.get_by_role("heading", name="Match 7: Red and yellow won")).to_be_visible()
    phone.goto("/")
    phone.locator("main").get_by_role("link", name="Back of the board").click()
    see(phone.get_by_role("heading", name="The back of the board")).to_be_visible()
    phone.goto("/")
    phone.get_by_role("link", name="Start a match").click()
    see(phone.locator("#rules-chosen")).to_contain_text("submariners")


def test_what_waits_for_somebody_stands_under_its_headline(phone, table):
    phone.goto("/")
    table.base = replace(table.base, reminders=(Reminder(1, "NO BACKUP", "It is full."),))
    table.publish()
    told = phone.get_by_role("region", name="What you should know")
    see(told.get_by_role("button", name="Seen: NO BACKUP")).to_be_in_viewport()
    in_play(table)
    see(phone.locator("#message").get_by_role("button", name="Seen: NO BACKUP")).to_be_visible()
    table.do(commands.LeaveMatch())
    see(phone.locator("#idle").get_by_role("button", name="Seen: NO BACKUP")).to_be_in_viewport()


def test_whoever_is_at_a_button_when_the_match_ends_is_not_lost(phone, table):
    in_play(table)
    phone.goto("/")
    done = phone.get_by_role("button", name="Done", exact=True)
    see(done).to_have_attribute("aria-disabled", "false")
    done.focus()
    table.do(commands.LeaveMatch())
    see(phone.get_by_role("heading", name="No match is being played")).to_be_visible()
    see(phone.locator("#main")).to_be_focused()
