"""What is known of a frame: what stands where in the plan and in the picture, and how much of it is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tools.tables.lens import Lens
from tools.tables.look import BOARD_MM, Pair, Table
from tools.tables.setting import BOARD_THICK_MM, DIE_MM, Die, Piece, Setting, middle_mm
from uckers_table.game.board import Plan
from uckers_table.simulator.outlines import base_spots
from uckers_table.vision.picture.arrays import Floats

if TYPE_CHECKING:
    # Only it needs Blender.
    from tools.tables.stage import Stage

Label = dict[str, Any]
Pose = tuple[float, float, float]

INSIDE_PX = 8
"""How far from the picture's edge the middle of a die's face is, for its label to say what is seen of it."""
HIDDEN_MM: list[Pair] = [(x, y) for x in range(-55, 666, 10) for y in range(-55, 666, 10)]
"""The points of the plan of which a label says whether a hand hides them."""


def label_of_table(name: str, table: Table, plan: Plan, lens: Lens) -> Label:
    """What is the same in all frames."""
    return {
        "setup": name,
        "seats": list(table.seats),
        "plan_top_left_seat": table.seats[0],
        "lighting": table.lighting,
        "table": table.weave,
        "board_mm": BOARD_MM,
        "cell_mm": 40.0,
        "border_mm": 5.0,
        "piece_diameter_mm": table.piece_diameter_mm,
        "piece_height_mm": table.piece_height_mm,
        "die_mm": DIE_MM,
        "base_spots_mm": {s: base_spots(plan, k, table.spots_mm) for k, s in enumerate(table.seats)},
        "camera": lens.label(),
        "corners_px": corners(lens, None),
    }


def label_of_frame(stage: Stage, table: Table, setting: Setting, lens: Lens) -> Label:
    """What is known of the frame for which the stage is set."""
    pose = setting.board_pose
    label: Label = {
        "file": setting.name,
        "pieces": [_piece(stage, table, piece, lens, pose) for piece in setting.pieces],
        "dice": [_die(stage, die, lens, pose) for die in setting.dice],
        "flags": {
            "hand": setting.hand is not None,
            "bumped": pose is not None or setting.camera_push is not None,
            "lighting": table.lighting,
            "person_shadow": setting.shadow is not None,
        },
        "corners_px": corners(lens, pose),
    }
    if pose is not None:
        label["board_pose"] = dict(zip(("dx", "dy", "rot"), (round(v, 3) for v in pose), strict=True))
    if setting.camera_push is not None:
        label["camera"] = lens.label()
    if setting.hand is not None:
        label["hand"] = {
            "pose": setting.hand.pose,
            "tone": setting.hand.tone,
            "sleeve": setting.hand.sleeve,
            "hides_mm": stage.hidden_by_hand(lens, HIDDEN_MM),
        }
    return label


def corners(lens: Lens, pose: Pose | None) -> dict[str, list[float]]:
    """The board's corners in pixels."""
    s = BOARD_MM
    points = posed(np.array([(0.0, 0.0, 0.0), (s, 0.0, 0.0), (s, s, 0.0), (0.0, s, 0.0)]), pose)
    return dict(zip(("TL", "TR", "BR", "BL"), lens.project(points).round(2).tolist(), strict=True))


def posed(points: Floats, pose: Pose | None) -> Floats:
    """Points (N, 3) of the board's own plan, where they are when the board has been moved."""
    if pose is None:
        return points
    dx, dy, turn = pose
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x, y = points[:, 0] - BOARD_MM / 2, points[:, 1] - BOARD_MM / 2
    return np.column_stack(
        [c * x - s * y + BOARD_MM / 2 + dx, s * x + c * y + BOARD_MM / 2 + dy, points[:, 2]]
    )


def _piece(stage: Stage, table: Table, piece: Piece, lens: Lens, pose: Pose | None) -> Label:
    up = (piece.level + 1) * table.piece_height_mm - (BOARD_THICK_MM if piece.place == "floor" else 0.0)
    top = [(0.0, 0.0)] + [
        (r * np.cos(a), r * np.sin(a)) for r in (4.0, 8.5) for a in np.linspace(0, 6.283, 13)[:-1]
    ]
    points = np.array([(piece.at[0] + x, piece.at[1] + y, -up - 0.05) for x, y in top])
    held = points if piece.place == "floor" else posed(points, pose)
    return {
        "colour": table.seats[piece.seat],
        "place": piece.place,
        "cell": None if piece.cell is None else list(piece.cell),
        "xy_mm": [round(v, 2) for v in piece.at],
        "stack_level": piece.level,
        "px": lens.project(held[:1])[0].round(2).tolist(),
        "visible": round(stage.share_seen(lens, held), 3),
    }


def _die(stage: Stage, die: Die, lens: Lens, pose: Pose | None) -> Label:
    points = upper_face(die)
    held = points if die.state == "off_board" else posed(points, pose)
    at = lens.project(held[:1])[0]
    inside = (at > INSIDE_PX).all() and (at < np.array(lens.size) - INSIDE_PX).all()
    seen = stage.share_seen(lens, held) if inside else 0.0
    return {
        "value": die.value,
        "state": die.state,
        "xy_mm": [round(v, 2) for v in die.at],
        "yaw": round(die.yaw, 1),
        "tilt": round(die.tilt, 1),
        "px": at.round(2).tolist(),
        "visible": round(seen, 3),
    }


def upper_face(die: Die) -> Floats:
    """Points (10, 3) of the plan just above a die's upper face, its middle first."""
    tilt, lean = np.radians(die.tilt), np.radians(die.lean)
    c, s = np.cos(lean), np.sin(lean)
    # Along the face and down, away from where it leans; across; and out of the face.
    down = np.array([np.cos(tilt) * c, np.cos(tilt) * s, np.sin(tilt)])
    across, out = np.array([-s, c, 0.0]), np.array([np.sin(tilt) * c, np.sin(tilt) * s, -np.cos(tilt)])
    middle = np.array([*die.at, -middle_mm(die)]) + (DIE_MM / 2 + 0.1) * out
    return np.array([middle, *(middle + x * down + y * across for x in (-5, 0, 5) for y in (-5, 0, 5))])
