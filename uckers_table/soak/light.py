"""The light on a simulated table: that of the day, a lamp's, red light, and none."""

from __future__ import annotations

from math import pi, sin

import cv2
import numpy as np

from uckers_table.devices.base import BgrImage

"""The length of a day, in seconds."""
DAY_S = 24 * 3600.0
Gain = tuple[float, float, float]
"""The factors of blue, green and red, compared with the light in which the table was calibrated."""

LIGHTS: dict[str, Gain] = {
    "day": (1.0, 1.0, 1.0),
    "lamp": (0.80, 0.90, 1.0),
    "red": (0.02, 0.03, 0.55),
    "dark": (0.015, 0.015, 0.015),
}
"""The lights that a mess may have, by name."""
DAYLIGHT, STEPS = 0.12, 50
"""The part of the light that the day takes away at most, and the number of steps in which it does. So a
picture changes when the table does, rather than with every frame.
"""


class SoakLight:
    """Shows pictures as they would be in another light. While picture and light stay, the
    array is the same.
    """

    def __init__(self) -> None:
        self._before: BgrImage | None = None
        self._gain: Gain = LIGHTS["day"]
        self._after: BgrImage | None = None

    def on(self, image: BgrImage, name: str, t: float) -> BgrImage:
        """The picture, BGR, in one of LIGHTS at a time of the day in seconds. It is read-only."""
        day = 1.0 - DAYLIGHT * round((1.0 - sin(pi * (t % DAY_S) / DAY_S)) * STEPS) / STEPS
        gain = tuple(each * day for each in LIGHTS[name])
        if image is not self._before or gain != self._gain or self._after is None:
            curves = np.clip(np.arange(256)[:, None] * np.array(gain), 0, 255).astype(np.uint8)
            self._after = np.asarray(cv2.LUT(image, curves[None]), np.uint8)
            self._after.flags.writeable = False
            self._before, self._gain = image, (gain[0], gain[1], gain[2])
        return self._after
