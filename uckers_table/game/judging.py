"""What a board does to a match: a play made, a board that does not follow, put right or left to stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from uckers_table.game.board import BASE
from uckers_table.game.events import Awaiting
from uckers_table.game.explain import explain
from uckers_table.game.finish import honour_of_loss, honour_of_win, on_reverse, winners
from uckers_table.game.match import Match, Step
from uckers_table.game.moved import differences, moved_seats
from uckers_table.game.outlook import Outlook
from uckers_table.game.plays import Play
from uckers_table.game.position import Position
from uckers_table.game.ruling import Cause, Hold, Kind, Move, Reason, Ruling
from uckers_table.game.setting import Setting
from uckers_table.game.suckback import leavers
from uckers_table.game.throws import offered, spent
from uckers_table.game.turn import Piece


def see(match: Match, position: Position) -> Step:
    """The board as it now stands; no ruling when it stands as on record and nothing is owed to say."""
    if match.awaiting is Awaiting.OVER:
        return Step(match)
    if position == match.position:
        return _seen_as_on_record(match)
    if match.awaiting is Awaiting.PLAY and position in match.plays:
        return played(match, position, Kind.LEGAL)
    if position == match.wrong_board or _is_catching_up(match, position):
        return Step(match)
    return _seen_wrong(match, position)


def stood(match: Match, board: Position) -> Step:
    """A board that does not follow was left until the next throw, or is to be trusted: it stands.

    An illegal one counts as the play (SUB b9, WIKI oth2; ruling A75).
    """
    if match.wrong_kind is Kind.ILLEGAL:
        return played(match, board, Kind.STOOD)
    shifted = _moved_by_hand(match, board)
    ruling = shifted.ruling(Kind.STOOD, moves=shifted.moves_since(match))
    if winners(match.setting, board):
        return _won(_over(shifted), ruling)
    if match.awaiting is Awaiting.PLAY:
        # The throw in hand is still to be played, on the board as it now is.
        step = offered(shifted)
        return Step(step.match, (ruling, *step.rulings))
    return Step(shifted, (ruling,))


def placed(match: Match, position: Position) -> Step:
    """The board as people say that it stands, to be trusted.

    A legal board is the play, and one that was called wrong stands. Any other corrects the record: nothing
    is ruled, unless somebody has won by it, and a throw in hand is offered anew from there.
    """
    if position in (match.position, *match.plays) or match.awaiting is Awaiting.OVER:
        return see(match, position)
    if position == match.wrong_board:
        return stood(match, position)
    return corrected(match, position)


def corrected(match: Match, position: Position) -> Step:
    """The record put right: the pieces have stood so before the throw in hand, which is offered anew.

    Those that have all theirs home by it have won.
    """
    moved = _moved_by_hand(match, position)
    if winners(match.setting, position):
        return _won(_over(moved), moved.ruling(Kind.WON, moves=moved.moves_since(match)))
    return offered(moved) if match.awaiting is Awaiting.PLAY else Step(moved)


def _moved_by_hand(match: Match, position: Position) -> Match:
    """The state after pieces moved without a play: one that had bounced and stands elsewhere goes forward,
    and nobody has seen in which order those came that stand together now.
    """
    moved = match.seen_at(position).knowing_order_of(match)
    backing = tuple(piece for piece in moved.turn.backing if piece[1] in position[piece[0]])
    return moved.with_turn(moved.turn._replace(backing=backing))


def _seen_as_on_record(match: Match) -> Step:
    """The board stands as on record: put right, caught up with a ruling, or nothing new."""
    if match.wrong_board is not None:
        return Step(_right(match), (match.ruling(Kind.PUT_RIGHT),))
    if match.behind is not None:
        return Step(_right(match), (match.ruling(Kind.LEGAL),))
    if match.plays == (match.position,):
        # Bouncing can bring a piece back to where it stood; then there is nothing to wait for.
        return played(match, match.position, Kind.LEGAL)
    return Step(match)


def _right(match: Match) -> Match:
    """The state with nothing wrong and nothing to catch up with."""
    return replace(match, wrong_board=None, wrong_kind=None, behind=None)


def played(match: Match, position: Position, kind: Kind) -> Step:
    """A play was made, or a board stands as if it had been: the turn goes on from there."""
    done = made(match, position)
    ruling = Ruling(
        kind,
        match.to_play,
        position,
        throw=match.thrown,
        moves=differences(match.position, position, match.thrown, match.setting.ways.out),
        owed=done.match.extra,
        honours=honour_of_loss(match.setting, match.position, position),
    )
    if done.match.winner:
        return _won(done.match, ruling)
    return Step(done.match, (ruling, *done.rulings))


def made(match: Match, position: Position, play: Play | None = None) -> Step:
    """What follows when a play has led to a board, or one stands as if it had; the play itself is not ruled.

    `play` is the play where it is known.
    """
    setting, before, turn = match.setting, match.position, match.turn
    if earned := _earned(match, position):
        match = replace(match, extra=match.extra + earned)
    if turn.unplayed or match.extra:
        backing = _backing(match, position, play) if setting.rules.home_exact == "bounce" else ()
        if not turn.moved or backing != turn.backing:
            match = match.with_turn(turn._replace(moved=True, backing=backing))
    honours = honour_of_loss(setting, before, position)
    if honours:
        match = match.with_honours(honours)
    after = match.seen_at(position, _left(match, position, play) if match.visits else None)
    if setting.all_home in position:
        # A board that stands may be won by those whose turn it is not.
        if winners(setting, position):
            return Step(_over(after))
        if _has_finished_colour(setting, match.to_play, before, position):
            return spent(after) if setting.combined else Step(_after_finish(after))
    return spent(after) if turn.unplayed else Step(after.throw_done())


def _earned(match: Match, position: Position) -> int:
    """The throws that a play earns by whom it knocked off, and what it brought home."""
    rules, setting, before = match.rules, match.setting, match.position

    def has_more(seats: Iterable[int], steps: int) -> bool:
        return any(position[seat].count(steps) > before[seat].count(steps) for seat in seats)

    enemies = {enemy for mover in match.movers for enemy in setting.captured[mover]}
    captured = rules.capture_extra_throw and has_more(enemies, BASE)
    return captured + (rules.home_extra_throw and has_more(match.movers, setting.board.home))


def finished_standing(step: Step) -> Step:
    """A throw made standing up: the match is won if a play of it wins, and no board need show that play."""
    match = step.match
    if match.turn.unplayed:
        # Laid by until all throws of the turn are made: a throw that wins is the last of them.
        match = offered(match.with_turn(match.turn._replace(unplayed=()))).match
    winning = [board for board in match.plays if winners(match.setting, board)]
    if not winning:
        return step
    # The plainest of them: nobody was there to knock anything off on the way.
    home = min(winning, key=lambda board: len(moved_seats(match.position, board)))
    won = played(match, home, Kind.LEGAL)
    return Step(replace(won.match, behind=match.position), step.rulings + won.rulings)


def _backing(match: Match, position: Position, play: Play | None) -> tuple[Piece, ...]:
    """The pieces that go backwards for the rest of the turn (VAR D)."""
    if play is None:
        play = match.offer.boards.get(position, ()) if match.offer else ()
    still = Counter(match.turn.backing) - Counter(
        (move.seat, move.start) for move in play if move.was_backing
    )
    bounced = [(move.seat, move.end) for move in play if move.backing]
    return tuple(piece for piece in (*still.elements(), *bounced) if piece[1] in position[piece[0]])


def _left(match: Match, position: Position, play: Play | None) -> Counter[Piece] | None:
    """The pieces that left their squares, as far as the play is known."""
    if play is None:
        play = match.offer.boards.get(position) if match.offer else None
    return None if play is None else leavers(match.situation, play, match.thrown)


def _over(match: Match) -> Match:
    """The match won by the team that has all its pieces home."""
    winner = winners(match.setting, match.position)
    return replace(
        match,
        awaiting=Awaiting.OVER,
        offer=None,
        extra=0,
        winner=winner,
        honours=(*match.honours, *honour_of_win(match.setting, match.position, winner)),
    )


def _won(over: Match, ruling: Ruling) -> Step:
    """The ruling that ends the match; a board that stood is ruled first."""
    honours = honour_of_win(over.setting, over.position, over.winner)
    won = replace(
        ruling,
        kind=Kind.WON,
        winner=over.winner,
        honours=(*ruling.honours, *honours),
        on_reverse=on_reverse(over.setting, over.winner, honours),
    )
    return Step(over, (ruling, won) if ruling.kind is Kind.STOOD else (won,))


def _has_finished_colour(setting: Setting, side: int, before: Position, after: Position) -> bool:
    """Whether the last piece of a colour of the thrower's team has just come home (BR r11; ruling A30)."""
    home = setting.all_home
    return any(after[seat] == home != before[seat] for seat in setting.teams[side])


def _after_finish(match: Match) -> Match:
    """A finished colour's turn is over: what was owed lapses, or one throw is a try for the gate six."""
    if match.rules.finish_extra_throw == "gate" and match.extra and not match.movers:
        return replace(match, extra=1).throw_done()
    return match.turn_done()


def _is_catching_up(match: Match, position: Position) -> bool:
    """Whether every piece stands where it stood before a ruling moved it, or where it put it."""
    if match.behind is None:
        return False
    return all(
        Counter(old) & Counter(new) <= Counter(seen) <= Counter(old) | Counter(new)
        for old, new, seen in zip(match.behind, match.position, position, strict=True)
    )


def _caught_up(match: Match, seen: Position) -> Position:
    """The board with all where a ruling put them that have not yet been moved there: those have not moved."""
    if match.behind is None:
        return seen
    board = [[*four] for four in seen]
    for move in differences(match.behind, match.position):
        here, on_record = board[move.seat], match.position[move.seat]
        is_still_there = here.count(move.start) > on_record.count(move.start)
        if is_still_there and here.count(move.end) < on_record.count(move.end):
            here[here.index(move.start)] = move.end
    return tuple(tuple(sorted(four)) for four in board)


def _seen_wrong(match: Match, position: Position) -> Step:
    """A board that does not follow: illegal, or a timber shift (RULES 2.10)."""
    board = _caught_up(match, position)
    seats = set(moved_seats(match.position, board))
    if match.awaiting is Awaiting.PLAY and seats & set(match.setting.teams[match.to_play]):
        ruling = _illegal(match, board)
    else:
        ruling = _timber_shift(match, board)
    return Step(replace(match, wrong_board=position, wrong_kind=ruling.kind), (ruling,))


def _illegal(match: Match, position: Position) -> Ruling:
    why = explain(match, position)
    return match.ruling(
        Kind.ILLEGAL,
        reason=why.reason,
        throw=match.thrown,
        moves=why.moves,
        owed=match.extra,
        cause=why.cause,
    )


def _timber_shift(match: Match, position: Position) -> Ruling:
    """Pieces were moved when no play was due, or only the other team's."""
    setting = match.setting
    moves = differences(match.position, position, out=setting.ways.out)
    moves = Outlook(setting, match.to_play).moves_in_order(moves)
    # Pieces that only went to base were sent there: whoever else moved did it.
    shifted = [move.seat for move in moves if move.end != BASE] or [move.seat for move in moves]
    if match.passed is not None and set(shifted) <= set(setting.teams[match.passed.to_play]):
        # The side whose throw has just been passed: what forbids the move is told as of an illegal play.
        seat = next((s for s in shifted if s in match.passed.movers), None)
        if seat is not None:
            ruling = _illegal(match.passed, position)
            return replace(ruling, kind=Kind.TIMBER_SHIFT, seat=seat, owed=match.extra)
        if not match.passed.movers:
            return _helped_too_early(match, match.passed, moves, shifted[0])
    owned = setting.owned[match.to_play]
    seat = next((s for s in shifted if s not in owned), shifted[0])
    is_due = match.awaiting is not Awaiting.THROW_OFF and seat in owned
    reason = None if is_due else Reason.NOT_YOUR_TURN
    ruling = match.ruling(Kind.TIMBER_SHIFT, reason=reason, throw=match.thrown, moves=moves, owed=match.extra)
    return replace(ruling, seat=seat)


def _helped_too_early(match: Match, passed: Match, moves: tuple[Move, ...], owner: int) -> Ruling:
    """Who is home threw for the six that lets him help, and his partner's pieces were moved by that throw."""
    home = (passed.to_play, match.board.home)
    ruling = match.ruling(
        Kind.TIMBER_SHIFT,
        reason=Reason.CANNOT_MOVE_NOW,
        throw=passed.thrown,
        moves=moves,
        owed=match.extra,
        cause=Cause((home,), hold=Hold.GATE),
    )
    return replace(ruling, seat=owner)
