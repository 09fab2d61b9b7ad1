"""Taking back: what "take back" would take back, the record without it, and the record with it again. Pure.

The history is a list of acts, oldest first. `at_stake` finds the act that "take back" means. Display, page
and question all say that `Matter`. `taken_back` is the referee as if the matter had not been. `given_back`
has it on record again.

A throw that was read, by tower or camera, is a fact. It stays when something else is taken back, unless it
was thrown for the call that is taken back. It goes only if it is named itself (`throw_at_stake`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.throws import Purpose
from uckers_table.referee.events import CallMade, DiceFault, DiceOrCall, ThrowMade

UNDO_DEPTH = 32
"""How many acts are kept that can be taken back, one after the other."""
MOST_STAY = 8
"""An act after which more throws than this were made is not taken back."""

ACCUSATIONS = frozenset({Kind.ILLEGAL, Kind.TIMBER_SHIFT})
_CALLED_FOR = frozenset({Purpose.CHALLENGE, Purpose.SUCKBACK, Purpose.BLOWBACK})
"""The purposes of throws that follow from a call."""


class ActKind(StrEnum):
    """What an act was. Those of `_PASSED_OVER` are part of the act before them."""

    THROW = "throw"
    FAULT = "fault"
    """Dice cocked or dropped, with the penalty if there was one."""
    CALL = "call"
    PLAY = "play"
    """A play was recognised, or told."""
    ACCUSATION = "accusation"
    TRUST = "trust"
    """The board, or a person's correction, was taken as it stands."""
    SETTLED = "settled"
    """A wrong board was put right, or stood: the end of an accusation."""
    REVISED = "revised"
    """The record was mended without a word."""
    RESUMED = "resumed"
    """Nobody watched for a while. What came before it is hardly what people mean."""
    NOTED = "noted"
    """A timber shift that nobody was told of: only players call shifts here, and none has."""
    WITHDRAWN = "withdrawn"
    """An accusation that was taken back after its board had been settled. Nothing before it is taken back."""


_SETTLING = frozenset({ActKind.SETTLED, ActKind.REVISED})
_PASSED_OVER = _SETTLING | {ActKind.RESUMED, ActKind.NOTED}


@dataclass(frozen=True)
class Act:
    """Something that went on record, and the match `before` it.

    `t` is when it was taken (seconds). `number` counts the acts of a match from 1. The number of an act that
    was taken back is not used again. `seat`: whose it was. `told`: the dice or the call, as told.
    `accused`: what an accusation was. `purpose`: what dice were for.
    """

    kind: ActKind
    before: Match
    t: float = 0.0
    number: int = 0
    seat: int | None = None
    told: DiceOrCall | None = None
    accused: Kind | None = None
    purpose: Purpose | None = None

    @property
    def is_kept(self) -> bool:
        """Whether it is a throw that stays when something else is taken back.

        Dice that a person entered go. Those that had waited for a ruling on the board stay: that ruling was
        the last thing said.
        """
        told = self.told
        is_read = isinstance(told, ThrowMade) and (told.source != "buttons" or told.t < self.t)
        return self.kind is ActKind.THROW and is_read


_AnyAct = TypeVar("_AnyAct", bound=Act)


@dataclass(frozen=True)
class Matter:
    """What "take back" would take back, in facts. `announce.taking_back` words it.

    `number` is its act's. `since` is when it was taken (seconds). `stays` are the throws made after it that
    count on, each with its seat. `goes` are the throws that go with it. `was_settled`: it is an accusation
    whose board was put right, or stood, and the record stays as it is.
    """

    number: int
    kind: ActKind
    since: float
    seat: int | None = None
    dice: tuple[int, ...] = ()
    call: Call | None = None
    fault: str = ""
    accused: Kind | None = None
    stays: tuple[tuple[int | None, ThrowMade], ...] = ()
    goes: tuple[ThrowMade, ...] = ()
    was_settled: bool = False
    is_as_before: bool = False
    """The pieces stand on record as they did before it."""
    ends_match: bool = False
    """The match is over by it, or since."""
    asks_first: bool = False
    """One press of the button is not enough. No device read these dice, or the match is over, or it was
    before a time in which nobody watched."""

    @property
    def is_accusation(self) -> bool:
        """Whether taking it back withdraws an accusation, which then was the referee's own mistake."""
        return self.kind is ActKind.ACCUSATION


def told_kind(told: DiceOrCall) -> ActKind:
    """What an act is that somebody told."""
    match told:
        case ThrowMade():
            return ActKind.THROW
        case DiceFault():
            return ActKind.FAULT
        case CallMade():
            return ActKind.CALL


def seen_kind(rulings: Iterable[Ruling]) -> ActKind:
    """What an act is that was seen on the board, by what it was ruled to be."""
    kinds = {ruling.kind for ruling in rulings}
    if kinds & ACCUSATIONS:
        return ActKind.ACCUSATION
    return ActKind.PLAY if kinds & {Kind.LEGAL, Kind.WON} else ActKind.SETTLED


def shift_told(acts: Sequence[_AnyAct]) -> tuple[_AnyAct, ...]:
    """The acts once the timber shift that was noted last is an accusation."""
    noted = [act.number for act in acts if act.kind is ActKind.NOTED][-1:]
    return tuple(replace(act, kind=ActKind.ACCUSATION) if act.number in noted else act for act in acts)


class OfRecord(Protocol):
    """A referee, as far as what it has on record."""

    @property
    def match(self) -> Match:
        """The match on record."""

    @property
    def history(self) -> Sequence[Act]:
        """What went on record, oldest first."""


def at_stake(referee: OfRecord) -> Matter | None:
    """What "take back" takes back: the last act that is no throw that was read. None if there is none."""
    kept: list[Act] = []
    is_settled = is_resumed = False
    accused_at = (each.t for each in reversed(referee.history) if each.kind is ActKind.ACCUSATION)
    heard_at = next(accused_at, None)
    for act in reversed(referee.history):
        # A play recognised together with an accusation: people have heard the accusation.
        is_unheard = act.kind is ActKind.PLAY and act.t == heard_at
        is_resumed |= act.kind is ActKind.RESUMED
        is_settled |= is_unheard or act.kind in _SETTLING
        if is_unheard:
            continue
        if act.is_kept:
            kept.insert(0, act)
        elif act.kind is ActKind.WITHDRAWN or len(kept) > MOST_STAY:
            break
        elif act.kind not in _PASSED_OVER:
            is_settled |= bool(kept)
            return _matter(referee, act, kept, is_settled=is_settled, is_resumed=is_resumed)
    return None


def throw_at_stake(referee: OfRecord) -> Matter | None:
    """The last throw, if it was read and nothing has come of it: people say that it was misread."""
    last = referee.history[-1] if referee.history else None
    if last is None or not last.is_kept:
        return None
    return _matter(referee, last, [], is_settled=False, is_resumed=False)


def _matter(
    referee: OfRecord, act: Act, kept: Iterable[Act], *, is_settled: bool, is_resumed: bool
) -> Matter:
    throws = [(each, each.told) for each in kept if isinstance(each.told, ThrowMade)]
    told, before = act.told, act.before
    goes = [dice for each, dice in throws if act.kind is ActKind.CALL and each.purpose in _CALLED_FOR]
    stays = [(each.seat, dice) for each, dice in throws if dice not in goes]
    is_over = referee.match.awaiting is Awaiting.OVER
    was_settled = act.kind is ActKind.ACCUSATION and is_settled
    if isinstance(told, ThrowMade):
        goes = [told]
    elif was_settled:
        stays = []
    return Matter(
        number=act.number,
        kind=act.kind,
        since=act.t,
        seat=act.seat,
        dice=told.dice if isinstance(told, ThrowMade) else before.thrown if act.kind is ActKind.PLAY else (),
        call=told.call if isinstance(told, CallMade) else None,
        fault=told.kind if isinstance(told, DiceFault) else "",
        accused=act.accused,
        stays=tuple(stays),
        goes=tuple(goes),
        was_settled=was_settled,
        is_as_before=before.position == referee.match.position,
        ends_match=is_over,
        asks_first=is_over or is_resumed or (isinstance(told, ThrowMade) and told.source == "buttons"),
    )
