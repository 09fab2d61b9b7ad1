"""The pictures of a match: evidence of accusations, and the seconds around them to be stepped through.

All is done in a thread of its own: packing a picture takes longer than a ruling may wait for.

The pictures of a ruling are on the card before the record names them. It names all of them in one step. So
whoever is shown a picture finds it again after a power cut. Pictures that were written when the power went,
and not named, are named when the match goes on.
"""

from __future__ import annotations

import os
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np

from uckers_table.devices.base import Frame
from uckers_table.errors import InputError, RecordError
from uckers_table.machine import moment
from uckers_table.machine.files import make_folder, refusals_said, size_of, sync_folder
from uckers_table.record.library import Library
from uckers_table.record.match_record import DISPUTED, EVIDENCE, FRAME, NewPicture, Ruled
from uckers_table.record.mending import SOON_S
from uckers_table.record.picture_names import PictureName, pictures_in
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
CLOSES_WITHIN_S = 4.0
"""An accusation has twenty pictures, and a card takes each within a tenth of a second."""
_JPEG_BEGINS, _JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"

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
class _Packed:
    """A picture to be written: its `file`, relative to the record, and the rest as in `NewPicture`."""

    ruling: int
    what: str
    file: Path
    jpeg: bytes
    t: float


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
        self._after: list[tuple[float, bytes]] = []
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
        self._try(self._name_left_over)
        self._thin()
        is_open = True
        while is_open:
            is_open = self._try(self._do_next)
        self._try(self._keep_after)

    def _try(self, step: Callable[[], bool]) -> bool:
        """Do a step; what it answers, and True where it went wrong: rulings go on being kept."""
        try:
            return step()
        except (RecordError, InputError) as error:
            self.trouble = str(error)
            # On a full disk older pictures make room, if there are any.
            self._thin()
        except (cv2.error, MemoryError) as error:
            self.trouble = f"a picture could not be packed ({error})"
        return True

    def _do_next(self) -> bool:
        """Wait for what is to be done, and do it; False once there is no more. It waits without a frame."""
        try:
            work = self._work.get(timeout=AFTER_S if self._after else None)
        except queue.Empty:
            # The camera gives no frames any more.
            return self._keep_after()
        if isinstance(work, RulingEvidence):
            self._keep(work)
            self.trouble = ""
        elif isinstance(work, _PutBy):
            self._put_by = work.frame.t, packed(work.frame.image, QUALITY)
        elif work is not None:
            self._glance(work)
        return work is not None

    def _glance(self, frame: Frame) -> None:
        scale = min(1.0, AROUND_PX / frame.image.shape[1])
        small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        glimpse = frame.t, packed(np.asarray(small, np.uint8), AROUND_QUALITY)
        self._ring.append(glimpse)
        if self._follows is not None:
            _, until = self._follows
            if frame.t <= until:
                self._after.append(glimpse)
            else:
                self._keep_after()

    def _keep_after(self) -> bool:
        """Keep what came after a ruling, in one step."""
        follows, after = self._follows, tuple(self._after)
        self._follows = None
        self._after.clear()
        if follows is not None and after:
            with closing(MatchStore(self._record)) as store:
                self._write(store, (self._around(follows[0], *glimpse) for glimpse in after))
        return True

    def _keep(self, evidence: RulingEvidence) -> None:
        number, seen = evidence.ruling, evidence.seen
        if evidence.disputed:
            self._keep_after()
        with closing(MatchStore(self._record)) as store:
            self.kept += self._write(store, self._all_of(evidence))
            if not evidence.disputed:
                return
            self._follows = number, seen.t + AFTER_S
            self._thin(store)

    def _all_of(self, evidence: RulingEvidence) -> Iterator[_Packed]:
        """The pictures behind a ruling."""
        number, seen = evidence.ruling, evidence.seen
        # Named by its time, so that the recording's sightings lead to it.
        file = self._folder / RECORDING / FRAMES / f"{seen.t:09.3f}.jpg"
        yield _Packed(number, FRAME, file, packed(seen.image, QUALITY), seen.t)
        if not evidence.disputed:
            return
        for what, t, jpeg in self._pictures(evidence):
            file = PictureName(number, what, kind=evidence.kind).path(self._folder)
            yield _Packed(number, what, file, jpeg, t)
        for t, jpeg in self._ring:
            if seen.t - BEFORE_S <= t < seen.t:
                yield self._around(number, t, jpeg)

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

    def _around(self, ruling: int, t: float, jpeg: bytes) -> _Packed:
        return _Packed(ruling, FRAME, PictureName(ruling, FRAME, t=t).path(self._folder), jpeg, t)

    def _write(self, store: MatchStore, pictures: Iterable[_Packed]) -> list[Path]:
        """Write pictures, and then name them in one step; the files of evidence among them.

        Those that were written before one of them failed are named as well.
        """
        named: list[NewPicture] = []
        try:
            for each in pictures:
                write_picture(self._record / each.file, each.jpeg)
                named.append(NewPicture(each.ruling, each.what, str(each.file), len(each.jpeg), each.t))
        finally:
            self._name(store, named)
        return [self._record / each.file for each in named if each.what in EVIDENCE]

    def _name(self, store: MatchStore, named: Sequence[NewPicture]) -> None:
        """Name pictures, once their names in their folders have reached the card."""
        if not named:
            return
        for folder in {(self._record / each.file).parent for each in named}:
            with refusals_said(folder, "its pictures cannot be kept"):
                sync_folder(folder)
        store.add_pictures(self._number, named)

    def _name_left_over(self) -> bool:
        """Name pictures that were written when the power went, before they were named. Torn ones go."""
        match = self._record / self._folder
        with closing(MatchStore(self._record)) as store, refusals_said(match, "its pictures cannot be read"):
            known, there = store.pictures_of(self._number), list(pictures_in(match))
            files = {name: str(path.relative_to(self._record)) for name, path in there}
            if known.issuperset(files.values()):
                return True
            rulings = Library(self._record).match(self._number).rulings
            whole: list[NewPicture] = []
            for name, path in there:
                if files[name] in known or not _is_behind(name, rulings):
                    continue
                size = size_of(path)
                if _is_whole(path):
                    whole.append(NewPicture(name.ruling, name.what, files[name], size, name.t))
                else:
                    path.unlink()
            self._name(store, whole)
        return True

    def _thin(self, store: MatchStore | None = None) -> None:
        try:
            if store is None:
                with closing(MatchStore(self._record)) as opened:
                    self._thin(opened)
                return
            date = moment.now().date
            thin(store, self._budget, datetime.fromisoformat(date) if date else None)
        except RecordError as error:
            self.trouble = str(error)


def write_picture(path: Path, jpeg: bytes) -> None:
    """Write a picture so that it has reached the card; RecordError when the disk does not take it."""
    try:
        make_folder(path.parent)
        with path.open("wb") as file:
            file.write(jpeg)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise RecordError(f"{path}: cannot be written ({error.strerror})") from None


def _is_behind(name: PictureName, rulings: Sequence[Ruled]) -> bool:
    """Whether a picture is surely behind the ruling of its number, by that one's kind and time."""
    if name.ruling > len(rulings):
        return False
    ruled = rulings[name.ruling - 1]
    if name.t is None:
        return ruled.ruling == name.kind
    is_disputed = ruled.ruling in DISPUTED
    return is_disputed and ruled.t - SOON_S - BEFORE_S <= name.t <= ruled.t + AFTER_S


def _is_whole(path: Path) -> bool:
    """Whether a JPEG has its beginning and its end."""
    jpeg = path.read_bytes()
    return jpeg.startswith(_JPEG_BEGINS) and jpeg.endswith(_JPEG_ENDS)
