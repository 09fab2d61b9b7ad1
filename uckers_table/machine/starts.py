"""Which part of the program ends its starts, so that the next start can do without it.

What ends a process (a driver that crashes, a hang that the service manager ends) leaves nobody to say so. So
each part is written down before it is tried, and struck out when it has held. What is still written down at
the next start has failed. Three times in a row, and the next start leaves the part out.

It is kept on the card, because a driver can also take the whole machine down. It is kept in the service's
folder in memory too, because a card that is full or read-only may be the very fault. The newer of the two
counts. A power cut while a part is tried counts as a failure: nothing tells the two apart, and to do without
a part costs people one press of a button.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from threading import Lock

from uckers_table.errors import ConfigError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.files import make_folder, write_whole

FILE = "starts.json"
MOST_FAILED = 3
"""After so many starts in a row that failed at it, a part is left out."""
ANEW = 75
"""The exit status of a program that is to be started again, which its service does (EX_TEMPFAIL)."""
RUNTIME = "RUNTIME_DIRECTORY"
"""Where systemd says which folder in memory a service has (RuntimeDirectory=)."""
OWN_RESULTS = frozenset({"watchdog", "core-dump", "oom-kill", "timeout"})
OWN_SIGNALS = frozenset({"SEGV", "ABRT", "BUS", "ILL", "FPE", "SYS"})
"""How a service ends by its own fault, in systemd's words; any other signal comes from people."""


@dataclass(frozen=True)
class _State:
    """As it is kept. `serial` counts the versions. `failed` is how often in a row, by part. `trying` are the
    parts that are tried now, `running` those that work and have not held for long, the likeliest fault first.
    """

    serial: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    trying: tuple[str, ...] = ()
    running: tuple[str, ...] = ()


class Starts:
    """The starts of a table, this one among them. For any thread.

    `folders` are where it is kept; where none of them takes it, the next start knows nothing. `parts` are
    those that may be left out; no other is counted.
    """

    def __init__(self, folders: Sequence[Path] = (), parts: Iterable[str] = ()) -> None:
        self._folders, self._parts = folders, frozenset(parts)
        self._lock = Lock()
        before = _kept(folders)
        failed = dict(before.failed)
        for part in before.trying:
            failed[part] = failed.get(part, 0) + 1
        self._state = before
        self._is_steady = False
        self.left_out = frozenset(part for part in self._parts if failed.get(part, 0) >= MOST_FAILED)
        """What this start does without."""
        self._change(lambda state: replace(state, failed=failed, trying=(), running=()))

    @contextmanager
    def trying(self, part: str) -> Iterator[None]:
        """A part that is tried while this lasts.

        What a person ends, or the configuration, is not the part's fault. Any other error leaves it written
        down, for whoever lives on to `end`.
        """
        self.begin(part)
        try:
            yield
        except (KeyboardInterrupt, SystemExit, ConfigError):
            self.end(part)
            raise
        self.end(part)

    def begin(self, part: str) -> None:
        """The part is tried from now on."""
        if part in self._parts:
            self._change(lambda state: replace(state, trying=(*_without(part, state.trying), part)))

    def end(self, part: str) -> None:
        """The part has held, or has failed without ending the program."""
        self._change(lambda state: replace(state, trying=_without(part, state.trying)))

    def run(self, parts: Iterable[str]) -> None:
        """The program is up with these, the likeliest fault first."""
        running = tuple(part for part in parts if part in self._parts - self.left_out)
        self._change(lambda state: replace(state, running=running))

    def blame(self, part: str = "") -> None:
        """The program ends by its own fault: of this part, or of the likeliest.

        It counts only as long as the start has not held: what has run for long was started well.
        """
        if not self._is_steady:
            self._change(lambda state: _blamed(state, (part,) if part in self._parts else state.running[:1]))

    def hold(self) -> None:
        """This start has gone well. What it did without is given one try by the next start, not three."""
        self._is_steady = True
        failed = dict.fromkeys(self.left_out, MOST_FAILED - 1)
        self._change(lambda state: _State(state.serial, failed))

    def regain(self, part: str) -> None:
        """A part that was left out works, or is not wanted any more."""
        self.left_out -= {part}
        self._change(
            lambda state: replace(
                state,
                failed={name: count for name, count in state.failed.items() if name != part},
                trying=_without(part, state.trying),
            )
        )

    def _change(self, change: Callable[[_State], _State]) -> None:
        with self._lock:
            changed = change(self._state)
            if changed != self._state:
                self._state = _keep(self._folders, changed)


def starts_kept_in(record: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders in which a table's starts are kept: a service's in memory, and the record's on the card."""
    in_memory = environment.get(RUNTIME, "").partition(":")[0]
    return (*([Path(in_memory)] if in_memory.startswith("/") else []), record)


def blame_the_last(folders: Sequence[Path], environment: Mapping[str, str]) -> None:
    """Count the start of a service that has ended by its own fault before it had held.

    `environment` is what systemd gives ExecStopPost. Where it tells of another end, nothing changes.
    """
    is_own = environment.get("SERVICE_RESULT") in OWN_RESULTS or environment.get("EXIT_STATUS") in OWN_SIGNALS
    state = _kept(folders)
    blamed = _blamed(state, state.running[:1])
    if is_own and blamed != state:
        _keep(folders, blamed)


def _blamed(state: _State, parts: tuple[str, ...]) -> _State:
    """What is being tried already is the likeliest fault of all."""
    return state if state.trying or not parts else replace(state, trying=parts, running=())


def _without(part: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(each for each in parts if each != part)


def _kept(folders: Iterable[Path]) -> _State:
    """The newest that is kept in any of the folders; what cannot be read counts as nothing."""
    newest = _State()
    for folder in folders:
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            data = json_from(bytes_of(folder / FILE))
            state = _State(
                int(data["serial"]),
                {str(part): int(count) for part, count in data["failed"].items()},
                tuple(map(str, data["trying"])),
                tuple(map(str, data["running"])),
            )
            newest = max(newest, state, key=lambda each: each.serial)
    return newest


def _keep(folders: Iterable[Path], state: _State) -> _State:
    """Put it where it can be put. A card that takes nothing stops no start."""
    state = replace(state, serial=state.serial + 1)
    for folder in folders:
        with suppress(OSError):
            make_folder(folder)
            write_whole(folder / FILE, json.dumps(asdict(state)))
    return state
