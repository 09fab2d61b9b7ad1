"""The two referees by name, for as long as the older one is kept to compare with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from uckers_table.belief.referee import WeighingReferee
from uckers_table.game.events import Call
from uckers_table.game.match import Match
from uckers_table.referee.events import Event
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import TimedRuling
from uckers_table.referee.telling import Taken

LAYERS, BELIEF = "layers", "belief"


class AnyReferee(Protocol):
    """A referee between two events, as `referee.Referee`, whichever way it thinks."""

    @property
    def match(self) -> Match:
        """What is on record."""

    @property
    def choices(self) -> tuple[Call, ...]:
        """The calls among which a player must still choose."""

    @property
    def deadline(self) -> float | None:
        """When it wants to be asked again if nothing happens before (seconds)."""

    def handle(self, event: Event) -> AnyResponse:
        """Take the next event."""


class AnyResponse(Protocol):
    """What an event led to, as `referee.Response`."""

    @property
    def referee(self) -> AnyReferee:
        """The referee after it."""

    @property
    def rulings(self) -> tuple[TimedRuling, ...]:
        """What it ruled, in order."""

    @property
    def read_again(self) -> frozenset[str]:
        """The places that the reader is to read anew."""

    @property
    def taken(self) -> tuple[Taken, ...]:
        """The throws, faults and calls that were taken."""


REFEREES: Mapping[str, Callable[[Match, str], AnyReferee]] = {LAYERS: Referee, BELIEF: WeighingReferee}
"""What makes each of them: of a match, and of who reads the dice. The table runs on BELIEF."""
