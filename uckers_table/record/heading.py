"""What a recording does not tell of its match: who played, what the mess calls its rules, and when it began.

It lies beside the recording, in the match's folder, so that a damaged record can be begun anew with it, and a
recording can be given away that says nothing of people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from uckers_table.errors import RecordError
from uckers_table.record.moment import Moment

HEADING = "heading.json"
UNDATED = Moment(None, "", 0.0)


@dataclass(frozen=True)
class Heading:
    """`names` and `title` as in a match's `Terms`."""

    names: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    begun: Moment = UNDATED


def write_heading(folder: Path, heading: Heading) -> None:
    """Put it into a match's folder; RecordError where the card does not take it."""
    path = folder / HEADING
    try:
        path.write_text(json.dumps(asdict(heading), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path}: cannot be written ({error.strerror})") from None


def read_heading(folder: Path) -> Heading:
    """What the heading in a match's folder says; one that is missing or damaged says nothing."""
    try:
        data = json.loads((folder / HEADING).read_text(encoding="utf-8"))
        begun = data["begun"]
        return Heading(
            {str(colour): str(name) for colour, name in data["names"].items()},
            str(data["title"]),
            Moment(
                None if begun["date"] is None else str(begun["date"]),
                str(begun["boot"]),
                float(begun["since_boot_s"]),
            ),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Heading()
