"""The chip behind the Raspberry Pi's 40 pins, found by its label, and lgpio loaded whatever the folder is.

The number of the chip changes with the kernel: on a Pi 5 it was 4, then 0, and one of 11 to 15 in 2026.
gpiozero opens 4 or 0. The label is the driver's name and has stayed.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

from uckers_table.errors import DeviceError

HEADER_CHIPS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip that the 40 pins hang on: Pi 5, Pi 4, and all before."""
MOST_CHIPS = 64
"""Numbers that are tried. The highest that was reported is 15 (Adafruit_Blinka #1119)."""
DEVICES = Path("/dev")
TO_TRY = "it works on a Raspberry Pi only, with lgpio there and no other program using its pins"

_LG_FOLDER = "LG_WD"
"""lgpio's name for the folder in which it makes a pipe while it is loaded; without it, the current one."""
_CLONE_FS = 0x200


def header_factory() -> Any:
    """gpiozero's factory of real pins on the header's chip; None where gpiozero is to find one itself.

    That is where somebody has named another (GPIOZERO_PIN_FACTORY), and where lgpio is not installed.
    DeviceError, with what to try, when the chip is not there or may not be used.
    """
    from gpiozero import Device

    if Device.pin_factory is not None or os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio") != "lgpio":
        return None
    try:
        lgpio = load_lgpio()
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError:
        return None
    return LGPIOFactory(chip=header_chip(lgpio))


def header_chip(lgpio: Any) -> int:
    """The number of the chip that the header's pins hang on; DeviceError when none is to be had."""
    labels = dict(_labels(lgpio))
    for wanted in HEADER_CHIPS:
        for number, label in labels.items():
            if label == wanted:
                return number
    closed = [path for path in sorted(DEVICES.glob("gpiochip*")) if not os.access(path, os.R_OK | os.W_OK)]
    if closed:
        raise DeviceError(
            f"the button box may not use its pins: this user may not open {closed[0]}. Put it in the group "
            f"gpio, or run this with sudo"
        )
    if labels:
        found = ", ".join(f"gpiochip{number} is {label}" for number, label in labels.items())
        raise DeviceError(
            f"the button box has no pins (none of the chips is the header's: {found}): {TO_TRY}"
        )
    raise DeviceError(f"the button box has no pins (there is no GPIO chip): {TO_TRY}")


def _labels(lgpio: Any) -> Iterator[tuple[int, str]]:
    """The chips that can be opened, with their labels."""
    for number in range(MOST_CHIPS):
        with suppress(lgpio.error, OSError):
            handle = lgpio.gpiochip_open(number)
            try:
                _, _, _, label = lgpio.gpio_get_chip_info(handle)
                yield number, str(label)
            finally:
                lgpio.gpiochip_close(handle)


def load_lgpio() -> ModuleType:
    """lgpio, loaded so that it needs no folder of its own; ImportError when it is not installed.

    While it is loaded, lgpio makes a pipe in its working folder, opens both ends, and changes into that
    folder. Here the folder is a new one, and gone again at once: the open ends are all that lgpio needs. It
    is loaded in a thread that has a current folder of its own, so that the program's stays. DeviceError when
    it cannot be loaded.
    """
    failed: list[BaseException] = []

    def load() -> None:
        try:
            _own_current_folder()
            with _working_folder():
                importlib.import_module("lgpio")
        # Told to whoever asked: this thread has nobody.
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=load, name="lgpio")
    thread.start()
    thread.join()
    match failed:
        case []:
            return importlib.import_module("lgpio")
        case [ImportError() as error]:
            raise error
        case [error]:
            raise DeviceError(
                f"the button box has no pins (lgpio cannot be loaded: {error}): {TO_TRY}"
            ) from error
        case _:
            raise AssertionError(failed)


@contextmanager
def _working_folder() -> Iterator[None]:
    """A new folder that lgpio takes for its own and this thread for its current one."""
    kept = os.environ.get(_LG_FOLDER)
    # A service has a folder in memory; elsewhere it is the system's for temporary files.
    runtime = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    parent = runtime if os.access(runtime, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="lgpio-", dir=parent) as folder, _back_again():
        # Its C part makes the pipe in the one, its Python part opens it in the other.
        os.environ[_LG_FOLDER] = folder
        os.chdir(folder)
        try:
            yield
        finally:
            if kept is None:
                del os.environ[_LG_FOLDER]
            else:
                os.environ[_LG_FOLDER] = kept


@contextmanager
def _back_again() -> Iterator[None]:
    """The current folder is as before afterwards, or the root where that one may not be entered."""
    try:
        here = os.open(".", os.O_PATH)
    except OSError:
        here = os.open("/", os.O_PATH)
    try:
        yield
    finally:
        os.fchdir(here)
        os.close(here)


def _own_current_folder() -> None:
    """From now on this thread's current folder is its own: unshare(CLONE_FS), which needs no rights.

    Where a container forbids it, the folder is the whole program's for the moment of loading.
    """
    ctypes.CDLL(None).unshare(_CLONE_FS)
