"""The tables that have a file in `looks/`."""

from __future__ import annotations

from pathlib import Path

from tools.tables.look import Rgb, Table
from tools.tables.things import things
from tools.tables.typed_toml import load
from uckers_table.errors import InputError

LOOKS = Path(__file__).parent / "looks"


def names(folder: Path = LOOKS) -> list[str]:
    """The names of all of them, P2 before P10."""
    found = [path.stem for path in folder.glob("*.toml")]
    return sorted(found, key=lambda name: (name.rstrip("0123456789"), len(name), name))


def named(name: str, folder: Path = LOOKS) -> Table:
    """The table of that name. InputError says in one line what is wrong in its file."""
    path = folder / f"{name}.toml"
    table = load(path, Table, things().lights)
    try:
        _check(table)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return table


def _check(table: Table) -> None:
    """InputError where values make no sense together."""
    if len(set(table.seats)) != len(table.seats):
        raise InputError(f"key 'seats' names a colour twice: {', '.join(table.seats)}")
    for key, paints in (("board", table.board), ("pieces", table.pieces)):
        if set(paints) != set(table.seats):
            raise InputError(f"key '{key}' has {', '.join(paints)}; it has the colours in 'seats'")
        for colour, paint in paints.items():
            _check_paint(f"{key}.{colour}", paint)
    for key in ("wood", "cloth", "white_paint", "line_paint"):
        _check_paint(key, getattr(table, key))
    _check_paint("die.body", table.die.body)
    _check_paint("die.pips", table.die.pips)
    if not set(table.glossy) <= set(table.seats):
        raise InputError(f"key 'glossy' has {', '.join(table.glossy)}; it has colours in 'seats'")
    if not table.lamps:
        raise InputError("key 'lamps' is empty; a table has one lamp at least")


def _check_paint(key: str, paint: Rgb) -> None:
    if not all(0 <= channel <= 255 for channel in paint):
        raise InputError(f"key '{key}' is {list(paint)}; red, green and blue go from 0 to 255")
