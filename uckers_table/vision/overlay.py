"""Drawing what was read onto the picture it was read from: for people, at a glance."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np

from uckers_table.game.board import BASE
from uckers_table.sighting import Sighting
from uckers_table.vision.camera import Camera, Floats, Image
from uckers_table.vision.profile import TableProfile

PAINT_BGR = {
    "red": (60, 60, 255),
    "green": (80, 220, 80),
    "yellow": (0, 230, 255),
    "blue": (255, 130, 50),
    "white": (255, 255, 255),
    "black": (40, 40, 40),
}
_LINE_BGR, _ALARM_BGR, _DIE_BGR = (255, 255, 255), (0, 80, 255), (255, 0, 255)
_RING_MM, _SPREAD_MM = 12.0, 9.0
"""Rings a little wider than a piece, and how far several on a square stand from its middle."""
_WORDS = {"too_dark": "too dark to read", "colours_indistinct": "colours cannot be told in this light"}


def draw_overlay(
    image: Image, profile: TableProfile, sighting: Sighting, camera: Camera | None = None
) -> Image:
    """A copy of a BGR picture with the sighting drawn on it.

    A ring of a colour, with its steps, stands for each piece (in its square, not to the millimetre); dice
    show their values; hands and trouble are written out. `camera` is the one that fits this picture, for a
    board that has moved.
    """
    drawn = image.copy()
    camera = camera or profile.camera
    plan = profile.plan
    scale = image.shape[1] / 2304
    thick = max(1, round(2 * scale))
    for cell in set(plan.track_cells) | {plan.chute_cell(k, s) for k in range(4) for s in plan.board.chute}:
        x, y = plan.centre_mm(cell)
        half = plan.cell_mm / 2
        corners = np.array(
            [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
        )
        cv2.polylines(drawn, [_points(camera, corners)], True, _LINE_BGR, 1, cv2.LINE_AA)
    side = plan.side_mm
    edge = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64)
    cv2.polylines(drawn, [_points(camera, edge)], True, _LINE_BGR, thick, cv2.LINE_AA)
    for (x, y), colour, text in _places(profile, sighting):
        paint = PAINT_BGR.get(colour, _LINE_BGR)
        cv2.polylines(drawn, [_points(camera, _ring(x, y))], True, paint, 2 * thick, cv2.LINE_AA)
        _write(drawn, text, camera.project([[x, y]])[0], 0.8 * scale, paint)
    for die in sighting.dice:
        shown = "?" if die.value is None else str(die.value)
        what = shown if die.state == "flat" else f"{shown} {die.state.replace('_', ' ')}"
        square = np.array([die.x_mm, die.y_mm]) + 11 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        cv2.polylines(drawn, [_points(camera, square)], True, _DIE_BGR, 2 * thick, cv2.LINE_AA)
        _write(drawn, what, camera.project([[die.x_mm, die.y_mm + 24]])[0], scale, _DIE_BGR)
    said = ["a hand over the board"] * sighting.hand
    said += [_WORDS.get(t, t.replace("_", " ")) for t in sighting.trouble]
    said.append(f"confidence {sighting.confidence:.2f}")
    for row, text in enumerate(said):
        ink = _LINE_BGR if row == len(said) - 1 else _ALARM_BGR
        place = np.array([len(text) * 11 * scale + 20, (40 + 44 * row) * scale])
        _write(drawn, text, place, 1.1 * scale, ink)
    return drawn


def _places(profile: TableProfile, sighting: Sighting) -> list[tuple[tuple[float, float], str, str]]:
    """Where each piece's ring goes (plan mm), its colour, and its steps as text."""
    plan = profile.plan
    out: list[tuple[tuple[float, float], str, str]] = []
    taken: Counter[tuple[float, float]] = Counter()
    for seat, colour in enumerate(profile.seats):
        spots = iter(profile.base_spots_mm[seat])
        for steps in sighting.pieces.get(colour, ()):
            cell = plan.cell(seat, steps)
            if steps == BASE:
                place = next(spots, profile.base_spots_mm[seat][0])
            elif cell is not None:
                place = plan.centre_mm(cell)
            else:
                place = plan.centre_mm(plan.turned((plan.board.arm_length, plan.board.arm_length + 1), seat))
            angle = np.pi / 4 + np.pi / 2 * taken[place]
            moved = (0.0, 0.0) if steps == BASE else (_SPREAD_MM * np.cos(angle), _SPREAD_MM * np.sin(angle))
            taken[place] += 1
            out.append(((float(place[0] + moved[0]), float(place[1] + moved[1])), colour, str(steps)))
    for stray in sighting.stray:
        if stray.cell is not None:
            out.append((plan.centre_mm(stray.cell), stray.colour, "stray"))
    return out


def _ring(x_mm: float, y_mm: float) -> Floats:
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    return np.array([x_mm, y_mm]) + _RING_MM * np.column_stack([np.cos(angles), np.sin(angles)])


def _points(camera: Camera, points_mm: Floats) -> np.ndarray:
    return np.rint(camera.project(points_mm)).astype(np.int32)


def _write(image: Image, text: str, middle: Floats, size: float, colour: tuple[int, int, int]) -> None:
    """Text centred on a pixel, outlined in black so that it reads on any paint."""
    thick = max(1, round(2 * size))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    place = (round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2))
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), thick + 3, cv2.LINE_AA)
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
