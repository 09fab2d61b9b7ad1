"""Which paint a top shows."""

import numpy as np

from uckers_table.vision.tops import nearest_colours

COLOURS = np.array(
    [[0.05, 0.97, 1.19], [0.58, 0.25, 0.13], [0.17, 0.10, 0.96], [0.25, 0.40, 0.20]], np.float32
)
YELLOW, BLUE, RED, GREEN = range(4)


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
