"""Scores calibration on labelled tables: `python -m tools.tables.calibrated TABLE_DIR…`.

A line for each table: whether it was learned right, or why it was refused; where its spots, corners and tops
are off (mm); how many pieces are read back, per seat. Then how many of each kind were right. A table is right
if every spot is within 6 mm of its piece, every corner within 3 mm, and all sixteen are read back.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from tools.tables.turns import seen_mm
from uckers_table.errors import CalibrationError
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.place.lens import wide_lens
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

_SPOT_MM, _CORNER_MM = 6.0, 3.0
_KINDS = "light", "bases", "paint", "picture"
"""What the parts of a varied table's `lighting` say."""


def score(folder: Path) -> tuple[bool, str]:
    """Whether a table is learned right, and the line about it."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    empty, start = (load_picture(folder / name) for name in ("empty.jpg", "start.jpg"))
    height, width = empty.shape[:2]
    # Whoever has a wide camera says so.
    lens = wide_lens(width, height) if labels["lighting"].endswith("/wide") else None
    try:
        profile = calibrate(empty, start, tuple(labels["seats"]), lens=lens)
    except CalibrationError as error:
        return False, f"refused: {error}"
    spot, corner = _spots_off(profile, labels), seen_mm(profile.camera, labels["camera"])
    seen = Reader(profile).read(start)
    back = [steps.count(0) for steps in seen.pieces.values()]
    is_right = spot < _SPOT_MM and corner < _CORNER_MM and back == [4] * 4
    said = f"spots {spot:4.1f} corners {corner:4.1f} back {back} confidence {seen.confidence:.2f}"
    return is_right, f"{'right' if is_right else 'WRONG'} {said}"


def _spots_off(profile: TableProfile, labels: dict[str, Any]) -> float:
    """How far the worst spot is off the piece that stands there; infinite if one has no spot."""
    start = next(frame for frame in labels["frames"] if frame["file"] == "start.jpg")
    worst = 0.0
    for seat, spots in zip(profile.seats, profile.base_spots_mm, strict=True):
        true = np.array([piece["xy_mm"] for piece in start["pieces"] if piece["colour"] == seat])
        off = np.linalg.norm(np.array(spots)[:, None] - true, axis=2)
        worst = max(
            worst, float(off.min(axis=1).max()) if len({*off.argmin(axis=1)}) == len(true) else np.inf
        )
    return worst


def main() -> None:
    """Prints a line for each of the tables named on the command line, then the score by kind."""
    right, all_of = Counter[str](), Counter[str]()
    for folder in map(Path, sys.argv[1:]):
        kind = json.loads((folder / "labels.json").read_text(encoding="utf-8"))["lighting"]
        is_right, line = score(folder)
        print(f"{folder.name:6} {kind:34} {line}", flush=True)
        kinds = (f"{what} {one}" for what, one in zip(_KINDS, kind.split("/"), strict=False))
        for part in ("all", *kinds):
            right[part] += is_right
            all_of[part] += 1
    for part, number in sorted(all_of.items()):
        print(f"{part:20} {right[part]:3} of {number}")


if __name__ == "__main__":
    main()
