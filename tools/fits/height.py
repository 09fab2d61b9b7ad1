"""Fits the weights of `height`: where a piece's top lies, and its foot.

Of each piece in its base the place of its top that is the true one is to be told from the others, and so is
that of its foot.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tools.fits.labelled import EMPTY, START
from tools.fits.watching import put_in_place
from uckers_table.vision import calibrate as calibrating
from uckers_table.vision.picture.arrays import Flags, Floats, Map
from uckers_table.vision.pieces import height
from uckers_table.vision.pieces.height import FOOT_MM, TOP_MM, PiecePatch
from uckers_table.vision.pieces.shape import Shape

TOP_SPREAD_MM, FOOT_SPREAD_MM = 0.12, 0.15
"""How well the true places are known (standard deviations)."""
RIDGE, ASTRAY = 1.0, 0.03
"""Holds weights of standardised looks small; and the chance that what is seen is something else."""
LOWEST_MM, HIGHEST_MM = 10.5, 22.0
"""Heights that a single piece may seem to have: feet are looked for at these alone."""
FOLDS = 6


@dataclass(frozen=True)
class Seen:
    """A piece, and where its top truly lies: so far nearer to the lens than its disc, None where that is
    another's.
    """

    patch: PiecePatch
    top_mm: float | None


@dataclass(frozen=True)
class Start:
    """A table's pieces in their bases, and how high they are."""

    height_mm: float
    pieces: list[Seen]


class Noted:
    """What `calibrate` last asked the height of."""

    asked: tuple[Map, Map, list[Floats], Shape]

    def fit_height(self, now: Map, bare: Map, feet: list[Floats], shape: Shape) -> Shape:
        """As `height.fit_height`, and noted."""
        self.asked = now, bare, list(feet), shape
        return height.fit_height(now, bare, feet, shape)


def start_of(folder: Path) -> Start:
    """The pieces in a labelled table's bases."""
    labels, noted = json.loads((folder / "labels.json").read_text()), Noted()
    put_in_place(calibrating, fit_height=noted.fit_height)
    empty, start = (np.asarray(cv2.imread(str(folder / name)), dtype=np.uint8) for name in (EMPTY, START))
    calibrating.calibrate(empty, start, tuple(labels["seats"]))
    now, bare, feet, shape = noted.asked
    of_start = next(frame for frame in labels["frames"] if frame["file"] == START)
    height_mm = float(labels["piece_height_mm"])
    truly = np.array([piece["xy_mm"] for piece in of_start["pieces"]])
    tops = shape.canvas.px(shape.camera.lifted(truly, height_mm))
    pieces = []
    for foot in feet:
        found = shape.top_px(foot)
        off = tops[np.linalg.norm(tops - found, axis=1).argmin()] - found
        toward = shape.lean_px(found) / np.linalg.norm(shape.lean_px(found))
        top_mm = float(off @ toward) / shape.canvas.px_per_mm
        is_it = abs(top_mm) < TOP_MM[-1] - TOP_SPREAD_MM
        pieces.append(Seen(PiecePatch.of(now, bare, found, shape), top_mm if is_it else None))
    return Start(height_mm, pieces)


def weights(tables: list[Start]) -> tuple[Floats, Floats]:
    """The weights of tops' looks, and of feet's, that tell the true places best."""
    tops, feet = [], []
    for table in tables:
        for piece in table.pieces:
            if piece.top_mm is None or piece.patch.lean < height.MIN_LEAN:
                continue
            true_mm = piece.top_mm + piece.patch.lean * table.height_mm
            low, high = (piece.top_mm + piece.patch.lean * mm for mm in (LOWEST_MM, HIGHEST_MM))
            may_be = np.ones(len(TOP_MM), dtype=bool), (low <= FOOT_MM) & (high >= FOOT_MM)
            tops.append((piece.patch.top_looks(), near(TOP_MM, piece.top_mm, TOP_SPREAD_MM), may_be[0]))
            feet.append((piece.patch.foot_looks(), near(FOOT_MM, true_mm, FOOT_SPREAD_MM), may_be[1]))
    return fit_choice(tops), fit_choice(feet)


def near(places: Floats, place: float, spread: float) -> Floats:
    """The chances of places, one being the true one but for a spread."""
    chance = np.exp(-(((places - place) / spread) ** 2) / 2)
    return np.asarray(chance / chance.sum())


def fit_choice(examples: list[tuple[Floats, Floats, Flags]]) -> Floats:
    """Weights (looks,) by which the true ones of places are told: examples of their looks (places, looks) and
    chances (places,), and which are to be told apart (places,). A conditional logistic regression, now and
    then anything being seen.
    """
    looks, true, may_be = (np.array(part) for part in zip(*examples, strict=True))
    spread = looks.reshape(-1, looks.shape[-1]).std(axis=0)
    terms = looks / spread
    w, mean, square, rate = np.zeros(len(spread)), np.zeros(len(spread)), np.zeros(len(spread)), 0.05
    for k in range(1, 501):
        odds = np.where(may_be, terms @ w, -np.inf)
        chance = np.exp(odds - odds.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        told = (1 - ASTRAY) * chance + ASTRAY / may_be.sum(axis=1, keepdims=True)
        pull = true / told * (1 - ASTRAY) * chance
        slope = 2 * RIDGE * w - np.einsum("nk,nkf->f", pull - chance * pull.sum(axis=1, keepdims=True), terms)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        w = w - rate * mean / (1 - 0.9**k) / (np.sqrt(square / (1 - 0.99**k)) + 1e-9)
        rate = 0.01 if k > 350 else rate
    return np.asarray(w / spread)


def told_mm(table: Start, of_tops: Floats, of_feet: Floats) -> float:
    """The height that a table's pieces tell by such weights."""
    height.TOP_WEIGHTS, height.FOOT_WEIGHTS = of_tops, of_feet
    return height.height_told([piece.patch for piece in table.pieces]) or float("nan")


def fit(folders: Sequence[Path]) -> Iterator[str]:
    """How far off the height of each table's pieces is when it is left out, and the weights of all."""
    tables = [start_of(folder) for folder in folders]
    off: dict[int, float] = {}
    for fold in range(FOLDS):
        left = [table for k, table in enumerate(tables) if k % FOLDS != fold]
        some = range(fold, len(tables), FOLDS)
        fitted = weights(left) if left and some else None
        off |= {k: told_mm(tables[k], *fitted) - tables[k].height_mm for k in some if fitted}
    for k, error in sorted(off.items()):
        yield f"{folders[k].name}: {tables[k].height_mm:.1f} mm, {error:+.1f} when left out"
    errors = np.array(list(off.values()))
    if len(errors):
        yield f"{errors.mean():+.2f} mm on the whole, {np.sqrt((errors**2).mean()):.2f} mm (rms)"
    for name, found in zip(("TOP_WEIGHTS", "FOOT_WEIGHTS"), weights(tables), strict=True):
        yield f"{name} = {[round(float(w), 2) for w in found]}"
