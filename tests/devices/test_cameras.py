"""Cameras: pictures and films from files, and picamera2's calls on a stand-in."""

import cv2
import numpy as np
import pytest

from uckers_table.devices.base import Frame
from uckers_table.devices.cameras import (
    FRAME_WAIT_S,
    FULL_VIEW,
    FolderCamera,
    Picamera2Camera,
    WebcamCamera,
    to_bgr,
)
from uckers_table.errors import DeviceError

BLUE, GREEN, RED = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def plain(colour, size=(64, 48)):
    return np.full((size[1], size[0], 3), colour, np.uint8)


def seen(frames):
    return [
        (frame.t, frame.image.shape, tuple(int(value) for value in frame.image[5, 5])) for frame in frames
    ]


def test_a_folder_gives_its_pictures_in_order_and_ends(tmp_path):
    for name, colour in (("002.png", GREEN), ("001.png", BLUE), ("010.PNG", RED)):
        cv2.imwrite(str(tmp_path / name), plain(colour))
    (tmp_path / "labels.json").write_text("{}")
    camera = FolderCamera(tmp_path, interval_s=0.5, start_s=2.0)
    frames = [camera.read() for _ in range(3)]
    assert seen(frames) == [(2.0, (48, 64, 3), BLUE), (2.5, (48, 64, 3), GREEN), (3.0, (48, 64, 3), RED)]
    assert camera.read() is None
    camera.close()


def test_a_torn_picture_is_named_and_the_next_one_still_comes(tmp_path):
    (tmp_path / "1.jpg").write_bytes(b"\xff\xd8\xff\xe0 torn")
    (tmp_path / "2.jpg").touch()
    cv2.imwrite(str(tmp_path / "3.png"), plain(GREEN))
    camera = FolderCamera(str(tmp_path))
    for name in ("1.jpg", "2.jpg"):
        with pytest.raises(DeviceError, match=f"{name} is no picture"):
            camera.read()
    assert seen([camera.read()]) == [(0.2, (48, 64, 3), GREEN)]


def test_a_folder_without_pictures(tmp_path):
    with pytest.raises(DeviceError, match="holds no pictures"):
        FolderCamera(tmp_path)
    with pytest.raises(DeviceError, match=r"cannot be read \(No such file"):
        FolderCamera(tmp_path / "nowhere")


@pytest.fixture
def film(tmp_path):
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for colour in (BLUE, GREEN, RED):
        writer.write(plain(colour))
    writer.release()
    return path


def test_a_film_plays_is_lost_at_its_end_and_found_again(film):
    times = iter([1.0, 2.0, 3.0, 4.0])
    camera = WebcamCamera(film, clock=lambda: next(times))
    frames = [camera.read() for _ in range(3)]
    assert [frame.t for frame in frames] == [1.0, 2.0, 3.0]
    for frame, colour in zip(frames, (BLUE, GREEN, RED), strict=True):
        assert np.abs(frame.image.astype(int) - colour).max() < 16
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.read()
    again = camera.read()
    assert isinstance(again, Frame)
    assert np.abs(again.image.astype(int) - BLUE).max() < 16
    camera.close()
    camera.close()


def test_a_camera_that_is_not_there_says_what_to_try(tmp_path):
    with pytest.raises(DeviceError, match=r"nothing\.avi cannot be opened: is its cable in"):
        WebcamCamera(str(tmp_path / "nothing.avi"))


def test_a_number_written_as_text_is_a_number(monkeypatch):
    asked = []
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: asked.append(source) or Closed())
    for source in (0, "2", "/dev/video4"):
        with pytest.raises(DeviceError, match="cannot be opened"):
            WebcamCamera(source)
    assert asked == [0, 2, "/dev/video4"]


class Closed:
    """A capture that did not open."""

    def isOpened(self):
        return False

    def release(self):
        pass


class Module:
    """Answers picamera2's calls; may choose another format than it was asked for, as libcamera does."""

    def __init__(self, arrays, pixel_format="RGB888", size=None):
        self._arrays = iter(arrays)
        self._format = pixel_format
        self._size = size
        self.calls = []

    def create_video_configuration(self, *, main):
        return {"main": main}

    def configure(self, configuration):
        self.asked = configuration["main"]
        self.calls.append("configure")

    def camera_configuration(self):
        return {"main": {"size": self._size or self.asked["size"], "format": self._format}}

    def start(self):
        self.calls.append("start")

    def capture_array(self, name, *, wait):
        assert (name, wait) == ("main", FRAME_WAIT_S)
        array = next(self._arrays)
        if array is None:
            raise TimeoutError("timed out")
        return array

    def stop(self):
        self.calls.append("stop")

    def close(self):
        self.calls.append("close")


def test_a_camera_module_gives_its_full_view_blue_first():
    module = Module([plain(RED, FULL_VIEW)])
    camera = Picamera2Camera(clock=lambda: 7.0, open_camera=lambda: module)
    assert module.asked == {"size": (2304, 1296), "format": "RGB888"}
    assert seen([camera.read()]) == [(7.0, (1296, 2304, 3), RED)]
    camera.close()
    camera.close()
    assert module.calls == ["configure", "start", "stop", "close"]


def test_a_camera_module_that_stops_is_closed_and_opened_again():
    modules = [Module([None]), Module([plain(GREEN, FULL_VIEW)])]
    opened = iter(modules)
    camera = Picamera2Camera(clock=lambda: 7.0, open_camera=lambda: next(opened))
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.read()
    assert modules[0].calls == ["configure", "start", "stop", "close"]
    assert seen([camera.read()]) == [(7.0, (1296, 2304, 3), GREEN)]
    camera.close()


@pytest.mark.parametrize(
    "trouble", [IndexError("list index out of range"), RuntimeError("busy"), ImportError("none")]
)
def test_no_camera_module_says_what_to_try(trouble):
    def none_there():
        raise trouble

    with pytest.raises(DeviceError, match=r"no camera module answers .*rpicam-hello"):
        Picamera2Camera(open_camera=none_there)


def test_half_colour_pictures_are_turned_to_blue_first_and_their_padding_left_out():
    # A NV12 picture by hand: full brightness rows, then one row of (U, V) pairs for each two of them.
    picture = np.full((6, 12), 99, np.uint8)
    picture[:4, :8] = 82
    picture[4:, :8:2], picture[4:, 1:8:2] = 90, 240
    assert to_bgr(picture, "NV12", (8, 4)).shape == (4, 8, 3)
    # The pure red of BT.601: Y 82, Cb 90, Cr 240.
    assert np.abs(to_bgr(picture, "NV12", (8, 4)).astype(int) - RED).max() <= 2


def test_an_unknown_pixel_format():
    with pytest.raises(DeviceError, match="as MJPEG, which is not known"):
        to_bgr(plain(RED), "MJPEG", (64, 48))
