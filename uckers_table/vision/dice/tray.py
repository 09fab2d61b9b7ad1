"""Reads the dice in the dice tower's open tray. A small camera looks straight down, at a known scale.

The floor is one matt mid-grey, lit by its own lamp. Whatever differs from it is a die or does not belong
there. A die that is read with any doubt has no value. Not yet tried on hardware.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.errors import CalibrationError
from uckers_table.vision.dice.photo_dice import PhotoDie, read_dice
from uckers_table.vision.picture.arrays import Image, Mask

TRAY_MM, DIE_MM, LENS_MM = 110.0, 16.0, 220.0
"""The tray's side, a die's edge and the lens's height above the floor, in mm."""
_SMALL_PX = 160
"""The sides (pixels) of the small picture of the tray on which motion and floor are judged."""
_MOVES = 14.0
"""Grey levels of change that are no noise of a small camera under steady light."""
_MOST_MOVING = 0.002
"""The share of the tray that may change while it counts as still. Two dice are 0.04 of it."""
_FLOOR_GREY = (40.0, 215.0)
"""The grey levels between which the floor lies in a picture that can be trusted. There it is neither dark nor
burnt out.
"""
_OFF_FLOOR = 28.0
"""Grey levels, in any channel, by which a thing differs from the floor's median."""
_BIG, _ALIKE = 1.08, 1.05
"""A die lies on another if its face looks `_BIG` times as large as usual. Really it looks 1.085 times as
large. Round edges make a face read larger or smaller by up to a tenth. So it is compared with dice of earlier
throws, once two were alike: within `_ALIKE` times.
"""
_LEARNS = 0.2
"""How much one throw changes the usual size of dice, as a share."""
_OVERLAP = 1.7
"""A thing with more than this many times the area of the dice read in it has another die
under or over them.
"""
_SLIVER = 0.3
"""A narrower thing, in parts of a die's edge, is the foot of a wall."""
_LEAST_THING = 0.25
"""A smaller thing, in parts of a face's area, is dirt, a shadow's edge or a pip."""
_REACHES_IN = 2.5
"""A larger thing that touches the tray's edge, in face areas, is a hand or a sleeve."""


@dataclass(frozen=True)
class TraySight:
    """What a picture of the tray shows.

    `dice`: a value for each die, 0 for one without a value. None while things move, and if the picture cannot
    be read.
    `doubt`: why a die has no value: "tilted", "stacked" or "unsure".
    `hand`: something reaches in.
    `blind`: the picture is too dark or too bright to believe anything.
    """

    dice: tuple[int, ...] | None
    doubt: str = "unsure"
    hand: bool = False
    blind: bool = False


class TrayReader:
    """Reads one picture after the other. The tray lies in the middle of each, with its floor at `px_mm`
    pixels a millimetre.
    """

    def __init__(self, px_mm: float) -> None:
        self._px_mm = px_mm
        self._before: Mask | None = None
        self._still: TraySight | None = None
        self._usual_px: float | None = None

    def see(self, picture: Image) -> TraySight:
        """What a BGR picture shows. A still tray is read once, not in every picture."""
        tray = self._cut(picture)
        shrunk = cv2.resize(tray, (_SMALL_PX, _SMALL_PX), interpolation=cv2.INTER_AREA)
        small = np.asarray(shrunk, dtype=np.uint8)
        before, self._before = self._before, small
        floor = np.median(small.reshape(-1, 3), axis=0)
        if not _FLOOR_GREY[0] < floor.mean() < _FLOOR_GREY[1]:
            self._still = None
            return TraySight(None, blind=True)
        if before is None or _changed(before, small) > _MOST_MOVING:
            self._still = None
            return TraySight(None, hand=self._reaches_in(small, floor))
        if self._still is None:
            self._still = self._read(tray, floor, small)
        return self._still

    def _cut(self, picture: Image) -> Image:
        """The tray's square, as far as the picture holds it."""
        side = round(TRAY_MM * self._px_mm)
        height, width = picture.shape[:2]
        top, left = max(0, (height - side) // 2), max(0, (width - side) // 2)
        return np.ascontiguousarray(picture[top : top + side, left : left + side])

    def _reaches_in(self, small: Image, floor: npt.NDArray[np.float64]) -> bool:
        face = (DIE_MM / TRAY_MM * _SMALL_PX) ** 2
        return any(area > _REACHES_IN * face and at_edge for area, at_edge, _ in _things(small, floor))

    def _read(self, tray: Image, floor: npt.NDArray[np.float64], small: Image) -> TraySight:
        if self._reaches_in(small, floor):
            return TraySight(None, hand=True)
        edge_px = DIE_MM * self._px_mm * LENS_MM / (LENS_MM - DIE_MM)
        dice = read_dice(tray, edge_px)
        scale = tray.shape[0] / _SMALL_PX
        face = (edge_px / scale) ** 2
        most_px = _BIG * (self._usual_px if self._usual_px is not None else edge_px)
        big = {die for die in dice if die.size_px > most_px}
        unread = 0
        for area, _, mask in _things(small, floor):
            held = [die for die in dice if _holds(mask, die, scale)]
            if not held:
                unread += area > _LEAST_THING * face
            elif area > _OVERLAP * face * len(held):
                big.update(held)
        values = tuple(0 if die.value is None or die in big else die.value for die in dice) + (0,) * unread
        self._learn([die.size_px for die in dice], values)
        leans = any(die.state == "cocked" for die in dice)
        return TraySight(values, doubt="stacked" if big else "tilted" if leans else "unsure")

    def _learn(self, sizes_px: list[float], values: tuple[int, ...]) -> None:
        """Learns how large dice on the floor look, from two that were read without doubt and are alike."""
        if len(sizes_px) != 2 or 0 in values or max(sizes_px) > _ALIKE * min(sizes_px):
            return
        size_px = sum(sizes_px) / 2
        before = self._usual_px if self._usual_px is not None else size_px
        self._usual_px = before + _LEARNS * (size_px - before)


def tray_scale(picture: Image, die_mm: float = DIE_MM) -> float:
    """How many pixels of a BGR picture of the tray are a millimetre of its floor, by two dice that lie on it.

    Their edge is `die_mm`; their tops are nearer to the lens than the floor by as much. Round edges make it
    wrong by up to a tenth, and dice are read by the same edges. CalibrationError without two that look alike.
    """
    dice = [die for die in read_dice(picture) if die.value is not None and die.state == "flat"]
    sizes_px = [die.size_px for die in dice]
    if len(dice) != 2 or max(sizes_px) > _ALIKE * min(sizes_px):
        raise CalibrationError(
            f"{len(dice)} dice can be read in the tray: lay two of one size flat on its floor, apart"
        )
    return sum(sizes_px) / 2 / die_mm * (LENS_MM - die_mm) / LENS_MM


def _changed(before: Image, now: Image) -> float:
    """The share of the tray that differs from the picture before."""
    return float((cv2.absdiff(before, now).max(axis=2) > _MOVES).mean())


def _things(small: Image, floor: npt.NDArray[np.float64]) -> list[tuple[int, bool, Mask]]:
    """The things that are not floor: the area (pixels), whether it touches the tray's edge, and its mask."""
    off = np.abs(small.astype(np.float32) - floor.astype(np.float32)).max(axis=2) > _OFF_FLOOR
    mask = cv2.morphologyEx(off.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    narrow = _SLIVER * DIE_MM / TRAY_MM * _SMALL_PX
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    out = []
    for k in range(1, count):
        x, y, width, height, area = (int(value) for value in stats[k])
        if min(width, height) < narrow:
            continue
        at_edge = x == 0 or y == 0 or x + width == small.shape[1] or y + height == small.shape[0]
        out.append((area, at_edge, np.asarray(labels == k, dtype=np.uint8)))
    return out


def _holds(mask: Mask, die: PhotoDie, scale: float) -> bool:
    """Whether a thing holds the die: some of the die's face is part of it."""
    x, y, reach = die.x_px / scale, die.y_px / scale, max(1, round(0.3 * die.size_px / scale))
    top, left = max(0, round(y) - reach), max(0, round(x) - reach)
    return bool(mask[top : round(y) + reach + 1, left : round(x) + reach + 1].any())
