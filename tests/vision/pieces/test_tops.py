"""Which paint a top shows, and where it is."""

from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from uckers_table.vision.pieces import tops
from uckers_table.vision.pieces.shape import Shape, draw_disc
from uckers_table.vision.pieces.tops import nearest_colours
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas

COLOURS = np.array(
    [[0.05, 0.97, 1.19], [0.58, 0.25, 0.13], [0.17, 0.10, 0.96], [0.25, 0.40, 0.20]], np.float32
)
YELLOW, BLUE, RED, GREEN = range(4)
FAINT = 4.0
"""Sigmas by which a piece differs from paint of its own colour."""


def test_what_paint_mirrors_of_the_room_changes_its_dark_channels_most() -> None:
    """Green under a bulb that its base mirrors, and away from it: red differs by 0.026 of white in light."""
    away = np.array([[0.22, 0.39, 0.07]], np.float32)
    strictly, tolerantly = (nearest_colours(away, COLOURS, mirrored) for mirrored in (0.0, 0.022))
    assert strictly[0].tolist() == tolerantly[0].tolist() == [GREEN]
    assert strictly[1] > 5.0
    assert tolerantly[1] < strictly[1] / 2


def test_other_paints_are_told_though_they_may_mirror_something() -> None:
    best, _, lead, _ = nearest_colours(0.8 * COLOURS, COLOURS, 0.022)
    assert best.tolist() == [YELLOW, BLUE, RED, GREEN]
    assert lead.min() > 3.0


@pytest.mark.parametrize(("off_px", "llr"), [(2.0, -0.5), (4.0, 0.0)])
def test_a_disc_that_may_be_a_top_is_put_where_it_looks_most_like_one(off_px: float, llr: float) -> None:
    """A faint edge drawn off, as by a shadow: all discs of the neighbourhood are compared, step by step."""
    camera = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
    shape = Shape(camera, Canvas(610.0), 18.0, 20.4)
    top, size = np.array([[200.0, 300.0]]), shape.canvas.size
    on_top = np.zeros((size, size), np.uint8)
    draw_disc(on_top, top[0], shape.top_radius_px)
    change = cv2.GaussianBlur(on_top.astype(np.float32) * FAINT, (0, 0), 1.0)
    paint = np.where(on_top[..., None] > 0, COLOURS[RED], 0.8 * COLOURS[RED] + 0.1)
    seen = SimpleNamespace(
        now=change,
        change=np.repeat(change[..., None], 3, axis=2),
        reflected=lambda rows, columns: paint[rows, columns],
        llr=lambda colours, rows, columns: on_top[rows, columns] + llr,
    )
    seen.light = SimpleNamespace(above=np.ones((size // 2, size // 2), np.float32))
    off = tops.discs_at(top + off_px, seen.change, shape)
    moved, like = tops.placed_tops(off, tops.Likeness(off, seen, COLOURS, shape), seen, COLOURS, shape, 1.0)
    assert np.allclose(moved.at_px, top)
    assert like.colours.tolist() == [RED]
    assert np.allclose(moved.steps, tops.discs_at(top, seen.change, shape).steps)


def like_tops(paints, may_mirror, left=1.0, colours=COLOURS):
    """How like tops of these colours discs of these paints look, at places that lie apart, where so much
    of the light is left.
    """
    camera = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
    shape = Shape(camera, Canvas(610.0), 18.0, 20.4)
    at = np.array([[200.0, 100.0 + 80.0 * k] for k in range(len(paints))])
    size = shape.canvas.size
    on_board = np.full((size, size, 3), 0.9, np.float32)
    for paint, (x, y) in zip(paints, at.astype(int), strict=True):
        on_board[y - 30 : y + 30, x - 30 : x + 30] = paint
    layers = np.stack([np.full((size, size), 1 / left), np.zeros((size, size))]).astype(np.float32)
    seen = SimpleNamespace(
        now=on_board,
        change=on_board,
        reflected=lambda rows, columns: on_board[rows, columns],
        llr=lambda colours, rows, columns: np.ones(rows.shape),
        light=SimpleNamespace(above=np.ones((size // 2, size // 2), np.float32), layers=layers),
    )
    discs = tops.Discs(at, np.full((len(at), 24), 9.0, np.float32))
    like = tops.Likeness(discs, seen, colours, shape, may_mirror)
    return like.colours.tolist(), like.log_odds(np.ones(discs.steps.shape, dtype=bool))


def test_a_strip_may_be_mirrored_all_over_a_top() -> None:
    blue = (COLOURS[[BLUE]] ** 2.2 + 0.09) ** (1 / 2.2)
    which, odds = like_tops(blue, True)
    assert which == [BLUE]
    assert odds > like_tops(blue, False)[1] + 1.5
    # Who stands in the light of one strip leaves others.
    which, odds = like_tops(blue, True, left=0.77)
    assert which == [BLUE]
    assert odds > like_tops(blue, False, left=0.77)[1] + 1.5


def test_a_top_may_mirror_less_in_a_persons_shadow_than_when_it_was_learned() -> None:
    learned = COLOURS.copy()
    learned[RED] = 0.38, 0.29, 0.91
    red = np.array([[0.20, 0.11, 0.94]], np.float32)
    which, odds = like_tops(red, True, 0.6, learned)
    assert which == [RED]
    assert odds > like_tops(red, False, 0.6, learned)[1] + 1.0
    assert like_tops(red, True, 1.0, learned)[1] == like_tops(red, False, 1.0, learned)[1]


def test_no_strip_makes_pieces_of_other_paints() -> None:
    others = np.array([[0.9, 0.9, 0.9], [0.4, 0.6, 0.8], [0.1, 0.1, 0.1], [0.6, 0.2, 0.6]], np.float32)
    assert like_tops(others, True)[1].max() < 0
    plain = 0.9 * COLOURS
    assert np.all(like_tops(plain, True)[1] == like_tops(plain, False)[1])


def test_a_faint_disc_in_a_persons_shadow_is_among_those_looked_at() -> None:
    """There noise is twice as strong, and has sharper edges than the disc has in 1800 places."""
    camera = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
    shape = Shape(camera, Canvas(610.0), 18.0, 20.4)
    top, size = np.array([200.0, 300.0]), shape.canvas.size
    on_top = np.zeros((size, size), np.float32)
    draw_disc(on_top, top, shape.top_radius_px)
    noise = np.random.default_rng(2).normal(size=(size, size, 3)).astype(np.float32)
    noise = cv2.GaussianBlur(noise, (0, 0), 0.8)
    strength = np.where(np.arange(size) < size // 2, 2.0, 1.0)[:, None] / noise.std()
    disc = cv2.GaussianBlur(1.5 * on_top, (0, 0), 1.0)[..., None]
    change = (noise * strength + disc).astype(np.float32)
    seen = SimpleNamespace(change=change, active=np.ones((size // 2, size // 2), dtype=bool))
    places = tops.disc_places(seen, shape)
    found = tops.find_discs(seen, places[: tops.MANY_PLACES], shape)
    assert np.hypot(*(found.at_px - top).T).min() < 3.0
    assert np.hypot(*(places[:1800] - top).T).min() > 3.0


def test_discs_are_looked_for_only_where_most_of_a_top_may_differ() -> None:
    """On a thing as large as a top; not in noise at a shadow's edge, as sharp as that but 8 mm broad."""
    camera = CameraModel(2304, 1296, 1774.0, 1151.5, 647.5, 0.0, (0.0, 0.0, 0.0), (-305.0, -305.0, 980.0))
    shape = Shape(camera, Canvas(610.0), 18.0, 20.4)
    size, top = shape.canvas.size, np.array([400.0, 300.0])
    change = np.random.default_rng(1).normal(size=(size, size, 3)).astype(np.float32)
    change[:, 196:204] = 9.0
    active = np.zeros((size // 2, size // 2), dtype=bool)
    active[:, 97:103] = True
    on_top = np.zeros((size, size), np.uint8)
    draw_disc(on_top, top, shape.top_radius_px)
    change[on_top > 0] = 9.0
    active |= cv2.dilate(on_top, np.ones((5, 5), np.uint8))[::2, ::2] > 0
    places = tops.disc_places(SimpleNamespace(change=change, active=active), shape)
    assert np.hypot(*(places - top).T).min() < 3.0
    assert places[:, 0].min() > 380.0


def test_a_disc_that_is_plainly_a_top_or_none_stays() -> None:
    off = tops.Discs(np.array([[200.0, 300.0]]), np.ones((1, 24), np.float32))
    for odds in (1.1, -9.0):
        like = SimpleNamespace(log_odds=lambda free, odds=odds: np.full(len(free), odds))
        assert tops.placed_tops(off, like, None, COLOURS, None, 1.0) == (off, like)
