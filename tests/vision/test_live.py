"""The live reader at a rendered table: what a cold read says, without the work where nothing changed."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Plan
from uckers_table.sighting import Sighting
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Die, Hand, Scene, WoodenPiece
from uckers_table.vision import live as live_module
from uckers_table.vision.live import LiveReader, board_window
from uckers_table.vision.reader import Looked, Reader

PLAN = Plan()
EMPTY_HANDED = {"red": (), "green": (), "yellow": (), "blue": ()}


@pytest.fixture(scope="module")
def renderer():
    return Renderer(PLAN, look_for(2), seed=2)


@pytest.fixture(scope="module")
def profile(renderer):
    return calibrated(renderer.empty, renderer.start, PLAN.board.seats)


@pytest.fixture
def reads(monkeypatch):
    """The frames that were read in full."""
    counted, look = [], Reader.look

    def counting(reader, picture):
        counted.append(picture)
        return look(reader, picture)

    monkeypatch.setattr(Reader, "look", counting)
    return counted


def at(seat, steps, grain=0):
    return WoodenPiece(seat, steps, *PLAN.centre_mm(PLAN.cell(seat, steps)), grain=grain)


BOARD = (at(0, 10), at(2, 20))


def noisy(picture, seed, levels=2):
    """The same view once more, with the sensor's noise drawn anew."""
    noise = levels * np.random.default_rng(seed).standard_normal(picture.shape, np.float32)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def lit(picture, bgr):
    """The same view in so much more or less light."""
    return np.clip(picture * np.array(bgr), 0, 255).astype(np.uint8)


def shaded(picture, x_px):
    """A person's shadow over what is left of a column, with an edge as soft as window light gives."""
    shade = np.clip((np.arange(picture.shape[1]) - x_px) / 40.0, 0.0, 1.0) * 0.5 + 0.5
    return lit(picture, shade[None, :, None])


def test_a_frame_that_shows_nothing_new_is_not_read_again(renderer, profile, reads):
    live, picture = LiveReader(profile), renderer.frame(Scene(BOARD))
    first = live.see(picture)
    assert [live.see(noisy(picture, seed)) for seed in range(5)] == [first] * 5
    assert live.see(picture) == live.see(picture) == first
    assert len(reads) == 1


def test_a_piece_that_moved_is_seen_at_once_and_as_a_cold_read_sees_it(renderer, profile):
    live = LiveReader(profile)
    live.see(renderer.frame(Scene((at(0, 10),))))
    picture = renderer.frame(Scene((at(0, 11),)))
    sighting = live.see(picture)
    assert sighting.pieces["red"] == (11,)
    assert replace(sighting, reading=0) == Reader(profile).read(picture)


def swung(picture, x_px, y_px):
    """The same view a part of a pixel beside its place."""
    way = np.array([[1.0, 0.0, x_px], [0.0, 1.0, y_px]])
    return cv2.warpAffine(picture, way, picture.shape[1::-1], flags=cv2.INTER_CUBIC)


def trembling(picture, frames, seed=1):
    """The same view by a camera that trembles by 0.3 pixels: frame after frame."""
    rng = np.random.default_rng(seed)
    for k in range(frames):
        yield noisy(swung(picture, *rng.normal(0, 0.3, 2)), 100 * seed + k)


def under_a_head(picture, at_px):
    """In the soft shadow of a head and shoulders."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]]
    away = np.hypot(x - at_px[0], y - at_px[1]) / (0.2 * picture.shape[1])
    return lit(picture, (1 - 0.4 / (1 + np.exp((away - 1) * 7)))[..., None])


def test_what_is_not_read_anew_is_the_same_reading(renderer, profile):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    played = renderer.frame(Scene((at(0, 11), at(2, 20))))
    seen = [
        live.see(noisy(picture, seed)) for seed, picture in enumerate([clear, clear, played, played, clear])
    ]
    assert [(s.reading, s.anew) for s in seen] == [(each, None) for each in (1, 1, 2, 2, 3)]
    # The board is as it was; that was seen a second time.
    assert (seen[4] == seen[0], seen[4].pieces == seen[0].pieces) == (False, True)


def test_an_arm_that_comes_in_is_a_hand_without_a_full_read(renderer, profile, reads):
    live = LiveReader(profile)
    clear = renderer.frame(Scene(BOARD))
    before = live.see(clear)
    for y_mm in (560.0, 400.0, 300.0):
        sighting = live.see(renderer.frame(Scene(BOARD, hands=(Hand(305.0, y_mm, 90.0),))))
        assert (sighting.hand, dict(sighting.pieces)) == (True, EMPTY_HANDED)
    assert live.see(noisy(clear, 1)) == before
    assert len(reads) == 1


def test_what_a_resting_hand_leaves_to_be_seen_is_read_once(renderer, profile, reads):
    live = LiveReader(profile)
    live.see(renderer.frame(Scene(BOARD)))
    resting = renderer.frame(Scene(BOARD, hands=(Hand(305.0, 450.0, 90.0),)))
    seen = [live.see(noisy(resting, seed)) for seed in range(5)]
    assert [s.hand for s in seen] == [True] * 5
    assert len(reads) == 2
    assert seen[1] == seen[4]


def test_a_hand_that_only_a_reading_shows_is_not_read_again_while_it_moves(
    renderer, profile, reads, monkeypatch
):
    monkeypatch.setattr(live_module, "crossing", lambda *pictures: None)
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    for y_mm in (450.0, 430.0, 400.0, 380.0):
        assert live.see(renderer.frame(Scene(BOARD, hands=(Hand(305.0, y_mm, 90.0),)))).hand
    assert len(reads) == 2
    gone = live.see(noisy(clear, 1))
    assert (gone.hand, gone.pieces) == (False, before.pieces)
    assert len(reads) == 3


@pytest.mark.parametrize("tip_mm", [(305.0, 400.0), (305.0, 560.0), (305.0, 600.0), (305.0, 620.0)])
@pytest.mark.parametrize("rests", [False, True])
def test_a_hand_that_has_gone_is_gone_by_whatever_way(renderer, profile, tip_mm, rests):
    live, board = LiveReader(profile), (at(0, 10),)
    clear = renderer.frame(Scene(board))
    live.see(clear)
    reached_over = renderer.frame(Scene(board, hands=(Hand(*tip_mm, 90.0),)))
    for seed in range(1 + rests):
        live.see(noisy(reached_over, seed))
    gone = live.see(noisy(clear, 1))
    assert (gone.hand, gone.pieces["red"]) == (False, (10,))


def test_a_persons_shadow_is_no_change(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    for k, x_px in enumerate((300, 500, 700, 900, 1100, 1100, 800, 400)):
        assert live.see(noisy(shaded(clear, x_px), k)) == before
    assert live.see(noisy(clear, 9)) == before
    assert len(reads) == 1


def test_light_that_fades_is_followed_without_a_reading(renderer, profile, reads):
    live, board = LiveReader(profile), (at(0, 10), at(1, 30), at(2, 20))
    clear = renderer.frame(Scene(board))
    before = live.see(clear)
    for k, share in enumerate(np.linspace(1.0, 0.78, 12)):
        assert live.see(noisy(lit(clear, (share**1.3, share, share**0.8)), k)) == before
    assert len(reads) == 1
    played = lit(renderer.frame(Scene((at(0, 12), *board[1:]))), (0.72, 0.78, 0.82))
    assert live.see(played).pieces["red"] == (12,)


def test_a_lamp_that_is_switched_is_survived_with_one_reading(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    seen = [live.see(noisy(lit(clear, (0.5, 0.6, 0.65)), seed)) for seed in range(9)]
    assert [s.pieces for s in seen] == [before.pieces] * 9
    assert not any(s.hand or s.trouble for s in seen)
    assert len(reads) == 2


@pytest.mark.parametrize(
    ("light", "trouble"), [((0.06, 0.06, 1.0), "colours_indistinct"), ((0.1, 0.1, 0.1), "too_dark")]
)
def test_light_in_which_nothing_can_be_told_is_said(renderer, profile, light, trouble):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    for seed in range(6):
        sighting = live.see(noisy(lit(clear, light), seed))
    assert (sighting.trouble, dict(sighting.pieces)) == ((trouble,), EMPTY_HANDED)
    for seed in range(6):
        again = live.see(noisy(clear, seed))
    assert again.pieces == before.pieces


def test_what_moves_beside_the_board_is_read_when_it_lies_still(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    u, v = renderer.view.project([(300.0, 640.0, 0.0)])[0]
    for k in range(6):
        cluttered = clear.copy()
        cv2.circle(cluttered, (round(float(u)) + 15 * k, round(float(v))), 14, (40, 200, 240), -1)
        assert live.see(cluttered) == before
    assert len(reads) == 1
    assert live.see(noisy(cluttered, 1)).pieces == before.pieces
    assert len(reads) == 2


def test_dice_count_once_they_lie_still(renderer, profile, reads):
    live = LiveReader(profile)
    live.see(renderer.frame(Scene(BOARD)))
    for k in range(6):
        rolling = (Die(1 + k, 160.0 + 9 * k, 180.0, 25.0 * k), Die(6 - k, 430.0 - 9 * k, 470.0, 35.0 * k))
        sighting = live.see(renderer.frame(Scene(BOARD, rolling)))
        assert (sighting.dice, sighting.pieces["red"]) == ((), (10,))
    assert len(reads) <= 4
    at_rest = live.see(noisy(renderer.frame(Scene(BOARD, rolling)), 1))
    assert sorted((d.value, d.state) for d in at_rest.dice) == [(1, "flat"), (6, "flat")]


def test_a_shaken_frame_is_said_and_forgotten(renderer, profile):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before = live.see(clear)
    assert live.see(cv2.blur(clear, (15, 1))).trouble == ("blurred",)
    for seed in range(2):
        again = live.see(noisy(clear, seed))
    assert (again.trouble, again.pieces) == ((), before.pieces)


def test_a_board_that_was_knocked_is_followed_and_then_still(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    before, knocked = live.see(clear), np.roll(clear, (4, -6), axis=(0, 1))
    seen = [live.see(noisy(knocked, seed)) for seed in range(5)]
    assert (seen[-1].trouble, seen[-1].pieces, seen[-1].hand) == (("board_moved",), before.pieces, False)
    assert len(reads) <= 3


def test_a_camera_that_trembles_for_forty_frames_is_one_reading(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    seen = [live.see(frame) for frame in trembling(clear, 40)]
    assert len(reads) == 1
    assert len(set(map(str, seen))) == 1


def test_the_shadow_of_a_head_that_passes_is_no_reading(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    # By the light of bulbs, paint that is not blue is nearly black in blue, and noise is a fifth of it.
    by_bulbs = lit(clear, (0.4, 0.5, 0.6))
    height, width = by_bulbs.shape[:2]
    way = [(share * width, (0.9 - 0.6 * share) * height) for share in np.linspace(-0.2, 0.8, 12)]
    shown = [by_bulbs, *(under_a_head(by_bulbs, at_px) for at_px in way), by_bulbs]
    seen = [live.see(noisy(picture, seed, 4)) for seed, picture in enumerate(shown)]
    assert (len(reads), seen[0].trouble) == (1, ())
    assert len(set(map(str, seen))) == 1


@pytest.mark.parametrize(
    "after",
    [(at(0, 11), at(2, 20)), (at(2, 20),), (at(0, 10),)],
    ids=["by one square", "red gone", "yellow gone"],
)
def test_what_changed_is_read_at_once_while_the_camera_trembles(renderer, profile, reads, after):
    live = LiveReader(profile)
    for frame in trembling(renderer.frame(Scene(BOARD)), 4):
        live.see(frame)
    (frame,) = trembling(renderer.frame(Scene(after)), 1, seed=2)
    seen = live.see(frame)
    assert {colour: steps for colour, steps in seen.pieces.items() if steps} == {
        colour: tuple(piece.steps for piece in after if piece.seat == seat)
        for seat, colour in enumerate(PLAN.board.seats)
        if any(piece.seat == seat for piece in after)
    }
    assert (len(reads), seen.reading) == (2, 2)


def test_a_board_that_slid_by_a_square_is_read_at_once_while_the_camera_trembles(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    for frame in trembling(clear, 4):
        before = live.see(frame)
    slid = np.roll(clear, round(PLAN.cell_mm * profile.camera.px_per_mm), axis=1)
    (frame,) = trembling(slid, 1, seed=2)
    seen = live.see(frame)
    assert (seen.trouble, seen.pieces, len(reads)) == (("board_moved",), before.pieces, 2)


def test_a_camera_that_was_nudged_is_followed_with_one_reading(renderer, profile, reads):
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    for frame in trembling(clear, 4):
        before = live.see(frame)
    # By a millimetre and a half: nothing seems to have moved, but the board lies elsewhere.
    nudged = swung(clear, 1.5 * profile.camera.px_per_mm * 0.7, 0.0)
    seen = [live.see(frame) for frame in trembling(nudged, 24, seed=2)]
    assert (seen[-1].pieces, len(reads), seen[-1].reading) == (before.pieces, 2, 2)


def told(reds, greens=(), **more):
    return Sighting({**EMPTY_HANDED, "red": reds, "green": greens}, **more)


HAND = told((), hand=True, confidence=0.0)


@pytest.fixture
def saying(monkeypatch):
    """Has the readings of a board say in turn what a test tells; how many there were is `said.readings`."""
    said = SimpleNamespace(readings=0, meanwhile=lambda: None)

    def say(*sightings):
        monkeypatch.setattr(Reader, "look", look)
        monkeypatch.setattr(Reader, "sighting", lambda reader, looked: sightings[said.readings - 1])
        monkeypatch.setattr(Reader, "strange_piece", lambda *of_what: None)
        return said

    def look(reader, picture):
        said.readings += 1
        said.meanwhile()
        return Looked(reader.profile.camera, picture, None, None, None, None, (), (), ())

    return say


def test_places_are_read_again_once_from_another_frame_and_the_rest_stays(renderer, profile, saying):
    # Red's step 10 is square 9, its step 20 square 19; green's step 5 is square 17.
    said = saying(told((10, 20), (5,)), told((10,), ()), told(()))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    first = live.see(clear)
    live.read_again(["19"])
    # That frame was read already.
    assert live.see(clear) == first
    again = live.see(noisy(clear, 1))
    assert (again.pieces, again.reading, again.anew) == (told((10,), (5,)).pieces, 2, ("19",))
    assert [live.see(noisy(clear, seed)) for seed in (2, 3)] == [again] * 2
    assert said.readings == 2


def test_who_asks_while_another_waits_is_answered_with_him(renderer, profile, saying):
    said = saying(told((10, 20), (5,)), told((20,), ()))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    live.see(clear)
    for places in (["9"], (), {"17", "9"}):
        live.read_again(places)
    seen = [live.see(noisy(clear, seed)) for seed in range(3)]
    assert [(s.pieces, s.anew) for s in seen] == [(told((20,), ()).pieces, ("17", "9"))] * 3
    assert said.readings == 2


def test_nothing_is_read_again_if_nothing_is_asked_for(renderer, profile, saying):
    said = saying(told((10,)))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    live.see(clear)
    live.read_again(())
    live.see(noisy(clear, 1))
    assert said.readings == 1


def test_who_asks_during_a_reading_is_answered_by_the_next(renderer, profile, saying):
    said = saying(told((10,)), told((11,)), told((12,)))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    said.meanwhile = lambda: live.read_again(["9"] if said.readings == 1 else [])
    seen = [live.see(noisy(clear, seed)) for seed in range(3)]
    assert [s.anew for s in seen] == [None, ("10", "9"), ("10", "9")]
    assert said.readings == 2


def test_a_reading_that_falls_due_anyhow_is_the_answer(renderer, profile, saying):
    said = saying(told((10, 20)), told((11, 20)), told(()))
    live = LiveReader(profile)
    live.see(renderer.frame(Scene(BOARD)))
    live.read_again(["19"])
    played = renderer.frame(Scene((at(0, 11), at(2, 20))))
    seen = [live.see(noisy(played, seed)) for seed in range(4)]
    assert [(s.pieces["red"], s.reading, s.anew) for s in seen] == [((11, 20), 2, None)] * 4
    assert said.readings == 2


def test_while_a_hand_moves_nothing_is_read_again(renderer, profile, saying):
    said = saying(told((10, 20)), told((10,)))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    live.see(clear)
    live.read_again(["19"])
    for y_mm in (560.0, 400.0, 300.0):
        assert live.see(renderer.frame(Scene(BOARD, hands=(Hand(305.0, y_mm, 90.0),)))).hand
    assert said.readings == 1
    gone = [live.see(noisy(clear, seed)) for seed in range(3)]
    assert (gone[-1].pieces["red"], gone[-1].anew, said.readings) == ((10,), ("19",), 2)


def test_what_a_resting_hand_hides_is_read_again_when_it_has_gone(renderer, profile, saying):
    said = saying(told((10, 20)), HAND, told((10,)))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    live.see(clear)
    resting = renderer.frame(Scene(BOARD, hands=(Hand(305.0, 450.0, 90.0),)))
    live.see(resting)
    live.read_again(["19"])
    assert [live.see(noisy(resting, seed)).hand for seed in range(3)] == [True] * 3
    assert said.readings == 2
    gone = [live.see(noisy(clear, seed)) for seed in range(3)]
    assert {(s.pieces["red"], s.anew) for s in gone} == {((10,), None)}
    assert said.readings == 3


def test_a_hand_that_only_the_new_reading_shows_is_said_and_the_places_wait(renderer, profile, saying):
    said = saying(told((10, 20)), HAND, told((10,)))
    live, clear = LiveReader(profile), renderer.frame(Scene(BOARD))
    live.see(clear)
    live.read_again(["19"])
    assert live.see(noisy(clear, 1)).hand
    played = renderer.frame(Scene((at(0, 10),)))
    seen = [live.see(noisy(played, seed)) for seed in range(4)]
    assert [(s.pieces["red"], s.anew) for s in seen] == [((10,), None)] * 4
    assert said.readings == 3


def test_the_window_is_the_board_with_its_margin(profile):
    rows, columns = board_window(profile)
    wide_rows, wide_columns = board_window(profile, 40.0)
    assert wide_rows.start < rows.start < rows.stop < wide_rows.stop
    assert wide_columns.start < columns.start < columns.stop < wide_columns.stop


def test_what_is_seen_is_drawn_on_the_newest_frame_of_the_board(renderer, profile):
    live, shown = LiveReader(profile), renderer.frame(Scene(BOARD))
    window = board_window(profile, 70.0)
    assert np.array_equal(live.marked(shown), shown[window])
    live.see(shown)
    # One ring for each piece: what was drawn lies at most a label's width from where they stand.
    drawn = (live.marked(shown).astype(int) - shown[window]).any(axis=2)
    ringed = [profile.camera.project([(piece.x_mm, piece.y_mm)])[0] for piece in BOARD]
    for x, y in ringed:
        at_x, at_y = round(x) - window[1].start, round(y) - window[0].start
        assert drawn[at_y - 15 : at_y + 15, at_x - 15 : at_x + 15].any()
    assert drawn.mean() < 0.2
