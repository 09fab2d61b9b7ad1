"""The only file that touches the Pico's pins; what each does stands in pins.py. Not yet tried on hardware."""

from time import sleep_us, ticks_diff, ticks_us

import pins
from machine import ADC, SPI, Pin

from uckers_table.devices.pico.beams import IN, OUT, STACK
from uckers_table.devices.pico.readout import commands

REFRESH_MS = 1000
"""A spike on the readout's supply can leave its chip dark until it is told everything again."""
KEPT_EDGES = 64
SETTLE_US = 500
"""From switching an emitter until its sensor's level is told."""
READINGS = 16
"""A level is the mean of so many conversions."""


class Board:
    """All that hangs on the pins, for a tower whose reader is "tray" or "array"."""

    def __init__(self, reader):
        # Ready before the first interrupt, which may not take memory.
        self._edges = [0] * KEPT_EDGES
        self._edge_us = [0] * KEPT_EDGES
        self._first = self._next = 0
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
            place = self._next & (KEPT_EDGES - 1)
            self._edges[place] = beam * 2 + (1 - pin.value())
            self._edge_us[place] = ticks_us()
            self._next += 1

        pin.irq(changed, Pin.IRQ_FALLING | Pin.IRQ_RISING, hard=True)
        # What was dark before anybody looked.
        if not pin.value():
            changed(pin)

    def now_us(self):
        """Microseconds since the start; the Pico's own count begins anew every quarter of an hour or so."""
        ticks = ticks_us()
        self._now_us += ticks_diff(ticks, self._ticks)
        self._ticks = ticks
        return self._now_us

    def edges(self):
        """What the beams' receivers did since the last time: (beam, whether dark, when in microseconds)."""
        now_us, out = self.now_us(), []
        while self._first != self._next:
            place = self._first & (KEPT_EDGES - 1)
            at_us = now_us - ticks_diff(self._ticks, self._edge_us[place])
            out.append((self._edges[place] >> 1, bool(self._edges[place] & 1), at_us))
            self._first += 1
        # An edge that fell out of a full ring is made good here.
        for beam, pin in self._beams:
            out.append((beam, not pin.value(), now_us))
        return out

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
