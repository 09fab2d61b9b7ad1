"""What an accusation rests on, as people see it in a real browser."""

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.web.accused_table import FROM, INNOCENT, LEGAL, RED, TO, AccusedLibrary, rendered, serve_accused
from tests.web.browsing import DESK, PHONE, WAIT_MS, needs_chromium, phone_at, see
from tests.web.fakes import FakeTable
from tests.web.test_in_a_browser import CUT_OFF, ON_ITS_SIDE, SMALL
from uckers_table.game.position import position_from
from uckers_table.game.ruling import Move
from uckers_table.web import commands
from uckers_table.web.feed import OpenAccusation

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
NATURAL = "image => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
SIZES = [SMALL, PHONE, ON_ITS_SIDE, DESK]


@pytest.fixture(scope="module")
def table():
    return rendered()


@pytest.fixture(scope="module")
def accused(tmp_path_factory, table):
    """A record with all that is kept today."""
    server = serve_accused(FakeTable(), AccusedLibrary(tmp_path_factory.mktemp("record"), table))
    yield server
    server.close()


@pytest.fixture
def phone(chromium, accused):
    with phone_at(chromium, accused.port) as page:
        yield page


def test_the_picture_is_cut_to_what_was_moved(phone):
    phone.goto("/matches/7/3")
    see(phone.get_by_role("button", name="Close up")).to_have_attribute("aria-pressed", "true")
    see(phone.get_by_alt_text("The board that was judged")).to_be_visible()
    width, height = phone.locator("#picture").evaluate(NATURAL)
    # The whole has 1536 × 864.
    assert width < 500 and height < 500
    see(phone.locator("#counted .ring.from")).to_have_count(1)
    see(phone.locator("#counted .ring.to")).to_have_count(1)
    # As large as a fingertip: on the whole picture it would be 9 pixels.
    assert phone.locator("#counted .ring.to").bounding_box()["width"] > 40
    phone.get_by_role("button", name="Whole picture").click()
    see(phone.locator("#counted .ring")).to_have_count(0)
    assert phone.locator("#picture").evaluate(NATURAL) == [1536, 864]


def brightness(page, ring):
    """How red what lies in a ring is over what is green: a red piece, or a white square."""
    return page.locator("#picture").evaluate(
        """(image, ring) => {
            const canvas = document.createElement("canvas"), at = document.querySelector(ring);
            [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
            const pen = canvas.getContext("2d");
            pen.drawImage(image, 0, 0);
            const r = at.r.baseVal.value / 2;
            const [x, y] = [at.cx.baseVal.value - r, at.cy.baseVal.value - r];
            const { data } = pen.getImageData(x, y, 2 * r, 2 * r);
            let more = 0, light = 0;
            for (let k = 0; k < data.length; k += 4) { more += data[k] - data[k + 1]; light += data[k + 1]; }
            return [more / (data.length / 4), light / (data.length / 4)];
        }""",
        f"#counted .ring.{ring}",
    )


def test_before_and_after_lie_under_one_thumb(phone):
    phone.goto("/matches/7/3")
    flip = phone.locator("#flip")
    see(flip).to_have_text("Show the board before")
    see(phone.locator("#time")).to_have_text("After, at 0:31")
    place, (red, _), (_, light) = flip.bounding_box(), brightness(phone, "to"), brightness(phone, "from")
    assert red > 40, "the piece stands where it went"
    assert light > 150, "the square that it left is white paint, lightened"
    for time, where, words in (
        ("Before, at 0:29", "from", "Show the board after"),
        ("After, at 0:31", "to", "Show the board before"),
    ):
        phone.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        see(phone.locator("#time")).to_have_text(time)
        see(flip).to_have_text(words)
        assert flip.bounding_box() == place
        assert brightness(phone, where)[0] > 40
    phone.locator("#close-up").click()
    see(phone.locator("#time")).to_have_text("Before, at 0:29")
    flip.focus()
    phone.keyboard.press("Enter")
    see(phone.locator("#time")).to_have_text("After, at 0:31")


def middles(page, what):
    """Where things on the page are, by their middles."""
    boxes = [each.bounding_box() for each in page.locator(what).all()]
    return [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]


def test_the_way_is_counted_the_dice_shown_and_legal_squares_lit(phone):
    phone.goto("/matches/7/3")
    # On the picture and on the drawn board.
    for part in ("#counted", "#board-stood .counted"):
        see(phone.locator(f"{part} .number")).to_have_text([*"1234567"])
        see(phone.locator(f"{part} .lit")).to_have_count(3)
        numbers, squares = middles(phone, f"{part} .number"), middles(phone, f"{part} .lit")
        side = phone.locator(f"{part} .lit").first.bounding_box()["width"]
        # Squares 12, 16 and 18 are the second, the sixth and one more on: red's seventh stands before it.
        for square, n in zip(squares, (1, 5), strict=False):
            assert max(abs(a - b) for a, b in zip(square, numbers[n], strict=True)) < side / 2
        apart = [abs(x - u) + abs(y - v) for (x, y), (u, v) in pairwise(numbers)]
        assert 0.7 * side < min(apart) and max(apart) < 2.3 * side, "no square is left out"
    assert (
        phone.locator("#counted .number text").first.evaluate("text => text.getBoundingClientRect().height")
        > 11
    )
    dice = phone.locator("#thrown").get_by_role("img")
    assert [each.get_attribute("aria-label") for each in dice.all()] == ["6", "2"]
    see(phone.locator("#key li")).to_have_text(
        [
            "Red, from two short of green's mouth to three on from green's doorstep, counted: 7 squares.",
            "Lit, where the dice allowed it: green's mouth; two on from green's doorstep;"
            " four on from green's doorstep.",
        ]
    )


def test_the_rule_is_said_with_its_number(phone):
    phone.goto("/matches/7/3")
    rule = phone.locator("#rule")
    see(rule).to_have_text("Use the dice on two pieces, one each, or both on one piece. BR r5b r5c")
    see(phone.locator("#rule-source")).to_have_text(
        "On the card of br4006, under “Moving”. BR: BR 4006, Basic Rules."
    )
    phone.goto("/matches/7/2")
    see(phone.locator("#say")).to_have_text("legal")
    see(phone.locator("#rule-part")).to_be_hidden()


def test_the_likeliest_innocent_story_is_told_and_its_board_drawn(phone):
    phone.goto("/matches/7/3")
    see(phone.locator("#stories li").nth(1)).to_have_text(
        "Nobody did wrong (1,840 times less likely). The dice were misread."
    )
    # Where it has the piece, and where the piece was seen.
    see(phone.locator(f"#board-other [data-colour=red][data-steps='{INNOCENT}']")).to_have_count(1)
    see(phone.locator(f"#board-stood [data-colour=red][data-steps='{TO}']")).to_have_count(1)
    see(phone.locator("#board-other .moved")).to_have_count(2)
    see(phone.locator("#other-part figcaption")).to_have_text("As it would stand if nobody did wrong")


QUESTION = "Illegal. Red moved 7; the dice said 6 and 2."


@pytest.fixture
def playing(tmp_path, table):
    """A table at match 7, where red's piece stands on its tenth square, and its page."""
    at = FakeTable()
    at.number = 6
    at.do(commands.StartMatch("br4006", to_play="red"))
    at.do(commands.Correct(position_from(at.match.board, {"red": [0, 0, 0, FROM]})))
    at.do(commands.EnterThrow((6, 2)))
    server = serve_accused(at, AccusedLibrary(tmp_path, table))
    yield at, server
    server.close()


def accuse(at, *, is_on=True):
    accused = OpenAccusation(3, (Move(RED, FROM, TO),), (6, 2), tuple((RED, each) for each in LEGAL))
    parts = {"accused": accused, "question": QUESTION} if is_on else {"accused": None, "question": ""}
    at.base = replace(at.base, **parts)
    at.publish()


def test_who_is_accused_is_marked_on_the_live_board_and_shown_in_the_box(chromium, playing):
    at, server = playing
    with phone_at(chromium, server.port) as phone:
        asked = []
        phone.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        phone.goto("/")
        see(phone.locator("#board .wood").first).to_be_attached()
        see(phone.locator("#turn-who")).to_have_text("Red")
        late = {"accusing.js", "evidence.js", "evidence.css"}
        assert not late & {*asked}, "the page starts without what it shows later"
        accuse(at)
        see(phone.locator("#board .number")).to_have_text([*"1234567"])
        see(phone.locator("#board .lit")).to_have_count(3)
        # The piece stands on record where it came from, and the ring of where it went is seven squares on.
        piece = middles(phone, f"#board [data-colour=red][data-steps='{FROM}']")
        assert middles(phone, "#board .ring.from")[0] == pytest.approx(piece[0], abs=2)
        assert middles(phone, "#board .ring.to")[0] != pytest.approx(piece[0], abs=20)
        box = phone.locator("#message #accused")
        see(box.locator(".close-up .ring.to")).to_be_attached()
        see(box.locator("blockquote")).to_contain_text("Use the dice on two pieces")
        see(box.locator(".other")).to_have_text(
            "Or nobody did wrong (1,840 times less likely). The dice were misread."
        )
        box.get_by_role("button", name="Show the board before").click()
        see(box.locator(".meta")).to_have_text("Before, at 0:29")
        phone.get_by_role("button", name="Turn the board").click()
        see(phone.locator("#board .number")).to_have_count(7)
        turned = middles(phone, f"#board [data-colour=red][data-steps='{FROM}']")
        assert turned[0] != pytest.approx(piece[0], abs=20)
        assert middles(phone, "#board .ring.from")[0] == pytest.approx(turned[0], abs=2)
        accuse(at, is_on=False)
        see(phone.locator("#board .counted")).to_have_count(0)
        see(box).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark", "night"])
@pytest.mark.parametrize("size", SIZES, ids=["small", "phone", "on_its_side", "desk"])
def test_an_accusation_fits_the_live_page_and_axe_finds_no_fault(chromium, playing, size, theme):
    at, server = playing
    accuse(at)
    context = chromium.new_context(viewport=size, base_url=f"http://127.0.0.1:{server.port}")
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page = context.new_page()
    page.goto("/")
    see(page.locator("#accused .ring.to")).to_be_attached()
    assert page.evaluate(CUT_OFF) == []
    # All of the picture and its button is in sight in the box, without scrolling.
    box = page.locator("#message").bounding_box()
    for part in ("#accused .close-up", "#accused .flip"):
        seen = page.locator(part).bounding_box()
        assert box["y"] <= seen["y"] and seen["y"] + seen["height"] <= box["y"] + box["height"], part
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    context.close()


def test_a_record_that_keeps_no_table_shows_the_whole_pictures(chromium, tmp_path, table):
    server = serve_accused(FakeTable(), AccusedLibrary(tmp_path, table, is_old=True))
    with phone_at(chromium, server.port) as phone:
        phone.goto("/matches/7/3")
        see(phone.get_by_alt_text("The board that was judged")).to_be_visible()
        assert phone.locator("#picture").evaluate(NATURAL) == [1536, 864]
        phone.locator("#flip").click()
        see(phone.locator("#time")).to_have_text("Before, at 0:29")
        # The way is counted on the drawn board all the same; what was legal was not kept.
        see(phone.locator("#board-stood .number")).to_have_count(7)
        see(phone.locator(".lit")).to_have_count(0)
        see(phone.locator("#key")).not_to_contain_text("dice")
        see(phone.locator("#other-part")).to_be_hidden()
    server.close()


@pytest.mark.parametrize(
    "torn",
    [lambda whole: whole[: len(whole) // 2], lambda whole: b"<script>alert(1)</script>", None],
    ids=["torn", "hostile", "gone"],
)
def test_a_picture_that_cannot_be_shown_is_one_sentence(chromium, tmp_path, table, torn):
    library = AccusedLibrary(tmp_path, table)
    picture = tmp_path / "after.jpg"
    if torn is None:
        picture.unlink()
    else:
        picture.write_bytes(torn(picture.read_bytes()))
    server = serve_accused(FakeTable(), library)
    # Its browser complains of what is not there.
    context = chromium.new_context(viewport=PHONE, base_url=f"http://127.0.0.1:{server.port}")
    context.set_default_timeout(WAIT_MS)
    phone = context.new_page()
    phone.goto("/matches/7/3")
    see(phone.locator("#time")).to_have_text("This picture is torn or gone.")
    see(phone.locator("#picture")).to_be_hidden()
    phone.locator("#flip").click()
    see(phone.locator("#time")).to_have_text("Before, at 0:29")
    see(phone.locator("#picture")).to_be_visible()
    context.close()
    server.close()


@pytest.mark.parametrize("theme", ["light", "dark", "night"])
@pytest.mark.parametrize("size", SIZES, ids=["small", "phone", "on_its_side", "desk"])
def test_nothing_of_it_is_cut_off_and_axe_finds_no_fault_in_it(chromium, accused, size, theme):
    context = chromium.new_context(viewport=size, base_url=f"http://127.0.0.1:{accused.port}")
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page = context.new_page()
    page.goto("/matches/7/3")
    see(page.locator("#counted .ring.to")).to_be_visible()
    assert page.evaluate(CUT_OFF) == []
    picture = page.locator("#close-up").bounding_box()
    assert picture["y"] + picture["height"] <= size["height"] or size["height"] > size["width"]
    assert picture["height"] < size["height"] - 57
    found = axe.Axe().run(page).response["violations"]
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
    context.close()
