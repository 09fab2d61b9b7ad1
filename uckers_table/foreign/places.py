"""Paths that strangers wrote: the one function that takes them into a folder."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath

from uckers_table.errors import InputError
from uckers_table.foreign.documents import unwritable


def inside(folder: Path, name: object) -> Path:
    """The file of that name in a folder, which need not be there; InputError for a name that leads out of it.

    A name is relative, with slashes. A link in the folder may lead to another place in it, and nowhere else.
    """
    if not isinstance(name, str) or not name:
        raise InputError(f"{name!r} is no name of a file")
    if why := unwritable(name):
        raise InputError(why)
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or PureWindowsPath(name).drive:
        raise InputError(f"{name!r} is not inside {folder}; give a path relative to it")
    try:
        is_inside = (folder / path).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as error:
        # A name that is too long, or links in a circle.
        raise InputError(f"{name!r} is no name of a file in {folder} ({error})") from None
    if not is_inside or not path.parts:
        raise InputError(f"{name!r} is not inside {folder}: a link leads out of it")
    return folder / path
