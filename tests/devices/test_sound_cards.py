"""Sound cards by name, from lists as Raspberry Pis print them."""

import pytest

from uckers_table.devices.sound_cards import SoundCard, find_card, sound_cards
from uckers_table.errors import DeviceError

# As `cat /proc/asound/cards` prints it: a Pi 5 with two screens and a USB speaker between them.
LISTING = """\
 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [UACDemoV10     ]: USB-Audio - UACDemoV1.0
                      Jieli Technology UACDemoV1.0 at usb-xhci-hcd.0-1, full speed
 2 [vc4hdmi1       ]: vc4-hdmi - vc4-hdmi-1
                      vc4-hdmi-1
"""
SPEAKER = SoundCard(
    "UACDemoV10", "USB-Audio", "UACDemoV1.0 Jieli Technology UACDemoV1.0 at usb-xhci-hcd.0-1, full speed"
)


@pytest.fixture
def listing(tmp_path):
    path = tmp_path / "cards"
    path.write_text(LISTING)
    return path


def test_all_cards_are_read():
    assert sound_cards(LISTING) == (
        SoundCard("vc4hdmi0", "vc4-hdmi", "vc4-hdmi-0 vc4-hdmi-0"),
        SPEAKER,
        SoundCard("vc4hdmi1", "vc4-hdmi", "vc4-hdmi-1 vc4-hdmi-1"),
    )
    assert sound_cards("--- no soundcards ---\n") == ()


@pytest.mark.parametrize("wanted", ["UACDemoV10", "uacdemo", "jieli technology", ""])
def test_a_card_is_found_by_part_of_its_name_and_without_one_it_is_the_usb_card(wanted, listing):
    assert find_card(wanted, listing) == SPEAKER
    assert SPEAKER.device == "plughw:CARD=UACDemoV10"


def test_the_whole_id_goes_before_part_of_another(listing):
    listing.write_text(LISTING.replace("vc4hdmi0 ", "vc4hdmi10"))
    assert find_card("vc4hdmi1", listing).id == "vc4hdmi1"


def test_without_a_usb_card_the_default_will_do(listing, tmp_path):
    listing.write_text("".join(LISTING.splitlines(keepends=True)[:2]))
    assert find_card("", listing) is None
    assert find_card("", tmp_path / "no list at all") is None


def test_a_card_that_is_not_there_is_told_with_those_that_are(listing, tmp_path):
    with pytest.raises(
        DeviceError, match=r"called 'bose'; there are: vc4hdmi0 \(vc4-hdmi-0 vc4-hdmi-0\), UACD"
    ):
        find_card("bose", listing)
    with pytest.raises(DeviceError, match=r"called 'bose'; there are: none at all\. Is the speaker"):
        find_card("bose", tmp_path / "no list at all")


def test_a_card_that_stays_open_is_shared():
    assert (SPEAKER.device, SPEAKER.shared) == ("plughw:CARD=UACDemoV10", "plug:'dmix:CARD=UACDemoV10'")
