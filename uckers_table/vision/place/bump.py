"""Finding a board or a camera that was knocked: by the painted lines, and farther off by the paint.

Lines are exact, but all alike: moved by half a cell or more, each is taken for its neighbour. Paint is
coarse, but no two places have the same: it tells which cell is which, and checks what the lines said.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Floats, Image, Map
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.register import Lines, follow

_MOST_STEPS = 3
"""How often the camera is laid on the lines at most, each time from the last pose."""
_PX_PER_MM = 0.2
"""For comparing paint: eight pixels to a cell."""
_REACH_MM = 80.0
"""How far the board is looked for: two cells."""
_TURNS_DEG = np.arange(-8.0, 8.1, 1.0)
"""Turns that are tried. Half a step moves the board's corners by 4 mm, within the reach of the lines."""
_LIKE = 0.8
"""The least correlation of a picture's paint with the bare board's. With pieces, dice and hands on it, in
four kinds of light, it is 0.90 and more; one cell off it is at most 0.70.
"""
_LIKE_ABOUT = 0.6
"""The same for a pose that is found to half a step only, before the lines refine it."""


@dataclass(frozen=True)
class Followed:
    """`camera`: at the pose from which a picture shows the board. It is the same object if nothing moved, and
    None if no board is found. `sections` (`Lines.sections`): what that camera sees of the lines, or the
    bare board's camera if there is none.
    """

    camera: CameraModel | None
    sections: Floats


class Follower:
    """Knows one table's lines and paint as its camera saw them on the bare board."""

    def __init__(self, bare: Image, camera: CameraModel, plan: Plan) -> None:
        self.lines = Lines.learn(bare, camera, plan)
        self._camera, self._plan = camera, plan
        self._paint = _paint(bare, camera, Canvas(plan.side_mm, _PX_PER_MM, 0.0))

    def follow(self, picture: Image) -> Followed:
        """Where a picture shows the board."""
        found = self._by_lines(picture, self._camera)
        if found.camera is self._camera or self._is_like(picture, found.camera):
            return found
        guess = self._by_paint(picture)
        if guess is not None:
            found = self._by_lines(picture, guess)
            if self._is_like(picture, found.camera):
                return found
        return Followed(None, self.lines.sections(picture, self._camera))

    def _by_lines(self, picture: Image, camera: CameraModel) -> Followed:
        for _ in range(_MOST_STEPS):
            sections = self.lines.sections(picture, camera)
            moved = follow(sections, camera, self.lines)
            if moved is None or moved is camera:
                return Followed(moved, sections)
            camera = moved
        return Followed(camera, self.lines.sections(picture, camera))

    def _by_paint(self, picture: Image) -> CameraModel | None:
        """The camera at about the pose at which the paint fits best; None if it fits nowhere."""
        around = _paint(picture, self._camera, Canvas(self._plan.side_mm, _PX_PER_MM, _REACH_MM))
        size = around.shape[1]
        best, pose = _LIKE_ABOUT, None
        for turn in _TURNS_DEG:
            back = cv2.getRotationMatrix2D(((size - 1) / 2, (size - 1) / 2), float(turn), 1.0)
            turned = cv2.warpAffine(around, back, (size, size), borderMode=cv2.BORDER_REPLICATE)
            fits = cv2.matchTemplate(turned, self._paint, cv2.TM_CCOEFF_NORMED)
            _, score, _, place = cv2.minMaxLoc(fits)
            if score > best:
                best, pose = score, (float(turn), np.array(place) / _PX_PER_MM - _REACH_MM)
        return None if pose is None else _displaced(self._camera, *pose, self._plan)

    def _is_like(self, picture: Image, camera: CameraModel | None) -> bool:
        """Whether the picture, as this camera sees it, shows the bare board's paint."""
        if camera is None:
            return False
        now = _paint(picture, camera, Canvas(self._plan.side_mm, _PX_PER_MM, 0.0))
        return float(cv2.matchTemplate(now, self._paint, cv2.TM_CCOEFF_NORMED)[0, 0]) > _LIKE


def _paint(picture: Image, camera: CameraModel, canvas: Canvas) -> Map:
    """A picture coarsely laid flat, as the logarithms of its channels over their mean (size, size, 3). These
    are hues, which change little with the light.
    """
    logs = np.log(Laying.of(camera, canvas).lay(picture).astype(np.float32) + _DARK)
    return np.asarray(logs - logs.mean(axis=2, keepdims=True), dtype=np.float32)


_DARK = 8.0
"""Grey levels added to all channels: noise has no hue."""


def _displaced(camera: CameraModel, turn_deg: float, by_mm: Floats, plan: Plan) -> CameraModel:
    """The camera for a board that was found `by_mm` from its place. It was found in the picture that `camera`
    laid flat, turned back by `turn_deg` about the board's middle.
    """
    turn = np.radians(turn_deg)
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    middle = np.array([plan.side_mm / 2, plan.side_mm / 2, 0.0])
    now = about @ (np.array([*by_mm, 0.0]) - middle) + middle
    rvec = cv2.Rodrigues(camera.rotation @ about)[0]
    return camera.moved(rvec, np.array(camera.t_mm) + camera.rotation @ now)
