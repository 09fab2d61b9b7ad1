"""Reading a frame: from a picture and a table's profile to a sighting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import Sighting, Stray
from uckers_table.vision.appearance import Canvas, Evidence, Map, Noise, evidence, light_change, softened, white_light
from uckers_table.vision.camera import Camera, Image
from uckers_table.vision.pieces import Shape, Stack, find
from uckers_table.vision.profile import TableProfile


@dataclass(frozen=True)
class Looked:
    """One frame, laid flat and taken apart: what `Reader.look` gives and overlays and tests can show."""

    camera: Camera
    now: Map
    gain: Map
    noise: Noise
    seen: Evidence
    stacks: tuple[Stack, ...]


class Reader:
    """Reads frames of one table; knows nothing of the frame before."""

    def __init__(self, profile: TableProfile) -> None:
        self.profile = profile
        self.plan: Plan = profile.plan
        self.canvas = Canvas(self.plan.side_mm)
        self._fine = Canvas(self.plan.side_mm, 2.0)
        self._maps = cv2.convertMaps(*self._fine.maps(profile.camera), cv2.CV_16SC2)
        bare = self._flat(profile.bare)
        self.bare = softened(bare, self.canvas)
        self.white = white_light(bare, self.canvas, self.plan)
        self._colours = np.array(profile.piece_colours, dtype=np.float32)

    def _flat(self, picture: Image) -> Image:
        laid = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR)
        return np.asarray(
            cv2.resize(laid, (self.canvas.size, self.canvas.size), interpolation=cv2.INTER_AREA), dtype=np.uint8
        )

    def look(self, picture: Image) -> Looked:
        """Takes a picture apart; ProfileError for one of another size."""
        self.profile.check_size(picture)
        flat = self._flat(picture)
        now = softened(flat, self.canvas)
        gain = light_change(flat, self.bare)
        noise = Noise.between(now / gain, self.bare)
        seen = evidence(now, self.bare, self.white, gain, self._colours, noise)
        p = self.profile
        shape = Shape(p.camera, self.canvas, p.piece_height_mm, p.piece_diameter_mm, p.piece_solid_mm)
        return Looked(self.profile.camera, now, gain, noise, seen, tuple(find(seen, shape, self._colours)))

    def read(self, picture: Image) -> Sighting:
        """What a BGR picture of the table shows."""
        looked = self.look(picture)
        return self._sighting(looked)

    def _sighting(self, looked: Looked) -> Sighting:
        seats = self.profile.seats
        pieces: dict[str, list[int]] = {colour: [] for colour in seats}
        strays: list[Stray] = []
        for stack in _at_most_four(looked.stacks, len(seats)):
            for seat in stack.colours:
                steps = self.steps_at(seat, stack.x_mm, stack.y_mm)
                if steps is None:
                    strays.append(Stray(seats[seat], self.plan.cell_at(stack.x_mm, stack.y_mm)))
                else:
                    pieces[seats[seat]].append(steps)
        return Sighting({c: tuple(sorted(s)) for c, s in pieces.items()}, tuple(strays))

    def steps_at(self, seat: int, x_mm: float, y_mm: float) -> int | None:
        """The steps of a seat's piece that stands there; None where its colour never stands."""
        cell = self.plan.cell_at(x_mm, y_mm)
        if cell is None:
            return None
        if self.plan.base_of(cell) == seat:
            return BASE
        if self.plan.is_home(cell):
            return self.plan.board.home
        return self.plan.steps_by_cell[seat].get(cell)


def _at_most_four(stacks: Sequence[Stack], seats: int) -> list[Stack]:
    """The stacks with at most four pieces of each colour in all: the best tops first, then what is under them."""
    left = [PIECES] * seats
    tops = []
    for stack in sorted(stacks, key=lambda s: -s.score):
        if left[stack.colours[-1]]:
            left[stack.colours[-1]] -= 1
            tops.append(stack)
    out = []
    for stack in tops:
        under: list[int] = []
        for seat in reversed(stack.colours[:-1]):
            if not left[seat]:
                break
            left[seat] -= 1
            under.insert(0, seat)
        out.append(replace(stack, colours=(*under, stack.colours[-1])))
    return out
