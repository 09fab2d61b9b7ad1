"""The exact truth about a rendered frame, in the form of labelled pictures of tables."""

from __future__ import annotations

from typing import Any

from uckers_table.game.board import BASE, Plan
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import DIE_MM, PIECE_DIAMETER_MM, Die, Scene, WoodenPiece


def label(renderer: Renderer, scene: Scene) -> dict[str, Any]:
    """What stands where in a scene's frame, in millimetres of the plan and pixels of the frame."""
    side = renderer.plan.side_mm
    corners = renderer.view.project([(0.0, 0.0, 0.0), (side, 0.0, 0.0), (side, side, 0.0), (0.0, side, 0.0)])
    return {
        "seats": list(renderer.plan.board.seats),
        "plan_top_left_seat": renderer.plan.board.seats[0],
        "piece_height_mm": round(renderer.look.piece_height_mm, 2),
        "piece_diameter_mm": PIECE_DIAMETER_MM,
        "die_mm": DIE_MM,
        "corners_px": dict(zip(("TL", "TR", "BR", "BL"), corners.round(2).tolist(), strict=True)),
        "pieces": [_piece(renderer, piece) for piece in scene.pieces],
        "dice": [_die(renderer, die) for die in scene.dice],
        "flags": {"hand": bool(scene.hands)},
    }


def _piece(renderer: Renderer, piece: WoodenPiece) -> dict[str, Any]:
    cell = renderer.plan.cell(piece.seat, piece.steps)
    top = -(piece.level + 1) * renderer.look.piece_height_mm
    return {
        "colour": renderer.plan.board.seats[piece.seat],
        "place": whereabouts(renderer.plan, piece),
        "cell": None if cell is None else list(cell),
        "xy_mm": [round(piece.x_mm, 2), round(piece.y_mm, 2)],
        "stack_level": piece.level,
        "px": renderer.view.project([(piece.x_mm, piece.y_mm, top)])[0].round(2).tolist(),
    }


def _die(renderer: Renderer, die: Die) -> dict[str, Any]:
    return {
        "value": die.value,
        "state": die.state,
        "xy_mm": [round(die.x_mm, 2), round(die.y_mm, 2)],
        "yaw": round(die.yaw_deg, 1),
        "px": renderer.view.project([(die.x_mm, die.y_mm, -DIE_MM)])[0].round(2).tolist(),
    }


def whereabouts(plan: Plan, piece: WoodenPiece) -> str:
    """Where a piece is, in a word: base, track, chute or home."""
    if piece.steps == BASE:
        return "base"
    if piece.steps == plan.board.home:
        return "home"
    return "chute" if piece.steps in plan.board.chute else "track"
