"""What was played last time is offered again, also after the table was switched off.

Rules, players, their names, who starts, seats and loudness, as they were chosen on the page or by the
buttons. When the configuration's own words on these have changed since, its owner wants something else, and
they count.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from uckers_table.announce.loudness import Loudness
from uckers_table.config import Config
from uckers_table.errors import InputError
from uckers_table.foreign.documents import bytes_of, json_from
from uckers_table.machine.files import make_folder, write_whole
from uckers_table.record.match_record import Terms
from uckers_table.table.parts import first_match

LAST_TIME = "last-time.json"


class LastTime:
    """Kept in a file beside the record; without it nothing is offered, and no match depends on it."""

    def __init__(self, config: Config) -> None:
        self._path = config.record / LAST_TIME
        self._configured = _match_of(config)

    def keep(self, chosen: Config) -> None:
        """This is being played."""
        kept = {"configured": self._configured, "played": _match_of(chosen)}
        with suppress(OSError):
            make_folder(self._path.parent)
            write_whole(self._path, json.dumps(kept, ensure_ascii=False, indent=2) + "\n")

    def offered(self, config: Config, *, seats_are_fixed: bool) -> Config:
        """The configuration with last time's match, where there was one that can be played at this table."""
        try:
            kept = json_from(bytes_of(self._path))
            if kept["configured"] != self._configured:
                return config
            played = dict(kept["played"])
            loudness = Loudness(played.pop("loudness"))
            terms = Terms(**played | {"seats": tuple(played["seats"])})
            offered = replace(config.with_match(terms), loudness=loudness)
            first_match(offered)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, InputError):
            return config
        return config if seats_are_fixed and offered.seats != config.seats else offered


def _match_of(config: Config) -> dict[str, Any]:
    """What a configuration says of the match, as JSON gives it back."""
    match = {
        "rules": config.rules,
        "options": dict(config.options),
        "players": config.players,
        "seats": config.seats,
        "names": dict(config.names),
        "to_play": config.to_play,
        "loudness": config.loudness,
    }
    as_it_comes_back: dict[str, Any] = json.loads(json.dumps(match, default=str))
    return as_it_comes_back
