"""How plainly labelled tables tell what calibration asks: `python -m tools.tables.turns TABLE_DIR…`.

For each table, and for all of them the lowest and the highest:

    turn    what the right turn costs by its paint, the next best turn, and the next best order of the seats
    pieces  what the right order of the pieces costs, and the next best
    bend    k1 as it is measured when nobody says which camera it is, before a Wide is tried
    bare    on the bare board: how much the third most covered square is, and the best fourth disc of a base
    start   the best fourth disc of a base with its pieces
    wide    how wide the pieces seem, in mm
    least   the least sure of the sixteen pieces, in nats
    corner  how far off, in mm of the plan, the worst corner of the board is seen

The constants of `place/paint.py`, `pair.py`, `bare.py`, `calibrate.py` and `pieces/first_seen.py`, all in
`uckers_table/vision`, lie between these.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from tools.tables.look import BOARD_MM
from uckers_table.errors import CalibrationError
from uckers_table.game.board import Board, Plan
from uckers_table.vision import bare, calibrate, pair
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.pieces import first_seen
from uckers_table.vision.pieces.pieces import Stack
from uckers_table.vision.place import locate
from uckers_table.vision.place.camera import CameraModel, from_homography
from uckers_table.vision.place.lens import Lens
from uckers_table.vision.place.paint import chute_paints, order_cost, turns
from uckers_table.vision.place.register import refine

NAMES = (
    "turn right", "turn next", "turn order", "pieces right", "pieces next", "bend", "bare covered",
    "bare fourth", "start fourth", "wide", "least", "corner",
)  # fmt: skip


def figures(folder: Path) -> list[float]:
    """The figures of one table (`NAMES`). CalibrationError if its pictures cannot be used."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    empty, start = (load_picture(folder / name) for name in ("empty.jpg", "start.jpg"))
    plan = Plan(Board(tuple(labels["seats"])))
    seats = plan.board.seats
    widths: list[float] = []
    nats: list[float] = []

    def known(stacks: list[Stack], *rest: object) -> list[Stack]:
        nats.extend(first_seen.piece_nats(stacks, *rest))  # type: ignore[arg-type]
        return list(stacks)

    true = labels["camera"]
    lens = Lens(true["fx"], true["k1"])
    with (
        mock.patch.object(pair, "check_width", lambda width_mm, plan: widths.append(width_mm)),
        mock.patch.object(calibrate, "known_pieces", known),
    ):
        found = calibrate.calibrate(empty, start, seats, lens=lens)
    paints = chute_paints(empty, found.camera, plan)
    pieces = np.array(found.piece_colours)[:, ::-1]
    told = turns([paints], seats)
    orders = list(permutations(seats))
    next_order = min(order_cost([paints], [order]) for order in orders if order != seats)
    order = {names: order_cost([paints, pieces], [seats, names]) for names in orders}
    cells = locate.lattice(empty, plan)
    assert cells is not None
    to_px = locate.mm_homography(cells, plan)
    usual, *_ = refine(empty, from_homography(to_px, empty.shape[1], empty.shape[0]), plan)
    on_bare, on_start = (
        bare.signs_of(picture, found.camera, plan, found.piece_diameter_mm) for picture in (empty, start)
    )
    return [
        float(told.costs.min()), float(np.sort(told.costs)[1]), next_order, order[seats],
        min(cost for names, cost in order.items() if names != seats), usual.k1, on_bare.covered,
        on_bare.fourth, on_start.fourth, widths[0], min(nats),
        seen_mm(found.camera, true),
    ]  # fmt: skip


def seen_mm(camera: CameraModel, true: dict[str, Any]) -> float:
    """How far off (mm of the plan) a camera sees the worst corner. `true`: the labels' camera."""
    corners = np.array([(x, y) for x in (0.0, BOARD_MM) for y in (0.0, BOARD_MM)])
    rotation, t = np.array(true["R"]), np.array(true["t"])
    seen = corners @ rotation[:, :2].T + t
    xy = seen[:, :2] / seen[:, 2:]
    r2 = (xy**2).sum(axis=1, keepdims=True)
    bent = xy * (1 + r2 * (true["k1"] + true.get("k2", 0.0) * r2))
    px = bent * true["fx"] + (true["cx"], true["cy"])
    return float(np.linalg.norm(camera.unproject(px) - corners, axis=1).max())


def print_figures(
    names: Sequence[str], figures_of: Callable[[Path], Sequence[float]], folders: Iterable[Path]
) -> None:
    """Prints a line for each table, with its figures (nan: none), then the lowest and the highest of each."""
    rows = []
    print(f"{'':12}" + "".join(f"{name:>13}" for name in names))
    for folder in folders:
        try:
            row = figures_of(folder)
        except CalibrationError as error:
            print(f"{folder.name:12}  {error}")
            continue
        rows.append(row)
        print(f"{folder.name:12}" + "".join(f"{value:13.2f}" for value in row), flush=True)
    for name, values in (("lowest", np.nanmin(rows, axis=0)), ("highest", np.nanmax(rows, axis=0))):
        print(f"{name:12}" + "".join(f"{value:13.2f}" for value in values))


if __name__ == "__main__":
    print_figures(NAMES, figures, map(Path, sys.argv[1:]))
