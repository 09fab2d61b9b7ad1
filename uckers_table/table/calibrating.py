"""Calibration from the page: two pictures are taken, corners perhaps set by hand, the outcome accepted.

It takes seconds to work out: that is done in a thread of its own, for which neither the table nor the camera
waits, and which tells how far it has got.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from threading import Event

from uckers_table.devices.base import BgrImage
from uckers_table.errors import CalibrationError, InputError, StrangePieceError, UnknownTurnError
from uckers_table.machine.progress import Progress
from uckers_table.machine.threads import Worker, unless_stopped
from uckers_table.vision.calibrate import calibrate, corners_in_picture, find_board
from uckers_table.vision.place.lens import lens_of
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.quality import assess
from uckers_table.vision.reader import Reader
from uckers_table.web.commands import PicturePoint
from uckers_table.web.feed import CalibrationProgress

EMPTY, START = "empty", "start"
FIND_BOARD = Progress("Finding the board", 1, 1)
FIND_ALL, READ_BACK = (
    Progress("Finding the board and its pieces", 1, 2),
    Progress("Reading the pieces back", 2, 2),
)
ON_THE_PAGE = {
    "or leave --top-left out": "or take both pictures again",
    "--corners": "the corners",
    "--seats": "the seats",
    "--top-left": "the top left colour",
    "--strange": "colour",
}
"""What a message calls the options of the command line, in words for whoever has no command line."""
_GLANCE_S = 0.2


@dataclass(frozen=True)
class ShownPicture:
    """A picture that the table was shown to the camera for, or in `trouble` why there is none.

    `settings` are what the camera was locked at when it took it, `model` its sensor, if it names that.
    """

    what: str
    image: BgrImage | None = None
    settings: Mapping[str, float] = field(default_factory=dict)
    model: str = ""
    trouble: str = ""


@dataclass(frozen=True)
class _Corners:
    """The board's corners are here; None for where they are found."""

    corners: tuple[PicturePoint, ...] | None


@dataclass(frozen=True)
class _Seats:
    """The board's colours are these, clockwise."""

    seats: tuple[str, ...]


@dataclass(frozen=True)
class _TopLeft:
    """The base of this colour is at the picture's top left; None for what the pictures tell."""

    colour: str | None


@dataclass(frozen=True)
class _CountAs:
    """The strange piece that was asked about counts as one of this colour."""

    colour: str


_Asked = ShownPicture | _Corners | _Seats | _TopLeft | _CountAs


class Calibrating:
    """Works in its own thread, and `tell`s from there of each step. `seats` are the board's, clockwise."""

    def __init__(self, seats: Sequence[str], tell: Callable[[CalibrationProgress], None]) -> None:
        self._seats, self._tell = tuple(seats), tell
        self._asked = SimpleQueue[_Asked]()
        self._pictures: dict[str, ShownPicture] = {}
        self._corners: tuple[PicturePoint, ...] | None = None
        self._top_left: str | None = None
        self._strange: tuple[str, ...] = ()
        self._strange_in = ""
        self._learned: TableProfile | None = None
        self._worker = Worker("calibrating", self._run)

    def show(self, shown: ShownPicture) -> None:
        """A picture was taken, or not; from any thread."""
        self._learned = None
        self._asked.put(shown)

    def set_corners(self, corners: tuple[PicturePoint, ...] | None) -> None:
        """Somebody has put the corners of the board where they are, or has them looked for again."""
        self._learned = None
        self._asked.put(_Corners(corners))

    def set_seats(self, seats: tuple[str, ...]) -> None:
        """Somebody has said which colours the board has, clockwise; what it was shown stays."""
        self._learned = None
        self._asked.put(_Seats(seats))

    def set_top_left(self, colour: str) -> None:
        """Somebody has said whose base is at the picture's top left; from any thread."""
        self._learned = None
        self._asked.put(_TopLeft(colour))

    def count_as(self, colour: str) -> None:
        """Somebody has said what colour the strange piece counts as; from any thread."""
        self._learned = None
        self._asked.put(_CountAs(colour))

    def accepted(self) -> TableProfile:
        """The table as it was learned. InputError while there is nothing to be accepted."""
        if self._learned is None:
            raise InputError(
                "there is nothing to be accepted yet: take both pictures, and mend what is wrong"
            )
        return self._learned

    def close(self) -> None:
        """Stop the thread; safe to call twice."""
        self._worker.stop()

    def _run(self, stopping: Event) -> None:
        while not stopping.is_set():
            try:
                asked = self._asked.get(timeout=_GLANCE_S)
            except Empty:
                continue
            try:
                self._deal_with(asked)
            # Whatever goes wrong in a picture, people are told, and may take another.
            except Exception as error:
                logging.getLogger(__name__).exception("a calibration failed")
                self._tell(replace(self._so_far(), trouble=f"That picture cannot be used ({error})."))

    def _deal_with(self, asked: _Asked) -> None:
        if isinstance(asked, _Seats):
            self._seats, self._top_left, self._strange = asked.seats, None, ()
        elif isinstance(asked, _CountAs) and asked.colour == self._strange_in:
            self._strange = (*self._strange, asked.colour)
        elif isinstance(asked, _CountAs):
            self._tell(replace(self._so_far(), trouble=put_in_its_own(asked.colour, self._strange_in)))
            return
        elif isinstance(asked, _TopLeft):
            self._top_left = asked.colour
        elif isinstance(asked, _Corners):
            self._corners = asked.corners
        elif asked.trouble:
            self._tell(replace(self._so_far(), trouble=asked.trouble))
            return
        else:
            self._keep(asked)
        if EMPTY not in self._pictures or not self._asked.empty():
            # Without the bare board nothing is found; and what has been asked since is worked out instead.
            self._tell(self._so_far())
            return
        try:
            self._tell(self._worked_out())
        except UnknownTurnError as error:
            self._tell(replace(self._so_far(), may_be_top_left=self._seats, trouble=_for_the_page(error)))
        except StrangePieceError as error:
            self._strange_in = error.seat
            trouble = f"One piece in {error.seat}’s base is {error.paint}."
            self._tell(replace(self._so_far(), trouble=trouble, may_count_as=self._seats))
        except CalibrationError as error:
            self._tell(replace(self._so_far(), trouble=_for_the_page(error)))

    def _keep(self, shown: ShownPicture) -> None:
        if shown.what == EMPTY and EMPTY in self._pictures:
            # The camera was focused anew: the other picture shows the table otherwise.
            self._pictures.clear()
        if shown.what == EMPTY:
            self._corners = self._top_left = None
        self._strange, self._strange_in = (), ""
        self._pictures[shown.what] = shown

    def _at(self, progress: Progress) -> None:
        unless_stopped(self._worker.stopping)()
        self._tell(replace(self._so_far(), quality=(f"{progress.in_words} …",)))

    def _so_far(self) -> CalibrationProgress:
        size = next(
            ((p.image.shape[1], p.image.shape[0]) for p in self._pictures.values() if p.image is not None),
            (0, 0),
        )
        taken = tuple(what for what in (EMPTY, START) if what in self._pictures)
        # Whoever has answered may have erred: the question stays.
        asked_about = self._seats if self._top_left is not None else ()
        return CalibrationProgress(size, taken, self._corners or (), may_be_top_left=asked_about)

    def _worked_out(self) -> CalibrationProgress:
        """What the pictures show. CalibrationError where they do not show what is needed."""
        empty, start = self._pictures[EMPTY], self._pictures.get(START)
        assert empty.image is not None
        if start is None or start.image is None:
            self._at(FIND_BOARD)
            camera = find_board(empty.image, self._seats, self._corners)
            found = self._corners or corners_in_picture(camera, self._seats)
            return replace(self._so_far(), corners=found, quality=("The board is found.",))
        self._at(FIND_ALL)
        profile = replace(
            calibrate(
                empty.image,
                start.image,
                self._seats,
                self._top_left,
                self._corners,
                lens=lens_of(empty.model, empty.image.shape[1], empty.image.shape[0]),
                strange=self._strange,
            ),
            settings=empty.settings,
        )
        self._at(READ_BACK)
        quality = assess(profile, start.image, Reader(profile).read(start.image))
        if self._asked.empty():
            self._learned = profile
        return replace(
            self._so_far(),
            corners=self._corners or corners_in_picture(profile.camera, self._seats),
            quality=tuple(quality.report().splitlines()),
            is_acceptable=self._learned is not None,
        )


def put_in_its_own(colour: str, base: str) -> str:
    """What is said of a piece that counts as one of a `colour` and stands in another's base."""
    return f"It stands in {base}’s base. Put it in {colour}’s, and take that picture again."


def _for_the_page(error: CalibrationError) -> str:
    text = error.reworded(ON_THE_PAGE)
    return f"{text[:1].upper()}{text[1:]}."
