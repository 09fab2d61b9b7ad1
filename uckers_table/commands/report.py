"""`uckers-table report`: what somebody who mends this program has to know, in one file to send.

No pictures, unless they are asked for: they show people's hands, and perhaps faces. Players' names are left
out of the configuration; the last match's recording, which has none, is in.
"""

from __future__ import annotations

import argparse
import io
import platform
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table import __version__
from uckers_table.commands.config import print_config
from uckers_table.commands.options import add_config
from uckers_table.config import found_config, load_config
from uckers_table.errors import InputError, RecordError, UckersTableError
from uckers_table.foreign.places import inside
from uckers_table.machine.files import is_plain_file
from uckers_table.machine.health import read_health, warnings
from uckers_table.record.library import Library
from uckers_table.record.recording import PROFILE

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

PACKAGES = ("numpy", "opencv-python-headless", "pillow", "pyserial", "gpiozero", "luma.oled", "picamera2")
LOG_LINES = 2000
LOG_COMMAND = ("journalctl", "-t", "uckers-table", "-n", str(LOG_LINES), "--no-pager", "-o", "short-iso")
LOG_S = 20.0
PICTURES = (".jpg", ".png")


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "report",
        help="collect what a bug report needs in one file",
        description="Writes a zip file with versions, what is configured, the machine's health, the log, and "
        "the recording of the last match; no pictures, unless asked, and no names of players.",
    )
    parser.add_argument("file", type=Path, metavar="REPORT.zip", help="where it goes")
    add_config(parser)
    parser.add_argument("--pictures", action="store_true", help="with the last match's pictures")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the report. The exit status."""
    config = arguments.config or found_config()
    return write_report(arguments.file, config, pictures=arguments.pictures, out=sys.stdout)


def write_report(path: Path, config: Path | None, *, pictures: bool, out: TextIO) -> int:
    """Write the report to a new file (zip), and say what is in it. The exit status.

    What cannot be had is said in the report; InputError where the file cannot be written, or is there.
    """
    parts: list[tuple[str, bytes | Path]] = [
        ("about.txt", _about().encode()),
        ("configuration.txt", _configuration(config).encode()),
        ("health.txt", _health(config).encode()),
        ("log.txt", _log()),
        *_last_match(config, pictures=pictures),
    ]
    try:
        with zipfile.ZipFile(path, "x", zipfile.ZIP_DEFLATED) as file:
            for name, content in parts:
                if isinstance(content, Path):
                    file.write(content, name)
                else:
                    file.writestr(name, content)
                print(f"  {name}", file=out)
    except FileExistsError:
        raise InputError(f"{path}: is there already; name a new file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); name another place") from None
    shown = "with" if pictures else "without"
    print(f"{path}: {len(parts)} files, {shown} pictures. Look at it before you send it.", file=out)
    return 0


def _about() -> str:
    """The program, the machine and the packages."""
    lines = [
        f"uckers-table {__version__}",
        f"Python {sys.version.split()[0]}",
        platform.platform(),
        _first_line(Path("/etc/os-release")),
        _first_line(Path("/proc/device-tree/model")),
    ]
    return "\n".join([*filter(None, lines), *(f"{name} {_version(name)}" for name in PACKAGES)]) + "\n"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()[0].rstrip("\0")
    except (OSError, IndexError):
        return ""


def _configuration(config: Path | None) -> str:
    """What is in force, but for who plays."""
    out = io.StringIO()
    try:
        print_config(config, default=False, json_lines=False, out=out)
    except UckersTableError as error:
        return f"{error}\n"
    settings = out.getvalue().splitlines(keepends=True)
    return "".join(setting for setting in settings if not setting.startswith("names "))


def _health(config: Path | None) -> str:
    try:
        health = read_health(load_config(config).record)
    except UckersTableError as error:
        return f"{error}\n"
    return f"{health}\n" + "".join(f"{notice.title}: {notice.sentence}\n" for notice in warnings(health))


def _log() -> bytes:
    """What the journal has of the program."""
    try:
        asked = subprocess.run(LOG_COMMAND, capture_output=True, timeout=LOG_S, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the journal could not be asked: {error}\n".encode()
    return asked.stdout + asked.stderr


def _last_match(config: Path | None, *, pictures: bool) -> Iterator[tuple[str, bytes | Path]]:
    """The list of matches, and the recording of the last of them."""
    try:
        folder = load_config(config).record
        library = Library(folder)
        matches = library.matches()
        nameless = (replace(match, terms=replace(match.terms, names={})) for match in matches)
        senseless = (f"match {number} makes no sense" for number in library.senseless())
        yield "matches.txt", "".join(f"{line}\n" for line in (*nameless, *senseless)).encode()
        last = library.match(matches[-1].number) if matches else None
        if last is None or not last.recording:
            return
        recording = inside(folder, last.recording)
    except (RecordError, InputError) as error:
        yield "recording.txt", f"{error}\n".encode()
        return
    for file in sorted(recording.rglob("*")):
        name = f"recording/{file.relative_to(recording)}"
        if file.name == PROFILE and not pictures:
            # The picture of the bare board is at its end.
            yield name, file.read_bytes().partition(b"[bare]")[0]
        elif is_plain_file(file) and (pictures or file.suffix not in PICTURES):
            yield name, file
