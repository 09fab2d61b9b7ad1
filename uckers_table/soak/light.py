"""Light on a simulated table: of the day, of a lamp, red light, and none."""

from __future__ import annotations

from math import pi, sin

import cv2
import numpy as np

from uckers_table.devices.base import BgrImage

DAY_S = 24 * 3600.0
Gain = tuple[float, float, float]
"""By how much blue, green and red are lighter or darker than where the table was calibrated."""

LIGHTS: dict[str, Gain] = {
    "day": (1.0, 1.0, 1.0),
    "lamp": (0.80, 0.90, 1.0),
    "red": (0.02, 0.03, 0.55),
    "dark": (0.015, 0.015, 0.015),
}
DAYLIGHT, STEPS = 0.12, 50
"""How much the day itself changes, and in how many steps to one: a picture changes when the table does, and
not with every frame."""


class SoakLight:
    """Shows pictures as they would be in another light; the same array while neither has changed."""

    def __init__(self) -> None:
        self._before: BgrImage | None = None
        self._gain: Gain = LIGHTS["day"]
        self._after: BgrImage | None = None

    def on(self, image: BgrImage, name: str, t: float) -> BgrImage:
        """The picture in one of LIGHTS at a time of the day in seconds."""
        day = 1.0 - DAYLIGHT * round((1.0 - sin(pi * (t % DAY_S) / DAY_S)) * STEPS) / STEPS
        gain = tuple(each * day for each in LIGHTS[name])
        if image is not self._before or gain != self._gain or self._after is None:
            curves = np.clip(np.arange(256)[:, None] * np.array(gain), 0, 255).astype(np.uint8)
            self._after = np.asarray(cv2.LUT(image, curves[None]), np.uint8)
            self._after.flags.writeable = False
            self._before, self._gain = image, (gain[0], gain[1], gain[2])
        return self._after
