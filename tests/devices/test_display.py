"""The display: luma's real drivers on a recording bus, and the one that keeps its picture."""

import gc
import threading
from queue import Queue

import pytest
from luma.oled.device import ssd1309
from PIL import Image, ImageDraw

from tests.patience import HANGS_S
from uckers_table.devices import display
from uckers_table.devices.base import Back, Lost
from uckers_table.devices.display import LumaDisplay, PictureDisplay
from uckers_table.errors import DeviceError, InputError

# luma.oled 3.16 calls it; it goes with Pillow 14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")
DISPLAY_OFF, DISPLAY_ON = 0xAE, 0xAF


@pytest.fixture(autouse=True)
def _our_thread_ends():
    yield
    # luma keeps four workers of its own for the whole program.
    assert "display" not in {thread.name for thread in threading.enumerate()}


class Bus:
    """Keeps what the driver sends, as the panel's memory would; can be pulled out."""

    def __init__(self):
        self.commands = []
        self.frames = Queue()
        self.pages = [b""] * 8
        self.out = False

    def command(self, *command):
        self._answer()
        self.commands.append(command)

    def data(self, data):
        self._answer()
        if len(data) == 1024:
            self.frames.put(bytes(data))
            return
        # An SH1106 has 132 columns, of which a panel shows those from the third on, and takes page by page.
        page, low, high = self.commands[-1]
        assert (low & 0x0F, high, len(data)) == (2, 0x10, 128)
        self.pages[page - 0xB0] = bytes(data)
        if page == 0xB7:
            self.frames.put(b"".join(self.pages))

    def cleanup(self):
        pass

    def _answer(self):
        if self.out:
            raise OSError(121, "Remote I/O error")


def picture(word):
    image = Image.new("1", (128, 64))
    pen = ImageDraw.Draw(image)
    pen.fontmode = "1"
    pen.text((3, 5), word, 255)
    pen.line((0, 63, 127, 0), 255)
    return image


def panel_sees(frame):
    """The picture that an SSD1306 shows for its 1024 bytes: eight pages of 128 columns, lowest bit on top."""
    image = Image.new("1", (128, 64))
    for number, byte in enumerate(frame):
        page, column = divmod(number, 128)
        for bit in range(8):
            image.putpixel((column, 8 * page + bit), 255 * (byte >> bit & 1))
    return image


@pytest.mark.parametrize("chip", ["ssd1309", "ssd1306", "sh1106"])
def test_the_panel_gets_the_picture_dot_by_dot(chip):
    bus = Bus()
    panel = LumaDisplay(chip=chip, open_bus=lambda: bus)
    assert bus.frames.get(timeout=HANGS_S) == bytes(1024)
    for word in ("RED", "6 and 3"):
        panel.show(picture(word))
        frame = bus.frames.get(timeout=HANGS_S)
        assert len(frame) == 1024
        assert panel_sees(frame).tobytes() == picture(word).tobytes()
    assert DISPLAY_ON in [command[0] for command in bus.commands]
    panel.close()
    switched = [command[0] for command in bus.commands if command[0] in (DISPLAY_ON, DISPLAY_OFF)]
    assert switched[-1] == DISPLAY_OFF


def test_a_picture_that_stays_is_sent_and_left_on_the_panel_when_it_is_closed():
    bus = Bus()
    panel = LumaDisplay(open_bus=lambda: bus)
    panel.show(picture("RED"))
    panel.show(picture("OFF"), stays=True)
    panel.close()
    assert panel_sees(list(bus.frames.queue)[-1]).tobytes() == picture("OFF").tobytes()
    assert DISPLAY_OFF not in [byte for command in bus.commands[-4:] for byte in command]


def test_a_panel_pulled_out_is_lost_and_comes_back_with_the_newest_picture(monkeypatch):
    monkeypatch.setattr(display, "RETRY_S", 0.02)
    bus, events = Bus(), Queue()
    panel = LumaDisplay(open_bus=lambda: bus, listener=events.put)
    bus.out = True
    panel.show(picture("RED"))
    lost = events.get(timeout=HANGS_S)
    assert isinstance(lost, Lost)
    assert lost.why.startswith("the display on I2C bus 1 at 0x3C takes no picture")
    panel.show(picture("GREEN"))
    bus.frames = Queue()
    bus.out = False
    assert events.get(timeout=HANGS_S) == Back("display")
    frames = list(bus.frames.queue)
    assert panel_sees(frames[-1]).tobytes() == picture("GREEN").tobytes()
    panel.close()
    assert events.empty()


def test_looking_often_for_a_panel_that_stays_away_takes_nothing(monkeypatch):
    # luma keeps every panel until the program ends, and leaves the bus of one that fails open.
    monkeypatch.setattr(display, "RETRY_S", 0.001)
    opened, tried, events = [], threading.Event(), Queue()

    class Lead(Bus):
        is_pulled = False

        def __init__(self):
            super().__init__()
            self.is_open = True
            opened.append(self)
            if len(opened) > 30:
                tried.set()

        def cleanup(self):
            self.is_open = False

        def _answer(self):
            if Lead.is_pulled:
                raise OSError(121, "Remote I/O error")

    def held():
        return [each for each in gc.get_objects() if isinstance(each, ssd1309) and "_mask" in vars(each)]

    before = len(held())
    panel = LumaDisplay(open_bus=Lead, listener=events.put)
    for _ in range(2):
        Lead.is_pulled = True
        panel.show(picture("RED"))
        assert isinstance(events.get(timeout=HANGS_S), Lost)
        assert tried.wait(HANGS_S)
        Lead.is_pulled = False
        assert events.get(timeout=HANGS_S) == Back("display")
        assert (sum(lead.is_open for lead in opened), len(held()) - before) == (1, 1)
    panel.close()
    assert (sum(lead.is_open for lead in opened), len(held()) - before) == (0, 0)


def test_a_picture_changed_after_it_was_shown_changes_nothing():
    kept = PictureDisplay()
    image = picture("RED")
    kept.show(image)
    image.paste(255, (0, 0, 128, 64))
    assert kept.picture.tobytes() == picture("RED").tobytes()


def test_the_kept_picture_is_handed_on():
    shown = []
    kept = PictureDisplay(shown.append)
    assert kept.picture.getbbox() is None
    kept.show(picture("RED"))
    kept.show(picture("GREEN"))
    assert [image.tobytes() for image in shown] == [picture(word).tobytes() for word in ("RED", "GREEN")]
    kept.close()


@pytest.mark.parametrize("wrong", [Image.new("L", (128, 64)), Image.new("1", (64, 128))])
def test_both_refuse_what_a_panel_cannot_show(wrong):
    panel = LumaDisplay(open_bus=Bus)
    for device in (panel, PictureDisplay()):
        with pytest.raises(InputError, match="takes mode '1'"):
            device.show(wrong)
    panel.close()
    panel.close()


def test_no_panel_there_says_what_to_try():
    def no_bus():
        raise FileNotFoundError(2, "No such file or directory", "/dev/i2c-7")

    with pytest.raises(DeviceError, match=r"no display answers on I2C bus 7 at 0x3D .*raspi-config"):
        LumaDisplay(bus=7, address=0x3D, open_bus=no_bus)


def test_a_machine_without_that_bus_says_what_to_try():
    with pytest.raises(DeviceError, match=r"no display answers on I2C bus 250 .*raspi-config"):
        LumaDisplay(bus=250)


def test_an_unknown_panel():
    with pytest.raises(InputError, match="no display is called 'ssd9999'"):
        LumaDisplay(chip="ssd9999", open_bus=Bus)
