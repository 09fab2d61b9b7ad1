"""What a start does without because the last ones failed at it: how it is said, and how it is tried again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Generic

from uckers_table.config import ABSENT, Config
from uckers_table.devices.base import SomeDevice
from uckers_table.errors import DeviceError, InputError
from uckers_table.keeping.resume import BrokenOffError, PickedUp, go_on_from_record, pick_up
from uckers_table.machine.messages import Message, Reminder
from uckers_table.machine.starts import MOST_FAILED, Starts
from uckers_table.machine.threads import Worker, unless_stopped
from uckers_table.table.reminders import Reminders
from uckers_table.web.commands import PARTS

LOG = logging.getLogger(__name__)

MATCH, CAMERA, TOWER = "match", "camera", "tower"
DEVICES = tuple(part for part in PARTS if part not in (MATCH, CAMERA))
"""Those that are opened at the start and looked for beside the loop."""
NOT_TRIED = "It was left out at this start. The page tries it again."
"""Why such a device does not work."""


@dataclass(frozen=True)
class TriedAgain:
    """What came of trying a part again: `why` it has failed once more, empty where it works.

    `picked_up` is the match, where that was the part; None where there is none to go on with any more.
    """

    part: str
    why: str = ""
    picked_up: PickedUp | None = None


def parts_to_count(config: Config) -> tuple[str, ...]:
    """The parts that a table may start without. A simulated table has its devices or is none."""
    match = (MATCH,) if config.resumes else ()
    if config.camera == "simulated":
        return match
    camera = (CAMERA,) if config.camera not in ("none", "folder") else ()
    return (*match, *camera, *(name for name in DEVICES if getattr(config, name) not in ABSENT))


def started_without(part: str) -> Message:
    """What people are told for as long as it is so."""
    words = "the old match" if part == MATCH else f"the {part}"
    kept = " It is kept." if part == MATCH else ""
    return Message(
        "SAFE START",
        f"Started without {words}: {MOST_FAILED} starts failed at it.{kept}",
    )


def broken_off(number: int) -> Message:
    """What people are told until they go on with a match that breaks off, or begin another."""
    return Message(
        "CAN'T GO ON", f"The recording of match {number} breaks off. It can go on from its last ruling."
    )


UNREAD = Message("CAN'T GO ON", "The last match cannot be read now. It is kept.")
"""What people are told until it can be read, or they begin another."""


def between_matches(reminder: Reminder) -> Message:
    """A reminder as the display shows it while no match is on, when the buttons can answer it."""
    if not reminder.offer:
        return reminder.message
    how = "go on" if reminder.offer == MATCH else "try again"
    return Message(reminder.title, f"{reminder.sentence} To {how} press done.")


class LeftOut(Generic[SomeDevice]):
    """A device that is not opened until somebody wants it tried again; then it is tried once."""

    def __init__(self, part: str, open_it: Callable[[], SomeDevice], starts: Starts) -> None:
        self._part, self._open_it, self._starts = part, open_it, starts
        self._lock = Lock()
        self._tell: Callable[[TriedAgain], None] | None = None

    def try_again(self, tell: Callable[[TriedAgain], None]) -> None:
        """Have it opened at the next look for it; `tell` hears what comes of that, in the looking thread."""
        with self._lock:
            self._tell = tell

    def open(self) -> SomeDevice:
        """The device. DeviceError while nobody wants it, and if it cannot be opened."""
        with self._lock:
            tell, self._tell = self._tell, None
        if tell is None:
            raise DeviceError(NOT_TRIED)
        try:
            with self._starts.trying(self._part):
                device = self._open_it()
        except Exception as error:
            # A part that fails again does not end a table that runs.
            tell(failed(self._part, error))
            raise DeviceError(str(error)) from error
        tell(TriedAgain(self._part))
        return device


class SafeStart:
    """What this start does without: people are told for as long as it is so. For the table's loop."""

    def __init__(self, starts: Starts, reminders: Reminders, tell: Callable[[TriedAgain], None]) -> None:
        self._starts, self._reminders, self._tell = starts, reminders, tell
        self._judging: Worker | None = None
        self._is_offered = False
        for part in sorted(starts.left_out):
            reminders.warn(part, [started_without(part)], offer=part)

    def does_without(self, part: str) -> bool:
        """Whether the part was left out, and does not work yet."""
        return part in self._starts.left_out or (part == MATCH and self._is_offered)

    def offer(self, why: Message) -> None:
        """The last match does not go on by itself, and may when it is tried again: people decide."""
        self._is_offered = True
        self._reminders.warn(MATCH, [why], offer=MATCH)

    def judge_again(self, record: Path) -> None:
        """Judge the old match's recording once more, beside the loop: it may take long, or for ever.

        InputError while that is being done.
        """
        if self._judging is not None:
            raise InputError("the old match is being judged; wait for it")
        self._starts.begin(MATCH)

        def judge(stopping: Event) -> None:
            self._tell(_judged(record, unless_stopped(stopping)))

        self._judging = Worker("taking up the match", judge)

    def settle(self, tried: TriedAgain) -> None:
        """A part has been tried again: what failed is said, and what works is left out no more."""
        if tried.part == MATCH:
            self._judging = None
        if not self.does_without(tried.part):
            return
        if not tried.why:
            self.drop(tried.part)
            return
        self._starts.end(tried.part)
        self._reminders.tell(Message("FAILED AGAIN", f"The {tried.part}: {tried.why}"))

    def drop(self, part: str) -> None:
        """A part works again, or is not wanted any more."""
        if self.does_without(part):
            self._is_offered = self._is_offered and part != MATCH
            self._starts.regain(part)
            self._reminders.warn(part, ())

    def close(self) -> None:
        """Judge no match any more."""
        if self._judging is not None:
            self._judging.stop()


def failed(part: str, error: Exception) -> TriedAgain:
    """A part has failed once more, of whatever it was; the log has all of it."""
    LOG.error("the %s failed again", part, exc_info=error)
    return TriedAgain(part, str(error) or type(error).__name__)


def _judged(record: Path, look: Callable[[], None]) -> TriedAgain:
    try:
        try:
            picked_up = pick_up(record, look)
        except BrokenOffError as broken:
            picked_up = go_on_from_record(record, broken)
        return TriedAgain(MATCH, picked_up=picked_up)
    except Exception as error:
        return failed(MATCH, error)
