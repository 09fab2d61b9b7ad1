"""Whether two pictures are a pair to calibrate from, and if not, what is wrong with which of them.

Each check raises a CalibrationError of one line that names the picture, what it shows, and what to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.errors import CalibrationError
from uckers_table.game.board import PIECES, Plan
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.light.light import DARKEST_WHITE, Light, light_trouble, white_level
from uckers_table.vision.picture.arrays import Floats, Image, Map
from uckers_table.vision.picture.blur import blur_px
from uckers_table.vision.picture.channels import brightest, doubled
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place import locate
from uckers_table.vision.place.camera import Camera
from uckers_table.vision.place.flat import Canvas
from uckers_table.vision.place.paint import misfit
from uckers_table.vision.place.register import Lines, follow

EMPTY, START = "the empty picture", "the start picture"

_AGAIN = "take both again without touching camera or board in between"
_LIGHT = {
    "too_dark": "is too dark: give the table more light, or a longer exposure",
    "colours_indistinct": "was taken in light of one colour: calibrate under white light",
}


def check_sizes(empty: Image, start: Image) -> None:
    """That both come from one camera mode, show light, and are not one and the same."""
    if empty.shape != start.shape:
        raise CalibrationError(
            f"{EMPTY} is {empty.shape[1]} × {empty.shape[0]} and {START} "
            f"{start.shape[1]} × {start.shape[0]}: take both with the same camera and mode"
        )
    if np.array_equal(empty, start):
        raise CalibrationError(
            "the empty and the start picture are one and the same: give one of the bare board, and one with "
            "all sixteen pieces in their bases"
        )
    for picture, name in ((empty, EMPTY), (start, START)):
        if np.percentile(brightest(picture[::8, ::8]), 95) < DARKEST_WHITE / 2:
            raise CalibrationError(f"{name} {_LIGHT['too_dark']}")


# ------------------------------------------------------------------ sharpness

MAX_BLUR_MM = 1.1
"""Half of what a piece's rim and the painted lines need: sharp pictures have 0.35 to 0.5 mm, those of a
camera with one pixel a millimetre 0.8."""
_MAX_BLUR_PX = 2.0


def check_sharp(empty: Image, start: Image, camera: Camera) -> None:
    """That neither is blurred by more than the smallest things that matter."""
    for picture, name in ((empty, EMPTY), (start, START)):
        blur_mm = blur_px(picture) / camera.px_per_mm
        if blur_mm > MAX_BLUR_MM:
            raise CalibrationError(
                f"{name} is blurred (edges {2 * blur_mm:.1f} mm wide): focus the camera on the board, "
                "and keep camera and table still"
            )


# ------------------------------------------------------------------ the board


def no_board(empty: Image, start: Image | None, plan: Plan) -> CalibrationError:
    """Why no board was found in the empty picture, as far as that can be told."""
    if blur_px(empty) > _MAX_BLUR_PX:
        return CalibrationError(
            f"no board found in {EMPTY}, which is blurred: focus the camera on the board, and keep it still"
        )
    where = EMPTY
    if start is not None:
        is_there = locate.lattice(start, plan) is not None
        where = f"{EMPTY}, though there is one in {START}" if is_there else "either picture"
    return CalibrationError(
        f"no board found in {where}: show all of it, bare and sharp; if it is there, give its --corners"
    )


_INSET_MM = 8.0
"""The board's wooden rim may be cut off: nothing is played there."""


def check_in_view(camera: Camera, plan: Plan) -> None:
    """That the picture shows the whole board."""
    low, high = _INSET_MM, plan.side_mm - _INSET_MM
    along = np.linspace(low, high, 9)
    rim = [(x, y) for a in along for x, y in ((a, low), (a, high), (low, a), (high, a))]
    x, y = camera.project(rim).T
    beyond = {
        "left": -x.min(),
        "right": x.max() - (camera.width - 1),
        "top": -y.min(),
        "bottom": y.max() - (camera.height - 1),
    }
    side = max(beyond, key=lambda s: float(beyond[s]))
    if beyond[side] > 0:
        raise CalibrationError(
            f"{EMPTY} cuts the board off at its {side} by {beyond[side] / camera.px_per_mm:.0f} mm: "
            "move the camera so that all of the board is in the picture"
        )


_MAX_MOVED_MM = 3.0
"""Between the two pictures; less is followed."""


def start_camera(empty: Image, start: Image, camera: Camera, plan: Plan) -> Camera:
    """The camera at the pose that fits the start picture: the very same if nothing moved."""
    lines = Lines.learn(empty, camera, plan)
    followed = follow(lines.sections(start, camera), camera, lines)
    if followed is not None:
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]]) * plan.side_mm
        moved_mm = np.linalg.norm(camera.unproject(followed.project(corners)) - corners, axis=1).max()
        if moved_mm < _MAX_MOVED_MM:
            return followed
        raise CalibrationError(
            f"the camera or the board moved by {moved_mm:.0f} mm between the empty and the start picture: "
            f"{_AGAIN}"
        )
    if blur_px(start) > _MAX_BLUR_PX:
        raise CalibrationError(f"{START} is blurred: focus the camera on the board, and keep it still")
    if locate.lattice(start, plan) is not None:
        raise CalibrationError(f"the board lies elsewhere in {START} than in {EMPTY}: {_AGAIN}")
    raise CalibrationError(
        f"no board found in {START}, though there is one in {EMPTY}: it shows something else, or much of the "
        "board is covered"
    )


_BURNT_OUT = 250.0
"""White squares whose weakest channel is lighter show no light's colour any more; good pictures have 120 to
220."""


def check_light(white: Map, light: Light | None, plan: Plan, canvas: Canvas) -> None:
    """That colours can be told: in the empty picture by its `white` light, in the start picture by what has
    become of it.
    """
    name, balance = (EMPTY, np.ones(3, dtype=np.float32)) if light is None else (START, light.balance)
    check_lamp(white_level(white, plan, canvas) * balance, name)
    rows, columns = np.rint(canvas.px([plan.centre_mm(c) for c in plan.track_cells])).astype(int).T[::-1]
    if np.median((white[rows, columns] * balance).min(axis=1)) > _BURNT_OUT:
        raise CalibrationError(f"{name} is too bright, its white squares are burnt out: shorten the exposure")


def check_lamp(white: Map, name: str) -> None:
    """That colours can be told where white paint shows this (3,) in the picture of that name."""
    trouble = light_trouble(white)
    if trouble:
        raise CalibrationError(f"{name} {_LIGHT[trouble[0]]}")


# ------------------------------------------------------------------ what stands where

_MIN_THING_MM2 = 60.0
"""A piece's top has 330 mm², and a die's 256; over twelve good pairs nothing at all was found."""
_HAND_MM2 = 3000.0
_OTHER_HUE, _OTHER_SHADE = 0.1, 0.4
"""Things differ from what was there in their shares of light, or are so much darker or lighter; shadows, also
that of a person that falls on one of the pictures, do neither.
"""


@dataclass(frozen=True)
class _Thing:
    """What is in one picture and not in the other: middle (plan mm), area, and whether it is in the empty
    picture: positive if so.
    """

    x_mm: float
    y_mm: float
    area_mm2: float
    by_empty: float


def check_same_table(seen: Evidence, start: Image, camera: Camera, canvas: Canvas, plan: Plan) -> None:
    """That the pictures differ in the bases only, and there because of the start picture.

    `seen` weighs the start picture against the empty one with no piece's colour known; `start` is laid
    flat and softened like the bare board in it.
    """
    things = _things(seen, start, canvas, plan)
    elsewhere = sorted((t for t in things if not _fits_base(plan, t)), key=lambda t: -t.area_mm2)
    if elsewhere:
        worst = elsewhere[0]
        x, y = camera.project([[worst.x_mm, worst.y_mm]])[0]
        picture = EMPTY if worst.by_empty > 0 else START
        what = (
            "a hand, or something as large, is over" if worst.area_mm2 > _HAND_MM2 else "something stands on"
        )
        how = (
            "clear the board"
            if picture is EMPTY
            else "put all sixteen pieces in their bases and nothing else"
        )
        raise CalibrationError(
            f"{what} the board in {picture}, at pixel {x:.0f},{y:.0f}: {how}, and take it again"
        )


def _fits_base(plan: Plan, thing: _Thing) -> bool:
    """Whether it may be pieces in a base: four side by side with their shadows are no larger."""
    cell = plan.cell_at(thing.x_mm, thing.y_mm)
    return cell is not None and plan.base_of(cell) is not None and thing.area_mm2 < _HAND_MM2


def _things(seen: Evidence, start: Image, canvas: Canvas, plan: Plan) -> list[_Thing]:
    strange = doubled(seen.strange > 0.5).astype(np.uint8)
    grains = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    odd = cv2.morphologyEx(grains, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    margin = round(canvas.margin_mm * canvas.px_per_mm)
    inside = np.zeros_like(odd)
    inside[margin:-margin, margin:-margin] = odd[margin:-margin, margin:-margin]
    _, labels, stats, middles = cv2.connectedComponentsWithStats(inside)
    edges = [_edges(picture) for picture in (seen.board.softened, start)]
    paint, known = _painted(seen, canvas, plan)
    off = [np.abs(now / seen.board.white_planes - paint).sum(axis=0) for now in (seen.board.planes, seen.lit)]
    per_mm2 = canvas.px_per_mm**2
    out = []
    for k in np.flatnonzero(stats[1:, cv2.CC_STAT_AREA] > _MIN_THING_MM2 * per_mm2) + 1:
        thing = labels == k
        if _is_shadow(seen, thing):
            continue
        on_paint = thing & known
        if on_paint.sum() > _ENOUGH_PAINT_MM2 * per_mm2:
            by_empty, by_start = (float(o[on_paint].mean()) for o in off)
        else:
            ring = cv2.morphologyEx(thing.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
            by_empty, by_start = (float(e[ring].mean()) for e in edges)
        x, y = canvas.mm(middles[k : k + 1])[0]
        area_mm2 = float(stats[k, cv2.CC_STAT_AREA]) / per_mm2
        out.append(_Thing(float(x), float(y), area_mm2, float(np.log((by_empty + 1e-3) / (by_start + 1e-3)))))
    return out


def _is_shadow(seen: Evidence, where: npt.NDArray[np.bool_]) -> bool:
    """Whether what differs there differs in how brightly it is lit alone."""
    now, then = seen.lit[:, where] + 1.0, seen.board.planes[:, where] + 1.0
    hue = np.median(np.abs(now / now.sum(axis=0) - then / then.sum(axis=0)).sum(axis=0))
    shade = float(np.median(now.sum(axis=0) / then.sum(axis=0)))
    return bool(hue < _OTHER_HUE and _OTHER_SHADE < shade < 1 / _OTHER_SHADE)


_ENOUGH_PAINT_MM2 = 40.0
"""So much of a thing over painted cells tells by their paint which picture has it; elsewhere its outline
does, which only the picture that has it shows.
"""


def _painted(seen: Evidence, canvas: Canvas, plan: Plan) -> tuple[Map, npt.NDArray[np.bool_]]:
    """What the cells' paint should send back (3, size, size), white = 1, and where that is known: the white
    squares have one paint, and so has each chute with its doorstep.
    """
    size, half = canvas.size, round(plan.cell_mm * 0.42 * canvas.px_per_mm)
    paint, known = np.zeros((3, size, size), dtype=np.float32), np.zeros((size, size), dtype=bool)
    board = plan.board
    cells = [
        [plan.track_cells[seat * board.squares_per_seat], *(plan.chute_cell(seat, s) for s in board.chute)]
        for seat in range(len(board.seats))
    ]
    cells.append([c for square, c in enumerate(plan.track_cells) if square % board.squares_per_seat])
    for one_paint in cells:
        patches = [
            (slice(y - half, y + half + 1), slice(x - half, x + half + 1))
            for x, y in np.rint(canvas.px([plan.centre_mm(c) for c in one_paint])).astype(int)
        ]
        both = [
            np.median((now[:, r, c] / seen.board.white_planes[:, r, c]).reshape(3, -1), axis=1)
            for now in (seen.board.planes, seen.lit)
            for r, c in patches
        ]
        for r, c in patches:
            paint[:, r, c], known[r, c] = np.median(both, axis=0)[:, None, None], True
    return paint, known


def _edges(flat: Image) -> Floats:
    slopes = [cv2.Scharr(flat, cv2.CV_32F, dx, dy, scale=1 / 32) for dx, dy in ((1, 0), (0, 1))]
    return np.asarray(np.sqrt(sum((s * s).sum(axis=2) for s in slopes)), dtype=np.float64)


_LIKELY, _SURE = -3.0, 3.0
"""Log-odds of a piece that is expected in a base and of one that is not: pieces in bases have 3.6 and more in
good light, what else is found there less than 1.
"""
_STANDS = 0.5
"""Mean evidence for anything at all on a piece's top: pieces on their own paint have 1.1, others 3 to 4, and
bare board less than none.
"""
_BESIDE = 1.6
"""In diameters: the edge of a piece's shadow lies so near to it, and may look like a piece itself."""


def check_pieces(found: Sequence[Stack], seen: Evidence, shape: Shape, plan: Plan) -> None:
    """That four pieces stand in each base, all of its colour; `found` are all that look like pieces."""
    seats = plan.board.seats
    in_base: list[Counter[int]] = [Counter() for _ in seats]
    surely: list[Counter[int]] = [Counter() for _ in seats]
    standing = np.empty((0, 2))
    for stack in sorted(found, key=lambda s: -s.score):
        cell = plan.cell_at(stack.x_mm, stack.y_mm)
        base = plan.base_of(cell) if cell else None
        foot = np.array([stack.x_mm, stack.y_mm])
        is_beside = bool((np.linalg.norm(standing - foot, axis=1) < _BESIDE * shape.diameter_mm).any())
        if base is None or stack.score < (_SURE if is_beside else _LIKELY):
            continue
        if stack.score > _SURE or _evidence(seen, stack, shape) > _STANDS:
            standing = np.vstack([standing, foot])
            in_base[base][stack.colour] += 1
            surely[base][stack.colour] += stack.score > _SURE
    for seat, colours in enumerate(in_base):
        strangers = [seats[colour] for colour in colours if colour != seat]
        if strangers and colours[seat] < PIECES:
            raise CalibrationError(
                f"a {strangers[0]} piece stands in {seats[seat]}'s base in {START}: put each in its own base"
            )
        if surely[seat][seat] > PIECES:
            raise CalibrationError(
                f"{surely[seat][seat]} {seats[seat]} pieces stand in their base in {START}: put four in each "
                "base, and nothing else"
            )
    counts = [colours[seat] for seat, colours in enumerate(in_base)]
    if min(counts) < PIECES:
        raise CalibrationError(missing(counts, plan))


def missing(counts: Sequence[int], plan: Plan) -> str:
    """That pieces are missing in the bases, of which so many were found by seat."""
    said = ", ".join(f"{colour} {n}" for colour, n in zip(plan.board.seats, counts, strict=True))
    return (
        f"{START} does not show four pieces more in each base than {EMPTY} does (found {said}): put all "
        "sixteen in their bases for the one, and take them off for the other"
    )


def _evidence(seen: Evidence, stack: Stack, shape: Shape) -> float:
    """The mean evidence for anything at all where a top was found."""
    top = np.zeros(seen.now.shape[:2], dtype=np.uint8)
    x, y = np.rint(shape.top_px(np.array([stack.x_mm, stack.y_mm]))).astype(int)
    cv2.circle(top, (int(x), int(y)), round(shape.top_radius_px * 0.7), 1, -1)
    return float(doubled(np.maximum(seen.solid, seen.strange))[top > 0].mean())


def check_colours(colours: Map, plan: Plan) -> None:
    """That the seats' pieces have the colours that the seats say, not one another's; `colours` (seats, 3)
    are what they send back, BGR, white = 1.
    """
    seats = plan.board.seats
    shares = colours / np.maximum(colours.sum(axis=1, keepdims=True), 1e-6)
    for a, b in combinations(range(len(seats)), 2):
        if np.abs(shares[a] - shares[b]).sum() < _SAME and np.abs(colours[a] - colours[b]).max() < _SAME:
            raise CalibrationError(
                f"{seats[a]} and {seats[b]} pieces look the same in {START}: use pieces of other colours, or "
                "better light"
            )
    costs = np.array([[misfit(colour[::-1], name) for name in seats] for colour in colours])
    order = min(permutations(range(len(seats))), key=lambda p: sum(costs[k, n] for k, n in enumerate(p)))
    if sum(costs[k, n] for k, n in enumerate(order)) + _WRONG_HUES < np.trace(costs):
        said = ", ".join(f"{seats[n]} ones in {seats[k]}'s base" for k, n in enumerate(order) if n != k)
        raise CalibrationError(f"pieces are exchanged in {START} ({said}): put each in its own base")


_SAME = 0.08
"""Colours nearer than this, as parts of white, are told apart by nobody; red and yellow, the nearest of the
usual, are 0.5 apart.
"""
_WRONG_HUES = 0.8
"""As for the board's paint (see `paint`): exchanging two colours costs 0.5 to 0.9 even in the worst case."""
