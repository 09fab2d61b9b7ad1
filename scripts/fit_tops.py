#!/usr/bin/env python3
"""Fits the weights of `tops` on labelled tables, and says how well they hold on each
table when it is left out.

    python scripts/fit_tops.py TABLE_DIR… [--jpeg 70]

A table's folder holds empty.jpg, start.jpg, other frames and labels.json, as those that
`tests/vision/path_traced` renders. With `--jpeg` each table is also read as that quality leaves it. Every
disc that the reader weighs is an example: a top if the top of a piece of its colour lies within 4 mm, none if
no top of its colour lies within 14 mm; the others, misplaced or on a stack's side, are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from labelled import LabelledTable, Piece, fit

from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.picture.arrays import Floats, Map
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

    def where(self, order: tops.Places) -> Watched:
        """The same in another order, kept in the same place."""
        out = super().where(order)
        assert isinstance(out, Watched)
        out._ids = self._ids[order]
        return out

    def looks(self, free: tops.Flags, some: tops.Places | slice = tops.EVERY_DISC) -> Floats:
        """As always, and noted."""
        out = super().looks(free, some)
        clear = free.mean(axis=1) >= LEAST_FREE
        self.weighed[self._ids[some][clear]] = out[clear]
        return out


@dataclass
class Examples:
    """Looks (N, looks), whether they are tops (N,), and of which table (N,)."""

    looks: list[Floats] = field(default_factory=list)
    tops: list[npt.NDArray[np.bool_]] = field(default_factory=list)
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


def main() -> None:
    """Prints the weights, and for each table the loss and the share told wrongly when it is left out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", type=Path)
    parser.add_argument("--jpeg", type=int, help="also as JPEG of this quality")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    pieces.Likeness = Watched  # type: ignore[misc]
    examples = Examples()
    for folder in args.tables:
        for quality in (None, args.jpeg) if args.jpeg else (None,):
            read_table(folder, quality, examples)
    looks, is_top = np.concatenate(examples.looks), np.concatenate(examples.tops)
    table, alike = np.array(examples.table), np.ones(len(is_top))
    for name in sorted(set(examples.table)):
        out = table == name
        if out.all():
            break
        weights, bias = fit(looks[~out], is_top[~out], alike[~out], RIDGE)
        odds = np.where(is_top[out], 1, -1) * (looks[out] @ weights + bias)
        loss = np.logaddexp(0, -odds).mean()
        print(
            f"{name} left out: loss {loss:.4f}, {100 * (odds < 0).mean():.1f} % of {out.sum()} told wrongly"
        )
    weights, bias = fit(looks, is_top, alike, RIDGE)
    print(f"{len(is_top)} discs, {is_top.sum()} of them tops")
    print("WEIGHTS =", weights.round(3).tolist())
    print("BIAS =", round(bias, 3))


if __name__ == "__main__":
    main()
