"""What every camera does, whichever backend it is: the same pictures, with times, until it is closed."""

import cv2
import numpy as np
import pytest

from uckers_table.devices.cameras import FolderCamera, WebcamCamera
from uckers_table.devices.pi_camera import Picamera2Camera

SIZE = (160, 96)
LOSS = 12
"""Grey levels that a film's compression may cost a smooth picture."""


def smooth(number):
    """A picture without sharp edges, another for each number."""
    across, down = np.meshgrid(np.linspace(0, 1, SIZE[0]), np.linspace(0, 1, SIZE[1]))
    levels = [60 + 50 * across, 60 + 50 * down, 40 + 60 * number + 20 * across * down]
    return np.rint(np.stack(levels, axis=-1)).astype(np.uint8)


PICTURES = [smooth(number) for number in range(3)]


class Requested:
    def __init__(self, picture):
        self.picture = picture

    def get_metadata(self):
        return {}

    def make_array(self, name):
        if name == "main":
            # picamera2's arrays have rows that are longer than the picture.
            return np.pad(self.picture, ((0, 0), (0, 32), (0, 0)))
        return cv2.cvtColor(np.ascontiguousarray(self.picture[::4, ::4]), cv2.COLOR_BGR2YUV_I420)

    def release(self):
        pass


class Module:
    """As much of picamera2 as gives pictures."""

    camera_properties, camera_controls = {"Model": "imx708"}, {}

    def __init__(self):
        self.pictures = iter(PICTURES)

    def create_video_configuration(self, **asked):
        return asked

    def configure(self, configuration):
        self.configuration = configuration

    def camera_configuration(self):
        return self.configuration

    def start(self):
        pass

    def capture_request(self, *, wait):
        return Requested(next(self.pictures))

    def stop(self):
        pass

    def close(self):
        pass


def folder(path, clock):
    for number, picture in enumerate(PICTURES):
        cv2.imwrite(str(path / f"{number}.png"), picture)
    return FolderCamera(path, start_s=1.0, interval_s=0.5)


def webcam(path, clock):
    film = str(path / "film.avi")
    writer = cv2.VideoWriter(film, cv2.VideoWriter.fourcc(*"MJPG"), 10, SIZE)
    for picture in PICTURES:
        writer.write(picture)
    writer.release()
    return WebcamCamera(film, size=SIZE, clock=clock)


def module(path, clock):
    return Picamera2Camera(size=SIZE, clock=clock, open_camera=Module)


@pytest.mark.parametrize("backend", [folder, webcam, module])
def test_every_camera_gives_the_same_frames_with_times(backend, tmp_path):
    times = iter([1.0, 1.5, 2.0])
    camera = backend(tmp_path, lambda: next(times))
    frames = [camera.read() for _ in PICTURES]
    assert [frame.t for frame in frames] == [1.0, 1.5, 2.0]
    for frame, picture in zip(frames, PICTURES, strict=True):
        assert (frame.image.dtype, frame.image.shape) == (np.uint8, (SIZE[1], SIZE[0], 3))
        assert frame.image.flags["C_CONTIGUOUS"]
        assert np.abs(frame.image.astype(int) - picture).max() <= (LOSS if backend is webcam else 0)
    assert camera.name == "camera"
    assert isinstance(camera.waits, bool)
    camera.close()
    camera.close()
