"""A Raspberry Pi camera module, through picamera2."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.devices.base import BgrImage, Frame
from uckers_table.devices.exposure import (
    focused_controls,
    focusing_controls,
    libcamera_controls,
    measured_settings,
    window_controls,
)
from uckers_table.devices.live import Novelty
from uckers_table.errors import DeviceError

FULL_VIEWS: Mapping[str, tuple[int, int]] = {
    "imx708": (2304, 1296),
    "imx219": (1640, 1232),
    "imx477": (2028, 1520),
    "imx500": (2028, 1520),
}
"""Width and height of the binned mode that sees all that the lens does, by sensor: Camera Module 3, Module 2,
HQ and AI Camera. Other modes cut off the sides."""
FULL_VIEW = FULL_VIEWS["imx708"]
SMALL_WIDTH = 576
"""Of the stream by which changes are told: a dot for each two millimetres of the board."""
FRAME_WAIT_S = 5.0
"""A camera gives ten frames a second; one that needs so long has stopped."""
COPY_AGAIN_S = 2.0
"""So long at most a picture stands for those after it that look the same."""
_NOISE, _SPECKS = 8, 4
"""Grey levels, and dots with more, that are a change. The small stream averages sixteen of the sensor's dots:
its noise is below two levels; and the reader notices nothing finer in the whole picture."""
_FOCUS_WAIT_S = 30.0
"""The longest honest cycle that was reported took 25 (picamera2 #884)."""
_SETTLING_FRAMES = 30
"""Exposure and white balance settle within two seconds of ten frames, and a control takes some frames to
arrive (picamera2 #800)."""


class Picamera2Camera:
    """A camera module, level and full view, locked at `settings` (those of a table's profile).

    Without settings it chooses exposure, colours and focus by itself; `lock` then measures them once. The
    picture is copied only when something in it has changed: frames between have the same `image`, which is
    not to be written to. `size` (width, height) is by default the full view of the module that is there.

    `open_camera` gives a Picamera2; left out, the first one. Raises DeviceError when there is none; after a
    failed `read` the next one opens it again. Not yet tried on hardware.
    """

    name = "camera"
    waits = False

    def __init__(
        self,
        *,
        settings: Mapping[str, float] | None = None,
        size: tuple[int, int] | None = None,
        clock: Callable[[], float] = time.monotonic,
        open_camera: Callable[[], Any] | None = None,
    ) -> None:
        self.settings = dict(settings or {})
        self._wanted_size = size
        self._clock = clock
        self._open_camera = open_camera or _first_camera
        self.model = ""
        self._size, self._format = (0, 0), ""
        self._has_small = False
        self._image: BgrImage | None = None
        self._small: npt.NDArray[np.uint8] | None = None
        self._copied_at = 0.0
        self._novelty = Novelty()
        self.is_new = True
        self._camera: Any = self._open()

    def read(self) -> Frame | None:
        """The next frame as soon as it is there; DeviceError when none comes."""
        with self._request() as request:
            t = self._clock() - _age_s(request.get_metadata())
            small = request.make_array("lores") if self._has_small else None
            is_same = (
                self._image is not None
                and small is not None
                and self._small is not None
                and t - self._copied_at < COPY_AGAIN_S
                and not has_changed(small, self._small)
            )
            if not is_same:
                self._image = to_bgr(request.make_array("main"), self._format, self._size)
                self._small, self._copied_at = small, t
            assert self._image is not None
            # Of half colour the brightness, which is two thirds of the rows: in the dark the rest is grey.
            self.is_new = self._novelty.of(small[: len(small) * 2 // 3] if small is not None else self._image)
        return Frame(t, self._image)

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Focus once on the board, fast, let exposure and colours settle, and lock all of them. The settings.

        The board must lie in the camera's view in the light that it will have. DeviceError when the lens
        finds no focus, or the camera fails; it is locked as before then.
        """
        self.close()
        try:
            self.settings = measured_settings(self._settled(), mains_hz=mains_hz)
        finally:
            # Anew, and not by controls while it runs: those take frames to arrive.
            self.close()
        self._opened()
        return dict(self.settings)

    def _settled(self) -> Mapping[str, Any]:
        """The metadata of a frame once focus, exposure and colours have settled."""
        camera = self._opened(is_focusing=True)
        if "AfMode" in camera.camera_controls and not _focuses(camera):
            raise DeviceError(
                "the camera finds no focus: is the board in view, lit, over 0.3 m away, and the lens clean?"
            )
        metadata: Mapping[str, Any] = {}
        is_slowed = "FrameDurationLimits" not in camera.camera_controls
        for _ in range(_SETTLING_FRAMES):
            with self._request() as request:
                metadata = request.get_metadata()
                if not is_slowed:
                    # The first frames may not tell where the lens is (picamera2 #670); it stays there.
                    camera.set_controls(_known(camera, focused_controls(metadata.get("LensPosition"))))
                    is_slowed = "LensPosition" in metadata or "AfMode" not in camera.camera_controls
        return metadata

    def close(self) -> None:
        """Give the camera back; safe to call twice."""
        camera, self._camera = self._camera, None
        self._image = self._small = None
        if camera is not None:
            _give_back(camera)

    def _opened(self, *, is_focusing: bool = False) -> Any:
        if self._camera is None:
            self._camera = self._open(is_focusing=is_focusing)
        return self._camera

    @contextmanager
    def _request(self) -> Iterator[Any]:
        """A frame that the camera has taken, given back to it afterwards."""
        camera = self._opened()
        request = None
        try:
            request = camera.capture_request(wait=FRAME_WAIT_S)
            yield request
        except (TimeoutError, RuntimeError, OSError) as error:
            if isinstance(error, DeviceError):
                raise
            self.close()
            raise DeviceError(
                f"the camera module gives no pictures any more ({error}): is its ribbon seated at both ends?"
            ) from error
        finally:
            if request is not None:
                request.release()

    def _open(self, *, is_focusing: bool = False) -> Any:
        try:
            camera = self._open_camera()
        # picamera2 raises IndexError when no module is found, RuntimeError when it is in use.
        except Exception as error:
            raise DeviceError(
                f"no camera module answers ({error}): is its ribbon seated at both ends, is no other program "
                f"using it, is python3-picamera2 installed, and does rpicam-hello show a picture?"
            ) from error
        try:
            self._start(camera, is_focusing=is_focusing)
        except Exception as error:
            # picamera2 holds a module until it is closed, even one that nobody refers to any more.
            _give_back(camera)
            if isinstance(error, DeviceError):
                raise
            raise DeviceError(
                f"the camera module does not start ({error}): is its ribbon seated at both ends?"
            ) from error
        return camera

    def _start(self, camera: Any, *, is_focusing: bool) -> None:
        """Have an open module give the pictures that are wanted; it may raise anything."""
        self.model = str(camera.camera_properties.get("Model", ""))
        view = full_view(self.model)
        size = self._wanted_size or view
        wanted = focusing_controls() if is_focusing else libcamera_controls(self.settings)
        camera.configure(
            camera.create_video_configuration(
                main={"size": size, "format": "RGB888"},
                lores={"size": (SMALL_WIDTH, even(SMALL_WIDTH * size[1] / size[0])), "format": "YUV420"},
                # Which mode of the sensor: the one that sees all.
                sensor={"output_size": view, "bit_depth": 10},
                controls=_known(camera, wanted),
            )
        )
        # libcamera may choose otherwise than asked, or give no second stream.
        chosen = camera.camera_configuration()
        self._size, self._format = tuple(chosen["main"]["size"]), str(chosen["main"]["format"])
        self._has_small = chosen.get("lores") is not None
        if is_focusing and "AfWindows" in camera.camera_controls:
            # Only now is it known which part of the sensor this mode sees.
            camera.set_controls(window_controls(_seen_of_the_sensor(camera)))
        camera.start()


def _give_back(camera: Any) -> None:
    """Close a module, whatever state it is in. Each step is tried, whether or not that before it fails."""
    # What was asked for and never came stands at the head of picamera2's queue, and `stop` would wait behind
    # it. Old releases have no way to take it out.
    with suppress(Exception):
        camera.cancel_all_and_flush()
    # One that was lost cannot be stopped in good order.
    with suppress(Exception):
        camera.stop()
    with suppress(Exception):
        camera.close()


def _known(camera: Any, controls: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the controls that the camera has: picamera2 refuses others."""
    return {name: value for name, value in controls.items() if name in camera.camera_controls}


def _seen_of_the_sensor(camera: Any) -> tuple[int, int, int, int]:
    """Left, top, width and height of what a configured camera sees, in the dots of its sensor."""
    seen = camera.camera_properties.get("ScalerCropMaximum")
    if seen is None:
        # Where that property has gone (picamera2 #973), the largest crop is the same.
        _, seen, _ = camera.camera_controls["ScalerCrop"]
    left, top, width, height = seen
    return left, top, width, height


def _focuses(camera: Any) -> bool:
    """Whether one cycle of autofocus ends in focus; DeviceError where the camera fails meanwhile."""
    try:
        return bool(camera.autofocus_cycle(wait=_FOCUS_WAIT_S))
    except TimeoutError:
        return False
    except RuntimeError as error:
        raise DeviceError(f"the camera failed while it focused ({error}): check its lead") from error


def full_view(model: str) -> tuple[int, int]:
    """The size of a sensor's binned full view; that of Camera Module 3 for one that is not known."""
    return FULL_VIEWS.get(model.partition("_")[0], FULL_VIEW)


def even(number: float) -> int:
    """The nearest even number: pictures of half colour have no others."""
    return 2 * round(number / 2)


def has_changed(small: npt.NDArray[np.uint8], before: npt.NDArray[np.uint8]) -> bool:
    """Whether anything differs between two small pictures in half colour, light and shadow too."""
    if small.shape != before.shape:
        return True
    _, over = cv2.threshold(cv2.absdiff(small, before), _NOISE, 1, cv2.THRESH_BINARY)
    return cv2.countNonZero(over) >= _SPECKS


def to_bgr(array: npt.NDArray[np.uint8], pixel_format: str, size: tuple[int, int]) -> BgrImage:
    """picamera2's array of a picture of `size` (width, height) as (height, width, 3), blue first.

    Raises DeviceError for a format other than RGB888 and NV12.
    """
    width = size[0]
    # picamera2 names formats by the order in a little-endian word: its RGB888 lies blue first in memory.
    if pixel_format == "RGB888":
        return np.ascontiguousarray(array[:, :width], dtype=np.uint8)
    if pixel_format == "NV12":
        half = np.ascontiguousarray(array[:, :width])
        return np.ascontiguousarray(cv2.cvtColor(half, cv2.COLOR_YUV2BGR_NV12), dtype=np.uint8)
    raise DeviceError(
        f"the camera gives pictures as {pixel_format}, which is not known here: use RGB888 or NV12"
    )


def _age_s(metadata: Mapping[str, Any]) -> float:
    """How long ago a frame was taken; libcamera stamps it with the time since the machine started."""
    stamp_ns = metadata.get("SensorTimestamp")
    if stamp_ns is None:
        return 0.0
    age_s = (time.monotonic_ns() - stamp_ns) / 1e9
    # A stamp by another clock tells nothing.
    return age_s if 0 <= age_s < FRAME_WAIT_S else 0.0


def _first_camera() -> Any:
    from picamera2 import Picamera2

    return Picamera2()
