"""How much of the light people's shadows leave on labelled boards: `python tools/tables/shade.py TABLE_DIR…`.

For each frame with a person's shadow: how much is left at the darkest hundredth and twentieth of the board,
and how much of the board has less than 0.85 and 0.6 of the light. Light is that of windows of 60 mm, so that
pieces and what they throw count little, over what nine in ten of them have less than.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np
from looks import BOARD_MM

from uckers_table.vision.picture.channels import GAMMA

SQUARE_MM, WINDOW = 4, 15


def grey(picture: Path, corners_px: dict[str, tuple[float, float]]) -> np.ndarray:
    """The board's grey level in squares of 4 mm, from its corners."""
    size = int(BOARD_MM) // SQUARE_MM
    seen = np.float32([corners_px[corner] for corner in ("TL", "TR", "BR", "BL")])
    flat = np.float32([(0, 0), (size, 0), (size, size), (0, size)]) - 0.5
    soft = cv2.blur(cv2.imread(str(picture)), (5, 5))
    return cv2.warpPerspective(soft, cv2.getPerspectiveTransform(seen, flat), (size, size)).sum(axis=-1) + 3.0


def left(now: np.ndarray, bare: np.ndarray) -> np.ndarray:
    """What is left of the light in each square."""
    light = np.clip((now / bare) ** GAMMA * 60, 0, 255).astype(np.uint8)
    wide = cv2.medianBlur(light, WINDOW).astype(float)
    return wide / np.percentile(wide, 90)


def main() -> None:
    for table in map(Path, sys.argv[1:]):
        labels = json.loads((table / "labels.json").read_text(encoding="utf-8"))
        bare = grey(table / "empty.jpg", labels["corners_px"])
        for frame in labels["frames"]:
            if frame["flags"]["person_shadow"]:
                light = left(grey(table / frame["file"], frame["corners_px"]), bare)
                print(
                    f"{labels['lighting']:10} {table.name}/{frame['file']}"
                    f"  hundredth {np.percentile(light, 1):.2f}  twentieth {np.percentile(light, 5):.2f}"
                    f"  below 0.85 {(light < 0.85).mean():.2f}  below 0.6 {(light < 0.6).mean():.2f}"
                    + ("  with a hand" if frame["flags"]["hand"] else "")
                )


if __name__ == "__main__":
    main()
