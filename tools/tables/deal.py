"""What lies where in each frame: positions that a game might come to, put down as people put pieces down."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import cos, dist, pi, sin

from uckers_table.game.board import PIECES, Plan
from uckers_table.simulator.outlines import base_spots

DIE_MM = 16.0
Point = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A piece: seat, place ("base", "track", "chute", "home", "floor"), cell, where, how many below it."""

    seat: int
    place: str
    cell: tuple[int, int] | None
    at: Point
    level: int = 0


@dataclass(frozen=True)
class Die:
    """A die; `tilt` leans it towards the azimuth `lean` (degrees of the plan); whether it stands `on_table`,
    and which of the looks it has.
    """

    value: int
    state: str
    at: Point
    yaw: float
    tilt: float = 0.0
    lean: float = 0.0
    on_table: bool = False
    look: int = 0


@dataclass(frozen=True)
class Hand:
    """A hand with its fingertips over a point; the arm comes from the azimuth `towards` (degrees)."""

    at: Point
    towards: float
    pose: str
    tone: int
    sleeve: str


@dataclass(frozen=True)
class Setting:
    """One frame. `board_pose` (dx, dy, degrees) moves the board with all on it; `camera_push` (dx, dy, dz mm
    and two small angles in degrees) moves the camera; `shadow` is the azimuth of a person between lamp and
    board.
    """

    name: str
    pieces: tuple[Piece, ...] = ()
    dice: tuple[Die, ...] = ()
    hand: Hand | None = None
    board_pose: tuple[float, float, float] | None = None
    camera_push: tuple[float, ...] | None = None
    shadow: float | None = None
    gain: float = 1.0


FRAMES: tuple[frozenset[str], ...] = (
    frozenset({"stack"}),
    frozenset({"own_paint", "shadow", "cocked"}),
    frozenset({"hand", "shadow"}),
    frozenset({"stack", "bumped_board"}),
    frozenset({"own_paint", "stack", "floor", "off_board"}),
    frozenset({"mixi", "shadow"}),
    frozenset({"stack", "cocked", "bumped_camera"}),
    frozenset({"crowd"}),
)
"""What each mid-game frame of a table must have."""


def deal(
    plan: Plan,
    spots_mm: float,
    seed: str,
    diameter: float,
    in_picture: Callable[[Point], bool],
    *,
    thrown_anyhow: bool = False,
) -> list[Setting]:
    """empty.jpg, start.jpg and the mid-game frames; `in_picture` says what of the table the camera sees.

    Dice that are `thrown_anyhow` lean on each other and on the board's edge too, not on pieces only.
    """
    rng = random.Random(f"deal {seed}")

    def dealer() -> _Dealer:
        return _Dealer(plan, spots_mm, rng, diameter, in_picture, thrown_anyhow=thrown_anyhow)

    frames = [dealer().frame(f"{k:03}.jpg", wanted) for k, wanted in enumerate(FRAMES, 1)]
    return [Setting("empty.jpg"), Setting("start.jpg", dealer().start()), *frames]


SINGLE_A_FRAME = 5
"""Of frames full of stacks: so many pieces at most stand in none."""
TOWER_PIECES, TOWERS, SIDE_BY_SIDE = 15, (1, 1, 2, 2, 3, 3, 4), 0.15
"""Of frames full of towers: pieces of each colour, how many stand together, how often beside each other."""
ON_OWN_SQUARE, ELSEWHERE = (0, 0, 1, 1, 1, 1, 2, 2), 4
"""Of frames full of pieces on their own paint: how many stand on each square of it, and of each colour at
most elsewhere on the track.
"""
CHUTE_TOWERS, PARTNERS, TOGETHER = (0, 1, 1, 2, 2, 3, 3, 4), 0.3, 0.85
"""Of frames full of towers on their own paint: how many stand together, how many of those on a doorstep are
the partner's, and how often together means on each other.
"""
DICE_A_FRAME, LEANING_A_FRAME, BESIDE_A_FRAME = 12, 5, 1
"""Of frames full of dice: all of them, those that lean, and those beside the board."""
LEANS_A_FRAME = (
    *["cocked"] * 4,
    *["on_edge"] * 3,
    *["flat", "on_die"] * 3,
    *["flat", "touching"] * 2,
    *["alone"] * 2,
    *["flat", "glare"] * 2,
    *["off_board"] * 2,
)
"""Of frames full of leans: dice that lean on pieces, on the board's edge, each on the flat one before it, and
on nothing; and flat ones, of which some touch.
"""
ANYHOW = ("cocked", "cocked", "cocked", "on_edge", "on_edge", "on_die")
"""How dice lean that are thrown anyhow: on the labelled tables five of ten on pieces, three on the edge."""
APART_MM, EDGE_MM, TOUCHING_MM = 17.9, 10.1, 16.3
"""From a flat die's middle to that of one that leans on it; from the board's edge to that of one that leans
there (both by the labels of labelled tables); and from one flat die to another that touches it.
"""
GLARE_A_FRAME = (*["glare"] * 6, "cocked", "cocked", "alone", "alone", "flat", "off_board")
GLARE_MM = 40.0
"""Of frames of dice in glare: where they lie, two of them leaning on nothing; and how near a lamp's image."""


def deal_full(
    full_of: str,
    frames: int,
    plan: Plan,
    spots_mm: float,
    seed: str,
    diameter: float,
    in_picture: Callable[[Point], bool],
    mirrors: Sequence[Point],
    looks: int = 1,
) -> list[Setting]:
    """empty.jpg, start.jpg and so many frames as no game comes to, for who learns what is seen in them: full
    of "dice", of dice in "glare", of dice of so many `looks` in all kinds of "leans", of "stacks", of
    "towers" of more pieces than there are, of more pieces on their "own" paint, of such in towers on
    doorsteps and in "chutes", or with and without "hands".

    Half have a person's shadow, of those with hands or on their own paint most; one in three, of those with
    hands one in five, has a moved board or camera. In `mirrors` the camera sees lamps mirrored.
    """
    rng = random.Random(f"deal {full_of} {seed}")

    def dealer() -> _Dealer:
        return _Dealer(plan, spots_mm, rng, diameter, in_picture, mirrors, full_of == "leans", looks)

    ways = (
        ("shadow",),
        (),
        ("shadow", "bumped_board"),
        ("own_paint",),
        ("shadow",),
        ("bumped_camera", "stack"),
    )
    if full_of == "hands":
        ways = (
            ("hand", "shadow"),
            ("shadow",),
            ("hand",),
            ("hand", "shadow", "bumped_board"),
            ("shadow", "crowd"),
        )
    if full_of in ("own", "chutes"):
        ways = (("shadow",), (), ("shadow", "bumped_board"), ("shadow", "bumped_camera"))
    full = [
        dealer().frame(f"{k + 1:03}.jpg", frozenset({full_of, *ways[k % len(ways)]})) for k in range(frames)
    ]
    return [Setting("empty.jpg"), Setting("start.jpg", dealer().start()), *full]


@dataclass
class _Dealer:
    plan: Plan
    spots_mm: float
    rng: random.Random
    diameter: float
    in_picture: Callable[[Point], bool]
    mirrors: Sequence[Point] = ()
    thrown_anyhow: bool = False
    looks: int = 1
    pieces: list[Piece] = field(default_factory=list)

    def start(self) -> tuple[Piece, ...]:
        for seat in range(4):
            for spot in base_spots(self.plan, seat, self.spots_mm):
                self.pieces.append(Piece(seat, "base", None, self._near(spot, 3.0)))
        return tuple(self.pieces)

    def frame(self, name: str, wanted: frozenset[str]) -> Setting:
        rng = self.rng
        if "own" in wanted:
            self._on_own_paint(ON_OWN_SQUARE, 0.0, 0.5)
        elif "chutes" in wanted:
            self._on_own_paint(CHUTE_TOWERS, PARTNERS, TOGETHER)
        else:
            self._position(wanted)
        setting = Setting(name, tuple(self.pieces), gain=rng.uniform(0.95, 1.05))
        dice = self._dice(wanted)
        setting = replace(setting, dice=tuple(dice))
        if "shadow" in wanted:
            setting = replace(setting, shadow=rng.uniform(0.0, 360.0))
        if "bumped_board" in wanted:
            pose = rng.uniform(-4.0, 4.0), rng.uniform(-4.0, 4.0), rng.uniform(-0.9, 0.9)
            setting = replace(setting, board_pose=pose)
        if "bumped_camera" in wanted:
            push = (
                *(rng.uniform(-4.0, 4.0) for _ in range(3)),
                *(rng.uniform(-0.25, 0.25) for _ in range(2)),
            )
            setting = replace(setting, camera_push=push)
        if "hand" in wanted:
            side = rng.randrange(4)
            over = rng.uniform(60.0, 550.0), rng.uniform(40.0, 260.0)
            at = ((over[1], over[0]), (over[0], over[1]), (610 - over[1], over[0]), (over[0], 610 - over[1]))[
                side
            ]
            towards = (180.0, 270.0, 0.0, 90.0)[side] + rng.uniform(-25.0, 25.0)
            pose, sleeve = rng.choice(("pinch", "point", "flat")), rng.choice(tuple(SLEEVES))
            setting = replace(setting, hand=Hand(at, towards, pose, rng.randrange(len(SKINS)), sleeve))
        return setting

    def _position(self, wanted: frozenset[str]) -> None:
        """Four pieces of each colour: base, track, chute or home; enemies never share a square."""
        rng, plan = self.rng, self.plan
        groups: dict[tuple[int, int], list[int]] = {}
        each = TOWER_PIECES if "towers" in wanted else PIECES
        waiting = [seat for seat in range(4) for _ in range(each)]
        rng.shuffle(waiting)
        if "floor" in wanted:
            at = self._beside_board()
            self.pieces.append(Piece(waiting.pop(), "floor", None, at))
        stacked: set[tuple[int, int]] = set()

        def together(members: list[int]) -> tuple[int, int]:
            cell = self._shared_cell(groups, members)
            for member in members:
                waiting.remove(member)
            groups[cell] = members
            return cell

        for want in sorted(wanted & {"stack", "mixi", "crowd"}):
            count = {"stack": rng.choice((2, 2, 3, 3)), "mixi": rng.choice((2, 3)), "crowd": 4}[want]
            for _ in range(2 if want == "stack" else 1):
                seat = rng.randrange(2)
                team = [s for s in waiting if s % 2 == seat]
                if want == "stack" and rng.random() < 0.7:
                    team = [s for s in team if s == team[0]]
                members = rng.sample(team, min(count, len(team)))
                cell = together(members)
                if want == "stack" or (want == "mixi" and rng.random() < 0.5):
                    stacked.add(cell)
        while "stacks" in wanted and len(waiting) > SINGLE_A_FRAME:
            side = rng.randrange(2)
            team = [seat for seat in waiting if seat % 2 == side] or waiting
            own = [seat for seat in team if seat == team[0]] if rng.random() < 0.75 else team
            members = rng.sample(own, min(rng.choice((2, 2, 3)), len(own)))
            stacked.add(together(members))
        while "towers" in wanted and len(waiting) > PIECES:
            team = [seat for seat in waiting if seat % 2 == waiting[0] % 2]
            own = [seat for seat in team if seat == team[0]] if rng.random() < 0.6 else team
            members = rng.sample(own, min(rng.choice(TOWERS), len(own)))
            cell = together(members)
            if rng.random() > SIDE_BY_SIDE:
                stacked.add(cell)
        homes: dict[int, int] = {}
        bases = {seat: list(base_spots(plan, seat, self.spots_mm)) for seat in range(4)}
        for spots in bases.values():
            rng.shuffle(spots)
        for seat in waiting:
            place = rng.choices(("base", "track", "chute", "home"), (0.3, 0.42, 0.16, 0.12))[0]
            if "own_paint" in wanted and rng.random() < 0.4:
                place = rng.choice(("doorstep", "chute", "home"))
            if place == "base":
                self.pieces.append(Piece(seat, "base", None, self._near(bases[seat].pop(), 4.0)))
            elif place == "home" and homes.get(seat, 0) < 3:
                homes[seat] = homes.get(seat, 0) + 1
                self.pieces.append(Piece(seat, "home", None, self._at_home(seat)))
            else:
                cell = self._free_cell(seat, groups, place)
                groups.setdefault(cell, []).append(seat)
        for cell, members in groups.items():
            self._put(cell, members, cell in stacked)

    def _on_own_paint(self, on_square: Sequence[int], partners: float, stacked: float) -> None:
        """As many pieces of each colour as stand in its base, at home, on its doorstep and in its chute; some
        elsewhere on the track. So many may be `on_square`, that share of those on doorsteps the `partners`',
        and that share of groups `stacked`.
        """
        rng, plan = self.rng, self.plan
        groups: dict[tuple[int, int], list[int]] = {}
        for seat in range(4):
            spots = base_spots(plan, seat, self.spots_mm)
            for spot in rng.sample(spots, rng.randrange(len(spots))):
                self.pieces.append(Piece(seat, "base", None, self._near(spot, 4.0)))
            for _ in range(rng.randrange(PIECES)):
                self.pieces.append(Piece(seat, "home", None, self._at_home(seat)))
            doorstep = plan.cell(seat, 1)
            for cell in (doorstep, *(plan.chute_cell(seat, s) for s in plan.board.chute)):
                groups[cell] = [seat] * rng.choice(on_square)
            if partners:
                ours = seat, plan.board.partner(seat)
                groups[doorstep] = [ours[rng.random() < partners] for _ in groups[doorstep]]
        for seat in range(4):
            for _ in range(rng.randrange(ELSEWHERE + 1)):
                groups.setdefault(self._free_cell(seat, groups, "track"), []).append(seat)
        for cell, members in groups.items():
            if members:
                self._put(cell, members, rng.random() < stacked)

    def _shared_cell(self, groups: dict[tuple[int, int], list[int]], members: list[int]) -> tuple[int, int]:
        """Any free square on which all of them may stand."""
        own = [set(self.plan.steps_by_cell[m]) for m in members]
        cells = set.intersection(*own) & set(self.plan.track_cells) if len(set(members)) > 1 else own[0]
        return self.rng.choice(sorted(cells - set(groups)))

    def _free_cell(self, seat: int, groups: dict[tuple[int, int], list[int]], place: str) -> tuple[int, int]:
        plan = self.plan
        chute = [plan.chute_cell(seat, s) for s in plan.board.chute]
        doorstep = plan.cell(seat, 1)
        if place == "doorstep" and (doorstep not in groups or set(groups[doorstep]) == {seat}):
            return doorstep
        cells = (
            chute
            if place in ("chute", "doorstep")
            else [c for c in plan.steps_by_cell[seat] if c not in chute]
        )
        good = [
            c
            for c in cells
            if all(s % 2 == seat % 2 for s in groups.get(c, ())) and len(groups.get(c, ())) < 2
        ]
        if place == "track" and self.rng.random() < 0.85:
            good = [c for c in good if c not in groups] or good
        return self.rng.choice(good)

    def _put(self, cell: tuple[int, int], members: list[int], is_stacked: bool) -> None:
        x, y = self.plan.centre_mm(cell)
        rng, d = self.rng, self.diameter
        kind = "track" if cell in self.plan.track_cells else "chute"
        if is_stacked or len(members) == 1:
            spread = 3.3 if len(members) == 1 else 2.5
            foot = self._near((x, y), 7.5, spread)
            for level, seat in enumerate(members):
                at = foot if level == 0 else self._near(foot, 2.2, 0.6)
                self.pieces.append(Piece(seat, kind, cell, at, level))
            return
        turn = rng.uniform(0.0, 2 * pi)
        radius = {2: 0.53, 3: 0.62, 4: 0.74}[len(members)] * d
        if len(members) > 2:
            turn = pi / 4
        for k, seat in enumerate(members):
            angle = turn + 2 * pi * k / len(members)
            at = x + radius * cos(angle), y + radius * sin(angle)
            self.pieces.append(Piece(seat, kind, cell, self._near(at, 0.25)))

    def _at_home(self, seat: int) -> Point:
        out_x, out_y = ((-1, 0), (0, -1), (1, 0), (0, 1))[seat]
        for _ in range(400):
            out = self.rng.uniform(24.0, 50.0)
            aside = self.rng.uniform(-1.0, 1.0) * (out - 13.0)
            at = 305 + out_x * out - out_y * aside, 305 + out_y * out + out_x * aside
            if all(dist(at, p.at) > self.diameter + 0.4 for p in self.pieces if p.level == 0):
                return at
        raise RuntimeError("no room at home")

    def _dice(self, wanted: frozenset[str]) -> list[Die]:
        rng = self.rng
        if "dice" in wanted:
            leaning, beside = LEANING_A_FRAME, BESIDE_A_FRAME
            flat = DICE_A_FRAME - leaning - beside
            return self._lying(["cocked"] * leaning + ["flat"] * flat + ["off_board"] * beside)
        if "leans" in wanted:
            return [replace(die, look=rng.randrange(self.looks)) for die in self._lying(LEANS_A_FRAME)]
        if "glare" in wanted:
            return self._lying([*GLARE_A_FRAME])
        if wanted & {"towers", "own", "chutes"}:
            return self._lying(["cocked"] * 3 + ["flat"] * 3)
        if rng.random() < 0.12 and not wanted & {"cocked", "off_board"}:
            return []
        states = ["flat", "flat"]
        if "cocked" in wanted:
            states[1] = rng.choice(ANYHOW) if self.thrown_anyhow else "cocked"
        if "off_board" in wanted:
            states[1] = "off_board"
        return self._lying(states)

    def _lying(self, states: Sequence[str]) -> list[Die]:
        """Dice that lie so, none on another or on a piece; "cocked" ones lean on a piece, "on_edge" on the
        board's edge, "on_die" on the flat die before it, which "touching" ones touch; "alone" ones lean on
        nothing.
        """
        rng = self.rng
        dice: list[Die] = []
        for state in states:
            value, yaw = rng.randint(1, 6), rng.uniform(0.0, 90.0)
            for _ in range(500):
                if state == "off_board":
                    at = self._beside_board()
                else:
                    at = rng.uniform(20.0, 590.0), rng.uniform(20.0, 590.0)
                if state == "glare" and self.mirrors:
                    at = self._near(rng.choice(self.mirrors), 2 * GLARE_MM, GLARE_MM)
                others = [p.at for p in self.pieces] + [d.at for d in dice]
                if state == "alone":
                    lean = rng.uniform(0.0, 360.0)
                if state == "cocked":
                    by = rng.choice([p for p in self.pieces if p.level == 0 and p.place != "floor"])
                    lean = rng.uniform(0.0, 360.0)
                    reach = self.diameter / 2 + DIE_MM / 2 + 2.0
                    at = by.at[0] + reach * cos(lean * pi / 180), by.at[1] + reach * sin(lean * pi / 180)
                    others.remove(by.at)
                if state == "on_edge":
                    at, lean = self._at_edge()
                if state in ("on_die", "touching"):
                    by_die = dice[-1]
                    others.remove(by_die.at)
                    lean = by_die.yaw + 90.0 * rng.randrange(4)
                    at = _beyond(by_die.at, lean, APART_MM if state == "on_die" else TOUCHING_MM)
                    at = _beyond(at, lean + 90.0, rng.uniform(-4.0, 4.0))
                    yaw = lean
                if all(dist(at, o) > 23.5 for o in others) and (
                    state in ("off_board", "on_edge") or all(12 < v < 598 for v in at)
                ):
                    break
            if state in ("cocked", "alone", "on_edge", "on_die"):
                most = 39.0 if self.thrown_anyhow else 36.0
                on_table = state == "on_edge"
                dice.append(Die(value, "cocked", at, lean, rng.uniform(20.0, most), lean, on_table))
            else:
                off_board = state == "off_board"
                dice.append(Die(value, state if off_board else "flat", at, yaw, on_table=off_board))
        return dice

    def _beside_board(self) -> Point:
        """A place beside the board that the camera sees."""
        for _ in range(500):
            side, along = self.rng.randrange(4), self.rng.uniform(40.0, 570.0)
            far = self.thrown_anyhow and self.rng.random() < 0.5
            off = self.rng.uniform(18.0, 200.0 if far else 42.0)
            at = ((-off, along), (along, -off), (610 + off, along), (along, 610 + off))[side]
            if self.in_picture(at):
                return at
        raise RuntimeError("the camera sees nothing beside the board")

    def _at_edge(self) -> tuple[Point, float]:
        """A place at the board's edge that the camera sees, and the azimuth that points away from it."""
        for _ in range(500):
            side, along = self.rng.randrange(4), self.rng.uniform(30.0, 580.0)
            off = EDGE_MM + self.rng.uniform(-0.3, 0.3)
            at = ((-off, along), (along, -off), (610 + off, along), (along, 610 + off))[side]
            if self.in_picture(at):
                return at, (180.0, 270.0, 0.0, 90.0)[side]
        raise RuntimeError("the camera sees nothing of the board's edge")

    def _near(self, at: Point, most: float, spread: float | None = None) -> Point:
        """A place near one, at most so far off in x and in y."""
        spread = most / 2 if spread is None else spread
        dx, dy = (max(-most, min(most, self.rng.gauss(0.0, spread))) for _ in range(2))
        return at[0] + dx, at[1] + dy


def _beyond(at: Point, azimuth: float, away: float) -> Point:
    """So far from a place in that direction (degrees of the plan)."""
    return at[0] + away * cos(azimuth * pi / 180), at[1] + away * sin(azimuth * pi / 180)


SKINS = ((226, 178, 148), (198, 146, 112), (160, 110, 80), (110, 74, 54), (74, 48, 36))
SLEEVES = {
    "bare": None,
    "navy": (30, 38, 66),
    "white": (214, 214, 210),
    "overalls": (40, 66, 112),
    "combats": (84, 88, 66),
    "red_jumper": (150, 34, 36),
}
