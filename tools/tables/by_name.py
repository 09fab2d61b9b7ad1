"""Every table by its name, whether it has a file or is drawn."""

from __future__ import annotations

from tools.tables.drawn import drawn, is_drawn
from tools.tables.look import Table
from tools.tables.named import LOOKS, named, names
from tools.tables.ranges import ranges
from tools.tables.varied import LETTER, is_varied, varied
from uckers_table.errors import InputError


def table(name: str) -> Table:
    """The table of that name. InputError says in one line that there is none, or what its file has wrong."""
    is_named = name in names()
    if is_drawn(name) or is_varied(name):
        if is_named:
            raise InputError(f"{LOOKS / name}.toml: tables called {name} are drawn; give it another name")
        return drawn(name) if is_drawn(name) else varied(name)
    if not is_named:
        raise InputError(f"no table is called {name}; known are {known()}")
    return named(name)


def known() -> str:
    """All names, for people."""
    return f"{', '.join(names())}, and {' or '.join([*ranges().families, LETTER])} with any number"
