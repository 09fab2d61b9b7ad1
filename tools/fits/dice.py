"""What the net of `dice_net` learns: whether a die is at a place, what it shows, whether it leans, and where
its middle is.

Of each frame it learns what is at all spots that may be pips, round dice, on pieces and anywhere; turned,
mirrored, in other light and colours, with noise. On the simulator's tables dice touch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from tools.fits.examples import Examples, chances
from tools.fits.labelled import LabelledTable
from tools.fits.learning import ConvNet, Layers, OtherLight
from tools.fits.net_fit import NetFit, Says
from tools.fits.watching import put_in_place
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Scene, WoodenPiece
from uckers_table.vision.dice import dice, dice_net
from uckers_table.vision.dice.dice_net import (
    CLASSES,
    LEANS,
    NONE,
    PX_PER_MM,
    SIZE,
    from_lens,
    patches,
)
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.dice.second_look import Height
from uckers_table.vision.dice.stance import SeenScene as Look
from uckers_table.vision.picture.arrays import Floats, Places
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

STORED, TURNED = 56, np.radians(12)
"""Pixels a side of what is kept of a place: enough to turn it this far either way (radians)."""
OWN_MM, CLOSE_MM = 8.0, 19.0
"""A place nearer to a die's middle than the first is of that die, one farther off than the second of none.
Places between are left out.
"""
ROUND_A_DIE, ANYWHERE = 3, 12
"""Further places: round each die, and in each frame."""
SEATS = ("red", "green", "yellow", "blue")
FRAMES_SIMULATED, LEANING_MM, ALONE = 6, 19.0, 4
"""Frames of each simulated table; how far a die is from the piece that it leans on; dice that lean alone."""
LAYERS = Layers((8, SIZE, SIZE), (16, 24, 32, 48, 64, 64), (1, 2, 1, 2, 1, 2), 64, CLASSES + 2)
ON_DICE = 80 / 128
"""The share of each step's examples that lie on dice."""
BALANCE, DEEPEST, GRADATION = 0.5, 1.1, 0.5
SMOOTHED, OFF_WEIGHT = 0.02, 0.03


@dataclass(frozen=True)
class Spots(Examples):
    """Patches (N, 8, STORED, STORED), what is there (N,), and where the die's middle is, mm from the place
    (N, 2).
    """

    seen: npt.NDArray[np.float16]
    what: Places
    off: npt.NDArray[np.float32]


class Noted:
    """Where spots were last found, and in which picture."""

    scene: Look | None = None
    spots_mm: Floats
    height_mm: Height

    def seen(self, finder: dice.DiceFinder, *args: Any) -> dice.Shown:
        """As `DiceFinder.seen`, but without a net, and noted."""
        shown = finder.by_pips(*args)
        self.scene, self.spots_mm, self.height_mm = shown.scene, shown.pips_mm, finder.height_at
        return shown

    def watch(self) -> None:
        """From now on."""
        put_in_place(
            dice.DiceFinder,
            seen=lambda finder, *args: self.seen(finder, *args),
            with_unseen=lambda finder, shown, tops: shown.dice,
        )


def examples(folder: Path, draw: np.random.Generator) -> Iterator[Spots]:
    """Those of one table, frame by frame."""
    noted = Noted()
    noted.watch()
    table = LabelledTable(folder)
    for frame in table.frames():
        noted.scene = None
        table.reader.look(frame.image)
        if noted.scene is None:
            continue
        lying = [(value_of(die), middle_of(noted, die)) for die in frame.dice if is_there(die)]
        pieces = [seen_at(noted, piece["px"], DIE_MM) for piece in frame.pieces]
        yield of_frame(noted, lying, pieces, table.reader.plan.side_mm, draw)


def simulated(seed: int, draw: np.random.Generator) -> Iterator[Spots]:
    """Those of one simulated table, where dice may touch each other, frame by frame."""
    noted, plan = Noted(), Plan(Board(SEATS))
    noted.watch()
    renderer = Renderer(plan, look_for(seed), seed=seed)
    view = renderer.view
    middle_px = (view.width - 1) / 2, (view.height - 1) / 2
    lens = CameraModel(view.width, view.height, view.focal_px, *middle_px, view.k1, (0.0,) * 3, (0.0,) * 3)
    camera = lens.moved(cv2.Rodrigues(view.rotation)[0], view.translation)
    finder = dice.DiceFinder(renderer.empty, camera, plan.side_mm)
    for _ in range(FRAMES_SIMULATED):
        scene = dealt(draw)
        finder.seen(Halves(renderer.frame(scene)), camera)
        lying = [(LEANS if die.state == "cocked" else die.value, face_of(die, camera)) for die in scene.dice]
        pieces = [np.array([piece.x_mm, piece.y_mm]) for piece in scene.pieces]
        yield of_frame(noted, lying, pieces, plan.side_mm, draw)


def face_of(die: Die, camera: CameraModel) -> Floats:
    """Where on the plan the middle of a simulated die's upper face is seen, as if it lay flat there."""
    tilt, lean = np.radians(die.tilt_deg), np.radians(die.lean_deg)
    up = DIE_MM / 2 * (2 * np.cos(tilt) + np.sin(tilt))
    aside = DIE_MM / 2 * np.sin(tilt) * np.array([np.cos(lean), np.sin(lean)])
    seen = camera.project([[die.x_mm + aside[0], die.y_mm + aside[1], -up]])
    return np.asarray(camera.unproject(seen, DIE_MM)[0])


def dealt(draw: np.random.Generator) -> Scene:
    """A simulated board with pieces anywhere, dice that lean on some of them and dice that lie flat."""
    taken: list[tuple[float, float]] = []

    def place(apart_mm: float, near: tuple[float, float] | None = None) -> tuple[float, float] | None:
        for _ in range(100):
            x, y = draw.uniform(25, 585, 2)
            if near is not None:
                way = draw.uniform(0, 2 * np.pi)
                x, y = near[0] + LEANING_MM * np.cos(way), near[1] + LEANING_MM * np.sin(way)
            others = [other for other in taken if other != near]
            if all(np.hypot(x - a, y - b) > apart_mm for a, b in others) and 12 < min(x, y) < max(x, y) < 598:
                taken.append((float(x), float(y)))
                return taken[-1]
        return None

    pieces = [WoodenPiece(k % 4, 1, *at, grain=k) for k in range(14) if (at := place(26))]
    lying = []
    for piece in pieces[:5]:
        if at := place(24, (piece.x_mm, piece.y_mm)):
            lean = float(np.degrees(np.arctan2(at[1] - piece.y_mm, at[0] - piece.x_mm)))
            tilt = draw.uniform(18, 38)
            lying.append(Die(int(draw.integers(1, 7)), *at, lean, float(tilt), lean, "cocked"))
    for _ in range(ALONE):
        if at := place(24):
            turn, tilt, lean = (float(draw.uniform(*span)) for span in ((0, 90), (18, 38), (0, 360)))
            lying.append(Die(int(draw.integers(1, 7)), *at, turn, tilt, lean, "cocked"))
    for k in range(8):
        near = (lying[-1].x_mm, lying[-1].y_mm) if k % 3 == 2 and lying[-1].state == "flat" else None
        if at := place(24, near):
            lying.append(Die(int(draw.integers(1, 7)), *at, float(draw.uniform(0, 90))))
    return Scene(tuple(pieces), tuple(lying))


def of_frame(
    noted: Noted,
    lying: Sequence[tuple[int, Floats]],
    pieces: Sequence[Floats],
    side_mm: float,
    draw: np.random.Generator,
) -> Spots:
    """Those of one frame: `lying` says what dice are and where their upper faces' middles are seen."""
    assert noted.scene is not None
    middles = np.array([at for _, at in lying]).reshape(-1, 2)
    places = [
        *noted.spots_mm,
        *(at + draw.uniform(-7, 7, 2) for at in middles for _ in range(ROUND_A_DIE)),
        *(at + draw.uniform(-9, 9, 2) for at in pieces),
        *draw.uniform(5, side_mm - 5, (ANYWHERE, 2)),
    ]
    seen, what, off = [], [], []
    for place in places:
        away = np.linalg.norm(middles - place, axis=1)
        nearest = int(away.argmin()) if len(away) else 0
        least = float(away.min(initial=np.inf))
        if OWN_MM <= least < CLOSE_MM:
            continue
        at, height = place[None], [noted.height_mm(place)]
        seen.append(patches(noted.scene, at, height, size=STORED)[0].astype(np.float16))
        what.append(lying[nearest][0] if least < OWN_MM else NONE)
        axes = from_lens(noted.scene.camera, at, height)[1][0]
        off.append(axes @ (middles[nearest] - place) if least < OWN_MM else np.zeros(2))
    return Spots(np.array(seen), np.array(what), np.array(off, dtype=np.float32))


def value_of(die: dict[str, Any]) -> int:
    """What the net is to say of a labelled die."""
    return LEANS if die["state"] == "cocked" else int(die["value"])


def is_there(die: dict[str, Any]) -> bool:
    """Whether a labelled die lies where the camera sees some of it."""
    return bool(die["state"] != "absent" and die["visible"] > 0)


def middle_of(noted: Noted, die: dict[str, Any]) -> Floats:
    """Where on the plan the middle of its upper face is seen, as if it lay flat there."""
    return seen_at(noted, die["px"], noted.height_mm(np.array(die["xy_mm"])))


def seen_at(noted: Noted, px: Sequence[float], height_mm: float) -> Floats:
    """Where on the plan something of that height is that is seen there."""
    assert noted.scene is not None
    return np.asarray(noted.scene.camera.unproject(np.array([px], dtype=np.float64), height_mm)[0])


def altered(some: Spots) -> tuple[Tensor, Tensor]:
    """Patches (N, 8, 40, 40) of examples and where in them the dice are, as other tables might show them."""
    seen, off = torch.from_numpy(some.seen.astype(np.float32)), torch.from_numpy(some.off)
    count = len(seen)
    # What comes to u (mm from the middle) was at `way` u + `shift`.
    turn, mirror = (torch.rand(count) * 2 - 1) * TURNED, (torch.rand(count) < 0.5).float() * 2 - 1
    c, s = torch.cos(turn), torch.sin(turn)
    turned = torch.stack([torch.stack([c, -s * mirror], -1), torch.stack([s, c * mirror], -1)], 1)
    way = turned * (1 + 0.16 * (torch.rand(count) - 0.5))[:, None, None]
    shift = (torch.rand(count, 2) - 0.5) * 3
    along = (torch.arange(SIZE) + 0.5 - SIZE / 2) / PX_PER_MM
    places = torch.stack(torch.meshgrid(along, along, indexing="xy"), -1).reshape(1, -1, 2)
    at = (places @ way.transpose(1, 2) + shift[:, None]) * PX_PER_MM / (STORED / 2)
    off = torch.linalg.solve(way, off - shift)
    lens = (seen[:, 6:, 0, 0][:, None] @ turned)[:, 0]
    colours = functional.grid_sample(
        seen[:, :6], at.reshape(count, SIZE, SIZE, 2), padding_mode="border", align_corners=False
    )
    light = OtherLight(count, BALANCE, DEEPEST, GRADATION)
    now, bare = light.seen(colours[:, :3]), light.on(colours[:, 3:])
    return torch.cat([now, bare, lens[:, :, None, None].expand(-1, -1, SIZE, SIZE)], 1), off


class DiceFit(NetFit[Spots]):
    """The fit of the net of dice."""

    file, kind, layers, at_once = "dice_net.onnx", Spots, LAYERS, 128

    def of_table(self, folder: Path) -> Iterator[Spots]:
        return examples(folder, self.draw)

    def of_simulated(self, seed: int) -> Iterator[Spots]:
        return simulated(seed, self.draw)

    def chances(self, some: Spots) -> Floats:
        is_die = some.what != NONE
        return chances([is_die, ~is_die], [ON_DICE, 1 - ON_DICE])

    def described(self, some: Spots) -> str:
        return f"{len(some.what)} places, {(some.what != NONE).sum()} on dice"

    def altered(self, some: Spots) -> Tensor:
        return altered(some)[0]

    def loss(self, net: ConvNet, some: Spots) -> Tensor:
        seen, off = altered(some)
        what, said = torch.from_numpy(some.what), net(seen)
        told = functional.cross_entropy(said[:, :CLASSES], what, label_smoothing=SMOOTHED)
        is_die = (what != NONE).float()
        away = ((said[:, CLASSES:] - off / dice_net.OFF_MM).abs().sum(1) * is_die).sum()
        return told + OFF_WEIGHT * away / is_die.sum().clamp(min=1)

    def scored(self, says: Says, held: Spots) -> str:
        first = (STORED - SIZE) // 2
        part = slice(first, first + SIZE)
        said = says(held.seen[:, :, part, part].astype(np.float32))[:, :CLASSES].argmax(axis=1)
        is_die, leans = held.what != NONE, held.what == LEANS
        kinds = {
            "places on dice": (is_die, said != held.what),
            "others": (~is_die, said != held.what),
            "flat dice that seem to lean": (is_die & ~leans, said == LEANS),
            "leaning dice that do not": (leans, said != LEANS),
        }
        return "wrong are " + ", ".join(
            f"{wrong[of].sum()} of {of.sum()} {name}" for name, (of, wrong) in kinds.items()
        )
