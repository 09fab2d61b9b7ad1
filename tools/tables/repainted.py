"""How plainly a piece of another paint is told: `python -m tools.tables.repainted TABLE_DIR…`.

One piece of each labelled table is painted anew in its picture, in each of `PAINTS`; then one is taken away.
For each table, and for all of them the lowest and the highest:

    mates    how far apart (see `tops.paint_off`) the usual pieces of a base are, at most
    orange   how far the piece painted orange is off the nearest of the seats' pieces
    net      the net's word (nats) that it is a piece, at least, where something plainly lies; else `on own`
    gone     the same of the best fourth disc where a piece is missing, at most
    first    how many of the pieces painted anew are among the four likeliest discs of their base, of `PAINTS`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from unittest import mock

import cv2
import numpy as np

from tools.tables.turns import print_figures
from uckers_table.errors import CalibrationError
from uckers_table.vision import calibrate
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.pieces import strange
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.lens import Lens
from uckers_table.vision.profile import TableProfile

PAINTS = ("orange", "white", "black", "brown", "turquoise", "purple", "pink", "brass", "light green", "grey")
NAMES = ("mates", "orange", "net", "net on own", "gone", "gone on own", "first")
_REACH_MM, _TAKEN_MM, _NEAR_MM = 10.2, 27.0, 8.0


class _ToldError(Exception):
    """The four likeliest discs of each base were looked at."""


class _Looker:
    """Takes the place of `strange_pieces`, and keeps what that looks at."""

    def __init__(self, empty: Image, start: Image, seats: tuple[str, ...], lens: Lens) -> None:
        def look(*looked: object) -> list[strange.StrangePiece]:
            self.looked = looked
            raise _ToldError

        with mock.patch.object(calibrate, "strange_pieces", look):
            try:
                calibrate.calibrate(empty, start, seats, lens=lens)
            except _ToldError:
                return
        raise CalibrationError("fewer than four discs in a base")

    def discs(self) -> list[strange.Disc]:
        """All sixteen."""
        return strange.discs(*self.looked)  # type: ignore[arg-type]


def painted(
    picture: Image, camera: CameraModel, at_mm: Floats, height_mm: float, old: Floats, paint: Floats
) -> Image:
    """The picture with the piece at a place painted anew. Both paints are (3,), BGR, white = 1."""
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    foot = at_mm + _REACH_MM * np.column_stack([np.cos(around), np.sin(around)])
    top_px = camera.project(camera.lifted(foot, height_mm)).astype(np.float32)
    hull = cv2.convexHull(np.vstack([camera.project(foot).astype(np.float32), top_px]))
    cover, top = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(cover, np.rint(hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(top, np.rint(top_px).astype(np.int32), 255)
    share = cv2.GaussianBlur(cover, (0, 0), 0.7)[..., None] / 255.0
    usual = np.median(picture[cv2.erode(top, np.ones((3, 3), np.uint8)) > 0].astype(np.float64), axis=0)
    # The strongest channel tells how the old paint is lit.
    strongest = int(usual.argmax())
    lit = picture[..., strongest : strongest + 1] / max(float(usual[strongest]), 1.0)
    new = paint * usual / np.maximum(old, 0.03) * lit
    return np.asarray(np.clip(picture * (1 - share) + new * share, 0, 255), np.uint8)


def figures(folder: Path) -> list[float]:
    """The figures of one table (`NAMES`). CalibrationError if its pictures cannot be used."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    empty, start = (load_picture(folder / name) for name in ("empty.jpg", "start.jpg"))
    seats, true = tuple(labels["seats"]), labels["camera"]
    lens = Lens(true["fx"], true["k1"])
    profile: TableProfile = calibrate.calibrate(empty, start, seats, lens=lens)
    usual = _Looker(empty, start, seats, lens).discs()
    seat = len(folder.name) % len(seats)
    at = np.array(profile.base_spots_mm[seat][0])
    anew: list[strange.Disc] = []
    orange = nan = float("nan")
    for name in PAINTS:
        paint = np.array(strange.NAMES[name])[::-1] / 255
        old = np.array(profile.piece_colours[seat])
        picture = painted(start, profile.camera, at, profile.piece_height_mm, old, paint)
        for disc in _Looker(empty, picture, seats, lens).discs():
            is_it = np.hypot(disc.stack.x_mm - at[0], disc.stack.y_mm - at[1]) < _NEAR_MM
            if is_it and disc.seat == seat:
                anew.append(disc)
                orange = min(disc.off, disc.off_others) if name == "orange" else orange
    without = start.copy()
    middle = np.rint(profile.camera.project([at])[0]).astype(int)
    taken = np.zeros(start.shape[:2], np.uint8)
    cv2.circle(taken, (int(middle[0]), int(middle[1])), round(_TAKEN_MM * profile.camera.px_per_mm), 1, -1)
    without[taken > 0] = empty[taken > 0]
    gone = min(
        (disc for disc in _Looker(empty, without, seats, lens).discs() if disc.seat == seat),
        key=lambda disc: disc.stack.score,
    )
    return [
        max(disc.off for disc in usual),
        orange,
        min((disc.nats for disc in anew if disc.lies), default=nan),
        min((disc.nats for disc in anew if not disc.lies), default=nan),
        gone.nats if gone.lies else nan,
        nan if gone.lies else gone.nats,
        len(anew),
    ]


if __name__ == "__main__":
    print_figures(NAMES, figures, map(Path, sys.argv[1:]))
