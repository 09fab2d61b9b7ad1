"""Renders labelled tables: `python tools/tables OUT P1 K2 … [--frames start.jpg 001.jpg]`.

With `--match RULES` each is a recording of a match in place of labelled frames.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
from deal import DIE_MM, Die, Piece, Setting, deal, deal_full
from draw import die_looks, drawn, is_drawn
from lens import HEIGHT, WIDTH, Lens, Locked, expose
from looks import BOARD_MM, TABLES, Table
from painting import cloth, painting
from recorded import Stretch, play
from stage import BOARD_THICK_MM, Stage, middle_mm

from uckers_table.game.board import Board, Plan
from uckers_table.simulator import paint
from uckers_table.simulator.outlines import base_spots

SAMPLES, SAMPLES_AROUND, AROUND_PERCENT = 2, 3, 25
"""Paths a pixel on the board, and beside it, where every third pixel is enough; denoised by what is known of
surfaces, which keeps the paint as sharp as it is.
"""
EDGE_PX = 30
"""So far from the picture's edge nothing lies that must be seen whole."""
MARGIN_MM, HIGHEST_MM = 45.0, 40.0
LOOKS = 6
"""Of dice, where frames are full of leans."""
HIDDEN_MM = [(x, y) for x in range(-55, 666, 10) for y in range(-55, 666, 10)]
"""Points of the plan of which it is told whether a hand hides them."""
UNFINISHED = "unfinished.npz"
"""In a table's folder while pictures are missing: what its camera has settled on."""


def main() -> None:
    """Renders the tables named on the command line."""
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("out", type=Path)
    ap.add_argument("tables", nargs="+", help=f"{', '.join(TABLES)}, or any D1, D2 …: drawn at random")
    ap.add_argument("--frames", nargs="*", help="only these; labels are then left alone")
    ap.add_argument("--match", metavar="RULES", help="a recorded match by these rules, not frames")
    ap.add_argument(
        "--full-of",
        choices=("dice", "glare", "leans", "stacks", "towers", "own", "chutes", "hands"),
        help="frames as no game comes to, for who learns",
    )
    ap.add_argument("--count", type=int, default=4, help="how many of those (%(default)s)")
    ap.add_argument("--dice", choices=("tower", "camera"), default="tower", help="who reads them in a match")
    ap.add_argument("--after", type=int, default=60, help="plays and throws before it (%(default)s)")
    ap.add_argument("--pictures", type=int, default=26, help="how many a match has (%(default)s)")
    args = ap.parse_args()
    if unknown := [name for name in args.tables if name not in TABLES and not is_drawn(name)]:
        ap.error(f"no table is called {unknown[0]}: {', '.join(TABLES)}, or D and a number")
    for name in args.tables:
        if args.match:
            stretch = Stretch(args.match, args.dice, args.after, args.pictures)
            render_match(name, args.out / name, stretch)
        else:
            render_table(name, args.out / name, args.frames, args.full_of, args.count)


def render_match(name: str, out: Path, stretch: Stretch) -> None:
    """A recording of a match at one table, `frames`, and the same of what truly stands there, `truth`."""
    (out / "frames" / "frames").mkdir(parents=True, exist_ok=True)
    rendering = Rendering(name)
    table = rendering.table
    bare_and_start = deal(rendering.plan, table.spots, name, table.diameter, lambda at: True)[:2]
    settings = [*bare_and_start, *play(name, table, stretch, out)]
    left = [setting for setting in settings if not (out / "frames" / setting.name).exists()]
    for _ in rendering.pictures(left, out / "frames"):
        pass
    (out / "frames" / UNFINISHED).unlink(missing_ok=True)


def render_table(name: str, out: Path, only: list[str] | None, full_of: str | None, count: int) -> None:
    """One table's frames and labels; so many frames `full_of` something, if that is wanted."""
    out.mkdir(parents=True, exist_ok=True)
    looks = LOOKS if full_of == "leans" else 1
    rendering = Rendering(name, looks)
    table, lens, plan = rendering.table, rendering.lens, rendering.plan

    def in_picture(at: tuple[float, float]) -> bool:
        (u, v), *_ = lens.project(np.array([(*at, 0.0)]))
        return bool(EDGE_PX < u < WIDTH - EDGE_PX and EDGE_PX < v < HEIGHT - EDGE_PX)

    if full_of:
        there = mirrors(table, lens)
        settings = deal_full(
            full_of, count, plan, table.spots, name, table.diameter, in_picture, there, looks
        )
    else:
        anyhow = table.thrown_anyhow
        settings = deal(plan, table.spots, name, table.diameter, in_picture, thrown_anyhow=anyhow)
    if only:
        settings = [setting for setting in settings if setting.name in (*only, "empty.jpg")]
    frames: list[dict[str, object]] = []
    if (out / UNFINISHED).exists() and not only:
        # Somebody stopped it: what is there stays.
        frames = json.loads((out / "labels.json").read_text())["frames"]
    done = {label["file"] for label in frames}
    for label in rendering.pictures([s for s in settings if s.name not in done], out, anew=bool(only)):
        frames.append(label)
        if only:
            continue
        spots = {s: base_spots(plan, k, table.spots) for k, s in enumerate(table.seats)}
        head = {
            "setup": name,
            "seats": list(table.seats),
            "plan_top_left_seat": table.seats[0],
            "lighting": table.lighting,
            "table": table.weave,
            "board_mm": BOARD_MM,
            "cell_mm": 40.0,
            "border_mm": 5.0,
            "piece_diameter_mm": table.diameter,
            "piece_height_mm": table.height,
            "die_mm": DIE_MM,
            "base_spots_mm": spots,
            "camera": lens.label(),
            "corners_px": corners(lens, None),
            "frames": frames,
        }
        (out / "labels.json").write_text(json.dumps(head, indent=1))
    (out / UNFINISHED).unlink(missing_ok=True)


class Rendering:
    """A table, its camera, and the pictures that this takes of it; dice have so many looks."""

    def __init__(self, name: str, looks: int = 1) -> None:
        self.table = table = TABLES[name] if name in TABLES else drawn(name)
        self.plan = Plan(Board(table.seats))
        self.lens = Lens.of(table.view)
        painted, self._white = painting(table, self.plan, name)
        self._name = name
        dice = (table.die,) if looks == 1 else die_looks(name, looks)
        self._stage = Stage(table, painted, cloth(table, name), name, dice)

    def pictures(
        self, settings: Iterable[Setting], out: Path, *, anew: bool = False
    ) -> Iterator[dict[str, object]]:
        """Takes a picture of each setting into a folder, and gives its label.

        The camera keeps what it had settled on when somebody stopped it, unless it begins `anew`.
        """
        locked, around = None, None
        kept = out / UNFINISHED
        if kept.exists() and not anew:
            with np.load(kept) as file:
                locked, around = Locked(file["gains"]), file["around"]
        for setting in settings:
            begun = time.monotonic()
            is_still = not (setting.hand or setting.camera_push or setting.shadow is not None)
            label, light, seen = render_frame(self._stage, self.table, setting, around if is_still else None)
            around = seen if around is None else around
            if locked is None:
                locked = Locked.on(light, white_px(self._white, self.lens), self.table.sensor)
                np.savez(kept, gains=locked.gains, around=around)
            picture, quality = expose(
                light, locked, self.table.sensor, setting.gain, self._name + setting.name
            )
            cv2.imwrite(str(out / setting.name), picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            print(f"{self._name}/{setting.name}: {time.monotonic() - begun:.0f} s", flush=True)
            yield label


def mirrors(table: Table, lens: Lens) -> list[tuple[float, float]]:
    """Where on the board, at dice's height, the camera sees lamps mirrored."""
    x, y, z = lens.place
    up = abs(float(z)) - DIE_MM
    out = []
    for lamp in table.lamps:
        share = up / (up + lamp.at[2] - DIE_MM)
        at = float(x) + (lamp.at[0] - float(x)) * share, float(y) + (lamp.at[1] - float(y)) * share
        if all(0 < v < BOARD_MM for v in at):
            out.append(at)
    return out


def white_px(white: np.ndarray, lens: Lens) -> np.ndarray:
    """Where white paint is in the picture, near the board's middle."""
    rows, columns = np.nonzero(white)
    mm = np.column_stack([columns, rows, np.zeros(len(rows))]) / paint.BOARD_PX_PER_MM
    mm = mm[(np.abs(mm[:, :2] - BOARD_MM / 2) < 150).all(axis=1)][::7]
    mask = np.zeros((HEIGHT, WIDTH), bool)
    u, v = np.rint(lens.project(mm)).astype(int).T
    mask[v, u] = True
    return mask


def render_frame(
    stage: Stage, table: Table, setting: Setting, around: np.ndarray | None
) -> tuple[dict[str, object], np.ndarray, np.ndarray]:
    """Labels, linear light (H, W, 3), and the wide picture of what is `around` the board if that is still."""
    lens = Lens.of(table.view, setting.camera_push)
    stage.set(lens, setting.pieces, setting.dice, setting.board_pose, setting.hand)
    label = labelled(stage, table, setting, lens)
    if setting.shadow is not None:
        stage.shade(setting.shadow)
    width, height = lens.wide_size
    if around is None:
        small = stage.render((0, 0, width, height), SAMPLES_AROUND, AROUND_PERCENT)
        around = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    out = around.copy()
    beside = [d.at for d in setting.dice if d.on_table] + [p.at for p in setting.pieces if p.place == "floor"]
    changes = [(0.0, 0.0), (BOARD_MM, BOARD_MM), *beside]
    (x0, y0), (x1, y1) = np.min(changes, axis=0) - MARGIN_MM, np.max(changes, axis=0) + MARGIN_MM
    edge = lens.wide(np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (0, -HIGHEST_MM)]))
    left, top = np.maximum(np.floor(edge.min(axis=0)), 0).astype(int)
    right, bottom = np.minimum(np.ceil(edge.max(axis=0)), (width, height)).astype(int)
    out[top:bottom, left:right] = stage.render((left, top, right, bottom), SAMPLES)
    return label, lens.bend(out), around


def labelled(stage: Stage, table: Table, setting: Setting, lens: Lens) -> dict[str, object]:
    """What FRAMES.md wants to be known of a frame."""
    pose = setting.board_pose
    pieces = []
    for p in setting.pieces:
        up = top_mm(table, p)
        ring = [(0.0, 0.0)] + [
            (r * np.cos(a), r * np.sin(a)) for r in (4.0, 8.5) for a in np.linspace(0, 6.283, 13)[:-1]
        ]
        points = np.array([(p.at[0] + x, p.at[1] + y, -up - 0.05) for x, y in ring])
        held = points if p.place == "floor" else posed(points, pose)
        pieces.append(
            {
                "colour": table.seats[p.seat],
                "place": p.place,
                "cell": None if p.cell is None else list(p.cell),
                "xy_mm": [round(v, 2) for v in p.at],
                "stack_level": p.level,
                "px": lens.project(held[:1])[0].round(2).tolist(),
                "visible": round(stage.share_seen(lens, held), 3),
            }
        )
    dice = []
    for d in setting.dice:
        points = upper_face(d)
        held = points if d.state == "off_board" else posed(points, pose)
        at = lens.project(held[:1])[0]
        inside = bool((at > 8).all() and at[0] < 2296 and at[1] < 1288)
        seen = stage.share_seen(lens, held) if inside else 0.0
        dice.append(
            {
                "value": d.value,
                "state": d.state,
                "xy_mm": [round(v, 2) for v in d.at],
                "yaw": round(d.yaw, 1),
                "px": at.round(2).tolist(),
                "visible": round(seen, 3),
            }
        )
    label: dict[str, object] = {
        "file": setting.name,
        "pieces": pieces,
        "dice": dice,
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


def top_mm(table: Table, piece: Piece) -> float:
    """How high a piece's top is above the board."""
    return (piece.level + 1) * table.height - (BOARD_THICK_MM if piece.place == "floor" else 0.0)


def upper_face(die: Die) -> np.ndarray:
    """Points (10, 3) of the plan just above a die's upper face, its middle first."""
    tilt, lean = np.radians(die.tilt), np.radians(die.lean)
    c, s = np.cos(lean), np.sin(lean)
    # Away from where it leans, along the face and down; across; and out of the face.
    down = np.array([np.cos(tilt) * c, np.cos(tilt) * s, np.sin(tilt)])
    across, out = np.array([-s, c, 0.0]), np.array([np.sin(tilt) * c, np.sin(tilt) * s, -np.cos(tilt)])
    middle = np.array([*die.at, -middle_mm(die)]) + (DIE_MM / 2 + 0.1) * out
    return np.array([middle, *(middle + x * down + y * across for x in (-5, 0, 5) for y in (-5, 0, 5))])


def posed(points: np.ndarray, pose: tuple[float, float, float] | None) -> np.ndarray:
    """Points (N, 3) of the board's own plan where they are now."""
    if pose is None:
        return points
    dx, dy, turn = pose
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x, y = points[:, 0] - BOARD_MM / 2, points[:, 1] - BOARD_MM / 2
    return np.column_stack(
        [c * x - s * y + BOARD_MM / 2 + dx, s * x + c * y + BOARD_MM / 2 + dy, points[:, 2]]
    )


def corners(lens: Lens, pose: tuple[float, float, float] | None) -> dict[str, list[float]]:
    """The board's corners in pixels."""
    s = BOARD_MM
    points = posed(np.array([(0.0, 0.0, 0.0), (s, 0.0, 0.0), (s, s, 0.0), (0.0, s, 0.0)]), pose)
    return dict(zip(("TL", "TR", "BR", "BL"), lens.project(points).round(2).tolist(), strict=True))


if __name__ == "__main__":
    main()
