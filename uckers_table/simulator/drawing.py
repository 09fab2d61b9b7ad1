"""Draws pieces, dice and hands into a part of a frame, in linear light, over what is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot

import cv2
import numpy as np

from uckers_table.simulator.arrays import Numbers
from uckers_table.simulator.brush import Box, Colour, Sprite, Stencil, shade_polygon
from uckers_table.simulator.look import BRASS, Look
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.paint import Linear, linear
from uckers_table.simulator.scene import DIE_MM, PIECE_DIAMETER_MM, Die, Hand, WoodenPiece
from uckers_table.simulator.solids import (
    PIP_RADIUS_MM,
    Limb,
    brightness,
    die_faces,
    hand_limbs,
    piece_hull,
    ring,
    shadow_on_board,
)

Solid = WoodenPiece | Die | Hand

RADIUS = PIECE_DIAMETER_MM / 2
SEGMENTS = 20
"""The flat strips that make up a casing's round side. Each is at most 3 px wide."""
HAND_SOFTNESS = 3.0
"""How much softer a hand's shadow is than a piece's, since the hand is farther from the board."""
FINEST_BLUR_PX = 2.5
"""A soft shadow is drawn coarsely. Its blur is still at least this many of its own pixels wide."""
SEAM = 0.4
"""The part of the light that is gone where something stands on the board."""
RELIEF_BLUR_PX = 1.6
"""A blur that rounds the creases between the parts of a hand, as skin does."""


@dataclass(frozen=True)
class Draughtsman:
    """Draws solids, seen from one viewpoint under one look.

    `seats`: the pieces' colours, clockwise.
    `light_at`: the light on the board's plane (height, width, 3), for the whole frame.
    """

    view: Viewpoint
    look: Look
    seats: tuple[str, ...]
    light_at: Linear

    @cached_property
    def footprint(self) -> Callable[[Solid], Box]:
        """Gives the pixels that a solid and its shadows may touch."""
        return lru_cache(maxsize=128)(self._footprint)

    def _footprint(self, solid: Solid) -> Box:
        hulls = self._hulls(solid)
        px_per_mm = self._px_per_mm
        boxes = [Box.around(self.view.project(np.vstack(hulls)), 6.0)]
        for light in self.look.lights:
            softness = light.soft_mm * px_per_mm * (HAND_SOFTNESS if isinstance(solid, Hand) else 1.0)
            fallen = np.vstack([shadow_on_board(hull, light) for hull in hulls])
            boxes.append(Box.around(self.view.project(fallen), 2.5 * softness + 4.0))
        out = boxes[0]
        for box in boxes[1:]:
            out = out.joined(box)
        return out

    def order(self, solid: Solid) -> tuple[int, float]:
        """A key that sorts solids so that each is drawn before those in front of it."""
        if isinstance(solid, Hand):
            return 1, 0.0
        up = solid.level * self.look.piece_height_mm if isinstance(solid, WoodenPiece) else 0.0
        x, y, z = self.view.centre_mm
        return 0, -(hypot(solid.x_mm - x, solid.y_mm - y) ** 2 + (up + z) ** 2)

    def cast_shadows(self, picture: Linear, part: Box, solids: list[Solid]) -> None:
        """Darkens the board where solids keep the light off, and in the seam where they stand on it."""
        small = [s for s in solids if not isinstance(s, Hand)]
        high = [hull for s in solids if isinstance(s, Hand) for hull in self._hulls(s)]
        for light in self.look.lights:
            share, soft_px = 0.92 * light.share, light.soft_mm * self._px_per_mm
            fallen = [
                self.view.project(np.vstack([shadow_on_board(hull, light), hull * (1.0, 1.0, 0.0)]))
                for solid in small
                for hull in self._hulls(solid)
            ]
            _darken(picture, part, fallen, share, soft_px)
            reaching = [self.view.project(shadow_on_board(hull, light)) for hull in high]
            _darken(picture, part, reaching, share, HAND_SOFTNESS * soft_px)
        seams = [
            self.view.project(
                self._hulls(solid)[0] * (1.0, 1.0, 0.0)
                if isinstance(solid, Die)
                else ring(solid.x_mm, solid.y_mm, 0.0, RADIUS + 2.0, 24)
            )
            for solid in small
            if isinstance(solid, Die) or solid.level == 0
        ]
        _darken(picture, part, seams, SEAM, 2.0 * self._px_per_mm)

    @property
    def _px_per_mm(self) -> float:
        """The pixels of a millimetre on the board, near the middle of the picture."""
        return self.view.focal_px / self.view.height_mm

    def draw(self, picture: Linear, part: Box, solid: Solid) -> None:
        """Draws one solid into `picture`, which shows `part` of the frame."""
        if isinstance(solid, Hand):
            self._draw_hand(picture, part, solid)
            return
        self._sprite(solid).lay_over(picture, part)

    @cached_property
    def _sprite(self) -> Callable[[WoodenPiece | Die], Sprite]:
        """Draws a piece or a die. It remembers the last ones, because most stay where they are."""

        def drawn(solid: WoodenPiece | Die) -> Sprite:
            sheet = Stencil(Box.around(self.view.project(np.vstack(self._hulls(solid))), 3.0))
            if isinstance(solid, WoodenPiece):
                self._draw_piece(sheet, solid)
            else:
                self._draw_die(sheet, solid)
            return sheet.finished()

        return lru_cache(maxsize=64)(drawn)

    def _hulls(self, solid: Solid) -> list[Numbers]:
        if isinstance(solid, WoodenPiece):
            return [piece_hull(solid, self.look.piece_height_mm)]
        if isinstance(solid, Die):
            return [np.vstack([face.corners for face in die_faces(solid)[::5]])]
        return [_limb_hull(limb) for limb in hand_limbs(solid)]

    def _light(self, x_mm: float, y_mm: float) -> Linear:
        """The light (3,) on the board at a point of the plan; outside the frame, that of its nearest edge."""
        u, v = self.view.project([[x_mm, y_mm, 0.0]])[0]
        column = min(max(round(u), 0), self.view.width - 1)
        row = min(max(round(v), 0), self.view.height - 1)
        return np.asarray(self.light_at[row, column], np.float32)

    def _draw_piece(self, sheet: Stencil, piece: WoodenPiece) -> None:
        x, y = piece.x_mm, piece.y_mm
        tall = self.look.piece_height_mm
        low = -piece.level * tall
        grain = np.random.default_rng(piece.grain)
        light = self._light(x, y)
        paint = linear(self.look.piece_paints[self.seats[piece.seat]]) * np.float32(grain.uniform(0.93, 1.07))
        brass = linear(BRASS)
        # The heights of a case head's bands, from the body up: body, extractor groove, rim.
        bands = (
            (0.0, 0.66, RADIUS * 0.99, 0.8),
            (0.66, 0.8, RADIUS * 0.86, 0.45),
            (0.8, 0.97, RADIUS, 1.0),
        )
        for bottom, top, radius, tone in bands:
            self._draw_band(
                sheet, (x, y), (low - bottom * tall, low - top * tall), radius, light * paint * tone
            )
        top_z = low - tall
        bevel = brass * 0.7 if self.look.bare_rims else paint * 1.12
        sheet.fill(self.view.project(ring(x, y, top_z + 0.03 * tall, RADIUS, 40)), light * bevel)
        self._draw_worn_rim(sheet, piece, grain, top_z, light * brass)
        face = self.view.project(ring(x, y, top_z, RADIUS - 0.9, 40))
        sheet.fill(face, light * paint)
        primer = self.view.project(ring(x, y, top_z, RADIUS * 0.36, 24))
        px_per_mm = self._px_per_mm
        sheet.stroke(primer, 0.7 * px_per_mm, light * paint * 0.68, closed=True)
        self._draw_glint(sheet, piece, top_z, light, paint, px_per_mm)

    def _draw_band(
        self,
        sheet: Stencil,
        xy: tuple[float, float],
        depths: tuple[float, float],
        radius: float,
        colour: Colour,
    ) -> None:
        """The side of a cylinder between two depths, as far as the camera sees it."""
        lower = self.view.project(ring(*xy, depths[0], radius, SEGMENTS))
        upper = self.view.project(ring(*xy, depths[1], radius, SEGMENTS))
        away = self.view.centre_mm[:2] - xy
        for i in range(SEGMENTS):
            j = (i + 1) % SEGMENTS
            angle = 2 * np.pi * (i + 0.5) / SEGMENTS
            normal = np.array([np.cos(angle), np.sin(angle), 0.0])
            if normal[:2] @ away < -0.3 * np.hypot(*away):
                continue
            tone = brightness(normal, *xy, self.look.lights)
            sheet.fill(np.stack([lower[i], lower[j], upper[j], upper[i]]), colour * tone)

    def _draw_worn_rim(
        self, sheet: Stencil, piece: WoodenPiece, grain: np.random.Generator, top_z: float, brass: Colour
    ) -> None:
        """Short arcs of bare brass where thumbs have rubbed the paint off."""
        around = self.view.project(ring(piece.x_mm, piece.y_mm, top_z + 0.3, RADIUS - 0.6, 40))
        width = 0.6 * self._px_per_mm
        for _ in range(int(grain.poisson(1.0 + 3.0 * self.look.wear))):
            first, length = int(grain.integers(40)), int(grain.integers(2, 6))
            arc = np.take(around, range(first, first + length), axis=0, mode="wrap")
            sheet.stroke(arc, width, brass * np.float32(grain.uniform(0.6, 1.2)))

    def _draw_glint(
        self, sheet: Stencil, piece: WoodenPiece, top_z: float, light: Linear, paint: Linear, px_per_mm: float
    ) -> None:
        """The lamps mirrored in the gloss of the top: small arcs on the side that faces them."""
        for lamp in self.look.lights:
            way = np.arctan2(lamp.y_mm - piece.y_mm, lamp.x_mm - piece.x_mm)
            angles = way + np.linspace(-0.35, 0.35, 5)
            arc = np.column_stack(
                [
                    piece.x_mm + RADIUS * 0.74 * np.cos(angles),
                    piece.y_mm + RADIUS * 0.74 * np.sin(angles),
                    np.full(5, top_z),
                ]
            )
            shine = light * (paint + np.float32(0.55 * self.look.gloss * lamp.share))
            sheet.stroke(self.view.project(arc), 0.9 * px_per_mm, shine)

    def _draw_die(self, sheet: Stencil, die: Die) -> None:
        light = self._light(die.x_mm, die.y_mm)
        body, pip = linear(self.look.die), linear(self.look.pips)
        px_per_mm = self._px_per_mm
        for face in sorted(die_faces(die), key=lambda f: -f.normal[2], reverse=True):
            middle = face.corners.mean(axis=0)
            if face.normal @ (self.view.centre_mm - middle) <= 0:
                continue
            tone = light * np.float32(brightness(face.normal, die.x_mm, die.y_mm, self.look.lights))
            core = middle + 0.8 * (face.corners - middle)
            outline = self.view.project(core)
            sheet.fill(outline, tone * body)
            sheet.stroke(outline, 0.2 * DIE_MM * px_per_mm, tone * body, closed=True)
            for centre in face.pips:
                turns = np.linspace(0.0, 2 * np.pi, 14, endpoint=False)[:, None]
                u, v = face.axes
                spot = centre + PIP_RADIUS_MM * (np.cos(turns) * u + np.sin(turns) * v)
                sheet.fill(self.view.project(spot), tone * pip)

    def _draw_hand(self, picture: Linear, part: Box, hand: Hand) -> None:
        """A hand as one rounded relief. So fingers grow out of the palm without seams."""
        limbs = hand_limbs(hand)
        box = self.footprint(hand).within(part)
        if box.empty:
            return
        relief = np.zeros((box.bottom - box.top, box.right - box.left), np.float32)
        cover, cloth = np.zeros_like(relief), np.zeros_like(relief)
        for limb in limbs:
            self._raise_limb(limb, box, relief, cover, cloth)
        relief = np.asarray(cv2.GaussianBlur(relief, (0, 0), RELIEF_BLUR_PX), np.float32)
        slope_x, slope_y = cv2.Sobel(relief, cv2.CV_32F, 1, 0), cv2.Sobel(relief, cv2.CV_32F, 0, 1)
        slope_x, slope_y = slope_x * np.float32(0.125), slope_y * np.float32(0.125)
        lamp = self._lamp_side()
        steep = 1.0 / np.sqrt(1.0 + slope_x * slope_x + slope_y * slope_y)
        tone = (0.4 + 0.6 * steep - 0.45 * steep * (slope_x * lamp[0] + slope_y * lamp[1])) * cover
        light = self._light(hand.x_mm, hand.y_mm)
        skin, sleeve = linear(self.look.skin) * light, linear(self.look.sleeve) * light
        there = picture[box.seen_from(part).slices]
        kept = 1.0 - cover
        for channel in range(3):
            paint = skin[channel] + cloth * (sleeve[channel] - skin[channel])
            there[..., channel] = there[..., channel] * kept + np.maximum(tone, 0.05 * cover) * paint

    def _raise_limb(self, limb: Limb, box: Box, relief: Linear, cover: Linear, cloth: Linear) -> None:
        """Adds a limb to a hand: its height in pixels, where it covers, and where it is sleeve."""
        both = np.stack([limb.start, limb.end])
        ends = self.view.project(both)
        depth = (both @ self.view.rotation.T + self.view.translation)[:, 2]
        scale = self.view.focal_px / depth
        wide = np.array([limb.start_mm, limb.end_mm]) * scale
        part = Box.around(ends, float(wide.max()) + 2.0).within(box)
        if part.empty:
            return
        columns = np.arange(part.left, part.right, dtype=np.float32)[None, :] - np.float32(ends[0, 0])
        rows = np.arange(part.top, part.bottom, dtype=np.float32)[:, None] - np.float32(ends[0, 1])
        along = (ends[1] - ends[0]).astype(np.float32)
        share = np.clip((columns * along[0] + rows * along[1]) / np.float32(along @ along + 1e-6), 0.0, 1.0)
        off_x, off_y = columns - share * along[0], rows - share * along[1]
        radius = np.float32(wide[0]) + share * np.float32(wide[1] - wide[0])
        inside = radius * radius - off_x * off_x - off_y * off_y
        up = (
            np.float32(-limb.start[2] * scale[0])
            + share * np.float32(limb.start[2] - limb.end[2]) * scale.mean()
        )
        height = np.where(inside > 0, up + np.sqrt(np.maximum(inside, 0.0)), 0.0).astype(np.float32)
        if limb.cloth:
            height += (
                (inside > 0) * np.float32(2.5) * np.sin(share * 60.0 + 0.03 * off_x) * np.sin(share * 23.0)
            )
        here = part.seen_from(box).slices
        edge = np.clip(inside / (2.0 * radius) + 0.5, 0.0, 1.0)
        higher = height > relief[here]
        cloth[here] = np.where(higher, np.float32(limb.cloth), cloth[here])
        np.maximum(relief[here], height, out=relief[here])
        np.maximum(cover[here], edge, out=cover[here])

    def _lamp_side(self) -> tuple[float, float]:
        """The direction of the lamps in the picture from the board's middle: a vector up to unit length."""
        lamps = self.look.lights
        reach = sum(lamp.share for lamp in lamps)
        x = sum((lamp.x_mm - 305.0) * lamp.share for lamp in lamps) / reach
        y = sum((lamp.y_mm - 305.0) * lamp.share for lamp in lamps) / reach
        way = self.view.rotation[:2] @ np.array([x, y, 0.0])
        size = max(1.0, float(np.hypot(*way)))
        lean = min(1.0, size / 1000.0)
        return float(way[0] / size * lean), float(way[1] / size * lean)


def _darken(picture: Linear, part: Box, outlines: list[Numbers], share: float, soft_px: float) -> None:
    """Takes `share` of the light away inside outlines (N, 2) of the frame, softly at their edges."""
    if not outlines:
        return
    # The mask reaches beyond the part, so that shade from outside softens into it. Very soft edges are drawn
    # coarsely. Their steps count from the frame's corner, so that all parts of a frame agree.
    coarse = max(1, int(soft_px / FINEST_BLUR_PX))
    around = part.grown(int(np.ceil(3.0 * soft_px)) + coarse).snapped(coarse)
    width, height = around.right - around.left, around.bottom - around.top
    mask = np.zeros((height // coarse, width // coarse), np.uint8)
    for outline in outlines:
        shade_polygon(mask, outline, around, coarse)
    if soft_px > 0.4:
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px / coarse), np.uint8)
    if coarse > 1:
        mask = np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    kept = 1.0 - mask[part.seen_from(around).slices].astype(np.float32) * np.float32(share / 255.0)
    cv2.multiply(picture, cv2.merge((kept, kept, kept)), dst=picture)


def _ball(centre: Numbers, radius_mm: float) -> Numbers:
    return ring(float(centre[0]), float(centre[1]), float(centre[2]), radius_mm, 12)


def _limb_hull(limb: Limb) -> Numbers:
    return np.vstack(
        [
            _ball(limb.start, limb.start_mm),
            _ball(limb.end, limb.end_mm),
        ]
    )
