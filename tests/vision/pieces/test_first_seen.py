"""Pieces of unknown colours in their bases, beside shadows with plainer edges than their own.

`plain_bases/` is a path-traced table under a low lamp: bases without spots, pieces in nearly the bases' own
paint. Its camera is a Module 3, of which columns 300 to 1999 were kept, at three quarters of their size.
"""

from pathlib import Path

import numpy as np
import pytest

from uckers_table.game.board import BASE, COLOURS
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.place.lens import Lens
from uckers_table.vision.reader import Reader

PICTURES = Path(__file__).parent / "plain_bases"
LENS = Lens(1773.9 * 0.75)
SPOTS_MM = {
    "red": [(83.3, 79.5), (168.9, 79.9), (171.6, 170.6), (80.7, 170.0)],
    "green": [(524.9, 84.1), (531.8, 169.0), (441.0, 171.2), (439.8, 77.6)],
    "yellow": [(529.0, 531.1), (440.9, 530.6), (436.2, 443.7), (530.4, 439.0)],
    "blue": [(79.9, 530.6), (77.8, 441.1), (171.8, 439.9), (174.7, 533.9)],
}
"""Where the pieces stand, by the renderer."""


@pytest.fixture(scope="module")
def plain():
    empty, start = (load_picture(PICTURES / name) for name in ("empty.jpg", "start.jpg"))
    return calibrate(empty, start, COLOURS, lens=LENS), start


def test_pieces_on_plain_bases_are_learned_and_not_their_shadows(plain):
    """The discs with the plainest edges are the shadows, 18 mm off the pieces."""
    profile, _ = plain
    for colour, found in zip(COLOURS, profile.base_spots_mm, strict=True):
        off = np.linalg.norm(np.array(found)[:, None] - np.array(SPOTS_MM[colour]), axis=2)
        assert sorted(off.argmin(axis=1)) == [0, 1, 2, 3]
        assert off.min(axis=1).max() < 6.0


def test_the_paint_that_is_learned_is_the_pieces_own(plain):
    """A shadow's was 0.2 of white at most."""
    profile, _ = plain
    assert [max(colour) > 0.35 for colour in profile.piece_colours] == [True] * 4


def test_they_are_read_back(plain):
    profile, start = plain
    pieces = Reader(profile).read(start).pieces
    assert {colour: pieces[colour].count(BASE) for colour in COLOURS} == dict.fromkeys(COLOURS, 4)
