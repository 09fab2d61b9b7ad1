"""The small display: a panel on the I²C bus through luma.oled, or one that keeps its picture."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

from PIL import Image

from uckers_table.devices.base import Back, Listener, Lost, ignore
from uckers_table.errors import COMES_WITH_IT, DeviceError, InputError
from uckers_table.machine.threads import Apart, Worker

SIZE = (128, 64)
CHIPS = ("ssd1309", "ssd1306", "sh1106")
"""The panels' chips, by luma.oled's names."""
NOP = 0xE3
"""A command that does nothing, to all of CHIPS: whether anything takes it says whether a panel is there."""
RETRY_S = 5.0
"""Between two tries to find a lost panel; its lead is inside the box, so it seldom comes back sooner."""
OPEN_S = 8.0
"""How long a panel may take to open. At first luma is read from a cold card."""
SEND_S = 4.0
"""A bus that needs so long hangs: a picture takes a tenth of a second, and the driver's own limits one."""


class LumaDisplay:
    """A panel of 128 × 64 pixels with an SSD1309, SSD1306 or SH1106, drawn on from a thread of its own.

    Only the newest picture matters: one that comes while another is being sent replaces those before it.
    `open_bus` gives luma's serial interface; left out, it is I²C `bus` at `address`. Raises DeviceError
    when no panel answers at first; later losses go to the listener. `haste` is how many times sooner than
    usual a lost panel is looked for. Not yet tried on hardware.
    """

    name = "display"

    def __init__(
        self,
        *,
        chip: str = "ssd1309",
        bus: int = 1,
        address: int = 0x3C,
        open_bus: Callable[[], Any] | None = None,
        listener: Listener = ignore,
        haste: float = 1.0,
    ) -> None:
        self._chip, self._haste = chip, haste
        self._where = f"on I2C bus {bus} at 0x{address:02X}"
        self._open_bus = open_bus or (lambda: _i2c(bus, address))
        self._listener = listener
        self._picture: Image.Image | None = None
        self._stays = False
        self._news = Event()
        self._lost = False
        self._panel = Apart(
            self.name,
            self._open,
            _let_go,
            hangs=f"the display {self._where} hangs: pull its lead out and put it in again",
            opens_within_s=OPEN_S,
        )
        try:
            self._panel.open()
        except BaseException:
            self._panel.close()
            raise
        self._worker = Worker(self.name, self._run)

    def show(self, picture: Image.Image, *, stays: bool = False) -> None:
        """Show a picture of mode '1' and size 128 × 64 soon; never waits for the panel.

        One that `stays` is left on the panel, which goes on showing it while it has current.
        """
        self._picture, self._stays = _checked(picture).copy(), stays
        self._news.set()

    def close(self) -> None:
        """Stop the thread and switch the panel off; safe to call twice."""
        self._worker.stopping.set()
        self._news.set()
        self._worker.stop()
        if self._panel.is_open:
            # A panel that is lost at the end is nobody's any more.
            with suppress(DeviceError):
                if self._stays and self._picture is not None:
                    self._send(self._picture)
                else:
                    self._panel.do(_switch_off, SEND_S)
        self._panel.close()

    def _open(self) -> tuple[Any, Any]:
        """The panel, and its bus."""
        try:
            # Only here: luma and its bus library are for machines that have a panel.
            from luma.core.error import Error
            from luma.oled import device
        except ImportError as error:
            raise DeviceError(f"the display needs luma.oled ({error}): {COMES_WITH_IT}") from error
        if self._chip not in CHIPS:
            raise InputError(f"no display is called {self._chip!r}: there are {', '.join(CHIPS)}")
        driver = getattr(device, self._chip)
        panel = driver.__new__(driver)
        bus: Any = None
        try:
            bus = self._open_bus()
            # Asked first, because luma keeps every panel that it ever began, until the program ends.
            bus.command(NOP)
            panel.__init__(bus)
            return panel, bus
        except (Error, OSError) as error:
            _let_go((panel, bus))
            raise DeviceError(
                f"no display answers {self._where} ({error}): is its lead in, is I2C switched on "
                f"(raspi-config), may this user use it (group i2c), and does i2cdetect show that address?"
            ) from error

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            self._news.wait()
            self._news.clear()
            picture = self._picture
            if picture is None or stopping.is_set():
                continue
            try:
                self._send(picture)
            except DeviceError as error:
                self._lose(str(error))
                stopping.wait(RETRY_S / self._haste)
                self._news.set()

    def _send(self, picture: Image.Image) -> None:
        from luma.core.error import Error

        try:
            self._panel.do(lambda opened: opened[0].display(picture), SEND_S)
        except DeviceError:
            raise
        except (Error, OSError) as error:
            raise DeviceError(f"the display {self._where} takes no picture ({error})") from error
        if self._lost:
            self._lost = False
            self._listener(Back(self.name))

    def _lose(self, why: str) -> None:
        self._panel.drop()
        if not self._lost:
            self._lost = True
            self._listener(Lost(self.name, why))


def _switch_off(opened: tuple[Any, Any]) -> None:
    # A panel that is gone cannot be switched off.
    with suppress(Exception):
        opened[0].cleanup()


def _let_go(opened: tuple[Any, Any]) -> None:
    """Close a panel's bus, which luma leaves open, and empty what luma keeps of the panel.

    It stays lit. One that hung may be let go when another, on the same bus, shows its picture already.
    """
    panel, bus = opened
    if bus is not None:
        with suppress(Exception):
            bus.cleanup()
    vars(panel).clear()


class PictureDisplay:
    """A display that is not there: keeps the last picture, and hands each on to who asks for them."""

    name = "display"

    def __init__(self, on_show: Callable[[Image.Image], None] | None = None) -> None:
        self.picture = Image.new("1", SIZE)
        self._on_show = on_show

    def show(self, picture: Image.Image, *, stays: bool = False) -> None:
        """Show a picture of mode '1' and size 128 × 64."""
        self.picture = _checked(picture).copy()
        if self._on_show is not None:
            self._on_show(self.picture)

    def close(self) -> None:
        """Nothing to give back."""


def _checked(picture: Image.Image) -> Image.Image:
    if picture.mode != "1" or picture.size != SIZE:
        raise InputError(f"the display takes mode '1' and {SIZE}, not {picture.mode!r} and {picture.size}")
    return picture


def _i2c(bus: int, address: int) -> Any:
    from luma.core.interface.serial import i2c

    return i2c(port=bus, address=address)
