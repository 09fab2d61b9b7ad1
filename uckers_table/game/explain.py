"""Why a board does not follow from the throw: the first reason that alone explains it (RULES 2.10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from uckers_table.game.board import BASE
from uckers_table.game.plays import Licence, Lister, Play
from uckers_table.game.position import Position
from uckers_table.game.ruling import Move, Reason
from uckers_table.game.situation import Situation


def moved_seats(position: Position, seen: Position) -> tuple[int, ...]:
    """The seats whose pieces stand otherwise."""
    return tuple(seat for seat, pieces in enumerate(position) if pieces != seen[seat])


def differences(position: Position, seen: Position, dice: Sequence[int] = ()) -> tuple[Move, ...]:
    """What was moved, as far as it can be told: of several ways the one that best fits the dice."""
    return tuple(
        Move(seat, start, end)
        for seat in moved_seats(position, seen)
        for start, end in _paired(position[seat], seen[seat], dice)
    )


def _paired(before: Sequence[int], after: Sequence[int], dice: Sequence[int]) -> list[tuple[int, int]]:
    """Which start went to which end."""
    starts, ends = [], list(after)
    for steps in before:
        if steps in ends:
            ends.remove(steps)
        else:
            starts.append(steps)
    if len(starts) == 1:
        return [(starts[0], ends[0])]

    def unlikeliness(order: Sequence[int]) -> tuple[int, int]:
        backwards = strange = 0
        thrown = [*dice, sum(dice)]
        for start, end in zip(starts, order, strict=True):
            backwards += BASE < end < start
            if end - start in thrown:
                thrown.remove(end - start)
            else:
                strange += 1
        return backwards, strange

    best = min(permutations(ends), key=unlikeliness)
    return list(zip(starts, best, strict=True))


def explain(situation: Situation, dice: Sequence[int], seen: Position) -> Reason:
    """The reason why `seen` does not follow from the situation and the dice."""
    return _Case(situation, dice, seen).reason()


class _Case:
    """One board that does not follow, and the questions asked of it."""

    def __init__(self, situation: Situation, dice: Sequence[int], seen: Position) -> None:
        self.situation = situation
        self.setting = situation.setting
        self.position = situation.position
        self.side = situation.side
        self.movers = situation.movers
        self.dice = dice
        self.seen = seen
        self.plain = Lister(situation)
        self.legal = self.plain.plays(dice)

    def reason(self) -> Reason:
        """The questions of RULES 2.10 in their order, then the same with one die left unplayed."""
        higher, lower = max(self.dice), min(self.dice)
        both = len(self.dice) == 2 and bool(self.plain.two_dice_plays(self.dice))
        one_die = [*self.plain.one_die_plays(higher), *self.plain.one_die_plays(lower)]
        if both and self.is_among(one_die):
            return Reason.BOTH_DICE_OWED
        if not both and self.plain.one_die_plays(higher) and self.is_among(self.plain.one_die_plays(lower)):
            return Reason.HIGHER_DIE_FIRST
        if self.is_among(self.legal):
            # It would follow, but a challenge is forced, or a piece must move on after its suckbacks.
            return Reason.CANNOT_MOVE_NOW
        for reason, licence in (
            (Reason.NO_SIX_TO_COME_OUT, Licence(any_die_exits=True)),
            (Reason.THROUGH_BLOB, Licence(pass_barriers=True)),
            (Reason.ONTO_BLOB, Licence(land_on_barriers=True)),
            (Reason.PAST_HOME, Licence(past_home=True)),
        ):
            if self.follows_with(licence):
                return reason
        if any(self.left_standing(play) for play in self.legal):
            return Reason.NOT_SENT_BACK
        if self.follows_with(Licence(splits=True)):
            return Reason.SINGLE_PIECE_SPLITS
        if any(self.sent_too_many(play) for play in self.legal):
            return Reason.SENT_BACK_UNEARNED
        if self.is_only_partners() or self.follows_with_partners_pieces():
            return Reason.NOT_YOUR_PIECE
        if self.follows_with(Licence(unheld=True)):
            return Reason.CANNOT_MOVE_NOW
        return self.reason_with_a_die_left()

    def reason_with_a_die_left(self) -> Reason:
        """What explains a board on which one die was used against the rules and the other not at all."""
        for reason, licence in (
            (Reason.NO_SIX_TO_COME_OUT, Licence(any_die_exits=True)),
            (Reason.THROUGH_BLOB, Licence(pass_barriers=True)),
            (Reason.ONTO_BLOB, Licence(land_on_barriers=True)),
            (Reason.PAST_HOME, Licence(past_home=True)),
        ):
            lister = Lister(self.situation, licence)
            if self.is_among((play for die in self.dice for play in lister.one_die_plays(die)), lister):
                return reason
        return Reason.WRONG_COUNT if self.is_wrong_count() else Reason.UNREACHABLE

    def is_among(self, plays: Iterable[Play], lister: Lister | None = None) -> bool:
        """Whether a play leads to the board, barriers landed on being sent back or left standing."""
        lister = lister or self.plain
        barriers = lister.field.barriers
        return any(
            self.seen == lister.after(play)
            or (any(move.landings & barriers for move in play) and self.seen == lister.after(play, barriers))
            for play in plays
        )

    def follows_with(self, licence: Licence) -> bool:
        """Whether the board would follow if the licence held."""
        lister = Lister(self.situation, licence)
        return self.is_among(lister.plays(self.dice), lister)

    def follows_with_partners_pieces(self) -> bool:
        """Whether the board would follow if the throw could be used on the partner's pieces too."""
        lister = Lister(self.situation._replace(movers=self.setting.teams[self.side]))
        return self.is_among(lister.plays(self.dice), lister)

    def is_only_partners(self) -> bool:
        """Whether nothing but the partner's pieces was moved."""
        partners = set(self.setting.teams[self.side]) - {self.side, *self.movers}
        return set(moved_seats(self.position, self.seen)) <= partners

    def left_standing(self, play: Play) -> bool:
        """Whether the board is the play's, but for some that it knocked off."""
        after = self.plain.after(play)
        return self.agree_on_own_team(after) and all(
            _sent(self.position[seat], self.seen[seat]) is not None
            and _sent(self.seen[seat], after[seat]) is not None
            for seat in self.setting.enemies[self.side]
        )

    def sent_too_many(self, play: Play) -> bool:
        """Whether the board is the play's, but for enemies in base that it did not land on."""
        after = self.plain.after(play)
        return self.agree_on_own_team(after) and all(
            _sent(after[seat], self.seen[seat]) is not None for seat in self.setting.enemies[self.side]
        )

    def agree_on_own_team(self, after: Position) -> bool:
        """Whether the thrower's team stands as after the play."""
        return all(after[seat] == self.seen[seat] for seat in self.setting.teams[self.side])

    def is_wrong_count(self) -> bool:
        """Whether the thrower's pieces went forward by other numbers, knocking off those they landed on."""
        moves = differences(self.position, self.seen, self.dice)
        own = [move for move in moves if move.seat in self.movers]
        if not own or any(move.end <= move.start for move in own):
            return False
        distances = Counter(move.end - move.start for move in own)
        if distances <= Counter(self.dice) or distances == Counter([sum(self.dice)]):
            return False
        bit = self.plain.ways.bit
        landings = 0
        for move in own:
            landings |= bit[move.seat][move.end]
        sent = [move for move in moves if move.seat not in self.movers]
        return all(move.end == BASE and bit[move.seat][move.start] & landings for move in sent)


def _sent(before: Sequence[int], after: Sequence[int]) -> Counter[int] | None:
    """The pieces that went to base and are the only difference; None when something else differs."""
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return gone if set(come) <= {BASE} else None
