"""Reading rendered frames whose pieces are known, on a table with hard shadows."""

from dataclasses import replace

import numpy as np
import pytest

from uckers_table.errors import ProfileError
from uckers_table.sighting import SeenDie
from uckers_table.simulator.scene import Hand, Scene, WoodenPiece
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.pieces import pieces
from uckers_table.vision.pieces.disc_net import DiscNet, DiscsSaid
from uckers_table.vision.pieces.pieces import Stack, find
from uckers_table.vision.pieces.rings import round_places, square_px
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import find_discs

SEATS = ("red", "blue", "yellow", "green")
OFFSETS = ((-10.0, -4.0), (11.0, 5.0))


def scene(table, positions, hands=()):
    """Pieces at these steps per seat, off the middle of their squares; base pieces on their spots."""
    plan = table.renderer.plan
    taken: dict[tuple[int, int], int] = {}
    there = []
    for seat, steps_of in enumerate(positions):
        for k, steps in enumerate(steps_of):
            cell = plan.cell(seat, steps)
            if steps == 0:
                x, y = table.renderer.spots(seat)[k]
            elif cell is None:
                x, y = plan.centre_mm(plan.turned((6, 7), seat))
            else:
                dx, dy = OFFSETS[taken.get(cell, 0)]
                taken[cell] = taken.get(cell, 0) + 1
                x, y = np.add(plan.centre_mm(cell), (dx, dy))
            there.append(WoodenPiece(seat, steps, float(x), float(y), grain=4 * seat + k))
    return Scene(tuple(there), hands=hands)


def said(sighting):
    return tuple(sighting.pieces[colour] for colour in SEATS)


@pytest.mark.parametrize(
    "positions",
    [
        ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 0, 1, 1), (0, 3, 20, 54), (0, 0, 14, 51), (0, 0, 0, 33)),
        ((0, 1, 54, 57), (1, 2, 27, 52), (0, 17, 40, 56), (1, 8, 40, 53)),
        ((6, 7, 8, 57), (0, 0, 0, 51), (13, 26, 39, 55), (0, 0, 5, 12)),
    ],
    ids=["in base", "pairs", "own paint", "corners"],
)
def test_pieces_are_read_where_they_stand(table, positions):
    sighting = table.reader.read(table.renderer.frame(scene(table, positions)))
    assert said(sighting) == positions
    assert (sighting.stray, sighting.hand, sighting.trouble) == ((), False, ())
    assert sighting.confidence > 0.5


@pytest.mark.parametrize(
    ("square", "colours"),
    [((6, 2), (1, 1)), ((1, 6), (0, 0, 0)), ((8, 3), (0, 2)), ((6, 12), (3, 1, 3)), ((7, 2), (1, 1))],
    ids=["two", "three", "partners", "partners by turns", "in its own chute"],
)
def test_stacks_are_read_by_their_sides(table, square, colours):
    """The others stand in their bases: none is missing but what the stack hides."""
    plan = table.renderer.plan
    x, y = plan.centre_mm(square)
    stack = [WoodenPiece(seat, 0, x + 2.0, y - 1.0, level, grain=level) for level, seat in enumerate(colours)]
    rest = [
        WoodenPiece(seat, 0, float(sx), float(sy), grain=4 * seat + k)
        for seat in range(4)
        for k, (sx, sy) in enumerate(table.renderer.spots(seat))
        if k >= colours.count(seat)
    ]
    sighting = table.reader.read(table.renderer.frame(Scene((*rest, *stack))))
    expected = [[0] * (4 - colours.count(seat)) for seat in range(4)]
    for seat in colours:
        expected[seat].append(plan.steps_by_cell[seat][square])
    assert said(sighting) == tuple(tuple(sorted(steps)) for steps in expected)


def test_where_a_piece_is_missing_more_places_are_looked_at(table, monkeypatch):
    """As in a person's shadow, where noise has edges in hundreds of places."""
    monkeypatch.setattr(pieces, "FEW_PLACES", 12)
    positions = ((0, 0, 1, 1), (0, 3, 20, 54), (0, 0, 14, 51), (0, 0, 0, 33))
    assert said(table.reader.read(table.renderer.frame(scene(table, positions)))) == positions


@pytest.mark.parametrize(("reds", "is_asked"), [(3, True), (4, False), (5, True)])
def test_the_net_is_asked_where_a_colour_has_too_few_tops_or_too_many(table, monkeypatch, reds, is_asked):
    """In noise as deep as a shadow's rules see tops where none are, and miss a real one."""
    asked, net = [], pieces._net

    def noted(*seen):
        asked.append(seen)
        return net(*seen)

    monkeypatch.setattr(pieces, "_net", noted)
    positions = ((0, 1, 20, 30, 40)[:reds], (0, 0, 0, 9), (0, 0, 0, 33), (0, 0, 0, 45))
    picture = table.renderer.frame(scene(table, positions))
    assert sum(len(steps) for steps in said(table.reader.read(picture))) == 12 + min(reds, 4)
    assert bool(asked) == is_asked


def test_beside_a_hand_as_many_places_are_looked_at_as_without_a_second_look(table, monkeypatch):
    """What lies under it is not missing; and its own edge fills the first places."""
    positions = ((0, 0, 0, 0), (0, 0, 1, 1), (0, 3, 20, 54), (0, 0, 14, 51))
    picture = table.renderer.frame(scene(table, positions, hands=(Hand(320.0, 300.0, 200.0),)))
    seen = said(table.reader.read(picture))
    monkeypatch.setattr(pieces, "FEW_PLACES", 12)
    assert said(table.reader.read(picture)) == seen
    assert sum(map(len, seen)) > 12


def drowning(table, monkeypatch, seat, steps):
    """Positions with a piece there, and where its foot is on the plan (mm); no disc may be found there."""
    positions = [(0, 0, 1, 1), (0, 3, 20), (0, 0, 14), (0, 0, 0, 33)]
    positions[seat] = (*positions[seat], steps)
    (piece,) = [p for p in scene(table, positions).pieces if (p.seat, p.steps) == (seat, steps)]
    place = np.array([piece.x_mm, piece.y_mm])

    def drowned(seen, places, shape):
        discs = find_discs(seen, places, shape)
        away = np.hypot(*(discs.at_px - shape.top_px(place)).T)
        return discs.where(away > 12.0)

    monkeypatch.setattr(pieces, "find_discs", drowned)
    return positions, place


@pytest.mark.parametrize(("seat", "steps"), [(1, 54), (2, 55)])
def test_a_piece_whose_edge_drowns_is_found_by_what_is_round_on_its_own_paint(
    table, monkeypatch, seat, steps
):
    positions, _ = drowning(table, monkeypatch, seat, steps)
    read = said(table.reader.read(table.renderer.frame(scene(table, positions))))
    assert read[seat] == positions[seat]


def test_what_is_round_in_bases_takes_no_place_of_what_is_where_pieces_are_put(table, monkeypatch):
    """In noise the roundest 150 places of a colour's paint all lay in its base, but for a few."""
    told = []

    def noted(seen, own, shape, most):
        feet = np.rint(shape.feet_px(square_px(own[0], seen).astype(float))).astype(int)
        told.append((table.reader._likely[feet[:, 1], feet[:, 0]] >= 0, most))
        return round_places(seen, own, shape, most)

    monkeypatch.setattr(pieces, "round_places", noted)
    positions = ((0, 0, 1, 1), (0, 3, 20), (0, 0, 14, 51), (0, 0, 0, 33))
    assert said(table.reader.read(table.renderer.frame(scene(table, positions)))) == positions
    (usual, most), (odd, fewer) = told
    assert usual.all() and len(usual) > 500
    assert not odd.any() and len(odd) > 500
    assert most > fewer > 0


@pytest.mark.parametrize(("seat", "steps"), [(1, 54), (2, 55)])
def test_in_a_shadow_where_noise_is_as_round_the_net_is_asked_all_over_its_own_paint(
    table, monkeypatch, seat, steps
):
    positions, place = drowning(table, monkeypatch, seat, steps)
    monkeypatch.setattr(pieces, "round_places", lambda *_: (np.empty((0, 2)), np.empty(0, np.intp)))
    picture = table.renderer.frame(scene(table, positions))
    shaded = shaded_round(table, picture, place, 150.0, 25.0, 0.4)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    read = said(table.reader.read(np.clip(shaded + noise, 0, 255).astype(np.uint8)))
    assert read[seat] == positions[seat]


@pytest.mark.parametrize(("state", "left"), [("flat", [True, False]), ("cocked", [True, True])])
def test_what_is_told_as_a_die_is_no_doubtful_piece_besides(table, state, left):
    """One that leans may be what is mirrored in the piece."""
    camera, reader = table.profile.camera, table.reader
    die = SeenDie(2, state, 200.0, 300.0)
    foot = camera.grounded(camera.lifted([(200.0, 300.0)], DIE_MM), table.profile.piece_height_mm)[0]
    tops = [Stack(0, *foot, score, is_claimed=score > 0) for score in (0.5, -1.0)]
    assert [top in reader._off_dice(tops, [die], camera) for top in tops] == left
    assert reader._off_dice(tops, [], camera) == tops


LOW_LAMP_MM = 25.0
"""How much farther a shadow's edge lies on a piece than on the board."""


def beside_a_persons_shadow(table, positions, seat, steps):
    """A picture with a shadow on all that lies left of a piece's foot, and on its top."""
    picture = table.renderer.frame(scene(table, positions))
    (piece,) = [p for p in scene(table, positions).pieces if (p.seat, p.steps) == (seat, steps)]
    canvas, profile = table.reader.canvas, table.profile
    shape = Shape(profile.camera, canvas, profile.piece_height_mm, profile.piece_diameter_mm)
    standing = np.zeros((canvas.size, canvas.size), np.uint8)
    shape.draw(standing, shape.top_px(np.array([piece.x_mm, piece.y_mm])), (1,))
    rows, columns = np.indices(picture.shape[:2])
    seen_mm = profile.camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]))
    across, down = np.clip(np.rint(canvas.px(seen_mm)).astype(int), 0, canvas.size - 1).T
    into_mm = piece.x_mm - 10.0 - seen_mm[:, 0] + LOW_LAMP_MM * standing[down, across]
    left = 1 - 0.62 * np.clip(into_mm / 8.0, 0, 1).reshape(rows.shape)
    return (picture * left[..., None]).astype(np.uint8)


@pytest.mark.parametrize(("seat", "steps"), [(1, 3), (1, 20), (1, 54)], ids=["track", "corner", "own paint"])
def test_a_piece_beside_a_persons_shadow_may_have_it_on_its_top(table, seat, steps):
    positions = ((0, 0, 1, 1), (0, 3, 20, 54), (0, 0, 14, 51), (0, 0, 0, 33))
    picture = beside_a_persons_shadow(table, positions, seat, steps)
    assert said(table.reader.read(picture)) == positions


def shaded_round(table, picture, place_mm, radius_mm, soft_mm, left, haze=0.0):
    """The picture with a round shadow that ends within so many millimetres and leaves so much light, and so
    much of what paint mirrors of the room, in grey levels.
    """
    columns, rows = np.meshgrid(*map(np.arange, picture.shape[1::-1]))
    plan_mm = table.profile.camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]))
    into_mm = radius_mm - np.hypot(*(plan_mm - place_mm).T)
    taken = (1 - left) * np.clip(into_mm / soft_mm + 0.5, 0, 1).reshape(rows.shape)[..., None]
    return (picture * (1 - taken) + haze * taken).astype(np.uint8)


@pytest.mark.parametrize(("left", "haze"), [(0.5, 0.0), (0.35, 0.0), (0.35, 40.0)])
def test_light_is_told_where_a_persons_shadow_ends(table, left, haze):
    """Bare board looks there as it does elsewhere, but for a few in a hundred of its grey level."""
    place, radius, soft = np.array([200.0, 250.0]), 150.0, 25.0
    picture = shaded_round(table, table.renderer.empty, place, radius, soft, left, haze)
    looked = table.reader.look(picture)
    bare = looked.seen.board.planes
    off = np.abs(looked.seen.lit - bare) / np.maximum(bare, 60)
    x, y = table.reader.canvas.grid_mm
    near = np.abs(np.hypot(x - place[0], y - place[1]) - radius) < soft / 2 + 10
    near &= (np.minimum(x, y) > 5) & (np.maximum(x, y) < table.profile.plan.side_mm - 5)
    assert np.median(off.max(axis=0)[near]) < 0.07
    assert np.quantile(off.max(axis=0)[near], 0.9) < 0.2


@pytest.mark.parametrize(
    ("aside_mm", "soft_mm", "left"),
    [(120.0, 12.0, 0.35), (110.0, 25.0, 0.5), (120.0, 25.0, 0.35)],
    ids=["hard and deep", "soft", "soft and deep"],
)
def test_a_piece_on_its_own_paint_is_read_where_a_persons_shadow_ends(table, aside_mm, soft_mm, left):
    positions = ((0, 0, 1, 1), (0, 3, 20, 54), (0, 0, 14, 51), (0, 0, 0, 33))
    stand = scene(table, positions)
    (piece,) = [p for p in stand.pieces if (p.seat, p.steps) == (1, 54)]
    place = np.array([piece.x_mm + aside_mm, piece.y_mm])
    picture = shaded_round(table, table.renderer.frame(stand), place, 120.0, soft_mm, left)
    noise = np.random.default_rng(1).normal(0, 3, picture.shape)
    assert said(table.reader.read(np.clip(picture + noise, 0, 255).astype(np.uint8))) == positions


def test_a_piece_that_is_nowhere_is_under_none_whose_side_shows_the_board(table):
    positions = ((0, 0, 17, 26), (0, 0, 13, 26), (0, 0, 13), (0, 0, 13, 26))
    assert said(table.reader.read(table.renderer.frame(scene(table, positions)))) == positions


def test_a_piece_on_a_square_that_its_colour_never_uses_is_a_stray(table):
    positions = ((0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    plan = table.renderer.plan
    cell = plan.chute_cell(2, 54)
    x, y = plan.centre_mm(cell)
    start = scene(table, positions)
    sighting = table.reader.read(table.renderer.frame(Scene((*start.pieces, WoodenPiece(0, 54, x, y)))))
    assert said(sighting) == positions
    assert [(s.colour, s.cell) for s in sighting.stray] == [("red", cell)]


def test_a_hand_is_told_and_nothing_invented(table):
    positions = ((0, 0, 1, 20), (0, 0, 0, 9), (0, 0, 0, 33), (0, 0, 0, 45))
    picture = table.renderer.frame(scene(table, positions, hands=(Hand(320.0, 300.0, 200.0),)))
    sighting = table.reader.read(picture)
    assert sighting.hand
    for read, true in zip(said(sighting), positions, strict=True):
        assert all(read.count(steps) <= true.count(steps) for steps in read)


@pytest.mark.parametrize(("beside_mm", "reds"), [(16.0, 4), (5.0, 3)])
def test_a_top_that_touches_what_a_hand_hides_is_not_claimed(table, monkeypatch, beside_mm, reds):
    picture = table.renderer.frame(scene(table, ((0, 0, 0, 20), (0,) * 4, (0,) * 4, (0,) * 4)))
    x, y = table.renderer.plan.centre_mm(table.renderer.plan.cell(0, 20)) + np.array(OFFSETS[0])
    canvas = table.reader.canvas
    columns, rows = canvas.grid_mm
    hidden = (np.abs(rows - y) < 30) & (columns > x + beside_mm) & (columns < x + 60)
    monkeypatch.setattr(table.reader, "_hand", lambda *seen: hidden)
    assert len(table.reader.read(picture).pieces["red"]) == reds


def in_shadow(table, picture, place_mm, light):
    """The picture with so much light left round a place, as in somebody's shadow."""
    columns, rows = np.meshgrid(*map(np.arange, picture.shape[1::-1]))
    plan_mm = table.profile.camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]))
    shadow = (np.hypot(*(plan_mm - place_mm).T) < 60.0).reshape(rows.shape)
    return np.where(shadow[..., None], light * picture, picture).astype(np.uint8)


@pytest.mark.parametrize(("sure", "is_weighed"), [(0.5, False), (100.0, True)])
def test_what_is_under_tops_is_asked_where_one_in_somebodys_shadow_may_be_none(
    table, monkeypatch, sure, is_weighed
):
    """Though all sixteen tops are seen."""
    x, y = table.renderer.plan.centre_mm(table.renderer.plan.cell(0, 20)) + np.array(OFFSETS[0])
    picture = table.renderer.frame(scene(table, ((0, 0, 0, 20), (0,) * 4, (0,) * 4, (0,) * 4)))
    monkeypatch.setattr(pieces, "SURE_IN_SHADOW", sure)
    stacks = table.reader.look(in_shadow(table, picture, (x, y), 0.5)).stacks
    assert sum(stack.is_claimed for stack in stacks) >= 16
    assert any(stack.under for stack in stacks) == is_weighed
    assert [stack.is_lit for stack in stacks if np.hypot(stack.x_mm - x, stack.y_mm - y) < 5.0] == [False]


@pytest.mark.parametrize(("light", "score", "reds"), [(1.0, 3.5, 4), (0.5, 3.5, 3), (0.5, 4.5, 4)])
def test_what_stands_in_a_hands_shadow_is_claimed_if_it_is_surer(table, monkeypatch, light, score, reds):
    """Noise there has edges like tops, on paint of their colour."""
    x, y = table.renderer.plan.centre_mm(table.renderer.plan.cell(0, 20)) + np.array(OFFSETS[0])
    picture = table.renderer.frame(scene(table, ((0, 0, 0, 20), (0,) * 4, (0,) * 4, (0,) * 4)))
    picture = in_shadow(table, picture, (x, y), light)
    monkeypatch.setattr(table.reader, "_hand", lambda seen, soft: np.zeros(soft.shape[:2], dtype=bool))

    def found(*args, **named):
        tops = find(*args, **named)
        return [
            replace(top, score=score) if np.hypot(top.x_mm - x, top.y_mm - y) < 5.0 else top for top in tops
        ]

    monkeypatch.setattr("uckers_table.vision.reader.find", found)
    assert len(table.reader.read(picture).pieces["red"]) == reds


@pytest.mark.parametrize(("light", "says", "reds"), [(0.5, -3.0, 3), (0.5, 3.0, 4), (1.0, -3.0, 4)])
def test_what_stands_in_a_hands_shadow_must_look_like_a_piece_to_the_net_too(
    table, monkeypatch, light, says, reds
):
    """Rules alone were sure of a red top on red paint in such a shadow, and there was none."""
    x, y = table.renderer.plan.centre_mm(table.renderer.plan.cell(0, 20)) + np.array(OFFSETS[0])
    picture = table.renderer.frame(scene(table, ((0, 0, 0, 20), (0,) * 4, (0,) * 4, (0,) * 4)))
    picture = in_shadow(table, picture, (x, y), light)
    monkeypatch.setattr(table.reader, "_hand", lambda seen, soft: np.zeros(soft.shape[:2], dtype=bool))
    monkeypatch.setattr(DiscNet, "say", lambda net, at_px, seats: DiscsSaid(np.full(len(at_px), says), at_px))
    assert len(table.reader.read(picture).pieces["red"]) == reds


def test_a_bumped_board_is_followed(table):
    positions = ((0, 0, 1, 20), (0, 0, 0, 9), (0, 0, 0, 33), (0, 0, 0, 45))
    picture = table.renderer.frame(scene(table, positions))
    shifted = np.roll(picture, (5, -7), axis=(0, 1))
    sighting = table.reader.read(shifted)
    assert said(sighting) == positions
    assert sighting.trouble == ("board_moved",)


def test_light_without_colours_claims_nothing(table):
    picture = table.renderer.frame(scene(table, ((0, 0, 1, 20), (0,) * 4, (0,) * 4, (0,) * 4)))
    red = picture.copy()
    red[..., :2] //= 14
    black = np.zeros_like(picture)
    for seen, trouble in ((red, "colours_indistinct"), (picture // 9, "too_dark"), (black, "too_dark")):
        sighting = table.reader.read(seen)
        assert (trouble in sighting.trouble, said(sighting), sighting.dice) == (True, ((),) * 4, ())
        assert sighting.confidence == 0.0


def test_a_picture_without_the_board_says_so(table):
    other = np.full_like(table.renderer.empty, (70, 90, 110))
    sighting = table.reader.read(other)
    assert (sighting.trouble, said(sighting)) == (("board_not_found",), ((),) * 4)


def test_a_frame_of_another_size_is_refused(table):
    with pytest.raises(ProfileError, match="768 × 432"):
        table.reader.read(np.zeros((432, 768, 3), np.uint8))


def test_a_colour_has_no_fifth_top_for_a_die_to_lie_on(table):
    claimed = [Stack(0, 100.0 + 60.0 * k, 300.0, 1.0 + k) for k in range(5)]
    tops = table.reader._tops_seen(claimed, table.profile.camera)
    assert tops.odds.tolist() == [5.0, 4.0, 3.0, 2.0]
