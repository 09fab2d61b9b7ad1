"""What a table's frames have: an empty board, a start, and positions as `frames.toml` wants them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tools.tables.frames import Lies, frames
from tools.tables.look import Table
from tools.tables.lying import LEANS_THROWN_DEG, Lying
from tools.tables.places import OUTWARDS_DEG, Places, off_side
from tools.tables.setting import Die, Hand, Point, Setting
from tools.tables.standing import (
    CHUTE_TOWERS,
    ON_OWN_SQUARE,
    PARTNERS,
    TOGETHER,
    Standing,
)
from tools.tables.things import things
from uckers_table.game.board import Plan

POSES = ("pinch", "point", "flat")
NO_DICE = 0.12
"""The share of ordinary frames without dice."""


@dataclass
class _Dealer:
    """Deals the frames of one table, one after the other."""

    plan: Plan
    table: Table
    rng: random.Random
    in_picture: Callable[[Point], bool]
    thrown_anyhow: bool
    full_of: str = ""
    """What frames are full of, if of anything."""
    mirrors: Sequence[Point] = ()
    looks: int = 1
    """How many looks dice have, in frames full of leans."""

    def start(self) -> Setting:
        standing = self._standing()
        standing.start()
        return Setting("start.jpg", tuple(standing.pieces))

    def frame(self, name: str, wanted: frozenset[str]) -> Setting:
        """A frame that has all that is wanted, in words of `frames.toml`."""
        rng, standing = self.rng, self._standing()
        if self.full_of == "own":
            standing.on_own_paint(ON_OWN_SQUARE, 0.0, 0.5)
        elif self.full_of == "chutes":
            standing.on_own_paint(CHUTE_TOWERS, PARTNERS, TOGETHER)
        else:
            standing.position(wanted, self.full_of)
        setting = Setting(name, tuple(standing.pieces), gain=rng.uniform(0.95, 1.05))
        setting = replace(setting, dice=tuple(self._dice(standing, wanted)))
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
            setting = replace(setting, hand=self._hand())
        return setting

    def _standing(self) -> Standing:
        return Standing(self.plan, self.table.spots_mm, self.table.piece_diameter_mm, self._places())

    def _places(self) -> Places:
        return Places(self.rng, self.in_picture, self.thrown_anyhow)

    def _dice(self, standing: Standing, wanted: frozenset[str]) -> list[Die]:
        lying = Lying(standing.pieces, self.table.piece_diameter_mm, self._places(), self.mirrors)
        if self.full_of == "thrown":
            lying.leans_deg = LEANS_THROWN_DEG
        if self.full_of and (ways := frames().full_of[self.full_of].dice):
            dice = lying.dice(ways)
            if self.full_of == "leans":
                dice = [replace(die, look=self.rng.randrange(self.looks)) for die in dice]
            return dice
        if self.rng.random() < NO_DICE and not wanted & {"cocked", "off_board"}:
            return []
        second: Lies = "flat"
        if "cocked" in wanted:
            second = self.rng.choice(frames().anyhow) if self.thrown_anyhow else "cocked"
        if "off_board" in wanted:
            second = "off_board"
        return lying.dice(("flat", second))

    def _hand(self) -> Hand:
        """A hand that comes in over one side of the board."""
        rng = self.rng
        side = rng.randrange(4)
        along, inwards = rng.uniform(60.0, 550.0), rng.uniform(40.0, 260.0)
        at = off_side(side, along, -inwards)
        towards = OUTWARDS_DEG[side] + rng.uniform(-25.0, 25.0)
        pose, sleeve = rng.choice(POSES), rng.choice(things().sleeve_names())
        return Hand(at, towards, pose, rng.randrange(len(things().skins)), sleeve)


def deal(plan: Plan, table: Table, seed: str, in_picture: Callable[[Point], bool]) -> list[Setting]:
    """empty.jpg, start.jpg and the mid-game frames. `in_picture` says whether the camera sees a point."""
    rng = random.Random(f"deal {seed}")
    dealer = _Dealer(plan, table, rng, in_picture, table.thrown_anyhow)
    settings = [dealer.frame(f"{k:03}.jpg", frozenset(wanted)) for k, wanted in enumerate(frames().frames, 1)]
    return [Setting("empty.jpg"), dealer.start(), *settings]


def deal_full(
    full_of: str,
    count: int,
    plan: Plan,
    table: Table,
    seed: str,
    in_picture: Callable[[Point], bool],
    mirrors: Sequence[Point],
    looks: int = 1,
) -> list[Setting]:
    """empty.jpg, start.jpg and `count` frames that are full of a kind in `frames.toml`, to learn from.

    `mirrors` are the places where the camera sees lamps mirrored. Dice full of leans have so many `looks`.
    """
    rng = random.Random(f"deal {full_of} {seed}")
    anyhow = full_of in ("leans", "thrown")
    dealer = _Dealer(plan, table, rng, in_picture, anyhow, full_of, mirrors, looks)
    ways = frames().full_of[full_of].ways
    settings = [dealer.frame(f"{k + 1:03}.jpg", frozenset(ways[k % len(ways)])) for k in range(count)]
    return [Setting("empty.jpg"), dealer.start(), *settings]
