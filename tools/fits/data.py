"""What `data.toml` says: which tables each net learned and how; and where those tables are.

Knows nothing of pictures and of nets.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from uckers_table.errors import InputError

FILE = Path(__file__).with_name("data.toml")
LABELLED = Path(__file__).parents[1] / "tables" / "labelled"
"""The labelled tables that a clone has."""

_RUN = re.compile(r"([A-Z]+)(\d+)-\1(\d+)")


@dataclass(frozen=True)
class Source:
    """Where some of a step's examples come from: these tables and so many of the simulator's."""

    part: float
    tables: tuple[str, ...]
    simulated: int


@dataclass(frozen=True)
class Stage:
    """One run down the loss: `steps` at this `rate`, and how far of the way it led is `kept`; what was
    `learned`, and by which tables it is scored.
    """

    steps: int
    rate: float
    kept: float
    learned: tuple[Source, ...]
    held: tuple[str, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """All that it needs."""
        return (*(name for source in self.learned for name in source.tables), *self.held)


@dataclass(frozen=True)
class Fit:
    """How a net was fitted, and its score on tables held back."""

    stages: tuple[Stage, ...]
    held_back: str


@dataclass(frozen=True)
class Regression:
    """What a regression learned; each table also as JPEG of these qualities."""

    learned: tuple[str, ...]
    jpeg: tuple[int, ...]
    held_back: str


@dataclass(frozen=True)
class Data:
    """The whole file. `rendered`: by table, what its frames are full of and how many there are."""

    fits: Mapping[str, Fit]
    regressions: Mapping[str, Regression]
    rendered: Mapping[str, tuple[str, int]]

    def folders(self, names: Iterable[str], tables: Path) -> list[Path]:
        """Where these tables are: in `tables`, or in the clone.

        InputError says how to render those that are missing.
        """
        places = {name: self._folder(name, tables) for name in names}
        missing = [name for name, place in places.items() if place is None]
        if missing:
            raise InputError("\n".join(self._how_to_render(missing, tables)))
        return [place for place in places.values() if place is not None]

    def _folder(self, name: str, tables: Path) -> Path | None:
        return next(
            (root / name for root in (tables, LABELLED) if (root / name / "labels.json").exists()), None
        )

    def _how_to_render(self, names: Iterable[str], tables: Path) -> Iterator[str]:
        """A line for all that one command renders."""
        for how, some in groupby(sorted(names, key=self._kind), self._kind):
            listed = " ".join(some)
            if listed.startswith("S"):
                yield f"{listed}: not in {LABELLED}, where a clone has them"
            else:
                full_of = f" --full-of {how[0]} --count {how[1]}" if how[0] else ""
                yield f"missing in {tables}: python -m tools.tables {tables} {listed}{full_of}"

    def _kind(self, name: str) -> tuple[str, int, bool]:
        return (*self.rendered.get(name, ("", 0)), name.startswith("S"))


def named(runs: Iterable[str]) -> tuple[str, ...]:
    """The tables that a list names.

    >>> named(["S1-S3", "E9601"])
    ('S1', 'S2', 'S3', 'E9601')
    """
    out: list[str] = []
    for each in runs:
        run = _RUN.fullmatch(each)
        out += [f"{run[1]}{k}" for k in range(int(run[2]), int(run[3]) + 1)] if run else [each]
    return tuple(out)


def load(file: Path = FILE) -> Data:
    """The data. InputError names what is wrong in the file."""
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        rendered = {
            name: (str(kind["full_of"]), int(kind["count"]))
            for kind in read.pop("rendered")
            for name in named(kind["tables"])
        }
        fits = {name: _fit(values) for name, values in read.items() if "stages" in values}
        others = {name: _regression(values) for name, values in read.items() if name not in fits}
    except (OSError, tomllib.TOMLDecodeError, TypeError) as error:
        raise InputError(f"{file}: {error}") from None
    except KeyError as error:
        raise InputError(f"{file}: {error} is missing") from None
    return Data(fits, others, rendered)


def _fit(values: Mapping[str, Any]) -> Fit:
    stages = tuple(
        Stage(
            steps=int(stage["steps"]),
            rate=float(stage["rate"]),
            kept=float(stage.get("kept", 1.0)),
            learned=tuple(map(_source, stage["learned"])),
            held=named(stage["held"]),
        )
        for stage in values["stages"]
    )
    return Fit(stages, values["held_back"])


def _source(values: Mapping[str, Any]) -> Source:
    return Source(float(values["part"]), named(values.get("tables", ())), int(values.get("simulated", 0)))


def _regression(values: Mapping[str, Any]) -> Regression:
    return Regression(named(values["learned"]), tuple(values.get("jpeg", ())), values["held_back"])
