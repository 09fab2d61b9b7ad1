"""What the display shows that is no match's screen: the way in, reminders, and all between matches."""

from __future__ import annotations

from math import inf

from uckers_table.announce.oled import Headline, Screen, draw
from uckers_table.machine.messages import Invitation, Message, Reminder
from uckers_table.table.left_out import between_matches
from uckers_table.table.lobby import PIN, Lobby
from uckers_table.table.parts import Parts
from uckers_table.table.refereeing import Refereeing
from uckers_table.table.reminders import Reminders
from uckers_table.table.serving import OpenPage

TURN_S = 10.0
"""How long the display shows one of two pages: as long as it takes to point a phone at it."""
INVITED_S = 4 * TURN_S
"""How long the way in is shown in a match: each of two pages twice."""


NO_MATCH = Message("NO MATCH", "To begin one press done.")


class Screens:
    """The display, where it is not the match's. For the table's loop."""

    def __init__(self, parts: Parts, page: OpenPage, reminders: Reminders) -> None:
        self._parts, self._page, self._reminders = parts, page, reminders
        self._shown: Screen | None = None
        """What was shown last since there was a match."""
        self._takes_turns = False
        """Whether that is one of two pages."""
        self._invited_until = -inf
        self._invited_over: Screen | None = None
        """Until when the way in is shown, and which screen of a match gives way though it asks or tells."""
        self._hides = False
        """The way in stands on the display over what is asked."""
        self._reminder: Reminder | None = None
        self._covering: tuple[Screen, Screen] | None = None
        """What stands on the display instead of the match's screen, and that screen."""

    def invite(self, now: float, over: Screen | None = None) -> None:
        """Show for a while how phones get in, `over` what a match shows now if that is given."""
        self._invited_until, self._invited_over = now + INVITED_S, over

    def invite_no_more(self) -> bool:
        """Somebody has pressed something, and the way in goes. Whether it hid what is asked.

        Then the press was for the display: nobody answers what he does not see.
        """
        hid, self._hides, self._invited_until = self._hides, False, -inf
        return hid

    def cover(self, now: float, on: Refereeing, invitation: Invitation | None) -> None:
        """In a match, show the way in or a new reminder over the match's screen.

        Only whose turn it is gives way: never what the match asks or tells, unless somebody asked for the way
        in over it.
        """
        self._shown = None
        wanted = self._wanted(now, on, invitation)
        covering = (wanted, on.screen) if wanted is not None else None
        before, self._covering = self._covering, covering
        is_match_s = before is None or before[1] is not on.screen
        if wanted is not None and (is_match_s or before != covering):
            self._parts.display.show(draw(wanted))
        elif wanted is None and not is_match_s:
            self._parts.display.show(on.oled)

    def _wanted(self, now: float, on: Refereeing, invitation: Invitation | None) -> Screen | None:
        """What is to stand over the match's screen; None for nothing."""
        self._takes_turns = False
        gives_way = isinstance(on.screen, Headline) and not on.has_ended
        is_shown = self._is_inviting(now) and (gives_way or on.screen is self._invited_over)
        self._hides = is_shown and invitation is not None and not gives_way
        if is_shown and invitation is not None:
            return self._in_turn(now, invitation)
        is_over_it = self._covering is not None and self._covering[1] is on.screen
        if self._reminder in self._reminders.waiting and is_over_it:
            return self._reminder.message
        self._reminder = self._reminders.take_fresh() if gives_way else None
        return self._reminder.message if self._reminder is not None else None

    def _is_inviting(self, now: float) -> bool:
        return now < self._invited_until

    def uncover(self) -> None:
        """The display shows something else than the match's screen, or what covers it."""
        self._covering, self._reminder, self._hides = None, None, False

    def draw_anew(self) -> None:
        """The devices have shown something else, or are others: between matches they are told all again."""
        self._shown = None

    def show_between(self, now: float, lobby: Lobby, invitation: Invitation | None) -> Screen:
        """Between matches, show the first reminder, what the lobby asks, or the invitation to the page; where
        there is none, how a match is begun.

        Whoever asks for the way in sees it first. Gives it as the page tells it, which takes no turns.
        """
        self.uncover()
        first = self._reminders.first
        asked = between_matches(first) if first is not None else lobby.page()
        self._hides = asked is not None and invitation is not None and self._is_inviting(now)
        screen: Screen = asked if asked is not None and not self._hides else invitation or NO_MATCH
        shown = self._in_turn(now, invitation) if invitation is not None and screen is invitation else screen
        if shown != self._shown:
            self._shown = shown
            self._parts.display.show(draw(shown))
            self._parts.tower.show("")
            self._parts.buttons.light(lobby.lamps | {PIN})
        return screen

    def _in_turn(self, now: float, invitation: Invitation) -> Screen:
        """In a network of its own the table shows in turn how that is joined, and where its page is then."""
        joining = self._page.joining(invitation)
        self._takes_turns = joining is not None
        return joining if joining is not None and int(now / TURN_S) % 2 == 0 else invitation

    def next_turn(self, now: float) -> float | None:
        """When something else is due on the display though nothing comes in, in the table's seconds."""
        due = [(int(now / TURN_S) + 1) * TURN_S] if self._takes_turns else []
        return min([*due, self._invited_until] if self._is_inviting(now) else due, default=None)
