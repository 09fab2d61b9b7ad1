"""What the fits of a reader's weights on labelled tables have in common: the tables, and the regression.

A table's folder holds empty.jpg, start.jpg, other frames and labels.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.reader import Reader

EMPTY, START = "empty.jpg", "start.jpg"

Piece = dict[str, Any]
"""A piece's label, a die's or a hand's."""


@dataclass(frozen=True)
class Labelled:
    """A frame, and the pieces and dice in it."""

    file: str
    image: Image
    pieces: list[Piece]
    dice: list[Piece]
    hand: Piece | None


class LabelledTable:
    """A labelled table, learned from its own pictures; with `jpeg`, as that quality leaves them all."""

    def __init__(self, folder: Path, jpeg: int | None = None) -> None:
        self._folder, self._jpeg = folder, jpeg
        self._labels = json.loads((folder / "labels.json").read_text())
        seats = tuple(self._labels["seats"])
        self.reader = Reader(calibrate(self._picture(EMPTY), self._picture(START), seats))

    def frames(self, with_hands: bool = False) -> Iterator[Labelled]:
        """Those that have pieces, and no hand unless they may, as they are listed; START is one of them."""
        for frame in self._labels["frames"]:
            if frame["pieces"] and (with_hands or not frame["flags"]["hand"]):
                picture = self._picture(frame["file"])
                yield Labelled(frame["file"], picture, frame["pieces"], frame["dice"], frame.get("hand"))

    def _picture(self, name: str) -> Image:
        picture = cv2.imread(str(self._folder / name))
        if self._jpeg is not None:
            jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg])[1]
            picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        return np.asarray(picture, dtype=np.uint8)


def fit(
    looks: Floats, holds: npt.NDArray[np.bool_], weight: Floats, hold_small: float
) -> tuple[Floats, float]:
    """Weights (looks,) and bias of a logistic regression, by Newton's method; examples count `weight` (N,).

    `hold_small` holds the weights of standardised looks small.
    """
    middle, spread = looks.mean(axis=0), looks.std(axis=0) + 1e-9
    terms = np.column_stack([(looks - middle) / spread, np.ones(len(looks))])
    ridge = hold_small * np.diag([1.0] * looks.shape[1] + [0.0])
    weights = np.zeros(terms.shape[1])
    for _ in range(40):
        chance = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (weight * (chance - holds)) + ridge @ weights
        bend = (terms * (weight * chance * (1 - chance))[:, None]).T @ terms + ridge
        weights = weights - np.linalg.solve(bend, slope)
    scaled = weights[:-1] / spread
    return scaled, float(weights[-1] - scaled @ middle)
