"""The referee: a pure fold over events. No clock, no file, no device, no randomness.

The referee judges a board once it has been seen still, with no hand over it. This table says what follows.
Times are seconds since the first of the sightings that agree:

    seen                                after LEGAL_AFTER_S       after ILLEGAL_AFTER_S
    the board on record                 put right, if it was wrong
    a legal play                        legal
    half a legal play                   –                         – (only on `done` or the next throw)
    the wrong board called before       –                         –
    on its way after a ruling           –                         –
    nothing of these, clearly           –                         illegal, or a timber shift
    nothing of these, but in doubt      –                         a question

"Clearly" means by all sightings of the last two seconds together, each square at its kindest reading
(`matching.Window`). A reader may err for that long (`stillness.ERRS_S`). Where the record does not explain a
board, the referee first tries what else may have happened (`supposing`, `guesses`). Only then does it accuse.

A throw or call that comes before the last play was seen still is held. So is a throw over a board that the
camera has not shown for a while (`stillness.UNWATCHED_S`). The next still board decides what it counts for.
If people play on over a board that nothing explains, the referee asks.

This module holds what the referee remembers. An event passes through layers, from the top down: `hearing`,
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
from uckers_table.referee.taking_back import Act, ActKind, Undone
from uckers_table.referee.telling import Question, Taken


@dataclass(frozen=True)
class Response:
    """What an event led to: the referee after it, the rulings in order, and when to ask it again (seconds).

    `taken`: the throws, faults and calls that were taken, in order. `read_again`: the places that the
    reader is to read anew. This referee asks for none.
    """

    referee: Referee
    rulings: tuple[TimedRuling, ...]
    deadline: float | None
    taken: tuple[Taken, ...] = ()
    read_again: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Referee:
    """The referee between two events. `match` is the record: the board and the turn.

    `dice_from` says who reads the dice: "tower", "buttons", "camera", or "both" (tower and camera).

    `hearing` to `telling` set these fields. A note says what is true while its field is set, and who reads
    it.
    """

    match: Match
    dice_from: str = "tower"
    dice: DiceWatch = field(default_factory=DiceWatch)
    """What the camera knows of the dice on the board."""
    check: CrossCheck = field(default_factory=CrossCheck)
    """What tower and camera have told of the same dice, if `dice_from` is "both"."""
    told: str = ""
    """The name of the last dice event from a source that names them. A second one of that name is ignored
    (`hearing`)."""
    still: Stillness | None = None
    """The board as it lies still. None while a hand is over it or the camera shows nothing."""
    held: tuple[Held, ...] = ()
    """Dice and calls that came before the play of the throw in hand was seen, in order. The board decides on
    them."""
    untouched: tuple[Held, ...] = ()
    """The held events before which no hand was seen to play. They may have come too early and be void
    (`taking`)."""
    quick: int = 0
    """How many times in a row dice were thrown before the last play was seen. Above `supposing.QUICK` the
    record is in doubt."""
    suspect: Suspect | None = None
    """What was wrong with the board when the first held throw was made. None if nothing was seen to be wrong.
    `supposing` calls or asks about it once the held dice are played."""
    thrown_at: float = -inf
    """When the dice in hand were thrown (seconds)."""
    voided: tuple[ThrowMade, ...] = ()
    """The throws ruled void since the board last agreed with the record. They came before a play was seen.
    They may have been good, so `supposing` and `judging` try plays of them."""
    seen_at_void: Reading | None = None
    """How the board was read when the last void throw fell. None if it had not been seen twice. `judging`
    reads it: a play that was not there yet was hardly made before that throw."""
    too_early: frozenset[tuple[int, ...]] = frozenset()
    """The values of the void dice that surely came too early. Kept until a throw counts again. Whoever plays
    these dice is asked (`supposing`)."""
    guesses: Guesses = ()
    """What may have happened instead of what `match` says. A guess excuses, and takes the record's place once
    a board shows it."""
    hardly: Guesses = ()
    """The guesses by which void dice are good although nobody can have played before them. They excuse, and
    never take the record's place. `judging` drops them once the dice in hand are played."""
    turns: Guesses = ()
    """Guesses that only excuse: the referee asks instead of accusing. In most of them it is another side's
    turn. They are added when a shift stood, and when people confirmed a board. They are also added when a
    play rests on dice that were void or read in two ways.

    One takes the record's place in two cases only. People confirm the board, or they throw on and are asked
    about it."""
    gates: frozenset[int] = frozenset()
    """The seats of which it is in doubt whether they have thrown the six that lets them help their partner.
    `taking` keeps a guess for either."""
    last_play: LastPlay | None = None
    """The play recognised last, as long as it may have been another one."""
    blind_since: float | None = None
    """Since when the camera has shown nothing that counts (seconds). None while it sees."""
    trouble: str = ""
    """Why the camera shows nothing: one of `hearing.BLINDING`."""
    is_blind: bool = False
    """The referee has said that it cannot see."""
    open_point: Ruling | Notice | None = None
    """The accusation or question that waits for players to do something about it."""
    unspoken: TimedRuling | None = None
    """The timber shift that was noted but not said, because only players call shifts here (rule option
    `timber_caller`). It is said when a player presses `timber_shifting`."""
    asked: Position | None = None
    """The innocent board that the open question asks about. None if it has none. `done` confirms it."""
    question: Question | None = None
    """The board that was asked about last. An answer counts even if a hand is there or was."""
    away: Away = ()
    """Per seat, how many pieces in base and at home were not seen when the board last agreed."""
    maybe_left: frozenset[tuple[int, int]] = frozenset()
    """Pieces that were knocked off but may have been left standing, as (seat, steps) of where they stood. The
    reader counts them elsewhere, and nobody has seen them in base. A piece seen back there is excused
    (`excusing`)."""
    looked_for: frozenset[tuple[int, int]] = frozenset()
    """Pieces that may not be where they count, as (seat, steps). They count among their own side's pieces
    since a guess, or a board that people confirmed, became the record. Before, the record had them in base or
    further on.

    One may have been knocked off and not be back in base yet. The reader then only looks for it under its
    side's pieces. `excusing` reads this."""
    strayed: frozenset[int] = frozenset()
    """The seats with a piece in base that nobody saw there when people confirmed the board. The piece may be
    anywhere, so its coming from base is excused."""
    accounted: frozenset[Account] = frozenset()
    """Differences between sighting and record when they last agreed: a stack that hides a piece, a casing
    taken for another colour's. They cost nothing while they last (`matching`)."""
    gone: tuple[Gone, ...] = ()
    """Pieces missing from stacks in which they were seen until a hand came. After `judging.GONE_S` people are
    asked about them."""
    on_lines: tuple[OnLine, ...] = ()
    """The pieces that stood near a line when the board last agreed. Each may be meant for the square
    beyond."""
    decided: frozenset[OnLine] = frozenset()
    """The pieces near a line that the dice can only have taken to this side. Whoever plays one on from the
    other side is asked."""
    halves: frozenset[OnLine] = frozenset()
    """The pieces near a line that half a play would have taken to the other side. Whoever plays one on from
    there is asked."""
    blinked: Stillness | None = None
    """The still board before the camera saw nothing for a moment. It goes on if the next sighting is
    alike."""
    seen_before: SeenBefore | None = None
    """How the board was read when it last agreed with the record. When the first hand comes: how it was read
    most often until then."""
    shown: SeenBefore | None = None
    """A board that was seen, before a hand came, exactly as a play in hand, or half of one, leaves it."""
    was_reached_over: bool = False
    """A hand has been over the board since it last agreed with the record."""
    forgiven: Position | None = None
    """The reading (its `key`) that a person said is right. It is not brought up again."""
    flicker: Flicker = field(default_factory=Flicker)
    """How often the board was lately read otherwise than just before, with no hand between. `supposing` asks
    instead of accusing when that is too often."""
    dice_flicker: Flicker = field(default_factory=Flicker)
    """The same for dice that lay there."""
    dice_asked_at: float = -inf
    """When the referee asked whether a die was turned (seconds). A `done` soon after answers only that."""
    accused_at: float = -inf
    """When the referee last accused somebody (seconds), unless that was taken back."""
    doubts: int = 0
    """How many plays must still be recognised before a mended record counts as sure. While it is above 0,
    the referee says that it is out of step instead of accusing, unless the board settles the doubt
    (`judging`)."""
    mistakes: int = 0
    """How many accusations in a row were taken back. From `supposing.MISTAKES` on, the referee says that it
    is out of step instead of accusing."""
    has_missed: bool = False
    """More dice were thrown than the referee could follow. What the board shows next accuses nobody."""
    is_resumed: bool = False
    """Nobody watched for a while, and the board has not been seen as on record since."""
    is_out_of_step: bool = False
    """The referee has said that the board is not as on record. `done` or `accept` takes it as it stands."""
    to_put_right: Notice | None = None
    """Out of step: what was said of the next piece that players can put right instead."""
    choices: tuple[Call, ...] = ()
    """The calls among which a player must still choose, by number (`open_calls.numbered`)."""
    history: tuple[Act, ...] = ()
    """What went on record, oldest first (at most `taking_back.UNDO_DEPTH`). `taking_back` reads it."""
    acts: int = 0
    """How many acts have been numbered."""
    undone: tuple[Undone, ...] = ()
    """What was taken back and can be given back, the last one last. Empty once anything new is on record."""
    last_throw: LastThrow | None = None
    """The last throw, if the camera read it. It may have been misread."""
    lost: frozenset[str] = frozenset()
    """The devices that do not answer."""
    without: frozenset[str] = frozenset()
    """The devices that this table never had."""

    @property
    def earlier(self) -> tuple[Match, ...]:
        """The match before each act in `history`, oldest first."""
        return tuple(each.before for each in self.history if each.kind is not ActKind.RESUMED)

    @property
    def agrees(self) -> bool:
        """Whether the board was last seen still and just as on record."""
        still = self.still
        return (
            still is not None
            and still.settled
            and self.match.wrong_board is None
            and still.reading.cost(self.match.position, self.match.position) <= FITS
        )

    @property
    def may_be_tipped(self) -> bool:
        """Whether the board may have been tipped up: the camera does not find it, and no question is open."""
        is_played_on = sum(map(len, in_play(self.match.board, self.match.position))) >= TIPPED
        is_over = self.match.awaiting is Awaiting.OVER
        return self.trouble == "board_not_found" and is_played_on and not is_over and not self.is_asking

    @property
    def reads_dice(self) -> bool:
        """Whether the camera is to read the dice. It also does so in place of a lost tower."""
        return self.dice_from in ("camera", "both") or (self.dice_from == "tower" and "tower" in self.lost)

    def loss_of(self, device: str) -> Notice:
        """What there is to say of a lost device."""
        has_camera = "camera" not in self.lost | self.without
        return Notice(NoticeKind.DEVICE_LOST, device, is_by_hand=device == "tower" and not has_camera)

    @property
    def is_asking(self) -> bool:
        """Whether a question is open. `done` or `accept` answers that the board is right."""
        return isinstance(self.open_point, Notice)

    @property
    def waits_for_done(self) -> bool:
        """Whether `done` answers something: a question, or that the board is out of step."""
        return self.is_asking or self.is_out_of_step

    @property
    def deadline(self) -> float | None:
        """When the referee wants to be asked again if nothing happens before (seconds). None for never."""
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

        A call still to choose, or a piece still to put right, belonged to the old one and is dropped.
        """
        return replace(self, match=match, choices=(), to_put_right=None)

    def handle(self, event: Event) -> Response:
        """Take the next event. What fell due before it comes first."""
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
