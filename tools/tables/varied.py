"""Tables W1, W2, …: drawn like F, then varied in what calibration must bear: paint, bases, lamps and lens.

`varied.toml` has the ranges. The same name gives the same table for ever, so the order of drawing must stay.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from tools.tables.drawn import is_whole, once
from tools.tables.look import Light, Paints, Panel, Rgb, Scheme, Table, Triple, View
from tools.tables.ranges import Span
from tools.tables.typed_toml import load

FILE = Path(__file__).with_name("varied.toml")
LETTER = "W"
_FIRST_F = 90000
"""W1 is varied from F90001."""
_TRIES, _HIGHER, _UPRIGHTER = 40, 1.02, 0.8
"""After so many poses that do not show the whole board the camera hangs higher, and tilts less."""
_FOCAL_PX, _FILLS_MM = 1773.92, 680.0


@dataclass(frozen=True)
class Mixed:
    to: Rgb
    share: float


@dataclass(frozen=True)
class Tones:
    names: tuple[str, ...]
    dark: Mixed
    pastel: Mixed
    varnish: Triple
    varnish_on_white: Triple


@dataclass(frozen=True)
class Warm:
    chance: float
    green: Span
    blue: Span
    around: Light


@dataclass(frozen=True)
class Wide:
    size_px: tuple[int, int]
    focal: Span
    k1: Span
    k2: Span
    height_mm: Span
    tilt_deg: Span
    wider: float


@dataclass(frozen=True)
class Fours:
    size_px: tuple[int, int]
    half_deg: tuple[float, ...]
    minus_k1: Span
    height: Span
    tilt_deg: Span


@dataclass(frozen=True)
class Usual:
    focal: Span
    k1: Span
    height: Span
    tilt_deg: Span


@dataclass(frozen=True)
class Lenses:
    wide_chance: float
    fours_chance: float
    wide: Wide
    fours: Fours
    usual: Usual


@dataclass(frozen=True)
class Sensors:
    white: Span
    noise: Span
    balance: Span


@dataclass(frozen=True)
class Tables:
    ambient: Span
    fade: Span
    varnish: Span
    piece_height_mm: Span


@dataclass(frozen=True)
class Varying:
    """What `varied.toml` has."""

    schemes: tuple[Scheme, ...]
    paint_off: int
    own_green: float
    own_green_brighter: float
    plain_wood: float
    panels: tuple[Panel, ...]
    outlined: float
    aim_off_mm: tuple[Span, Span]
    yaw_off_deg: Span
    centre_off_px: Span
    paints: dict[str, tuple[Rgb, ...]]
    tones: Tones
    warm: Warm
    lenses: Lenses
    sensor: Sensors
    table: Tables


@cache
def varying() -> Varying:
    """What the file has. InputError says in one line what is wrong in it."""
    return load(FILE, Varying)


def is_varied(name: str) -> bool:
    """Whether a table of that name is one of these."""
    return name[:1] == LETTER and name[1:].isdecimal()


def varied(name: str) -> Table:
    """The table of that name, the same one each time. The camera sees the whole board."""
    number, may = int(name[1:]), varying()
    draw = random.Random(f"varied {number}")
    table = once(f"F{_FIRST_F + number}")
    seats = list(table.seats)
    draw.shuffle(seats)
    scheme, tone = draw.choice(may.schemes), draw.choice(may.tones.names)
    board, pieces, white = _paints(draw, table, tone)
    view, lens = _lens(draw)
    lamps, around = table.lamps, table.ambient_colour
    if draw.random() < may.warm.chance:
        colour = (1.0, draw.uniform(*may.warm.green), draw.uniform(*may.warm.blue))
        lamps, around = tuple(replace(lamp, colour=colour) for lamp in lamps), may.warm.around
    view = _posed(draw, table, view)
    s, t = may.sensor, may.table
    sensor = replace(
        table.sensor,
        white=draw.uniform(*s.white),
        noise=draw.uniform(*s.noise),
        balance=draw.uniform(*s.balance),
    )
    first, second, third, fourth = seats
    return replace(
        table,
        seats=(first, second, third, fourth),
        lighting=f"{table.lighting}/{scheme}/{tone}/{lens}",
        board=board,
        pieces=pieces,
        white_paint=white,
        view=view,
        lamps=lamps,
        ambient_colour=around,
        sensor=sensor,
        scheme=scheme,
        ambient=draw.uniform(*t.ambient),
        fade=draw.uniform(*t.fade),
        varnish=draw.uniform(*t.varnish),
        piece_height_mm=draw.uniform(*t.piece_height_mm),
        panel=draw.choice(may.panels),
        is_outlined=draw.random() < may.outlined,
        tinted_corners=0.0,
    )


def _paints(draw: random.Random, table: Table, tone: str) -> tuple[Paints, Paints, Rgb]:
    """The board's and the pieces' paint, and the white."""
    may = varying()
    board, pieces, off = dict(table.board), dict(table.pieces), may.paint_off
    for colour, tins in may.paints.items():
        tin = draw.choice(tins)
        board[colour] = _paint(v + draw.randint(-off, off) for v in tin)
        if colour == "green" and draw.random() < may.own_green:
            pieces[colour] = _paint(v * may.own_green_brighter + draw.randint(-off, off) for v in tin)
    white, tones = table.white_paint, may.tones
    if tone in ("dark", "pastel"):
        mixed = tones.dark if tone == "dark" else tones.pastel
        to = np.array(mixed.to) * mixed.share
        board = {k: _paint(np.array(v) * (1 - mixed.share) + to) for k, v in board.items()}
    if tone == "varnished":
        board = {k: _paint(np.array(v) * tones.varnish) for k, v in board.items()}
        white = _paint(np.array(white) * tones.varnish_on_white)
    if draw.random() < may.plain_wood:
        white = table.wood
    return board, pieces, white


def _paint(channels: Iterable[float]) -> Rgb:
    red, green, blue = (int(np.clip(v, 4, 250)) for v in channels)
    return red, green, blue


def _lens(draw: random.Random) -> tuple[View, str]:
    """The camera over the board's middle, level, and what people call its picture."""
    may = varying().lenses
    is_wide, is_fours = draw.random() < may.wide_chance, draw.random() < may.fours_chance
    view = View(0.0, (305.0, 305.0), 0.0, 0.0, 0.0, 0.0)
    if is_wide:
        wide = may.wide
        focal = wide.size_px[0] * draw.uniform(*wide.focal)
        k1, k2 = draw.uniform(*wide.k1), draw.uniform(*wide.k2)
        height, tilt = draw.uniform(*wide.height_mm), draw.uniform(*wide.tilt_deg)
        size, wider = wide.size_px, wide.wider
        view = replace(view, focal_px=focal, k1=k1, k2=k2, size_px=size, wider=wider)
        return replace(view, height_mm=height, tilt_deg=tilt), "wide"
    if is_fours:
        fours = may.fours
        width, tall = fours.size_px
        focal = float(width / 2 / np.tan(np.radians(draw.choice(fours.half_deg))))
        k1 = -draw.uniform(*fours.minus_k1)
        height = focal * _FILLS_MM / tall * draw.uniform(*fours.height)
        view = replace(view, focal_px=focal, k1=k1, size_px=fours.size_px, height_mm=height)
        return replace(view, tilt_deg=draw.uniform(*fours.tilt_deg)), "43"
    focal = _FOCAL_PX * draw.uniform(*may.usual.focal)
    k1 = draw.uniform(*may.usual.k1)
    height = focal * draw.uniform(*may.usual.height)
    view = replace(view, focal_px=focal, k1=k1, height_mm=height)
    return replace(view, tilt_deg=draw.uniform(*may.usual.tilt_deg)), "169"


def _posed(draw: random.Random, table: Table, view: View) -> View:
    """The camera aimed and turned so that it sees the whole board; the last try if none does."""
    may = varying()
    (left, right), (up, down) = may.aim_off_mm
    width, tall = view.size_px
    off = may.centre_off_px
    posed = view
    for k in range(10 * _TRIES):
        posed = replace(
            view,
            aim_mm=(305 + draw.uniform(left, right), 305 + draw.uniform(up, down)),
            tilt_az_deg=draw.uniform(0, 360),
            yaw_deg=90 * draw.randrange(4) + draw.uniform(*may.yaw_off_deg),
            centre_px=((width - 1) / 2 + draw.uniform(*off), (tall - 1) / 2 + draw.uniform(*off)),
        )
        if is_whole(replace(table, view=posed)):
            break
        if k % _TRIES == _TRIES - 1:
            view = replace(view, height_mm=view.height_mm * _HIGHER, tilt_deg=view.tilt_deg * _UPRIGHTER)
    return posed
