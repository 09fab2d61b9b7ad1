"""The statistics in a real browser: what charts show, of which matches, and whose names they have."""

import re
from dataclasses import replace

import pytest

from tests.record.test_statistics import GREEN, LEFT, RED, match, ruled, thrown, ucks
from tests.web.browsing import PHONE, WAIT_MS, needs_chromium, phone_at, see
from tests.web.fakes import PIN, FakeTable
from tests.web.test_in_a_browser import CUT_OFF, ON_ITS_SIDE, SMALL
from uckers_table.web.app import Page
from uckers_table.web.gate import Gate
from uckers_table.web.server import PageServer

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
HOSTILE = '<i>Bold</i> "&quot;'
RIGHT_TO_LEFT = "עמית 12"
ENDLESS = "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
SIZES = {"small": SMALL, "phone": PHONE, "on_its_side": ON_ITS_SIDE, "desk": {"width": 1366, "height": 768}}


def played(number, winner, entries, begun, rules="br4006", **names):
    one = match(*entries, number=number, winner=winner, names=names, begun=f"{begun}T20:00:00+00:00")
    return replace(one, summary=replace(one.summary, terms=replace(one.summary.terms, rules=rules)))


CAUGHT = replace(ruled("illegal", "green"), reason="wrong_count")
MATCHES = [
    played(
        *(1, RED, [ucks("red", ("green", 1)), CAUGHT, *thrown("red", *[(6, 6)] * 30)], "2026-11-01"),
        red="Jack",
        green="Nobby",
    ),
    played(
        *(2, RED, [ucks("blue", ("red", 14)), ucks("green", ("red", 3))], "2026-11-02", "wafu"),
        red="Nobby",
        green=" JACK",
    ),
    played(3, LEFT, [ucks("red", ("blue", 7))], "2026-11-03", red=HOSTILE, blue=RIGHT_TO_LEFT),
    played(4, GREEN, [ucks("red", ("blue", 7))] * 3, "2026-11-04", red=HOSTILE, green="jack", blue=ENDLESS),
]


class Shelf:
    """A record of matches that were written by hand."""

    def matches(self):
        return [each.summary for each in MATCHES]

    def match(self, number):
        return MATCHES[number - 1]

    def counted(self):
        return {}

    def keep_counted(self, counted):
        return True


@pytest.fixture(scope="module")
def port():
    server = PageServer(Page(FakeTable().feed, None, Shelf(), Gate(PIN, lambda: 0.0)), 0, "127.0.0.1")
    yield server.port
    server.close()


@pytest.fixture
def phone(chromium, port):
    with phone_at(chromium, port) as page:
        yield page


def chart(phone, title):
    return phone.locator("section").filter(has=phone.get_by_role("heading", name=title, exact=True))


def test_dice_that_are_not_fair_stand_out_of_the_band(phone):
    phone.goto("/statistics")
    drawn = chart(phone, "The dice").get_by_role("img")
    see(drawn).to_have_attribute("aria-label", re.compile("6: 60, more than fair dice.*Fair dice: 4 to 16"))
    see(drawn.locator("text", has_text="▲60")).to_be_visible()
    band, bar, axis = (drawn.locator(each).bounding_box() for each in (".band", ".bar >> nth=5", ".axis"))
    # The band has the scale of the bars: 60 are as high as the bar, and the band ends at 15.7 of them.
    assert (axis["y"] - band["y"]) / bar["height"] == pytest.approx(15.7 / 60, rel=0.05)
    # What is drawn is there in figures, too.
    chart(phone, "The dice").get_by_text("In figures").click()
    see(phone.get_by_role("table", name="The dice")).to_contain_text("60")


def test_a_piece_that_was_ucked_is_a_spot_on_its_square_of_the_board(phone):
    phone.goto("/statistics")
    part = chart(phone, "Where pieces were ucked")
    board = part.get_by_role("img")
    see(board).to_have_attribute(
        "aria-label",
        re.compile("^Where .*, most often first: Five short of red's mouth 4; Green's doorstep 2"),
    )
    spot = part.locator(".spot").filter(has_text="2")
    # Red's fourteenth square is green's first: it is painted green.
    spot.scroll_into_view_if_needed()
    at = spot.bounding_box()
    under = f"document.elementsFromPoint({at['x'] + at['width'] / 2}, {at['y'] + at['height'] / 2})"
    assert "square c-green" in phone.evaluate(f"{under}.map((each) => each.getAttribute('class'))")


def test_who_ucked_whom_and_head_to_head_join_the_ways_to_write_a_name(phone):
    phone.goto("/statistics")
    for title, counts in (("Who ucked whom", "Jack 20 Nobby"), ("Head to head", "Jack 11 Nobby")):
        see(chart(phone, title).locator(".ends").filter(has_text="Nobby")).to_have_text(counts)
    see(chart(phone, "Caught at what").locator("li")).to_have_text("A wrong count1Nobby 1")
    form = chart(phone, "Streaks").locator("li").filter(has_text="Jack").get_by_role("img")
    see(form).to_have_attribute("aria-label", "won, lost, won")
    see(chart(phone, "Which colour ucked which").get_by_role("img")).to_have_attribute(
        "aria-label", re.compile("red ucked blue 4 times")
    )


def test_matches_are_chosen_by_date_rules_and_names_and_the_address_has_the_choice(phone):
    phone.goto("/statistics")
    see(chart(phone, "The dice")).to_contain_text("4 matches, 1 of them left, ")
    phone.get_by_text("Which matches:").click()
    phone.get_by_label("Rules").select_option("wafu")
    see(chart(phone, "The dice")).to_contain_text("1 match, ")
    phone.get_by_label("Rules").select_option("any rules")
    phone.get_by_label("From", exact=True).fill("2026-11-02")
    see(chart(phone, "The dice")).to_contain_text("3 matches, ")
    phone.get_by_label("With", exact=True).select_option("Jack")
    see(chart(phone, "The dice")).to_contain_text("2 matches, ")
    see(phone.locator("#which")).to_have_text("from 2026-11-02, with Jack")
    phone.reload()
    see(chart(phone, "The dice")).to_contain_text("2 matches, ")
    see(phone.locator("#which")).to_have_text("from 2026-11-02, with Jack")
    phone.get_by_text("Which matches:").click()
    phone.get_by_label("And with").select_option(HOSTILE)
    see(chart(phone, "The dice")).to_contain_text("1 match, ")
    phone.get_by_label("To", exact=True).fill("2026-11-03")
    see(phone.locator("#none")).to_have_text("No such match is over yet.")
    see(phone.locator("#tables section")).to_have_count(0)
    phone.get_by_role("button", name="All matches").click()
    see(chart(phone, "The dice")).to_contain_text("4 matches, ")
    assert phone.url.endswith("/statistics")
    # An address that somebody typed may write a name as nobody else does.
    phone.goto("/statistics?name=jACK&until=2026-11-02")
    see(chart(phone, "The dice")).to_contain_text("2 matches, ")
    see(phone.locator("#which")).to_have_text("to 2026-11-02, with jACK")


def test_the_last_choice_counts_whatever_is_answered_last(phone):
    phone.goto("/statistics")
    see(chart(phone, "The dice")).to_contain_text("4 matches, ")
    held = []
    phone.route("**/api/statistics?rules=wafu", lambda route: held.append(route))
    phone.get_by_text("Which matches:").click()
    phone.get_by_label("Rules").select_option("wafu")
    phone.get_by_label("Rules").select_option("br4006")
    see(chart(phone, "The dice")).to_contain_text("3 matches, ")
    with phone.expect_response("**/api/statistics?rules=wafu"):
        held[0].continue_()
    phone.wait_for_timeout(50)
    see(chart(phone, "The dice")).to_contain_text("3 matches, ")


def test_names_are_text_in_whatever_alphabet_and_direction(phone):
    phone.goto("/statistics")
    see(chart(phone, "Who ucked whom").locator(".ends").first).to_have_text(f"{HOSTILE} 30 {ENDLESS}")
    see(chart(phone, "Who ucked whom").locator("bdi").filter(has_text=RIGHT_TO_LEFT)).to_be_visible()
    assert phone.locator("main i").count() == 0
    # What is written from the right stays on its side of the bar.
    row = chart(phone, "Who ucked whom").locator(".ends").filter(has_text=RIGHT_TO_LEFT)
    number, name = (row.locator(each).last.bounding_box() for each in ("b", "bdi"))
    assert number["x"] + number["width"] <= name["x"]


@pytest.mark.parametrize(
    ("size", "theme"), [*((size, "light") for size in SIZES), ("phone", "dark"), ("phone", "night")]
)
def test_charts_fit_every_screen_and_axe_finds_no_fault_in_them(chromium, port, size, theme):
    context = chromium.new_context(viewport=SIZES[size], base_url=f"http://127.0.0.1:{port}")
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page = context.new_page()
    page.goto("/statistics")
    page.locator(".heat .spot").first.wait_for()
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert page.evaluate(CUT_OFF) == []
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    context.close()
