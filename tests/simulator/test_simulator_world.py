"""The simulated table plays whole matches by its own clock, cheats as asked and hears the referee."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from uckers_table.game.board import BASE, Board, Plan
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import begin, new_match
from uckers_table.game.position import all_in_base, position_from
from uckers_table.game.rules import known_rules, load_rules
from uckers_table.game.setting import Setting
from uckers_table.simulator.camera import SimulatedCamera
from uckers_table.simulator.cheats import timber_shift
from uckers_table.simulator.hands import TableTop
from uckers_table.simulator.interfaces import Unpainted
from uckers_table.simulator.look import look_for
from uckers_table.simulator.placing import PlacedPieces
from uckers_table.simulator.players import CAPTURE, TURN, prospect
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.world import SimulatedTable

BOARD = Board()
PLAN = Plan(BOARD)
HOUR_S = 3600.0


class RecordingTower:
    """Takes every throw and remembers it; `works` False is a tower whose cable is out."""

    def __init__(self, works=True):
        self.works, self.told = works, []

    def throw(self, dice):
        self.told.append(dice)
        return self.works

    def cocked(self):
        self.told.append("cocked")
        return self.works

    def dropped(self):
        self.told.append("dropped")
        return self.works


def table(seed=1, tower=None, painter=None, press=lambda name: None, rules="br4006", **options):
    match = new_match(load_rules(rules), BOARD)
    return SimulatedTable(match, painter or Unpainted(PLAN), tower, press, seed=seed, **options)


def evening(world, each=lambda frame: None):
    """All frames to the end, at most three hours of them."""
    frames = []
    while (frame := world.advance()) is not None:
        assert frame.t < 3 * HOUR_S, "the match does not end"
        each(frame)
        frames.append(frame)
    return frames


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_match_ends_with_a_winner(seed):
    tower = RecordingTower()
    world = table(seed, tower)
    frames = evening(world)
    assert world.over and world.match.awaiting is Awaiting.OVER
    winner = world.match.winner
    assert all(world.match.position[seat] == (57,) * 4 for seat in winner) and len(winner) == 2
    assert stands_as_ended(world)
    assert world.log[-1].what == "won"
    assert len(tower.told) == sum(entry.what == "throw" for entry in world.log)
    assert frames[-1].t - world.log[-1].t >= 4.0
    assert world.advance() is None


def stands_as_ended(world):
    """Whether the pieces stand as on record, or, of who won standing up and walked away, where they stood."""
    return replace(world.scene, hands=()).steps(4) in (world.match.position, world.match.behind)


def test_life_is_paced_like_life():
    world = table(2, RecordingTower())
    frames = evening(world)
    throws = [entry.t for entry in world.log if entry.what == "throw"]
    assert 7.0 < (throws[-1] - throws[0]) / (len(throws) - 1) < 11.0
    assert {round(b.t - a.t, 3) for a, b in pairwise(frames)} == {0.4, 0.5}


def test_the_same_seed_gives_the_same_evening():
    first, again, other = table(7, cheats=3), table(7, cheats=3), table(8, cheats=3)
    for world in (first, again, other):
        evening(world)
    assert first.log == again.log
    assert first.log[:40] != other.log[:40]


def test_pieces_stand_as_the_match_has_them_when_a_throw_is_due():
    world = table(3, RecordingTower())
    seen = Counter()

    def check(frame):
        due = world.match.awaiting is Awaiting.THROW and not world.scene.hands
        if due and world.log[-1].what == "play":
            seen["still"] += 1
            assert world.scene.steps(4) == world.match.position
        seen["hand"] += bool(world.scene.hands)

    evening(world, check)
    assert seen["still"] > 300 and seen["hand"] > 300


def test_faulty_throws_happen_now_and_then():
    tower = RecordingTower()
    for seed in range(4):
        evening(table(seed, tower))
    told = Counter(dice if isinstance(dice, str) else "good" for dice in tower.told)
    assert told["good"] > 800
    assert 3 <= told["cocked"] <= 0.03 * told["good"]
    assert 1 <= told["dropped"] <= 0.02 * told["good"]


def test_faults_come_in_runs_so_that_some_are_punished():
    punished = 0
    for seed in range(12):
        tower = RecordingTower()
        evening(table(seed, tower, rules="submariners"))
        # Three in a row by one player end his turn; a run of three cannot be longer.
        told = ["." if isinstance(dice, tuple) else "x" for dice in tower.told]
        punished += "".join(told).count("xxx")
    assert 1 <= punished <= 12


def test_dice_are_honest():
    tower = RecordingTower()
    for seed in range(6):
        evening(table(seed, tower))
    faces = Counter(die for dice in tower.told if not isinstance(dice, str) for die in dice)
    expected = sum(faces.values()) / 6
    chi_squared = sum((faces[face] - expected) ** 2 / expected for face in range(1, 7))
    assert chi_squared < 20.5  # five degrees of freedom: one honest set in a thousand lies above


def calls_of(rules, seeds, **options):
    """What is called in so many evenings under a rule set, and the buttons pressed for it."""
    called, pressed = Counter(), []
    for seed in range(seeds):
        world = table(seed, RecordingTower(), press=pressed.append, rules=rules, **options)
        evening(world)
        called += Counter(entry.kind for entry in world.log if entry.what == "call")
    return called, Counter(pressed)


def test_what_is_called_is_called_by_the_buttons():
    called, pressed = calls_of("br4006", 6)
    assert set(called) == {"challenge", "stand_up_finish"}
    assert pressed == {"challenge": called["challenge"], "suckback": called["stand_up_finish"]}


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        ("wafu", {"challenge", "stand_up_finish", "snake_eyes", "suckback", "blowback"}),
        ("couk_suckback", {"challenge", "stand_up_finish", "suckback"}),
        ("wiki", {"challenge", "stand_up_finish"}),
        ("western_ludo", {"stand_up_finish", "decline"}),
    ],
)
def test_all_that_a_rule_set_lets_players_call_is_called_and_nothing_else(rules, kinds):
    called, _ = calls_of(rules, 10)
    assert set(called) == kinds


def test_a_player_who_is_asked_which_call_he_means_presses_its_number():
    # Red's 12 is green's mouth; green stands on the second and the fourth square of its chute.
    prey = position_from(BOARD, {"red": [12, 0, 0, 0], "green": [53, 55, 0, 0]})
    setting = Setting(load_rules("wafu"), BOARD)
    pressed = []

    def press(name):
        pressed.append(name)
        if name == "suckback":
            world.hear("Which one? Press its number.")

    match = begin(setting, to_play="red", position=prey, turns_taken=1)
    world = SimulatedTable(match, Unpainted(PLAN), RecordingTower(), press, seed=1, max_throws=1)
    evening(world)
    call = next(entry for entry in world.log if entry.what == "call")
    # The fourth of the buttons that are numbers is the challenge button, the second undo.
    assert (call.kind, pressed[0]) == ("suckback", "suckback")
    assert pressed[1] in ("undo", "challenge")


def test_a_call_that_is_refused_is_not_made():
    def press(name):
        world.hear("Refused: not now.")

    world = table(1, RecordingTower(), press=press, rules="wafu", max_throws=20)
    evening(world)
    assert not any(entry.what == "call" for entry in world.log)


def test_a_suckback_under_the_rules_of_one_die_is_thrown_with_one():
    prey = position_from(BOARD, {"red": [12, 0, 0, 0], "green": [55, 0, 0, 0]})
    setting = Setting(load_rules("couk_suckback"), BOARD)
    tower = RecordingTower()
    match = begin(setting, to_play="red", position=prey, turns_taken=1)
    world = SimulatedTable(match, Unpainted(PLAN), tower, lambda name: None, seed=1, max_throws=2)
    evening(world)
    assert [entry.kind for entry in world.log if entry.what == "call"] == ["suckback"]
    assert [len(dice) for dice in tower.told] == [1, 2]


def test_what_a_call_promises_is_reckoned_over_all_throws():
    prey = position_from(BOARD, {"red": [12, 0, 0, 0], "green": [55, 0, 0, 0]})
    match = begin(Setting(load_rules("couk_suckback"), BOARD), to_play="red", position=prey, turns_taken=1)
    # One in six sends 55 back; all go one on.
    expected = (CAPTURE + 0.3 * 55) / 6 + 1 - TURN
    assert prospect(match, Call("suckback", 0, 12, 4)) == pytest.approx(expected)


def test_uncalled_cheats_are_logged_and_stand():
    kinds = Counter()
    for seed in range(6):
        world = table(seed, RecordingTower(), cheats=6)
        evening(world)
        what = [entry for entry in world.log if entry.what in ("cheat", "stood", "called", "throw")]
        planted = [i for i, entry in enumerate(what) if entry.what == "cheat"]
        assert len(planted) == 6
        for i in planted:
            kinds[what[i].kind] += 1
            assert [entry.what for entry in what[i + 1 : i + 3]] == ["stood", "throw"]
            assert what[i + 1].t - what[i].t == pytest.approx(6.0)
            assert what[i + 2].position == what[i].position
    assert set(kinds) == {"padded", "trimmed", "wrong_side", "timber_shift"}


def test_called_cheats_are_put_right():
    world = table(2, RecordingTower(), cheats=10)
    answered = 0

    def referee(frame):
        nonlocal answered
        cheats = [entry for entry in world.log if entry.what == "cheat"]
        if len(cheats) > answered and frame.t > cheats[-1].t + 2.0:
            answered += 1
            shifted = cheats[-1].kind == "timber_shift"
            world.hear("Timber shift. Put it back." if shifted else "Illegal. Red moved 7.")

    evening(world, referee)
    what = [
        entry
        for entry in world.log
        if entry.what in ("cheat", "called", "put_right", "play", "stood", "accused")
    ]
    after = [(what[i + 1].what, what[i + 2].what) for i, entry in enumerate(what) if entry.what == "cheat"]
    assert len(after) == 10
    assert {first for first, _ in after} == {"called"}
    assert {then for _, then in after} == {"put_right", "play"}
    assert not any(entry.what in ("stood", "accused") for entry in what)


def test_a_false_accusation_is_logged_and_taken_back_by_the_button():
    pressed = []
    world = table(5, RecordingTower(), press=pressed.append)
    for _ in range(40):
        world.advance()
    world.hear("Illegal. Red moved 7; the dice said 6 and 2.")
    for _ in range(10):
        world.advance()
    assert [entry.kind for entry in world.log if entry.what == "accused"] == [
        "Illegal. Red moved 7; the dice said 6 and 2."
    ]
    assert "undo" in pressed


@pytest.mark.parametrize(
    ("sentence", "button"),
    [
        ("Check green's doorstep.", "done"),
        ("Pieces are not where I left them. Press done to take it as it stands.", "done"),
        ("Two pieces are not where I left them. Press done to take it as it stands.", "done"),
        ("Green starts.", None),
    ],
)
def test_a_question_is_answered_with_its_button(sentence, button):
    pressed = []
    world = table(5, RecordingTower(), press=pressed.append)
    world.hear(sentence)
    for _ in range(8):
        world.advance()
    assert pressed == ([] if button is None else [button])


def test_without_a_tower_dice_lie_on_the_board_until_the_next_throw():
    world = table(6, None, max_throws=30)
    lying = set()
    evening(world, lambda frame: lying.add(world.scene.dice))
    lying.discard(())
    throws = [entry.kind for entry in world.log if entry.what == "throw" and entry.kind[0].isdigit()]
    flat = [dice for dice in lying if len(dice) == 2 and all(die.state == "flat" for die in dice)]
    assert sorted(" ".join(str(die.value) for die in dice) for dice in flat) == sorted(throws)


def test_a_throw_that_the_tower_could_not_tell_is_laid_on_the_board():
    tower = RecordingTower(works=False)
    world = table(6, tower, max_throws=6)
    shown = []
    evening(world, lambda frame: shown.append(tuple(die.value for die in world.scene.dice)))
    good = [dice for dice in tower.told if not isinstance(dice, str)]
    assert [dice for i, dice in enumerate(shown) if dice and dice != shown[i - 1]] == good


def test_under_a_covered_lens_all_is_black_and_the_evening_still_ends():
    painter = Renderer(PLAN, look_for(1), size=(384, 216), seed=1)
    world = table(1, RecordingTower(), painter, cover_lens=True, max_throws=12)
    assert world.empty.mean() > 30 and world.start.mean() > 30
    frames = evening(world)
    assert world.over and frames[-1].t < HOUR_S
    assert not any(frame.image.any() for frame in frames)
    assert frames[0].image.shape == (216, 384, 3)


def test_hands_are_seen_and_still_frames_are_the_same_array():
    painter = Renderer(PLAN, look_for(1), size=(384, 216), seed=1)
    world = table(1, RecordingTower(), painter, max_throws=24)
    repeats = 0
    previous = None, None

    def check(frame):
        nonlocal repeats, previous
        scene, image = previous
        assert (scene == world.scene) == (image is frame.image) or scene is None
        repeats += image is frame.image
        previous = world.scene, frame.image

    evening(world, check)
    assert repeats > 50


def test_the_camera_gives_the_worlds_frames_and_can_be_closed():
    pauses = []
    camera = SimulatedCamera(table(1, RecordingTower()), pauses.append)
    times = [camera.read().t for _ in range(4)]
    assert camera.waits and camera.name == "camera"
    assert np.cumsum(pauses) == pytest.approx(times)
    camera.close()
    camera.close()
    assert camera.read() is None


@pytest.mark.parametrize("rules", known_rules())
def test_all_rule_sets_are_played_to_the_end(rules):
    world = table(2, RecordingTower(), rules=rules, cheats=4)
    evening(world)
    assert world.match.awaiting is Awaiting.OVER
    assert stands_as_ended(world)


def test_the_evening_begins_with_all_pieces_in_base():
    world = table(0)
    world.advance()
    assert world.scene.steps(4) == all_in_base(BOARD) == position_from(BOARD, {"red": [BASE] * 4})


@pytest.mark.parametrize("clearly", [False, True])
def test_a_piece_moved_to_cheat_is_left_on_no_line(clearly):
    on_the_old_square = 0
    for seed in range(20):
        rng = random.Random(seed)
        placed = PlacedPieces(PLAN, [Unpainted(PLAN).spots(seat) for seat in range(BOARD.arms)], rng)
        top = TableTop(placed, rng, across=1.0)
        for steps in (1, 10, 11):
            wanted = position_from(BOARD, {"red": [steps, 0, 0, 0]})
            list(top.put_as(wanted, 0, clearly=clearly))
        (piece,) = (p for p in placed.pieces if p.steps == 11)
        on_the_old_square += PLAN.cell_at(piece.x_mm, piece.y_mm) == PLAN.cell(0, 10)
    assert (on_the_old_square == 0) is clearly


def test_to_take_a_play_back_before_the_next_throw_is_no_cheat():
    before = position_from(BOARD, {"red": [10, 0, 0, 0]})
    played = position_from(BOARD, {"red": [12, 0, 0, 0]})
    match = begin(Setting(load_rules("br4006"), BOARD), to_play="green", position=played)

    def boards(*played_from):
        tries = (
            timber_shift(match, random.Random(seed), ("timber_shift",), *played_from) for seed in range(60)
        )
        return {cheat.position for cheat in tries if cheat is not None}

    assert boards() - boards(before) == {before}
