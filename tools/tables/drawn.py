"""Tables that are drawn at random by their names: D1, E425, F14, as many as are wanted.

`drawn.toml` has the ranges. The same name gives the same table for ever, so the order of drawing must stay.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import numpy as np

from tools.tables.lens import Lens
from tools.tables.look import BOARD_MM, DieLook, Lamp, Rgb, Sensor, Table, Triple, View, placed
from tools.tables.ranges import Cameras, DiePaint, Hung, Lighting, Sensors, Span, Whites, ranges

_EDGE_PX = 8
"""A whole board is this far from the picture's edge."""


def is_drawn(name: str) -> bool:
    """Whether a table of that name is drawn: the name is a family's letter and a number."""
    return name[:1] in ranges().families and name[1:].isdecimal()


def drawn(name: str) -> Table:
    """The table of that name, the same one each time. The camera sees the whole board."""
    tables = (once(name if again == 1 else f"{name}.{again}") for again in count(1))
    return next(table for table in tables if is_whole(table))


def die_looks(name: str, number: int) -> tuple[DieLook, ...]:
    """Dice of all shapes, the same ones each time. Half are painted as scored tables' dice may be."""
    draw = random.Random(f"dice {name}")
    paints = ranges().dice, ranges().other_dice
    return tuple(_shaped(draw, draw.choice(draw.choice(paints))) for _ in range(number))


def _shaped(draw: random.Random, paint: DiePaint) -> DieLook:
    off, shapes = ranges().die_off, ranges().shapes
    return DieLook(
        _near(draw, paint.body, off),
        _near(draw, paint.pips, off),
        round_mm=draw.uniform(*shapes.round_mm),
        pip_mm=draw.uniform(*shapes.pip_mm),
        apart_mm=draw.uniform(*shapes.apart_mm),
        deep_mm=draw.uniform(*shapes.deep_mm),
        rough=draw.uniform(*shapes.rough),
        coat=draw.uniform(*shapes.coat),
    )


def is_whole(table: Table) -> bool:
    """Whether the camera sees the whole board."""
    corners = np.array([(x, y, 0.0) for x in (0.0, BOARD_MM) for y in (0.0, BOARD_MM)])
    lens = Lens.of(table.view)
    seen = lens.project(corners)
    return bool(((seen > _EDGE_PX) & (seen < np.array(lens.size) - _EDGE_PX)).all())


def once(name: str) -> Table:
    """The table of that name, of which the camera may not see all."""
    may, draw = ranges(), random.Random(name)
    kind = draw.choice(tuple(_LAMPS))
    light: Lighting = getattr(may.lights, kind)
    lamps = _LAMPS[kind](draw, light.lamps)
    colours = tuple(may.board)
    order = colours if draw.random() < may.clockwise else colours[::-1]
    first = draw.randrange(4)
    paint = draw.choice(may.dice)
    table = Table(
        seats=(order[first], order[first - 3], order[first - 2], order[first - 1]),
        lighting=kind,
        board={colour: _near(draw, paint, may.board_off) for colour, paint in may.board.items()},
        pieces={colour: _near(draw, paint, may.pieces_off) for colour, paint in may.pieces.items()},
        wood=_near(draw, may.wood, may.wood_off),
        cloth=_near(draw, light.cloth, may.cloth_off),
        weave=light.weave,
        lamps=lamps,
        view=_view(draw, may.camera),
        die=DieLook(paint.body, paint.pips),
        sensor=_sensor(draw, may.sensor),
        ambient=draw.uniform(*may.table.ambient),
        ambient_colour=light.ambient_colour,
        white_paint=_between(draw, may.white_paint),
        piece_height_mm=draw.uniform(*may.table.piece_height_mm),
        piece_rough=draw.uniform(*may.table.piece_rough),
        glossy=tuple(colour for colour in colours if draw.random() < may.glossy),
        panel=draw.choice(may.table.panels),
        is_outlined=draw.random() < may.outlined,
        tinted_corners=draw.uniform(*may.table.tinted_corners) if draw.random() < may.tinted else 0.0,
        varnish=draw.uniform(*may.table.varnish),
        varnish_rough=draw.uniform(*may.table.varnish_rough),
        wear=draw.uniform(*may.table.wear),
        piece_chipped=draw.uniform(*may.table.piece_chipped),
        spots_mm=draw.uniform(*may.table.spots_mm),
    )
    family = may.families[name[0]]
    die = _shaped(draw, paint) if family.shaped_dice else table.die
    return replace(table, die=die, thrown_anyhow=family.thrown_anyhow, leant_over=family.leant_over)


def _view(draw: random.Random, may: Cameras) -> View:
    x, y = may.centre_px
    return View(
        height_mm=draw.uniform(*may.height_mm),
        aim_mm=(draw.uniform(*may.aim_x_mm), draw.uniform(*may.aim_y_mm)),
        tilt_deg=draw.uniform(*may.tilt_deg),
        tilt_az_deg=draw.uniform(*may.tilt_az_deg),
        yaw_deg=90 * draw.randrange(4) + draw.uniform(*may.yaw_off_deg),
        k1=-draw.uniform(*may.minus_k1),
        centre_px=(x + draw.uniform(*may.centre_off_px), y + draw.uniform(*may.centre_off_px)),
    )


def _sensor(draw: random.Random, may: Sensors) -> Sensor:
    return Sensor(
        white=draw.uniform(*may.white),
        noise=draw.uniform(*may.noise),
        balance=draw.uniform(*may.balance),
        blur_px=draw.uniform(*may.blur_px),
        jpeg=may.jpeg,
    )


def _strips(draw: random.Random, lamps: tuple[Hung, Hung]) -> tuple[Lamp, ...]:
    """Two, on opposite sides of the board."""
    azimuth = _any_azimuth(draw)
    aways = _of(draw, lamps[0].away_mm), -_of(draw, lamps[1].away_mm)
    return tuple(
        lamp.at(placed(away, azimuth, _of(draw, lamp.height_mm)))
        for lamp, away in zip(lamps, aways, strict=True)
    )


def _side_lamp(draw: random.Random, lamps: tuple[Hung, Hung]) -> tuple[Lamp, ...]:
    lamp, strip = lamps
    azimuth = _any_azimuth(draw)
    side = placed(_of(draw, lamp.away_mm), azimuth, _of(draw, lamp.height_mm))
    return lamp.at(side), strip.at(_anywhere(draw, strip))


def _window(draw: random.Random, lamps: tuple[Hung, Hung]) -> tuple[Lamp, ...]:
    return tuple(lamp.at(_anywhere(draw, lamp)) for lamp in lamps)


def _bulbs(draw: random.Random, lamps: tuple[Hung, Hung]) -> tuple[Lamp, ...]:
    """Two, nearly on opposite sides of the board."""
    azimuth = _any_azimuth(draw)
    azimuths = azimuth, azimuth + draw.uniform(*ranges().bulbs_apart_deg)
    return tuple(
        lamp.at(placed(_of(draw, lamp.away_mm), way, _of(draw, lamp.height_mm)))
        for lamp, way in zip(lamps, azimuths, strict=True)
    )


_LAMPS: dict[str, Callable[[random.Random, tuple[Hung, Hung]], tuple[Lamp, ...]]] = {
    "fluoro": _strips,
    "side_lamp": _side_lamp,
    "window": _window,
    "warm_bulbs": _bulbs,
}
"""How the lamps of each lighting in `drawn.toml` are hung."""


def _anywhere(draw: random.Random, lamp: Hung) -> Triple:
    away = _of(draw, lamp.away_mm)
    azimuth = _any_azimuth(draw)
    return placed(away, azimuth, _of(draw, lamp.height_mm))


def _any_azimuth(draw: random.Random) -> float:
    return draw.uniform(0, 360)


def _of(draw: random.Random, span: float | Span) -> float:
    """A number from a range. A number that is always so draws nothing."""
    return span if isinstance(span, float) else draw.uniform(*span)


def _near(draw: random.Random, paint: Rgb, most: int) -> Rgb:
    """A paint, each channel at most so much more or less."""
    red, green, blue = (channel + draw.randint(-most, most) for channel in paint)
    return red, green, blue


def _between(draw: random.Random, whites: Whites) -> Rgb:
    red, green, blue = (draw.randint(a, b) for a, b in zip(whites.least, whites.most, strict=True))
    return red, green, blue
