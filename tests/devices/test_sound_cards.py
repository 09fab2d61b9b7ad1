"""Sound cards by name, from lists as Raspberry Pis print them."""

from itertools import permutations

import pytest

from uckers_table.devices.sound_cards import SoundCard, cards_there, find_card, sound_cards
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


# Of a camera with a microphone, a USB speaker with one, a screen, and a keyboard for music: driver, name, and
# what `cat /proc/asound/pcm` says of each of its devices.
PLUGGED_IN = {
    "U0x46d0x825": ("USB-Audio", "USB Device 0x46d:0x825", ["USB Audio : USB Audio : capture 1"]),
    "Keystation": ("USB-Audio", "Keystation Mini 32", []),
    "Device": ("USB-Audio", "USB Audio Device", ["USB Audio : USB Audio : playback 1 : capture 1"]),
    "vc4hdmi0": ("vc4-hdmi", "vc4-hdmi-0", ["MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1"]),
}


@pytest.fixture
def plugged_in(tmp_path):
    """Writes what Linux lists with cards in this order; gives the path of their list."""

    def write(order):
        cards, devices = "", ""
        for number, card in enumerate(order):
            driver, name, parts = PLUGGED_IN[card]
            cards += f" {number} [{card:<15}]: {driver} - {name}\n{'':22}{name} at usb-{number}\n"
            devices += "".join(f"{number:02}-{part:02}: {text}\n" for part, text in enumerate(parts))
        (tmp_path / "cards").write_text(cards)
        (tmp_path / "pcm").write_text(devices)
        return tmp_path / "cards"

    return write


def test_without_a_name_it_is_the_usb_card_that_can_play_in_whatever_order(plugged_in):
    for order in permutations(PLUGGED_IN):
        listing = plugged_in(order)
        assert find_card("", listing).id == "Device"
        assert set(cards_there(listing)) == {"Device", "vc4hdmi0"}


def test_a_microphone_alone_is_no_loudspeaker(plugged_in):
    listing = plugged_in(["U0x46d0x825", "vc4hdmi0"])
    assert find_card("", listing) is None
    with pytest.raises(DeviceError, match=r"that can play is called '0x46d'; there are: vc4hdmi0 \("):
        find_card("0x46d", listing)
    with pytest.raises(DeviceError, match="there are: none at all"):
        find_card("0x46d", plugged_in(["U0x46d0x825", "Keystation"]))


def test_a_card_number_is_that_of_the_card_and_not_of_its_parts(plugged_in):
    listing = plugged_in(["U0x46d0x825", "Device"])
    listing.with_name("pcm").write_text(
        "00-01: USB Audio : USB Audio : capture 1\n01-00: USB Audio : USB Audio : playback 1 : capture 1\n"
    )
    assert cards_there(listing) == ("Device",)


def test_a_card_that_is_not_there_is_told_with_those_that_are(listing, tmp_path):
    with pytest.raises(
        DeviceError, match=r"called 'bose'; there are: vc4hdmi0 \(vc4-hdmi-0 vc4-hdmi-0\), UACD"
    ):
        find_card("bose", listing)
    with pytest.raises(DeviceError, match=r"called 'bose'; there are: none at all\. Is the speaker"):
        find_card("bose", tmp_path / "no list at all")


def test_a_card_that_stays_open_is_shared():
    assert (SPEAKER.device, SPEAKER.shared) == ("plughw:CARD=UACDemoV10", "plug:'dmix:CARD=UACDemoV10'")
