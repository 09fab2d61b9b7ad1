"""Cameras: pictures and films from files, and what a USB camera is asked for."""

import cv2
import numpy as np
import pytest

from uckers_table.devices.base import Frame
from uckers_table.devices.cameras import FolderCamera, WebcamCamera, webcam_controls, webcam_path
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


def test_a_film_may_repeat_a_picture_and_a_camera_may_not(film, monkeypatch):
    class Capture:
        """A camera that is stuck with one picture."""

        def __init__(self, source):
            pass

        def isOpened(self):
            return True

        def set(self, control, value):
            pass

        def read(self):
            return True, plain(GREEN)

        def release(self):
            pass

    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    told = {}
    for source in (film, "0"):
        camera = WebcamCamera(source)
        told[source] = []
        for _ in range(3):
            camera.read()
            told[source].append(camera.is_new)
        camera.close()
    assert told == {film: [True] * 3, "0": [True, False, False]}


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


def test_a_usb_camera_is_found_by_part_of_its_name(tmp_path):
    for entry in (
        "usb-Arducam_Tray_Camera_0001-video-index0",
        "usb-Arducam_Tray_Camera_0001-video-index1",
        "usb-046d_HD_Pro_Webcam_C920-video-index0",
    ):
        (tmp_path / entry).touch()
    assert webcam_path("arducam", tmp_path) == str(tmp_path / "usb-Arducam_Tray_Camera_0001-video-index0")
    assert webcam_path("C920", tmp_path) == str(tmp_path / "usb-046d_HD_Pro_Webcam_C920-video-index0")
    for same in ("/dev/video4", "film.avi", "nothing"):
        assert webcam_path(same, tmp_path) == same
        assert webcam_path(same, tmp_path / "no folder") == same


def test_a_usb_camera_is_locked_at_the_profiles_settings():
    # Video4Linux counts exposures in tenths of a millisecond, and calls a manual one 1.
    assert webcam_controls({"exposure_us": 50_000.0, "gain": 1.0, "lens_position": 30.0}) == [
        (cv2.CAP_PROP_AUTO_EXPOSURE, 1),
        (cv2.CAP_PROP_EXPOSURE, 500),
        (cv2.CAP_PROP_AUTO_WB, 0),
        (cv2.CAP_PROP_AUTOFOCUS, 0),
        (cv2.CAP_PROP_FOCUS, 30.0),
    ]
    assert webcam_controls({}) == []


class Usb:
    """A USB camera over a grey floor with a white card on it: the longer it exposes, the brighter they are,
    some frames after it is told."""

    def __init__(self, light, focus=0.0):
        self.light, self.seen = light, [157] * 3
        self.kept = {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTOFOCUS: float(focus > 0)}
        self.kept[cv2.CAP_PROP_FOCUS] = focus

    def isOpened(self):
        return True

    def get(self, control):
        return self.kept.get(control, 0.0)

    def set(self, control, value):
        self.kept[control] = value
        return True

    def read(self):
        self.seen.append(self.kept.get(cv2.CAP_PROP_EXPOSURE, 157))
        picture = np.full((40, 40, 3), min(255, self.light * self.seen[-4] / 100 * 0.5), np.uint8)
        picture[:10, :10] = min(255, self.light * self.seen[-4] / 100)
        return True, picture

    def release(self):
        pass


@pytest.mark.parametrize(
    ("light", "settings"),
    [
        (30.0, {"exposure_us": 50_000.0, "flicker_period_us": 10_000.0}),
        (70.0, {"exposure_us": 30_000.0, "flicker_period_us": 10_000.0}),
        (400.0, {"exposure_us": 5_000.0, "flicker_period_us": 0.0}),
        (100_000.0, {"exposure_us": 625.0, "flicker_period_us": 0.0}),
    ],
)
def test_a_usb_camera_is_locked_at_the_longest_exposure_that_burns_nothing_out(monkeypatch, light, settings):
    usb = Usb(light)
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: usb)
    camera = WebcamCamera(0)
    assert camera.lock() == settings
    assert usb.kept[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert usb.kept[cv2.CAP_PROP_EXPOSURE] == round(settings["exposure_us"] / 100)
    assert usb.kept[cv2.CAP_PROP_AUTO_WB] == 0


def test_a_usb_cameras_focus_is_kept_where_it_has_found_one(monkeypatch):
    usb = Usb(30.0, focus=35.0)
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: usb)
    assert WebcamCamera(0).lock()["lens_position"] == 35.0
    assert (usb.kept[cv2.CAP_PROP_AUTOFOCUS], usb.kept[cv2.CAP_PROP_FOCUS]) == (0, 35.0)


def test_a_usb_camera_that_takes_no_exposure_is_left_to_itself(monkeypatch):
    usb = Usb(30.0)
    usb.kept[cv2.CAP_PROP_AUTO_EXPOSURE] = 0.0
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: usb)
    assert WebcamCamera(0).lock() == {}
    assert cv2.CAP_PROP_EXPOSURE not in usb.kept


class Forgetful(Usb):
    """A USB camera that forgets what it was told before its pictures flow; `forgets` more times after it."""

    def __init__(self, light=30.0, forgets=0, refuses=(), steps=1):
        super().__init__(light)
        self.kept |= {cv2.CAP_PROP_AUTO_WB: 1.0}
        self.factory, self.flows, self.refuses, self.steps = dict(self.kept), 0, refuses, steps
        self.forgets_at = [1, *(1 + 4 * turn for turn in range(1, forgets + 1))]

    def set(self, control, value):
        if control in self.refuses:
            return False
        kept = value if control != cv2.CAP_PROP_EXPOSURE else round(value / self.steps) * self.steps
        return super().set(control, kept)

    def read(self):
        self.flows += 1
        if self.flows in self.forgets_at:
            self.kept = dict(self.factory)
        return super().read()


LOCKED = {"exposure_us": 50_000.0}
TAKEN = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_EXPOSURE: 500, cv2.CAP_PROP_AUTO_WB: 0}


@pytest.mark.parametrize("forgets", [0, 1])
def test_settings_are_told_when_pictures_flow_and_read_back(monkeypatch, caplog, forgets):
    usb = Forgetful(forgets=forgets)
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: usb)
    frame = WebcamCamera(0, settings=LOCKED).read()
    assert {control: usb.kept[control] for control in TAKEN} == TAKEN
    # The first picture that is given has been taken with them: 30 × 500 / 100 is the card's grey.
    assert frame.image[0, 0, 0] == 150
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("camera", "said"),
    [
        (Forgetful(refuses=[cv2.CAP_PROP_EXPOSURE]), "the exposure (500; it has 0)"),
        (
            Forgetful(forgets=9),
            "a manual exposure (1; it has 3), the exposure (500; it has 0), "
            "a fixed white balance (0; it has 1)",
        ),
        (Forgetful(steps=156), "the exposure (500; it has 468)"),
        (Forgetful(steps=39), ""),
    ],
    ids=["refuses", "forgets", "coarse", "fine"],
)
def test_a_setting_that_a_usb_camera_does_not_take_is_said_once(monkeypatch, caplog, camera, said):
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: camera)
    opened = WebcamCamera("Arducam", name="tray camera", settings=LOCKED)
    for _ in range(3):
        opened.read()
        opened.close()
    line = f"the tray camera (Arducam) does not take {said}: its pictures may change by themselves"
    assert caplog.messages == ([line] if said else [])


def test_a_camera_whose_pictures_do_not_flow_cannot_be_locked_and_says_so(monkeypatch):
    usb = Forgetful()
    usb.read = lambda: (False, None)
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: usb)
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        WebcamCamera(0, settings=LOCKED)


def test_a_usb_camera_that_fails_while_it_is_opened_is_released_and_tried_again(monkeypatch):
    class Failing(Usb):
        released = 0

        def set(self, control, value):
            raise cv2.error("VIDIOC_S_FMT: Input/output error")

        def release(self):
            self.released += 1

    failing = Failing(30.0)
    captures = iter([failing, Usb(30.0)])
    monkeypatch.setattr(cv2, "VideoCapture", lambda source: next(captures))
    with pytest.raises(DeviceError, match=r"camera 0 does not start .*is its cable in"):
        WebcamCamera(0)
    assert failing.released == 1
    assert WebcamCamera(0).read().image.shape == (40, 40, 3)


def test_a_film_takes_no_settings_and_loses_no_picture(film, caplog):
    camera = WebcamCamera(film, settings=LOCKED)
    assert np.abs(camera.read().image.astype(int) - BLUE).max() < 16
    assert caplog.messages == []


class Closed:
    """A capture that did not open."""

    def isOpened(self):
        return False

    def release(self):
        pass
