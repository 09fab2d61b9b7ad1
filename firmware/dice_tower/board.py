"""The only file that touches the Pico's pins; what each does stands in pins.py. Not yet tried on hardware."""

import sys
from time import sleep_us, ticks_diff, ticks_us

import machine
import pins
from machine import ADC, SPI, Pin

from uckers_table.devices.pico.beams import IN, OUT, STACK
from uckers_table.devices.pico.readout import commands

REFRESH_MS = 1000
"""A spike on the readout's supply can leave its chip dark until it is told everything again."""
KEPT_EDGES = 64
"""Places of the ring of edges, a power of two. One stays free: so full and empty differ."""
WATCHDOG_MS = 8000
"""The chip counts to 8388 at most. A round of the loop takes some milliseconds, or half a second where the
host has just stopped reading."""
WATCHDOG_CTRL = {"RP2040": 0x40058000, "RP2350": 0x400D8000}
"""Address of the watchdog's control register, by chip."""
WATCHDOG_ON, CLEAR_BITS = 1 << 30, 0x3000
"""The bit that lets it count, and the offset at which a register takes bits that are to be cleared."""
SETTLE_US = 500
"""From switching an emitter until its sensor's level is told."""
READINGS = 16
"""A level is the mean of so many conversions."""


class Watchdog:
    """Starts the chip anew when it is not fed for WATCHDOG_MS. machine.WDT alone cannot be ended."""

    def __init__(self):
        # Not every port of MicroPython has one; a tower works without.
        has_one = hasattr(machine, "WDT")
        self._dog = machine.WDT(timeout=WATCHDOG_MS) if has_one else None

    def feed(self):
        """The loop has gone round, and the beams have been served."""
        if self._dog is not None:
            self._dog.feed()

    def end(self):
        """Whoever has MicroPython's prompt is not to be cut off."""
        if self._dog is not None and hasattr(machine, "mem32"):
            for chip, address in WATCHDOG_CTRL.items():
                if chip in sys.implementation._machine:
                    machine.mem32[address + CLEAR_BITS] = WATCHDOG_ON


class Board:
    """All that hangs on the pins, for a tower whose reader is "tray" or "array"."""

    def __init__(self, reader):
        # Ready before the first interrupt, which may not take memory. An interrupt writes `_next` and the
        # place there, and nothing else; `edges` alone writes `_first`. So neither undoes the other's work.
        self._edges = [0] * KEPT_EDGES
        self._edge_us = [0] * KEPT_EDGES
        self._first = self._next = 0
        self._told = [False] * (STACK + 1)
        self._now_us, self._ticks = 0, ticks_us()
        Pin(pins.QUIET_SUPPLY, Pin.OUT, value=1)
        self._lamp = Pin(pins.TRAY_LAMP, Pin.OUT, value=1)
        self._monitor = ADC(pins.LAMP_MONITOR[reader])
        self._cs = Pin(pins.READOUT_CS, Pin.OUT, value=1)
        self._readout = SPI(
            0, baudrate=1000000, sck=Pin(pins.READOUT_SCK), mosi=Pin(pins.READOUT_MOSI), miso=None
        )
        self._shown = None
        self._refresh_ms = 0
        beams = [(IN, pins.IN_BEAM), (OUT, pins.OUT_BEAM)]
        if reader == "array":
            beams.append((STACK, pins.STACK_BEAM))
            self._open_array()
        self._beams = [(beam, Pin(number, Pin.IN, Pin.PULL_UP)) for beam, number in beams]
        for beam, pin in self._beams:
            self._watch(beam, pin)

    def _watch(self, beam, pin):
        def changed(pin):
            place = self._next
            after = (place + 1) & (KEPT_EDGES - 1)
            # A full ring keeps what it has: the places of older edges are not this interrupt's.
            if after != self._first:
                self._edges[place] = beam * 2 + (1 - pin.value())
                self._edge_us[place] = ticks_us()
                self._next = after

        pin.irq(changed, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)

    def now_us(self):
        """Microseconds since the start; the Pico's own count begins anew every quarter of an hour or so."""
        ticks = ticks_us()
        self._now_us += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_us

    def edges(self):
        """What the beams' receivers did since the last time: (beam, whether dark, when in microseconds).

        Each change is told once, in the order of time.
        """
        # No further than this: in a storm of noise there would be no end.
        last = self._next
        now_us, out = self.now_us(), []
        while self._first != last:
            place = self._first
            at_us = now_us - ticks_diff(self._ticks, self._edge_us[place])
            self._tell(out, self._edges[place] >> 1, bool(self._edges[place] & 1), at_us)
            # Free for the next edge only when it has been read.
            self._first = (place + 1) & (KEPT_EDGES - 1)
        # An edge that a full ring did not take is made good here, as is what was dark before anybody looked.
        # Not when another has come meanwhile: that one tells the same, and when it was.
        levels = [(beam, not pin.value()) for beam, pin in self._beams]
        now_us = self.now_us()
        if self._first == self._next:
            for beam, is_dark in levels:
                self._tell(out, beam, is_dark, now_us)
        return out

    def _tell(self, out, beam, is_dark, at_us):
        if self._told[beam] != is_dark:
            self._told[beam] = is_dark
            out.append((beam, is_dark, at_us))

    def lamp(self, lit):
        """Switch the tray lamp."""
        self._lamp.value(lit)

    def lamp_level(self):
        """What flows through the tray lamp, 0 to 65535."""
        return self._monitor.read_u16()

    def show(self, text, bright, now_ms):
        """Put a text on the readout."""
        if (text, bright) == self._shown and now_ms < self._refresh_ms:
            return
        self._shown, self._refresh_ms = (text, bright), now_ms + REFRESH_MS
        for command in commands(text, bright):
            self._cs.value(0)
            self._readout.write(command)
            self._cs.value(1)

    def _open_array(self):
        self._select = [Pin(number, Pin.OUT, value=0) for number in pins.ARRAY_SELECT]
        self._sensors = [ADC(number) for number in pins.ARRAY_SENSORS]
        self._latch = Pin(pins.EMITTER_LATCH, Pin.OUT, value=0)
        self._emitters = SPI(
            1, baudrate=1000000, sck=Pin(pins.EMITTER_SCK), mosi=Pin(pins.EMITTER_DATA), miso=None
        )

    def scan(self):
        """The array's levels, for each pocket: nine sensors, white and dark reference (all lit less unlit),
        ambient."""
        out = []
        for pocket in range(len(self._sensors)):
            levels = []
            for channel in range(pins.EMITTERS_A_POCKET):
                self._light(0)
                unlit = self._level(pocket, channel)
                self._light(1 << (pocket * pins.EMITTERS_A_POCKET + channel))
                levels.append(self._level(pocket, channel) - unlit)
            self._light(0)
            levels.append(self._level(pocket, pins.AMBIENT_CHANNEL))
            out.append(levels)
        return out

    def _light(self, emitters):
        self._emitters.write(emitters.to_bytes(3, "big"))
        self._latch.value(1)
        self._latch.value(0)

    def _level(self, pocket, channel):
        for bit in range(len(self._select)):
            self._select[bit].value(channel >> bit & 1)
        sleep_us(SETTLE_US)
        sensor = self._sensors[pocket]
        return sum([sensor.read_u16() for _ in range(READINGS)]) // READINGS
