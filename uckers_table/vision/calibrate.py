"""Learning a table from two pictures: the bare board, and the same with sixteen pieces in their bases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from uckers_table.errors import CalibrationError, NotBareError, RulesError, StrangePieceError
from uckers_table.game.board import PIECES, Board, Plan
from uckers_table.vision import pair
from uckers_table.vision.bare import standing_on
from uckers_table.vision.dice.spots import Smoothed
from uckers_table.vision.dice.stance import SeenScene
from uckers_table.vision.light.appearance import Evidence, SensorNoise, evidence
from uckers_table.vision.light.light import BareBoard, light_change, softened, white_light
from uckers_table.vision.light.mirrored import Mirrored
from uckers_table.vision.light.veil import veil_of, without
from uckers_table.vision.picture.arrays import Floats, Image, Map
from uckers_table.vision.picture.channels import GAMMA, Halves
from uckers_table.vision.pieces.first_seen import (
    chute_colours,
    colours_at,
    first_seen,
    known_pieces,
    width_seen,
)
from uckers_table.vision.pieces.foreign import of_the_game
from uckers_table.vision.pieces.height import HEIGHTS_MM, fit_height
from uckers_table.vision.pieces.pieces import Stack, find
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.strange import StrangePiece, strange_pieces
from uckers_table.vision.place import locate
from uckers_table.vision.place.camera import CameraModel, from_homography
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.lens import Lens, wide_lens
from uckers_table.vision.place.paint import (
    CLEAR,
    at_top_left,
    chute_paints,
    is_unpainted,
    track_level,
    turned,
    turns,
)
from uckers_table.vision.place.register import refine
from uckers_table.vision.place.stickers import by_stickers
from uckers_table.vision.profile import Reflected, Spot, TableProfile

CASE_HEAD_MM = 20.4
"""The diameter of every piece: the rim of a .50-calibre case."""
_EXPECTED = -8.0
"""Log-odds from which a disc in a base counts as a piece: low, since four are known to stand there."""
_MIRRORED, _BESIDE = 0.045, 0.35
"""`_MIRRORED`: a top that sends back this much more of white's light than another of its colour, in all
channels, mirrors a lamp or a window. With less, one colour serves for all four. `_BESIDE`: the share of a
top's points, the darkest, that mirror the lamp least.
"""
_LAMPS, _LEAST = 0.12, 0.02
"""`_LAMPS`: from this share of white's light on, mirrored round most of a base's pieces, all four mirror a
lamp and none shows its own colour. `_LEAST`: what paint alone is then taken to send back in its darkest
channel.
"""
_GREY = 0.05
"""Paint whose channels differ by less is white, grey or black, and looks like a lamp's image."""
_BLACK = 0.01
"""The least that paint sends back (white = 1). Less is seen where a channel is clipped and haze taken off."""
_TOUCHING = 0.8
"""Two pieces' middles are a diameter apart at least; each is found to within a tenth of it."""
_MAX_MISS_MM = 1.2
_MIN_LINES = 60


def calibrate(
    empty: Image,
    start: Image,
    seats: Sequence[str],
    top_left: str | None = None,
    corners: Sequence[tuple[float, float]] | None = None,
    *,
    stickers: bool = False,
    lens: Lens | None = None,
    strange: tuple[str, ...] = (),
) -> TableProfile:
    """The table that two BGR pictures of the same size show; `seats` are its colours, clockwise.

    `top_left` says whose base is at the top left in the picture. `corners` (clockwise from the top left, in
    pixels) says where the board is. Both help where they cannot be found; with `stickers` the stickers say
    both. `lens` is the camera's, before it is measured: a Camera Module 3's if left out. `strange` names the
    seats of which one piece has another paint. A CalibrationError says which picture does not show what is
    needed.
    """
    plan = _plan(seats, top_left)
    pair.check_sizes(empty, start)
    cells = by_stickers(empty, plan) if stickers else _cells(empty, start, plan, corners)
    camera = _laid_on_lines(empty, cells, plan, lens)
    pair.check_in_view(camera, plan)
    pair.check_sharp(empty, start, camera)
    quarters = 0 if stickers else _quarters(empty, start, cells, camera, plan, top_left)
    if quarters:
        camera = _laid_on_lines(empty, turned(cells, plan, quarters), plan, lens)
    both = _Both.of(empty, start, camera, plan)
    try:
        pieces = _learn_pieces(both, strange)
    except CalibrationError as error:
        try:
            _check_bare(empty, camera, plan)
        except NotBareError as not_bare:
            if _is_pair(both.swapped):
                raise CalibrationError(
                    "the pictures are swapped: the pieces stand in the bases of the empty picture"
                ) from None
            raise not_bare from None
        raise error
    return TableProfile(
        seats=plan.board.seats,
        camera=camera,
        piece_height_mm=pieces.height_mm,
        piece_diameter_mm=CASE_HEAD_MM,
        base_spots_mm=pieces.spots_mm,
        piece_colours=pieces.colours,
        plain_colours=pieces.plain_colours,
        strange_colours=pieces.strange_colours,
        bare=empty,
    )


def _check_bare(empty: Image, camera: CameraModel, plan: Plan) -> None:
    """Raises NotBareError if pieces stand in a base of the picture of the bare board."""
    standing = standing_on(empty, camera, plan, CASE_HEAD_MM)
    if standing is not None and standing.is_piece:
        raise pair.not_bare(standing)


def _plan(seats: Sequence[str], top_left: str | None) -> Plan:
    try:
        plan = Plan(Board(tuple(seats)))
    except RulesError as error:
        raise CalibrationError(str(error)) from None
    if top_left is not None and top_left not in plan.board.seats:
        raise CalibrationError(f"--top-left {top_left} is none of the seats {', '.join(plan.board.seats)}")
    return plan


def find_board(
    empty: Image, seats: Sequence[str], corners: Sequence[tuple[float, float]] | None = None
) -> CameraModel:
    """Where the camera is over the bare board in one picture; which quarter turn stays open.

    Raises CalibrationError if there is no board, none at the `corners` given, or one that is not bare.
    """
    plan = Plan(Board(tuple(seats)))
    cells = locate.from_corners(corners, plan) if corners else locate.lattice(empty, plan)
    if cells is None:
        raise pair.no_board(empty, None, plan)
    camera = _laid_on_lines(empty, cells, plan, None)
    pair.check_in_view(camera, plan)
    standing = standing_on(empty, camera, plan, CASE_HEAD_MM)
    if standing is not None:
        raise pair.not_bare(standing)
    return camera


def corners_in_picture(camera: CameraModel, seats: Sequence[str]) -> tuple[tuple[float, float], ...]:
    """The board's corners in pixels, clockwise from the one nearest the picture's top left."""
    side = Plan(Board(tuple(seats))).side_mm
    points = camera.project([(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)])
    first = int(points.sum(axis=1).argmin())
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in np.roll(points, -first, axis=0))


@dataclass(frozen=True)
class _Pieces:
    """What is learned about the pieces. The fields are as in `TableProfile`."""

    height_mm: float
    spots_mm: tuple[tuple[Spot, ...], ...]
    colours: tuple[Reflected, ...]
    plain_colours: tuple[Reflected, ...]
    strange_colours: tuple[tuple[Reflected, ...], ...]


@dataclass(frozen=True)
class _Both:
    """The bare board and the start picture: laid flat, with the bare one's veil, and as they were taken."""

    bare_flat: Image
    start_flat: Image
    veil: Floats
    start_veil: Floats
    scene: SeenScene
    canvas: Canvas
    plan: Plan

    @classmethod
    def of(cls, empty: Image, start: Image, camera: CameraModel, plan: Plan) -> _Both:
        """Both pictures, where `camera` took the bare one. CalibrationError if they show no one table."""
        start_camera = pair.start_camera(empty, start, camera, plan)
        canvas = Canvas(plan.side_mm)
        laying = Laying.of(camera, canvas)
        start_laying = laying if start_camera is camera else Laying.of(start_camera, canvas)
        bare, now = (Smoothed.of(Halves(picture), camera.px_per_mm) for picture in (empty, start))
        white = float(np.percentile(bare.wide, _WHITEST))
        scene = SeenScene(now, start_camera, bare, camera, white)
        return cls(
            laying.lay(empty), start_laying.lay(start), veil_of(empty), veil_of(start), scene, canvas, plan
        )

    @property
    def swapped(self) -> _Both:
        """The same as if either had been given for the other."""
        s = self.scene
        scene = SeenScene(s.bare, s.bare_camera, s.now, s.camera, s.white)
        return replace(
            self,
            bare_flat=self.start_flat,
            start_flat=self.bare_flat,
            veil=self.start_veil,
            start_veil=self.veil,
            scene=scene,
        )

    def weighed(self) -> _Weighed:
        """The start picture weighed against the bare board. CalibrationError if the light is no good."""
        bare_flat, start_flat, canvas, plan = self.bare_flat, self.start_flat, self.canvas, self.plan
        as_taken = white = white_light(bare_flat, canvas, plan)
        pair.check_light(as_taken, None, plan, canvas)
        if self.veil.any():
            bare_flat, start_flat = without(self.veil, bare_flat), without(self.veil, start_flat)
            white = white_light(bare_flat, canvas, plan)
        board = BareBoard(softened(bare_flat, canvas), white)
        light = light_change(start_flat, board)
        pair.check_light(as_taken, light, plan, canvas)
        start_soft = softened(start_flat, canvas)
        noise = SensorNoise.between(start_soft, board, light)
        seen = evidence(start_soft, board, np.empty((0, 3), dtype=np.float32), noise, light)
        lit = light.undone(start_soft, board)
        return _Weighed(
            seen=seen,
            noise=noise,
            lit=np.ascontiguousarray(np.moveaxis(lit, 0, -1) / white),
            bare=np.ascontiguousarray(np.moveaxis(board.reflected, 0, -1)),
            shape=Shape(self.scene.bare_camera, canvas, float(np.mean(HEIGHTS_MM)), CASE_HEAD_MM),
        )


@dataclass(frozen=True)
class _Weighed:
    """The start picture with no piece's colour known. `lit` and `bare` (size, size, 3): the pieces and the
    bare board as reflected, in one light.
    """

    seen: Evidence
    noise: SensorNoise
    lit: Map
    bare: Map
    shape: Shape


_WHITEST = 97
"""The percentile of the bare board's grey levels that is white paint."""


def _is_pair(both: _Both) -> bool:
    try:
        _learn_pieces(both)
    except StrangePieceError:
        return True
    except CalibrationError:
        return False
    return True


def _learn_pieces(both: _Both, named: tuple[str, ...] = ()) -> _Pieces:
    """Learns the pieces in the bases of the start picture, in each of the `named` seats' one of another
    paint.
    """
    canvas, plan, scene = both.canvas, both.plan, both.scene
    weighed = both.weighed()
    seen, shape = weighed.seen, weighed.shape
    now, board, light = seen.now, seen.board, seen.light
    if pair.check_same_table(seen, now, scene.bare_camera, canvas, plan):
        _check_bare(scene.bare.picture, scene.bare_camera, plan)
    # First the likeliest discs in a base count, then only those in the colour of its four best.
    standing = first_seen(seen, shape, scene, weighed.lit, weighed.bare, plan)
    strange: list[StrangePiece] = []
    if all(len(stacks) >= PIECES for stacks in standing):
        pair.check_width(width_seen([s for stacks in standing for s in stacks[:PIECES]], seen, shape), plan)
        strange = strange_pieces(standing, seen, shape, scene, weighed.lit)
    ours = pair.counted_as(strange, named, plan)
    strange = [piece for piece in strange if piece not in ours]
    paints = np.empty((2, 0, 3), dtype=np.float32)
    for _ in range(3):
        best = [stacks[:PIECES] for stacks in standing]
        if any(len(stacks) < PIECES for stacks in best):
            pair.check_paints(strange, [stack for stacks in best for stack in stacks], plan)
            raise pair.missing([len(stacks) for stacks in best], strange, plan)
        feet = [np.array([s.x_mm, s.y_mm]) for stacks in best for s in stacks]
        shape = fit_height(weighed.lit, weighed.bare, feet, shape)
        usual = [[s for s in stacks if not any(p.is_at(s, shape) for p in ours)] for stacks in best]
        paints = _with_strange(_top_colours(weighed.lit, usual, shape), ours)
        seen = evidence(now, board, paints, weighed.noise, light)
        found = find(seen, shape, paints, min_score=_EXPECTED, scene=scene)
        standing = _standing(found, plan)
    best = [stacks[:PIECES] for stacks in standing]
    known = [stack for stacks in best for stack in known_pieces(stacks, seen, shape, scene, paints[0])]
    pair.check_paints(strange, of_the_game(known, seen, shape, paints), plan)
    pair.check_pieces(found, known, strange, seen, shape, plan)
    pair.check_colours(paints[0], chute_colours(weighed.bare, shape, plan), plan)
    spots = tuple(tuple((s.x_mm, s.y_mm) for s in stacks) for stacks in best)
    mirrored = Mirrored(board, plan, canvas, spots)
    plain = [_unlit(paint, mirrored.around(np.array(at))) for paint, at in zip(paints[1], spots, strict=True)]
    return _Pieces(
        height_mm=shape.height_mm,
        spots_mm=spots,
        colours=_triples(paints[0]),
        plain_colours=_triples(plain),
        strange_colours=tuple(
            _triples([piece.paint for piece in ours if piece.seat == seat]) for seat in range(len(spots))
        ),
    )


def _with_strange(paints: Map, ours: Sequence[StrangePiece]) -> Map:
    """The pieces' colours (paints, seats, 3), and as one paint more those of strange pieces."""
    if not ours:
        return paints
    strange = paints[0].copy()
    for piece in ours:
        strange[piece.seat] = np.maximum(piece.paint, _BLACK)
    return np.concatenate([paints, strange[None]])


def _unlit(colour: Map, mirrored: Floats) -> Map:
    """A colour (3,) without the lamp that all of a base's pieces mirror. `mirrored` (N,): how much the paint
    round each piece mirrors. The colour is unchanged unless most of them mirror much.
    """
    light = colour.astype(np.float64) ** GAMMA
    known = mirrored[~np.isnan(mirrored)]
    if not len(known) or np.median(known) < _LAMPS or np.abs(light - light.mean()).max() < _GREY:
        return colour
    without = light - max(float(light.min()) - _LEAST, 0.0)
    return np.asarray(np.maximum(without ** (1 / GAMMA), _BLACK), dtype=np.float32)


def _triples(colours: Iterable[Floats | Map]) -> tuple[Reflected, ...]:
    return tuple((float(c[0]), float(c[1]), float(c[2])) for c in colours)


def _cells(empty: Image, start: Image, plan: Plan, corners: Sequence[tuple[float, float]] | None) -> Floats:
    """The homography from cells to pixels, by the painted cells or by the corners given; any quarter turn."""
    cells = locate.from_corners(corners, plan) if corners else locate.lattice(empty, plan)
    if cells is None:
        raise pair.no_board(empty, start, plan)
    return cells


def _quarters(
    empty: Image, start: Image, cells: Floats, camera: CameraModel, plan: Plan, top_left: str | None
) -> int:
    """At which corner of the cells found seat 0 sits: told by the paint, and in doubt by the pieces too."""
    seats = plan.board.seats
    paints = chute_paints(empty, camera, plan)
    told = turns([paints], seats)
    corner = at_top_left(cells, plan)
    if top_left is not None:
        wanted = (corner - plan.board.seat(top_left)) % len(seats)
        if told.costs[wanted] > told.costs.min() + CLEAR:
            raise pair.other_top_left(told, corner, top_left)
        return wanted
    if told.is_clear:
        return told.best
    # Red light makes paints look like other paints.
    pair.check_lamp(track_level(empty, camera, plan).astype(np.float32), pair.EMPTY)
    pieces = _colours_in_bases(_Both.of(empty, start, camera, plan))
    told = told if pieces is None else turns([paints, pieces], seats)
    if told.is_clear:
        return told.best
    if is_unpainted(paints):
        raise pair.no_paint(paints, corner)
    raise pair.which_turn(told, paints, corner, plan)


def _colours_in_bases(both: _Both) -> Floats | None:
    """What the pieces in the bases send back (4, 3), red, green and blue; None without four in each."""
    weighed = both.weighed()
    standing = first_seen(weighed.seen, weighed.shape, both.scene, weighed.lit, weighed.bare, both.plan)
    if any(len(stacks) < PIECES for stacks in standing):
        return None
    feet = np.array([[(s.x_mm, s.y_mm) for s in stacks[:PIECES]] for stacks in standing])
    tops = colours_at(weighed.lit, weighed.shape.top_px(feet.reshape(-1, 2)), weighed.shape)
    return np.asarray(np.median(tops.reshape(*feet.shape[:2], 3), axis=1)[:, ::-1])


def _laid_on_lines(empty: Image, cells: Floats, plan: Plan, lens: Lens | None) -> CameraModel:
    height, width = empty.shape[:2]
    to_px = locate.mm_homography(cells, plan)
    camera, miss, lines = refine(empty, from_homography(to_px, width, height, lens), plan)
    if lens is None and camera.k1 < -_BENT:
        start = from_homography(to_px, width, height, wide_lens(width, height))
        camera, miss, lines = refine(empty, start, plan)
    if lines < _MIN_LINES:
        raise CalibrationError(
            "hardly any painted lines of the empty picture lie where the board's plan has them ("
            f"{lines} found, {_MIN_LINES} are needed): check that it is sharp, and --corners or stickers if "
            "given"
        )
    if miss > _MAX_MISS_MM:
        raise CalibrationError(
            f"the painted lines of the empty picture do not lie where the board's plan has them ({lines} "
            f"found, {miss:.1f} mm off): check that it is sharp, and --corners or stickers if given"
        )
    return camera


_BENT = 0.07
"""A Camera Module 3 bends less. If nobody has said which camera it is and k1 is beyond this, it is a Wide. Of
35 tables under such a lens the most was 0.03; ten of twelve under wide ones had more than 0.04, those with
the published bend 0.12 to 0.15 (`python -m tools.tables.turns`).
"""


def _standing(stacks: list[Stack], plan: Plan) -> list[list[Stack]]:
    """Per seat, what stands in its base and has its colour, best first."""
    out: list[list[Stack]] = [[] for _ in plan.board.seats]
    for stack in stacks:
        cell = plan.cell_at(stack.x_mm, stack.y_mm)
        seat = plan.base_of(cell) if cell else None
        if seat is not None and stack.colour == seat:
            out[seat].append(stack)
    return [_apart_first(sorted(stacks, key=lambda s: -s.score)) for stacks in out]


def _apart_first(stacks: list[Stack]) -> list[Stack]:
    """The same stacks, those last that no piece can be beside the better ones."""
    kept: list[Stack] = []
    for stack in stacks:
        if all(np.hypot(stack.x_mm - k.x_mm, stack.y_mm - k.y_mm) > _TOUCHING * CASE_HEAD_MM for k in kept):
            kept.append(stack)
    return [*kept, *(stack for stack in stacks if stack not in kept)]


def _top_colours(now: Map, standing: list[list[Stack]], shape: Shape) -> Map:
    """The pieces' colours (2, seats, 3): first the median colour of all their tops, which leaves highlights
    out; then the same without mirrored lamps and windows.
    """
    out = np.ones((2, len(standing), 3), dtype=np.float32)
    r = max(2, int(shape.top_radius_px * 0.6))
    for seat, stacks in enumerate(standing):
        tops = []
        for stack in stacks[:PIECES]:
            centre = shape.top_px(np.array([stack.x_mm, stack.y_mm]))
            x, y = np.rint(centre).astype(int)
            tops.append(now[y - r : y + r + 1, x - r : x + r + 1].reshape(-1, 3))
        if tops:
            out[:, seat] = np.maximum(np.median(np.concatenate(tops), axis=0), _BLACK)
            out[1, seat] = _plain(tops, out[0, seat])
    return out


def _plain(tops: Sequence[Map], colour: Map) -> Map:
    """What tops (points, 3) of one `colour` (3,) send back where they mirror no lamp or window.

    That is `colour` if none of them mirrors one. Otherwise it is the darker part of the top that mirrors
    least, lit like the others.
    """
    light = np.array([np.median(top, axis=0) for top in tops]).clip(_BLACK).astype(np.float64) ** GAMMA
    least = int(light.min(axis=1).argmin())
    # A mirrored lamp adds as much to each channel, so their differences tell how a top is lit.
    off = light[least] - light[least].mean()
    if np.abs(off).max() < _GREY:
        return colour
    lit = np.maximum((light @ off) / (light[least] @ off), 0.0)
    mirrored = (light - lit[:, None] * light[least]).mean(axis=1)
    if mirrored.max() < _MIRRORED:
        return colour
    darkest = tops[least][:, light[least].argmin()]
    beside = tops[least][darkest <= np.quantile(darkest, _BESIDE)]
    shade = np.median(lit) ** (1 / GAMMA)
    return np.asarray(np.maximum(shade * np.median(beside, axis=0), _BLACK), dtype=np.float32)
