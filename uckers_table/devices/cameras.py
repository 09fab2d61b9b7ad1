"""Cameras that look down on the board: pictures in a folder, a USB camera, a Raspberry Pi camera module."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.devices.base import BgrImage, Frame
from uckers_table.errors import DeviceError

PICTURES = (".jpg", ".jpeg", ".png")
FULL_VIEW = (2304, 1296)
"""Width and height of Camera Module 3's binned mode that sees all its lens does."""
FRAME_WAIT_S = 5.0
"""A camera gives at least ten frames a second; one that needs so long has stopped."""


class FolderCamera:
    """The pictures of a folder in the order of their names, `interval_s` of the table's time apart.

    Raises DeviceError for a folder without pictures, and on `read` for a file that is no picture; the next
    `read` goes on after it.
    """

    name = "camera"
    waits = True

    def __init__(self, folder: Path | str, *, interval_s: float = 0.1, start_s: float = 0.0) -> None:
        try:
            self._paths = sorted(path for path in Path(folder).iterdir() if path.suffix.lower() in PICTURES)
        except OSError as error:
            raise DeviceError(f"the camera's folder {folder} cannot be read ({error.strerror})") from error
        if not self._paths:
            raise DeviceError(f"the camera's folder {folder} holds no pictures ({', '.join(PICTURES)})")
        self._interval_s = interval_s
        self._start_s = start_s
        self._next = 0

    def read(self) -> Frame | None:
        """The next picture; None after the last."""
        if self._next >= len(self._paths):
            return None
        path = self._paths[self._next]
        t = self._start_s + self._next * self._interval_s
        self._next += 1
        try:
            image = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
        except (OSError, cv2.error):
            image = None
        if image is None:
            raise DeviceError(f"{path} is no picture that can be read: replace it or take it out")
        return Frame(t, _bytes(image))

    def close(self) -> None:
        """Nothing to give back."""


class WebcamCamera:
    """A USB camera through OpenCV: `source` is its number or path, or a film to play.

    Raises DeviceError when it does not open; after a failed `read` the next one opens it again. Not yet
    tried on hardware.
    """

    name = "camera"
    waits = False

    def __init__(
        self,
        source: int | str,
        *,
        size: tuple[int, int] = (1920, 1080),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # Written in a configuration a number is a text; OpenCV would look for a file of that name.
        self._source = int(source) if isinstance(source, str) and source.isdigit() else source
        self._size = size
        self._clock = clock
        self._capture: cv2.VideoCapture | None = self._open()

    def read(self) -> Frame | None:
        """The next frame as soon as it is there; DeviceError when none comes."""
        if self._capture is None:
            self._capture = self._open()
        good, image = self._capture.read()
        if not good:
            self.close()
            raise DeviceError(f"camera {self._source} gives no pictures any more: is its cable in?")
        return Frame(self._clock(), _bytes(image))

    def close(self) -> None:
        """Give the camera back; safe to call twice."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> cv2.VideoCapture:
        capture = cv2.VideoCapture(self._source)
        if not capture.isOpened():
            capture.release()
            raise DeviceError(
                f"camera {self._source} cannot be opened: is its cable in, is it free, may this user use it "
                f"(group video)?"
            )
        # Motion JPEG, because raw pictures of this size do not go over USB 2 ten times a second; and no
        # queue, so that a slow reader gets what the board looks like now.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture


class Picamera2Camera:
    """A Raspberry Pi camera module through picamera2, with the exposure and focus it chooses itself.

    `open_camera` gives a Picamera2; left out, the first one. Raises DeviceError when there is none; after a
    failed `read` the next one opens it again. Not yet tried on hardware.
    """

    name = "camera"
    waits = False

    def __init__(
        self,
        *,
        size: tuple[int, int] = FULL_VIEW,
        clock: Callable[[], float] = time.monotonic,
        open_camera: Callable[[], Any] | None = None,
    ) -> None:
        self._size = size
        self._clock = clock
        self._open_camera = open_camera or _first_camera
        self._format = ""
        self._camera: Any = self._open()

    def read(self) -> Frame | None:
        """The next frame as soon as it is there; DeviceError when none comes."""
        if self._camera is None:
            self._camera = self._open()
        try:
            array = self._camera.capture_array("main", wait=FRAME_WAIT_S)
        except (TimeoutError, RuntimeError, OSError) as error:
            self.close()
            raise DeviceError(
                f"the camera module gives no pictures any more ({error}): is its ribbon seated at both ends?"
            ) from error
        return Frame(self._clock(), to_bgr(array, self._format, self._size))

    def close(self) -> None:
        """Give the camera back; safe to call twice."""
        camera, self._camera = self._camera, None
        if camera is not None:
            # One that was lost cannot be stopped in good order.
            with suppress(RuntimeError, OSError):
                camera.stop()
                camera.close()

    def _open(self) -> Any:
        try:
            camera = self._open_camera()
        # picamera2 raises IndexError when no module is found, RuntimeError when it is in use.
        except (ImportError, IndexError, RuntimeError, OSError) as error:
            raise DeviceError(
                f"no camera module answers ({error}): is its ribbon seated at both ends, is no other program "
                f"using it, is python3-picamera2 installed, and does rpicam-hello show a picture?"
            ) from error
        camera.configure(camera.create_video_configuration(main={"size": self._size, "format": "RGB888"}))
        # libcamera may choose otherwise than asked.
        chosen = camera.camera_configuration()["main"]
        self._size, self._format = tuple(chosen["size"]), str(chosen["format"])
        camera.start()
        return camera


def to_bgr(array: npt.NDArray[np.uint8], pixel_format: str, size: tuple[int, int]) -> BgrImage:
    """picamera2's array of a picture of `size` (width, height) as (height, width, 3), blue first.

    Raises DeviceError for a format other than RGB888 and NV12.
    """
    width = size[0]
    # picamera2 names formats by the order in a little-endian word: its RGB888 lies blue first in memory.
    if pixel_format == "RGB888":
        return _bytes(array[:, :width])
    if pixel_format == "NV12":
        return _bytes(cv2.cvtColor(np.ascontiguousarray(array[:, :width]), cv2.COLOR_YUV2BGR_NV12))
    raise DeviceError(
        f"the camera gives pictures as {pixel_format}, which is not known here: use RGB888 or NV12"
    )


def _bytes(image: Any) -> BgrImage:
    return np.ascontiguousarray(image, dtype=np.uint8)


def _first_camera() -> Any:
    from picamera2 import Picamera2

    return Picamera2()
