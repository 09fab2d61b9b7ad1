"""What the display and the tower's readout say: plain words out of the referee's state."""

from __future__ import annotations

from uckers_table.announce.accusations import accusation
from uckers_table.announce.in_full import in_full
from uckers_table.announce.loudness import Loudness, is_told
from uckers_table.announce.oled import Headline, Screen
from uckers_table.announce.passes import BLOCKED_BY, why_nothing_moves
from uckers_table.announce.plays import who_was_ucked
from uckers_table.announce.sentences import say, which_is_meant
from uckers_table.announce.words import count, origin, throw_in_words
from uckers_table.game.board import Board
from uckers_table.game.challenge import sixes_wanted
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered
from uckers_table.game.ruling import Kind, Ruling, moves_between
from uckers_table.game.throws import FAULT_LIMIT, offered
from uckers_table.machine.messages import Message
from uckers_table.referee import rulings
from uckers_table.referee.referee import Referee
from uckers_table.referee.rulings import NoticeKind
from uckers_table.referee.taking_back import ActKind

READERS = frozenset({"camera", "tower"})
"""The devices without which players do something otherwise; of others it is enough to be told once."""
_WRONG_TITLES = {Kind.ILLEGAL: "ILLEGAL", Kind.TIMBER_SHIFT: "TIMBER SHIFT"}


def page(referee: Referee, loudness: Loudness = Loudness.CALLS) -> Screen:
    """The page for the state of play; an accusation or a question stays until something is done about it."""
    match = referee.match
    board = match.board
    if referee.open_point == rulings.Notice(NoticeKind.UPBOARD) and not referee.choices:
        return Message("UPBOARD?", "Nothing stands on the board. If it was tipped up, press done.")
    if referee.is_blind and not referee.choices:
        return Message("I CAN'T SEE", _notice(match, NoticeKind.CANNOT_SEE, referee.trouble))
    if match.awaiting is Awaiting.OVER:
        winners = [board.seats[seat] for seat in match.winner]
        return Headline(" + ".join(winners).upper(), "won", _honours(match))
    if referee.is_out_of_step:
        if referee.to_put_right is not None:
            return Message("OUT OF STEP", f"{say(referee.to_put_right, board)} Or press done.")
        return Message("OUT OF STEP", _notice(match, NoticeKind.OUT_OF_STEP, ""))
    if referee.choices:
        return Message(which_is_meant(referee.choices).upper(), _choices(referee.choices, board))
    point = referee.open_point
    if isinstance(point, Ruling):
        return Message(_WRONG_TITLES.get(point.kind, "WRONG"), accusation(point, board).shown)
    if point is not None:
        return Message("IS IT RIGHT?", f"{in_full(point, board)} Right as it stands: press done.")
    lost = referee.lost & READERS
    if lost and is_told(NoticeKind.DEVICE_LOST, loudness):
        device = min(lost)
        return Message(f"{device.upper()} LOST", in_full(referee.loss_of(device), board))
    return _whose(match, loudness, _who_was_ucked(referee))


def _who_was_ucked(referee: Referee) -> str:
    """Whom the play sent back that was the last thing done: "red ucked"."""
    last, now = next(reversed(referee.history), None), referee.match
    if last is None or last.kind is not ActKind.PLAY or now.awaiting is not Awaiting.THROW:
        return ""
    before = last.before
    moves = moves_between(before.position, now.position)
    played = Ruling(Kind.LEGAL, before.to_play, now.position, throw=before.thrown, moves=moves)
    return who_was_ucked(played, now.board)


def _whose(match: Match, loudness: Loudness, ucked: str) -> Headline:
    colour = match.board.seats[match.to_play].upper()
    if match.awaiting is Awaiting.THROW_OFF:
        return Headline(colour, "to throw", "for start")
    if match.turn.attempt is not None:
        attempt = match.turn.attempt
        how = "both dice" if attempt.double else "one die" if match.rules.suckback_dice == "one" else ""
        return Headline(colour, f"{attempt.kind} {attempt.number}", how)
    if match.challenge is not None:
        wanted = sixes_wanted(match.setting, match.position, match.challenge)
        have = match.challenge.sixes
        is_needle = wanted == 1 and match.rules.needle_touch_wood == "announce"
        is_needle = is_needle and is_told(Kind.CHALLENGE_THROW, loudness)
        some = f"{count(wanted)} six{'es' if wanted > 1 else ''} wanted"
        return Headline(colour, f"{have} of {have + wanted}", "One six: touch wood" if is_needle else some)
    if match.awaiting is Awaiting.PLAY:
        is_bound = match.must_challenge and is_told(NoticeKind.MUST_CHALLENGE, loudness)
        return Headline(colour, throw_in_words(match.thrown), "must challenge" if is_bound else owed(match))
    note = _last_warning(match) or _why_passed(match) or owed(match) or ucked
    return Headline(colour, "to throw", note)


def owed(match: Match) -> str:
    """What the side to play may throw besides the throw in hand, in a few words; empty for nothing."""
    return f"{match.extra} more throw{'s' if match.extra > 1 else ''}" if match.extra else ""


def _why_passed(match: Match) -> str:
    """Why the last throw moved nothing, and whose it was: "red: green's blob". Empty if something moved."""
    passed = match.passed
    if passed is None:
        return ""
    ruling = next((each for each in offered(passed).rulings if each.kind is Kind.PASS), None)
    if ruling is None:
        return ""
    # There is room for one reason.
    why = why_nothing_moves(ruling, match.board) or why_nothing_moves(ruling, match.board, places=True)
    why = why.partition(", ")[0]
    why = why.removeprefix(BLOCKED_BY) if why.endswith("blob") else why
    return f"{match.board.seats[passed.to_play]}: {why}" if why else ""


def _last_warning(match: Match) -> str:
    """What one more dice fault would cost the side to play, when it would."""
    if match.faults[match.to_play] < FAULT_LIMIT - 1:
        return ""
    costs = "all to base" if match.rules.dice_fault_penalty == "all_to_base" else "go lost"
    return f"next fault: {costs}"


def _choices(calls: tuple[Call, ...], board: Board) -> str:
    """The calls with the numbers of their buttons: "3 suckback, 2 blowback"."""
    by_number = numbered(calls)
    by_place = any(call.target != number for number, call in by_number.items())
    return ", ".join(
        f"{number} {call_words(call, board, by_place=by_place)}" for number, call in sorted(by_number.items())
    )


def call_words(call: Call, board: Board, *, by_place: bool = True) -> str:
    """A call in a few words; `by_place` with its piece, where the number alone tells too little."""
    if call.kind == "colours" and call.seat is not None:
        return f"{board.seats[call.seat]} starts"
    if call.kind == "upboard" and call.seat is not None:
        return board.seats[call.seat]
    words = call.kind.replace("_", " ")
    if by_place and call.target is not None:
        words += f" {call.target}"
    if call.double:
        words += " double"
    if by_place and call.seat is not None and call.steps is not None:
        words += f" from {origin(board, call.seat, call.steps).removeprefix('the ')}"
    return words


def _honours(match: Match) -> str:
    return ", ".join(honour.replace("_", " ") for honour in match.honours)


def _notice(match: Match, kind: NoticeKind, about: str) -> str:
    return in_full(rulings.Notice(kind, about), match.board)


def readout(referee: Referee) -> str:
    """The tower's eight characters: the throw in hand, or the sixes or number that are wanted."""
    match = referee.match
    if match.turn.attempt is not None:
        return f"{match.turn.attempt.kind[:4].upper()} {match.turn.attempt.number}"
    if match.challenge is not None:
        return f"SIX {sixes_wanted(match.setting, match.position, match.challenge)}"
    return " ".join(map(str, match.thrown)) if match.awaiting is Awaiting.PLAY else ""
