"""What the net of `hand_net` learns: whether a hand is at a point of the board's edge.

Labels of frames rendered with `--full-of hands` say what each hand hides. Tables without hands are learned
for their shadows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from tools.fits.examples import Examples, chances, wrong_and_nats
from tools.fits.labelled import START, LabelledTable
from tools.fits.learning import ConvNet, Layers, OtherLight
from tools.fits.net_fit import NetFit, Says
from tools.fits.towers import dealt, simulated_table
from tools.fits.watching import put_in_place
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.optics import Viewpoint
from uckers_table.simulator.scene import Hand
from uckers_table.simulator.solids import hand_limbs
from uckers_table.vision.hands.hand_net import CHANNELS, OUTPUTS, SIZE, points, strip, windows
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.nets.net import Patches
from uckers_table.vision.picture.arrays import Flags, Floats, Image
from uckers_table.vision.reader import Reader

HAND_MM, CLEAR_MM = 12.0, 55.0
"""A hand is at a point of the edge if it hides anything nearer than the first, within or without; and none is
if it hides nothing nearer than the second. Points between are left out.
"""
NONE_A_SIDE = 7
"""Points without a hand that are learned of each side: where most has changed, and as many others."""
FRAMES_SIMULATED, TIPS_MM = 10, (-25.0, 635.0)
"""Frames of each simulated table; and where finger tips are, across and down."""
LAYERS = Layers((CHANNELS, SIZE, SIZE), (16, 24, 32, 48, 48), (1, 2, 1, 2, 2), 48, OUTPUTS)
BALANCE, DEEPEST = 0.5, 0.9
CUT = 0.2
"""The share of points beside which little or nothing of the table is in the picture."""
MOVED_PX = 3
STORED = SIZE + 2 * MOVED_PX
"""Pixels a side of what is kept of a point: enough to move it this far."""
SMOOTHED = 0.01

Place = tuple[float, float]


@dataclass(frozen=True)
class Points(Examples):
    """Points of the edge as they are seen (N, CHANNELS, STORED, STORED), and whether a hand is there."""

    seen: npt.NDArray[np.floating]
    is_hand: Flags


class Noted:
    """What the reader last saw when it looked for hands."""

    def __init__(self) -> None:
        self._seen: Evidence | None = None
        noted = self

        def note(reader: Reader, seen: Evidence, soft: Image) -> None:
            noted._seen = seen

        put_in_place(Reader, _hand=note)

    def examples(
        self, reader: Reader, picture: Image, hides_mm: Sequence[Place], draw: np.random.Generator
    ) -> Iterator[Points]:
        """Those of one picture, side by side; a hand hides these places of the plan."""
        self._seen = None
        reader.look(picture)
        if self._seen is None:
            return
        canvas = reader.canvas
        columns = points(canvas)
        along_mm = canvas.mm(2.0 * columns + 0.5)
        for quarter in range(4):
            seen = windows(strip(self._seen, canvas, quarter, STORED), columns)
            far = far_from_hidden(hides_mm, quarter, canvas.side_mm, along_mm)
            none = np.flatnonzero(far > CLEAR_MM)
            change = np.abs(seen[none, :3] - seen[none, 3:6]).mean(axis=(1, 2, 3))
            most = none[np.argsort(-change)]
            kept = np.concatenate([most[:NONE_A_SIDE], draw.permutation(most[NONE_A_SIDE:])[:NONE_A_SIDE]])
            some = np.concatenate([np.flatnonzero(far < HAND_MM), kept])
            yield Points(seen[some].astype(np.float16), far[some] < HAND_MM)


def examples(folder: Path, noted: Noted, draw: np.random.Generator) -> Iterator[Points]:
    """Those of one table. A frame with a hand is left out if no label says what the hand hides."""
    table = LabelledTable(folder)
    for frame in table.frames(with_hands=True):
        hides_mm = [] if frame.hand is None else frame.hand.get("hides_mm")
        if frame.file != START and hides_mm is not None:
            yield from noted.examples(table.reader, frame.image, [(x, y) for x, y in hides_mm], draw)


def of_simulated(seed: int, noted: Noted, draw: np.random.Generator) -> Iterator[Points]:
    """Those of one simulated table, a hand over it in every frame."""
    plan = Plan(Board())
    renderer, reader = simulated_table(seed, plan)
    far = np.arange(-55.0, plan.side_mm + 56, 10)
    plane = np.stack(np.meshgrid(far, far), axis=-1).reshape(-1, 2)
    for _ in range(FRAMES_SIMULATED):
        x, y = draw.uniform(*TIPS_MM, 2).tolist()
        hand = Hand(x, y, float(draw.uniform(0, 360)))
        scene, _ = dealt(plan, draw)
        hides_mm = [(float(x), float(y)) for x, y in plane[hidden_by(hand, renderer.view, plane)]]
        yield from noted.examples(reader, renderer.frame(replace(scene, hands=(hand,))), hides_mm, draw)


def hidden_by(hand: Hand, view: Viewpoint, places: Floats) -> Flags:
    """Which places of the plan (N, 2) a simulated hand hides."""
    seen = view.project(np.column_stack([places, np.zeros(len(places))]))
    out = np.zeros(len(places), dtype=bool)
    for limb in hand_limbs(hand):
        both = np.stack([limb.start, limb.end])
        depth = (both @ view.rotation.T + view.translation)[:, 2]
        wide = np.array([limb.start_mm, limb.end_mm]) * view.focal_px / depth
        start, end = view.project(both)
        along = end - start
        share = np.clip((seen - start) @ along / (along @ along), 0, 1)
        off = seen - start - share[:, None] * along
        out |= np.hypot(off[:, 0], off[:, 1]) < wide[0] + share * (wide[1] - wide[0])
    return out


def far_from_hidden(hides_mm: Sequence[Place], quarter: int, side_mm: float, along_mm: Floats) -> Floats:
    """How far (N,) points of a side's edge lie from what a hand hides."""
    if not hides_mm:
        return np.full(len(along_mm), np.inf)
    x, y = np.array(hides_mm, dtype=np.float64).T
    along, inside = ((x, y), (y, side_mm - x), (side_mm - x, side_mm - y), (side_mm - y, x))[quarter]
    return np.asarray(np.hypot(along_mm[:, None] - along, inside).min(axis=1))


def cut(seen: npt.NDArray[np.floating]) -> Patches:
    """Stored points as the net sees them."""
    return seen[:, :, MOVED_PX : MOVED_PX + SIZE, MOVED_PX : MOVED_PX + SIZE].astype(np.float32)


def altered(seen: npt.NDArray[np.floating]) -> Tensor:
    """Stored points as the net sees them, as other tables might show them."""
    moved = torch.randint(0, 2 * MOVED_PX + 1, (2,)).tolist()
    part = torch.from_numpy(
        seen[:, :, moved[0] : moved[0] + SIZE, moved[1] : moved[1] + SIZE].astype(np.float32)
    )
    is_mirrored = (torch.rand(len(part)) < 0.5)[:, None, None, None]
    part = torch.where(is_mirrored, part.flip(3), part)
    light = OtherLight(len(part), BALANCE, DEEPEST)
    now, bare, known = part.split((3, 3, 1), 1)
    # Of some the picture ends close beside the board: no more of the table, above its edge, is known.
    ends = torch.where(torch.rand(len(part)) < CUT, torch.randint(0, SIZE // 2, (len(part),)), 0)
    known = known * (torch.arange(SIZE)[:, None] >= ends[:, None, None, None])
    return torch.cat([light.seen(now) * known, light.on(bare) * known, known], 1)


class HandFit(NetFit[Points]):
    """The fit of the net of hands."""

    file, kind, layers, at_once = "hand_net.onnx", Points, LAYERS, 100

    def __init__(self) -> None:
        super().__init__()
        self._noted = Noted()

    def of_table(self, folder: Path) -> Iterator[Points]:
        return examples(folder, self._noted, self.draw)

    def of_simulated(self, seed: int) -> Iterator[Points]:
        return of_simulated(seed, self._noted, self.draw)

    def chances(self, some: Points) -> Floats:
        return chances([some.is_hand, ~some.is_hand], [0.5, 0.5])

    def described(self, some: Points) -> str:
        return f"{len(some.is_hand)} points, {some.is_hand.sum()} of hands"

    def altered(self, some: Points) -> Tensor:
        return altered(some.seen)

    def loss(self, net: ConvNet, some: Points) -> Tensor:
        said = net(altered(some.seen))[:, 0]
        is_hand = torch.from_numpy(some.is_hand).float()
        return functional.binary_cross_entropy_with_logits(said, is_hand * (1 - 2 * SMOOTHED) + SMOOTHED)

    def scored(self, says: Says, held: Points) -> str:
        said = says(cut(held.seen))[:, 0]
        parts = []
        for name, some in (("hands", held.is_hand), ("others", ~held.is_hand)):
            if some.any():
                wrong, nats = wrong_and_nats(said[some], held.is_hand[some])
                parts.append(f"{wrong} of {some.sum()} {name} wrong, {nats:.3f} nats")
        return "; ".join(parts)
