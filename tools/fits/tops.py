"""Fits the weights of `tops`: which discs are tops of pieces, by how they look.

Every disc that the reader weighs first is an example. It is a top if the top of a piece of its colour lies
within 4 mm, and none if no top of its colour lies within 14 mm. The others are left out, misplaced or on a
stack's side as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from tools.fits.examples import wrong_and_nats
from tools.fits.labelled import LabelledTable, Piece
from tools.fits.watching import put_in_place
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Flags, Floats, Map, Places
from uckers_table.vision.pieces import pieces, tops
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.place.camera import CameraModel

NEAR_MM, CLEAR_MM = 4.0, 14.0
LEAST_FREE = 0.4
"""What other pieces cover is weighed by what was free before."""
RIDGE = 3.0
"""Holds the weights of standardised looks small: less fits the tables at hand better, and others worse."""


class Watched(tops.Likeness):
    """Keeps what was last weighed of each disc of the frame read last."""

    last: Watched

    def __init__(self, discs: tops.Discs, seen: Evidence, colours: Map, shape: Shape) -> None:
        super().__init__(discs, seen, colours, shape)
        self.at_px, self.seats, self.shape = discs.at_px, self.colours, shape
        self.weighed = np.full((len(discs), len(tops.WEIGHTS)), np.nan)
        self._ids = np.arange(len(discs))
        Watched.last = self

    def where(self, order: Places) -> Watched:
        """The same in another order, kept in the same place."""
        out = super().where(order)
        assert isinstance(out, Watched)
        out._ids = self._ids[order]
        return out

    def looks(self, free: Flags, some: Places | slice = tops.EVERY_DISC) -> Floats:
        """As always, and noted."""
        out = super().looks(free, some)
        clear = free.mean(axis=1) >= LEAST_FREE
        self.weighed[self._ids[some][clear]] = out[clear]
        return out


def watched(
    discs: tops.Discs, seen: Evidence, colours: Map, shape: Shape, may_mirror: bool = False
) -> tops.Likeness:
    """The likeness that the reader asks for. One that allows for lamps is not learned from: it comes where a
    piece is missing, after all discs were weighed without.
    """
    if may_mirror:
        return tops.Likeness(discs, seen, colours, shape, may_mirror)
    return Watched(discs, seen, colours, shape)


@dataclass
class Examples:
    """Looks (N, looks), whether they are tops (N,), and of which table (N,)."""

    looks: list[Floats] = field(default_factory=list)
    tops: list[Flags] = field(default_factory=list)
    table: list[str] = field(default_factory=list)

    def add(
        self, watched: Watched, camera: CameraModel, colours: Sequence[str], labels: list[Piece], table: str
    ) -> None:
        """The discs of one frame whose pieces are `labels`, of these colours, clockwise."""
        shown = [p for p in labels if p["place"] != "floor" and p["visible"] > 0.15]
        seats = np.array([colours.index(p["colour"]) for p in shown])
        canvas = watched.shape.canvas
        at = canvas.px(camera.unproject(np.array([p["px"] for p in shown])))
        apart = np.linalg.norm(watched.at_px[:, None] - at[None], axis=2) / canvas.px_per_mm
        own = np.where(watched.seats[:, None] == seats[None], apart, np.inf).min(axis=1)
        other = np.where(watched.seats[:, None] == seats[None], np.inf, apart).min(axis=1)
        is_top = own < NEAR_MM
        kept = (is_top | (own > CLEAR_MM) | (other < NEAR_MM)) & ~np.isnan(watched.weighed).any(axis=1)
        self.looks.append(watched.weighed[kept])
        self.tops.append(is_top[kept])
        self.table += [table] * int(kept.sum())


def read_table(folder: Path, quality: int | None, examples: Examples) -> None:
    """Reads all frames of a table in which no hand is."""
    table = LabelledTable(folder, quality)
    for frame in table.frames():
        looked = table.reader.look(frame.image)
        if looked.camera is not None and looked.seen is not None:
            examples.add(Watched.last, looked.camera, table.reader.profile.seats, frame.pieces, folder.name)


def fit(folders: Sequence[Path], jpeg: Sequence[int]) -> Iterator[str]:
    """What is told wrongly of each table when it is left out, and the weights of all; tables are learned as
    they are and as JPEG of these qualities.
    """
    cv2.setNumThreads(1)
    put_in_place(pieces, Likeness=watched)
    examples = Examples()
    for folder in folders:
        for quality in (None, *jpeg):
            read_table(folder, quality, examples)
    looks, is_top, table = (
        np.concatenate(examples.looks),
        np.concatenate(examples.tops),
        np.array(examples.table),
    )
    names = sorted(set(examples.table))
    for name in names if len(names) > 1 else ():
        out = table == name
        weights, bias = logistic(looks[~out], is_top[~out])
        wrong, nats = wrong_and_nats(looks[out] @ weights + bias, is_top[out])
        yield f"{name} left out: {wrong} of {out.sum()} told wrongly, {nats:.4f} nats"
    weights, bias = logistic(looks, is_top)
    yield f"{len(is_top)} discs, {is_top.sum()} of them tops"
    yield f"WEIGHTS = {weights.round(3).tolist()}"
    yield f"BIAS = {round(bias, 3)}"


def logistic(looks: Floats, holds: Flags) -> tuple[Floats, float]:
    """Weights (looks,) and bias of a logistic regression, by Newton's method."""
    middle, spread = looks.mean(axis=0), looks.std(axis=0) + 1e-9
    terms = np.column_stack([(looks - middle) / spread, np.ones(len(looks))])
    ridge = RIDGE * np.diag([1.0] * looks.shape[1] + [0.0])
    weights = np.zeros(terms.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (chance - holds) + ridge @ weights
        bend = (terms * (chance * (1 - chance))[:, None]).T @ terms + ridge
        weights = weights - np.linalg.solve(bend, slope)
    scaled = weights[:-1] / spread
    return scaled, float(weights[-1] - scaled @ middle)
