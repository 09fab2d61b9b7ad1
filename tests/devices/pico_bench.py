"""The complete firmware on a bench: under MicroPython's Unix port, and unchanged on an emulated Pico.

Both give a `Bench`: a port for the host's real driver, and the tower's parts to play.
"""

import gzip
import os
import select
import shutil
import socket
import subprocess
import sys
import tty
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

import pytest

from tests.patience import until
from uckers_table.commands import tower as tower_command
from uckers_table.commands.tower import OWN, firmware_folder, install, mpremote
from uckers_table.devices import dice_tower, pico, tower_link
from uckers_table.devices.pico.readout import segments

HERE = Path(__file__).parent
ENVIRONMENT = Path(sys.prefix)
IN_BEAM, OUT_BEAM, STACK_BEAM = 2, 3, 4


class Bench:
    """`port` is where the firmware talks; `play` sends lines to its parts, `heard` gives what its readout
    was told."""

    def __init__(self, port, play, heard):
        self.port, self.play, self._heard = port, play, heard

    def pass_beam(self, beam):
        """A die falls through a beam."""
        self.play(f"BREAK {beam}")

    def throw(self, dice=2):
        """Dice fall in and out."""
        for beam in (IN_BEAM, OUT_BEAM):
            for _ in range(dice):
                self.pass_beam(beam)

    def lamp(self, level):
        """What the tray lamp's monitor reads."""
        self.play(f"ADC 26 {level}")
        self.play(f"ADC 28 {level}")

    def pocket(self, pocket, picture, white=30000, black=4000):
        """What lies over a pocket's nine sensors: "o" is black, "." is white."""
        levels = [black if char == "o" else white for char in picture] + [white, black, 200]
        # At once: with half of it set it might show another face.
        self.play("\n".join(f"SENSOR {pocket} {channel} {level}" for channel, level in enumerate(levels)))

    def digits(self):
        """The readout's eight registers, leftmost first, as its chip has been told."""
        registers = {}
        for line in self._heard():
            registers[int(line[:2], 16)] = int(line[2:], 16)
        return tuple(registers.get(8 - place) for place in range(8))

    def until_shown(self, text):
        """Wait until the readout says it."""
        wanted = tuple(segments(char) for char in text.ljust(8))
        until(lambda: self.digits() == wanted, lambda: f"the readout never said {text!r}: {self}")

    def until_told(self, events, expected):
        """Wait for the next event, which is to be this one."""
        until(lambda: not events.empty(), lambda: f"the host was never told {expected}: {self}")
        told = events.get()
        assert told == expected, f"the host was told {told}, not {expected}: {self}"

    def __str__(self):
        said = "".join(CHARS.get(digit, "?") for digit in self.digits())
        return f"the readout says {said!r}"


CHARS = {segments(char): char for char in "cdfgilopstux0123456789ACDFGILOPSTUX "}
"""What each pattern of the readout is, as far as the tower uses it."""


def micropython():
    """The command that starts MicroPython's Unix port, or a skip that says how to get it."""
    for candidate in (
        os.environ.get("MICROPYTHON"),
        ENVIRONMENT / "micropython" / "micropython",
        "micropython",
    ):
        found = candidate and shutil.which(str(candidate))
        if found:
            return found
    pytest.skip("needs MicroPython's Unix port: `make test` fetches it where Debian's packages are reached")


class UnixPico:
    """The firmware in a process whose terminal is the USB cable."""

    def __init__(self, folder, reader, command):
        self.folder, self._command, self._reader = folder, command, reader
        shared = folder / "uckers_table" / "devices" / "pico"
        shared.mkdir(parents=True)
        for path in Path(str(pico.__file__)).parent.glob("*.py"):
            shutil.copy(path, shared)
        for name in OWN:
            shutil.copy(firmware_folder() / name, folder)
        (folder / "reader.py").write_text(f'READER = "{reader}"\n')
        self._control = folder / "control"
        os.mkfifo(self._control)
        self._parts = os.open(self._control, os.O_RDWR)
        self._readout = folder / "readout"
        self._readout.touch()
        self.watchdog = folder / "watchdog"
        self.watchdog.write_text("0")
        self.process = None

    def plug(self):
        """Power: the firmware starts; gives the bench."""
        # The other end stays open here: the firmware would read an error where nobody has it.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        environment = {
            "MICROPYPATH": f"{self.folder}:{HERE / 'unix_pico'}:.frozen",
            "PICO_CONTROL": str(self._control),
            "PICO_READOUT": str(self._readout),
            "PICO_WATCHDOG": str(self.watchdog),
        }
        self.process = subprocess.Popen(
            [self._command, "main.py"],
            cwd=self.folder,
            env=environment,
            stdin=self._master,
            stdout=self._master,
            stderr=subprocess.PIPE,
        )
        return Bench(os.ttyname(self._slave), self._play, self._heard)

    def unplug(self):
        """Power and line go."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            os.close(self._master)
            os.close(self._slave)
            self.process = None

    def close(self):
        self.unplug()
        os.close(self._parts)

    def _play(self, line):
        os.write(self._parts, line.encode() + b"\n")

    def _heard(self):
        return self._readout.read_text().rpartition("\n")[0].split()


class EmulatedPico:
    """An emulated RP2040 with MicroPython, on which `tower install` puts the firmware."""

    def __init__(self, folder):
        material = os.environ.get("UCKERS_TABLE_MATERIAL")
        image = material and Path(material) / "pico" / "micropython-1.26.1-rp2.uf2.gz"
        if not image or not image.exists():
            pytest.skip(
                "needs pico/ (MicroPython for the RP2040) in the folder named by UCKERS_TABLE_MATERIAL"
            )
        modules = Path(os.environ.get("RP2040JS", ENVIRONMENT / "rp2040js" / "node_modules"))
        if shutil.which("node") is None or not (modules / "rp2040js").exists():
            pytest.skip("needs node and the npm package rp2040js 1.4.1: `make test` fetches it where npm is")
        pytest.importorskip("mpremote", reason="needs mpremote, to put the firmware on the emulated Pico")
        (folder / "image.uf2").write_bytes(gzip.decompress(image.read_bytes()))
        serial, control = _free_port(), _free_port()
        self.process = subprocess.Popen(
            [
                "node",
                HERE / "emulated_pico.mjs",
                image.parent,
                modules,
                folder / "image.uf2",
                str(serial),
                str(control),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n"
        self.port = f"socket://127.0.0.1:{serial}"
        self._control = socket.create_connection(("127.0.0.1", control))
        self._heard = b""
        self._has_firmware = False

    def plug(self, reader):
        """Put the firmware for a reader on it, or only what is new; gives the bench."""
        with ExitStack() as limits:
            if self._has_firmware:
                # An emulated firmware takes its time to end.
                limits.enter_context(mock.patch.object(tower_command, "ENDING_S", 5.0))
            else:
                # Nothing answers that could be asked to end.
                limits.enter_context(mock.patch.object(tower_link, "HELLO_S", 0.1))
            install(self.port, reader, sys.stdout, self._run)
        self._has_firmware = True
        bench = Bench(self.port, self._play, self._lines)
        self._play("CLEAR")
        bench.lamp(5600)
        # The friendly prompt, and from there a soft reset, which runs main.py.
        with dice_tower.open_port(self.port) as line:
            line.write(b"\r\x02\x04")
            said = bytearray()

            def hello():
                # On a slow machine the word comes in pieces.
                said.extend(line.read(200))
                return b"uckers-tower" in said

            until(hello, lambda: f"the firmware never said hello, but {bytes(said)!r}")
        return bench

    def _run(self, arguments):
        """The emulated chip knows no reset by its watchdog."""
        if arguments[-1] != "reset":
            mpremote(arguments)

    def close(self):
        self._control.close()
        self.process.kill()
        self.process.communicate()

    def _play(self, line):
        self._control.sendall(line.encode() + b"\n")

    def _lines(self):
        while select.select([self._control], [], [], 0)[0]:
            data = self._control.recv(65536)
            if not data:
                break
            self._heard += data
        return self._heard.decode().rpartition("\n")[0].split()


def _free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
