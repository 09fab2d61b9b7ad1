"""A reader for streams: cheap while nothing changes, and otherwise the same as a cold read."""

from __future__ import annotations

import numpy as np

from uckers_table.sighting import Sighting
from uckers_table.vision.camera import Image
from uckers_table.vision.profile import TableProfile
from uckers_table.vision.reader import Reader


class LiveReader:
    """Reads frame after frame of one table."""

    def __init__(self, profile: TableProfile) -> None:
        self._reader = Reader(profile)
        self._image: Image | None = None
        self._sighting: Sighting | None = None

    def see(self, image: Image) -> Sighting:
        """What the newest frame shows."""
        if self._sighting is None or self._image is None or not np.array_equal(image, self._image):
            self._sighting = self._reader.read(image)
            self._image = image
        return self._sighting
