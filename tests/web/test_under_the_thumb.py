"""The live page in the hand: what stands where, how a press goes on, and how a dead line is told."""

import itertools
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.patience import until
from tests.web.browsing import (
    WAIT_MS,
    asked_for,
    limit_ms,
    needs_chromium,
    phone_at,
    see,
    show_pin,
)
from tests.web.fakes import PIN, FakeTable, Shot, serve
from tests.web.test_demo_in_a_browser import free_port
from tests.web.test_in_a_browser import in_play
from uckers_table.machine.messages import Reminder
from uckers_table.web import app, commands, watching
from uckers_table.web.feed import Choice, OpenCall, RulingLine

axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = needs_chromium
SIZES = [(320, 640), (390, 844), (844, 390), (1366, 768), (1920, 1080)]
COMMON = Path(app.__file__).parent / "static" / "common.js"
THUMB_PX = 44
"""The least that a fingertip hits (WCAG 2.2, 2.5.5, and Apple's and Google's guidelines)."""


def be_let_in(phone):
    """Show the PIN, and wait until the table was told the date for it."""
    phone.get_by_role("button", name="PIN").click()
    with phone.expect_response("**/api/do"):
        show_pin(phone, PIN)
    see(phone.get_by_role("button", name="Lock")).to_be_visible()


def be_given_pictures(phone):
    """Whatever is said of the board has its pictures."""
    picture = Shot(9).jpeg(marked=True)
    phone.route("**/close/*.jpg", lambda route: route.fulfill(body=picture, content_type="image/jpeg"))


def shown(table, **parts):
    table.base = replace(table.base, **parts)
    table.publish()


def accused(table):
    line = "Timber shift. Yellow, two on from green's ninth. Put it back."
    table.rulings = (
        *table.rulings,
        RulingLine(9, 99.0, "timber_shift", line, "yellow", ("before", "marked")),
    )
    shown(table, question=line)


CALLS = ("suckback 3 from green's mouth", "suckback 5 from blue's fourteenth", "challenge")
STATES = {
    "a throw is due": lambda table: table.do(commands.StartMatch("br4006", to_play="red")),
    "a play is due": in_play,
    "a question": lambda table: shown(table, is_asking=True, question="Check green's doorstep."),
    "a long question": lambda table: shown(
        table, is_asking=True, is_out_of_step=True, question="The board is not as I have it. " * 6
    ),
    "an accusation": accused,
    "which call": lambda table: shown(
        table, choices=tuple(Choice(number, words) for number, words in enumerate(CALLS, start=1))
    ),
    "no question": lambda table: shown(table, is_asking=False, is_out_of_step=False, choices=(), question=""),
    "a reminder": lambda table: shown(
        table, reminders=(Reminder(1, "NO BACKUP", "It is full."), Reminder(2, "SAFE START", "So.", "camera"))
    ),
    "the tower is back": lambda table: shown(
        table, devices=tuple(replace(each, state="works", is_well=True) for each in table.base.devices)
    ),
}
"""The states of a match, each made out of the one before."""


WORDY = {"a long question", "an accusation", "which call"}
"""Those in which words take the place of buttons."""


def boxes(page):
    """Where everything stands that must not move, in pixels of the page, by its name."""
    return page.evaluate(
        """() => Object.fromEntries(["#turn", "#board", "#low", "#turn-board", ".top",
            ...[...document.querySelectorAll("#places button")].filter((each) => each.checkVisibility())
            .map((each) => "#" + each.id)].map((name) => {
            const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
            return [name, [x, y + (name === ".top" ? 0 : scrollY), width, height].map(Math.round)];
        }))"""
    )


def is_on(box, other):
    """Whether two boxes, each (x, y, width, height), overlap."""
    (x, y, width, height), (x2, y2, width2, height2) = box, other
    return x < x2 + width2 and x2 < x + width and y < y2 + height2 and y2 < y + height


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_board_and_buttons_keep_their_places_whatever_happens(chromium, server, table, size):
    width, height = size
    with phone_at(chromium, server.port, {"width": width, "height": height}) as page:
        be_given_pictures(page)
        STATES["a throw is due"](table)
        page.goto("/")
        page.locator("#board .wood").first.wait_for()
        first, seen = boxes(page), {}
        for state, come in STATES.items():
            come(table)
            table.names = {"red": f"After {len(seen)}"}
            shown(table, names=table.names)
            see(page.locator("#board-words")).to_contain_text(f"After {len(seen)}")
            seen[state] = boxes(page)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, state
        # What comes and goes by itself, and what people do on the page.
        page.evaluate("dispatchEvent(new Event('offline'))")
        see(page.locator("#line")).to_be_visible()
        seen["the line is dead"] = boxes(page)
        page.evaluate("dispatchEvent(new Event('online'))")
        see(page.locator(".toast")).to_be_visible()
        seen["a word on what happened"] = boxes(page)
        # Where most buttons mean nothing, words take their place; the others keep their own.
        for state, found in seen.items():
            assert found.items() <= first.items(), state
            assert state in WORDY or found == first, state
        for one, other in itertools.combinations(first.keys() - {"#low"}, 2):
            assert not is_on(first[one], first[other]), f"{one} lies on {other}"
        # What lies over the page for a while hides whose turn it is, never the board or a button.
        toast = page.locator(".toast").bounding_box()
        for name in first.keys() - {"#turn", ".top"}:
            assert not is_on(list(toast.values()), first[name]), f"a word lies on {name}"
        for name in first:
            if name.startswith("#place-"):
                assert min(first[name][2:]) >= THUMB_PX, name
        # All nine are in sight, without a scroll.
        assert max(y + h for name, (_, y, _, h) in first.items() if name.startswith("#place-")) <= height


KEPT = ["Right as it stands", "Take back", "Correct the board"]
"""The buttons that answer for a wrong board."""
LONGEST = (
    "Timber shift. Blue, four short of green's mouth. Put it eleven back. A blue piece moved 11 on and "
    "stands four short of green's mouth. It is not blue's turn."
)
WAYS_OUT = (
    "Done: the board is right as it stands.",
    "To put it right, move a red piece from green's doorstep to red's mouth. One more after it.",
)
FITS = """(box) => box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1"""
"""Whether all of a box is seen without a scroll."""


def wrongly_moved(table):
    in_play(table)
    ruling = RulingLine(9, 99.0, "timber_shift", LONGEST, "blue", ("before", "marked"))
    table.rulings = (*table.rulings, ruling)
    shown(table, question=LONGEST)


def out_of_step(table):
    in_play(table)
    asked = "Two pieces stand otherwise. Press done to take it as it stands."
    shown(table, is_out_of_step=True, question=asked, ways_out=WAYS_OUT)


def several_calls(table):
    in_play(table)
    STATES["which call"](table)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_all_that_is_said_of_a_wrong_board_is_seen_without_a_scroll(chromium, server, table, size):
    width, height = size
    with phone_at(chromium, server.port, {"width": width, "height": height}) as page:
        be_given_pictures(page)
        for come, last in (
            (wrongly_moved, "turn."),
            (out_of_step, "after it."),
            (several_calls, "challenge"),
        ):
            table.base = replace(table.base, question="", is_out_of_step=False, ways_out=(), choices=())
            in_play(table)
            page.goto("/")
            see(page.locator("#place-undo")).to_have_attribute("aria-disabled", "false")
            before = boxes(page)
            come(table)
            box = page.locator("#message")
            see(box).to_contain_text(last)
            assert box.evaluate(FITS), come
            # What says "Done" of a board is answered by a button that does, too.
            kept = ["Done: it is right", *KEPT[1:]] if come is out_of_step else KEPT
            see(page.locator("#places button:visible")).to_have_text(kept)
            assert boxes(page).items() <= before.items()
            for name in kept:
                see(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)
            see(box).to_be_in_viewport(ratio=1)
        table.base = replace(table.base, choices=())
        wrongly_moved(table)
        # It leads to the pictures of it.
        see(page.get_by_role("link", name="See why")).to_be_in_viewport(ratio=1)


def test_where_people_tell_the_dice_they_can_throw_on_over_a_wrong_board(phone, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    shown(table, question=LONGEST)
    phone.goto("/")
    enter = phone.get_by_role("button", name="Enter the throw")
    see(enter).to_be_in_viewport(ratio=1)
    see(phone.locator("#places button:visible")).to_have_count(6)
    shown(table, devices=tuple(replace(each, state="works", is_well=True) for each in table.base.devices))
    see(enter).to_be_hidden()
    see(phone.locator("#places button:visible")).to_have_text(KEPT)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_while_pieces_are_pointed_at_the_box_has_all_the_room_and_is_whole(chromium, server, table, size):
    width, height = size
    in_play(table)
    with phone_at(chromium, server.port, {"width": width, "height": height}) as page:
        page.goto("/")
        box, buttons = page.locator("#message"), page.locator("#mode-tools > button, #mode-tools select")
        for begin, piece, to in (
            ("Correct the board", "blue", "15"),
            ("Enter the play", "red", "23"),
        ):
            see(page.get_by_role("button", name=begin)).to_have_attribute("aria-disabled", "false")
            before = boxes(page)
            for pressed in (
                page.get_by_role("button", name=begin),
                page.locator(f"#board [data-colour={piece}][data-steps='14']"),
                page.locator(f"#board [data-to='{to}']"),
            ):
                pressed.click()
                see(page.locator("#places button:visible")).to_have_count(0)
                see(page.get_by_role("button", name="Leave it")).to_be_in_viewport(ratio=1)
                assert box.evaluate(FITS)
                for each in buttons.all():
                    see(each).to_be_in_viewport(ratio=1)
                assert boxes(page).items() <= before.items()
            page.get_by_role("button", name="Leave it").click()
            see(page.locator("#places button:visible")).to_have_count(9)
            assert boxes(page) == before


@pytest.mark.parametrize("begin", ["Correct the board", "Enter the play"])
def test_by_keyboard_the_next_thing_to_press_is_at_hand(phone, table, begin):
    in_play(table)
    phone.goto("/")
    opener = phone.get_by_role("button", name=begin)
    see(opener).to_have_attribute("aria-disabled", "false")
    opener.press("Enter")
    see(phone.locator("#board .piece.may").first).to_be_focused()
    phone.locator("#board [data-colour=red][data-steps='14']").press("Enter")
    phone.locator("#board [data-to='23']").press("Enter")
    first = {"Correct the board": "The board stands like this", "Enter the play": "Yes, play it"}[begin]
    see(phone.get_by_role("button", name=first)).to_be_focused()
    phone.get_by_role("button", name="Leave it").press("Enter")
    see(opener).to_be_focused()


def test_a_challenge_that_must_be_made_is_what_is_to_be_pressed(phone, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    calls = (OpenCall(commands.Call("challenge", 0, 14), "challenge", is_forced=True),)
    table.snapshot, plain = (lambda: replace(plain(), calls=calls)), table.snapshot
    table.publish()
    phone.goto("/")
    challenge = phone.get_by_role("button", name="Challenge")
    see(challenge).to_have_class("first")
    see(phone.locator("#turn-owed")).to_have_text("must challenge")
    calls = (replace(calls[0], is_forced=False),)
    table.publish()
    see(challenge).not_to_have_class("first")
    see(challenge).to_have_attribute("aria-disabled", "false")


def test_a_question_that_has_gone_by_itself_is_read_no_more(phone, table):
    in_play(table)
    played = RulingLine(8, 90.0, "legal", "Red 6-3: one out.", "red")
    asked = RulingLine(9, 99.0, "check", "Check red's doorstep.", "red")
    table.rulings = (played, asked)
    shown(table, is_asking=True, question=asked.say)
    phone.goto("/")
    see(phone.locator("#asked")).to_contain_text(asked.say)
    shown(table, is_asking=False, question="")
    see(phone.locator("#said")).to_be_visible()
    see(phone.locator("#said")).to_have_text(played.say)
    assert asked.say not in phone.locator("#message").inner_text()


def test_a_refusal_is_told_once_in_one_sentence_to_whoever_pressed(phone, table):
    why = "Refused: every piece stands where it should."

    def refuse(command, *, of="", within_s=0.0):
        table.rulings = (*table.rulings, RulingLine(9, 99.0, "call_refused", why, "red"))
        table.publish()
        return commands.Answer(False, why)

    in_play(table)
    played = RulingLine(8, 90.0, "legal", "Red 6-3: one out.", "red")
    table.rulings = (played,)
    table.publish()
    phone.goto("/")
    be_let_in(phone)
    table.do = refuse
    phone.get_by_role("button", name="Timber shift!").click()
    see(phone.locator(".toast")).to_have_text(why)
    see(phone.get_by_role("log")).to_contain_text(why)
    see(phone.locator("#said")).to_have_text(played.say)


def test_what_the_table_answers_is_a_sentence(phone, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    phone.goto("/health")
    be_let_in(phone)
    line = "no stick is plugged in, or the system has not mounted it"
    table.do = lambda command, **_: commands.Answer(False, line)
    phone.get_by_role("button", name="Back up to the stick").click()
    see(phone.locator(".toast")).to_have_text("No stick is plugged in, or the system has not mounted it.")


def test_a_table_that_is_switched_off_says_what_to_wait_for(chromium, server, table):
    leaving = "Switching off. The match is kept. Pull the plug when the green light is out."
    with phone_at(chromium, server.port, silent_ms=None) as phone:
        in_play(table)
        phone.goto("/health")
        be_let_in(phone)

        def end(command, **_):
            shown(table, leaving=leaving)
            return commands.Answer(True)

        table.do = end
        phone.get_by_role("button", name="Switch off").click()
        phone.get_by_role("alertdialog").get_by_role("button", name="Switch off").click()
        line = phone.locator("#line")
        see(line).to_have_text(leaving)
        phone.evaluate("dispatchEvent(new Event('offline'))")
        see(phone.locator("html")).to_have_attribute("data-lost", "")
        # It stays to be read, and is no alarm.
        see(line).to_have_text(leaving)
        see(line).not_to_have_class("line bad")
        see(line).to_be_in_viewport(ratio=1)
        shown(table, leaving="")
        phone.evaluate("dispatchEvent(new Event('online'))")
        see(line).to_be_hidden()


def test_who_watches_hears_why_the_table_goes_though_it_goes_at_once(chromium, tmp_path):
    table = FakeTable()
    server = serve(table, tmp_path)
    context = chromium.new_context(base_url=f"http://127.0.0.1:{server.port}")
    context.set_default_timeout(WAIT_MS)
    page = context.new_page()
    page.goto("/")
    see(page.locator("#onward")).to_be_visible()
    shown(table, leaving="Switching off.")
    server.close()
    see(page.locator("#line")).to_have_text("Switching off.")
    context.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_button_under_the_board_lies_on_no_words(chromium, server, table, size):
    width, height = size
    in_play(table)
    with phone_at(chromium, server.port, {"width": width, "height": height}) as page:
        page.goto("/")
        see(page.locator("#turn-board")).to_be_enabled()
        button = page.locator("#turn-board").bounding_box()
        words = page.locator("#under summary").evaluate(
            """(summary) => {
                const range = document.createRange();
                range.selectNodeContents(summary);
                return [...range.getClientRects()].map(({ x, y, width, height }) => [x, y, width, height]);
            }"""
        )
        assert words
        assert not any(is_on(each, list(button.values())) for each in words)


def test_a_play_may_be_shown_before_the_press_is_answered(phone, table):
    in_play(table)
    phone.goto("/")
    be_let_in(phone)
    phone.get_by_role("button", name="Enter the play").click()
    phone.locator("#board [data-colour=red][data-steps='14']").click()
    phone.locator("#board [data-to='23']").click()
    asked = asked_for(phone, "**/api/do")
    phone.get_by_role("button", name="Yes, play it").click()
    held = asked()
    table.do(commands.EnterPlay(table.match.plays[0]))
    see(phone.locator("#entering")).to_be_hidden()
    see(phone.locator("#main")).to_be_focused()
    held.fulfill(json={"is_done": True, "line": ""})
    see(phone.locator("#places [aria-busy=true], #mode-tools [aria-busy=true]")).to_have_count(0)
    see(phone.locator("#places button:visible")).to_have_count(9)


@pytest.mark.parametrize("theme", ["light", "dark", "night"])
def test_axe_finds_no_fault_in_a_box_that_took_the_buttons_place(phone, table, theme):
    phone.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    be_given_pictures(phone)
    for come in (wrongly_moved, out_of_step, several_calls, in_play):
        table.base = replace(table.base, question="", is_out_of_step=False, ways_out=(), choices=())
        come(table)
        phone.goto("/")
        see(phone.locator("#place-correct")).to_have_attribute("aria-disabled", "false")
        if come is in_play:
            phone.get_by_role("button", name="Correct the board").click()
            phone.locator("#board [data-colour=blue][data-steps='14']").click()
        found = axe.Axe().run(phone).response["violations"]
        assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []


def test_a_greyed_button_says_why_and_asks_for_nothing(phone, table):
    table.do(commands.StartMatch("br4006", to_play="red"))
    phone.goto("/")
    # Before the table has said how things are, it is greyed for that.
    see(phone.locator("#turn-what")).to_have_text("to throw")
    done = phone.get_by_role("button", name="Done", exact=True)
    see(done).to_have_attribute("aria-disabled", "true")
    # Its reason is told to whoever taps it; it is not asked whether it may be tapped.
    done.dispatch_event("click")
    see(phone.locator(".toast")).to_have_text("Nothing waits for “done” now.")
    phone.get_by_role("button", name="Challenge").dispatch_event("click")
    see(phone.locator(".toast")).to_have_text("There is nothing to challenge now.")
    assert [each for each in table.commands if not isinstance(each, commands.StartMatch)] == []


def test_until_the_table_has_said_how_things_are_nothing_can_be_done(phone, table):
    in_play(table)
    asked = asked_for(phone, "**/api/feed")
    phone.goto("/")
    held = asked()
    done = phone.locator("#place-done")
    see(done).to_be_disabled()
    held.continue_()
    see(done).to_have_attribute("aria-disabled", "false")


def test_a_press_shows_that_it_is_on_its_way_and_is_made_once(phone, table):
    in_play(table)
    phone.goto("/")
    be_let_in(phone)
    asked = asked_for(phone, "**/api/do")
    done = phone.get_by_role("button", name="Done", exact=True)
    table.commands.clear()
    done.click()
    held = asked()
    see(done).to_have_attribute("aria-busy", "true")
    done.click()
    held.continue_()
    see(done).not_to_have_attribute("aria-busy", "true")
    assert table.commands == [commands.Press("done")]


def test_a_phone_of_2021_can_press_and_sees_the_camera(phone, table):
    in_play(table)
    phone.add_init_script("delete AbortSignal.timeout")
    phone.goto("/")
    be_let_in(phone)
    see(phone.locator("#camera")).to_have_attribute("data-frame", "1")
    table.commands.clear()
    phone.get_by_role("button", name="Done", exact=True).click()
    until(lambda: table.commands, pause=lambda: phone.wait_for_timeout(20))
    assert table.commands == [commands.Press("done")]


def test_a_press_that_takes_too_long_is_dropped_and_said(chromium, server, table, monkeypatch):
    # As it is, not as patient as for the other tests: what is held here is older by then.
    monkeypatch.setattr(app, "PRESS_S", commands.PRESS_S)
    in_play(table)
    with phone_at(chromium, server.port, press_ms=None) as phone:
        phone.goto("/")
        be_let_in(phone)
        asked = asked_for(phone, "**/api/do")
        table.commands.clear()
        phone.get_by_role("button", name="Done", exact=True).click()
        held = asked()
        see(phone.locator(".toast")).to_have_text("Your press took too long and was dropped: press again.")
        see(phone.get_by_role("button", name="Done", exact=True)).not_to_have_attribute("aria-busy", "true")
        # The table itself is too late for it, however it comes there in the end.
        late = phone.context.request.post(
            "/api/do", data=held.request.post_data_json, headers={"origin": f"http://127.0.0.1:{server.port}"}
        )
        assert late.json() == {"is_done": False, "line": commands.DROPPED}
        assert table.commands == []


def test_a_picture_that_never_comes_keeps_none_after_it_from_being_shown(chromium, server, table):
    in_play(table)
    with phone_at(chromium, server.port, silent_ms=1000) as phone:
        held = []
        phone.route("**/api/picture/**", lambda route: held.append(route), times=1)
        phone.goto("/")
        until(lambda: held, pause=lambda: phone.wait_for_timeout(20))
        table.shot = Shot(2)
        table.publish()
        see(phone.locator("#camera")).to_have_attribute("data-frame", "2")


def test_a_page_that_hears_nothing_says_so_within_twelve_seconds():
    silent_s = limit_ms("SILENT_MS", COMMON.read_text()) / 1000
    # Two beats may be lost before a line is called dead.
    assert silent_s > 2 * watching.HEARTBEAT_S
    assert silent_s <= 12
    # Nothing that was pressed acts after the page has said that it was dropped.
    assert limit_ms("PRESS_MS", COMMON.read_text()) / 1000 > commands.PRESS_S


NOTHING_WATCHES = """
camera = "none"
dice = "buttons"
tower = "none"
buttons = "none"
display = "none"
voice = "silent"
"""


def test_a_table_that_stands_still_is_told_and_comes_back_by_itself(chromium, tmp_path):
    port = free_port()
    config = tmp_path / "table.toml"
    config.write_text(f"{NOTHING_WATCHES}page_port = {port}\n")
    program = [sys.executable, "-m", "uckers_table", "run", "--config", config]
    with subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as running:
        assert any(line.startswith("Page: ") for line in running.stdout)
        try:
            with phone_at(chromium, port, silent_ms=None) as phone:
                phone.goto("/")
                see(phone.locator("#onward")).to_be_visible()
                running.send_signal(signal.SIGSTOP)
                see(phone.locator("#line")).to_have_text(
                    re.compile(r"^No line to the table since \d\d:\d\d. What you see is old.$")
                )
                assert "grayscale" in phone.locator("main").evaluate(
                    "(main) => getComputedStyle(main).filter"
                )
                for place in phone.locator("#places button").all():
                    see(place).to_have_attribute("aria-disabled", "true")
                running.send_signal(signal.SIGCONT)
                see(phone.locator("#line")).to_be_hidden()
                see(phone.locator(".toast")).to_have_text("The line to the table is back.")
        finally:
            running.send_signal(signal.SIGCONT)
            running.terminate()


def old_page(phone, times):
    """Let the phone load a page of another version so often."""
    left = [times]

    def answer(route):
        got = route.fetch()
        left[0] -= 1
        old = re.sub('data-version="[0-9a-f]+"', 'data-version="0123"', got.text())
        assert old != got.text()
        route.fulfill(response=got, body=old if left[0] >= 0 else got.text())

    phone.route("**/health", answer)


def test_an_old_tab_says_that_there_is_a_newer_page(phone):
    old_page(phone, 1)
    # Whoever has touched a page is asked: there may be something half typed in it.
    phone.add_init_script(
        "addEventListener('DOMContentLoaded', () => setTimeout(() => dispatchEvent(new Event('keydown'))))"
    )
    phone.goto("/health")
    see(phone.locator("#newer")).to_contain_text("The table has a newer page than this one.")
    phone.get_by_role("button", name="Load it").click()
    see(phone.locator("html")).not_to_have_attribute("data-version", "0123")
    see(phone.locator("#devices")).to_contain_text("Camera")
    see(phone.locator("#newer")).to_be_hidden()


def test_an_old_page_on_the_wall_loads_itself_anew_and_only_once(phone):
    old_page(phone, 1)
    phone.goto("/health")
    see(phone.locator("html")).not_to_have_attribute("data-version", "0123")
    old_page(phone, 9)
    phone.goto("/health")
    see(phone.locator("#newer")).to_be_visible()


def test_of_two_phones_the_slower_is_told_in_one_sentence(chromium, server, table):
    def refused(command, *, of="", within_s=0.0):
        assert of == "7.3.0.0.0"
        return commands.Answer(False, "Somebody else has just done that.")

    in_play(table)
    shown(table, moment="7.3.0.0.0")
    with phone_at(chromium, server.port) as phone:
        phone.goto("/")
        done = phone.get_by_role("button", name="Done", exact=True)
        see(done).to_have_attribute("aria-disabled", "false")
        be_let_in(phone)
        table.do = refused
        done.click()
        see(phone.locator(".toast")).to_have_text("Somebody else has just done that.")


LATER = """() => {
    const now = Date.now;
    window.Date = class extends Date {
        constructor(...at) { super(...(at.length ? at : [now() + 1e9])); }
    };
}"""
"""Has the phone's clock go on by eleven days."""


def test_what_a_phone_shows_that_wakes_up_is_old_until_it_hears_of_the_table(phone, table):
    in_play(table)
    phone.goto("/")
    done = phone.locator("#place-done")
    see(done).to_have_attribute("aria-disabled", "false")
    hide(phone, "true")
    phone.evaluate(LATER)
    asked = asked_for(phone, "**/api/feed")
    hide(phone, "false")
    see(done).to_have_attribute("aria-disabled", "true")
    see(phone.locator("#line")).to_be_hidden()
    asked().continue_()
    see(done).to_have_attribute("aria-disabled", "false")


def hide(phone, is_hidden):
    """As if the phone went dark, or was taken up again."""
    phone.evaluate(f"Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }})")
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
