"""What the camera shows now, since when, and when that is to be weighed again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from uckers_table.referee import prices
from uckers_table.referee.looks import LongLook, ReadBoard

BLIND_AFTER_S = 2.5
"""A camera that shows nothing for this long is said to be blind (seconds). A shorter gap is a sleeve, a knock
or an error of the reader's, and is over before the sentence is."""
SILENT_AFTER_S = 10.0
"""So long without any picture, and the referee says that it cannot see. A recording may leave out some
seconds in which nothing changes."""
STALE_S = 5.0
"""A sighting older than this says nothing of the board on which dice fall."""
UNWATCHED_S = 1.2
"""Between two sightings further apart than this a hand may have been there and gone."""


@dataclass(frozen=True)
class CameraWatch:
    """What the camera shows.

    `look`: None while a hand is over the board or nothing can be read. `touched`: a hand was over the
    board, or nobody watched, since the histories grew. `is_done`: the player has said that this is his
    play. `is_called`: the button for calls was pressed under a hand, and waits for the play that may be made
    there. `is_dealt_with`: nothing more is to be said of the look while it is read so. `checks`: when it is
    to be weighed again by time alone. `unwatched`: what it costs that people have played on unseen (nats),
    None while somebody watches. `seen_at`: when the last frame came. `hand_since`: since when a hand has
    been there, None while there is none. `blind_since`: since when frames show nothing that counts.
    `trouble`: why. `is_blind`: people have been told. All times in seconds.
    """

    look: LongLook | None = None
    touched: bool = False
    is_done: bool = False
    is_called: bool = False
    is_dealt_with: bool = False
    checks: tuple[float, ...] = ()
    unwatched: float | None = None
    seen_at: float | None = None
    hand_since: float | None = None
    blind_since: float | None = None
    trouble: str = ""
    is_blind: bool = False

    @property
    def due(self) -> float | None:
        """When time alone changes something (seconds); None for never."""
        blind = None if self.is_blind else self._blind_at
        return min((each for each in (*self.checks[:1], blind) if each is not None), default=None)

    def goes_blind(self, t: float) -> bool:
        """Whether nothing has been seen for so long that people are to be told."""
        return not self.is_blind and self._blind_at is not None and t >= self._blind_at

    @property
    def _blind_at(self) -> float | None:
        """When people are to be told that nothing is seen, if that goes on."""
        if self.blind_since is not None:
            return self.blind_since + BLIND_AFTER_S
        return None if self.seen_at is None else self.seen_at + SILENT_AFTER_S

    def hand(self, t: float) -> CameraWatch:
        """A hand is over the board."""
        since = t if self.hand_since is None else self.hand_since
        gone = replace(self.hidden(), blind_since=None, seen_at=t, hand_since=since)
        return replace(gone, is_done=False, is_dealt_with=False)

    def was_hidden_long(self, t: float) -> bool:
        """Whether a hand has been there for so long that dice may have been thrown and played under it."""
        return self.hand_since is not None and t - self.hand_since >= prices.LONG_HAND_S

    def hidden(self) -> CameraWatch:
        """Nothing of the board is seen."""
        return replace(self, look=None, touched=True, checks=())

    def if_fresh(self, t: float) -> CameraWatch:
        """The same if somebody has looked of late; else nothing of the board is seen."""
        is_stale = self.look is not None and t - self.look.last.until > STALE_S
        return self.hidden() if is_stale else self

    def dark(self, t: float, trouble: str) -> CameraWatch:
        """A frame shows nothing that counts."""
        since = t if self.blind_since is None else self.blind_since
        return replace(self, blind_since=since, trouble=trouble, checks=())

    def blind(self, unwatched: float) -> CameraWatch:
        """People are told that nothing is seen."""
        return replace(self.hidden(), is_blind=True, unwatched=unwatched)

    def lost(self, unwatched: float) -> CameraWatch:
        """The camera does not answer."""
        return replace(self.hidden(), seen_at=None, blind_since=None, unwatched=unwatched)

    def sees(self, t: float, reading: ReadBoard) -> CameraWatch:
        """The board is read, with no hand over it."""
        look, touched, is_new = self.look, self.touched, True
        if look is None:
            look = LongLook.first(t, reading)
        else:
            is_new = look.last.reading.seen != reading.seen
            if is_new and t > look.last.until + UNWATCHED_S:
                touched, look = True, LongLook.first(t, reading)
            else:
                look = look.then(t, reading)
        seen = replace(self, look=look, touched=touched, blind_since=None, is_blind=False, trouble="")
        seen = replace(seen, seen_at=t, hand_since=None)
        if not is_new:
            return seen
        return replace(seen, is_dealt_with=False, checks=tuple(t + after for after in prices.CHECKS_S))

    def waited(self, was: float, t: float, times: int) -> CameraWatch:
        """The watch after a frame at `was`, once so many more of the same have changed nothing until `t`."""
        look = self.look.waited(was, t, times) if self.look is not None else None
        return replace(self, look=look, seen_at=t if self.seen_at == was else self.seen_at)

    def said(self) -> CameraWatch:
        """The look has been ruled on: what is read now is what is seen from here on."""
        if self.look is None:
            return self
        look = self.look.from_last(self.look.began)
        return replace(self, look=look, touched=False, is_done=False, is_dealt_with=True, unwatched=None)

    def thrown_on(self) -> CameraWatch:
        """Dice fell, or something was called: the histories have grown."""
        seen = replace(self, unwatched=None, is_called=False)
        if self.look is None:
            return seen
        look = self.look.from_last(self.look.last.since)
        return replace(seen, look=look, touched=False, is_done=False)
