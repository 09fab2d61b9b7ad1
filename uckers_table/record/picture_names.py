"""How the pictures behind a match's rulings are named: by their names alone they are found again.

A record may come from elsewhere, and may name any file: `kept_picture` alone says which is a picture.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from uckers_table.errors import InputError
from uckers_table.foreign.places import inside
from uckers_table.record.match_record import EVIDENCE, FRAME
from uckers_table.record.recording import FRAMES, RECORDING

_FOLDER = "evidence"
"""Where they lie, in the match's own folder; those that a recording leads to lie with its frames."""
_ENDING = ".jpg"
_FORM = re.compile(rf"(\d{{6,}})-(?:{FRAME}-(\d+\.\d{{3}})|(\w+)-({'|'.join(EVIDENCE)}))\.jpg")


@dataclass(frozen=True)
class PictureName:
    """Names a picture behind a ruling: the ruling's number, counted from 1, and what the picture shows.

    That is one of `match_record.EVIDENCE`, named by the ruling's `kind` too, or FRAME, named by the time `t`
    in seconds of the match, to the millisecond.
    """

    ruling: int
    what: str
    kind: str = ""
    t: float | None = None

    def path(self, match_folder: Path) -> Path:
        """The file of that name, in the folder of its match."""
        shown = f"{FRAME}-{self.t:09.3f}" if self.t is not None else f"{self.kind}-{self.what}"
        return match_folder / _FOLDER / f"{self.ruling:06d}-{shown}.jpg"


def kept_picture(record: Path, match_folder: Path, file: object) -> Path:
    """The file that a record names as a picture of a match, whose folder in the record is `match_folder`.

    InputError for any file that is not one of the match's pictures. Such a file is neither handed
    out nor removed.
    """
    for folder in (match_folder / _FOLDER, match_folder / RECORDING / FRAMES):
        name = str(file).removeprefix(f"{folder.relative_to(record)}/")
        if isinstance(file, str) and name != file and "/" not in name and name.endswith(_ENDING):
            inside(record, file)
            return inside(folder, name)
    raise InputError(f"{file!r} is no picture of a match in {match_folder}")


def pictures_in(match_folder: Path) -> Iterator[tuple[PictureName, Path]]:
    """The pictures in a match's folder that are so named, by ruling, with their files; no others."""
    for path in sorted((match_folder / _FOLDER).glob("*.jpg")):
        if form := _FORM.fullmatch(path.name):
            ruling, t, kind, what = form.groups()
            yield PictureName(int(ruling), what or FRAME, kind or "", float(t) if t else None), path
