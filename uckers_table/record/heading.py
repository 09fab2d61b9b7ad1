"""What a recording does not tell of its match: who played, what the mess calls its rules, and its dates.

It lies beside the recording, in the match's folder, so that a damaged record can be begun anew with it, and a
recording can be given away that says nothing of people.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.files import is_missing, not_given, refusals_said, write_whole
from uckers_table.machine.moment import Moment
from uckers_table.record.match_record import IDENTITY

HEADING = "heading.json"
UNDATED = Moment(None, "", 0.0)


@dataclass(frozen=True)
class Heading:
    """`names` and `title` as in a match's `Terms`, `identity` as in its `MatchSummary`; `ended` is undated
    until somebody wins or leaves it.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    begun: Moment = UNDATED
    ended: Moment = UNDATED
    identity: str = ""


def write_heading(folder: Path, heading: Heading) -> None:
    """Put it into a match's folder, whole or not at all; RecordError where the card does not take it."""
    path = folder / HEADING
    with refusals_said(path, "cannot be written"):
        write_whole(path, json.dumps(asdict(heading), ensure_ascii=False, indent=2) + "\n")


def read_heading(folder: Path) -> Heading:
    """What the heading in a match's folder says; one that is missing or damaged says nothing.

    UnreadError where it cannot be read now.
    """
    try:
        data = json_from(bytes_of(folder / HEADING))
        return Heading(
            {str(colour): str(name) for colour, name in data["names"].items()},
            str(data["title"]),
            _moment(data["begun"]),
            # Earlier programs wrote neither.
            _moment(data["ended"]) if "ended" in data else UNDATED,
            _identity(data.get("identity")),
        )
    except OSError as error:
        if not is_missing(error):
            raise not_given(folder / HEADING, error) from None
        return Heading()
    except (ValueError, KeyError, TypeError, AttributeError):
        return Heading()


def _identity(data: Any) -> str:
    return data if isinstance(data, str) and IDENTITY.fullmatch(data) else ""


def _moment(data: Any) -> Moment:
    date = data["date"]
    return Moment(None if date is None else str(date), str(data["boot"]), float(data["since_boot_s"]))
