"""Labelled tables, as whoever fits on them reads them.

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

from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.arrays import Image
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
        self._labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
        seats = tuple(self._labels["seats"])
        self.reader = Reader(calibrate(self._picture(EMPTY), self._picture(START), seats))

    def frames(self, with_hands: bool = False) -> Iterator[Labelled]:
        """Those that have pieces, and no hand unless they may, as they are listed; START is one of them."""
        for frame in self._labels["frames"]:
            if frame["pieces"] and (with_hands or not frame["flags"]["hand"]):
                picture = self._picture(frame["file"])
                yield Labelled(frame["file"], picture, frame["pieces"], frame["dice"], frame.get("hand"))

    def _picture(self, name: str) -> Image:
        picture = np.asarray(cv2.imread(str(self._folder / name)), dtype=np.uint8)
        if self._jpeg is not None:
            jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg])[1]
            picture = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)
        return picture
