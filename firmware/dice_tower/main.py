"""The dice tower's Raspberry Pi Pico: its end of the line over USB. Not yet tried on hardware.

It says who it is, beats, and keeps the text for the readout. It has no dice reader yet, and says so.
"""

import os
import select
import sys
import time
from binascii import hexlify

from machine import unique_id

from uckers_table.devices.tower_firmware import Tower

VERSION = "0.1.0"


def main():
    """Serve the line until the power goes, or Ctrl-C asks for the prompt."""
    serial_number = hexlify(unique_id()).decode()
    tower = Tower(hexlify(os.urandom(4)).decode(), "none", VERSION, "uckers-tower " + serial_number)
    arrived = select.poll()
    arrived.register(sys.stdin, select.POLLIN)
    now_ms = 0
    before = time.ticks_ms()
    while True:
        # ticks_ms starts again after twelve days; the sum of its differences does not.
        ticks = time.ticks_ms()
        now_ms += time.ticks_diff(ticks, before)
        before = ticks
        if arrived.poll(5):
            tower.receive(sys.stdin.buffer.read(1))
        out = tower.due(now_ms)
        if out:
            sys.stdout.buffer.write(out)


main()
