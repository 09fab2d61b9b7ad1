"""The part of MicroPython's `machine` that the tower's firmware uses, for MicroPython's Unix port.

The file named by PICO_CONTROL is a pipe: lines `PIN LEVEL` drive an input,
`BREAK PIN` has a die fall through a beam, `ADC PIN VALUE` sets what a
converter reads, `SENSOR POCKET CHANNEL VALUE` what a sensor of the array gives while its emitter is lit,
`CRASH` has the firmware meet an error, `HANG` has a call never return,
`STORM PIN COUNT` makes so many edges at once. What the firmware writes to the readout's chip is added to the
file named by PICO_READOUT, two bytes in hexadecimal a line. PICO_WATCHDOG names the file that says how often
the watchdog was fed.
"""

import os
import select
import sys
from time import sleep_ms, ticks_diff, ticks_ms

import pins

BREAK_MS = 8
RESET = 3

_levels = {}
_handlers = {}
_values = {}
_sensors = {}
_emitters = 0
_control = open(os.getenv("PICO_CONTROL"), "rb")
_arrived = select.poll()
_arrived.register(_control, select.POLLIN)
_readout = open(os.getenv("PICO_READOUT"), "a")
_is_playing = False


def _play():
    global _is_playing
    if _is_playing:
        return
    _is_playing = True
    while _arrived.poll(0):
        words = _control.readline().decode().split()
        if words[0] == "ADC":
            _values[int(words[1])] = int(words[2])
        elif words[0] == "SENSOR":
            _sensors[int(words[1]), int(words[2])] = int(words[3])
        elif words[0] == "CRASH":
            raise ValueError("played")
        elif words[0] == "HANG":
            while True:
                sleep_ms(1000)
        elif words[0] == "STORM":
            for number in range(int(words[2])):
                _drive(int(words[1]), number & 1)
        elif words[0] == "BREAK":
            for level in (0, 1):
                _drive(int(words[1]), level)
                sleep_ms(BREAK_MS)
        else:
            _drive(int(words[0]), int(words[1]))
    _is_playing = False


def _drive(pin, level):
    if _levels.get(pin, 1) != level:
        _levels[pin] = level
        if pin in _handlers:
            _handlers[pin](Pin(pin))


def reset():
    sys.exit(RESET)


class WDT:
    """Says on a file how often it was fed, at most twenty times a second."""

    def __init__(self, timeout):
        assert timeout <= 8388
        self.fed, self._said = 0, ticks_ms()
        _say_of_watchdog("0")

    def feed(self):
        self.fed += 1
        if ticks_diff(ticks_ms(), self._said) > 50:
            self._said = ticks_ms()
            _say_of_watchdog(str(self.fed))


def _say_of_watchdog(text):
    # Whole or not at all, for whoever reads it meanwhile.
    with open(os.getenv("PICO_WATCHDOG") + ".new", "w") as file:
        file.write(text)
    os.rename(os.getenv("PICO_WATCHDOG") + ".new", os.getenv("PICO_WATCHDOG"))


def unique_id():
    return b"\xe6\x61\xa4\xd3"


class Pin:
    IN, OUT, PULL_UP, IRQ_FALLING, IRQ_RISING = 0, 1, 2, 4, 8

    def __init__(self, number, mode=0, pull=None, value=None):
        self.number = number
        if value is not None:
            _levels[number] = value

    def value(self, level=None):
        if level is None:
            _play()
            return _levels.get(self.number, 1)
        _levels[self.number] = int(level)
        return None

    def irq(self, handler, trigger, hard=False):
        _handlers[self.number] = handler


class ADC:
    def __init__(self, number):
        self.number = number

    def read_u16(self):
        _play()
        if self.number not in pins.ARRAY_SENSORS or not _sensors:
            return _values.get(self.number, 0)
        pocket = pins.ARRAY_SENSORS.index(self.number)
        channel = sum([_levels[pins.ARRAY_SELECT[bit]] << bit for bit in range(4)])
        if channel == pins.AMBIENT_CHANNEL:
            return _sensors.get((pocket, channel), 0)
        is_lit = _emitters >> (pocket * pins.EMITTERS_A_POCKET + channel) & 1
        return 300 + (_sensors.get((pocket, channel), 0) if is_lit else 0)


class SPI:
    def __init__(self, number, baudrate, sck, mosi, miso):
        self.number = number

    def write(self, data):
        global _emitters
        if self.number == 1:
            _emitters = int.from_bytes(data, "big")
        else:
            _readout.write("".join([f"{byte:02x}" for byte in data]) + "\n")
            _readout.flush()
