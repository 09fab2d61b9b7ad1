"""`uckers-table doctor`: asks every device of a table how it is, and says what is wrong and what to try."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uckers_table.announce.oled import Headline, draw
from uckers_table.commands.options import add_config, config_of
from uckers_table.config import Config, with_own_settings
from uckers_table.devices.base import (
    ButtonBox,
    Camera,
    DeviceEvent,
    DiceTower,
    Display,
    Lost,
    NoThrow,
    Remark,
    SomeDevice,
    Voice,
)
from uckers_table.devices.dice_tower import AUTO, ask_tower, find_picos
from uckers_table.devices.pico.tower import LAMP_LEAST
from uckers_table.devices.pins import BUTTONS
from uckers_table.devices.tower_link import TowerLink
from uckers_table.errors import ConfigError, DeviceError, UckersTableError
from uckers_table.machine.clock import WallClock
from uckers_table.machine.owner import become_owner
from uckers_table.table.examining import (
    SLOWEST,
    TO_TRY,
    Diagnosis,
    State,
    profile_finding,
    record_finding,
    rules_findings,
)
from uckers_table.table.examining import clock_finding as _clock
from uckers_table.table.parts import Openers, openers, profile_file
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

if TYPE_CHECKING:
    from uckers_table.commands.options import Verbs

TEST_PAGE = Headline("TEST", "uckers-table", "doctor")
TEST_READOUT = "tESt"
TEST_SENTENCE = "This is the referee's voice."

FRAMES = 10
"""Pictures that are taken to see how fast they come."""
TOWER_WAIT_S = 5.0
"""A tower that says nothing for three seconds is none."""
SAY_WAIT_S = 15.0
LOOK_S = 5.0
"""How long test page and lamps stay for people to look at."""
LEAST_FREE = 1_000_000_000
"""Bytes on the card: an evening with its pictures takes a few hundred million."""


def add(verbs: Verbs) -> None:
    """The verb and its options."""
    parser = verbs.add_parser(
        "doctor",
        help="examine every device of the table, and say what is wrong and what to try",
        description="Asks every device that the configuration names how it is, shows a test page, lights all "
        "lamps and says a sentence. Exit status 0: all is well; 1: something is not.",
    )
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each finding")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine the table. The exit status."""
    config, trouble = with_own_settings(config_of(arguments))
    if trouble:
        print(trouble, file=sys.stderr)
    # What root may do, the table may not.
    become_owner(config.record)
    return run_doctor(config, json_lines=arguments.json, out=sys.stdout)


UNLOCKED_TRAY = Diagnosis(
    "tray",
    State.DOUBTFUL,
    "its camera is not locked: what it makes of light, colours and focus changes with what lies there",
    "`uckers-table photo tray.jpg --camera tray --settings tray.toml`; let 'tray_settings' name that file",
)


def run_doctor(config: Config, *, json_lines: bool, out: TextIO) -> int:
    """Print each finding as it is made: 0 when all is well, 1 when something is not.

    ConfigError for a simulated table, of which there is nothing to examine.
    """
    if config.camera == "simulated":
        raise ConfigError("the configuration's table is simulated: name the devices of a real one")
    findings = []
    for finding in examine(config):
        findings.append(finding)
        print(json.dumps(asdict(finding)) if json_lines else _line(finding), file=out, flush=True)
    return int(any(finding.state in (State.DOUBTFUL, State.BAD) for finding in findings))


def _line(finding: Diagnosis) -> str:
    line = f"{finding.state.value.upper():<9} {finding.device:<8} {finding.what}"
    return f"{line}\n{'':<18} try: {finding.to_try}" if finding.to_try else line


def examine(config: Config, *, pause: Callable[[float], None] = time.sleep) -> Iterator[Diagnosis]:
    """Each finding as it is made; `pause` lets people look. Every device is closed again at the end."""
    yield _clock(datetime.now(UTC))
    yield record_finding(config.record, LEAST_FREE)
    yield from rules_findings(config)
    profile: TableProfile | None = None
    if config.camera != "none":
        profile, finding = profile_finding(profile_file(config))
        yield finding
    told: list[DeviceEvent] = []
    doors = openers(config, profile, WallClock(), told.append)
    with ExitStack() as opened:
        if config.camera == "picamera2":
            yield numpy_of(find_spec("picamera2"), find_spec("numpy"), Path(sys.prefix))
        if config.camera == "none":
            yield _unused("camera")
        else:
            yield from _camera(config, doors, profile)
        if config.tower == "none":
            yield _unused("tower")
        else:
            yield from _tower(doors.tower, opened, config.tower_port, told, pause)
            if config.tray_camera and config.tray_settings is None:
                yield UNLOCKED_TRAY
        # These are for people to see and hear, so they come last and stay together for a while.
        if config.display == "none":
            yield _unused("display")
        else:
            yield from _tried("display", doors.display, opened, _display)
        if config.buttons == "none":
            yield _unused("buttons")
        else:
            yield from _tried("buttons", doors.buttons, opened, _buttons)
        if config.voice == "silent":
            yield _unused("voice")
        else:
            yield from _tried("voice", doors.voice, opened, lambda voice: _voice(voice, told))
        if config.display != "none" or config.buttons != "none":
            pause(LOOK_S)


def _tried(
    name: str,
    open_it: Callable[[], SomeDevice],
    opened: ExitStack,
    check: Callable[[SomeDevice], Diagnosis],
) -> Iterator[Diagnosis]:
    """What is found of a device; that it cannot be opened is a finding too."""
    try:
        yield check(opened.enter_context(closing(open_it())))
    except UckersTableError as error:
        yield _bad(name, error)


def _bad(name: str, error: Exception) -> Diagnosis:
    """An error as a finding: its text has what to try behind a colon, a question or a full sentence."""
    return Diagnosis(name, State.BAD, " ".join(str(error).split()))


def _unused(name: str) -> Diagnosis:
    return Diagnosis(name, State.UNUSED, "the configuration does without it")


def numpy_of(picamera2: ModuleSpec | None, numpy: ModuleSpec | None, environment: Path) -> Diagnosis:
    """Whether the camera module's software is there, and finds the numpy that it was built against.

    picamera2 comes with the system; one of its parts is compiled, and crashes or gives noise with another
    major numpy, such as a virtual environment may have of its own.
    """
    if picamera2 is None:
        what = "picamera2, the camera module's software, is not seen"
        to_try = (
            "apt install python3-picamera2; a virtual environment must see the system's packages: install.sh"
        )
        return Diagnosis("numpy", State.BAD, what, to_try)
    if _is_within(numpy, environment) and not _is_within(picamera2, environment):
        what = "picamera2 is the system's, numpy is not: the two do not go together"
        return Diagnosis(
            "numpy", State.BAD, what, "pip uninstall numpy, so that the system's is found; or install.sh"
        )
    return Diagnosis("numpy", State.GOOD, "it is the one that picamera2 was built against")


def _is_within(module: ModuleSpec | None, folder: Path) -> bool:
    return module is not None and bool(module.origin) and Path(str(module.origin)).is_relative_to(folder)


def _camera(config: Config, doors: Openers, profile: TableProfile | None) -> Iterator[Diagnosis]:
    """The camera is closed again at once: what it saw is enough."""
    if profile is None:
        yield Diagnosis("camera", State.DOUBTFUL, "not tried: nothing tells what it should see", "see table")
        return
    with ExitStack() as opened:
        yield from _tried("camera", doors.camera, opened, lambda camera: _seen(camera, profile))


def _seen(camera: Camera, profile: TableProfile) -> Diagnosis:
    """How fast pictures come, and whether the board can be read in the last of them."""
    frames = []
    for _ in range(FRAMES):
        frame = camera.read()
        if frame is None:
            break
        frames.append(frame)
    if not frames:
        raise DeviceError("the camera gives no pictures: is its folder empty?")
    image = frames[-1].image
    profile.check_size(image)
    height, width = image.shape[:2]
    span_s = frames[-1].t - frames[0].t
    rate = (len(frames) - 1) / span_s if span_s > 0 else 0.0
    found = f"{width} × {height}, {rate:.0f} frames a second" if rate else f"{width} × {height}"
    sighting = Reader(profile).read(image)
    troubles = [trouble for trouble in sighting.trouble if trouble in TO_TRY]
    if troubles:
        words = ", ".join(trouble.replace("_", " ") for trouble in troubles)
        return Diagnosis(
            "camera", State.BAD, f"{found}: {words}", "; ".join(TO_TRY[each] for each in troubles)
        )
    if not profile.settings and not camera.waits:
        what = f"{found}; the board is found and sharp, but focus and exposure are not locked"
        to_try = "take the pictures with `uckers-table photo`, and calibrate with its settings"
        return Diagnosis("camera", State.DOUBTFUL, what, to_try)
    if rate and rate < SLOWEST:
        to_try = "end other programs; a Raspberry Pi 4 or 5 gives ten"
        return Diagnosis("camera", State.DOUBTFUL, f"{found}: that is slow", to_try)
    moved = (
        "; it has been moved since calibration, and is followed" if "board_moved" in sighting.trouble else ""
    )
    return Diagnosis("camera", State.GOOD, f"{found}; the board is found, sharp and well lit{moved}")


def _reads(port: str) -> Mapping[str, tuple[int, ...]]:
    """What the tower's beams, lamp and sensors read; DeviceError when no tower answers."""
    ports = find_picos() if port == AUTO else [port]
    if not ports:
        raise DeviceError("no Pico is plugged in: is the dice tower's cable in at both ends?")
    for number, each in enumerate(ports, start=1):
        try:
            dump = ask_tower(each, TowerLink.ask_dump, lambda link, _: link.dumped is not None)
        except UckersTableError:
            # Another Pico may be the tower.
            if number == len(ports):
                raise
        else:
            return dict(dump.values) if dump is not None else {}
    return {}


def _beams_and_lamp(reads: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[str, str]]:
    """What is wrong with an empty tower's beams and its lamp, and what to try."""
    for name, is_dark in zip(("in-beam", "out-beam"), reads.get("beams", ()), strict=False):
        if is_dark:
            yield f"the {name} is dark", f"take out what is in the {name}'s way, and see that its parts face"
    for level in reads.get("lamp", ()):
        if level < LAMP_LEAST:
            yield "the tray's lamp draws no current", "look whether the lamp is plugged in and lit"


def _tower(
    open_it: Callable[[], DiceTower],
    opened: ExitStack,
    port: str,
    told: list[DeviceEvent],
    pause: Callable[[float], None],
) -> Iterator[Diagnosis]:
    """Its parts one by one, and then whether it goes on talking."""
    try:
        wrong = list(_beams_and_lamp(_reads(port)))
    except UckersTableError as error:
        yield _bad("tower", error)
        return
    if wrong:
        whats, tries = zip(*wrong, strict=True)
        yield Diagnosis("tower", State.BAD, "; ".join(whats), "; ".join(tries))
        return
    yield from _tried("tower", open_it, opened, lambda tower: _talking(tower, told, pause))


def _talking(tower: DiceTower, told: list[DeviceEvent], pause: Callable[[float], None]) -> Diagnosis:
    """Whether the tower says hello and goes on talking, and its tray can be seen."""
    tower.listen(told.append)
    tower.show(TEST_READOUT)
    pause(TOWER_WAIT_S)
    for event in told:
        if isinstance(event, Lost) and event.name == tower.name:
            raise DeviceError(event.why)
        if isinstance(event, NoThrow) and event.why == "blind":
            raise DeviceError(
                "the tower's reader sees nothing: is the tray's camera plugged in, is the tray lit?"
            )
        if isinstance(event, NoThrow) and event.why == "dark":
            raise DeviceError("the tray's lamp draws less than it did: are both of its strips lit?")
    what = f"it answers, its beams are clear, its lamp is lit; its readout should say {TEST_READOUT}"
    return Diagnosis("tower", State.GOOD, what)


def _display(display: Display) -> Diagnosis:
    display.show(draw(TEST_PAGE))
    return Diagnosis("display", State.GOOD, "it takes pictures; it should say TEST")


def _buttons(box: ButtonBox) -> Diagnosis:
    box.light(frozenset(BUTTONS))
    if box.down:
        names = ", ".join(sorted(box.down))
        return Diagnosis(
            "buttons", State.BAD, f"pressed, though nobody should be: {names}", "let go; is a lead shorted?"
        )
    return Diagnosis("buttons", State.GOOD, f"none is stuck; all {len(BUTTONS)} lamps should be lit")


def _voice(voice: Voice, told: list[DeviceEvent]) -> Diagnosis:
    voice.say(TEST_SENTENCE)
    is_said = voice.finish(SAY_WAIT_S)
    for event in told:
        if isinstance(event, Lost) and event.name == voice.name:
            raise DeviceError(event.why)
    if not is_said:
        raise DeviceError(f"the voice did not end a sentence in {SAY_WAIT_S:.0f} s: is the speaker hung?")
    for event in told:
        if isinstance(event, Remark) and event.name == voice.name and event.line:
            return Diagnosis("voice", State.DOUBTFUL, event.line)
    return Diagnosis("voice", State.GOOD, f"it should have said: {TEST_SENTENCE}")
