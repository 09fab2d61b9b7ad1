"""A reader for streams: cheap while nothing changes or an arm comes in, and otherwise a cold read."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.sighting import Sighting
from uckers_table.vision.camera import Image
from uckers_table.vision.channels import halved
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

SMALL_PX_MM = 0.45
"""The scale, more or less, at which frames are compared with each other: a piece is nine pixels across."""
CHANGED = 14
"""Grey levels, after the averaging of the small picture, that are more than noise and flicker."""
SPECK_PX = 4
"""Fewer changed pixels than this are noise; the smallest change of a piece is some forty."""
ARM_MM2 = 1500.0
"""A change of this size that comes in over the board's edge is no piece: a stack and its shadow are less."""
EVERYTHING = 0.5
"""A change of more than this share of the board is the light, or the camera, and has to be read."""

Grey = npt.NDArray[np.uint8]


class LiveReader:
    """Reads frame after frame of one table, with what it saw last in mind."""

    def __init__(self, profile: TableProfile) -> None:
        self._reader = Reader(profile)
        self._crop = board_window(profile)
        scale = (self._crop[1].stop - self._crop[1].start) / profile.plan.side_mm
        self._halvings = max(0, round(np.log2(scale / SMALL_PX_MM)))
        self._px_per_mm = scale / 2**self._halvings
        self._image: Image | None = None
        self._small: Grey | None = None
        self._clear: Grey | None = None
        self._sighting: Sighting | None = None
        self._is_guess = False

    def see(self, image: Image) -> Sighting:
        """What the newest frame (BGR, of the profile's size) shows; ProfileError for one of another size."""
        if image is self._image and self._sighting is not None and not self._is_guess:
            return self._sighting
        self._reader.profile.check_size(image)
        small = self._shrunk(image)
        moved = self._small is None or bool(_changed(small, self._small).any())
        self._image, self._small = image, small
        # A hand may have gone by a way that is not looked at here: only a clear board is taken as read.
        is_clear = self._sighting is not None and not self._sighting.hand
        if self._sighting is not None and is_clear and not moved:
            return self._sighting
        self._is_guess = moved and self._arm_came_in(small)
        if self._is_guess:
            self._sighting = Sighting(dict.fromkeys(self._reader.profile.seats, ()), hand=True)
        else:
            self._sighting = self._reader.read(image)
            if not self._sighting.hand and not self._sighting.trouble:
                self._clear = small
        return self._sighting

    def _shrunk(self, image: Image) -> Grey:
        part = halved(image[self._crop], self._halvings)
        return np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), dtype=np.uint8)

    def _arm_came_in(self, small: Grey) -> bool:
        """Whether, since the board was last seen clear, something too large for pieces came in over its edge.

        Only ever true of a frame that differs from the one before: what stays is read in full.
        """
        if self._clear is None:
            return False
        changed = _changed(small, self._clear)
        if np.count_nonzero(changed) > EVERYTHING * changed.size:
            return False
        _, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
        areas_mm2 = stats[edge[edge > 0], cv2.CC_STAT_AREA] / self._px_per_mm**2
        return bool((areas_mm2 > ARM_MM2).any())


def board_window(profile: TableProfile, margin_mm: float = 0.0) -> tuple[slice, slice]:
    """The rows and columns of a frame that the board fills, with a margin round it."""
    low, high = -margin_mm, profile.plan.side_mm + margin_mm
    corners = profile.camera.project([(low, low), (high, low), (high, high), (low, high)])
    limits = np.array([profile.camera.width, profile.camera.height])
    left, top = np.clip(corners.min(axis=0), 0, limits).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)), 0, limits).astype(int)
    return slice(top, bottom), slice(left, right)


def _changed(one: Grey, other: Grey) -> Grey:
    """Where two small pictures differ by more than noise: 1 there, 0 elsewhere, lone specks left out."""
    differs = (cv2.absdiff(one, other) > CHANGED).astype(np.uint8)
    if np.count_nonzero(differs) < SPECK_PX:
        differs[:] = 0
    return np.asarray(differs, dtype=np.uint8)
