"""A play as people say it, held against the two boards by code that knows nothing of `announce`."""

import random
import re
from collections import Counter
from itertools import islice

import pytest

from tests.announce.conftest import begin_late
from uckers_table.announce.in_full import in_full
from uckers_table.announce.plays import play_in_words
from uckers_table.game import playing
from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board
from uckers_table.game.events import Awaiting
from uckers_table.game.match import begin
from uckers_table.game.position import position_from
from uckers_table.game.rules import known_rules
from uckers_table.game.ruling import Kind, Move, Ruling
from uckers_table.game.setting import load_setting

BOARD = Board()
COUNTS = ("no", "one", "two", "three", "four", "five", "six")
PLAYS = 160
SETTINGS = (
    *((name, {}, players) for name in known_rules() for players in (4, 2)),
    ("br4006", {"var_a": True, "var_c": True, "var_d": True, "var_f": True}, 4),
    ("br4006", {"var_b": True, "var_e": True, "var_g": True}, 4),
    ("br4006", {"arms": 6}, 6),
)


def played(rules, before, dice, after, to_play="red", players=4):
    """What is read of a legal play on the usual board."""
    setting = load_setting(rules, players=players)
    match = begin(setting, to_play=to_play, position=position_from(BOARD, before), turns_taken=1)
    match = playing.throw(match, dice).match
    (ruling, *_) = playing.see(match, position_from(BOARD, after, match.position)).rulings
    assert ruling.kind in (Kind.LEGAL, Kind.WON)
    return in_full(ruling, BOARD)


HOME = (57, 57, 57, 57)


@pytest.mark.parametrize(
    ("rules", "before", "dice", "after", "words"),
    [
        # Red's 7 is green's 46.
        (
            "br4006",
            {"red": (0, 2, 57, 57), "green": (46, 0, 0, 0)},
            (5, 6),
            {"red": (1, 7, 57, 57), "green": (0, 0, 0, 0)},
            "Red 6-5: one out, one to five short of green's mouth; green ucked.",
        ),
        (
            "br4006",
            {"red": (1, 3, 57, 57)},
            (5, 2),
            {"red": (5, 6, 57, 57)},
            "Red 5-2: one to four on, one to five on.",
        ),
        (
            "br4006",
            {"red": (10, 57, 57, 57)},
            (5, 2),
            {"red": (17, 57, 57, 57)},
            "Red 5-2: to three on from green's doorstep.",
        ),
        ("br4006", {"red": (0, 0, 9, 57)}, (6, 6), {"red": (1, 1, 9, 57)}, "Red 6-6: two out for a blob."),
        (
            "br4006",
            {"red": (0, 57, 57, 57)},
            (6, 3),
            {"red": (4, 57, 57, 57)},
            "Red 6-3: one out and three on.",
        ),
        (
            "br4006",
            {"red": (8, 11, 57, 57)},
            (1, 4),
            {"red": (12, 12, 57, 57)},
            "Red 4-1: a blob on green's mouth.",
        ),
        (
            "br4006",
            {"red": (8, 8, 57, 57)},
            (1, 4),
            {"red": (9, 12, 57, 57)},
            "Red 4-1: one to three short of green's mouth, one to green's mouth;"
            " blob broken at four short of green's mouth.",
        ),
        # Yellow's 38 is red's 12.
        (
            "br4006",
            {"red": (10, 57, 57, 57), "yellow": (38, 0, 0, 0)},
            (1, 1),
            {"red": (12, 57, 57, 57)},
            "Red 1-1: a mixi blob on green's mouth.",
        ),
        (
            "submariners",
            {"red": (12, 12, 57, 57), "green": (3, 3, 0, 0)},
            (4, 4),
            {"red": (16, 16, 57, 57), "green": (0, 0, 0, 0)},
            "Red 4-4: the blob to two on from green's doorstep; green's blob ucked.",
        ),
        # Green stood on the doorstep that one came out to, and went on from.
        (
            "br4006",
            {"red": (0, 57, 57, 57), "green": (40, 0, 0, 0)},
            (6, 3),
            {"red": (4, 57, 57, 57), "green": (0, 0, 0, 0)},
            "Red 6-3: one out and three on; green ucked on the doorstep.",
        ),
        (
            "masters_ludo",
            {"red": (10, 0, 0, 0), "green": (1, 0, 0, 0)},
            (4,),
            {"red": (14, 0, 0, 0), "green": (0, 0, 0, 0)},
            "Red 4: to green's doorstep; green sent back.",
        ),
        (
            "br4006",
            {"red": (50, 54, 57, 57)},
            (3, 3),
            {"red": (53, 57, 57, 57)},
            "Red 3-3: one into the chute to four short of home, one home.",
        ),
        (
            "br4006",
            {"red": (54, 57, 57, 57), "yellow": HOME, "green": HOME},
            (2, 1),
            {"red": HOME},
            "Red 2-1: one home. Red and yellow have won.",
        ),
    ],
    ids=lambda each: each[:50] if isinstance(each, str) else "",
)
def test_a_play_as_people_say_it(rules, before, dice, after, words):
    assert played(rules, before, dice, after) == words


def test_of_a_board_that_stood_nobody_is_said_to_be_ucked():
    before, after = ((0, 0, 10, 57), (5, 0, 0, 0)), ((0, 0, 12, 57), (0, 0, 0, 0))
    position = (*after, (0, 0, 0, 0), (0, 0, 0, 0))
    moves = (Move(0, before[0][2], after[0][2]), Move(1, 5, 0))
    stood = Ruling(Kind.STOOD, 0, position, moves=moves, unspoken=True)
    assert in_full(stood, BOARD) == "Red: to green's mouth; green sent back at four on from green's doorstep."


# ---------------------------------------------------------------------- held against the boards


class Line:
    """A line as it is read: its claims, each with the track square where one is named."""

    def __init__(self, line, board, side):
        self.board, self.side = board, side
        head, _, rest = line.removesuffix(".").partition(": ")
        self.who, _, dice = head.partition(" ")
        self.dice = sorted(map(int, dice.split("-")))
        self.out, self.home, self.sent = Counter(), Counter(), Counter()
        self.places, self.made, self.moved, self.broken = Counter(), {}, set(), set()
        self.sent_on, self.last, self.unread = {}, None, []
        for part in rest.split("; "):
            for each in (
                [part] if "broken" in part or "ucked" in part or "sent back" in part else part.split(", ")
            ):
                if not self._read(each):
                    self.unread.append(each)

    def seat(self, words):
        return next(
            (seat for seat, colour in enumerate(self.board.seats) if colour in words.split()), self.side
        )

    def square(self, words, seat):
        """The track square that some words name, for a piece of a seat."""
        words = re.sub(r"^(on|at) ", "", words)
        words = words.replace("just past", "one on from").replace("just short of", "one short of")
        own = self.board.seats[seat]
        words = words.replace("the doorstep", f"{own}'s doorstep").replace("the mouth", f"{own}'s mouth")
        if re.fullmatch(r"\w+ on", words):
            words += f" from {own}'s doorstep"
        found = re.fullmatch(r"(?:(\w+) (on from|short of) )?(\w+)'s (doorstep|mouth)", words)
        if found is None:
            return None
        by, way, owner, what = found.groups()
        steps = DOORSTEP if what == "doorstep" else self.board.mouth
        start = self.board.square(self.board.seats.index(owner), steps)
        return (start + (COUNTS.index(by) if by else 0) * (1 if way == "on from" else -1)) % self.board.track

    def _read(self, words):
        return any(getattr(self, f"_{each}")(words) for each in ("ucked", "broken", "went"))

    def _went(self, words):
        words, _, beside = words.partition(" beside ")
        self.beside = getattr(self, "beside", 0) + bool(beside)
        colours = "|".join(self.board.seats)
        some = rf"(?:(?P<number>one|two|three|four) )?(?:(?P<whose>{colours}) )?"
        blob = r"(?P<blob>(?:mixi )?blob(?: of \w+)?)"
        forms = (
            rf"{some}home",
            rf"{some}out(?: and (?P<on>\w+) on)?(?: for a {blob})?",
            rf"{some}(?:back down|up|into) the chute to (?P<left>\w+) short of home",
            rf"a (?:(?P<whose>{colours}) )?{blob} (?:back )?(?P<spot>.+)",
            rf"(?P<whole>the) (?:(?P<whose>{colours}) )?blob (?:back )?to (?P<spot>.+)",
            rf"{some}(?:back )?to (?P<spot>.+)",
        )
        found = next((match for form in forms if (match := re.fullmatch(form, words))), None)
        if found is None:
            return False
        claims = {"number": None, "on": None, "left": None, "blob": None, "whole": None, "spot": None}
        claims |= found.groupdict()
        seat = self.board.seats.index(claims["whose"]) if claims.get("whose") else self.side
        number = COUNTS.index(claims["number"] or "one")
        if words.endswith("home") and not claims["left"]:
            self.home[seat] += number
            self.last = None
            return True
        if claims["left"]:
            steps = self.board.home - COUNTS.index(claims["left"])
            self.places[seat, steps] += number
            self.last = None
            return True
        if claims["spot"] is None:
            self.out[seat] += number
            steps = DOORSTEP + COUNTS.index(claims["on"] or "no")
            square = self.board.square(seat, steps)
        else:
            square = self.square(claims["spot"], seat)
        if square is None:
            return False
        self.last = square
        self.places[seat, self.board.steps_on(seat, square)] += (
            0 if claims["blob"] and claims["spot"] else number
        )
        if claims["blob"]:
            self.made[square] = claims["blob"]
        if claims["whole"] or (claims["number"] == "two" and claims["spot"]):
            self.moved.add((square, bool(claims["whole"])))
        return True

    def _broken(self, words):
        found = re.fullmatch(r"(mixi )?blob broken (.+)", words)
        square = found and self.square(found[2], self.side)
        if square is not None:
            self.broken.add((square, f"{found[1] or ''}blob"))
        return square is not None

    def _ucked(self, words):
        if not re.search("ucked|sent back", words):
            return False
        whom = rf"(?:{'|'.join(self.board.seats)})(?:'s blob(?: of \w+)?)?"
        for who, where in re.findall(
            rf"({whom}(?: and {whom})*) (?:ucked|sent back)(?: ([^;]+?))?(?= and {whom} |$)", words
        ):
            squares = [self.last] if not where else [self.square(where, self.side)]
            if where == "on both squares":
                squares = [self.board.square(*piece) for piece in self.places]
            for square in squares:
                for colour, blob, of in re.findall(r"(\w+)('s blob(?: of (\w+))?)?(?: and |$)", who):
                    seat = self.board.seats.index(colour)
                    self.sent[seat, square] += COUNTS.index(of) if of else 2 if blob else 1
        return True


def standing(position, square, board):
    return Counter(
        seat
        for seat, four in enumerate(position)
        for steps in four
        if steps != BASE and board.square(seat, steps) == square
    )


def blobs(position, setting, is_ludo, side):
    """The blobs of a team: what stands on a square, and how many. In Ludo only a colour makes one."""
    board, found = setting.board, {}
    for square in range(board.track):
        stands = standing(position, square, board)
        own = {seat: stands[seat] for seat in setting.teams[side] if stands[seat]}
        if is_ludo:
            own = {seat: number for seat, number in own.items() if number > 1}
        if sum(own.values()) > 1:
            found[square] = ("mixi blob" if len(own) > 1 and not is_ludo else "blob", sum(own.values()), own)
    return found


def faults_of(line, setting, side, dice, before, after):
    """What the line says otherwise than the boards."""
    board, team = setting.board, setting.teams[side]
    told, is_ludo = Line(line, board, side), len(dice) == 1
    changes = [(Counter(was), Counter(now)) for was, now in zip(before, after, strict=True)]
    out = {seat: was[BASE] - now[BASE] for seat, (was, now) in enumerate(changes) if seat in team}
    home = {seat: now[board.home] - was[board.home] for seat, (was, now) in enumerate(changes)}
    sent = Counter(
        (seat, board.square(seat, steps))
        for seat, (was, now) in enumerate(changes)
        if seat not in team
        for steps in (was - now).elements()
    )
    found = {"unread": told.unread, "who": told.who.lower() != board.seats[side]}
    found["dice"] = told.dice != sorted(dice)
    found["out"] = +told.out != +Counter(out)
    found["home"] = +told.home != +Counter(home)
    found["sent"] = told.sent != sent
    found["word"] = ("ucked" in line) and is_ludo
    for (seat, steps), number in told.places.items():
        steps = {BASE: CORNER}.get(steps, steps)
        found[f"place {seat} {steps}"] = after[seat].count(steps) - before[seat].count(steps) < min(number, 1)
    was, now = (blobs(each, setting, is_ludo, side) for each in (before, after))
    new = {
        square: what
        for square, (what, _, own) in now.items()
        if any(own[seat] > standing(before, square, board)[seat] for seat in own)
    }
    moved = {square for square, _ in told.moved}
    found["made"] = {square: re.sub(" of .*", "", what) for square, what in told.made.items()} != {
        square: what for square, what in new.items() if square not in moved
    }
    found["how many"] = any(
        what.startswith("blob")
        and now.get(square, ("", 0))[1] != COUNTS.index(what.partition(" of ")[2] or "two")
        for square, what in told.made.items()
    )
    gone = {(square, what) for square, (what, *_) in was.items() if square not in now}
    # A blob that moved on whole is none that was broken.
    whole = sum(is_whole for _, is_whole in told.moved) + sum(number > 1 for number in told.home.values())
    whole += sum(what.startswith("mixi") or " of " in what for what in told.made.values())
    found["broken"] = not told.broken <= gone or len(gone - told.broken) > whole
    return [name for name, is_so in found.items() if is_so]


def plays_at_random(name, options, players):
    """Legal plays of matches, from their openings and late ones: the match, the ruling."""
    dice = random.Random(f"{name} {options} {players}")
    setting = load_setting(name, options, players=players)
    match, left = begin(setting), PLAYS
    while left:
        if match.awaiting in (Awaiting.OVER, Awaiting.THROW_OFF) or dice.random() < 0.03:
            match = begin_late(setting, dice)
        if match.behind is not None:
            match = playing.see(match, match.position).match
        if match.awaiting is Awaiting.PLAY and match.plays:
            step = playing.see(match, dice.choice(sorted(match.plays)))
            if step.rulings and step.rulings[0].moves:
                yield match, step.rulings[0]
                left -= 1
        else:
            step = playing.throw(
                match, tuple(dice.choice([1, 2, 3, 4, 5, 6, 6]) for _ in range(match.dice_due))
            )
        match = step.match


@pytest.mark.parametrize(("name", "options", "players"), SETTINGS, ids=str)
def test_a_line_says_what_the_boards_say(name, options, players):
    wrong = []
    for match, ruling in plays_at_random(name, options, players):
        line = play_in_words(ruling, match.board)
        side, before, after = match.to_play, match.position, ruling.position
        if faults := faults_of(line, match.setting, side, match.thrown, before, after):
            wrong.append((line, faults, before, after))
    assert wrong == []


@pytest.mark.parametrize(
    ("told", "instead"),
    [
        (r" (\d)-", r" 7-"),
        (r"\bone out", "two out"),
        (r"\bone home", "two home"),
        (r"; (blob|mixi blob) broken[^;.]*", ""),
        (r"broken on the doorstep", "broken at two on"),
        (r"; [^;.]* ucked[^;]*$", "."),
        (r"(\w+) ucked", r"\1's blob ucked"),
        (r"\ba (blob|mixi blob) (on|at|just)", r"one to \2"),
        (r"for a blob", ""),
        (r"a mixi blob", "a blob"),
        (r"two short of", "three short of"),
        (r"two on from", "three on from"),
        (r"to two short of home", "to three short of home"),
        (r"blob of three", "blob"),
    ],
)
def test_a_line_that_says_otherwise_is_found_out(told, instead):
    others = list(
        islice(
            (
                (re.sub(told, instead, line), match, ruling)
                for setting in SETTINGS
                for match, ruling in plays_at_random(*setting)
                if re.search(told, line := play_in_words(ruling, match.board))
            ),
            20,
        )
    )
    assert others
    for line, match, ruling in others:
        assert faults_of(line, match.setting, match.to_play, match.thrown, match.position, ruling.position), (
            line
        )
