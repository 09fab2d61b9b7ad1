"""The words that sentences are made of: numbers, throws, colours, pieces and places on the board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from uckers_table.game.board import BASE, CORNER, Board
from uckers_table.game.turn import Piece

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
)
_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


def count(number: int) -> str:
    """A small number as a word."""
    return _COUNTS[number] if 0 <= number < len(_COUNTS) else str(number)


def ordinal(number: int) -> str:
    """An ordinal, a small one as a word: "fifth", "21st"."""
    if 0 < number < len(_ORDINALS):
        return _ORDINALS[number]
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else _SUFFIXES.get(number % 10, 'th')}"


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
    """A throw as it is read out: "6 and 2", "double 4", "5"."""
    if len(throw) == 2 and throw[0] == throw[1]:
        return f"double {throw[0]}"
    return " and ".join(str(die) for die in throw)


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
    """ "the dice said 6 and 2"; of one die "the die said 5"."""
    return f"the {'die' if len(throw) == 1 else 'dice'} said {throw_in_words(throw)}"


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


def pieces_in_words(board: Board, pieces: Sequence[Piece]) -> str:
    """Pieces one can point at: "the green piece on the fifth square after red's doorstep"."""
    return listed(
        [
            f"the {'' if number == 1 else f'{count(number)} '}{board.seats[seat]} "
            f"{'piece' if number == 1 else 'pieces'} {where(board, seat, steps)}"
            for (seat, steps), number in Counter(pieces).items()
        ]
    )


def blobs_of(board: Board, blobs: Sequence[Sequence[Piece]]) -> str:
    """Whose blobs: "red's blob", "two of red's blobs", "red's blob and yellow's"."""
    owners = Counter(tuple(sorted({seat for seat, _ in blob})) for blob in blobs)
    parts: list[str] = []
    for seats, number in owners.items():
        whose = f"{listed([board.seats[seat] for seat in seats])}'s"
        noun = "" if parts else " blob"
        parts.append(f"{whose}{noun}" if number == 1 else f"{count(number)} of {whose} blobs")
    return listed(parts) or "a blob"


def where(board: Board, seat: int, steps: int) -> str:
    """Where a piece is: "on red's doorstep", "in base", "at home"."""
    if steps == BASE:
        return "in base"
    if steps == board.home:
        return "at home"
    return f"on {place(board, seat, steps)}"


def place(board: Board, seat: int, steps: int) -> str:
    """A square in words that a player can point at: "the ninth square after green's doorstep"."""
    if steps == BASE:
        return "base"
    if steps >= board.home:
        return "home"
    if steps == board.mouth:
        return f"{board.seats[seat]}'s mouth"
    if steps in board.chute:
        return f"the {ordinal(steps - board.mouth)} square of {board.seats[seat]}'s chute"
    counted = _counted(board, seat, steps)
    assert counted is not None
    owner, after = counted
    doorstep = f"{board.seats[owner]}'s doorstep"
    return doorstep if after == 0 else f"the {ordinal(after)} square after {doorstep}"


def origin(board: Board, seat: int, steps: int) -> str:
    """Where a piece that calls stands: "the ninth square after green's doorstep"; of base also whose, as one
    player may have two.
    """
    return f"{board.seats[seat]}'s base" if steps == BASE else place(board, seat, steps)


def way(board: Board, seat: int, start: int, end: int) -> str:
    """From where to where; only "to the eleventh" where both are counted from one doorstep."""
    before, after = _counted(board, seat, start), _counted(board, seat, end)
    there = place(board, seat, end)
    if before and after and before[0] == after[0] and after[1] and start != board.mouth:
        there = f"the {ordinal(after[1])}" if before[1] else f"the {ordinal(after[1])} square after it"
    return f"from {place(board, seat, start)} to {there}"


def _counted(board: Board, seat: int, steps: int) -> tuple[int, int] | None:
    """The doorstep (its seat) at or before a shared square, and how many squares after it; None elsewhere."""
    if steps != CORNER and not 1 <= steps <= board.mouth:
        return None
    square = board.square(seat, steps)
    assert square is not None
    return divmod(square, board.squares_per_seat)


def place_in_words(board: Board, place_name: str) -> str:
    """A place of a sighting ("15", "red 53") in words; empty for none."""
    if not place_name:
        return ""
    colour, _, steps = place_name.rpartition(" ")
    if colour:
        there = place(board, board.seat(colour), int(steps))
        return f"{colour}'s {there}" if there in ("base", "home") else there
    seat, after = divmod(int(place_name), board.squares_per_seat)
    return place(board, seat, after + 1)
