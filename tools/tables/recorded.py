"""Some minutes of a match as a recording, every picture of which is rendered.

The simulator plays, and knows what stands where. So there are two recordings of the same minutes: one has
frames, the other true sightings. A referee that reads the frames rightly rules the same by both.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tools.tables.deal import POSES
from tools.tables.look import Table
from tools.tables.setting import Die, Hand, Piece, Setting
from tools.tables.things import things
from uckers_table.devices.base import Frame
from uckers_table.game import playing
from uckers_table.game.board import BASE, Plan
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match, begin
from uckers_table.game.position import by_colour
from uckers_table.game.setting import load_setting
from uckers_table.record.recording import EVENTS, RecordingSettings, RecordingWriter
from uckers_table.referee.events import Event, Seen, event_to_json
from uckers_table.sighting import SeenDie, Sighting
from uckers_table.simulator import world
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.simulator.players import choose_play, dice_due, throw_dice
from uckers_table.simulator.scene import Scene
from uckers_table.trial.watched import _Reads, _Recording

OFTEN = {"CHEAT_CHANCE": 0.25, "COCKED": 0.05, "DROPPED": 0.03}
"""How often things happen that an evening has a few of. These minutes should have some."""
HANDS = 0.04
"""The share of looks with a hand that are shown: each hand costs a picture of its own."""


@dataclass(frozen=True)
class Stretch:
    """The part of a match that is wanted."""

    rules: str
    dice: str
    """Who reads them: "tower" or "camera"."""
    after: int
    """How many plays and throws came before it."""
    pictures: int


def play(name: str, table: Table, stretch: Stretch, out: Path) -> list[Setting]:
    """Plays it, writes `out`/frames and `out`/truth, and gives the settings that `frames` has pictures of."""
    for constant, value in OFTEN.items():
        setattr(world, constant, value)
    match = _match_after(stretch, table, random.Random(f"before {name}"))
    minutes = _Scenes(match, stretch, random.Random(f"hands {name}"))
    plan = Plan(match.board)
    minutes.watch(Unpainted(plan, table.spots_mm), name)
    for kind in ("frames", "truth"):
        _write(out / kind, match, stretch, minutes, is_read=kind == "frames")
    draw = random.Random(f"looks {name}")
    return [
        _setting(f"frames/{number:03}.jpg", scene, plan, draw)
        for number, scene in enumerate(minutes.scenes, 1)
    ]


def _match_after(stretch: Stretch, table: Table, rng: random.Random) -> Match:
    """A match that begins in the middle: some plays and throws have gone before, and a throw is due."""
    setting = load_setting(stretch.rules, seats=table.seats)
    match, number = begin(setting), 0
    while number < stretch.after or match.awaiting is not Awaiting.THROW or match.behind is not None:
        if match.awaiting is Awaiting.OVER:
            raise SystemExit(f"the match was over after {number} plays and throws: ask for fewer")
        if match.awaiting is Awaiting.PLAY and match.plays:
            match = playing.see(match, choose_play(match, rng)).match
        else:
            match = playing.throw(match, throw_dice(rng, dice_due(match))).match
        number += 1
    return begin(setting, to_play=setting.board.seats[match.to_play], position=match.position)


class _EnoughError(Exception):
    """There are as many pictures as were wanted."""


class _Scenes(_Recording):
    """A match whose referee is told the truth, until there are as many scenes as were wanted."""

    def __init__(self, match: Match, stretch: Stretch, rng: random.Random) -> None:
        super().__init__(match, _Reads(self._truth), camera_dice=stretch.dice == "camera")
        self.scenes: list[Scene] = []
        self.shown: list[int | None] = []
        """The number of the scene that each event shows; None if it shows none."""
        self._most, self._rng = stretch.pictures, rng

    def watch(self, painter: Unpainted, seed: str) -> None:
        """Plays until there are enough, or to the end."""
        with suppress(_EnoughError):
            self.run(painter, seed)

    def _truth(self, frame: Frame, scene: Scene) -> Sighting:
        colours = self.referee.match.board.seats
        dice = tuple(SeenDie(die.value, die.state, die.x_mm, die.y_mm) for die in scene.dice)
        if scene.hands:
            return Sighting(dict.fromkeys(colours, ()), dice=dice, hand=True, confidence=0.0)
        return Sighting(dict(zip(colours, scene.steps(len(colours)), strict=True)), dice=dice)

    def _handle(self, event: Event) -> None:
        self.shown.append(self._number(self.world.scene) if isinstance(event, Seen) else None)
        super()._handle(event)

    def _number(self, scene: Scene) -> int | None:
        if scene.hands and self._rng.random() > HANDS:
            return None
        if scene not in self.scenes:
            if len(self.scenes) == self._most:
                raise _EnoughError
            self.scenes.append(scene)
        return self.scenes.index(scene)


def _write(folder: Path, match: Match, stretch: Stretch, minutes: _Scenes, *, is_read: bool) -> None:
    # There is an earlier one if the rendering was stopped: the same match, maybe less of it.
    (folder / EVENTS).unlink(missing_ok=True)
    board = match.board
    calibrate = (folder / "empty.jpg", folder / "start.jpg")
    settings = RecordingSettings(
        rules=stretch.rules,
        seats=board.seats,
        dice=stretch.dice,
        to_play=board.seats[match.to_play],
        start=by_colour(board, match.position),
        calibrate=calibrate if is_read else None,
    )
    writer = RecordingWriter(folder, settings)
    for event, number in zip(minutes.events, minutes.shown, strict=False):
        line = event_to_json(event, board)
        if (isinstance(event, Seen) and number is None) or line is None:
            continue
        if is_read and number is not None:
            line = {"t": line["t"], "kind": "frame", "file": f"frames/{number + 1:03}.jpg"}
        writer.write(line)
    writer.close()


def _setting(name: str, scene: Scene, plan: Plan, draw: random.Random) -> Setting:
    """The setting of a scene; `draw` chooses whose hands it has."""

    def place(steps: int) -> str:
        return "base" if steps == BASE else "home" if steps == plan.board.home else "track"

    hands = [
        Hand(
            (hand.x_mm, hand.y_mm),
            hand.from_deg,
            draw.choice(POSES),
            draw.randrange(len(things().skins)),
            draw.choice(things().sleeve_names()),
        )
        for hand in scene.hands[:1]
    ]
    return Setting(
        name,
        tuple(Piece(p.seat, place(p.steps), None, (p.x_mm, p.y_mm), p.level) for p in scene.pieces),
        tuple(
            Die(
                d.value,
                d.state,
                (d.x_mm, d.y_mm),
                d.lean_deg if d.tilt_deg else d.yaw_deg,
                d.tilt_deg,
                d.lean_deg,
                on_table=d.state == "off_board",
            )
            for d in scene.dice
        ),
        hand=hands[0] if hands else None,
        gain=draw.uniform(0.97, 1.03),
    )
