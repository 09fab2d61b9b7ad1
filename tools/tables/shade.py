"""How much light people's shadows leave on labelled boards: `python -m tools.tables.shade TABLE_DIR…`.

For each frame with a person's shadow it prints the light that is left at the darkest hundredth and twentieth
of the board, and the shares of the board with less than 0.85 and 0.6 of the light. Light is the median over
windows of 60 mm, so pieces and their own shadows count little. It is 1 where 9 in 10 windows have less.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from tools.tables.look import BOARD_MM
from uckers_table.vision.picture.arrays import AnyFloats, Floats
from uckers_table.vision.picture.channels import GAMMA

SQUARE_MM, WINDOW = 4, 15


def grey(picture: Path, corners_px: dict[str, tuple[float, float]]) -> AnyFloats:
    """The board's grey level in squares of 4 mm, by where its corners are in the picture."""
    size = int(BOARD_MM) // SQUARE_MM
    seen = np.array([corners_px[corner] for corner in ("TL", "TR", "BR", "BL")], np.float32)
    flat = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32) - np.float32(0.5)
    image = cv2.imread(str(picture))
    if image is None:
        sys.exit(f"{picture}: cannot be read as a picture")
    soft = cv2.blur(image, (5, 5))
    board = cv2.warpPerspective(soft, cv2.getPerspectiveTransform(seen, flat), (size, size))
    return np.asarray(board.sum(axis=-1) + 3.0, float)


def left(now: AnyFloats, bare: AnyFloats) -> Floats:
    """The share of the light that is left in each square."""
    light = np.clip((now / bare) ** GAMMA * 60, 0, 255).astype(np.uint8)
    wide = cv2.medianBlur(light, WINDOW).astype(float)
    return np.asarray(wide / np.percentile(wide, 90), float)


def main() -> None:
    """Prints a line for each frame of the tables named on the command line."""
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
