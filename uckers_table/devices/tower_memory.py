"""What must outlive the program, so that a throw is neither lost nor taken twice when it starts again."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from uckers_table.devices.pico.messages import EVENTS, encode
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.files import make_folder, write_whole

Open = tuple[tuple[str, ...], ...]
"""Events of a tower: each one's number, kind and fields."""


@dataclass(frozen=True)
class Remembered:
    """The tower's boot, the number of the last event taken, and what was told of a throw under way."""

    boot: str = ""
    number: int = 0
    open: Open = ()


class TowerMemory:
    """Keeps it in a file, or, without a path, nowhere. A file that is damaged counts as none."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.last = self._load()

    def keep(self, last: Remembered) -> None:
        """On the card when this returns, if the card takes it; when it does not, the record tells."""
        if last == self.last:
            return
        self.last = last
        if self._path is None:
            return
        kept = {"boot": last.boot, "number": last.number, "open": last.open}
        with suppress(OSError):
            make_folder(self._path.parent)
            write_whole(self._path, json.dumps(kept))

    def _load(self) -> Remembered:
        if self._path is None:
            return Remembered()
        try:
            data = json_from(bytes_of(self._path))
            opened = tuple(
                (str(int(number)), str(kind), *map(str, more)) for number, kind, *more in data["open"]
            )
            for number, kind, *fields in opened:
                # What no tower can tell was not told: BadLineError is a ValueError.
                if kind not in EVENTS:
                    return Remembered()
                encode(kind, data["boot"], number, 0, *fields)
            return Remembered(str(data["boot"]), int(data["number"]), opened)
        except (OSError, ValueError, KeyError, TypeError):
            return Remembered()
