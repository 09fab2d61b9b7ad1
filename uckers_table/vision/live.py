"""A reader for streams: it reads in full what has changed and lies still, and otherwise repeats what it saw.

A board counts as it was read until a thing on it has changed. Light that drifts or is switched is followed.
A camera that trembles moves nothing: each frame is laid on the one that was read. It is read again if it
stays off. What a hand hides is not looked at while the hand moves. One frame in which a thing has moved ends
stillness. It begins at once when a hand has gone, since pieces do not move by themselves. While something
does, such as a die that rolls, it begins with the first frame in which nothing moves. Until then only every
third frame is read. What happens beside the board waits until it lies still. A die counts if nothing has
moved there since the frame before.

A reading costs the same whatever has changed. It falls due once or twice a play, and most of its steps need
the whole board: following it, the light, the shadows and missing pieces.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from threading import Lock
from typing import Protocol

import cv2
import numpy as np

from uckers_table.sighting import SeenDie, Sighting
from uckers_table.vision.again import read_anew
from uckers_table.vision.hands.rim import crossing
from uckers_table.vision.overlay import draw_overlay
from uckers_table.vision.picture.arrays import Flags, Image
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.trembling import Trembling
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Looked, Reader, StrangePaint
from uckers_table.vision.stillness import PX_PER_MM, differs, moved, relit

_PUT_OFF = 2
"""How many frames in a row are not read while the same thing goes on moving."""
_ANOTHER_LIGHT, _STAYS = 0.3, 4
"""The board is read again if its light has changed by this share since the last reading and stays so for this
many frames: it may be too dark, or red. A person's shadow is shorter."""
_STEADY = 0.05
"""The share by which light that stays the same changes from frame to frame at most. On S2 and W701 it
was 0.012 at most without a shadow (`python -m bench.stillness`: light, frame to frame). A lamp that is
switched changes it by `_ANOTHER_LIGHT`."""
_UNSETTLED = 0.4
"""The most confidence in a board on which things move by themselves: nobody is accused by it."""
_EDGE_PX = 3
"""What comes this near to the board's edge lies over it."""
_DIE_MM = 12.0
"""From a die's middle to its corners."""
_ROUND_MM = 70.0
"""How much of the table round the board is shown with it: dice fall there."""


class Eyes(Protocol):
    """Reads frame after frame of one table: a `LiveReader`, or what stands in for one."""

    def see(self, image: Image) -> Sighting:
        """What the newest frame shows."""

    def read_again(self, places: Iterable[str]) -> None:
        """Have places (as in `Alternative.place`) read again, from a still frame without a hand."""

    def marked(self, image: Image) -> Image:
        """The frame with what is seen there drawn on it."""

    @property
    def strange(self) -> StrangePaint | None:
        """The piece in a base whose paint is no seat's, as last read; None without."""


class LiveReader:
    """Reads frame after frame of one table, with what it saw last in mind."""

    def __init__(self, profile: TableProfile) -> None:
        self._reader = Reader(profile)
        self._canvas = Canvas(profile.plan.side_mm, PX_PER_MM)
        self._laying = Laying.of(profile.camera, self._canvas)
        self._camera = profile.camera
        self._bare = self._laying.lay(profile.bare)
        edge = round(self._canvas.margin_mm * PX_PER_MM)
        self._on_board = slice(edge, -edge), slice(edge, -edge)
        self._nothing = np.zeros(self._bare.shape[:2], dtype=bool)
        self._edge = self._nothing.copy()
        self._edge[edge - _EDGE_PX : _EDGE_PX - edge, edge - _EDGE_PX : _EDGE_PX - edge] = True
        self._edge[edge + _EDGE_PX : -edge - _EDGE_PX, edge + _EDGE_PX : -edge - _EDGE_PX] = False
        self._image: Image | None = None
        self._last = self._as_read = self._as_lit = self._bare
        self._trembling = Trembling(self._bare)
        self._moving = self._nothing
        self._sighting: Sighting | None = None
        self._looked: Looked | None = None
        self._strange: StrangePaint | None = None
        self._put_off = self._steady = 0
        self._readings = 0
        self._is_read = False
        self._wanted, self._answered, self._lock = set[str](), set[str](), Lock()

    def see(self, image: Image) -> Sighting:
        """What the newest frame (BGR) shows. Raises ProfileError if its size is not the profile's."""
        self._reader.profile.check_size(image)
        is_new = image is not self._image
        small = self._laid(image) if is_new else self._last
        if self._sighting is None:
            return self._read(image, small, self._nothing)
        shaken_px = self._trembling.shaken_px
        moving = moved(small, self._last, shaken_px)
        goes_on = bool((moving & self._moving)[self._on_board].any())
        before = self._last
        self._image, self._last, self._moving = image, small, moving
        self._is_read = self._is_read and not is_new
        if not differs(small, self._as_read):
            return self._unchanged(image, small)
        if crossing(small, self._bare, self._canvas) is not None:
            self._moving = self._nothing
            return self._hand() if moving.any() else self._read(image, small, moving)
        if moving.any() and self._is_still_over_edge(small):
            return self._hand()
        things = moved(small, self._as_read, shaken_px)
        if not things.any() and not self._sighting.hand:
            return self._relit(image, small, before)
        if self._sighting.hand:
            return self._read(image, small, moving)
        if moving.any() and not things[self._on_board].any():
            return self._settled(self._sighting)
        if goes_on and self._put_off < _PUT_OFF:
            self._put_off += 1
            unsure = replace(self._sighting, confidence=min(self._sighting.confidence, _UNSETTLED))
            return self._settled(unsure)
        return self._read(image, small, moving)

    def read_again(self, places: Iterable[str]) -> None:
        """Have places (as in `Alternative.place`) read again; any thread may ask.

        The next frame that is still, shows no hand and was not read before is read in full, once. What it
        says of these places counts; all else stays as it was (see `vision.again`). Whoever asks before that
        is answered by the same reading. A reading that falls due anyhow is an answer too.
        """
        with self._lock:
            self._wanted |= set(places)

    def marked(self, image: Image) -> Image:
        """The board in the newest frame with what is seen drawn on it. Any thread may call this."""
        looked, sighting, profile = self._looked, self._sighting, self._reader.profile
        window = board_window(profile, _ROUND_MM)
        if looked is not None and sighting is not None:
            return draw_overlay(image, profile, sighting, looked, window)
        return image[window]

    @property
    def strange(self) -> StrangePaint | None:
        """The piece in a base whose paint is no seat's, as last read; None without. Any thread may ask."""
        return self._strange

    def _is_still_over_edge(self, small: Image) -> bool:
        """Whether something still lies where a hand came in over the board's edge when it was read."""
        hand = None if self._looked is None else self._looked.hand
        if hand is None:
            return False
        here = cv2.resize(hand.astype(np.uint8), self._edge.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
        return bool((moved(small, self._bare) & here & self._edge).any())

    def _laid(self, image: Image) -> Image:
        """The frame, small and flat, as a camera that does not tremble would show it."""
        small = self._laying.lay(image)
        if self._trembling.on is not self._as_lit:
            self._trembling = Trembling(self._as_lit)
        return self._trembling.stilled(small, is_other=differs(small, self._as_read))

    def _unchanged(self, image: Image, small: Image, *, is_steady: bool = True) -> Sighting:
        """The board as it was read; read again if it does not lie where it did, or if somebody asked."""
        assert self._sighting is not None
        if self._moving.any():
            return self._settled(self._sighting)
        if self._trembling.is_bumped:
            return self._read(image, small, self._nothing)
        if self._wanted and is_steady and not self._is_read and not _is_blind(self._sighting):
            return self._read_places(image, small)
        return self._sighting

    def _read_places(self, image: Image, small: Image) -> Sighting:
        """The board as it was read, with the places that somebody asked for as they are read now."""
        before = self._sighting
        assert before is not None
        new = self._read(image, small, self._nothing)
        if not _is_blind(new):
            new = self._sighting = read_anew(before, new, self._answered, self._reader.plan)
        return new

    def _relit(self, image: Image, small: Image, before: Image) -> Sighting:
        """The board as it was read, though its light has changed; read again if the light stays changed.

        `before`: the small flat picture of the frame before.
        """
        assert self._sighting is not None
        is_steady = relit(small, before) < _STEADY
        if relit(small, self._as_lit) < _ANOTHER_LIGHT:
            self._steady = 0
            if is_steady:
                self._as_read = small
            return self._unchanged(image, small, is_steady=is_steady)
        self._steady = self._steady + 1 if is_steady else 0
        if self._steady < _STAYS:
            return self._settled(self._sighting)
        return self._read(image, small, self._nothing)

    def _read(self, image: Image, small: Image, moving: Flags) -> Sighting:
        with self._lock:
            self._answered, self._wanted = self._wanted, set()
        looked = self._reader.look(image)
        self._readings += 1
        self._sighting = replace(self._reader.sighting(looked), reading=self._readings)
        self._strange = self._reader.strange_piece(looked, self._sighting)
        self._looked, self._is_read = looked.found, True
        if _is_blind(self._sighting):
            self.read_again(self._answered)
        if looked.camera is not None and looked.camera is not self._camera:
            self._camera = looked.camera
            self._laying = Laying.of(looked.camera, self._canvas)
        # As it is, where it may have been laid back on what was read before.
        small = self._laying.lay(image)
        self._image, self._moving = image, moving
        self._put_off = self._steady = 0
        self._last = self._as_read = self._as_lit = small
        return self._settled(self._sighting)

    def _hand(self) -> Sighting:
        """A hand that moves. Nothing else is looked at meanwhile."""
        nothing: dict[str, tuple[int, ...]] = dict.fromkeys(self._reader.profile.seats, ())
        return Sighting(nothing, hand=True, reading=self._readings)

    def _settled(self, sighting: Sighting) -> Sighting:
        """A sighting without the dice where something has moved since the frame before."""
        if not self._moving.any():
            return sighting
        return replace(sighting, dice=tuple(die for die in sighting.dice if not self._moves(die)))

    def _moves(self, die: SeenDie) -> bool:
        near = [[die.x_mm - _DIE_MM, die.y_mm - _DIE_MM], [die.x_mm + _DIE_MM, die.y_mm + _DIE_MM]]
        (left, top), (right, bottom) = np.rint(self._canvas.px(near)).astype(int).clip(0)
        return bool(self._moving[top : bottom + 1, left : right + 1].any())


def _is_blind(sighting: Sighting) -> bool:
    """Whether a sighting tells nothing of places: a hand is there, or nothing can be read."""
    return sighting.hand or bool(set(sighting.trouble) - {"board_moved"})


def board_window(profile: TableProfile, margin_mm: float = 0.0) -> tuple[slice, slice]:
    """The rows and columns of a frame that the board fills, with a margin round it."""
    low, high = -margin_mm, profile.plan.side_mm + margin_mm
    corners = profile.camera.project([(low, low), (high, low), (high, high), (low, high)])
    limits = np.array([profile.camera.width, profile.camera.height])
    left, top = np.clip(corners.min(axis=0), 0, limits).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)), 0, limits).astype(int)
    return slice(top, bottom), slice(left, right)
