"""An evening at a simulated table: people sit down to a match, and perhaps to another after it."""

from __future__ import annotations

from collections.abc import Callable

from uckers_table.devices.base import BgrImage, Frame
from uckers_table.game.match import Match
from uckers_table.simulator.people import Happening
from uckers_table.simulator.world import IDLE_FRAME_S, SimulatedTable


class SimulatedEvening:
    """One table after the other, on one clock. While nobody plays, the pieces stand in their bases.

    If asked to, the people clear the board or lay it out for a picture.

    `seat` gives the people who play a match. It is told the match, and the number of the match that evening,
    from 0.
    `idle` is the picture while nobody plays, `bare` that of the cleared board.
    `rest` is called before each frame while nobody plays.
    `goes_on`: if false, the evening is over after its first match.
    """

    def __init__(
        self,
        seat: Callable[[Match, int], SimulatedTable],
        idle: BgrImage,
        *,
        bare: BgrImage | None = None,
        goes_on: bool = False,
        rest: Callable[[], None] = lambda: None,
    ) -> None:
        self._seat, self._idle, self._goes_on, self._rest = seat, idle, goes_on, rest
        self._bare = bare if bare is not None else idle
        self._laid_out: BgrImage | None = None
        self._table: SimulatedTable | None = None
        self._matches = 0
        self._begun = self._now = 0.0
        self._image = idle

    def sit_down(self, match: Match) -> None:
        """The match is played from now on. Any thread may call this."""
        table = self._seat(match, self._matches)
        self._matches += 1
        self._begun = self._now
        self._table = table

    def now(self) -> float:
        """The simulated clock, in seconds."""
        table = self._table
        return self._begun + table.now() if table is not None else self._now

    @property
    def is_playing(self) -> bool:
        """Whether the people have sat down to a match that is not over for them."""
        return self._table is not None

    @property
    def log(self) -> list[Happening]:
        """What has happened in the match that is on, or in the last one; empty before the first."""
        return self._table.log if self._table is not None else []

    def hear(self, sentence: str) -> None:
        """The people at the table hear a sentence that was said aloud. Any thread may call this."""
        if self._table is not None:
            self._table.hear(sentence)

    def lay_out(self, what: str) -> None:
        """For the next frame the board is bare ("empty"), or all pieces stand in their
        bases (anything else).
        """
        self._laid_out = self._bare if what == "empty" else self._idle

    def advance(self) -> Frame | None:
        """Lives on until the next camera frame and gives it; None once the evening is over."""
        if self._laid_out is not None:
            image, self._laid_out = self._laid_out, None
            return Frame(self.now(), image)
        table, begun = self._table, self._begun
        frame = table.advance() if table is not None else None
        if table is not None and frame is not None:
            self._now, self._image = begun + frame.t, frame.image
            return Frame(self._now, frame.image)
        if table is not None and not self._goes_on:
            return None
        self._rest()
        self._table = None if self._table is table else self._table
        self._image = self._idle
        return self.wait(IDLE_FRAME_S)

    def wait(self, span_s: float) -> Frame:
        """The clock goes on by `span_s` seconds while nobody moves, even in a match. Gives the picture of
        that.
        """
        self._begun += span_s
        self._now += span_s
        return Frame(self._now, self._image)
