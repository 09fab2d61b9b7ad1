"""The devices' page on a phone: the first card, what is tried out, and what is chosen."""

from dataclasses import replace

import pytest

from tests.patience import until
from tests.web.browsing import needs_chromium, see, show_pin
from tests.web.fakes import PIN
from uckers_table.web import commands
from uckers_table.web.feed import CardLine, TableState, TryingOut

pytestmark = needs_chromium


def shown(table, **parts):
    table.base = replace(table.base, **parts)
    table.publish()


def waits(phone, holds):
    return until(holds, pause=lambda: phone.wait_for_timeout(20))


@pytest.mark.parametrize("address", ["/", "/setup", "/devices"])
def test_the_first_card_says_what_is_well_and_leads_to_what_is_not(phone, table, address):
    phone.goto(address)
    card = phone.locator("#card")
    see(card).to_contain_text("Board found.")
    see(card.locator(".bad")).to_have_text("Tower not connected.")
    see(card.locator(".bad a")).to_have_attribute("href", "/devices#tower")
    shown(table, card=(*table.base.card[:2], CardLine("tower", "Tower: press to test.")))
    see(card).to_contain_text("Tower: press to test.")


def test_sound_is_tested_where_one_reads_of_it(phone, table):
    phone.goto("/setup")
    line = phone.locator("#card [data-part=sound]")
    line.get_by_role("button", name="Test").click()
    show_pin(phone, PIN)
    line.get_by_role("button", name="I hear nothing").click()
    waits(phone, lambda: table.commands[1:])
    assert table.commands == [commands.TestSound(), commands.SoundHeard(False)]


def test_buttons_are_ticked_as_they_come_and_the_page_keeps_the_test_on(phone, table):
    phone.goto("/devices#buttons")
    phone.get_by_role("button", name="Press each button").click()
    show_pin(phone, PIN)
    see(phone.locator("#pressed")).to_contain_text("– accept")
    shown(table, trying_out=TryingOut(presses=True, pressed=("accept",), missing=("timber_shifting",)))
    see(phone.locator("#pressed li.well")).to_have_text("✓ accept")
    see(phone.locator("#pressed-words")).to_contain_text("1 to come: timber shifting.")
    waits(phone, lambda: commands.TryOut("all", "stay") in table.commands)
    phone.locator("#stop-buttons").click()
    see(phone.locator("#pressed-words")).to_be_empty()
    assert commands.TryOut("all", "end") in table.commands


def test_a_test_throw_is_shown_with_what_the_beams_say(phone, table):
    phone.goto("/devices#tower")
    beams, thrown = ("clear", "dark"), "6 and 3."
    shown(
        table, trying_out=TryingOut(looked_at=True, reader="array", beams=beams, dice=(6, 3), thrown=thrown)
    )
    see(phone.locator("#thrown")).to_contain_text("It has read: 6 and 3.")
    see(phone.locator("#thrown .die")).to_have_count(2)
    see(phone.locator("#tower-reads .bad")).to_contain_text("The out-beam is dark. Take out")
    see(phone.get_by_role("button", name="Learn the white card")).to_be_visible()


def test_what_is_chosen_goes_to_the_table_as_the_kind_of_value_that_it_is(phone, table):
    phone.goto("/devices")
    phone.get_by_label("The lamps’ mains").select_option("60")
    show_pin(phone, PIN)
    wanted = [{"mains_hz": 60}, {"sound_stays_open": True}, {"tray_camera": "ACME_Tray_Cam_0001"}]

    def chosen():
        return [dict(each.values) for each in table.commands if isinstance(each, commands.Choose)]

    waits(phone, lambda: chosen() == wanted[:1])
    phone.get_by_label("A soldered amplifier").select_option("true")
    waits(phone, lambda: chosen() == wanted[:2])
    phone.locator("#tray-is").select_option("ACME_Tray_Cam_0001")
    waits(phone, lambda: chosen() == wanted)
    phone.get_by_label("How loud").fill("45")
    waits(phone, lambda: chosen() == [*wanted, {"volume": 45}])
    see(phone.locator("#own")).to_contain_text("Set here")


def test_in_a_match_only_the_sound_is_chosen(phone, table):
    phone.goto("/devices")
    see(phone.get_by_role("button", name="Drop two dice")).to_be_enabled()
    shown(table, state=TableState.PLAYING)
    see(phone.get_by_role("button", name="Drop two dice")).to_be_disabled()
    see(phone.locator("#tower-is")).to_be_disabled()
    see(phone.get_by_label("How loud")).to_be_enabled()
    see(phone.locator("#not-now")).to_be_visible()


def test_starting_anew_asks_first(phone, table):
    phone.goto("/devices#anew")
    phone.locator("#start-anew").click()
    phone.get_by_role("alertdialog").get_by_role("button", name="Leave it").click()
    assert table.commands == []
    phone.locator("#start-anew").click()
    phone.get_by_role("alertdialog").get_by_role("button", name="Start anew").click()
    show_pin(phone, PIN)
    waits(phone, lambda: table.commands == [commands.StartAnew()])
