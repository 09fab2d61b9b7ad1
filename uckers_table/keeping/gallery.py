"""The pictures of a match: evidence of accusations, and the seconds around them to be stepped through.

All is done in a thread of its own: packing a picture takes longer than a ruling may wait for.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np

from uckers_table.devices.base import Frame
from uckers_table.errors import RecordError
from uckers_table.machine import moment
from uckers_table.record.match_record import FRAME
from uckers_table.record.picture_names import PictureName
from uckers_table.record.recording import FRAMES, RECORDING
from uckers_table.record.store import MatchStore, match_folder
from uckers_table.record.thinning import Budget, thin
from uckers_table.vision.evidence import mark_moves
from uckers_table.vision.picture.files import packed
from uckers_table.vision.profile import TableProfile

AROUND_EVERY_S = 0.5
BEFORE_S, AFTER_S = 10.0, 3.0
"""The pictures around a ruling: how often, and from how long before it until how long after."""
AROUND_PX = 640
"""Their width; they are to show whose hand moved what, not to be measured in."""
AROUND_QUALITY, QUALITY = 70, 92
WAITING = 6
"""Rulings with pictures that may wait to be written; a whole one holds two frames of the camera in memory."""
GLANCES_WAITING = 1
"""Frames that may wait to be made small: each is nine megabytes."""
CLOSES_WITHIN_S = 20.0

PieceMoves = Sequence[tuple[int, int, int]]
"""Of pieces: seat, steps before, steps after."""


@dataclass(frozen=True)
class RulingEvidence:
    """What is to be kept of a ruling; where it is `disputed`, the board before and the moves as well.

    The board before is what `agreed`; left out, it is what was put by last.
    """

    ruling: int
    kind: str
    seen: Frame
    disputed: bool = False
    agreed: Frame | None = None
    moves: PieceMoves = ()
    profile: TableProfile | None = None


@dataclass(frozen=True)
class _PutBy:
    """The last frame that agreed with the record, before others came that do not."""

    frame: Frame


class Gallery:
    """Keeps the pictures of one match. Who hands them in never waits for the card.

    `kept` are the evidence's files so far, `trouble` in one line why the last that was to be kept was not.
    """

    def __init__(self, record: Path, number: int, budget: Budget) -> None:
        self._record, self._number, self._budget = record, number, budget
        self._folder = match_folder(Path(), number)
        self.kept: list[Path] = []
        self.trouble = ""
        self._work = queue.Queue[Frame | _PutBy | RulingEvidence | None](WAITING)
        self._glanced_t = -AROUND_EVERY_S
        # Of the thread alone:
        self._ring = deque[tuple[float, bytes]](maxlen=int(BEFORE_S / AROUND_EVERY_S) + 1)
        self._follows: tuple[int, float] | None = None
        self._put_by: tuple[float, bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)
        self._thread.start()

    def glance(self, frame: Frame) -> None:
        """A frame of the camera went by; of these some are at hand when a ruling needs them."""
        if frame.t >= self._glanced_t + AROUND_EVERY_S and self._work.qsize() < GLANCES_WAITING:
            self._glanced_t = frame.t
            self._put(frame)

    def put_by(self, frame: Frame) -> bool:
        """Have a frame at hand that agreed with the record, packed, while others come that do not.

        It is the board before of the next accusation. False if it was not taken.
        """
        return self._put(_PutBy(frame))

    def keep(self, evidence: RulingEvidence) -> None:
        """Keep the pictures behind a ruling, in due course."""
        if not self._put(evidence):
            self.trouble = "rulings came faster than the card takes their pictures"

    def _put(self, work: Frame | _PutBy | RulingEvidence) -> bool:
        try:
            self._work.put_nowait(work)
            return True
        except queue.Full:
            return False

    def close(self) -> None:
        """Write what waits; safe to call twice."""
        if self._thread.is_alive():
            self._work.put(None)
            self._thread.join(CLOSES_WITHIN_S)

    # ------------------------------------------------------------------ in the thread

    def _run(self) -> None:
        self._thin()
        while (work := self._work.get()) is not None:
            try:
                if isinstance(work, RulingEvidence):
                    self._keep(work)
                    self.trouble = ""
                elif isinstance(work, _PutBy):
                    self._put_by = work.frame.t, packed(work.frame.image, QUALITY)
                else:
                    self._glance(work)
            except RecordError as error:
                self.trouble = str(error)
                # On a full disk older pictures make room, if there are any.
                self._thin()
            # The names are for the record alone: whatever goes wrong with pictures, rulings go on being kept.
            except (cv2.error, MemoryError) as error:
                self.trouble = f"a picture could not be packed ({error})"
            # Until there is more to do, its frames are not held on to.
            del work

    def _glance(self, frame: Frame) -> None:
        scale = min(1.0, AROUND_PX / frame.image.shape[1])
        small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        glimpse = frame.t, packed(np.asarray(small, np.uint8), AROUND_QUALITY)
        self._ring.append(glimpse)
        if self._follows is not None:
            ruling, until = self._follows
            if frame.t <= until:
                with closing(self._store()) as store:
                    self._write_around(store, ruling, *glimpse)
            else:
                self._follows = None

    def _keep(self, evidence: RulingEvidence) -> None:
        number, seen = evidence.ruling, evidence.seen
        with closing(self._store()) as store:
            # Named by its time, so that the recording's sightings lead to it.
            file = self._folder / RECORDING / FRAMES / f"{seen.t:09.3f}.jpg"
            self._write(store, number, FRAME, file, packed(seen.image, QUALITY), seen.t)
            if not evidence.disputed:
                return
            for what, t, jpeg in self._pictures(evidence):
                file = PictureName(number, what, kind=evidence.kind).path(self._folder)
                self._write(store, number, what, file, jpeg, t)
                self.kept.append(self._record / file)
            for t, jpeg in self._ring:
                if seen.t - BEFORE_S <= t < seen.t:
                    self._write_around(store, number, t, jpeg)
            self._follows = number, seen.t + AFTER_S
            self._thin(store)

    def _pictures(self, evidence: RulingEvidence) -> Iterator[tuple[str, float, bytes]]:
        """The board that was ruled on, the difference, and the last one that was right, with their times."""
        seen, agreed = evidence.seen, evidence.agreed
        yield "after", seen.t, packed(seen.image, QUALITY)
        if evidence.profile is not None:
            marked = mark_moves(seen.image, evidence.profile, evidence.moves)
            yield "marked", seen.t, packed(marked, QUALITY)
        if agreed is not None:
            yield "before", agreed.t, packed(agreed.image, QUALITY)
        elif self._put_by is not None:
            yield "before", *self._put_by

    def _write_around(self, store: MatchStore, ruling: int, t: float, jpeg: bytes) -> None:
        file = PictureName(ruling, FRAME, t=t).path(self._folder)
        self._write(store, ruling, FRAME, file, jpeg, t)

    def _write(self, store: MatchStore, ruling: int, what: str, file: Path, jpeg: bytes, t: float) -> None:
        write_picture(self._record / file, jpeg)
        store.add_picture(self._number, ruling, what, str(file), len(jpeg), t)

    def _store(self) -> MatchStore:
        # Names that are lost with the power lead to pictures that nobody will look for: no ruling waits here.
        return MatchStore(self._record, is_synced=False)

    def _thin(self, store: MatchStore | None = None) -> None:
        try:
            if store is None:
                with closing(self._store()) as opened:
                    self._thin(opened)
                return
            date = moment.now().date
            thin(store, self._budget, datetime.fromisoformat(date) if date else None)
        except RecordError as error:
            self.trouble = str(error)


def write_picture(path: Path, jpeg: bytes) -> None:
    """Write a picture so that it has reached the card; RecordError when the disk does not take it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(jpeg)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise RecordError(f"{path}: cannot be written ({error.strerror})") from None
