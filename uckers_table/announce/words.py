"""The words that sentences are made of: numbers, throws, colours, pieces and places on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from uckers_table.game.board import BASE, CORNER, DOORSTEP, Board
from uckers_table.game.turn import Piece
from uckers_table.game.ways import SIX

_COUNTS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def count(number: int) -> str:
    """A small number as a word."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)


def listed(parts: Sequence[str]) -> str:
    """Things one after the other: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def capital(text: str) -> str:
    """A text as a sentence begins; what stands after its first letter stays as it is."""
    return text[:1].upper() + text[1:]


def name(board: Board, seat: int | None) -> str:
    """A colour at the beginning of a sentence."""
    return board.seats[seat].capitalize() if seat is not None else "Nobody"


def colours(board: Board, seats: Iterable[int | None]) -> str:
    """Colours at the beginning of a sentence: "Red and yellow"."""
    return capital(listed([board.seats[seat] for seat in seats if seat is not None]))


def throw_in_words(throw: Sequence[int]) -> str:
    """A throw as it is read out, the higher die first: "6 and 2", "double 4", "5"."""
    if len(throw) == 2 and throw[0] == throw[1]:
        return f"double {throw[0]}"
    return " and ".join(str(die) for die in sorted(throw, reverse=True))


def board_in_words(board: Board) -> tuple[str, ...]:
    """What is unusual about a board, a sentence each; nothing of the usual one."""
    usual = Board()
    said = {
        f"The board has {count(board.arms)} arms.": board.arms != usual.arms,
        f"Its arms are {count(board.arm_length)} squares long.": board.arm_length != usual.arm_length,
        "The doorsteps lie at the end of the arms.": board.arm_end_doorstep,
    }
    return tuple(sentence for sentence, is_so in said.items() if is_so)


def the_dice_said(throw: Sequence[int]) -> str:
    """ "the dice said 6 and 2"; of one die "the die showed 5", since "die said" sounds like "dice said"."""
    return f"the {'die showed' if len(throw) == 1 else 'dice said'} {throw_in_words(throw)}"


def pieces_of(board: Board, seats: Sequence[int]) -> str:
    """Pieces of which only the colour is told: "a yellow piece", "two green pieces and an orange piece"."""
    return listed(
        [
            f"{_article(board.seats[seat])} {board.seats[seat]} piece"
            if number == 1
            else f"{count(number)} {board.seats[seat]} pieces"
            for seat, number in Counter(seats).items()
        ]
    )


def _article(word: str) -> str:
    return "an" if word[0] in "aeiou" else "a"


def blobs_of(board: Board, blobs: Sequence[Sequence[Piece]]) -> str:
    """Whose blobs: "red's blob", "two of red's blobs", "red's blob and yellow's"."""
    owners = Counter(tuple(dict.fromkeys(seat for seat, _ in blob)) for blob in blobs)
    parts: list[str] = []
    for seats, number in owners.items():
        whose = f"{listed([board.seats[seat] for seat in seats])}'s"
        noun = "" if parts else " blob"
        parts.append(f"{whose}{noun}" if number == 1 else f"{count(number)} of {whose} blobs")
    return listed(parts) or "a blob"


def where(board: Board, seat: int, steps: int) -> str:
    """Where a piece is: "on red's doorstep", "two on from it", "in base", "at home"."""
    if steps == BASE:
        return "in base"
    if steps == board.home:
        return "at home"
    there = place(board, seat, steps)
    return there if " of " in there or " from " in there else f"on {there}"


def place(board: Board, seat: int, steps: int) -> str:
    """A square by the nearest one that players know: "green's mouth", "two on from yellow's doorstep"."""
    if steps == BASE:
        return "base"
    if steps >= board.home:
        return "home"
    if steps in board.chute:
        return f"{count(board.home - steps)} short of home"
    square = board.square(seat, steps)
    assert square is not None
    owner, after = divmod(square, board.squares_per_seat)
    following = (owner + 1) % board.arms
    mouth = board.square(following, board.mouth)
    assert mouth is not None
    short = (mouth - square) % board.track
    if after == 0:
        return f"{board.seats[owner]}'s doorstep"
    if short == 0:
        return f"{board.seats[following]}'s mouth"
    if short >= board.squares_per_seat:
        # The square between a mouth and the doorstep after it.
        return f"one short of {board.seats[following]}'s doorstep"
    if after <= short:
        return f"{count(after)} on from {board.seats[owner]}'s doorstep"
    return f"{count(short)} short of {board.seats[following]}'s mouth"


def origin(board: Board, seat: int, steps: int) -> str:
    """Where a piece that calls stands; of base also whose, as one player may have two."""
    return f"{board.seats[seat]}'s base" if steps == BASE else place(board, seat, steps)


MOST_COUNTED = 2 * SIX
"""Squares, or pieces: the most that a throw shows. Nobody counts more at a glance, or wants to hear it."""


def squares_moved(start: int, end: int) -> int:
    """How many squares a piece went on, or back if negative.

    The doorstep that it comes out to is none, and one from its corner.
    """
    return end - {BASE: DOORSTEP, CORNER: BASE}.get(start, start)


def from_to(board: Board, seat: int, start: int, end: int) -> str:
    """From where to where."""
    return f"from {place(board, seat, start)} to {place(board, seat, end)}"


def place_in_words(board: Board, place_name: str) -> str:
    """A place of a sighting ("15", "red 53") in words; empty for none."""
    if not place_name:
        return ""
    colour, _, steps = place_name.rpartition(" ")
    if not colour:
        seat, after = divmod(int(place_name), board.squares_per_seat)
        return place(board, seat, after + 1)
    seat = board.seat(colour)
    there = place(board, seat, int(steps))
    if there in ("base", "home"):
        return f"{colour}'s {there}"
    return f"{colour}, {there}" if int(steps) in board.chute else there
