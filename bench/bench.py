"""Prints the project's speed figures: one JSON object a line, each a ratio to a yardstick run beside it.

A lone time says nothing on a shared machine. So every figure is measured in slices that alternate with slices
of its yardstick. It is the median of the slices' ratios.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import cycle, product
from pathlib import Path

import chess
import cv2
import numpy as np
from service import MOST_MB, MOST_STARTS, film, start
from service import memory as service_memory
from watchers import watched

from uckers_table.game.board import Plan
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Match, begin
from uckers_table.game.rollout import play_throw
from uckers_table.game.setting import load_setting
from uckers_table.game.turn import Piece
from uckers_table.referee.referee import Referee
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.trial.watched import Errors, events_of_match, watched_match
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.live import LiveReader
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

SLICES = 15
PLIES_A_GAME = 200
THROWS = list(product(range(1, 7), repeat=2))
IMPORTS = 5
REPLAYS = 3
MOST_READ_MB = 350.0
TRIAL_PLAY = 4.5
"""A play of a trial over one remap, at most: twice what it was when this was measured first."""


def main() -> int:
    """Measures everything and prints it. Each line says whether its figure is within its limit."""
    cv2.setNumThreads(1)
    figures = [
        engine(),
        *referee(),
        trial(),
        *vision(),
        figure("event to ruling with a hundred watching, over the same with nobody", watched(), 1.1),
        *service(),
    ]
    for each in figures:
        print(json.dumps(each))
    return 0


def figure(name: str, ratio: float, limit: float, *, at_least: bool = False) -> dict[str, object]:
    """A line of the bench. `limit` is the most that will do, or with `at_least` the least."""
    return {
        "name": name,
        "ratio": round(ratio, 3),
        "limit": limit,
        "ok": ratio >= limit if at_least else ratio <= limit,
    }


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes, in seconds of the processor."""
    start = time.process_time()
    work()
    return time.process_time() - start


def alternately(ours: Callable[[], object], yardstick: Callable[[], object]) -> float:
    """Our time over the yardstick's: the median over slices."""
    ours(), yardstick()
    # Frozen, what was imported is not searched by the garbage collector again and again, on either side.
    gc.freeze()
    return statistics.median(seconds(ours) / seconds(yardstick) for _ in range(SLICES))


# ------------------------------------------------------------------ the engine


class RandomMatches:
    """Random full matches under br4006, a throw at a time. Nothing is remembered between throws."""

    def __init__(self, seed: int) -> None:
        self._setting = load_setting("br4006")
        self._random = random.Random(seed)
        self._match: Match = begin(self._setting, to_play="red")

    def throws(self, count: int) -> None:
        """Makes this many throws. For each all legal plays are listed, and one of them is chosen."""
        choose, challenger = self._random.choice, self._half_of_the_time
        match = self._match
        for _ in range(count):
            if match.awaiting is Awaiting.OVER:
                match = begin(self._setting, to_play="red")
            match = play_throw(match, choose(THROWS), choose, challenger)
        self._match = match

    def _half_of_the_time(self, pieces: Sequence[Piece]) -> Piece | None:
        return self._random.choice(pieces) if self._random.random() < 0.5 else None


class RandomChess:
    """The yardstick: random chess games, cut at 200 plies."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._board = chess.Board()

    def plies(self, count: int) -> None:
        """Makes this many plies."""
        for _ in range(count):
            moves = list(self._board.legal_moves)
            if not moves or self._board.ply() >= PLIES_A_GAME:
                self._board = chess.Board()
                continue
            self._board.push(self._random.choice(moves))


def engine() -> dict[str, object]:
    """Throws a second over chess plies a second."""
    ours, yardstick = RandomMatches(1), RandomChess(1)
    plies_over_throws_time = alternately(lambda: yardstick.plies(2000), lambda: ours.throws(2000))
    return figure("uckers throws over chess plies", plies_over_throws_time, 2.2, at_least=True)


# ------------------------------------------------------------------ the referee


def referee() -> list[dict[str, object]]:
    """What an event costs the referee over one remap: the median of a whole match, and the dearest.

    The match is told by sightings as a noisy reader makes them. What an event costs is the least of REPLAYS
    replays, and so is the time of one remap. A busy machine makes things dearer, never cheaper.
    """
    setting = load_setting("br4006")
    events = events_of_match(setting, Errors("uniform:2"), "bench")
    remap = _remap(np.zeros((1296, 2304, 3), np.uint8))
    one_remap, costs = float("inf"), [float("inf")] * len(events)
    for _ in range(REPLAYS):
        watching = Referee(begin(setting), "tower")
        for number, event in enumerate(events):
            start = time.process_time()
            watching = watching.handle(event).referee
            costs[number] = min(costs[number], time.process_time() - start)
            if number % 100 == 0:
                one_remap = min(one_remap, seconds(remap))
    median = statistics.median(costs) / one_remap
    return [
        figure("the median event of a match over one remap", median, 0.1),
        figure("the dearest event of a match over one remap", max(costs) / one_remap, 10.0),
    ]


def trial() -> dict[str, object]:
    """What a trial costs: a play of a match that is misread by the measured law, over one remap."""
    remap = _remap(np.zeros((1296, 2304, 3), np.uint8))
    one_remap = min(seconds(remap) for _ in range(5))
    start = time.process_time()
    account = watched_match(load_setting("br4006"), Errors(), "bench")
    a_play = (time.process_time() - start) / account.plays
    one_remap = min(one_remap, *(seconds(remap) for _ in range(5)))
    return figure("a play of a trial over one remap", a_play / one_remap, TRIAL_PLAY)


def _remap(picture: Image) -> Callable[[], object]:
    """The yardstick: one remap of a camera frame to the board's plan."""
    columns, rows = np.meshgrid(np.linspace(500, 1700, 1220), np.linspace(50, 1250, 1220))
    map_x, map_y = columns.astype(np.float32), rows.astype(np.float32)
    return lambda: cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR)


# ------------------------------------------------------------------ vision


def vision() -> list[dict[str, object]]:
    """The time to calibrate and to read, over one remap of a camera frame to the board's plan."""
    renderer = Renderer(Plan(), look_for(1), size=(2304, 1296), seed=1)
    empty, start = renderer.empty, renderer.start
    one_remap = _remap(start)

    def ten_remaps() -> None:
        for _ in range(10):
            one_remap()

    profile = calibrate(empty, start, Plan().board.seats)
    reader, live = Reader(profile), LiveReader(profile)
    live.see(start)
    # The sensor's noise is new in every frame, so pictures of an unchanged table differ.
    noise = np.random.default_rng(1)
    again = cycle(
        [np.clip(start + noise.normal(0, 2, start.shape), 0, 255).astype(np.uint8) for _ in range(2)]
    )
    return [
        figure("cold read over one remap", alternately(lambda: reader.read(start), ten_remaps) * 10, 8.0),
        figure(
            "unchanged frame over one remap", alternately(lambda: live.see(next(again)), ten_remaps) * 10, 1.0
        ),
        figure(
            "calibration over one remap",
            statistics.median(
                seconds(lambda: calibrate(empty, start, Plan().board.seats)) / seconds(ten_remaps) * 10
                for _ in range(3)
            ),
            300.0,
        ),
        importing(),
        memory(profile, start),
    ]


def importing() -> dict[str, object]:
    """The time to import what `uckers-table read` imports over that for OpenCV, each in its own process."""

    def in_a_process(module: str) -> float:
        code = f"import time; t = time.process_time(); import {module}; print(time.process_time() - t)"
        return float(_said(code))

    pairs = [(in_a_process("uckers_table.vision.reader"), in_a_process("cv2")) for _ in range(IMPORTS)]
    return figure(
        "importing vision over importing cv2", statistics.median(ours / theirs for ours, theirs in pairs), 4.0
    )


def service() -> list[dict[str, object]]:
    """The running service's memory over its limit, and its start over importing OpenCV."""
    with tempfile.TemporaryDirectory() as folder:
        film(Path(folder))
        usual, _ = service_memory(Path(folder))
    return [
        figure(f"the running service's memory over {MOST_MB:.0f} MB", usual / MOST_MB, 1.0),
        figure("from the service's start to ready over importing cv2", start(), MOST_STARTS),
    ]


def memory(profile: TableProfile, picture: Image) -> dict[str, object]:
    """The most memory that `uckers-table read` of one frame ever holds, over its limit."""
    with tempfile.TemporaryDirectory() as folder:
        table, frame = Path(folder) / "table.toml", Path(folder) / "frame.jpg"
        profile.save(table)
        cv2.imwrite(str(frame), picture)
        # The process asks for its own high-water mark. What the system tells its parent counts the parent's
        # memory too.
        code = (
            "from pathlib import Path; from uckers_table.commands.cli import main\n"
            f"main(['read', '--table', {str(table)!r}, {str(frame)!r}, '--json'])\n"
            "print(Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])"
        )
        return figure("read's memory over 350 MB", int(_said(code)) / 1024 / MOST_READ_MB, 1.0)


def _said(code: str) -> str:
    """The last line that Python code prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
