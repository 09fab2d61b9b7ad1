"""What is found of a table that is examined: by `uckers-table doctor`, and from the page while it runs."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from uckers_table.announce.rules_in_words import rule_warnings
from uckers_table.config import Config
from uckers_table.devices.base import TowerReads
from uckers_table.devices.pins import BUTTONS
from uckers_table.errors import UckersTableError
from uckers_table.machine.files import is_there, make_folder, what_to_try, write_whole
from uckers_table.table.parts import first_match
from uckers_table.vision.profile import TableProfile
from uckers_table.web.feed import CardLine, DeviceLine

SLOWEST = 5.0
"""Frames a second; with fewer a hand may come and go unseen."""
BUILT_IN = 2026
"""A clock before this year was never set."""
LEAST_ROOM = 1_000_000_000
"""Bytes on the card: an evening with its pictures takes a few hundred million."""

TO_TRY: Mapping[str, str] = {
    "too_dark": "light the lamp over the board, and look whether something covers the lens",
    "colours_indistinct": "white light over the board: under red light no colours can be told",
    "board_not_found": "look whether the whole board is in the picture; if so, calibrate again",
    "occluded": "clear the board of hands, glasses and papers, and run this again",
    "blurred": "clean the lens, and let camera and board come to rest; if it stays so, focus anew with "
    "`uckers-table photo` and calibrate again",
}
"""By the reader's word for what keeps it from seeing. A board that was moved is followed."""


class State(StrEnum):
    """How a device is."""

    GOOD = "good"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    UNUSED = "unused"


@dataclass(frozen=True)
class Diagnosis:
    """What was found of one device, and what to try."""

    device: str
    state: State
    what: str
    to_try: str = ""


def clock_finding(now: datetime) -> Diagnosis:
    """Whether the machine knows the date."""
    if now.year < BUILT_IN:
        to_try = "set the time, or put a cell into the clock's holder"
        return Diagnosis(
            "clock", State.DOUBTFUL, f"it says {now:%d %B %Y}: records will be dated wrong", to_try
        )
    return Diagnosis("clock", State.GOOD, f"{now:%d %B %Y, %H:%M} UTC")


def record_finding(folder: Path, least_free: float = LEAST_ROOM) -> Diagnosis:
    """Whether a match can be kept: something is written, synced and taken away again.

    With fewer than `least_free` bytes on the card it is doubtful.
    """
    probe = folder / ".doctor"
    try:
        make_folder(folder)
        write_whole(probe, "uckers")
        probe.unlink()
        free = shutil.disk_usage(folder).free
    except OSError as error:
        to_try = what_to_try(folder, error.errno)
        if error.errno in (errno.EACCES, errno.EPERM):
            to_try = "let 'record' in the configuration name a folder that this user may write"
        return Diagnosis("record", State.BAD, f"{folder} cannot be written ({error.strerror})", to_try)
    if free < least_free:
        to_try = "take old matches off the card"
        return Diagnosis("record", State.DOUBTFUL, f"{folder} has only {free / 1e6:.0f} MB left", to_try)
    return Diagnosis("record", State.GOOD, f"{folder}: {free / 1e9:.1f} GB free")


def rules_findings(config: Config) -> Iterator[Diagnosis]:
    """What can go wrong with the rules that the configuration names; nothing where all is well with them."""
    try:
        rules = first_match(config).rules
    except UckersTableError as error:
        to_try = "`uckers-table rules` lists the sets, and says what one plays"
        yield Diagnosis("rules", State.BAD, " ".join(str(error).split()), to_try)
        return
    for each in rule_warnings(rules):
        to_try = f"`uckers-table rules {config.rules}` says what is played"
        yield Diagnosis("rules", State.DOUBTFUL, each, to_try)


def profile_finding(path: Path) -> tuple[TableProfile | None, Diagnosis]:
    """What the camera has learned of the table, on the page or by hand."""
    to_try = 'show it: "Set up" on the page; or `uckers-table photo`, then `uckers-table calibrate`'
    if not is_there(path):
        return None, Diagnosis(
            "table", State.BAD, f"the camera was never shown it: there is no {path}", to_try
        )
    try:
        profile = TableProfile.load(path)
    except UckersTableError as error:
        return None, Diagnosis("table", State.BAD, " ".join(str(error).split()), to_try)
    return profile, Diagnosis("table", State.GOOD, f"{path}: {', '.join(profile.seats)}")


@dataclass(frozen=True)
class RunningTable:
    """What a table that runs knows of itself. `card` is its first card, `devices` how each of them is.

    `frames_a_second` come from the camera, 0 where that is not known; `is_locked` says whether it is locked.
    `reads` is what the tower says, None where it does not answer; `down` are the buttons that are pressed.
    """

    record: Path
    profile: Path | None
    devices: Sequence[DeviceLine]
    card: Sequence[CardLine]
    frames_a_second: float = 0.0
    is_locked: bool = True
    reads: TowerReads | None = None
    down: frozenset[str] = frozenset()


def examine_running(table: RunningTable, now: datetime) -> Iterator[Diagnosis]:
    """Each finding, in the doctor's order. It writes to the card, and asks nobody else."""
    yield clock_finding(now)
    yield record_finding(table.record)
    if table.profile is not None:
        yield profile_finding(table.profile)[1]
    by_name = {device.name: device for device in table.devices}
    yield _found(by_name["camera"], [*_of(table.card, "board", "light"), *_slow(table)], _camera_words(table))
    tower = [*_of(table.card, "tower"), *_beams(table.reads)]
    yield _found(by_name["tower"], tower, "it answers, and nothing in it fails")
    for line in table.card:
        if line.part == "tray":
            yield Diagnosis("tray", State.DOUBTFUL, _plain(line.words), line.to_try)
    yield _found(by_name["display"], [], "it answers: its test page shows whether it is the right kind")
    stuck = [
        ("pressed, though nobody should be: " + ", ".join(sorted(table.down)), "let go; is a lead shorted?")
    ]
    none_stuck = f"none of the {len(BUTTONS)} is stuck: the test shows whether each comes"
    yield _found(by_name["buttons"], stuck if table.down else [], none_stuck)
    heard = [
        (_plain(line.words), line.to_try) for line in table.card if line.part == "sound" and not line.is_well
    ]
    yield _found(by_name["voice"], heard, "it answers: the test shows whether it is heard")


def _found(device: DeviceLine, wrong: Sequence[tuple[str, str]], well: str) -> Diagnosis:
    if device.state == "none":
        return Diagnosis(device.name, State.UNUSED, "the table does without it")
    if device.state == "lost":
        return Diagnosis(device.name, State.BAD, " ".join(device.what_to_try.split()))
    if wrong:
        whats, tries = zip(*wrong, strict=True)
        return Diagnosis(device.name, State.BAD, "; ".join(whats), "; ".join(filter(None, tries)))
    return Diagnosis(device.name, State.GOOD, well)


def _of(card: Sequence[CardLine], *parts: str) -> Iterator[tuple[str, str]]:
    return ((_plain(line.words), line.to_try) for line in card if line.part in parts and not line.is_well)


def _plain(words: str) -> str:
    return words.rstrip(".")


def _slow(table: RunningTable) -> Iterator[tuple[str, str]]:
    if 0 < table.frames_a_second < SLOWEST:
        yield (
            f"only {table.frames_a_second:.1f} frames a second",
            "end other programs; a Raspberry Pi 4 or 5 gives ten",
        )
    if not table.is_locked:
        yield "its focus and exposure are not locked", "show it the table anew"


def _camera_words(table: RunningTable) -> str:
    rate = f"{table.frames_a_second:.0f} frames a second; " if table.frames_a_second else ""
    return f"{rate}the board is found, sharp and well lit"


def _beams(reads: TowerReads | None) -> Iterator[tuple[str, str]]:
    if reads is None:
        return
    for name, is_dark in zip(("in-beam", "out-beam"), reads.are_dark, strict=False):
        if is_dark:
            yield f"the {name} is dark", f"take out what is in the {name}’s way, and see that its parts face"
    if reads.is_lit is False:
        yield "the tray’s lamp draws no current", "look whether the lamp is plugged in and lit"
