"""One piece of another paint than its mates: which it is, and whose it is read as once somebody has said."""

from dataclasses import replace

import pytest

from tests.repainted import BLACK, BRASS, ORANGE, PURPLE, WHITE, painted
from uckers_table.errors import CalibrationError, StrangePieceError
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.live import LiveReader
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader

SEATS = ("red", "green", "yellow", "blue")


@pytest.mark.parametrize(
    ("light", "seat", "paint", "name"),
    [
        (0, 0, ORANGE, "orange"),
        (1, 1, WHITE, "white"),
        (2, 3, BRASS, "brass"),
        (3, 2, BLACK, "black"),
        (1, 0, PURPLE, "purple"),
        (2, 0, ORANGE, "orange"),
    ],
)
def test_a_strange_piece_is_asked_about_and_then_read(light, seat, paint, name):
    """By strips, a side lamp, a window and bulbs."""
    renderer = Renderer(Plan(Board(SEATS)), look_for(light), size=(1536, 864), seed=light)
    start = painted(renderer, paint, seat)
    with pytest.raises(StrangePieceError) as asked:
        calibrate(renderer.empty, start, SEATS)
    own = SEATS[seat]
    assert (asked.value.seat, asked.value.paint) == (own, name)
    assert str(asked.value) == (
        f"one piece in {own}'s base in the start picture is {name}: say --strange {own} if it counts as {own}"
    )
    profile = calibrate(renderer.empty, start, SEATS, strange=(own,))
    assert [len(paints) for paints in profile.strange_colours] == [int(k == seat) for k in range(4)]
    kept = TableProfile.from_toml(profile.to_toml())
    assert kept.strange_colours == tuple(
        tuple(tuple(round(c, 4) for c in one) for one in each) for each in profile.strange_colours
    )
    seen = Reader(kept).read(start)
    assert seen.pieces == dict.fromkeys(SEATS, (0, 0, 0, 0))
    assert (seen.stray, seen.confidence > 0.9) == ((), True)


def refusal(empty, start, **more):
    with pytest.raises(CalibrationError) as caught:
        calibrate(empty, start, SEATS, **more)
    assert not isinstance(caught.value, StrangePieceError)
    return str(caught.value)


@pytest.fixture(scope="module")
def lit():
    """By a side lamp."""
    return Renderer(Plan(Board(SEATS)), look_for(1), size=(1536, 864), seed=1)


@pytest.fixture(scope="module")
def profile(lit):
    return calibrate(lit.empty, lit.start, SEATS)


def test_a_piece_of_another_seats_colour_still_stands_in_the_wrong_base(lit):
    start = painted(lit, lit.look.piece_paints["yellow"])
    assert "a yellow piece stands in red's base" in refusal(lit.empty, start)
    assert "in red's base in the start picture looks like yellow's pieces: paint it anew" in refusal(
        lit.empty, start, strange=("red",)
    )


def test_a_piece_that_is_missing_is_not_asked_about(lit):
    start = painted(lit, ORANGE, without=[(0, 2)])
    assert "(found red 3, green 4, yellow 4, blue 4)" in refusal(lit.empty, start)


def test_a_seat_without_a_strange_piece_is_told(lit):
    assert "no piece of a strange colour stands in blue's base" in refusal(
        lit.empty, lit.start, strange=("blue",)
    )
    assert "--strange pink is none of the seats" in refusal(lit.empty, lit.start, strange=("pink",))


@pytest.mark.parametrize("paint", [ORANGE, PURPLE])
def test_a_piece_painted_after_calibration_is_told_and_learned(lit, profile, paint):
    """Orange is read as a fifth yellow piece at first."""
    assert profile.strange_colours == ((), (), (), ())
    eyes = LiveReader(profile)
    eyes.see(lit.start)
    assert eyes.strange is None
    start = painted(lit, paint, 3)
    seen = eyes.see(start)
    assert [len(steps) for steps in seen.pieces.values()] == [4, 4, 4, 3]
    assert eyes.strange is not None
    assert eyes.strange.base == "blue"
    again = LiveReader(profile.with_paint("blue", eyes.strange.paint))
    assert again.see(start).pieces == dict.fromkeys(SEATS, (0, 0, 0, 0))
    assert again.strange is None


def test_a_piece_of_another_seats_paint_is_no_strange_one(lit, profile):
    eyes = LiveReader(profile)
    eyes.see(painted(lit, lit.look.piece_paints["yellow"], 3))
    assert eyes.strange is None


def test_a_profile_with_two_strange_pieces_keeps_both(profile):
    one, other, own = (0.1, 0.5, 1.0), (0.6, 0.2, 0.5), profile.piece_colours
    both = profile.with_paint("blue", one).with_paint("blue", other)
    assert both.strange_colours[3] == (one, other)
    assert both.paints == [own, (*own[:3], one), (*own[:3], other)]
    assert TableProfile.from_toml(both.to_toml()).strange_colours == both.strange_colours
    assert replace(both, strange_colours=()) == profile
