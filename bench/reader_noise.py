"""Prints how the reader errs on degraded frames: the shares and costs that `uckers_table.trial.noise` holds.

    python bench/reader_noise.py FOLDER [SETUP …]

FOLDER holds labelled setups, a folder each: empty.jpg, start.jpg, frames, labels.json. Every frame is read as
it is, and blurred, darkened, half in shadow, grainy and badly compressed. The table is calibrated from the
two pictures as they are.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from uckers_table.game.board import Board, Plan
from uckers_table.sighting import Sighting
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.arrays import Image
from uckers_table.vision.reader import Reader

Contents = dict[str, int]


def _shadowed(image: Image) -> Image:
    """The right half in a soft shadow, as of somebody who leans over."""
    across = np.linspace(-6.0, 6.0, image.shape[1])
    gain = 1.0 - 0.4 / (1.0 + np.exp(-across))
    return _gained(image, gain[None, :, None])


def _gained(image: Image, gain: Any) -> Image:
    return _loaded(np.clip(image * gain, 0, 255).astype(np.uint8))


def _grainy(image: Image) -> Image:
    grain = np.random.default_rng(1).normal(0.0, 9.0, image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def _compressed(image: Image) -> Image:
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 60])
    return _loaded(cv2.imdecode(coded, cv2.IMREAD_COLOR))


def _loaded(image: Any) -> Image:
    if image is None:
        sys.exit("a picture that the labels name is missing, or is not a picture")
    pixels: Image = image
    return pixels


DEGRADED: dict[str, Callable[[Image], Image]] = {
    "as it is": lambda image: image,
    "blurred": lambda image: _loaded(cv2.GaussianBlur(image, (0, 0), 1.0)),
    "darkened": lambda image: _gained(image, 0.65),
    "shadowed": _shadowed,
    "grainy": _grainy,
    "compressed": _compressed,
}


class Tally:
    """What was read, right and wrong."""

    def __init__(self) -> None:
        self.of = Counter[str]()
        self.wrong = Counter[str]()
        self.costs: dict[str, list[float]] = {"right": [], "wrong": []}
        self.sure: dict[str, list[float]] = {"right": [], "wrong": []}

    def add(self, what: str, is_wrong: bool) -> None:
        self.of[what] += 1
        self.wrong[what] += is_wrong

    def line(self, name: str) -> str:
        shares = (f"{what} {self.wrong[what]}/{self.of[what]}" for what in sorted(self.of))
        return f"{name:12} " + "  ".join((*shares, f"pieces invented {self.wrong['pieces invented']}"))


def main(folder: Path, only: list[str]) -> int:
    """Reads everything and prints what came of it."""
    cv2.setNumThreads(1)
    everything = Tally()
    by_kind = {kind: Tally() for kind in DEGRADED}
    for setup in sorted(path.parent for path in folder.glob("*/labels.json")):
        labels = json.loads((setup / "labels.json").read_text(encoding="utf-8"))
        if (only and setup.name not in only) or labels.get("calibrate_from"):
            continue
        first = labels["seats"].index(labels["plan_top_left_seat"])
        plan = Plan(Board(tuple(labels["seats"][first:] + labels["seats"][:first])))
        empty, start = (_loaded(cv2.imread(str(setup / f))) for f in ("empty.jpg", "start.jpg"))
        reader = Reader(calibrate(empty, start, tuple(labels["seats"])))
        for frame in labels["frames"]:
            if frame["file"] in ("empty.jpg", "start.jpg"):
                continue
            image = _loaded(cv2.imread(str(setup / frame["file"])))
            for kind, degrade in DEGRADED.items():
                seen = reader.read(degrade(image))
                for tally in (everything, by_kind[kind]):
                    weigh(tally, plan, frame, seen)
    for kind, tally in by_kind.items():
        print(tally.line(kind))
    print(everything.line("all"))
    for when in ("right", "wrong"):
        print(f"alternatives' costs where it reads {when}:", deciles(everything.costs[when]))
        print(f"confidence where it reads {when}:", deciles(everything.sure[when]))
    return 0


def weigh(tally: Tally, plan: Plan, frame: dict[str, Any], seen: Sighting) -> None:
    """Compares what was read of a frame with its labels."""
    flags = frame.get("flags", {})
    if flags.get("hand"):
        tally.add("hands missed", not seen.hand)
        return
    refuses = bool(set(seen.trouble) - {"board_moved", "occluded"})
    tally.add("said to be unreadable", refuses)
    if refuses:
        return
    truth, stacked, hidden = places_of(plan, frame)
    read = places_read(plan, seen)
    told: dict[str, list[tuple[Contents, float]]] = {}
    for each in seen.alternatives:
        if not each.across:
            told.setdefault(each.place, []).append((dict(each.contents), each.cost))
    is_right = True
    for place in truth.keys() | read.keys():
        wanted, got = truth.get(place, {}), read.get(place, {})
        if place in hidden:
            continue
        is_wrong = wanted != got
        is_right = is_right and not is_wrong
        if place.endswith((" 0", f" {plan.board.home}")):
            tally.add("base and home misread", is_wrong)
            continue
        if place not in truth:
            tally.wrong["pieces invented"] += 1
            continue
        tally.add("stacks misread" if place in stacked else "places misread", is_wrong)
        others = told.get(place, [])
        if is_wrong:
            costs = [cost for contents, cost in others if contents == wanted]
            tally.add("wrong and not told", not costs)
            tally.costs["wrong"] += costs
            continue
        tally.costs["right"] += [cost for _, cost in others]
        fewer = [cost for contents, cost in others if sum(contents.values()) < sum(wanted.values())]
        more = [cost for contents, cost in others if sum(contents.values()) > sum(wanted.values())]
        if place not in stacked and sum(wanted.values()) == 1:
            tally.add("single told as gone", bool(fewer))
        if place in stacked:
            tally.add("stack told as fewer", bool(fewer))
        tally.add("told as more", bool(more))
    tally.sure["right" if is_right else "wrong"].append(seen.confidence)
    for die in frame["dice"]:
        if die["state"] == "flat" and die.get("visible", 1.0) >= 0.5:
            x, y = die["xy_mm"]
            near = [d for d in seen.dice if abs(d.x_mm - x) < 12 and abs(d.y_mm - y) < 12]
            tally.add("dice wrong", [d.value for d in near] != [die["value"]])


def places_of(plan: Plan, frame: dict[str, Any]) -> tuple[dict[str, Contents], set[str], set[str]]:
    """What each place truly holds; the places with something on top; the places where a
    piece hardly shows.
    """
    held: dict[str, Contents] = {}
    stacked, hidden = set(), set()
    for piece in frame["pieces"]:
        colour = piece["colour"]
        seat = plan.board.seat(colour)
        if piece["place"] == "floor":
            continue
        steps = {"base": 0, "home": plan.board.home}.get(piece["place"])
        if steps is None:
            steps = plan.steps_by_cell[seat].get(tuple(piece["cell"]))
        if steps is None:
            continue
        place = plan.board.place(seat, steps)
        held.setdefault(place, {})
        held[place][colour] = held[place].get(colour, 0) + 1
        if piece.get("stack_level", 0) > 0:
            stacked.add(place)
        elif piece.get("visible", 1.0) < 0.15:
            hidden.add(place)
    return held, stacked, hidden - stacked


def places_read(plan: Plan, seen: Sighting) -> dict[str, Contents]:
    """What each place is read to hold."""
    held: dict[str, Contents] = {}
    for colour, steps_of in seen.pieces.items():
        for steps in steps_of:
            here = held.setdefault(plan.board.place(plan.board.seat(colour), steps), {})
            here[colour] = here.get(colour, 0) + 1
    return held


def deciles(values: list[float]) -> str:
    """The spread of some values in ten steps from 0.05 to 0.95, and how many values there are."""
    if not values:
        return "none"
    spread: Iterator[str] = (f"{value:.2f}" for value in np.quantile(values, np.linspace(0.05, 0.95, 10)))
    return f"{' '.join(spread)} ({len(values)})"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
