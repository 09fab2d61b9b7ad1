"""The referee: a pure fold over events. No clock, no file, no device, no randomness.

A board is judged when it has been seen still, with nothing over it. What it is compared with, and what
follows (seconds from the first of the sightings that agree):

    seen                                after LEGAL_AFTER_S       after ILLEGAL_AFTER_S
    the board on record                 put right, if it was wrong
    a legal play                        legal
    half a legal play                   –                         – (only on `done` or the next throw)
    the wrong board called before       –                         –
    on its way after a ruling           –                         –
    nothing of these, clearly           –                         illegal, or a timber shift
    nothing of these, but in doubt      –                         a question

"Clearly" is by all sightings of the last two seconds, each square as it was read most kindly: readers err
for so long (`stillness`, `matching.Window`). Where the record does not explain a board, what else may have
happened is tried before anybody is accused (`supposing`, `guesses`).

Throws and calls made before the last play was seen still are held: the next still board decides on them, or
a question where people play on over a riddle.

Here is what the referee remembers. Dealing with an event is in layers, from the top down: `hearing`,
`answering`, `judging`, `supposing`, `excusing`, `taking`, `telling`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf

from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.position import Position
from uckers_table.game.ruling import Ruling
from uckers_table.referee.crosscheck import CrossCheck
from uckers_table.referee.dice import DiceWatch, Wanted
from uckers_table.referee.events import Event, ThrowMade
from uckers_table.referee.explaining import FITS
from uckers_table.referee.guesses import Gone, Guesses, Held, LastPlay, LastThrow, SeenBefore, Suspect
from uckers_table.referee.hearing import AWAY_AFTER_S, BLIND_AFTER_S, Hearing
from uckers_table.referee.judging import TIPPED
from uckers_table.referee.matching import Account, Away, OnLine, Reading, in_play
from uckers_table.referee.rulings import Notice, NoticeKind, TimedRuling
from uckers_table.referee.stillness import Flicker, Stillness
from uckers_table.referee.telling import Question, Taken


@dataclass(frozen=True)
class Response:
    """What an event led to: the referee after it, the rulings in order, and when to ask it again.

    `taken` are the throws, faults and calls that were taken, in order.
    """

    referee: Referee
    rulings: tuple[TimedRuling, ...]
    deadline: float | None
    taken: tuple[Taken, ...] = ()


@dataclass(frozen=True)
class Referee:
    """The referee between two events. `match` is the board and the turn on record.

    `dice_from` says who reads the dice: "tower", "buttons", "camera", or "both" tower and camera.
    """

    match: Match
    dice_from: str = "tower"
    dice: DiceWatch = field(default_factory=DiceWatch)
    check: CrossCheck = field(default_factory=CrossCheck)
    told: str = ""
    """The name of what it heard last of the dice from a source that names what it tells."""
    still: Stillness | None = None
    held: tuple[Held, ...] = ()
    """What the dice did, and players called, before the play of the throw in hand was seen, in order."""
    untouched: tuple[Held, ...] = ()
    """Those of them before which nobody was seen to play: they may have come too early, and be void."""
    quick: int = 0
    """So many times in a row a play was seen only when dice had been thrown on it."""
    suspect: Suspect | None = None
    """What was wrong with the board on which the first of these was thrown, if it was seen."""
    thrown_at: float = -inf
    """When the dice in hand were thrown."""
    voided: tuple[ThrowMade, ...] = ()
    """The throws that came before the play in hand was seen, and were said to be void …"""
    seen_at_void: Reading | None = None
    """… and how the board was seen when the last of them fell …"""
    too_early: frozenset[tuple[int, ...]] = frozenset()
    """… and what the dice showed of those that surely came before it, until a throw counts again: whoever
    plays them is asked."""
    guesses: Guesses = ()
    """What else may have happened than `match` says."""
    hardly: Guesses = ()
    """Those by which dice were good that were thrown before anybody can have played: once the dice in hand
    have been played, nothing speaks for them."""
    turns: Guesses = ()
    """What it says if, since a shift stood or people said that a board is right, it is others' turn, or if a
    play that did not follow from a guess is taken back: nobody is accused by it, but asked."""
    gates: frozenset[int] = frozenset()
    """The colours of which it is not sure whether they have thrown the six that lets them help."""
    last_play: LastPlay | None = None
    """The play recognised last, as long as it may have been another one."""
    blind_since: float | None = None
    trouble: str = ""
    is_blind: bool = False
    open_point: Ruling | Notice | None = None
    """The accusation or question that waits for players to do something about it."""
    unspoken: TimedRuling | None = None
    """The timber shift that it has noted and keeps to itself, where players call them, until they do."""
    asked: Position | None = None
    """The innocent explanation that was asked about, where there is one."""
    question: Question | None = None
    """The board that was asked about last: the answer may come when a hand is over it again, or has been."""
    away: Away = ()
    """The pieces that were not seen in base and at home when the board last agreed with the record."""
    maybe_left: frozenset[tuple[int, int]] = frozenset()
    """Pieces, by seat and steps, that were knocked off there, and may have been left standing: the reader has
    put them elsewhere, and nobody has seen them in base."""
    looked_for: frozenset[tuple[int, int]] = frozenset()
    """Pieces, by seat and steps, that count as standing among their side's since a guess, or what people say
    is right, took the place of a record by which they stood further on or were in base: they may have been
    knocked off, be only looked for there, and not be back yet."""
    strayed: frozenset[int] = frozenset()
    """The seats with a piece that counts as being in base since people said that the board is right, though
    nobody saw it there: it may be anywhere."""
    accounted: frozenset[Account] = frozenset()
    """What else was seen otherwise then: stacks that hide a piece, a casing taken for another colour's."""
    gone: tuple[Gone, ...] = ()
    """Those of the stacks that were seen whole until a hand came: after a while they are asked about."""
    on_lines: tuple[OnLine, ...] = ()
    """The pieces that stood near a line then, and may have been meant for the square beyond it …"""
    decided: frozenset[OnLine] = frozenset()
    """… and those that the dice took to the one side only: whoever plays on from the other is asked …"""
    halves: frozenset[OnLine] = frozenset()
    """… and those that they took to the other by half a play: so is whoever plays on from there later."""
    blinked: Stillness | None = None
    """The still board before the camera saw nothing for a moment."""
    seen_before: SeenBefore | None = None
    """How the board was seen when it was last as on record, and then before the first hand came over it."""
    shown: SeenBefore | None = None
    """The board that was seen just as a play of the throw in hand would leave it, before a hand came."""
    was_reached_over: bool = False
    """A hand has been over the board since it last agreed with the record."""
    forgiven: Position | None = None
    """A reading (its key) of which a person said that the board is right: it is not brought up again."""
    flicker: Flicker = field(default_factory=Flicker)
    """How often, of late, the board was read otherwise than just before with no hand between …"""
    dice_flicker: Flicker = field(default_factory=Flicker)
    """… and dice that lay there."""
    dice_asked_at: float = -inf
    """When it was asked whether a die was turned: `done` may answer that."""
    accused_at: float = -inf
    """When it accused somebody last …"""
    is_stood: bool = False
    """… and whether that was of what had been thrown on, so that the board is on record as it stands."""
    doubts: int = 0
    """So many plays are still to be recognised until the record, which was mended by a guess, is sure."""
    mistakes: int = 0
    """Accusations in a row that were taken back: the record is not what the board is."""
    has_missed: bool = False
    """Dice were thrown again on a play that it had not seen: what the board shows next accuses nobody."""
    is_resumed: bool = False
    """Nobody watched for a while, and the board has not been seen as it is on record since."""
    is_out_of_step: bool = False
    """It has said that the board is not as it has it; `done` or `accept` takes the board as it stands."""
    to_put_right: Notice | None = None
    """Out of step, what it has said of the next piece that players can put right instead."""
    choices: tuple[Call, ...] = ()
    """The calls between which a player has still to choose, by number (`open_calls.numbered`)."""
    history: tuple[Match, ...] = ()
    last_throw: LastThrow | None = None
    """The last throw, if the camera read it: it may have been misread."""
    lost: frozenset[str] = frozenset()
    """The devices that do not answer."""
    without: frozenset[str] = frozenset()
    """The devices that the table never had."""

    @property
    def agrees(self) -> bool:
        """Whether the board was last seen still and just as it is on record."""
        still = self.still
        return (
            still is not None
            and still.settled
            and self.match.wrong_board is None
            and still.reading.cost(self.match.position, self.match.position) <= FITS
        )

    @property
    def may_be_tipped(self) -> bool:
        """Whether the board, if it is away, may be on the floor, and nobody has been asked yet."""
        is_played_on = sum(map(len, in_play(self.match.board, self.match.position))) >= TIPPED
        is_over = self.match.awaiting is Awaiting.OVER
        return self.trouble == "board_not_found" and is_played_on and not is_over and not self.is_asking

    @property
    def reads_dice(self) -> bool:
        """Whether the camera is to read the dice: also in place of a tower that is lost."""
        return self.dice_from in ("camera", "both") or (self.dice_from == "tower" and "tower" in self.lost)

    def loss_of(self, device: str) -> Notice:
        """What there is to say of a device that is lost."""
        has_camera = "camera" not in self.lost | self.without
        return Notice(NoticeKind.DEVICE_LOST, device, is_by_hand=device == "tower" and not has_camera)

    @property
    def is_asking(self) -> bool:
        """Whether a question is open; `done` or `accept` answers that the board is right."""
        return isinstance(self.open_point, Notice)

    @property
    def waits_for_done(self) -> bool:
        """Whether `done` answers something: a question, or what to make of a board that is out of step."""
        return self.is_asking or self.is_out_of_step

    @property
    def deadline(self) -> float | None:
        """When the referee wants to be asked again (seconds), if nothing happens before; None for never."""
        due = []
        if self.blind_since is not None and not self.is_blind:
            due.append(self.blind_since + BLIND_AFTER_S)
        if self.blind_since is not None and self.may_be_tipped:
            due.append(self.blind_since + AWAY_AFTER_S)
        if self.still is not None and self.still.due is not None:
            due.append(self.still.due)
        due += [each for each in (self.dice.due(Wanted.by(self.match)), self.check.due) if each is not None]
        return min(due, default=None)

    def with_match(self, match: Match) -> Referee:
        """The referee with another match on record.

        What could be called on another board or throw is asked no more, nor is it put right by another.
        """
        return replace(self, match=match, choices=(), to_put_right=None)

    def handle(self, event: Event) -> Response:
        """Take the next event: first whatever fell due before it, then the event itself."""
        referee, rulings, taken = self, list[TimedRuling](), list[Taken]()
        while (deadline := referee.deadline) is not None and deadline <= event.t:
            hearing = Hearing(referee, deadline, len(rulings))
            hearing.fall_due()
            referee = hearing.referee
            rulings += hearing.rulings
            taken += hearing.taken
        hearing = Hearing(referee, event.t, len(rulings))
        hearing.take(event)
        return Response(
            hearing.referee,
            (*rulings, *hearing.rulings),
            hearing.referee.deadline,
            (*taken, *hearing.taken),
        )
