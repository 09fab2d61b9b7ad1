"""What the referee says of matches played at random: well, badly and with every call that there is."""

import random
from collections import defaultdict
from itertools import product

import pytest

from uckers_table.announce.loudness import Aside, Loudness, spoken
from uckers_table.announce.sentences import say, throw_sentence
from uckers_table.announce.tower_sentences import TOWER_ALOUD
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin
from uckers_table.game.open_calls import open_calls
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind
from uckers_table.game.setting import load_setting
from uckers_table.referee.events import ThrowMade
from uckers_table.referee.rulings import Misplaced, Notice, NoticeKind
from uckers_table.referee.taking_back import ActKind, Matter

MATCHES, EVENTS, NOTICES = 6, 300, 30
"""So many matches of each setting, things that happen in a match at most, and notices of each kind."""
CALLS = ("challenge", "suckback", "blowback", "snake_eyes", "stand_up_finish", "decline")
DEVICES = ("tower", "camera", "buttons", "display")


@pytest.fixture(scope="session", name="said_at_random")
def _said_at_random():
    return said_at_random()


def said_at_random():
    """Kind of ruling or notice to the different sentences said of it at a chatty table, always the same."""
    dice, said = random.Random(44), defaultdict(set)
    every = [load_setting(name, players=players) for name in known_rules() for players in (None, 2)]
    settings = [each for each in every if each.board == Board()]
    for setting, number in product(settings, range(MATCHES)):
        # Of its own: another rule set changes no match of these.
        chance = random.Random(f"44 {setting.rules.name} {setting.players} {number}")
        match = begin_late(setting, chance) if number % 3 else begin(setting)
        for ruling in rulings_of_a_match(match, chance):
            said[ruling.kind].add(spoken(ruling, Board(), Loudness.CHATTY))
    for kind in NoticeKind:
        said[kind] |= {say(random_notice(kind, dice), Board()) for _ in range(NOTICES)}
    said[Aside.THROW] = {
        throw_sentence(Board(), seat, each) for seat in range(4) for each in some_throws(dice)
    }
    said["tower"] = set(TOWER_ALOUD.values())
    return {kind: tuple(sorted(words - {""})) for kind, words in said.items() if words - {""}}


def some_throws(dice):
    return [(dice.randint(1, 6), dice.randint(1, 6)) for _ in range(8)]


def begin_late(setting, dice):
    """A match with many pieces home or near it, and blobs in the way of others."""
    board = setting.board
    likely = [0, 1, *range(6, 17), board.mouth, *board.chute, *[board.home] * 12]
    while True:
        position = tuple(tuple(sorted(dice.choices(likely, k=4))) for _ in board.seats)
        if not any(setting.is_home(position, seat) for seat in range(board.arms)):
            return begin(
                setting, to_play=board.seats[dice.choice(setting.sides)], position=position, turns_taken=1
            )


def rulings_of_a_match(match, dice):
    for _ in range(EVENTS):
        if match.awaiting is Awaiting.OVER:
            return
        step = something_happens(match, dice)
        yield from step.rulings
        match = step.match


def something_happens(match, dice):
    """A throw, a play, a wrong board, a call, or a fault of the dice."""
    chance = dice.random()
    if match.wrong_board is not None and chance < 0.7:
        return playing.see(match, match.position)
    if chance < 0.04:
        return playing.fault(match, Kind(dice.choice(["cocked", "dropped"])))
    if chance < 0.0405:
        return playing.call(match, Call("upboard"))
    if chance < 0.07:
        return playing.call(match, Call(dice.choice(CALLS), target=dice.choice([None, 1, 2, 3])))
    if match.awaiting is Awaiting.PLAY and match.wrong_board is None and match.plays and chance < 0.75:
        return playing.see(
            match, wrongly_played(match, dice) if chance < 0.2 else dice.choice(list(match.plays))
        )
    calls = open_calls(match) if match.wrong_board is None else ()
    if calls and dice.random() < 0.8:
        return playing.call(match, dice.choice(calls))
    is_one = match.turn.attempt is not None and match.rules.suckback_dice == "one"
    number = 1 if is_one else match.rules.dice_per_throw
    return playing.throw(match, tuple(dice.choice([1, 1, 2, 3, 4, 5, 6, 6, 6]) for _ in range(number)))


def wrongly_played(match, dice):
    """A board on which one or two pieces have been moved by some count."""
    shown = [list(four) for four in match.position]
    for _ in range(dice.choice([1, 1, 2])):
        four = shown[dice.choice([*match.movers * 3, *range(match.board.arms)])]
        piece = dice.randrange(4)
        moved = four[piece] + dice.choice([*match.thrown, sum(match.thrown), -3])
        four[piece] = min(max(moved, 0), match.board.home)
    return tuple(tuple(sorted(four)) for four in shown)


def random_matter(throws, dice):
    """Anything that can be taken back."""
    stays = [(dice.randrange(4), ThrowMade(1.0, each)) for each in throws]
    return Matter(
        dice.randint(1, 99),
        dice.choice([ActKind(each) for each in ("throw", "fault", "call", "play", "accusation", "trust")]),
        1.0,
        dice.randrange(4),
        throws[0],
        Call(dice.choice(CALLS), target=dice.choice([None, 3])),
        dice.choice(["cocked", "dropped"]),
        dice.choice([Kind.ILLEGAL, Kind.TIMBER_SHIFT]),
        tuple(stays[: dice.randrange(3)]),
        ends_match=dice.random() < 0.2,
    )


def random_notice(kind, dice):
    about, numbers, readings, piece = dice.choice(["red", "green", "yellow", "blue"]), (), (), None
    owed = 0
    throws = [(dice.randint(1, 6), dice.randint(1, 6)) for _ in range(2)]
    match kind:
        case NoticeKind.CHECK:
            about = dice.choice(["dice", "", f"{about} {dice.randint(0, 57)}", str(dice.randrange(52))])
        case NoticeKind.CANNOT_SEE:
            about = dice.choice(["too_dark", "colours_indistinct", "board_not_found", "occluded"])
        case NoticeKind.DEVICE_LOST | NoticeKind.DEVICE_BACK:
            about = dice.choice(DEVICES)
        case NoticeKind.TAKEN_BACK | NoticeKind.PUT_BACK:
            return Notice(kind, about, dice.choice([(), throws[0]]), matter=random_matter(throws, dice))
        case NoticeKind.RESUMED:
            numbers = dice.choice([(), throws[0]])
            owed = dice.randrange(3)
        case NoticeKind.OUT_OF_STEP:
            numbers = dice.choice([(), (dice.randint(1, 4),)])
        case NoticeKind.DICE_REREAD:
            numbers = throws[0]
        case NoticeKind.WRONG_DICE:
            numbers = dice.choice([(1, 2), (3, 2), (4, 2), (2, 1)])
        case NoticeKind.DICE_DIFFER:
            readings = (("tower", throws[0]), ("camera", dice.choice([throws[1], Kind.COCKED])))
        case NoticeKind.PUT_THIS_RIGHT:
            places = [None, *range(58)]
            piece = Misplaced(dice.randrange(4), dice.choice(places), dice.randrange(58))
            numbers = (dice.randrange(4),)
    return Notice(kind, about, numbers, readings, piece, owed)
