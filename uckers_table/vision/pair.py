"""Whether a table can be learned from two pictures, and if not, what is wrong with which of them.

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

from uckers_table.errors import CalibrationError, NotBareError, StrangePieceError, UnknownTurnError
from uckers_table.game.board import PIECES, Plan
from uckers_table.vision.bare import NotBare
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.light.light import DARKEST_WHITE, Light, light_trouble, white_level
from uckers_table.vision.picture.arrays import Floats, Image, Map
from uckers_table.vision.picture.blur import blur_px
from uckers_table.vision.picture.channels import brightest, doubled
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.strange import StrangePiece, lies_at, paint_word
from uckers_table.vision.place import locate
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas
from uckers_table.vision.place.paint import CLEAR, Turns, order_cost, paint_name
from uckers_table.vision.place.register import Lines, follow

EMPTY, START = "the empty picture", "the start picture"

_AGAIN = "take both again without touching camera or board in between"
_LIGHT = {
    "too_dark": "is too dark: give the table more light, or a longer exposure",
    "colours_indistinct": "was taken in light of one colour: calibrate under white light",
}


def check_sizes(empty: Image, start: Image) -> None:
    """Checks that both come from one camera mode, show light, and are two different pictures."""
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
"""A standard deviation; edges are twice as wide. A piece's rim and the painted lines bear no more. Sharp
pictures have 0.35 to 0.5 mm, those of a camera with one pixel a millimetre 0.8 mm."""
_MAX_BLUR_PX = 2.0


def check_sharp(empty: Image, start: Image, camera: CameraModel) -> None:
    """Checks that neither picture is blurred too much to show rims and lines."""
    for picture, name in ((empty, EMPTY), (start, START)):
        blur_mm = blur_px(picture) / camera.px_per_mm
        if blur_mm > MAX_BLUR_MM:
            raise CalibrationError(
                f"{name} is blurred (edges {2 * blur_mm:.1f} mm wide): focus the camera on the board, "
                "and keep camera and table still"
            )


# ------------------------------------------------------------------ the board


def no_board(empty: Image, start: Image | None, plan: Plan) -> CalibrationError:
    """The error for an empty picture in which no board was found, with the likeliest reason."""
    oblong = locate.oblong_cells(empty)
    if oblong is not None:
        return CalibrationError(
            f"the board's cells in {EMPTY} are not square: they are {oblong:.1f} times as long as wide, and "
            "only square ones can be read"
        )
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


def other_top_left(told: Turns, corner: int, top_left: str) -> UnknownTurnError:
    """The error for a `top_left` that the paint contradicts. `corner` is the picture's top left."""
    return UnknownTurnError(
        f"{_goes(told.order, corner)}, where --top-left says {top_left}: check --top-left and --seats, or "
        "leave --top-left out"
    )


def no_paint(paints: Floats, corner: int) -> UnknownTurnError:
    """The error for chutes without paint, or all of one paint (4, 3), red, green and blue."""
    return UnknownTurnError(
        f"{_goes([paint_name(paint) for paint in paints], corner)}: a board needs its four colours; or say "
        "--top-left"
    )


def which_turn(told: Turns, paints: Floats, corner: int, plan: Plan) -> UnknownTurnError:
    """The error for colours that tell no turn. `paints` (4, 3), red, green and blue, are the chutes'."""
    if told.is_in_order and told.lead < CLEAR:
        return UnknownTurnError(
            f"neither paint nor pieces tell which way round the board lies in {EMPTY}: say --top-left, the "
            "colour of the base at the picture's top left"
        )
    names = [paint_name(paint) for paint in paints] if told.is_in_order else told.order
    return UnknownTurnError(
        f"{_goes(names, corner)}, which does not fit the seats {', '.join(plan.board.seats)}: check --seats, "
        "or say --top-left if the paint is odd"
    )


def _goes(names: Sequence[str], corner: int) -> str:
    said = ", ".join([*names[corner:], *names[:corner]])
    return f"the paint of {EMPTY} goes {said} clockwise from its top left"


def not_bare(standing: NotBare) -> CalibrationError:
    """The error for an empty picture of a board that is not bare."""
    what = "pieces stand in the bases" if standing.is_piece else "a hand, or something else, is on the board"
    return NotBareError(
        f"{what} in {EMPTY}, at pixel {standing.x_px:.0f},{standing.y_px:.0f}: clear the board, and take it "
        "again"
    )


_INSET_MM = 8.0
"""The board's wooden rim may be cut off: nothing is played there."""


def check_in_view(camera: CameraModel, plan: Plan) -> None:
    """Checks that the picture shows the whole board."""
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
"""The farthest that the board may move between the two pictures. Smaller moves are followed."""


def start_camera(empty: Image, start: Image, camera: CameraModel, plan: Plan) -> CameraModel:
    """The camera at the pose that fits the start picture: `camera` itself if nothing moved."""
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
"""A grey level: white squares whose weakest channel is above it no longer show the light's colour. Good
pictures have 120 to 220."""


def check_light(white: Map, light: Light | None, plan: Plan, canvas: Canvas) -> None:
    """Checks that colours can be told. `white` is the empty picture's light; `light` is how it has changed in
    the start picture, or None to check the empty picture.
    """
    name, balance = (EMPTY, np.ones(3, dtype=np.float32)) if light is None else (START, light.balance)
    check_lamp(white_level(white, plan, canvas) * balance, name)
    rows, columns = np.rint(canvas.px([plan.centre_mm(c) for c in plan.track_cells])).astype(int).T[::-1]
    if np.median((white[rows, columns] * balance).min(axis=1)) > _BURNT_OUT:
        raise CalibrationError(f"{name} is too bright, its white squares are burnt out: shorten the exposure")


def check_lamp(white: Map, name: str) -> None:
    """Checks that colours can be told in the named picture, whose white paint shows `white` (3,)."""
    trouble = light_trouble(white)
    if trouble:
        raise CalibrationError(f"{name} {_LIGHT[trouble[0]]}")


# ------------------------------------------------------------------ what stands where

_MIN_THING_MM2 = 60.0
"""What is smaller is no thing: a piece's top has 330 mm², a die's 256. In twelve good pairs nothing was
found."""
_HAND_MM2 = 3000.0
_OTHER_HUE, _OTHER_SHADE = 0.1, 0.4
"""A thing differs from what was there in its shares of light by the first, or is darker or lighter by the
second. Shadows do neither, not even a person's on one of the pictures.
"""


@dataclass(frozen=True)
class _Thing:
    """A thing that only one of the pictures shows: its middle (plan mm) and its area. `by_empty` is positive
    if the empty picture shows it, negative if the start picture does.
    """

    x_mm: float
    y_mm: float
    area_mm2: float
    by_empty: float


def check_same_table(seen: Evidence, start: Image, camera: CameraModel, canvas: Canvas, plan: Plan) -> bool:
    """Checks that the pictures differ in the bases only. True if the things there seem to be on the empty
    one.

    Over the bases' things the mean of `by_empty` is -0.46 at most on S1 to S4, V6, V8, X1 and 40 tables of
    other looks, and 0.23 at least with their pictures swapped. Flat counters on rings may seem so too.

    `seen` weighs the start picture against the empty one, with no piece's colour known. `start` is laid flat
    and softened, like the bare board in `seen`.
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
    in_bases = [thing for thing in things if _fits_base(plan, thing)]
    return bool(in_bases) and float(np.mean([thing.by_empty for thing in in_bases])) > 0


def _fits_base(plan: Plan, thing: _Thing) -> bool:
    """Whether a thing may be pieces in a base. Four side by side, with their shadows, are no larger."""
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
    """Whether only the brightness differs there."""
    now, then = seen.lit[:, where] + 1.0, seen.board.planes[:, where] + 1.0
    hue = np.median(np.abs(now / now.sum(axis=0) - then / then.sum(axis=0)).sum(axis=0))
    shade = float(np.median(now.sum(axis=0) / then.sum(axis=0)))
    return bool(hue < _OTHER_HUE and _OTHER_SHADE < shade < 1 / _OTHER_SHADE)


_ENOUGH_PAINT_MM2 = 40.0
"""If this much of a thing covers painted cells, their paint tells which picture has it. Otherwise its outline
does: only the picture that has the thing shows it.
"""


def _painted(seen: Evidence, canvas: Canvas, plan: Plan) -> tuple[Map, npt.NDArray[np.bool_]]:
    """What the cells' paint should send back (3, size, size), white = 1, and where that is known. All white
    squares share one paint; so does each chute with its doorstep.
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


_WIDEST_MM = 25.0
"""A quarter of the pieces at least seems narrower if they are a .50-calibre case's rim, 20.4 mm wide. It is
13 to 22.8 mm (`python -m tools.tables.turns`, on the tables named in `paint`). Counters of 28.8 and 32 mm
seemed 28 and 29.5 mm.
"""


def check_width(width_mm: float, plan: Plan) -> None:
    """Checks that the pieces are no wider than a cartridge's head. `width_mm`: what they seem."""
    if width_mm > _WIDEST_MM:
        raise CalibrationError(
            f"the pieces in {START} are too wide: {width_mm / plan.cell_mm:.2f} of a square, where only 0.5 "
            "can be read (20 mm on squares of 40 mm)"
        )


_LIKELY, _SURE = -3.0, 3.0
"""Log-odds that a disc in a base needs, and that it needs right beside another piece. In good light pieces in
bases have 3.6 and more; anything else found there has less than 1.
"""
_STANDS = 0.5
"""Mean evidence on a top that anything at all lies there: pieces on their own paint have 1.1, others 3 to 4,
bare board less than 0.
"""
_BESIDE = 1.6
"""In diameters: within this distance lies the edge of a piece's shadow, which may look like a piece."""


def check_pieces(
    found: Sequence[Stack],
    known: Sequence[Stack],
    strange: Sequence[StrangePiece],
    seen: Evidence,
    shape: Shape,
    plan: Plan,
) -> None:
    """Checks that four pieces of its colour stand in each base.

    `found`: all discs that may be pieces. `known`: those of them that are pieces for the net of discs.
    `strange`: pieces of other paints that nobody has named.
    """
    seats = plan.board.seats
    in_base: list[Counter[int]] = [Counter() for _ in seats]
    surely: list[Counter[int]] = [Counter() for _ in seats]
    standing = np.empty((0, 2))
    for stack in sorted(found, key=lambda s: -s.score):
        cell = plan.cell_at(stack.x_mm, stack.y_mm)
        base = plan.base_of(cell) if cell else None
        foot = np.array([stack.x_mm, stack.y_mm])
        is_beside = bool((np.linalg.norm(standing - foot, axis=1) < _BESIDE * shape.diameter_mm).any())
        is_known = stack in known
        if base is None or (stack.score < (_SURE if is_beside else _LIKELY) and not is_known):
            continue
        if stack.score > _SURE or is_known or lies_at(seen, stack, shape) > _STANDS:
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
        raise missing(counts, strange, plan)


def missing(counts: Sequence[int], strange: Sequence[StrangePiece], plan: Plan) -> CalibrationError:
    """The error that pieces are missing in the bases, or look like another seat's. `counts`: how many were
    found, by seat.
    """
    seats = plan.board.seats
    for piece in strange:
        if piece.like is not None and counts[piece.seat] < PIECES:
            return CalibrationError(
                f"one piece in {seats[piece.seat]}'s base in {START} looks like {seats[piece.like]}'s: put "
                "each in its own base, or paint it anew"
            )
    return CalibrationError(_missing(counts, plan))


def _missing(counts: Sequence[int], plan: Plan) -> str:
    said = ", ".join(f"{colour} {n}" for colour, n in zip(plan.board.seats, counts, strict=True))
    if not any(counts):
        return (
            f"{START} shows no pieces in the bases (found {said}): put all sixteen there, and take it again"
        )
    return (
        f"{START} does not show four pieces more in each base than {EMPTY} does (found {said}): put all "
        "sixteen in their bases for the one, and take them off for the other; if that is so, give the table "
        "more or softer light"
    )


def counted_as(strange: Sequence[StrangePiece], named: Sequence[str], plan: Plan) -> list[StrangePiece]:
    """The strange pieces in the bases of these seats, of which somebody has said that they are theirs.

    CalibrationError if one of these seats has none, or one that looks like another seat's pieces.
    """
    seats = plan.board.seats
    by_seat = {seats[piece.seat]: piece for piece in strange}
    for seat in named:
        if seat not in seats:
            raise CalibrationError(f"--strange {seat} is none of the seats {', '.join(seats)}")
        if seat not in by_seat:
            raise CalibrationError(
                f"no piece of a strange colour stands in {seat}'s base in {START}: leave --strange {seat} out"
            )
        like = by_seat[seat].like
        if like is not None:
            raise CalibrationError(
                f"the strange piece in {seat}'s base in {START} looks like {seats[like]}'s pieces: paint it "
                "anew"
            )
    return [by_seat[seat] for seat in named]


def check_paints(strange: Sequence[StrangePiece], found: Sequence[Stack], plan: Plan) -> None:
    """Checks that no strange piece, which nobody has named yet, stands in a base that lacks one of its own.

    `found`: the pieces that were found in their colour's base.
    """
    for piece in strange:
        seat = plan.board.seats[piece.seat]
        if piece.like is None and sum(stack.colour == piece.seat for stack in found) < PIECES:
            paint = paint_word(piece.paint)
            paint = f"another {seat}" if paint == seat else paint
            raise StrangePieceError(
                f"one piece in {seat}'s base in {START} is {paint}: say --strange {seat} if it counts as "
                f"{seat}",
                seat,
                paint,
            )


def check_colours(colours: Map, chutes: Floats, plan: Plan) -> None:
    """Checks that each seat's pieces have its own colour, and not another seat's.

    `colours` and `chutes` (seats, 3): what the pieces and the board's chutes send back, BGR, white = 1.
    """
    seats = plan.board.seats
    shares = colours / np.maximum(colours.sum(axis=1, keepdims=True), 1e-6)
    for a, b in combinations(range(len(seats)), 2):
        if np.abs(shares[a] - shares[b]).sum() < _SAME and np.abs(colours[a] - colours[b]).max() < _SAME:
            raise CalibrationError(
                f"{seats[a]} and {seats[b]} pieces look the same in {START}: use pieces of other colours, or "
                "better light"
            )
    both = [chutes[:, ::-1], colours.astype(np.float64)[:, ::-1]]
    costs = {names: order_cost(both, [seats, names]) for names in permutations(seats)}
    order = min(costs, key=lambda names: costs[names])
    if costs[order] + _EXCHANGED < costs[seats]:
        if order_cost(both, [order, order]) < costs[order]:
            raise CalibrationError(
                f"paint and pieces fit the seats {', '.join(order)} better than {', '.join(seats)}: check "
                "--seats"
            )
        said = ", ".join(
            f"{name} ones in {seat}'s base" for name, seat in zip(order, seats, strict=True) if name != seat
        )
        raise CalibrationError(f"pieces are exchanged in {START} ({said}): put each in its own base")


_SAME = 0.08
"""In parts of white: nobody tells colours apart that differ by less. Red and yellow, the nearest of the usual
four, differ by 0.5.
"""
_EXCHANGED = 0.15
"""How much less another order of the pieces must cost. The next best order of the right pieces cost 0.27 more
at least (`python -m tools.tables.turns`, on the tables named in `paint`).
"""
