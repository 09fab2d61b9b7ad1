#!/usr/bin/env python3
"""Fits the weights of `uckers_table.vision.sides` on labelled tables, and says how well they hold on each
table when it is left out.

    python scripts/fit_sides.py TABLE_DIR…

A table's folder holds empty.jpg, start.jpg, other frames and labels.json; folders of one name are one table,
altered as `alter_tables.py` does it, and count as much together as one. Under every top that the reader
claims each place of a further piece is an example: of a piece, where the labels have one, with the looks of
its own colour, and of none right below the lowest, with those of the likelier of its own colour and its
partner's.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from labelled import START, LabelledTable, Piece, fit

from uckers_table.vision import pieces, sides
from uckers_table.vision import reader as reading
from uckers_table.vision.appearance import Evidence
from uckers_table.vision.camera import Camera, Floats
from uckers_table.vision.light import Map
from uckers_table.vision.pieces import Stack
from uckers_table.vision.reader import Reader
from uckers_table.vision.sides import Shade, Side

NEAR_MM = 6.0
"""So far at most a top is found from where it is."""
STACKED_MM = 7.0
"""Pieces whose middles are so near to each other's stand on each other."""
RIDGE = 2.0
Example = tuple[Floats, bool]


class Noted:
    """What was last found, the looks of the sides, and where enough was seen for them."""

    found: list[Stack]
    known: sides.Flags
    looks: Floats

    def weigh(self, seen: Evidence, some: Sequence[Side], colours: Map, shade: Shade) -> Floats:
        """As `sides.weigh`, and noted."""
        self.known, self.looks = sides.looks_of(seen, some, colours, shade)
        return sides.weigh(seen, some, colours, shade)

    def find(self, *args: Any) -> list[Stack]:
        """As `pieces.find`, and noted."""
        self.known = np.empty((0, sides.HIGHEST - 1), dtype=bool)
        self.found = pieces.find(*args)
        return self.found


def examples(folder: Path) -> Iterator[Example]:
    """Of all frames of a table over which no hand is."""
    table, noted = LabelledTable(folder), Noted()
    pieces.weigh, reading.find = noted.weigh, noted.find  # type: ignore[assignment]
    for frame in table.frames():
        if frame.file == START:
            continue
        looked = table.reader.look(frame.image)
        if looked.camera is not None:
            yield from of_frame(noted, looked.camera, table.reader, frame.pieces)


def of_frame(noted: Noted, camera: Camera, reader: Reader, labels: list[Piece]) -> Iterator[Example]:
    """Under the tops of one frame."""
    plan, seats = reader.plan, reader.profile.seats
    standing = [p for p in labels if p["place"] not in ("floor", "home")]
    stacks = [stack_of(p, standing) for p in standing]
    for k, stack in enumerate(noted.found[: len(noted.known)]):
        if not stack.is_claimed:
            return
        top_mm = camera.lifted([(stack.x_mm, stack.y_mm)], reader.profile.piece_height_mm)[0]
        off = [np.hypot(*(camera.unproject([s[0]["px"]])[0] - top_mm)) for s in stacks]
        if not off or min(off) > NEAR_MM:
            continue
        truth = [seats.index(p["colour"]) for p in stacks[int(np.argmin(off))]]
        pair = [stack.colour, plan.board.partner(stack.colour)]
        for level in range(1, min(len(truth), sides.HIGHEST - 1) + 1):
            if not noted.known[k, level - 1]:
                continue
            looks = noted.looks[k, level - 1]
            if level < len(truth):
                yield looks[truth[level]], True
            else:
                yield max((looks[seat] for seat in pair), key=lambda look: float(look[0])), False


def stack_of(piece: Piece, standing: Sequence[Piece]) -> list[Piece]:
    """The pieces that stand with this one, from the top down."""
    with_it = [
        p
        for p in standing
        if p["cell"] == piece["cell"] and np.hypot(*np.subtract(p["xy_mm"], piece["xy_mm"])) < STACKED_MM
    ]
    return sorted(with_it, key=lambda p: -int(p["stack_level"]))


def balanced(is_piece: npt.NDArray[np.bool_], weight: Floats) -> Floats:
    """Weights (N,) that count pieces and none alike, and add up to what they did."""
    share = np.average(is_piece, weights=weight)
    return np.asarray(weight * np.where(is_piece, 0.5 / share, 0.5 / (1 - share)))


def main() -> None:
    """Prints the weights, and for each table the loss when it is left out."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="+", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    versions = Counter(folder.name for folder in args.tables)
    found = [(e, folder.name) for folder in args.tables for e in examples(folder)]
    looks, is_piece = np.array([e[0] for e, _ in found]), np.array([e[1] for e, _ in found])
    table = np.array([name for _, name in found])
    weight = np.array([1 / versions[name] for name in table])
    losses = np.zeros(len(found))
    for name in sorted(versions):
        out = table == name
        if out.all():
            break
        weights, bias = fit(looks[~out], is_piece[~out], balanced(is_piece[~out], weight[~out]), RIDGE)
        odds = np.where(is_piece[out], 1, -1) * np.clip(looks[out] @ weights + bias, -sides.MOST, sides.MOST)
        losses[out] = np.logaddexp(0, -odds)
        wrong = [100 * (odds[is_piece[out] == piece] < 0).mean() for piece in (True, False)]
        print(
            f"{name} left out: of {is_piece[out].sum()} pieces {wrong[0]:.0f} % told wrongly, "
            f"of {(~is_piece[out]).sum()} empty places {wrong[1]:.0f} %"
        )
    print(f"loss on tables left out {np.average(losses, weights=balanced(is_piece, weight)):.3f}")
    weights, bias = fit(looks, is_piece, balanced(is_piece, weight), RIDGE)
    print(f"{len(found)} places, {is_piece.sum()} of them pieces")
    print("WEIGHTS =", weights.round(2).tolist())
    print("BIAS =", round(bias, 2))


if __name__ == "__main__":
    main()
