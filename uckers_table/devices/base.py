"""What every device is to the rest of the product: small interfaces and the plain values they give.

Real and simulated backends stand side by side in this package and serve the same interface. Nothing
here knows the game. A device that is absent when opened raises DeviceError; one that is lost later
says so with a `Lost` event (the camera: by raising DeviceError from `read`) and with `Back` when it has
been found again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
import numpy.typing as npt
from PIL import Image

BgrImage = npt.NDArray[np.uint8]
"""A picture of shape (height, width, 3), blue first."""


@dataclass(frozen=True)
class Frame:
    """A picture and when it was taken, in seconds of the table's clock."""

    t: float
    image: BgrImage


@dataclass(frozen=True)
class ThrowRead:
    """The tower read a throw. `told` names it among all that any tower ever tells: told twice, it is one."""

    dice: tuple[int, ...]
    told: str = field(default="", compare=False)


@dataclass(frozen=True)
class Cocked:
    """A die in the tower lies tilted; `told` as in `ThrowRead`."""

    told: str = field(default="", compare=False)


@dataclass(frozen=True)
class Dropped:
    """A die went in and did not come to rest in the tower; `told` as in `ThrowRead`."""

    told: str = field(default="", compare=False)


@dataclass(frozen=True)
class NoThrow:
    """Dice in the tower that are no throw, and nobody's fault; or its lamp or reader fails or works again.

    `why`: "jam" (a die is stuck), "lift" (thrown onto dice that lay there), "crowd" (more than two dice, or a
    coin), "hand" (somebody reached in), "handled" (a die that was read shows something else; the throw stays
    as it was read), "dark" and "lit" (the tray's lamp), "blind" and "sees" (the reader).
    """

    why: str


@dataclass(frozen=True)
class Pressed:
    """A button: its name as in a recording ('done', 'undo', …) or a call ('challenge', …)."""

    name: str


@dataclass(frozen=True)
class HeldDown:
    """A button was held down for long, and is meant otherwise than pressed: `pins` says how."""

    name: str


@dataclass(frozen=True)
class Lost:
    """A device does not answer any more; `why` is one line for people."""

    name: str
    why: str


@dataclass(frozen=True)
class Back:
    """A lost device answers again."""

    name: str


@dataclass(frozen=True)
class Remark:
    """A device answers, and `line` says something of it to people; empty, it says that this is over.

    `aloud` is what is spoken of it, for those who are at the table and look at no page.
    """

    name: str
    line: str
    aloud: str = field(default="", compare=False)


DeviceEvent = ThrowRead | Cocked | Dropped | NoThrow | Pressed | HeldDown | Lost | Back | Remark
Listener = Callable[[DeviceEvent], None]
"""Takes an event from a device's own thread; when it returns, the event will not be lost. ListenerGoneError
for one that was not taken."""


class ListenerGoneError(Exception):
    """Nobody takes events any more."""


def ignore(event: DeviceEvent) -> None:
    """A listener for a device that nobody listens to."""


class TrayLook(Protocol):
    """What somebody who can read dice sees in a picture of the tower's tray."""

    @property
    def dice(self) -> tuple[int, ...] | None:
        """A value for each die, 0 where it has none; None while things move."""

    @property
    def doubt(self) -> str:
        """Why a die has no value: "tilted", "stacked" or "unsure"."""

    @property
    def hand(self) -> bool:
        """Whether something reaches in."""

    @property
    def blind(self) -> bool:
        """Whether the picture cannot be trusted."""


class Device(Protocol):
    """What all devices share."""

    name: str

    def close(self) -> None:
        """Stop the device's thread and give back what was opened; safe to call twice."""


SomeDevice = TypeVar("SomeDevice", bound=Device)


class Camera(Device, Protocol):
    """Looks down on the board."""

    waits: bool
    """Whether it gives the next frame only when asked (pictures in a folder, a simulated table), so that
    a slow reader loses nothing; a live camera goes on, and frames that come too fast are dropped."""

    def read(self) -> Frame | None:
        """The newest frame, waiting for it; None at the end of a source that ends; DeviceError when lost."""


@runtime_checkable
class LockingCamera(Camera, Protocol):
    """A camera that can be locked at what it has measured."""

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Measure focus, exposure and colours anew and lock them; a profile's settings, as it has them.

        Takes some seconds. DeviceError where that cannot be done.
        """


@runtime_checkable
class NamedCamera(Camera, Protocol):
    """A camera that names its sensor."""

    model: str
    """As libcamera has it: "imx708", "imx708_wide", "imx219"; empty while it is not known."""


class DiceTower(Device, Protocol):
    """Reads throws and shows a short text."""

    def listen(self, listener: Listener) -> None:
        """Start giving events to the listener, from the tower's own thread."""

    def show(self, text: str) -> None:
        """Put at most eight characters on the readout; never blocks, never raises for a lost tower."""

    def expect(self, dice: int) -> None:
        """How many dice the next throw is due to have; never blocks, never raises for a lost tower."""


@dataclass(frozen=True)
class TowerReads:
    """What a tower that answers says of itself: its `reader`, "tray" or "array"; whether each beam, in and
    out, is dark; whether its lamp draws current, None where it does not say. `learnt` is the card that an
    array has learnt last ("white", "black"), with the number of that event.
    """

    reader: str
    are_dark: tuple[bool, ...] = ()
    is_lit: bool | None = None
    learnt: tuple[str, int] = ("", 0)


@runtime_checkable
class TellingTower(DiceTower, Protocol):
    """A tower that can be looked into while it is used; from any thread. Only `lock_tray` takes seconds."""

    @property
    def reads(self) -> TowerReads | None:
        """What it said last; None while it does not answer."""

    @property
    def tray_picture(self) -> BgrImage | None:
        """The newest picture of its tray; None where no camera sees it."""

    def ask(self) -> None:
        """Have it say what it reads now."""

    def learn(self, shade: str) -> None:
        """Have an array learn the "white" or the "black" card that lies in both pockets."""

    def lock_tray(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Lock the tray's camera at what it measures, and give that. DeviceError without one."""


class ButtonBox(Device, Protocol):
    """Takes calls."""

    def listen(self, listener: Listener) -> None:
        """Start giving `Pressed` and `HeldDown` events to the listener."""

    def light(self, names: frozenset[str]) -> None:
        """Light the lamps of the buttons that can be pressed now, and no others."""

    @property
    def down(self) -> frozenset[str]:
        """The buttons that are pressed at this moment."""


class Display(Device, Protocol):
    """A small screen of 128 × 64 pixels, black and white."""

    def show(self, picture: Image.Image, *, stays: bool = False) -> None:
        """Show a picture of mode '1' and size 128 × 64; one that `stays` is not wiped out by closing."""


class Voice(Device, Protocol):
    """Says sentences aloud, one after the other."""

    def say(self, sentence: str, *, urgent: bool = False) -> None:
        """Say it when the sentences before it are said, or at once when urgent; never blocks."""

    def finish(self, wait_s: float) -> bool:
        """Wait until nothing is left to say; False when that takes longer."""
