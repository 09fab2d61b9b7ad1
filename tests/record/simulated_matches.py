"""Simulated matches as the record keeps them: cheats that stood, slips, challenges and calls among them."""

from functools import cache

from uckers_table.announce.lines import ruling_line
from uckers_table.announce.sentences import say
from uckers_table.game.board import Plan
from uckers_table.game.events import Call
from uckers_table.game.match import begin
from uckers_table.game.options import OPTIONS
from uckers_table.game.setting import load_setting
from uckers_table.record.entries import entries_of
from uckers_table.record.match_record import MatchRecord, MatchSummary, Ruled, Terms, Thrown
from uckers_table.referee.events import ButtonPressed, CallMade
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.trial.watched import Errors, _reads, _Watch


class CutError(Exception):
    """So many throws have been made."""


class Recorded(_Watch):
    """A referee at a simulated table, whose answers are kept until so many throws have been made."""

    def __init__(self, setting, seed, throws):
        super().__init__(
            begin(setting), _reads(Plan(setting.board), Errors("uniform:2"), seed), camera_dice=False
        )
        self.entries, self.throws, self.left, self.t = [], 0, throws, 0.0

    def _handle(self, event):
        response = self.referee.handle(event)
        self.referee, board = response.referee, self.referee.match.board
        lines = [ruling_line(timed, board) for timed in response.rulings]
        new = entries_of(response, lines, board)
        self.entries += new
        self.t = event.t
        for timed in response.rulings:
            self.world.hear(say(timed.ruling, board))
        self.throws += sum(isinstance(each, Thrown) for each in new)
        if self.throws >= self.left:
            self.left = 10**9
            raise CutError


@cache
def simulated_match(rules, seed, players=4, throws=80, ends=""):
    """A match under a rule set, cut after so many throws; it ends "upboard", or as it stands then."""
    setting = load_setting(rules, players=players)
    recorded = Recorded(setting, seed, throws)
    try:
        recorded.run(Unpainted(Plan(setting.board)), seed)
    except CutError:
        recorded._handle(ButtonPressed(recorded.t, "undo"))
        if ends == "upboard":
            recorded._handle(CallMade(recorded.t, Call("upboard", 2 if players == 4 else 0)))
    match, entries = recorded.referee.match, tuple(recorded.entries)
    rulings = [each for each in entries if isinstance(each, Ruled)]
    summary = MatchSummary(
        1,
        Terms(
            rules,
            values={name: getattr(setting.rules, name) for name in OPTIONS},
            players=players,
            seats=setting.board.seats,
            names={"red": 'Jones "the Wheel"', "blue": "Ó Sé"},
        ),
        winner=tuple(setting.board.seats[seat] for seat in match.winner) or None,
        honours=match.honours,
        lasted_s=rulings[-1].t,
        throws=recorded.throws,
        rulings=len(rulings),
    )
    return MatchRecord(summary, entries)
