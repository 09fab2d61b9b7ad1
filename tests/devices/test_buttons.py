"""The button box: the real driver over mock pins."""

import subprocess
import sys
import threading
from itertools import accumulate
from queue import Queue

import pytest
from gpiozero import LED, Device
from gpiozero.pins.mock import MockFactory
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import HANGS_S
from uckers_table.devices import buttons
from uckers_table.devices.base import HeldDown, Pressed
from uckers_table.devices.buttons import GpioButtonBox
from uckers_table.devices.contacts import HOLD_S, SETTLE_S
from uckers_table.devices.pins import BUTTONS, HELD, LAMPS, READMITS, SWITCHES_OFF
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


def test_two_buttons_mean_something_else_when_they_are_held(box):
    taken = []
    box.listen(taken.append)
    for name in BUTTONS:
        box.hold(name)
    held = (SWITCHES_OFF, READMITS)
    assert taken == [HeldDown(name) if name in held else Pressed(name) for name in BUTTONS]
    for name in held:
        box.press(name)
        assert taken[-1] == Pressed(name)


MOST_BOUNCE_S = 0.0062
"""The longest that Ganssle's "A Guide to Debouncing" gives for a switch in order, closing or opening."""

bounces = st.lists(st.floats(0.00001, 0.002), max_size=40).map(
    lambda gaps: [gap for gap, total in zip(gaps, accumulate(gaps), strict=True) if total < MOST_BOUNCE_S]
)
presses = st.tuples(bounces, st.floats(0.05, 2.0), bounces, st.floats(0.05, 2.0))
"""How a contact bounces as it closes, how long it is down, how it bounces as it opens, how long it is up."""


@given(st.lists(presses, min_size=1, max_size=5), st.sampled_from(sorted(BUTTONS)))
def test_through_the_real_driver_so_many_bouncing_presses_are_so_many(train, name):
    pins, now, taken = MockFactory(), [0.0], []
    box = GpioButtonBox(pin_factory=pins, clock=lambda: now[0], is_live=False)
    box.listen(taken.append)
    pin = pins.pin(BUTTONS[name])

    def rest(span_s):
        """The box's thread looks whenever something is due, here now and then."""
        end = now[0] + span_s
        while now[0] < end:
            now[0] = min(end, now[0] + 0.004)
            box.settle()

    def change(gaps, is_down):
        for step, gap in enumerate(gaps):
            (pin.drive_low if (step % 2 == 0) == is_down else pin.drive_high)()
            rest(gap)
        (pin.drive_low if is_down else pin.drive_high)()

    for closing, down_s, opening, up_s in train:
        change(closing, True)
        rest(down_s)
        change(opening, False)
        rest(up_s)
    box.close()
    pins.reset()
    assert taken == [Pressed(name)] * len(train)


def test_an_edge_that_was_lost_leaves_no_button_held(box, monkeypatch):
    taken = []
    box.listen(taken.append)
    pin = box._pins.pin(BUTTONS[SWITCHES_OFF])
    pin.drive_low()
    box._pass(SETTLE_S)
    # The contact opens, and nobody is told.
    monkeypatch.setattr(pin, "_call_when_changed", lambda *told: None)
    pin.drive_high()
    box._pass(HOLD_S)
    box._pass(SETTLE_S)
    assert taken == [Pressed(SWITCHES_OFF)]


class Live:
    """The real box with its thread, over mock pins that bounce, by a clock that a test sets."""

    def __init__(self):
        self.pins, self.told, self.now = MockFactory(), Queue(), 1.0
        self.box = GpioButtonBox(pin_factory=self.pins, clock=lambda: self.now)
        self.box.listen(self.told.put)

    def bounces(self, name, *, is_down, times=25):
        """A contact that closes and opens many times, half a millisecond each, and ends up as told."""
        pin = self.pins.pin(BUTTONS[name])
        for step in range(2 * times + is_down):
            pin.drive_high() if step % 2 else pin.drive_low()
            self.now += 0.0005

    def rests(self):
        self.now += SETTLE_S


@pytest.fixture
def live():
    live = Live()
    yield live
    live.box.close()
    live.pins.reset()
    assert "buttons" not in {thread.name for thread in threading.enumerate()}


def test_a_bouncing_button_is_pressed_once_and_a_spike_is_nothing(live):
    for name in ("done", "challenge", "done"):
        live.bounces(name, is_down=True)
        live.bounces("accept", is_down=False, times=1)
        live.rests()
        assert live.told.get(timeout=HANGS_S) == Pressed(name)
        live.bounces(name, is_down=False)
        live.rests()
    # Anything that the bouncing made would have come before this.
    live.bounces("suckback", is_down=True, times=0)
    live.rests()
    assert live.told.get(timeout=HANGS_S) == Pressed("suckback")
    assert live.told.empty()


def test_buttons_pressed_together_are_all_told(live):
    names = set(BUTTONS) - set(HELD)
    for name in names:
        live.bounces(name, is_down=True, times=3)
    live.rests()
    assert {live.told.get(timeout=HANGS_S).name for _ in names} == names


def test_what_is_down_is_known_without_any_edge():
    pins = MockFactory()
    box = GpioButtonBox(pin_factory=pins)
    assert box.down == frozenset()
    pins.pin(BUTTONS["undo"]).drive_low()
    assert box.down == {"undo"}
    box.close()
    pins.reset()


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


def test_the_pins_are_pulled_up_and_given_back():
    factory = MockFactory()
    box = GpioButtonBox(pin_factory=factory)
    states = {pin: (factory.pin(pin).pull, factory.pin(pin).bounce) for pin in BUTTONS.values()}
    assert states == dict.fromkeys(BUTTONS.values(), ("up", None))
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


def test_what_the_chip_refuses_is_told_as_it_is(monkeypatch):
    refused = DeviceError("the button box may not use its pins")

    def refuse():
        raise refused

    monkeypatch.setattr(buttons, "header_factory", refuse)
    with pytest.raises(DeviceError) as caught:
        GpioButtonBox()
    assert (caught.value, caught.value.__cause__) == (refused, None)


def test_a_machine_without_pins_is_told_what_is_needed():
    # In a program of its own, to see that nothing else is said: gpiozero warns of each library it tries.
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
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=HANGS_S, check=True
    )
    if done.stdout == "pins\n":
        pytest.skip("this machine has real pins")
    assert "it works on a Raspberry Pi only" in done.stdout
    assert done.stderr == ""


def test_no_pin_is_used_twice_or_taken_elsewhere():
    pins = [*BUTTONS.values(), *LAMPS.values()]
    assert len(set(pins)) == len(pins) == 14
    assert set(pins) <= set(ON_THE_HEADER) - TAKEN_ELSEWHERE
    assert BUTTONS.keys() == LAMPS.keys()


@pytest.mark.skip(reason="needs the button box at a Raspberry Pi: press each button a hundred times")
def test_hardware_a_hundred_presses_are_a_hundred():
    """Wiring: the button box as hardware/ has it, 1 kOhm and 100 nF at the Pi for each lead.

    `uckers-table doctor` first. Then press each button a hundred times, fast and slow, beside a radio
    that transmits: the recording has a hundred of each, and none that nobody pressed.
    """


def test_simulated_buttons_take_no_more_memory_the_more_they_are_pressed(box):
    # gpiozero's mock pins keep every state that they ever had.
    def kept():
        return sum(len(pin.states) for pin in box._pins.pins.values())

    before = kept()
    for _ in range(20):
        box.press("done")
        box.light(frozenset({"done"}))
        assert box.lit == {"done"}
        box.light(frozenset())
    assert kept() <= before
