"""The verdict: what is to be said of a look, once its stories are weighed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, moves_between
from uckers_table.referee import prices
from uckers_table.referee.camera_watch import CameraWatch
from uckers_table.referee.looks import NOWHERE, PRICELESS, Mismatch
from uckers_table.referee.rulings import Notice
from uckers_table.referee.stories import Story


@dataclass(frozen=True)
class Balance:
    """The likeliest story that blames nobody, and the likeliest that blames somebody."""

    honest: Story | None
    guilty: Story | None

    @classmethod
    def of(cls, found: Sequence[Story]) -> Balance:
        """Of stories, likeliest first."""
        honest = next((each for each in found if not each.is_guilty), None)
        return cls(honest, next((each for each in found if each.is_guilty), None))

    @property
    def odds(self) -> float:
        """How much dearer the honest story is than the guilty one (nats)."""
        return _nats(self.honest) - _nats(self.guilty)

    @property
    def is_in_doubt(self) -> bool:
        """Whether people are to be asked about what somebody did, rather than accused of it."""
        return bool(self._deeds) and prices.ASK <= self.odds < prices.ACCUSE

    @property
    def is_of_now(self) -> bool:
        """Whether what somebody did was done since the last throw or ruling."""
        return self.guilty is not None and self.guilty.blames

    @property
    def _deeds(self) -> Sequence[Mismatch | Move]:
        """What somebody did wrong. If that was before the last throw: where the board tells of it, or where
        the pieces have gone since. Nothing where all stands as on record: whoever put it back has answered.
        """
        guilty, honest = self.guilty, self.honest
        if guilty is None:
            return ()
        if guilty.blame:
            is_back = honest is not None and honest.way.kind == "none" and honest.board == guilty.board
            return () if honest is not None and is_back and not honest.root.forked else guilty.blame
        was = guilty.root.board if guilty.is_left else honest.board if honest is not None else guilty.board
        accused = guilty.root.accused
        if guilty.board != was or accused is None:
            return moves_between(was, guilty.board)
        wrong = {(move.seat, move.start) for move in accused.moves}
        since = moves_between(accused.position, guilty.board)
        return [move for move in since if (move.seat, move.start) in wrong]

    def question(self) -> tuple[Notice, tuple[Position, Position]]:
        """What to ask, and the boards asked about: the honest one first. Only where somebody is guilty."""
        guilty, honest = self.guilty, self.honest
        assert guilty is not None
        board = guilty.root.match.board
        places = dict.fromkeys(
            board.place(each.seat, each.start if each.end == NOWHERE else each.end) for each in self._deeds
        )
        return Notice.check([*places]), (honest.board if honest is not None else guilty.board, guilty.board)

    @property
    def places(self) -> frozenset[str]:
        """The places on which it rests that somebody did wrong."""
        if self.guilty is None:
            return frozenset()
        board = self.guilty.root.match.board
        return frozenset(
            board.place(mismatch.seat, steps)
            for mismatch in self._deeds
            for steps in (mismatch.start, mismatch.end)
            if steps != NOWHERE
        )


@dataclass(frozen=True)
class Judgement:
    """What is to be done upon a look. `rules`: this story is ruled on. `asks`: people are asked.

    `lost`: people are told that the board is as nobody can have played it. `is_settled`: there is nothing to
    rule, and nothing more to say of it. `read_again`: the places that the reader is to read anew before
    anybody is accused or asked.
    """

    rules: Story | None = None
    asks: Balance | None = None
    lost: Story | None = None
    is_settled: bool = False
    read_again: frozenset[str] = frozenset()


NOT_YET = Judgement()
"""Wait, and look again."""


def is_firm(watch: CameraWatch, t: float) -> bool:
    """Whether the board has been read so for long enough that somebody may be accused of it."""
    look = watch.look
    if look is None or look.times < prices.FIRM_TIMES:
        return False
    stable = look.last.until - look.last.since + prices.A_MOMENT
    return stable >= prices.FIRM_S and _still(watch, t) >= prices.ACCUSE_S


def is_ripe(watch: CameraWatch, t: float) -> bool:
    """Whether the board is also read once more, or was waited for long enough."""
    return is_firm(watch, t) and not _may_be_read_anew(watch, t, prices.BEFORE_ACCUSING)


def is_asked_by_now(watch: CameraWatch, t: float) -> bool:
    """Whether the board has been still for so long that people are asked where it is in doubt."""
    return _still(watch, t) >= prices.ASK_S


def _may_be_read_anew(watch: CameraWatch, t: float, most: int) -> bool:
    """Whether what is read now rests on fewer readings than this, and another can be waited for."""
    is_open = watch.look is not None and watch.look.may_be_read_again(most)
    return is_open and _still(watch, t) < prices.ACCUSE_S + prices.ANEW_S


def _still(watch: CameraWatch, t: float) -> float:
    """How long nobody has moved anything (seconds)."""
    look = watch.look
    if look is None:
        return 0.0
    return t - (look.began if watch.touched else look.last.since) + prices.A_MOMENT


def judged_look(
    found: Sequence[Story], watch: CameraWatch, asked: Sequence[Position], t: float, *, at_once: bool = False
) -> Judgement:
    """What is to be done upon stories, likeliest first.

    `asked`: the boards that people have been asked about. Time alone makes no accusation of those. `at_once`:
    somebody wants to know now.
    """
    look = watch.look
    if look is None:
        return NOT_YET
    balance = Balance.of(found)
    honest, guilty, odds = balance.honest, balance.guilty, balance.odds
    is_half = guilty is not None and guilty.is_left and at_once
    if guilty is not None and odds >= (prices.AT_ONCE if is_half else prices.ACCUSE):
        if not (is_half or is_firm(watch, t)) or guilty.board in asked:
            return NOT_YET
        return _anew(balance, watch, t, prices.BEFORE_ACCUSING) or Judgement(rules=guilty)
    asks = Judgement(asks=balance) if is_asked_by_now(watch, t) else NOT_YET
    if balance.is_in_doubt and balance.is_of_now:
        is_open = _still(watch, t) >= prices.ANEW_FROM_S
        return (is_open and _anew(balance, watch, t, prices.BEFORE_ASKING)) or asks
    if honest is None:
        return NOT_YET
    since, times = look.alike(honest.board)
    stable = t - since + prices.A_MOMENT
    if times < 2 or stable < prices.LEGAL_S:
        return NOT_YET
    # A story that blames somebody for something earlier is no rival where it shows the same.
    rival = next((each for each in found if not each.is_like(honest)), None)
    leads = _nats(rival) - honest.nats >= prices.SURE
    if not (leads or stable >= prices.SETTLED_S or at_once):
        return NOT_YET
    if honest.is_new or honest.root.forked or honest.root.unsaid or honest.root.deeds:
        return Judgement(rules=honest)
    if honest.way.kind == "lost" and not at_once:
        return Judgement(lost=honest) if is_asked_by_now(watch, t) else NOT_YET
    return asks if balance.is_in_doubt else Judgement(is_settled=True)


def _anew(balance: Balance, watch: CameraWatch, t: float, most: int) -> Judgement | None:
    """Have the places read again, unless they have been so often, or no new reading comes for a while."""
    return Judgement(read_again=balance.places) if _may_be_read_anew(watch, t, most) else None


def _nats(story: Story | None) -> float:
    return PRICELESS if story is None else story.nats
