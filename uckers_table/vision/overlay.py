"""Drawing what was read onto the picture that it was read from, so that a misread is seen at a glance.

Each top found is ringed where it was seen, with its colour's letter and its steps beside it. A misread shows
as a ring on no piece, a piece without a ring, or a letter of another colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from uckers_table.game.board import PIECES, Plan
from uckers_table.sighting import Alternative, Sighting
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.settle import steps_under
from uckers_table.vision.pieces.stack_net import HIGHEST
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Looked

Bgr = tuple[int, int, int]

PAINT_BGR: Mapping[str, Bgr] = {
    "red": (60, 60, 255),
    "green": (80, 220, 80),
    "yellow": (0, 230, 255),
    "blue": (255, 130, 50),
    "white": (255, 255, 255),
    "black": (40, 40, 40),
}
_LINE_BGR, _ALARM_BGR, _DIE_BGR, _DOUBT_BGR = (255, 255, 255), (0, 80, 255), (255, 0, 255), (255, 255, 0)
_GRID_STRENGTH = 0.45
_RING_MM, _LABEL_MM, _LINE_APART_MM, _CLOSE_MM = 12.5, 20.0, 12.0, 36.0
_CORNER_MM = 13.0
"""Where a square's question mark stands: from its middle towards its corner."""
_WORDS = {
    "too_dark": "too dark to read",
    "colours_indistinct": "colours cannot be told in this light",
    "board_not_found": "no board found where it was, nor near by",
    "board_moved": "the board has moved: followed",
    "occluded": "something reaches over the board",
    "blurred": "blurred: shaken or out of focus",
}


@dataclass(frozen=True)
class _Mark:
    """A ring on the plan at a height (mm), and the lines of text beside it."""

    x_mm: float
    y_mm: float
    height_mm: float
    colour: Bgr
    text: tuple[str, ...]
    is_seen: bool = True


def draw_overlay(
    image: Image,
    profile: TableProfile,
    sighting: Sighting,
    looked: Looked,
    window: tuple[slice, slice] | None = None,
) -> Image:
    """A copy of a BGR picture, or of a `window` of it (rows, columns), with what was read drawn on it.

    Rings are tops found, with their colour's letter and steps. Dashed rings are pieces that are not seen but
    must be there. Question marks say what else a place may hold; they are numbered, and listed with how much
    less that fits. Dice have their value, and what a hand covers is outlined. A whole picture also says
    trouble and missing pieces in words.
    """
    rows, columns = window or (slice(None), slice(None))
    drawn = image[rows, columns].copy()
    corner_px = columns.start or 0, rows.start or 0
    pen = _Pen(drawn, looked.camera or profile.camera, image.shape[1], corner_px)
    _draw_board(pen, profile.plan, is_found=looked.camera is not None)
    if looked.hand is not None:
        _draw_hand(pen, looked.hand, Canvas(profile.plan.side_mm))
    marks = _marks(profile, sighting, looked)
    for mark in marks:
        pen.ring(mark, [(m.x_mm, m.y_mm) for m in marks if m is not mark])
    doubts = _cheapest(sighting.alternatives)
    for number, doubt in enumerate(doubts, 1):
        place = _place_mm(profile, doubt.place)
        if place is not None:
            corner = np.array(place) + _CORNER_MM * pen.down_right(place)
            pen.write((f"?{number}",), (float(corner[0]), float(corner[1])), _DOUBT_BGR, 0.7, below_mm=0.0)
    for die in sighting.dice:
        value = "?" if die.value is None else str(die.value)
        text = (value,) if die.state == "flat" else (value, die.state.replace("_", " "))
        half = DIE_MM * 0.8
        square = np.array([die.x_mm, die.y_mm]) + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        pen.outline(square, DIE_MM, _DIE_BGR)
        pen.write(text, (die.x_mm, die.y_mm), _DIE_BGR, 0.9, below_mm=24.0)
    if window is None:
        _draw_words(pen, profile, sighting, doubts)
    return drawn


def _draw_words(pen: _Pen, profile: TableProfile, sighting: Sighting, doubts: Iterable[Alternative]) -> None:
    said = [(_WORDS.get(t, t.replace("_", " ")), _ALARM_BGR) for t in sighting.trouble]
    if sighting.hand and "occluded" not in sighting.trouble:
        said.append(("a hand over the board", _ALARM_BGR))
    for colour in profile.seats:
        seen = len(sighting.pieces.get(colour, ()))
        astray = sum(stray.colour == colour for stray in sighting.stray)
        text = f"{colour}: {seen}" + (f" and {astray} astray" if astray else "")
        is_short = seen + astray < PIECES
        said.append(
            (
                f"{text}  ({PIECES - seen - astray} not seen)" if is_short else text,
                PAINT_BGR.get(colour, _LINE_BGR),
            )
        )
    said.append((f"confidence {sighting.confidence:.2f}", _LINE_BGR))
    for number, doubt in enumerate(doubts, 1):
        held = " and ".join(f"{n} {colour}" for colour, n in doubt.contents.items() if n) or "nothing"
        said.append((f"?{number} or {held} ({doubt.cost:.1f})", _DOUBT_BGR))
    pen.column(said)


def _draw_board(pen: _Pen, plan: Plan, is_found: bool) -> None:
    """The grid and the board's edge. If no board was found: only the edge, dashed, where it was."""
    side = plan.side_mm
    edge = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float64)
    if not is_found:
        pen.outline(edge, 0.0, _ALARM_BGR, dashed=True)
        return
    chutes = {plan.chute_cell(seat, s) for seat in range(len(plan.board.seats)) for s in plan.board.chute}
    half = plan.cell_mm / 2
    grid = pen.image.copy()
    for cell in {*plan.track_cells, *chutes}:
        x, y = plan.centre_mm(cell)
        corners = np.array([[x, y]]) + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        cv2.polylines(grid, [pen.px(corners)], True, _LINE_BGR, pen.thick, cv2.LINE_AA)
    cv2.addWeighted(grid, _GRID_STRENGTH, pen.image, 1 - _GRID_STRENGTH, 0, dst=pen.image)
    pen.outline(edge, 0.0, _LINE_BGR)


def _draw_hand(pen: _Pen, hand: np.ndarray, canvas: Canvas) -> None:
    outlines, _ = cv2.findContours(hand.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        pen.outline(canvas.mm(outline[:, 0]), 0.0, _ALARM_BGR)


def _marks(profile: TableProfile, sighting: Sighting, looked: Looked) -> list[_Mark]:
    """A ring for each top that is claimed, with the pieces claimed under it. A claimed piece without a top
    has a dashed ring.
    """
    plan, height = profile.plan, profile.piece_height_mm
    left = {colour: Counter(steps) for colour, steps in sighting.pieces.items()}
    strays = Counter((stray.colour, stray.cell) for stray in sighting.stray)
    tops: list[tuple[_Mark, tuple[int, int] | None]] = []
    for top in sorted(looked.stacks, key=lambda s: -s.score):
        colour = profile.seats[top.colour]
        for x, y in _feet(top, looked.camera or profile.camera, height):
            steps, cell = steps_under(plan, top.colour, x, y), plan.cell_at(x, y)
            if steps is not None and left[colour][steps]:
                left[colour][steps] -= 1
                text = f"{colour[0].upper()}{steps}"
            elif steps is None and strays[colour, cell]:
                strays[colour, cell] -= 1
                text = f"{colour[0].upper()} {'astray' if cell else 'on the table'}"
            else:
                continue
            mark = _Mark(top.x_mm, top.y_mm, height, PAINT_BGR.get(colour, _LINE_BGR), (text,))
            tops.append((mark, cell))
            break
    marks = []
    under: dict[tuple[int, int] | None, list[str]] = {cell: [] for _, cell in tops}
    for seat, colour in enumerate(profile.seats):
        for steps, count in left[colour].items():
            cell = plan.cell(seat, steps)
            text = f"{colour[0].upper()}{steps}"
            for _ in range(count):
                if cell in under and cell is not None:
                    under[cell].append(text)
                else:
                    x, y = profile.middle_mm(seat, steps)
                    marks.append(_Mark(x, y, 0.0, PAINT_BGR.get(colour, _LINE_BGR), (text,), is_seen=False))
    for mark, cell in tops:
        hidden = under.pop(cell, []) if cell is not None else []
        more = (f"on {' '.join(hidden)}", f"x{1 + len(hidden)}") if hidden else ()
        marks.append(_Mark(mark.x_mm, mark.y_mm, mark.height_mm, mark.colour, (*mark.text, *more)))
    for (colour_or_none, cell), count in strays.items():
        if count and cell is not None:
            x, y = plan.centre_mm(cell)
            what = "no piece" if colour_or_none is None else f"{colour_or_none[0].upper()} astray"
            marks.append(_Mark(x, y, 0.0, PAINT_BGR.get(colour_or_none or "", _ALARM_BGR), (what,)))
    return marks


def _feet(top: Stack, camera: CameraModel, height_mm: float) -> list[tuple[float, float]]:
    """Where the lowest piece under a top may stand on the plan, the likeliest first. The top of a high stack
    is seen over another square than its own, farther from the lens.
    """
    seen = camera.lifted((top.x_mm, top.y_mm), height_mm)
    most = HIGHEST if top.is_claimed else 1
    high = sorted(range(1, most + 1), key=lambda pieces: abs(pieces - top.pieces))
    return [(float(x), float(y)) for x, y in (camera.grounded(seen, n * height_mm) for n in high)]


def _cheapest(alternatives: Iterable[Alternative]) -> list[Alternative]:
    """The likeliest alternative for each place."""
    best: dict[str, Alternative] = {}
    for alternative in sorted(alternatives, key=lambda a: a.cost):
        best.setdefault(alternative.place, alternative)
    return list(best.values())


def _place_mm(profile: TableProfile, place: str) -> tuple[float, float] | None:
    """The middle, on the plan, of a place as `Alternative` names it."""
    if place.isdigit():
        cells = profile.plan.track_cells
        return profile.plan.centre_mm(cells[int(place) % len(cells)])
    colour, _, steps = place.partition(" ")
    if colour not in profile.seats or not steps.isdigit():
        return None
    return profile.middle_mm(profile.seats.index(colour), int(steps))


class _Pen:
    """Draws in millimetres of the plan, as a camera sees it, on the part of its picture from `corner_px` on.

    The whole picture is `width_px` wide.
    """

    def __init__(self, image: Image, camera: CameraModel, width_px: int, corner_px: tuple[int, int]) -> None:
        self.image, self._camera = image, camera
        self._corner_px = np.array(corner_px)
        self._scale = width_px / 2304
        self.thick = max(1, round(2 * self._scale))

    def px(self, points_mm: Floats, height_mm: float = 0.0) -> np.ndarray:
        points = np.column_stack([points_mm, np.full(len(points_mm), -height_mm)])
        return np.asarray(np.rint(self._camera.project(points) - self._corner_px), dtype=np.int32)

    def down_right(self, place_mm: tuple[float, float]) -> Floats:
        """The diagonal of the plan, (±1, ±1), that there points most to the picture's lower right."""
        ways = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=np.float64)
        px = self.px(np.array(place_mm) + ways * _CORNER_MM)
        return np.asarray(ways[int((px[:, 0] + px[:, 1]).argmax())])

    def outline(self, points_mm: Floats, height_mm: float, colour: Bgr, dashed: bool = False) -> None:
        """A closed line with a black edge, so that it shows on any paint."""
        for ink, thick in (((0, 0, 0), 3 * self.thick), (colour, self.thick + 1)):
            px = self.px(points_mm, height_mm)
            if not dashed:
                cv2.polylines(self.image, [px], True, ink, thick, cv2.LINE_AA)
                continue
            for one, other in zip(px, np.roll(px, -1, axis=0), strict=True):
                dashes = max(2, round(float(np.linalg.norm(other - one)) / (14 * self._scale))) | 1
                stops = np.rint(one + np.linspace(0, 1, dashes + 1)[:, None] * (other - one)).astype(int)
                for k in range(0, dashes, 2):
                    cv2.line(self.image, stops[k].tolist(), stops[k + 1].tolist(), ink, thick, cv2.LINE_AA)

    def ring(self, mark: _Mark, others: list[tuple[float, float]]) -> None:
        """A ring with its text above it, or away from rings close by."""
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        circle = np.column_stack([np.cos(angles), np.sin(angles)]) * _RING_MM + [mark.x_mm, mark.y_mm]
        self.outline(circle, mark.height_mm, mark.colour, dashed=not mark.is_seen)
        here = np.array([mark.x_mm, mark.y_mm])
        near = [other for other in others if np.linalg.norm(here - other) < _CLOSE_MM]
        middle = self.px(here[None], mark.height_mm)[0].astype(float)
        away = middle - self.px(np.mean(near, axis=0)[None], mark.height_mm)[0] if near else np.zeros(2)
        length = float(np.linalg.norm(away))
        direction = away / length if length > 1 else np.array([0.0, -1.0])
        # Text is wider than high.
        middle += direction * np.array([1.25, 1.0]) * _LABEL_MM * self._camera.px_per_mm
        self._lines(mark.text, middle, 0.8, mark.colour, up=direction[1] < 0)

    def write(
        self, lines: tuple[str, ...], place_mm: tuple[float, float], colour: Bgr, size: float, below_mm: float
    ) -> None:
        """Lines of text, centred `below_mm` below a place on the board as the picture shows it."""
        middle = self.px(np.array([place_mm]))[0].astype(float)
        middle[1] += below_mm * self._camera.px_per_mm
        self._lines(lines, middle, size, colour, up=False)

    def _lines(self, lines: tuple[str, ...], middle: Floats, size: float, colour: Bgr, up: bool) -> None:
        for row, text in enumerate(lines):
            apart = (row - (len(lines) - 1) * up) * _LINE_APART_MM * self._camera.px_per_mm
            self._text(text, middle + np.array([0, apart]), size * self._scale, colour)

    def column(self, lines: Iterable[tuple[str, Bgr]]) -> None:
        """Lines of text down from the picture's top-left corner."""
        for row, (text, colour) in enumerate(lines):
            size = 0.9 * self._scale
            (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, self.thick)
            self._text(
                text, np.array([16 * self._scale + width / 2, (34 + 38 * row) * self._scale]), size, colour
            )

    def _text(self, text: str, middle: Floats, size: float, colour: Bgr) -> None:
        thick = max(1, round(2.4 * size))
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        place = (round(float(middle[0]) - width / 2), round(float(middle[1]) + height / 2))
        for ink, extra in (((0, 0, 0), 3), (colour, 0)):
            cv2.putText(
                self.image, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, ink, thick + extra, cv2.LINE_AA
            )
