"""The dice tower's Raspberry Pi Pico. Not yet tried on hardware.

READER in reader.py, which `uckers-table tower install` writes, says what reads the dice: "tray" or "array".
"""

import gc
import json
import os
import select
import sys
from binascii import hexlify
from time import sleep_ms

import micropython
from board import Board, Watchdog
from machine import reset, unique_id
from reader import READER

from uckers_table.devices.pico.tower import Tower

VERSION = "0.1.0"
LEARNT = "learnt.json"
SCAN_EVERY_MS = 50
LAMP_EVERY_MS = 100
CTRL_C = 3
STALE_MS = 200
"""A line that cannot be sent for so long is broken off: events are repeated that often in any case."""


def save(learnt):
    """Keep what the tower has learnt, so that a plug pulled meanwhile leaves the old or the new.

    Gives whether the flash took it: one that is full or worn does not.
    """
    try:
        with open(LEARNT + ".new", "w") as file:
            json.dump(learnt, file)
        os.rename(LEARNT + ".new", LEARNT)
        return True
    except OSError as error:
        sys.print_exception(error)
    try:  # noqa: SIM105 (MicroPython has no contextlib)
        os.remove(LEARNT + ".new")
    except OSError:
        pass
    return False


def load():
    """What the tower had learnt; None when nothing was, or it is damaged."""
    try:
        with open(LEARNT) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


class Sender:
    """Sends what is due, as far as the host reads it: one that does not keeps nobody from the beams."""

    def __init__(self):
        self._room = select.poll()
        self._room.register(sys.stdout, select.POLLOUT)
        self._out, self._sent, self._since_ms = b"", 0, 0

    def send(self, line, now_ms):
        """What fits of the lines that are due; the next ones only when these have gone."""
        if self._sent == len(self._out):
            self._out, self._sent, self._since_ms = line.due(now_ms), 0, now_ms
        # A byte at a time: where there is room for one, more may have to wait, and waiting holds up the loop.
        while self._sent < len(self._out) and self._room.poll(0):
            sys.stdout.buffer.write(self._out[self._sent : self._sent + 1])
            self._sent += 1
        if self._sent < len(self._out) and now_ms - self._since_ms >= STALE_MS:
            # How old an event is would be wrong by now. The line is damaged, and what matters is said again.
            self._out, self._sent, self._since_ms = b"\n", 0, now_ms


def serve():
    """Serve until the power goes, or the host asks for the prompt."""
    boot = hexlify(os.urandom(4)).decode()
    tower = Tower(boot, READER, VERSION, "uckers-tower " + hexlify(unique_id()).decode(), save)
    tower.load(load())
    board = Board(READER)
    arrived, sender = select.poll(), Sender()
    arrived.register(sys.stdin, select.POLLIN)
    scan_ms = lamp_ms = 0
    while not tower.line.wants_prompt:
        for beam, is_dark, at_us in board.edges():
            tower.edge(beam, is_dark, at_us)
        now_us = board.now_us()
        now_ms = now_us // 1000
        tower.tick(now_us)
        board.lamp(tower.lamp)
        if now_ms >= lamp_ms:
            lamp_ms = now_ms + LAMP_EVERY_MS
            tower.lamp_level(board.lamp_level(), now_ms)
        if READER == "array" and now_ms >= scan_ms:
            scan_ms = now_ms + SCAN_EVERY_MS
            tower.scan(board.scan(), now_ms)
        board.show(tower.shown(now_ms), tower.line.settings["bright"], now_ms)
        if arrived.poll(2):
            # A byte at a time, as long as there is more: a plain read(n) would wait for n bytes.
            data = sys.stdin.buffer.read(1)
            while len(data) < 64 and arrived.poll(0):
                data += sys.stdin.buffer.read(1)
            tower.line.receive(data, now_ms)
        sender.send(tower.line, now_ms)
        gc.collect()
        watchdog.feed()


# A byte 3 in noise is not somebody who wants the prompt; whoever does sends the message for it.
micropython.kbd_intr(-1)
watchdog = Watchdog()
try:
    serve()
except Exception as error:
    # Nobody is there to start it anew. For a second Ctrl-C gives the prompt, to somebody who would mend it.
    micropython.kbd_intr(CTRL_C)
    sys.print_exception(error)
    sleep_ms(1000)
    reset()
finally:
    watchdog.end()
    micropython.kbd_intr(CTRL_C)
