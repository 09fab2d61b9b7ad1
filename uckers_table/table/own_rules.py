"""A mess's own rules, as the table's loop keeps them and takes them away, and as the buttons offer them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from uckers_table.errors import UckersTableError
from uckers_table.keeping.card import Card
from uckers_table.record.kept_rules import keep_rules, kept_rules, take_rules_away
from uckers_table.web.commands import Answer, KeepRules, Shelving

PLAYED_NOW = "A match is being played by these rules. Leave them as they are until it is over."


class OwnRules:
    """For the table's loop. What is kept lies in the record; the card takes it in its own time."""

    def __init__(self, record: Path, card: Card) -> None:
        self._record, self._card = record, card
        self.sets: Mapping[str, str] = {}
        """The sets that can be played: their names, by the file of each."""
        self._look()

    def do(self, command: Shelving, played: str, tell: Callable[[Answer], None]) -> None:
        """Keep a set, or take one away; `tell` what became of it, in this thread.

        `played` is the set of the match that is on, if one is: that one stays as it is.
        """
        if self.are_meant(command, played):
            tell(Answer(False, PLAYED_NOW))
            return
        answers: list[Answer] = []
        self._card.do(lambda: answers.append(self._done(command)))
        self._card.once_kept(lambda: tell(answers[0]))

    def are_meant(self, command: Shelving, rules: str) -> bool:
        """Whether a loadable set is the one that is replaced, or taken away."""
        return rules in self.sets and self.sets[rules].casefold() == command.name.strip().casefold()

    def _done(self, command: Shelving) -> Answer:
        try:
            if isinstance(command, KeepRules):
                name = keep_rules(
                    self._record, command.name, command.rules, command.options, replaces=command.replaces
                )
                line = f"“{name}” is kept."
            else:
                take_rules_away(self._record, command.name)
                line = f"“{command.name}” is taken away."
        except UckersTableError as error:
            return Answer(False, str(error))
        self._look()
        return Answer(True, line)

    def _look(self) -> None:
        """See what is kept. What the card does not give, or cannot be played, the buttons do not offer."""
        try:
            kept = kept_rules(self._record)
        except UckersTableError:
            kept = ()
        self.sets = {str(each.file): each.name for each in kept if not each.trouble}
