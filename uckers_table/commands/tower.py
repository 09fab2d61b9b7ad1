"""`uckers-table tower`: put the firmware on the dice tower's Pico, and ask the tower what it reads."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import uckers_table
from uckers_table.devices import pico
from uckers_table.devices.dice_tower import AUTO, ask_tower, find_picos
from uckers_table.devices.tower_link import Told, TowerLink
from uckers_table.errors import COMES_WITH_IT, DeviceError, ProtocolError
from uckers_table.machine.files import is_there

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

SHARED = "uckers_table/devices/pico"
"""Where the shared modules lie on the Pico, so that they are imported by the same name as here."""
OWN = ("pins.py", "board.py", "main.py")
COPY_S = 120.0
ENDING_S = 0.5

Run = Callable[[Sequence[str]], None]


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser("tower", help="the dice tower's Pico: its firmware, and what it reads")
    deeds = parser.add_subparsers(dest="deed", required=True, metavar="WHAT")
    to_install = deeds.add_parser("install", help="put the firmware on the Pico (needs mpremote)")
    to_install.add_argument("--reader", choices=("tray", "array"), default="tray", help="what reads the dice")
    to_learn = deeds.add_parser("learn", help="have the array learn the card that lies in both pockets")
    to_learn.add_argument("shade", choices=("white", "black"), help="which card lies there")
    to_dump = deeds.add_parser("dump", help="print what beams, lamp and sensors read")
    to_prompt = deeds.add_parser("prompt", help="end the firmware, for MicroPython's prompt")
    for deed in (to_install, to_learn, to_dump, to_prompt):
        deed.add_argument(
            "--port", default="auto", help="the Pico's serial port (default: the one plugged in)"
        )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do what is asked with the tower. The exit status."""
    match arguments.deed:
        case "install":
            return install(arguments.port, arguments.reader, sys.stdout)
        case "learn":
            return learn_card(arguments.port, arguments.shade, sys.stdout)
        case "dump":
            return dump(arguments.port, sys.stdout)
        case _:
            return prompt(arguments.port, sys.stdout)


def install(port: str, reader: str, out: TextIO, run: Run | None = None) -> int:
    """Copy the firmware for a reader ("tray", "array") onto the Pico at a port; DeviceError when it fails."""
    port = _port(port)
    run = run or mpremote
    _end_firmware(port)
    connect = ["connect", port, "resume"]
    for folder in _folders(SHARED):
        run([*connect, "exec", f"import os\ntry:\n    os.mkdir('{folder}')\nexcept OSError:\n    pass"])
    shared = sorted(Path(str(pico.__file__)).parent.glob("*.py"))
    for path in shared:
        run([*connect, "fs", "cp", str(path), f":{SHARED}/{path.name}"])
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "reader.py"
        chosen.write_text(f'READER = "{reader}"\n', encoding="utf-8")
        for path in (chosen, *(firmware_folder() / name for name in OWN)):
            run([*connect, "fs", "cp", str(path), f":{path.name}"])
    run([*connect, "reset"])
    print(f"{port}: firmware {uckers_table.__version__} for a tower with reader '{reader}'", file=out)
    return 0


def dump(port: str, out: TextIO) -> int:
    """Print what the tower's beams, lamp and sensors read."""
    dumped = ask_tower(_port(port), lambda link: link.ask_dump(), lambda link, _: link.dumped is not None)
    if dumped is not None:
        for what, values in dumped.values:
            print(what, *values, file=out)
    return 0


def learn_card(port: str, shade: str, out: TextIO) -> int:
    """Have the array learn the white or the black card that lies in both pockets."""
    was_blind = False

    def is_learnt(_: TowerLink, told: list[Told]) -> bool:
        nonlocal was_blind
        was_blind = any(each.kind == "blind" for each in told)
        return any(each.kind == "learnt" and each.fields == (shade,) for each in told)

    try:
        ask_tower(_port(port), lambda link: link.ask_learn(shade), is_learnt)
    except DeviceError:
        # Before the first cards it says so in any case. But it has answered, and not that it learnt one.
        if not was_blind:
            raise
        raise DeviceError(
            f"the tower has not kept the {shade} card, its flash is full or worn: put its firmware on again "
            f"(`uckers-table tower install`), or replace its Pico"
        ) from None
    print(f"the {shade} card is learnt", file=out)
    return 0


def prompt(port: str, out: TextIO) -> int:
    """End the firmware until the next start, so that others can talk to MicroPython."""
    _end_firmware(_port(port), needed=True)
    print("the firmware has ended; the next start runs it again", file=out)
    return 0


def firmware_folder() -> Path:
    """Where the firmware's own files lie: in the installed package, or in the project's folder."""
    package = Path(str(uckers_table.__file__)).parent
    for folder in (package / "firmware", package.parent / "firmware" / "dice_tower"):
        if is_there(folder / "main.py"):
            return folder
    raise DeviceError("the firmware's files are not here: install uckers-table anew")


def mpremote(arguments: Sequence[str]) -> None:
    """Run mpremote; DeviceError with its last line when it fails."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", *arguments],
            capture_output=True,
            text=True,
            timeout=COPY_S,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise DeviceError("the Pico does not answer mpremote: unplug it, plug it in, try again") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["no word why"]
        if "No module named mpremote" in said[-1]:
            raise DeviceError(f"mpremote copies files onto a Pico and is not here: {COMES_WITH_IT}")
        raise DeviceError(f"mpremote could not do it ({said[-1]}): has the Pico MicroPython on it?")


def _port(port: str) -> str:
    if port != AUTO:
        return port
    found = find_picos()
    if len(found) != 1:
        what = f"{len(found)} Picos are plugged in ({', '.join(found)})" if found else "no Pico is plugged in"
        raise DeviceError(f"{what}: name the port with --port")
    return found[0]


def _end_firmware(port: str, *, needed: bool = False) -> None:
    """A firmware that runs ignores Ctrl-C, by which mpremote gets its prompt."""
    asked: list[float] = []

    def ask(link: TowerLink) -> None:
        link.ask_prompt()
        asked.append(time.monotonic())

    try:
        ask_tower(port, ask, lambda link, _: time.monotonic() - asked[0] > ENDING_S)
    except (DeviceError, ProtocolError):
        if needed:
            raise


def _folders(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[: k + 1]) for k in range(len(parts))]
