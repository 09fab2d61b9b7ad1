"""Calibrating from rendered pictures: the truth is the renderer's own camera, pieces and paint."""

import cv2
import numpy as np
import pytest

from uckers_table.errors import CalibrationError, UnknownTurnError
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.place.locate import apply, cross_cells, lattice
from uckers_table.vision.reader import Reader

SEATS = ("red", "blue", "yellow", "green")
SPREAD = np.stack(np.meshgrid(np.linspace(20, 590, 5), np.linspace(20, 590, 5)), axis=-1).reshape(-1, 2)


def test_the_camera_found_sees_the_board_where_it_is(table):
    for height_mm in (0.0, 18.0):
        by_renderer = table.renderer.view.project([(x, y, -height_mm) for x, y in SPREAD])
        found = table.profile.camera.project(np.column_stack([SPREAD, np.full(len(SPREAD), -height_mm)]))
        assert np.abs(found - np.asarray(by_renderer)).max() < 1.0


@pytest.mark.parametrize("seed", [2024183375, 910024])
def test_a_lattice_that_collapses_into_one_square_is_not_the_boards(seed):
    """What grew on these tables had three hundred places, most of them near one and the same square."""
    plan = Plan(Board())
    renderer = Renderer(plan, look_for(seed), size=(1536, 864), seed=seed)
    cells = lattice(renderer.empty, plan)
    assert cells is not None
    places = cross_cells(plan)
    seen = renderer.view.project([(*plan.centre_mm(cell), 0.0) for cell in places])
    turned = [np.array(places, dtype=float)]
    for _ in range(3):
        turned.append(np.column_stack([plan.cells - 1 - turned[-1][:, 1], turned[-1][:, 0]]))
    # Which quarter turn it is, the paint tells later.
    assert min(np.abs(apply(cells, each) - np.asarray(seen)).max() for each in turned) < 4.0


def in_order(spots_mm):
    return sorted(spots_mm, key=lambda p: (round(p[0], -1), p[1]))


def test_pieces_are_learned(table):
    assert 12 <= table.profile.piece_height_mm <= 20
    for seat in range(4):
        found, true = map(in_order, (table.profile.base_spots_mm[seat], table.renderer.spots(seat)))
        np.testing.assert_allclose(found, true, atol=3.0)
    blue, green, red = np.array(table.profile.piece_colours).T
    assert [
        red.argmax() in (0, 2),
        blue.argmax() == 1,
        (green - blue).argmax() == 2,
        (green - red).argmax() == 3,
    ] == [True] * 4


def test_a_lamp_mirrored_in_a_base_is_not_taken_for_its_pieces_paint(table):
    seat = SEATS.index("red")
    bare, start = table.renderer.empty, table.renderer.start
    y, x = np.mgrid[: len(bare), : bare.shape[1]]
    spots = table.renderer.view.project([(*spot, -18.0) for spot in table.renderer.spots(seat)[:2]])
    lamp = sum(np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * 40.0**2)) for u, v in np.asarray(spots))

    def mirroring(picture):
        light = (picture / 255.0) ** 2.2 + 0.06 * lamp[..., None]
        return (255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)

    profile = calibrate(mirroring(bare), mirroring(start), SEATS)
    plain = np.array(table.profile.piece_colours)[seat]
    assert np.abs(np.array(profile.piece_colours[seat]) - plain).max() > 0.1
    np.testing.assert_allclose(profile.plain_colours[seat], plain, atol=0.05)
    assert table.profile.plain_colours == table.profile.piece_colours


def with_a_lamp_all_over(renderer, seat):
    """The two pictures to calibrate from with a lamp mirrored in all of a base, less of it in its pieces:
    glossy varnish mirrors more than they do.
    """
    bare, start = renderer.empty, renderer.start
    y, x = np.mgrid[: len(bare), : bare.shape[1]]
    spots = np.asarray(renderer.view.project([(*s, 0.0) for s in renderer.spots(seat)]))
    middle = spots.mean(axis=0)
    away = np.hypot(x - middle[0], y - middle[1]) / np.hypot(*(spots[0] - middle))
    lamp = np.clip(3.5 - 2 * away, 0, 1)[..., None]
    stands = (np.abs(start.astype(int) - bare).max(axis=2, keepdims=True) > 20).astype(float)

    def mirroring(picture, much):
        light = (picture / 255.0) ** 2.2 + much * lamp
        return (255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)

    return mirroring(bare, 0.2), mirroring(start, 0.2 - 0.14 * stands)


def test_a_lamp_mirrored_in_a_whole_base_is_told_by_the_paint_round_it(table):
    """No piece of them shows its own colour."""
    seat = SEATS.index("red")
    profile = calibrate(*with_a_lamp_all_over(table.renderer, seat), SEATS)
    own = np.array(table.profile.piece_colours)[seat]
    learned, plain = (np.array(c[seat]) for c in (profile.piece_colours, profile.plain_colours))
    assert np.abs(learned - own).max() > 0.15
    assert np.abs(plain - own).max() < 0.6 * np.abs(learned - own).max()
    others = [k for k in range(4) if k != seat]
    assert [profile.plain_colours[k] for k in others] == [profile.piece_colours[k] for k in others]


def test_pieces_on_the_only_paint_as_bright_as_a_lamp_makes_theirs_are_found():
    seats = ("red", "green", "yellow", "blue")
    renderer = Renderer(Plan(Board(seats)), look_for(2), size=(1536, 864), seed=2)
    profile = calibrate(*with_a_lamp_all_over(renderer, 0), seats)
    found, true = map(in_order, (profile.base_spots_mm[0], renderer.spots(0)))
    np.testing.assert_allclose(found, true, atol=4.0)


@pytest.mark.parametrize("quarters", [1, 2])
def test_the_camera_may_hang_any_way_round(table, quarters):
    turned = [
        np.ascontiguousarray(np.rot90(p, quarters)) for p in (table.renderer.empty, table.renderer.start)
    ]
    profile = calibrate(turned[0], turned[1], SEATS)
    height, width = table.renderer.empty.shape[:2]
    x, y = table.profile.camera.project([(80.0, 80.0)])[0]
    expected = {1: (y, width - 1 - x), 2: (width - 1 - x, height - 1 - y)}[quarters]
    np.testing.assert_allclose(profile.camera.project([(80.0, 80.0)])[0], expected, atol=1.5)


def test_corners_and_top_left_do_instead_of_finding(table):
    corners = table.profile.camera.project([(0, 0), (610, 0), (610, 610), (0, 610)])
    start = int(corners.sum(axis=1).argmin())
    given = [(float(x) + 4, float(y) - 4) for x, y in np.roll(corners, -start, axis=0)]
    profile = calibrate(table.renderer.empty, table.renderer.start, SEATS, SEATS[start], given)
    np.testing.assert_allclose(profile.camera.project(SPREAD), table.profile.camera.project(SPREAD), atol=0.3)


NAMELESS = ("orange", "purple", "pink", "brown")
"""Colours of which no hue is known."""


def test_somebody_has_to_say_which_way_round_a_board_of_unknown_hues_lies(table):
    with pytest.raises(UnknownTurnError, match=r"neither paint nor pieces tell .* say --top-left"):
        calibrate(table.renderer.empty, table.renderer.start, NAMELESS)
    corners = table.profile.camera.project([(0, 0), (610, 0), (610, 610), (0, 610)])
    first = int(corners.sum(axis=1).argmin())
    profile = calibrate(table.renderer.empty, table.renderer.start, NAMELESS, NAMELESS[first])
    np.testing.assert_allclose(profile.camera.project(SPREAD), table.profile.camera.project(SPREAD), atol=0.3)


def bent(picture, k1, k2):
    """The picture as a lens shows it that bends so much more, in a Module 3's focal lengths."""
    height, width = picture.shape[:2]
    focal, middle = 0.77 * width, ((width - 1) / 2, (height - 1) / 2)
    k = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
    y, x = np.mgrid[:height, :width].astype(np.float32)
    seen = np.stack([x.ravel(), y.ravel()], axis=1)[:, None]
    at = cv2.undistortPoints(seen, k, np.array([k1, k2, 0, 0]), P=k).reshape(height, width, 2)
    out = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return out, lambda px: cv2.projectPoints(
        np.column_stack([(px - np.array(middle)) / focal, np.ones(len(px))]), np.zeros(3), np.zeros(3), k,
        np.array([k1, k2, 0, 0]),
    )[0][:, 0]  # fmt: skip


@pytest.mark.parametrize(("k1", "k2"), [(-0.14, -0.1), (0.12, 0.05), (-0.2, 0.1)])
def test_the_bend_of_a_lens_is_measured_by_the_boards_own_lines(table, k1, k2):
    empty, see = bent(table.renderer.empty, k1, k2)
    start, _ = bent(table.renderer.start, k1, k2)
    truly = np.asarray(table.renderer.view.project([(x, y, 0.0) for x, y in SPREAD]))
    found = calibrate(empty, start, SEATS).camera.project(SPREAD)
    assert np.abs(found - see(truly)).max() < 1.2
    assert np.abs(see(truly) - truly).max() > 8


def test_a_small_board_is_found_in_an_upright_picture(table):
    """Its cells are less than a sixtieth of the picture's height, and more of its width."""
    small = cv2.resize(np.rot90(table.renderer.empty), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    picture = np.full((1700, 864, 3), 60, np.uint8)
    picture[300 : 300 + small.shape[0], 200 : 200 + small.shape[1]] = small
    assert lattice(picture, table.renderer.plan) is not None


def test_an_upright_picture_is_calibrated_and_read_like_one_on_its_side(table):
    empty, start = (np.ascontiguousarray(np.rot90(p)) for p in (table.renderer.empty, table.renderer.start))
    assert empty.shape[0] > empty.shape[1]
    profile = calibrate(empty, start, SEATS)
    for found, known in zip(profile.base_spots_mm, table.profile.base_spots_mm, strict=True):
        np.testing.assert_allclose(in_order(found), in_order(known), atol=1.5)
    assert profile.piece_height_mm == pytest.approx(table.profile.piece_height_mm, abs=0.8)
    assert Reader(profile).read(start).pieces == Reader(table.profile).read(table.renderer.start).pieces


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seats": ("red", "green")}, "four or six arms"),
        ({"seats": SEATS, "top_left": "white"}, "none of the seats"),
        ({"seats": SEATS, "corners": [(0, 0), (9, 0)]}, "four points"),
        ({"seats": SEATS, "corners": [(0, 0), (900, 900), (900, 0), (0, 900)]}, "but cross it"),
        ({"seats": SEATS, "corners": [(0, 0), (0, 800), (900, 800), (900, 0)]}, "go round anticlockwise"),
        ({"seats": SEATS, "corners": [(0, 0), (float("nan"), 0), (9, 9), (0, 9)]}, "must be pixels"),
        *(
            ({"seats": SEATS, "corners": [(0, 0), (x, 0), (x, y), (0, y)]}, said)
            for x, y, said in (
                (900, 800, r"lines .* lie where .*\(\d+ found, 60 are needed\)"),
                (20, 20, r"lines .* lie where .*\(0 found, 60 are needed\)"),
            )
        ),
    ],
)
def test_arguments_that_make_no_sense(table, arguments, said):
    with pytest.raises(CalibrationError, match=said):
        calibrate(table.renderer.empty, table.renderer.start, **arguments)
