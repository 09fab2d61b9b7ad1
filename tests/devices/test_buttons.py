"""The button box: the real driver over mock pins."""

import subprocess
import sys
import threading

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory

from uckers_table.devices.base import Pressed
from uckers_table.devices.buttons import BOUNCE_S, GpioButtonBox
from uckers_table.devices.pins import BUTTONS, LAMPS
from uckers_table.devices.simulated_buttons import SimulatedButtons
from uckers_table.errors import DeviceError, InputError

ON_THE_HEADER = range(2, 28)
TAKEN_ELSEWHERE = {2, 3, 4, 14, 15, 18, 19, 20, 21, 22, 23, 27}
"""Display and clock chip, sound, console, power-fail, light; 27 is kept free."""


@pytest.fixture
def box():
    before = set(threading.enumerate())
    box = SimulatedButtons()
    yield box
    box.close()
    box.close()
    assert set(threading.enumerate()) == before


def test_every_button_says_its_name_once_a_press(box):
    taken = []
    box.listen(taken.append)
    for name in [*BUTTONS, "done", "done"]:
        box.press(name)
    assert taken == [Pressed(name) for name in [*BUTTONS, "done", "done"]]


def test_a_press_before_anyone_listens_is_nothing(box):
    taken = []
    box.press("done")
    box.listen(taken.append)
    assert taken == []


def test_the_lamps_follow(box):
    assert box.lit == frozenset()
    for names in (frozenset({"done"}), frozenset({"challenge", "undo"}), frozenset(BUTTONS), frozenset()):
        box.light(names)
        assert box.lit == names


def test_a_button_that_is_not_there(box):
    with pytest.raises(InputError, match="no button is called 'doen': there are done, undo"):
        box.press("doen")


def test_two_boxes_and_gpiozero_itself_do_not_meet(box):
    other = SimulatedButtons()
    other.light(frozenset({"done"}))
    assert box.lit == frozenset()
    assert Device.pin_factory is None
    other.close()


def test_the_pins_are_pulled_up_debounced_and_given_back():
    factory = MockFactory()
    box = GpioButtonBox(pin_factory=factory)
    states = {pin: (factory.pin(pin).pull, factory.pin(pin).bounce) for pin in BUTTONS.values()}
    assert states == dict.fromkeys(BUTTONS.values(), ("up", BOUNCE_S))
    box.light(frozenset(LAMPS))
    box.close()
    again = GpioButtonBox(pin_factory=factory)
    again.close()
    factory.reset()


def test_a_pin_in_use_is_told_and_the_others_are_given_back():
    factory = MockFactory()
    with LED(LAMPS["undo"], pin_factory=factory), pytest.raises(DeviceError, match="no other program"):
        GpioButtonBox(pin_factory=factory)
    GpioButtonBox(pin_factory=factory).close()
    factory.reset()


def test_a_machine_without_pins_is_told_what_is_needed():
    # In a program of its own: gpiozero's choice of real pins warns for each library it tries.
    script = (
        "from uckers_table.devices.buttons import GpioButtonBox\n"
        "from uckers_table.errors import DeviceError\n"
        "try:\n"
        "    GpioButtonBox().close()\n"
        "    print('pins')\n"
        "except DeviceError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    if done.stdout == "pins\n":
        pytest.skip("this machine has real pins")
    assert "it works on a Raspberry Pi only" in done.stdout


def test_no_pin_is_used_twice_or_taken_elsewhere():
    pins = [*BUTTONS.values(), *LAMPS.values()]
    assert len(set(pins)) == len(pins) == 14
    assert set(pins) <= set(ON_THE_HEADER) - TAKEN_ELSEWHERE
    assert BUTTONS.keys() == LAMPS.keys()
