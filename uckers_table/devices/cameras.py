"""Cameras over the board or the tray: pictures in a folder, or a USB camera. `pi_camera` has the modules."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from uckers_table.devices.base import BgrImage, Frame
from uckers_table.devices.exposure import exposures
from uckers_table.devices.live import Novelty
from uckers_table.errors import DeviceError, InputError
from uckers_table.foreign.documents import bytes_of
from uckers_table.foreign.pictures import decoded
from uckers_table.machine.files import is_folder, is_plain_file

LOG = logging.getLogger(__name__)

PICTURES = (".jpg", ".jpeg", ".png")
BY_ID = Path("/dev/v4l/by-id")
"""Where Linux lists USB cameras by their names, which stay when other cameras come and go."""
FRAMES_A_SECOND = 10
_WARMING_UP = 20
"""Frames until a camera that chooses for itself has found focus and colours."""
_SETTLING = 4
"""Frames until a new exposure shows: some are on their way."""
_BURNT, _MOST_BURNT = 250, 0.003
"""What is so bright has no colour left, and what share of a picture may be: a lamp's gleam, no white die."""
_V4L2_MANUAL, _V4L2_EXPOSURE_US = 1, 100.0
"""What Video4Linux calls an exposure that is not automatic, and its unit."""
_TOLD = 2
"""How often a camera is told its settings: some forget what they were told as their first pictures left."""
_OFF = 0.02
"""The share by which what a camera has may differ from what it was told: it counts in steps of its own."""
_WORDS: Mapping[int, str] = {
    cv2.CAP_PROP_AUTO_EXPOSURE: "a manual exposure",
    cv2.CAP_PROP_EXPOSURE: "the exposure",
    cv2.CAP_PROP_AUTO_WB: "a fixed white balance",
    cv2.CAP_PROP_AUTOFOCUS: "a fixed focus",
    cv2.CAP_PROP_FOCUS: "the focus",
}


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
            return Frame(t, decoded(bytes_of(path)))
        except (OSError, InputError) as error:
            raise DeviceError(
                f"{path} is no picture that can be read ({error}): replace it or take it out"
            ) from None

    def close(self) -> None:
        """Nothing to give back."""


class WebcamCamera:
    """A USB camera through OpenCV: `source` is its number, its path, part of its name, or a film to play.

    Its exposure, white balance and focus are locked at `settings`, as a table's profile has them; without
    any they are left to the camera. Those that it does not take are logged once, in a line. Raises
    DeviceError when it does not open; after a failed `read` the next one opens it again. Not yet tried on
    hardware.
    """

    waits = False

    def __init__(
        self,
        source: int | str,
        *,
        name: str = "camera",
        size: tuple[int, int] = (1920, 1080),
        settings: Mapping[str, float] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        # Written in a configuration a number is a text; OpenCV would look for a file of that name.
        self._source = int(source) if isinstance(source, str) and source.isdigit() else source
        self._size = size
        self._settings = settings or {}
        self._clock = clock
        # A film may have the same picture for long, and takes no settings.
        self._novelty = None if isinstance(source, str) and is_plain_file(Path(source)) else Novelty()
        self._untaken = ""
        self.is_new = True
        self._capture: cv2.VideoCapture | None = self._open()

    def read(self) -> Frame:
        """The next frame as soon as it is there; DeviceError when none comes."""
        if self._capture is None:
            self._capture = self._open()
        image = self._picture(self._capture)
        frame = Frame(self._clock(), image)
        self.is_new = self._novelty is None or self._novelty.of(frame.image)
        return frame

    def lock(self, *, mains_hz: int = 50) -> dict[str, float]:
        """Find an exposure for what lies in view, and lock it, with the colours and the focus there are. The
        settings; none where the camera takes none.

        OpenCV does not tell what a USB camera has chosen: so exposures are tried, and the longest that burns
        next to nothing out is taken.
        """
        capture = self._capture if self._capture is not None else self._open()
        self._capture, focus = capture, dict[str, float]()
        if capture.get(cv2.CAP_PROP_AUTO_EXPOSURE) <= 0:
            return {}
        for _ in range(_WARMING_UP):
            self.read()
        if capture.get(cv2.CAP_PROP_AUTOFOCUS) > 0:
            focus["lens_position"] = capture.get(cv2.CAP_PROP_FOCUS)
        for exposure_us, period_us in exposures(mains_hz=mains_hz):
            self._settings = {"exposure_us": exposure_us, "flicker_period_us": period_us, **focus}
            for control, value in webcam_controls(self._settings):
                capture.set(control, value)
            if self._burnt() <= _MOST_BURNT:
                break
        self._say_untaken(capture)
        return dict(self._settings)

    def _burnt(self) -> float:
        """What share of the picture is burnt out, once what was set shows."""
        for _ in range(_SETTLING):
            frame = self.read()
        assert frame is not None
        return float((frame.image.max(axis=2) >= _BURNT).mean())

    def close(self) -> None:
        """Give the camera back; safe to call twice."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _open(self) -> cv2.VideoCapture:
        source = webcam_path(self._source) if isinstance(self._source, str) else self._source
        capture = cv2.VideoCapture(source)
        if not capture.isOpened():
            capture.release()
            raise DeviceError(
                f"camera {self._source} cannot be opened: is its cable in, is it free, may this user use it "
                f"(group video)?"
            )
        try:
            self._prepare(capture)
        except Exception as error:
            capture.release()
            if isinstance(error, DeviceError):
                raise
            raise DeviceError(f"camera {self._source} does not start ({error}): is its cable in?") from error
        return capture

    def _prepare(self, capture: cv2.VideoCapture) -> None:
        """Tell an open camera what is wanted of it; it may raise anything."""
        # Motion JPEG, because raw pictures of this size do not go over USB 2 ten times a second; and no
        # queue, so that a slow reader gets what the board looks like now.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, FRAMES_A_SECOND)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if self._settings and self._novelty is not None:
            self._tell_settings(capture)

    def _tell_settings(self, capture: cv2.VideoCapture) -> None:
        """Lock an open camera at its settings while its pictures flow: it may forget what came before."""
        self._picture(capture)
        for _ in range(_TOLD):
            for control, value in webcam_controls(self._settings):
                capture.set(control, value)
            # What was on its way shows none of it.
            for _ in range(_SETTLING):
                self._picture(capture)
            if not untaken(capture, self._settings):
                break
        self._say_untaken(capture)

    def _say_untaken(self, capture: cv2.VideoCapture) -> None:
        words = untaken(capture, self._settings)
        if words and words != self._untaken:
            what = "the %s (%s) does not take %s: its pictures may change by themselves"
            LOG.warning(what, self.name, self._source, words)
        self._untaken = words

    def _picture(self, capture: cv2.VideoCapture) -> BgrImage:
        good, image = capture.read()
        if not good:
            capture.release()
            self._capture = None
            raise DeviceError(f"camera {self._source} gives no pictures any more: is its cable in?")
        return _bytes(image)


def webcam_controls(settings: Mapping[str, float]) -> list[tuple[int, float]]:
    """OpenCV's properties that lock a USB camera at a profile's settings, in the order they are to be set."""
    controls: list[tuple[int, float]] = []
    if "exposure_us" in settings:
        controls += [
            (cv2.CAP_PROP_AUTO_EXPOSURE, _V4L2_MANUAL),
            (cv2.CAP_PROP_EXPOSURE, round(settings["exposure_us"] / _V4L2_EXPOSURE_US)),
            # Once the exposure is locked, so are the colours: the camera keeps those that it has.
            (cv2.CAP_PROP_AUTO_WB, 0),
        ]
    if "lens_position" in settings:
        controls += [(cv2.CAP_PROP_AUTOFOCUS, 0), (cv2.CAP_PROP_FOCUS, settings["lens_position"])]
    return controls


def untaken(capture: cv2.VideoCapture, settings: Mapping[str, float]) -> str:
    """What a USB camera has otherwise than a profile's settings say, in words; "" where it has them all."""
    words = []
    for control, wanted in webcam_controls(settings):
        found = capture.get(control)
        if abs(found - wanted) > max(0.5, _OFF * wanted):
            words.append(f"{_WORDS[control]} ({wanted:g}; it has {found:g})")
    return ", ".join(words)


def webcam_path(wanted: str, folder: Path = BY_ID) -> str:
    """The path of the USB camera whose name has `wanted` in it, in any case; `wanted` itself if none has."""
    if "/" in wanted or not is_folder(folder):
        return wanted
    # The first of a camera's entries is its picture, the others tell about it.
    named = sorted(path for path in folder.glob("*-video-index0") if wanted.lower() in path.name.lower())
    return str(named[0]) if named else wanted


def plugged_in(folder: Path = BY_ID) -> tuple[str, ...]:
    """The USB cameras that are plugged in, by names that `webcam_path` finds them by."""
    names = (path.name for path in folder.glob("*-video-index0")) if is_folder(folder) else ()
    return tuple(sorted(name.removesuffix("-video-index0").removeprefix("usb-") for name in names))


def _bytes(image: Any) -> BgrImage:
    return np.ascontiguousarray(image, dtype=np.uint8)
