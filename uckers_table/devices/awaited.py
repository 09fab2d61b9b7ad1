"""Devices that are not there when the table starts, and are looked for until they are.

Each is told lost at once, and back when it has been found; what it was told last meanwhile it is told then.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock
from typing import Generic

from PIL import Image

from uckers_table.devices.base import (
    Back,
    BgrImage,
    ButtonBox,
    Camera,
    DiceTower,
    Display,
    Frame,
    Listener,
    LockingCamera,
    Lost,
    NamedCamera,
    SomeDevice,
    TellingTower,
    TowerReads,
    Voice,
)
from uckers_table.errors import DeviceError
from uckers_table.machine.threads import Worker

RETRY_S = 3.0
"""Between two looks for a device; for some of them a program is started."""


class _Awaited(Generic[SomeDevice]):
    """Looks for one device; `listener` is told `why` it is lost, and that it is back."""

    name: str

    def __init__(
        self, open_it: Callable[[], SomeDevice], why: str, listener: Listener, *, retry_s: float = RETRY_S
    ) -> None:
        self._open_it, self._listener, self._retry_s = open_it, listener, retry_s
        self._lock = Lock()
        self._device: SomeDevice | None = None
        self._told: dict[str, Callable[[SomeDevice], None]] = {}
        listener(Lost(self.name, why))
        self._worker = Worker(f"awaiting the {self.name}", self._look_for_it)

    def close(self) -> None:
        """Look no more, and close what was found; safe to call twice."""
        self._worker.stop()
        if self._device is not None:
            self._device.close()

    def _tell(self, what: str, telling: Callable[[SomeDevice], None]) -> None:
        """Tell the device something, or as soon as it is there the last of its kind."""
        with self._lock:
            if self._device is not None:
                telling(self._device)
            else:
                self._told[what] = telling

    def _look_for_it(self, stopping: Event) -> None:
        while not stopping.wait(self._retry_s):
            try:
                device = self._open_it()
            except DeviceError:
                continue
            with self._lock:
                self._device = device
                for telling in self._told.values():
                    telling(device)
            self._listener(Back(self.name))
            return


class AwaitedTower(_Awaited[DiceTower]):
    """A dice tower that is looked for."""

    name = "tower"

    def listen(self, listener: Listener) -> None:
        """Give events to the listener, once there are any."""
        self._tell("listen", lambda tower: tower.listen(listener))

    def show(self, text: str) -> None:
        """Put at most eight characters on the readout, now or when there is one."""
        self._tell("show", lambda tower: tower.show(text))

    def expect(self, dice: int) -> None:
        """How many dice the next throw is due to have."""
        self._tell("expect", lambda tower: tower.expect(dice))

    @property
    def reads(self) -> TowerReads | None:
        """What it said last; None while there is none."""
        tower = self._telling
        return tower.reads if tower is not None else None

    @property
    def tray_picture(self) -> BgrImage | None:
        """The newest picture of its tray; None while there is none."""
        tower = self._telling
        return tower.tray_picture if tower is not None else None

    def ask(self) -> None:
        """Have it say what it reads now, if it is there."""
        if (tower := self._telling) is not None:
            tower.ask()

    def learn(self, shade: str) -> None:
        """Have an array learn a card, if it is there."""
        if (tower := self._telling) is not None:
            tower.learn(shade)

    def lock_tray(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock the tray's camera; DeviceError while there is none."""
        if (tower := self._telling) is None:
            raise DeviceError("the tower is not connected, and its tray's camera is opened with it")
        return tower.lock_tray(mains_hz=mains_hz)

    @property
    def _telling(self) -> TellingTower | None:
        return self._device if isinstance(self._device, TellingTower) else None


class AwaitedButtons(_Awaited[ButtonBox]):
    """A button box that is looked for."""

    name = "buttons"

    def listen(self, listener: Listener) -> None:
        """Give events to the listener, once there are any."""
        self._tell("listen", lambda box: box.listen(listener))

    def light(self, names: frozenset[str]) -> None:
        """Light these lamps and no others, now or when there are any."""
        self._tell("light", lambda box: box.light(names))

    @property
    def down(self) -> frozenset[str]:
        """The buttons that are pressed at this moment."""
        return self._device.down if self._device is not None else frozenset()


class AwaitedDisplay(_Awaited[Display]):
    """A display that is looked for."""

    name = "display"

    def show(self, picture: Image.Image, *, stays: bool = False) -> None:
        """Show a picture, now or when there is a panel."""
        self._tell("show", lambda display: display.show(picture, stays=stays))


class AwaitedVoice(_Awaited[Voice]):
    """A voice that is looked for; what it would have said is overtaken by then."""

    name = "voice"

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it, if there is a voice."""
        if self._device is not None:
            self._device.say(sentence, urgent=urgent)

    def finish(self, wait_s: float) -> bool:
        """Wait until nothing is left to say; False when that takes longer."""
        return self._device.finish(wait_s) if self._device is not None else True


class AwaitedCamera:
    """A live camera that was not there: each frame that is asked for is another look for it."""

    name, waits = "camera", False

    def __init__(self, open_it: Callable[[], Camera]) -> None:
        self._open_it = open_it
        self._camera: Camera | None = None

    def read(self) -> Frame | None:
        """The newest frame; DeviceError while there is no camera."""
        return self._found().read()

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock the camera at what it measures; it stays as it is where it cannot be locked."""
        camera = self._found()
        return camera.lock(mains_hz=mains_hz) if isinstance(camera, LockingCamera) else {}

    @property
    def model(self) -> str:
        """The camera's sensor; empty while it is away, or where it does not name it."""
        camera = self._camera
        return camera.model if isinstance(camera, NamedCamera) else ""

    def close(self) -> None:
        """Close it, if it was found; safe to call twice."""
        if self._camera is not None:
            self._camera.close()

    def _found(self) -> Camera:
        if self._camera is None:
            self._camera = self._open_it()
        return self._camera
