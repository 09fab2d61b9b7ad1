"""What else lies on a mess table: a mug, playing cards, a pad, coppers. None of it lies on the board.

It is drawn once into the bare table, in linear light, before the board is laid over it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, radians, sin

import cv2
import numpy as np

from uckers_table.simulator.arrays import Numbers
from uckers_table.simulator.brush import Box, Stencil
from uckers_table.simulator.look import Lamp, Rgb
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.paint import Linear, linear
from uckers_table.simulator.solids import brightness, ring

Outline = list[tuple[float, float]]

PAPER: Rgb = (226, 224, 214)
MUG: Rgb = (222, 222, 218)
COFFEE: Rgb = (62, 36, 22)
COPPER: Rgb = (150, 92, 58)
INK: Rgb = (60, 66, 96)
CARD_BACK: Rgb = (70, 90, 150)

_SUBPIXEL_BITS = 4


@dataclass(frozen=True)
class MessTable:
    """The table's picture, and how it is seen.

    `picture`: (height, width, 3), in linear light. It is drawn into.
    `depth_mm`: how far below the board's top the table lies.
    """

    picture: Linear
    view: Viewpoint
    lights: tuple[Lamp, ...]
    depth_mm: float

    def fill(self, outline: Numbers, colour: Rgb, tone: float = 1.0) -> None:
        """Fills the hull of points (N, 3) of the plan frame, in mm."""
        self.fill_all([outline], colour, [tone])

    def fill_all(self, outlines: Sequence[Numbers], colour: Rgb, tones: Sequence[float]) -> None:
        """Fills the hulls of several sets of points (N, 3) as one thing without seams."""
        flat = [self.view.project(outline).astype(np.float32) for outline in outlines]
        sheet = Stencil(Box.around(np.vstack(flat).astype(np.float64), 2.0))
        for points, tone in zip(flat, tones, strict=True):
            hull = cv2.convexHull(points).reshape(-1, 2).astype(np.float64)
            sheet.fill(hull, linear(colour) * tone)
        sheet.finished().lay_over(self.picture, Box(0, 0, self.view.width, self.view.height))

    def shade(self, outline: Numbers, height_mm: float) -> None:
        """Darkens the table where a thing of this height over an outline (N, 3) keeps the light off."""
        for light in self.lights:
            lamp = np.array([light.x_mm, light.y_mm])
            reach = height_mm / (light.height_mm - height_mm)
            fallen = outline.copy()
            fallen[:, :2] += (outline[:, :2] - lamp) * reach
            mask = np.zeros(self.picture.shape[:2], np.uint8)
            points = self.view.project(np.vstack([outline, fallen])) * (1 << _SUBPIXEL_BITS)
            hull = cv2.convexHull(np.rint(points).astype(np.int32).reshape(-1, 1, 2))
            cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SUBPIXEL_BITS)
            soft = np.asarray(
                cv2.GaussianBlur(mask, (0, 0), 1.0 + light.soft_mm * height_mm / 40.0), np.float32
            )
            self.picture[...] *= 1.0 - soft[..., None] * np.float32(light.share / 255.0)

    def flat(self, outline: Outline, up_mm: float = 0.0) -> Numbers:
        """The points (N, 3) of an outline of the plan, in mm, this far above the table."""
        return np.array([(x, y, self.depth_mm - up_mm) for x, y in outline])


def strew(table: MessTable, side_mm: float, seed: int) -> None:
    """Puts four things beside the board, which is `side_mm` square."""
    luck = random.Random(f"clutter {seed}")
    left, right = -luck.uniform(120.0, 190.0), side_mm + luck.uniform(130.0, 200.0)
    places = [(x, y) for x in (left, right) for y in (70.0, 300.0, 540.0)]
    luck.shuffle(places)
    things: list[Callable[[MessTable, float, float, random.Random], None]] = [
        _mug,
        _card,
        _coppers,
        _pad,
        _card_back,
    ]
    for thing, (x, y) in zip(luck.sample(things, 4), places, strict=False):
        thing(table, x, y + luck.uniform(-40.0, 40.0), luck)


def _turned(x: float, y: float, width: float, height: float, turn_deg: float) -> Outline:
    c, s = cos(radians(turn_deg)), sin(radians(turn_deg))
    corners = ((-width, -height), (width, -height), (width, height), (-width, height))
    return [(x + (a * c - b * s) / 2, y + (a * s + b * c) / 2) for a, b in corners]


def _mug(table: MessTable, x: float, y: float, luck: random.Random) -> None:
    tall, radius = 92.0, 40.0
    foot = ring(x, y, table.depth_mm, radius * 0.94, 48)
    rim = ring(x, y, table.depth_mm - tall, radius, 48)
    turn = luck.uniform(0.0, 2 * pi)
    handle = (x + cos(turn) * (radius + 14.0), y + sin(turn) * (radius + 14.0))
    table.shade(foot, tall)
    for up, tone in ((40.0, 0.6), (56.0, 0.75)):
        table.fill(ring(*handle, table.depth_mm - up, 10.0, 20), MUG, tone)
        table.fill(ring((x + handle[0]) / 2, (y + handle[1]) / 2, table.depth_mm - up, 16.0, 20), MUG, tone)
    strips = [np.vstack([foot[[i, (i + 1) % 48]], rim[[i, (i + 1) % 48]]]) for i in range(48)]
    facing = (np.array([cos(a), sin(a), 0.0]) for a in (2 * pi * (i + 0.5) / 48 for i in range(48)))
    table.fill_all(strips, MUG, [brightness(normal, x, y, table.lights) for normal in facing])
    table.fill(rim, MUG)
    table.fill(ring(x, y, table.depth_mm - tall + 1.0, radius - 4.0, 48), MUG, 0.5)
    table.fill(ring(x, y, table.depth_mm - tall + 16.0, radius - 5.0, 48), COFFEE)


def _card(table: MessTable, x: float, y: float, luck: random.Random) -> None:
    turn = luck.uniform(-60.0, 60.0)
    outline = table.flat(_turned(x, y, 63.0, 88.0, turn))
    table.shade(outline, 0.8)
    table.fill(outline, PAPER)
    colour = luck.choice(((170, 30, 36), (34, 34, 38)))
    c, s = cos(radians(turn)), sin(radians(turn))
    for row in (-28.0, -9.0, 9.0, 28.0):
        for column in (-12.0, 12.0):
            pip = (x + column * c - row * s, y + column * s + row * c)
            table.fill(table.flat(_turned(*pip, 6.0, 6.0, turn + 45.0)), colour)


def _card_back(table: MessTable, x: float, y: float, luck: random.Random) -> None:
    turn = luck.uniform(-60.0, 60.0)
    outline = table.flat(_turned(x, y, 63.0, 88.0, turn))
    table.shade(outline, 0.8)
    table.fill(outline, PAPER)
    table.fill(table.flat(_turned(x, y, 53.0, 78.0, turn)), CARD_BACK)


def _coppers(table: MessTable, x: float, y: float, luck: random.Random) -> None:
    for _ in range(luck.randint(2, 3)):
        at = (x + luck.uniform(-35.0, 35.0), y + luck.uniform(-35.0, 35.0))
        coin = ring(*at, table.depth_mm - 1.8, luck.choice((10.2, 13.0)), 32)
        table.shade(coin, 1.8)
        table.fill(coin, COPPER, luck.uniform(0.8, 1.2))


def _pad(table: MessTable, x: float, y: float, luck: random.Random) -> None:
    turn = luck.uniform(-30.0, 30.0)
    outline = table.flat(_turned(x, y, 105.0, 148.0, turn), 4.0)
    table.shade(outline, 4.0)
    table.fill(outline, PAPER)
    c, s = cos(radians(turn)), sin(radians(turn))
    for line in range(9):
        row, width = -58.0 + 13.0 * line, luck.uniform(25.0, 80.0) if line < 6 else 0.0
        middle = (-42.0 + width / 2, row)
        at = (x + middle[0] * c - middle[1] * s, y + middle[0] * s + middle[1] * c)
        if width:
            table.fill(table.flat(_turned(*at, width, 1.6, turn), 4.0), INK)
