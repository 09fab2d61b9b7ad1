"""What comes in over the board's edge: a net tells a hand from what a shadow leaves."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.calibrated import calibrated
from uckers_table.game.board import Board, Plan
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.scene import Hand, Scene
from uckers_table.vision import reader as reading
from uckers_table.vision.hands import hand_net
from uckers_table.vision.light.appearance import Evidence
from uckers_table.vision.place.flat import Laying
from uckers_table.vision.reader import Reader

SIDES = {
    "top": Hand(400.0, 90.0, 265.0),
    "right": Hand(560.0, 420.0, 10.0),
    "bottom": Hand(220.0, 560.0, 80.0),
    "left": Hand(150.0, 305.0, 180.0),
}
"""Hands over the board, by the side from which they come, as the net's sides are counted."""


@pytest.fixture(scope="module")
def table():
    """A table of which the net has learned nothing."""
    plan = Plan(Board())
    renderer = Renderer(plan, look_for(41), seed=41)
    profile = calibrated(renderer.empty, renderer.start, plan.board.seats)
    return SimpleNamespace(renderer=renderer, profile=profile)


def seen_by(reader: Reader, picture, monkeypatch) -> Evidence:
    """The evidence in which a reader looks for hands."""
    noted = []
    monkeypatch.setattr(reader, "_reaching", lambda seen, soft: noted.append(seen))
    reader.look(picture)
    return noted[-1]


def says(seen: Evidence, reader: Reader):
    """What the net says of all points of each side."""
    columns = hand_net.points(reader.canvas)
    return [
        hand_net._NET.say(hand_net.windows(hand_net.strip(seen, reader.canvas, quarter), columns))[:, 0]
        for quarter in range(4)
    ]


@pytest.mark.parametrize(("side", "name"), list(enumerate(SIDES)))
def test_a_hand_is_seen_where_it_comes_in(table, monkeypatch, side, name):
    hand = SIDES[name]
    reader = Reader(table.profile)
    seen = seen_by(reader, table.renderer.frame(Scene(hands=(hand,))), monkeypatch)
    said = says(seen, reader)
    assert int(np.argmax([each.max() for each in said])) == side
    assert said[side].max() > 2
    assert all(each.max() < 0 for k, each in enumerate(said) if k != side)


def test_of_no_hand_nothing_is_seen_in_the_light_and_in_a_shadow(table, monkeypatch):
    reader = Reader(table.profile)
    bare = table.renderer.frame(Scene())
    x = np.arange(bare.shape[1])
    for left in (1.0, 0.5):
        lit = np.where(x < bare.shape[1] * 0.45, left, 1.0)[None, :, None]
        seen = seen_by(reader, (bare * lit).astype(np.uint8), monkeypatch)
        assert max(each.max() for each in says(seen, reader)) < -2


@pytest.mark.parametrize("is_hand", [True, False])
def test_what_may_be_a_hand_is_none_if_it_looks_like_none_where_it_comes_in(table, monkeypatch, is_hand):
    reader = Reader(table.profile)
    shape = reader.canvas.size, reader.canvas.size
    hand = np.zeros(shape, dtype=bool)
    hand[200:300, :120] = True
    monkeypatch.setattr(reader, "_reaching", lambda seen, soft: hand)
    monkeypatch.setattr(reading, "hand_net", SimpleNamespace(shows=lambda *of_frame: is_hand))
    looked = reader.look(table.renderer.frame(Scene()))
    assert (looked.hand is not None) == is_hand
    assert ("occluded" in looked.trouble) == is_hand


def test_what_does_not_cross_the_edge_is_not_asked_about(table, monkeypatch):
    reader = Reader(table.profile)
    seen = seen_by(reader, table.renderer.frame(Scene()), monkeypatch)
    hand = np.zeros((reader.canvas.size, reader.canvas.size), dtype=bool)
    hand[200:300, 200:300] = True
    assert hand_net.shows(seen, reader.canvas, hand)
    hand[200:300, :300] = True
    assert not hand_net.shows(seen, reader.canvas, hand)


@pytest.mark.parametrize(
    ("broad_mm", "log_odds", "is_one"),
    [
        (100, -2.0, False),
        (100, -1.4, False),
        (100, -0.3, False),
        (100, 0.7, False),
        (100, 1.3, True),
        (400, 2.0, False),
        (400, 3.8, False),
        (400, 4.0, True),
    ],
)
def test_what_hides_much_of_the_edge_must_plainly_be_a_hand(table, monkeypatch, broad_mm, log_odds, is_one):
    """Of finger tips at the edge little shows; somebody's shadow along it looks like none anywhere."""
    reader = Reader(table.profile)
    seen = seen_by(reader, table.renderer.frame(Scene()), monkeypatch)
    hand = np.zeros((reader.canvas.size, reader.canvas.size), dtype=bool)
    hand[150 : 150 + broad_mm, :120] = True
    monkeypatch.setattr(hand_net._NET, "say", lambda patches: np.full((len(patches), 1), log_odds))
    assert hand_net.shows(seen, reader.canvas, hand) == is_one


def laid(reader: Reader, picture) -> np.ndarray:
    return Laying.of(reader.profile.camera, reader.canvas).lay(picture).astype(int)


def places_mm(table):
    """Where on the plan, across and down, each pixel of a picture of the table lies."""
    columns, rows = np.meshgrid(*map(np.arange, table.renderer.empty.shape[1::-1]))
    seen = table.profile.camera.unproject(np.column_stack([columns.ravel(), rows.ravel()]))
    return seen.T.reshape(2, *rows.shape)


@pytest.mark.parametrize("name", SIDES)
def test_a_hand_that_rules_do_not_see_is_noticed_by_what_it_hides(table, monkeypatch, name):
    reader, hand = Reader(table.profile), Scene(hands=(SIDES[name],))
    monkeypatch.setattr(reader, "_reaching", lambda seen, soft: None)
    picture = table.renderer.frame(hand)
    mask = reader.look(picture).hand
    hidden = np.abs(laid(reader, picture) - laid(reader, table.renderer.empty)).max(axis=2) > 40
    assert mask is not None
    assert mask[hidden].mean() > 0.8
    assert mask.sum() < 3 * hidden.sum()


@pytest.mark.parametrize("y_mm", [110.0, 160.0])
def test_so_is_a_finger_tip_at_the_edge(table, monkeypatch, y_mm):
    """It hides few of the lines round it, and most of those close by."""
    reader = Reader(table.profile)
    monkeypatch.setattr(reader, "_reaching", lambda seen, soft: None)
    picture = table.renderer.frame(Scene(hands=(Hand(5.0, y_mm, 180.0),)))
    mask = reader.look(picture).hand
    hidden = np.abs(laid(reader, picture) - laid(reader, table.renderer.empty)).max(axis=2) > 40
    hidden &= reader.canvas.grid_mm[0] > 0
    assert mask is not None
    assert mask[hidden].mean() > 0.8


@pytest.mark.parametrize("y_mm", [40.0, 110.0, 380.0])
def test_so_is_one_where_the_picture_ends_beside_the_board(table, monkeypatch, y_mm):
    """Over bare wood it hides no lines, and of the table that it comes in over a few millimetres show."""
    empty = table.renderer.empty
    x, _ = places_mm(table)
    beyond = (x < -6.0)[..., None]
    reader = Reader(replace(table.profile, bare=np.where(beyond, 0, empty).astype(np.uint8)))
    monkeypatch.setattr(reader, "_reaching", lambda seen, soft: None)
    shown = {
        name: reader.look(np.where(beyond, 0, table.renderer.frame(scene)).astype(np.uint8)).hand
        for name, scene in (("hand", Scene(hands=(Hand(70.0, y_mm, 180.0),))), ("none", Scene()))
    }
    assert shown["hand"] is not None and shown["none"] is None


@pytest.mark.parametrize("left", [0.35, 0.6])
def test_a_shadow_with_straight_edges_is_no_hand_for_the_boards_lines_show_in_it(table, monkeypatch, left):
    """Whatever the net says of it."""
    reader = Reader(table.profile)
    x, y = places_mm(table)
    shaded = (np.abs(y - 305) < 45) & (x < 200)
    picture = np.where(shaded[..., None], table.renderer.empty * left, table.renderer.empty).astype(np.uint8)
    seen = seen_by(reader, picture, monkeypatch)
    monkeypatch.setattr(hand_net._NET, "say", lambda patches: np.full((len(patches), 1), 5.0))
    assert hand_net.hidden(seen, reader.canvas) is None
    nowhere = np.ones((len(seen.active),) * 2, dtype=bool)
    monkeypatch.setattr(hand_net, "lines", lambda *_: (nowhere, nowhere, nowhere))
    assert hand_net.hidden(seen, reader.canvas) is not None
