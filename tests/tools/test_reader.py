"""How the reader's errors are told, counted and written. Truths, sightings and lines are written by hand."""

import json
import math
import re
import shlex
import tomllib
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np
import pytest

from tools.reader.__main__ import main
from tools.reader.editing import goals, lifted, lone, moved, put, without
from tools.reader.figures import figures
from tools.reader.fitting import AS_RECKONED, sureness_of
from tools.reader.likeness import difference, likeness
from tools.reader.report import ERRORS, for_people, toml
from tools.reader.still import Moment, Scene, Shadow, grain_of, weather
from tools.reader.tables import Die, Piece, Stand, Table
from tools.reader.wrong import KINDS, Truth
from uckers_table.game.board import Board, Plan
from uckers_table.sighting import Alternative, SeenDie, Sighting, Stray
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Scene as Shown
from uckers_table.simulator.scene import WoodenPiece
from uckers_table.vision.place.camera import CameraModel

PLAN = Plan(Board(("red", "green", "yellow", "blue")))
# Red's doorstep is track square 0 at cell (1, 6); steps 5 is square 4 at cell (5, 6).
SQUARE_4, SQUARE_5 = (5, 6), (6, 5)


def piece(colour, place, cell=None, level=0, visible=1.0):
    return Piece(colour, place, cell, PLAN.centre_mm(cell) if cell else (0.0, 0.0), level, visible)


# Red: two stacked at home, one on square 4, one in base. Green: a stack of two on square 20, two in base.
RED = (
    piece("red", "home"),
    piece("red", "home", None, 1),
    piece("red", "track", SQUARE_4),
    piece("red", "base"),
)
SQUARE_20 = PLAN.track_cells[20]
GREEN = (
    piece("green", "track", SQUARE_20, 0, 0.0),
    piece("green", "track", SQUARE_20, 1),
    piece("green", "base"),
    piece("green", "base"),
)
DICE = (Die(3, "flat", (100.0, 100.0)), Die(5, "cocked", (200.0, 100.0)))
STAND = Stand("001.jpg", RED + GREEN, DICE)
SEEN_DICE = (SeenDie(3, "flat", 101.0, 99.0), SeenDie(None, "cocked", 203.0, 102.0))
# Steps of green on square 20: 20 - 13 + 1.
RIGHT = {"red": (0, 5, 57, 57), "green": (0, 0, 8, 8), "yellow": (), "blue": ()}


def wrong(pieces=None, dice=SEEN_DICE, stand=STAND, **more):
    sighting = Sighting({**RIGHT, **(pieces or {})}, dice=dice, **more)
    return {each.place: each for each in Truth(PLAN, stand).wrong(sighting)}


def kinds(pieces=None, dice=SEEN_DICE, stand=STAND, **more):
    return {place: each.kind for place, each in wrong(pieces, dice, stand, **more).items()}


def test_what_is_read_right_has_nothing_wrong():
    assert kinds() == {}


def test_how_many_of_each_thing_there_are():
    assert Truth(PLAN, STAND).to_misread == {
        "single": 1,
        "group": 0,
        "stack": 1,
        "empty": 70,
        "base": 4,
        "home": 3,
        "home_stack": 1,
        "die": 1,
        "cocked": 1,
        "off_board": 0,
        "board": 1,
    }


@pytest.mark.parametrize(
    "pieces, expected",
    [
        ({"red": (0, 57, 57)}, {"4": "single.unseen"}),
        ({"red": (0, 5, 5, 57, 57)}, {"4": "single.more"}),
        ({"red": (0, 57, 57), "green": (0, 0, 8, 8, 44)}, {"4": "single.colour"}),
        ({"green": (0, 0, 8)}, {"20": "stack.fewer"}),
        ({"green": (0, 0)}, {"20": "stack.unseen"}),
        ({"green": (0, 0, 8, 8, 8)}, {"20": "stack.more"}),
        ({"red": (0, 5, 57)}, {"red 57": "home_stack.fewer"}),
        ({"red": (5, 57, 57)}, {"red 0": "base.fewer"}),
        ({"blue": (57,)}, {"blue 57": "home.more"}),
        ({"blue": (30,)}, {"16": "empty.invented"}),
        ({"red": (0, 6, 57, 57)}, {"4": "single.beyond_a_line", "5": "empty.beyond_a_line"}),
        ({"red": (0, 7, 57, 57)}, {"4": "single.unseen", "6": "empty.invented"}),
    ],
)
def test_a_place_that_is_read_wrongly_has_its_kind(pieces, expected):
    assert kinds(pieces) == expected


def test_both_ends_of_one_piece_name_each_other():
    ends = wrong({"green": (0, 0, 0, 8)})
    assert {place: (each.kind, each.other) for place, each in ends.items()} == {
        "20": ("stack.fewer", "green 0"),
        "green 0": ("base.more", "20"),
    }


def test_the_truth_may_be_told_beside_what_was_read():
    told = (Alternative("20", {"green": 3}, 0.5), Alternative("20", {"green": 2}, 1.25))
    sighting = Sighting({**RIGHT, "green": (0, 0, 8)}, dice=SEEN_DICE, alternatives=told)
    truth = Truth(PLAN, STAND)
    assert [each.cost for each in truth.wrong(sighting)] == [1.25]
    assert truth.alternatives(sighting) == [(0.5, False, ""), (1.25, True, "")]


def test_what_else_a_place_may_hold_is_of_the_kind_of_error_that_it_would_be():
    told = (
        Alternative("20", {"green": 1}, 0.5),
        Alternative("9", {"red": 1}, 2.0),
        Alternative("4", {}, 0.7),
        Alternative("4", {"red": 1, "yellow": 1}, 0.8),
        Alternative("red 57", {"red": 1}, 0.9),
        Alternative("5", {"red": 1}, 0.9, across="4"),
    )
    sighting = Sighting(RIGHT, dice=SEEN_DICE, alternatives=told)
    kinds = [kind for _, _, kind in Truth(PLAN, STAND).alternatives(sighting)]
    assert kinds == ["stack.fewer", "empty.invented", "single.unseen", "single.more", "home_stack.fewer", ""]


def test_a_square_whose_one_piece_hardly_shows_is_not_judged():
    hidden = Stand("001.jpg", (*RED[:2], piece("red", "track", SQUARE_4, 0, 0.1), RED[3], *GREEN), DICE)
    assert kinds({"red": (0, 57, 57)}, stand=hidden) == {}
    assert Truth(PLAN, hidden).to_misread["single"] == 0


@pytest.mark.parametrize(
    "dice, expected",
    [
        (SEEN_DICE[1:], {"die 0": "die.unseen"}),
        ((SeenDie(4, "flat", 100, 100), SEEN_DICE[1]), {"die 0": "die.value"}),
        ((SeenDie(None, "cocked", 100, 100), SEEN_DICE[1]), {"die 0": "die.cocked"}),
        ((SEEN_DICE[0], SeenDie(5, "flat", 200, 100)), {"die 1": "cocked.flat"}),
        (SEEN_DICE[:1], {"die 1": "cocked.unseen"}),
        ((*SEEN_DICE, SeenDie(1, "flat", 404, 296)), {"die at 400,300": "board.die_invented"}),
    ],
)
def test_a_die_that_is_read_wrongly_has_its_kind(dice, expected):
    assert kinds(dice=dice) == expected


def test_a_hand_or_darkness_is_all_that_is_wrong():
    assert kinds({"red": ()}, hand=True) == {"board": "board.hand_seen"}
    assert kinds({"red": ()}, trouble=("too_dark",)) == {"board": "board.unreadable"}
    assert kinds(trouble=("board_moved",)) == {}


def test_pieces_astray_and_things_are_told_apart():
    stray = Stray("red", (3, 3)), Stray(None, (4, 4))
    assert set(kinds(stray=stray).values()) == {"board.astray", "board.thing_seen"}


def standing(*pieces):
    return Counter(pieces)


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ([("red", "4")], [("red", "4")], ""),
        ([("red", "4")], [("red", "5")], "next_square"),
        ([("red", "51")], [("red", "0")], "next_square"),
        ([("red", "4")], [("red", "9")], "other_square"),
        ([("red", "4")], [("red", "red 0")], "in_base_again"),
        ([("red", "red 0")], [("red", "4")], "out_of_base"),
        ([("red", "4")], [("blue", "4")], "other_colour"),
        ([("red", "4")], [("red", "astray [5, 5]")], "beyond_a_line"),
        ([("red", "astray [5, 5]")], [("red", "4")], "beyond_a_line"),
        ([("red", "4"), ("red", "4")], [("red", "4")], "one_fewer"),
        ([("red", "4")], [("red", "4"), ("red", "4")], "one_more"),
        ([("red", "4")], [("blue", "9")], "otherwise"),
        ([("red", "4"), ("blue", "9")], [("red", "5"), ("blue", "10")], "otherwise"),
    ],
)
def test_what_two_readings_of_one_board_differ_by(one, other, expected):
    assert difference(PLAN, standing(*one), standing(*other)) == expected


def look(key, wrong=(), pieces=RIGHT, confidence=0.95, board="001.jpg", table="T1", alternatives=()):
    return {
        "table": table,
        "board": board,
        "part": "looks",
        "key": str(key),
        "seats": list(PLAN.board.seats),
        "confidence": confidence,
        "pieces": pieces,
        "stray": [],
        "wrong": list(wrong),
        "alternatives": list(alternatives),
        "of": {**dict.fromkeys(KINDS, 0), "single": 5, "home_stack": 1, "die": 2, "cocked": 1},
    }


def at(place, kind, cost=None, other=""):
    return {"kind": kind, "place": place, "want": {}, "got": {}, "cost": cost, "other": other}


# A single piece on square 4 that is seen on 9 at the looks 0 and 2, and a stack at home never seen whole.
ENDS = at("4", "single.unseen", 1.5, "9"), at("9", "empty.invented", None, "4")
SHORT = at("red 57", "home_stack.fewer")
ELSEWHERE = {**RIGHT, "red": (0, 10, 57, 57)}
MORE = [0.3, False, "single.more"]
LINES = [
    look(0, (*ENDS, SHORT), ELSEWHERE, alternatives=[[1.5, True, ""]]),
    look(1, (SHORT,), confidence=0.995),
    look(2, (*ENDS, SHORT, at("die 1", "cocked.flat")), ELSEWHERE, alternatives=[MORE]),
    *(look(number, board="002.jpg", confidence=0.999) for number in range(3)),
    look(0, (at("4", "single.unseen"),), table="T2", confidence=0.5),
    {"table": "T1", "board": "001.jpg", "part": "lifts", "key": "2", "colour": "red", "confidence": 0.99,
     "elsewhere": [at("9", "single.more", 0.7)], "wrong": [], "side": 3, "alternatives": []},
    {"table": "T1", "board": "002.jpg", "part": "lifts", "key": "1", "colour": "red", "confidence": 0.99,
     "elsewhere": [], "wrong": [], "side": 4, "alternatives": [MORE, [1.0, False, "single.unseen"]]},
    {"table": "T2", "board": "001.jpg", "part": "lifts", "key": "3", "colour": "red", "confidence": 0.5,
     "elsewhere": [at("9", "single.more")], "wrong": [], "side": 3, "alternatives": []},
    {"table": "T1", "board": "001.jpg", "part": "live", "key": "firm", "seconds": 20, "readings": 1,
     "frames": 80, "hands": 0, "spells": [["home_stack.fewer", "red 57", 0.0, None]]},
    {"table": "T1", "board": "001.jpg", "part": "live", "key": "trembling", "seconds": 20, "readings": 6,
     "frames": 80, "hands": 2,
     "spells": [["single.unseen", "4", 1.0, 4.0], ["stack.fewer", "20", 18.0, None],
                ["die.value", "die 0", 0.0, 9.0]]},
    {"table": "T1", "board": "001.jpg", "part": "plays", "key": "2 5 6", "squares": ["4", "6"],
     "before": [at("9", "single.unseen")], "again": [],
     "after": [at("9", "single.unseen"), at("6", "single.unseen"), at("30", "empty.invented")]},
]  # fmt: skip
ORDINARY = figures([line for line in LINES if line["table"] == "T1"])
ALL = figures(LINES)


def test_a_kind_is_counted_by_looks_and_by_pairs_of_looks():
    assert ORDINARY["single"]["unseen"] == {
        "of": 30, "wrong": 2, "again": 2, "pairs": 4, "told": 2, "costs": [1.5] * 5,
        "offered": 0, "sure": 2, "tables": 1
    }  # fmt: skip
    assert ORDINARY["home_stack"]["fewer"] == {
        "of": 6, "wrong": 3, "again": 6, "pairs": 6, "told": 0, "offered": 0, "sure": 3,
        "tables": 1
    }  # fmt: skip
    assert ORDINARY["stack"]["more"]["wrong"] == 0
    assert (ORDINARY["single"]["more"]["offered"], ORDINARY["single"]["more"]["offered_at"]) == (1, [0.3] * 5)
    assert (ALL["single"]["unseen"]["wrong"], ALL["single"]["unseen"]["tables"]) == (3, 2)


def test_how_errors_hang_together():
    assert ORDINARY["boards"] == {
        "of": 2, "looks": 6, "wrong_at_first": 1, "wrong_at_some": 1, "wrong_at_all": 1
    }  # fmt: skip
    assert ORDINARY["together"] == {
        "looks_wrong": 3,
        "with_two_or_more": 2,
        "places_wrong": 7,
        "ends_of_one_piece": 4,
        "places_wrong_at_looks": [0, 2, 1],
        "tables": [[7, 5.0]],
    }
    # Of 35 single pieces 3 were misread, of 7 stacks at home 3. None of the squares was counted as empty.
    assert ALL["together"]["tables"] == [
        [7, round(30 * 3 / 35 + 6 * 3 / 7, 2)],
        [1, round(5 * 3 / 35 + 3 / 7, 2)],
    ]


def test_pairs_of_readings_that_are_like_an_illegal_move():
    like = ORDINARY["likeness"]
    assert (like["pairs"], like["differ"], like["illegal"], like["sure"]) == (12, 4, 4, 4)
    assert like["other_square"] == 4


def test_a_board_that_was_not_read_is_like_nothing():
    nothing = dict.fromkeys(RIGHT, ())
    unread = [
        look(n, (at("board", f"board.{why}"),), nothing) for n, why in ((1, "hand_seen"), (2, "unreadable"))
    ]
    assert likeness([[look(0), *unread]])["pairs"] == 0


def test_sureness_is_kept_in_bins():
    said = ORDINARY["sureness"]["confidence"]
    assert said["said"] == [0, 0, 0, 0, 2, 1, 3]
    assert said["right"] == [0, 0, 0, 0, 0, 0, 3]
    assert ORDINARY["sureness"]["cost"]["told"] == [1, 0, 1, 0, 0, 0]
    assert ORDINARY["sureness"]["cost"]["true"] == [0, 0, 1, 0, 0, 0]


def test_how_long_errors_stay_live():
    trembling = ORDINARY["live"]["trembling"]
    assert (trembling["readings"], trembling["hands"]) == (6, 2)
    assert (trembling["errors_at_first"], trembling["errors_begun_later"]) == (0, 2)
    # One lasted 3 s and ended; the other was watched for 2 s and had not.
    assert trembling["still_there"] == [2, 2, 2, 0, 0]
    assert trembling["watched_so_long"] == [2, 2, 2, 1, 1]


def test_what_a_play_changes_elsewhere():
    assert ORDINARY["plays"] == {
        "of": 1,
        "come_by_play": 1,
        "gone_by_play": 0,
        "come_by_grain": 0,
        "gone_by_grain": 1,
        "wrong_at_its_squares_before": 0,
        "wrong_at_its_squares_after": 1,
    }


def test_the_table_for_people():
    rows = for_people(ORDINARY, ALL, with_hard=True).splitlines()
    live = "18.0 (6 in 20 s) / 3.0 (1 in 20 s)"
    assert [re.split(" {2,}", row) for row in rows] == [
        ["", "ordinary", "all tables"],
        ["ordinary boards wrong at the first look", "1 of 2"],
        ["pairs of readings that differ by exactly an illegal move", "4 of 12", "4 of 12"],
        ["a lifted piece put elsewhere, ordinary / hard", "1 of 2 / 1 of 1"],
        ["stacks at home read right", "3 of 6", "4 of 7"],
        ["leaning dice that are a good throw, or nothing", "1 of 6", "1 of 7"],
        ["said over 0.99 and right", "3 of 4", "3 of 4"],
        ["readings a minute, trembling 0.3 px / firm with shadows", live, live],
        ["flat dice right", "12 of 12", "14 of 14"],
    ]


def test_what_was_not_measured_is_a_dash():
    rows = for_people({}, {}, with_hard=False).splitlines()[1:]
    assert [row.split()[-1] for row in rows] == ["-"] * 8


def test_errors_toml_has_what_was_counted():
    told = {"measured": {"command": 'a "b"', "ordinary": ["T1"]}, "ordinary": ORDINARY}
    read = tomllib.loads(toml(ERRORS, told))
    assert read["measured"] == {"command": 'a "b"', "ordinary": ["T1"]}
    assert read["ordinary"] == ORDINARY
    assert "unseen = { of = 30, wrong = 2," in toml(ERRORS, {"ordinary": ORDINARY})


def said(odds, offset, slope, boards=4000):
    """A look at each board, of a reader that reckons such odds and is right as often as a line says."""
    rng = np.random.default_rng(3)
    looks = []
    for number in range(boards):
        nats = rng.uniform(*odds)
        is_wrong, is_true = rng.random(2) > 1 / (1 + math.exp(-offset - slope * nats))
        looks.append({
            "table": "T1",
            "board": f"{number}.jpg",
            "confidence": 1 / (1 + math.exp(-nats)),
            "wrong": [{"kind": "single.unseen"}] * bool(is_wrong),
            "alternatives": [[nats, bool(is_true), ""]],
        })  # fmt: skip
    return looks


def test_odds_are_set_right_by_how_often_they_were():
    fitted = sureness_of(said((0.3, 6.0), -0.7, 0.6), AS_RECKONED)
    for line in fitted.values():
        assert line["offset"] == pytest.approx(-0.7, abs=0.2)
        assert line["slope"] == pytest.approx(0.6, abs=0.1)
        assert sum(line["said"]) == 4000
        assert sum(line["right"]) == pytest.approx(4000 * 0.70, rel=0.1)


def test_a_reader_that_is_set_right_is_fitted_as_if_it_were_not():
    lines = {name: {"offset": -0.7, "slope": 0.6} for name in AS_RECKONED}
    fitted = sureness_of(said((-0.5, 3.0), 0.0, 1.0), lines)
    for line in fitted.values():
        assert line["offset"] == pytest.approx(-0.7, abs=0.2)
        assert line["slope"] == pytest.approx(0.6, abs=0.1)


def test_nobody_is_made_sure_by_few_boards():
    line = sureness_of(said((2.0, 3.0), 9.0, 0.0, boards=10), AS_RECKONED)["board"]
    assert line["right"] == line["said"]
    assert line["offset"] + line["slope"] * 2.5 == pytest.approx(math.log(11), abs=0.3)


@pytest.fixture(scope="module")
def picture():
    """A board's worth of colours, with grain of 3 grey levels."""
    rng = np.random.default_rng(1)
    flat = np.full((240, 320, 3), (90, 140, 180), np.uint8)
    cv2.rectangle(flat, (60, 60), (180, 180), (40, 40, 200), -1)
    return np.clip(flat + rng.normal(0, 3, flat.shape), 0, 255).astype(np.uint8)


def test_a_scene_is_developed_the_same_by_the_same_chance(picture):
    moment = Moment(1.05, 0.02, Shadow((0.5, 0.5), 0.2, 0.4), (0.3, -0.2), 90)
    one, same, other = (Scene(picture).develop(moment, np.random.default_rng(seed)) for seed in (7, 7, 8))
    assert (one == same).all()
    assert (one != other).any()


def test_fresh_grain_is_as_strong_as_the_pictures_own(picture):
    fresh = Scene(picture).develop(Moment(), np.random.default_rng(1))
    assert grain_of(fresh) == pytest.approx(grain_of(picture), rel=0.1)
    assert np.corrcoef((fresh - 90.0)[..., 0].ravel(), (picture - 90.0)[..., 0].ravel())[0, 1] < 0.999
    assert fresh.mean() == pytest.approx(picture.mean(), abs=0.5)


def test_a_shadow_takes_light_where_it_lies(picture):
    dark = Scene(picture).develop(Moment(shadow=Shadow((0.2, 0.5), 0.1, 0.5)), np.random.default_rng(1))
    assert dark[120, 64].mean() < 0.85 * picture[120, 64].mean()
    assert dark[20, 310].mean() > 0.9 * picture[20, 310].mean()


def test_a_firm_camera_wobbles_by_what_is_said():
    shifts = [m.shift_px for m in islice(weather(np.random.default_rng(1), 4.0, 0.1, 0.0), 4000)]
    assert np.std(shifts) == pytest.approx(0.1, rel=0.05)
    shadowed = [m.shadow is not None for m in islice(weather(np.random.default_rng(1), 4.0, 0.1, 10.0), 4000)]
    # Ten a minute begin where none is; each lasts 1.5 to 4 s.
    assert 0.2 < np.mean(shadowed) < 0.45


@dataclass(frozen=True)
class Learned:
    """What is known of a table of which one pixel is a millimetre, seen from straight above and far away."""

    camera: CameraModel
    piece_diameter_mm: float = 20.0
    piece_height_mm: float = 1.0


LEARNED = Learned(CameraModel(620, 620, 1e5, 0.0, 0.0, 0.0, (0.0, 0.0, 0.0), (0.0, 0.0, 1e5)))


@pytest.fixture(scope="module")
def bare():
    """A bare board of uneven grey."""
    rough = np.random.default_rng(3).uniform(90, 180, (31, 31, 3)).astype(np.float32)
    return cv2.resize(rough, (620, 620), interpolation=cv2.INTER_CUBIC).clip(0, 255).astype(np.uint8)


def with_piece(bare, at):
    """The board in four fifths of the light, with a blue piece and a shadow to its right."""
    lit = bare * 0.8
    shade = np.ones(bare.shape[:2])
    cv2.circle(shade, (round(at[0]) + 12, round(at[1])), 10, 0.6, -1)
    lit = (lit * shade[..., None]).astype(np.uint8)
    return cv2.circle(lit, (round(at[0]), round(at[1])), 10, (200, 60, 20), -1)


HERE, THERE = PLAN.centre_mm((6, 3)), PLAN.centre_mm((6, 5))
LONE = Stand(
    "001.jpg", (piece("green", "track", (6, 3)), piece("red", "track", (6, 1)), piece("red", "base")), ()
)


def test_a_piece_that_is_lifted_leaves_the_bare_board_in_the_light_round_it(bare):
    gone = without(with_piece(bare, HERE), bare, LEARNED.camera, HERE)
    assert np.abs(gone - bare * 0.8).max() < 4


def test_a_piece_that_is_moved_takes_its_shadow_along(bare):
    picture = with_piece(bare, HERE)
    gone = without(picture, bare, LEARNED.camera, HERE)
    made = put(picture, gone, LEARNED, HERE, THERE)
    expected = with_piece(bare, THERE)
    assert np.abs(made.astype(int) - expected).mean() < 1
    x, y = map(round, THERE)
    assert np.abs(made[y, x].astype(int) - expected[y, x]).max() < 6
    assert np.abs(made[y, x + 18].astype(int) - expected[y, x + 18]).max() < 12
    assert np.abs(made[round(HERE[1]), round(HERE[0])] - bare[round(HERE[1]), round(HERE[0])] * 0.8).max() < 4


def test_only_a_plain_lone_piece_is_lifted_and_moved_along_its_lane():
    first, second, _ = LONE.pieces
    assert lone(LONE) == [first, second]
    hardly_seen, near = replace(first, visible=0.5), replace(second, xy_mm=PLAN.centre_mm((6, 4)))
    assert lone(replace(LONE, pieces=(hardly_seen, second))) == [second]
    assert lone(replace(LONE, pieces=(first, near))) == []
    # Up to four squares, none of them beside the red piece: rows 1 and 2 are, and row 6 is of another lane.
    assert set(goals(PLAN, LONE, first)) == {(6, 4), (6, 5)}
    assert moved(PLAN, first, (6, 5)) == piece("green", "track", (6, 5))
    x, y = first.xy_mm
    assert moved(PLAN, replace(first, xy_mm=(x + 2, y - 3)), (6, 5)).xy_mm == (THERE[0] + 2, THERE[1] - 3)
    assert lifted(LONE, first).pieces == LONE.pieces[1:]


def labels(frames=()):
    return {
        "seats": list(PLAN.board.seats),
        "plan_top_left_seat": "red",
        "lighting": "window",
        "frames": list(frames),
    }


def folder(tmp_path, name, text):
    (tmp_path / name).mkdir()
    (tmp_path / name / "labels.json").write_text(text, encoding="utf-8")
    return tmp_path / name


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({**labels(), "plan_top_left_seat": "pink"})])
def test_senseless_labels_get_one_line(tmp_path, capsys, text):
    table = folder(tmp_path, "T1", text)
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "out"), str(table)])
    assert stopped.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{table / 'labels.json'}: ")


def test_a_folder_without_labels_and_an_unknown_hard_table_get_one_line(tmp_path, capsys):
    table = folder(tmp_path, "T1", json.dumps(labels()))
    for argv in ([str(tmp_path)], [str(table), str(table)], [str(table), "--hard", "T9"]):
        with pytest.raises(SystemExit) as stopped:
            main([str(tmp_path / "out"), *argv])
        assert stopped.value.code == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def lines_in(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_table_that_is_refused_is_one_line_and_the_rest_goes_on(tmp_path, capsys):
    frame = {"file": "001.jpg", "flags": {"hand": False}, "dice": [], "pieces": [
        {"colour": "red", "place": "track", "cell": [5, 6], "xy_mm": [225.0, 265.0]}]}  # fmt: skip
    grey = np.full((90, 160, 3), 120, np.uint8)
    tables = [folder(tmp_path, name, json.dumps(labels([frame]))) for name in ("T1", "T2")]
    for table in tables:
        for name in ("empty.jpg", "start.jpg", "001.jpg"):
            cv2.imwrite(str(table / name), grey)
    out = tmp_path / "out"
    main([str(out), *map(str, tables), "--only", "looks"])
    said = capsys.readouterr()
    assert [line.split(":")[:2] for line in said.err.splitlines()] == [["T1", " refused"], ["T2", " refused"]]
    assert tomllib.loads((out / "errors.toml").read_text())["measured"]["refused"] == ["T1", "T2"]
    # It goes on where it was: neither is tried again, and a line that was cut off is forgotten.
    known = (out / "T1.jsonl").read_text()
    (out / "T1.jsonl").write_text(known + '{"table": "T')
    main([str(out), *map(str, tables), "--only", "looks"])
    assert capsys.readouterr().err == said.err
    assert (out / "T1.jsonl").read_text() == known


def test_lines_are_printed_without_reading_again(tmp_path, capsys):
    tables = [folder(tmp_path, name, json.dumps(labels())) for name in ("T1", "T2")]
    out = tmp_path / "out"
    argv = [str(out), *map(str, tables), "--hard", "T2"]
    main(argv)
    for name in ("T1", "T2"):
        (out / f"{name}.jsonl").write_text("".join(f"{json.dumps(x)}\n" for x in LINES if x["table"] == name))
    capsys.readouterr()
    main([*argv, "--print"])
    assert capsys.readouterr().out == f"{for_people(ORDINARY, ALL, with_hard=True)}\n"
    read = tomllib.loads((out / "errors.toml").read_text())
    assert (read["ordinary"], read["all"]) == (ORDINARY, ALL)
    assert (read["measured"]["ordinary"], read["measured"]["hard"]) == (["T1"], ["T2"])
    assert read["measured"]["command"] == shlex.join(["python", "-m", "tools.reader", *argv])


def test_nothing_is_printed_where_nothing_was_measured(tmp_path, capsys):
    table = folder(tmp_path, "T1", json.dumps(labels()))
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "out"), str(table), "--print"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == f"{tmp_path / 'out'}: nothing was measured there; leave out --print\n"


def test_another_amount_does_not_mix_with_what_is_there(tmp_path, capsys):
    table = folder(tmp_path, "T1", json.dumps(labels()))
    main([str(tmp_path / "out"), str(table)])
    with pytest.raises(SystemExit) as stopped:
        main([str(tmp_path / "out"), str(table), "--looks", "3"])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith("name another OUT\n")


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """A table from the simulator. Its labels tell of a blue piece out of base that is still there."""
    folder = tmp_path_factory.mktemp("tables") / "SIM"
    folder.mkdir()
    renderer = Renderer(PLAN, look_for(1), size=(1536, 864), seed=1)
    squares = {(0, 0): (3, 6), (1, 0): (6, 12), (3, 1): (12, 8)}
    pieces, told = [], []
    for seat, colour in enumerate(PLAN.board.seats):
        for number, base_mm in enumerate(renderer.spots(seat)):
            cell = squares.get((seat, number))
            xy_mm = PLAN.centre_mm(cell) if cell else base_mm
            place = {"place": "track" if cell else "base", "cell": cell, "xy_mm": xy_mm, "visible": 1.0}
            told.append({"colour": colour, **place})
            shown_mm = base_mm if seat == 3 else xy_mm
            pieces.append(WoodenPiece(seat, int(bool(cell)), *shown_mm, grain=4 * seat + number))
    pictures = {
        "empty.jpg": renderer.empty,
        "start.jpg": renderer.start,
        "001.jpg": renderer.frame(Shown(tuple(pieces))),
    }
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / name), picture)
    frame = {"file": "001.jpg", "flags": {"hand": False}, "dice": [], "pieces": told}
    (folder / "labels.json").write_text(json.dumps(labels([frame])))
    return folder


def test_a_board_is_read_and_its_errors_are_the_same_again(simulated, tmp_path, monkeypatch):
    profile = Table(simulated).reader.profile
    # Learned once, because that takes longest.
    monkeypatch.setattr("tools.reader.tables.calibrate", lambda *_, **__: profile)
    outs = [tmp_path / "one", tmp_path / "other"]
    amount = ["--looks", "2", "--lifts", "1", "--plays", "1", "--watched", "1", "--seconds", "1"]
    for out in outs:
        main([str(out), str(simulated), *amount])
    read, again = (tomllib.loads((out / "errors.toml").read_text())["ordinary"] for out in outs)
    assert read == again
    assert (outs[0] / "SIM.jsonl").read_bytes() == (outs[1] / "SIM.jsonl").read_bytes()
    assert read["boards"] == {"of": 1, "looks": 2, "wrong_at_first": 1, "wrong_at_some": 1, "wrong_at_all": 1}
    assert {
        f"{thing}.{way}": kind["wrong"]
        for thing in KINDS
        for way, kind in read[thing].items()
        if kind["wrong"]
    } == {"single.unseen": 2, "base.more": 2}
    assert read["together"]["ends_of_one_piece"] == 4
    assert (read["lifts"]["of"], read["lifts"]["elsewhere"]) == (1, 0)
    assert (read["plays"]["of"], read["plays"]["come_by_play"]) == (1, 0)
    assert read["plays"]["wrong_at_its_squares_after"] == 0
    firm = read["live"]["firm"]
    assert (firm["frames"], firm["readings"], firm["errors_at_first"]) == (4, 0, 2)
    assert {path.name for path in (outs[0] / "wrong").iterdir()} >= {"SIM-001-looks.png", "SIM-001-lifts.png"}
