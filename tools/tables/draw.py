"""Tables drawn at random, to be like the labelled ones and neither harder nor easier: `drawn("D1")`, …

Those named E differ in their dice alone: as the labelled ones do, they lean on each other and on the board's
edge too, and fall anywhere; and they are of other shapes. On those named F people stand about as on the
labelled ones besides: anywhere round the board, not in the way of the first lamp's light each time.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count

import numpy as np
from lens import HEIGHT, WIDTH, Lens
from looks import BOARD_MM, COOL, DAY, WARM, DieLook, Lamp, Rgb, Sensor, Table, View, placed

_ROUND = ("red", "green", "yellow", "blue")
_BOARD = {"red": (175, 35, 45), "green": (30, 106, 55), "yellow": (213, 160, 34), "blue": (42, 77, 150)}
_PIECES = {"red": (195, 24, 36), "green": (19, 113, 58), "yellow": (240, 188, 27), "blue": (27, 52, 138)}
_DICE = (
    ((184, 25, 32), (238, 236, 230)),
    ((236, 235, 230), (24, 24, 26)),
    ((230, 216, 182), (26, 24, 24)),
)
_OTHER_DICE = (
    ((26, 26, 28), (238, 236, 230)),
    ((28, 60, 132), (238, 236, 230)),
    ((24, 104, 52), (238, 236, 230)),
    ((232, 186, 44), (24, 24, 26)),
    ((184, 25, 32), (24, 24, 26)),
)
"""Such as nobody has at a scored table."""
_EDGE_PX = 8


def is_drawn(name: str) -> bool:
    """Whether a name is one of those by which tables are drawn: D, E or F and a number."""
    return name[0] in "DEF" and name[1:].isdecimal()


def drawn(name: str) -> Table:
    """The table of that name, always the same one; its board is whole in the picture."""
    tables = (_drawn(name if again == 1 else f"{name}.{again}") for again in count(1))
    return next(table for table in tables if _is_whole(table))


def die_looks(name: str, count: int) -> tuple[DieLook, ...]:
    """Dice of every kind, always the same ones for a name: half are painted as scored tables' may be."""
    draw = random.Random(f"dice {name}")
    return tuple(_shaped(draw, *draw.choice(draw.choice((_DICE, _OTHER_DICE)))) for _ in range(count))


def _shaped(draw: random.Random, body: Rgb, pips: Rgb) -> DieLook:
    return DieLook(
        _near(draw, body, 8),
        _near(draw, pips, 8),
        round_mm=draw.uniform(0.8, 2.6),
        pip_mm=draw.uniform(1.4, 1.95),
        apart_mm=draw.uniform(3.8, 4.5),
        deep_mm=draw.uniform(0.4, 1.2),
        rough=draw.uniform(0.15, 0.45),
        coat=draw.uniform(0.0, 0.5),
    )


def _is_whole(table: Table) -> bool:
    corners = np.array([(x, y, 0.0) for x in (0.0, BOARD_MM) for y in (0.0, BOARD_MM)])
    seen = Lens.of(table.view).project(corners)
    return bool(((seen > _EDGE_PX) & (seen < np.array([WIDTH, HEIGHT]) - _EDGE_PX)).all())


def _drawn(name: str) -> Table:
    draw = random.Random(name)
    lighting = draw.choice(("fluoro", "side_lamp", "window", "warm_bulbs"))
    lamps, cloth, weave, ambient_colour = _LIGHTS[lighting](draw)
    order = _ROUND if draw.random() < 0.5 else _ROUND[::-1]
    first = draw.randrange(4)
    die = DieLook(*draw.choice(_DICE))
    table = Table(
        seats=(order[first], order[first - 3], order[first - 2], order[first - 1]),
        lighting=lighting,
        board={colour: _near(draw, paint, 10) for colour, paint in _BOARD.items()},
        pieces={colour: _near(draw, paint, 10) for colour, paint in _PIECES.items()},
        wood=_near(draw, (209, 167, 115), 8),
        cloth=_near(draw, cloth, 10),
        weave=weave,
        lamps=lamps,
        view=View(
            height=draw.uniform(955, 1000),
            aim=(draw.uniform(270, 358), draw.uniform(262, 316)),
            tilt=draw.uniform(1, 10.5),
            tilt_az=draw.uniform(0, 360),
            yaw=90 * draw.randrange(4) + draw.uniform(0, 3.5),
            k1=-draw.uniform(0.003, 0.026),
            centre_px=(1151.5 + draw.uniform(-9, 9), 647.5 + draw.uniform(-9, 9)),
        ),
        die=die,
        sensor=Sensor(
            white=draw.uniform(0.22, 0.38),
            noise=draw.uniform(4, 9),
            balance=draw.uniform(0.4, 0.7),
            blur_px=draw.uniform(0.55, 0.7),
            jpeg=(88, 93),
        ),
        ambient=draw.uniform(0.14, 0.2),
        ambient_colour=ambient_colour,
        white=(draw.randint(218, 226), draw.randint(206, 216), draw.randint(172, 194)),
        height=draw.uniform(14.5, 20),
        matt=draw.uniform(0.3, 0.42),
        glossy=tuple(colour for colour in _ROUND if draw.random() < 0.25),
        panel=draw.choice(("round", "square", "rounded")),
        is_outlined=draw.random() < 0.6,
        corners=draw.uniform(0.4, 0.7) if draw.random() < 0.25 else 0.0,
        coat=draw.uniform(0.2, 0.6),
        sheen=draw.uniform(0.2, 0.35),
        wear=draw.uniform(0.4, 0.9),
        chipped=draw.uniform(0.25, 0.35),
        spots=draw.uniform(41.5, 46),
    )
    if name.startswith("D"):
        return table
    return replace(
        table, die=_shaped(draw, die.body, die.pips), thrown_anyhow=True, leant_over=name.startswith("F")
    )


_Light = tuple[tuple[Lamp, ...], Rgb, str, tuple[float, float, float]]


def _strips(draw: random.Random) -> _Light:
    turn = draw.uniform(0, 360)
    lamps = tuple(
        Lamp("strip", placed(away, turn, draw.uniform(1400, 1500)), (1200.0, 60.0), power, (0.96, 1.0, 0.9))
        for away, power in ((draw.uniform(160, 260), 0.5), (-draw.uniform(140, 220), 0.4))
    )
    return lamps, (28, 76, 62), "baize", (1.0, 1.0, 1.0)


def _side_lamp(draw: random.Random) -> _Light:
    turn = draw.uniform(0, 360)
    lamp = Lamp("bulb", placed(790, turn, draw.uniform(620, 740)), (28.0, 28.0), 0.8, (1.0, 0.85, 0.64))
    strip = placed(draw.uniform(450, 720), draw.uniform(0, 360), 1650)
    return (lamp, Lamp("strip", strip, (1200.0, 60.0), 0.1, COOL)), (86, 55, 42), "planks", (1.0, 1.0, 1.0)


def _window(draw: random.Random) -> _Light:
    window = placed(draw.uniform(1560, 1620), draw.uniform(0, 360), draw.uniform(990, 1100))
    strip = placed(draw.uniform(350, 1000), draw.uniform(0, 360), 1600)
    lamps = (
        Lamp("window", window, (1200.0, 900.0), 0.8, DAY),
        Lamp("strip", strip, (1200.0, 60.0), 0.12, COOL),
    )
    return lamps, (109, 117, 129), "steel", DAY


def _bulbs(draw: random.Random) -> _Light:
    turn = draw.uniform(0, 360)
    lamps = tuple(
        Lamp("bulb", placed(draw.uniform(600, 710), way, draw.uniform(1050, 1120)), (45.0, 45.0), power, WARM)
        for way, power in ((turn, 0.45), (turn + draw.uniform(135, 155), 0.4))
    )
    return lamps, (90, 62, 42), "planks", (1.0, 0.9, 0.75)


_LIGHTS = {"fluoro": _strips, "side_lamp": _side_lamp, "window": _window, "warm_bulbs": _bulbs}


def _near(draw: random.Random, paint: Rgb, most: int) -> Rgb:
    """A paint, each channel up to so much more or less."""
    red, green, blue = (channel + draw.randint(-most, most) for channel in paint)
    return red, green, blue
