"""How fits note what the reader asks: with a function of theirs in the place of one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from uckers_table.errors import InputError


def put_in_place(owner: Any, **functions: Callable[..., Any]) -> None:
    """Puts functions in the place of those of a class or a module, until this process ends.

    InputError if it has none of that name any more.
    """
    for name, function in functions.items():
        if not hasattr(owner, name):
            raise InputError(f"{owner.__name__} has no {name}: the fits must note it elsewhere now")
        setattr(owner, name, function)
