"""Another phone comes in by the QR code that one shows."""

import cv2
import numpy as np
import pytest

from tests.patience import until
from tests.web.browsing import needs_chromium, phone_at, see, show_pin
from tests.web.fakes import PIN
from uckers_table.web.inviting import NO_WAY_HERE

pytestmark = needs_chromium
IS_SHOWN = "img => img.complete && img.naturalWidth > 0"


@pytest.mark.parametrize("theme", ["light", "night"])
def test_another_phone_comes_in_by_the_code_that_one_shows(chromium, phone, server, theme):
    host = f"192.168.4.1:{server.port}"
    # As phones see the table: to 127.0.0.1 nobody else would come.
    phone.route(
        "**/api/invitation.svg",
        lambda route: route.fulfill(response=route.fetch(headers=route.request.headers | {"host": host})),
    )
    phone.goto("/")
    phone.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    phone.get_by_text("Menu", exact=True).click()
    phone.get_by_role("button", name="Let another phone in").click()
    show_pin(phone, PIN)
    code = phone.get_by_role("img", name="QR code")
    until(lambda: code.evaluate(IS_SHOWN), pause=lambda: phone.wait_for_timeout(20))
    photo = cv2.imdecode(np.frombuffer(phone.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    read, *_ = cv2.QRCodeDetector().detectAndDecode(photo)
    assert read == f"http://{host}/#pin={PIN}"
    with phone_at(chromium, server.port) as other:
        other.goto(f"/{read[read.index('#') :]}")
        see(other.locator(".toast")).to_have_text("This phone is in.")
        see(other.get_by_role("button", name="Lock")).to_be_visible()
        assert "pin" not in other.url


def test_a_code_that_is_old_lets_nobody_in(phone):
    phone.goto("/#pin=000000")
    see(phone.get_by_role("alert")).to_have_text("That is not the PIN. The display shows it.")
    see(phone.get_by_role("button", name="Show the PIN")).to_be_visible()


def test_where_no_other_phone_can_come_it_is_said(phone):
    phone.goto("/")
    phone.get_by_text("Menu", exact=True).click()
    phone.get_by_role("button", name="Let another phone in").click()
    show_pin(phone, PIN)
    see(phone.locator("#invitation-line")).to_have_text(NO_WAY_HERE)
