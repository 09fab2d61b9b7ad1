"""What the display shows that is no match's screen: a reminder over it, and all there is between matches."""

from __future__ import annotations

from uckers_table.announce.oled import Headline, Screen, draw
from uckers_table.machine.messages import Invitation, Reminder
from uckers_table.table.left_out import between_matches
from uckers_table.table.lobby import PIN, Lobby
from uckers_table.table.parts import Parts
from uckers_table.table.refereeing import Refereeing
from uckers_table.table.reminders import Reminders
from uckers_table.table.serving import OpenPage

TURN_S = 10.0
"""How long the display shows one of two pages: as long as it takes to point a phone at it."""


class Screens:
    """The display, where it is not the match's. For the table's loop."""

    def __init__(self, parts: Parts, page: OpenPage, reminders: Reminders) -> None:
        self._parts, self._page, self._reminders = parts, page, reminders
        self._shown: Screen | None = None
        """What was shown last since there was a match."""
        self._takes_turns = False
        """Whether that is one of two pages."""
        self._covering: tuple[Reminder, Screen] | None = None
        """What stands on the display instead of the match's screen, and that screen."""

    def cover(self, on: Refereeing) -> None:
        """In a match, show a new reminder until the match has something else to show.

        Only whose turn it is gives way to it: never what the match asks or tells.
        """
        self._shown = None
        if self._covering is not None:
            reminder, screen = self._covering
            is_answered = reminder not in self._reminders.waiting
            if on.screen is screen and not is_answered:
                return
            self._covering = None
            if on.screen is screen:
                self._parts.display.show(on.oled)
        if isinstance(on.screen, Headline) and not on.has_ended:
            fresh = self._reminders.take_fresh()
            if fresh is not None:
                self._covering = fresh, on.screen
                self._parts.display.show(draw(fresh.message))

    def uncover(self) -> None:
        """The display shows something else than the match's screen, or what covers it."""
        self._covering = None

    def show_between(self, now: float, lobby: Lobby, invitation: Invitation) -> Screen:
        """Between matches, show the first reminder, what the lobby asks, or the invitation to the page.

        Gives it as the page tells it, which takes no turns.
        """
        self.uncover()
        first = self._reminders.first
        screen = between_matches(first) if first is not None else lobby.page() or invitation
        shown = self._in_turn(now, invitation) if screen is invitation else screen
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
        """When the other of two pages is due, in the table's seconds; None if one is shown."""
        return (int(now / TURN_S) + 1) * TURN_S if self._takes_turns else None
