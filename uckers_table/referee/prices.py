"""The one table of prices (nats), margins and times. Everything that is a matter of degree stands here.

A price is minus the logarithm of how often a thing happens. What the reader does is priced by the counts of
`trial/errors.toml`, which stand beside each price; they are of a whole board. What people do is priced by
stated beliefs, for each kind of board that comes of it: nobody has counted that.
"""

from __future__ import annotations

from math import exp, log

READER: dict[str, tuple[float, float]] = {
    "short": (2.7, 0.8),  # one of a stack is not seen: 19 of 275 stacks
    "missed": (4.5, 2.0),  # a piece that stands alone is not seen: 20 of 1,770
    "more": (3.0, 2.0),  # off the board, and read among its own side: 1 of 67 here, 6 of 48 elsewhere
    "beside": (8.1, 3.0),  # seen on this one of two next squares, untold: never, of some 800 pieces
    "across": (1.0, 0.0),  # seen across a line that it stands on
    "under": (7.6, 2.0),  # seen under another of its side instead: `PUT_THERE`
    "ghost": (9.0, 4.0),  # off the board, and read where nothing stands: 11 of 18,705 squares
    "colour": (3.8, 1.5),  # seen in another colour: this much for the one and for the other
    "base": (7.6, 2.0),  # seen in base, and stands elsewhere: `PUT_THERE`
    "home": (9.0, 3.0),  # seen at home, and stands elsewhere: never, of 1,060
    "far": (11.0, 5.0),  # seen somewhere else altogether: never
    "extra": (9.0, 5.0),  # more of a colour than there are: never
}
"""What the reader may make of a piece at a reading of its own, by the counts of `trial/errors.toml` ("all").

First the price if it says nothing of it. Then the price if it offers the piece where it truly stands as an
alternative, whose own cost is added. An error that was there before costs nothing while it stays. A board is
read five times, and what is there counts once: 354 single pieces here, and 445 elsewhere, for "beside"."""
PUT_THERE = 3.1
"""A piece that is not seen where it stands ("short", "missed"), and is counted on this other square of its
side's, or in base, instead: 15 of 99 pieces not seen (`together.ends_of_one_piece`, and all `unseen` and
`fewer`) are counted elsewhere; two thirds of those on one of some four squares, a third in base."""
FRAMES: dict[str, tuple[float, float]] = READER | {
    "short": (2.5, 0.8),
    "missed": (6.0, 2.0),
    "more": (5.0, 2.0),
    "beside": (8.0, 2.0),
    "under": (7.5, 2.5),
    "ghost": (10.0, 4.0),
    "base": (9.0, 4.0),
    "home": (9.0, 4.0),
    "far": (14.0, 8.0),
}
"""The same for frames that say of no reading that it is new. Their errors end with time (`lasting`), by
guess."""
SURENESS = ((0.8, 3.9), (0.5, 0.7), (0.0, -2.7))
"""What it costs that anything is misread, where the reader says that it is as sure as this: 187 of 230 right
boards were said at 0.8 or more, and none of 60 wrong ones; 13 and 57 were said below 0.5."""
LEAST = 0.3
"""What an error costs at least."""
TABLES, ERRORS_A_PLAY = 0.4, 0.08
"""Tables differ: of ten, three had no error where others had seven times as many as usual (a gamma of shape
0.4; `together.tables`). On a usual one 38 places of 58 boards err; a play changes 2 of some 16 places."""
TRUST = -1.9, 4.0
"""The least and the most by which a table that is seen to be read badly, or well, changes a price."""
DRAWN = 0.4
"""Each place that holds what it held is misread at each reading with a chance of its own, mostly never or
always: a beta whose numbers add up to this. Of places wrong at one reading 202 in 280 were wrong at another
("all", without stacks at home), which is 1 / (1 + DRAWN). Of 74 wrong after a hand's visit, on tables
elsewhere, 53 had been so before: again 1 / (1 + DRAWN)."""
FEWER = 6.0, 2.4
"""What it is worth that the reader says of a piece too many that it may not be there: so much less, and this
much more for each nat that it says that costs."""
MEAN_S, STAYS = 1.05, 0.03
"""How long an error of frames lasts: so many seconds in the mean. This share stays until something
changes."""
AGES, AGES_UNSEEN = 0.3, 0.03
"""What an error costs further with each throw that it outlasts, where the reader tells nothing beside it: a
piece seen elsewhere; one that is not seen."""
ELSEWHERE = 2.0
"""A piece that is misread already is misread in another place: the reader still looks for it."""
COVERED = 12.0
"""A hand or an arm over the board that is not noticed. It hides any number of pieces."""
UNSEEN_HAND = 4.6
"""A hand that nobody saw: one visit in a hundred."""
DICE_TABLES, DICE = 0.05, 8.5
"""A die on the board is read as another face: one of 79 dice here (misread at all its five readings, so it is
one), and two of 994 readings of 142 dice elsewhere. That goes by the table: of all dice misread in any way,
11 lay on two tables of 25, one on a third, and none on the others (a beta of shape 0.05). So it is as if 8.5
dice had been read before, and 0.05 of them misread."""
SHOWN = 1.6
"""A throw that was misread is shown, and nobody takes it back before it is played: one in five."""
DIE_GLIMPSED, DIE_THIRD = 1.5, 3.0
"""A face that a die was read as for a moment. If there is one, the die may also be a third: nobody has
counted that."""
DIE_FRAMES, DIE_STAYS = 8.0, 0.005
"""The same for frames that say of no reading that it is new: on ordinary tables half of one in 320. The share
of such errors that stay."""

PLAYED_UNSEEN = 1.5
"""Dice come to light that were thrown and played while a hand was over the board."""
PUT_BACK_WRONG = 3.0
"""A piece is put back some squares off its place: one time in 20, for each such board."""
LONG_HAND_S, LONG_HAND = 6.0, 6.0
"""Under a hand that stays for so many seconds, dice are thrown on the board, played and taken up unseen."""
UNNOTICED, UNSEEN_THROW = 3.0, 6.0
"""Dice that were taken to be put back, or turned, had been thrown. So had dice that came and went before they
were read. A throw that moved nothing was not seen at all: one in 400."""

PERSON: dict[str, float] = {
    "counted": 3.7,  # a play counted one too far or too short: one in 40, shared by such boards
    "moved": 5.5,  # a piece moved where no rule takes it: one play in 250 for each such board
    "turned": 5.5,  # a die turned by hand: nobody has counted that, and it is taken to be as rare
    "left": 4.5,  # a piece that was knocked off left standing
    "put": 6.0,  # a piece brought out of base, or put home, unearned
    "fetched": 10.0,  # a piece brought back from home
    "removed": 8.0,  # a piece taken off the board
    "half": 5.0,  # one die played, and no more
    "swapped": 5.5,  # a play changed for another, or taken back, after the next throw
}
"""What people do that no rule allows."""
NEAR, BY_STEP, FARTHEST = 6, 0.2, 3.0
"""A piece that is moved further than so many steps: so much more for each, and at most so much."""
SLID = 2
"""Without a hand, pieces that are no more than so many squares off were as likely kicked as moved."""
FURTHER = 3.5
"""Each further piece that the same hand moved wrongly: whoever cheats with one seldom cheats with two."""

SWAP = 1.5
"""A play is changed for another before the next throw."""
SAME_AGAIN = 3.5
"""The same dice lie elsewhere before they are played, and are another throw: one in 36 shows the same."""
LET_STAND = 2.0
"""What was called is let stand, and the dice in hand are played on it."""
SAID_RIGHT = 1.2
"""A board that is asked about is said to be right, or played on, by whoever did wrong: three in ten."""
PRESSED_IN_VAIN = 4.0
"""A throw or call was taken back that had been made after all: one press in 50."""
PLAYED_AFTER_ALL = 1.5
"""A play that was taken back, and whose pieces have stood since, was made after all."""
HALF = 0.7
"""Half of a play is made, and the rest is to come."""
COUNTED_ACROSS = 5.0
"""A piece lies near a line, and people count it on the side that is not on record. Where it is read there,
the cost by which the reader tells of this side is added."""
ORDER = 0.7
"""In a stack of which nobody has seen the order, this piece lies on top."""
EARLY, SEEN_WRONG = 0.2, 2.0
"""Somebody throws before the play was seen. While it is guessed what was played then: each piece that is read
elsewhere."""
VOID = 5.0
"""Somebody throws before the last throw was played."""
VOID_AGAIN = 3.5
"""The same once more, before anybody has heard of the first."""
TURN = 6.0
"""The dice before these were the void ones: thrown out of turn, or once too often."""
AGAIN = 3.0
"""A call, or a press of "done", that makes no sense."""
UNWATCHED, OLD_DICE = {True: 3.0, False: 9.0}, 1.0
"""People played on while nobody could see, by dice that nobody told (True) or that a tower told. The dice
that lie there are played already."""

LOST, LEAST_LOST = 14.5, 8.0
"""The record is wrong in a way that nobody has thought of. It costs less the more had to be assumed of late
(`History.strain`), and at least so much."""
FADES, BLAMED = 0.5, 0.4
"""What is left of the strain after another play, and how much of a person's doing is strain."""
IS_ASSUMED = 1.0
"""A play that costs less needs no assumption."""

ACCUSE, ASK = 5.0, -1.0
"""Accuse if the best innocent history costs so much more than the best guilty one. Ask if it costs so much
more."""
AT_ONCE = 3.0
"""The same as ACCUSE, of half a play where the player has said that he is done."""
SURE = 3.0
"""A play is ruled at once if it leads by so much; else after the time in which errors mostly end."""
KEEP, MOST = 10.0, 12
"""Histories so much dearer than the best are dropped, and all beyond so many."""

LEGAL_S, SETTLED_S, ACCUSE_S, ASK_S = 0.25, 1.6, 1.7, 3.3
"""Seconds of stillness before a plain play is ruled, a play in doubt, an accusation, a question."""
FIRM_S, FIRM_TIMES = 1.2, 3
"""Seconds for which an accusation's board was read alike, and how many sightings there were."""
BEFORE_ACCUSING, BEFORE_ASKING, ANEW_FROM_S = 2, 5, 0.8
"""The places are read so often before anybody is accused, and before a question is asked: one further reading
clears a quarter of the errors, and says anew how sure the reader is."""
ANEW_S = 1.2
"""Before anybody is accused or asked, the places are read again. A new reading is waited for so long."""
A_MOMENT = 1e-6
"""Times are added up: so little is no difference (seconds)."""
CHECKS_S = (LEGAL_S, SETTLED_S, ACCUSE_S, 2.5, 2.7, ACCUSE_S + ANEW_S, ASK_S)
"""Seconds after a change of the board at which it is weighed again."""


def most_strain() -> float:
    """The strain of a record of which it is only known how the pieces stand (nats)."""
    return LOST - LEAST_LOST


def trust(errors: float, plays: int) -> float:
    """What each error costs more at a table where so many began in so many plays (nats)."""
    least, most = TRUST
    return min(most, max(least, log((TABLES + ERRORS_A_PLAY * plays) / (TABLES + errors))))


def lasting(seconds: float, stays: float | None = None) -> float:
    """What it costs more that an error has lasted so long (nats). `stays`: the share that stays."""
    share = STAYS if stays is None else stays
    return -log((1.0 - share) * exp(-seconds / MEAN_S) + share)


def die(looked_at: int, misread: int) -> float:
    """What it costs that a die shows a certain other face (nats), where so many were looked at before."""
    return SHOWN - log((DICE_TABLES + misread) / (DICE + looked_at) / 5)


def is_turned(nats: float) -> bool:
    """Whether a die that shows another face since a hand was there was turned, so surely that somebody is
    accused of it. Else it was misread before, as any face; as a certain one costs so much (nats).
    """
    return nats - log(5) - PERSON["turned"] >= ACCUSE


def again(right: int, wrong: int, times: int) -> float:
    """What it costs that a place is misread at so many further readings (nats), where what it holds was read
    rightly and wrongly so many times before. The first time, `wrong` is 1.
    """
    return sum(-log((wrong + n) / (DRAWN + right + wrong + n)) for n in range(times))


RIGHT_BEFORE = log((DRAWN + 1) / DRAWN)
"""A place is misread that was read rightly before, and holds the same: what that costs more."""
ONCE_MORE = again(1, 1, 1)
"""A piece is misread as it was once before, and was read rightly since."""
