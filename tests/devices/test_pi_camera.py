"""The camera module: picamera2's calls on a stand-in that refuses what picamera2 would."""

from itertools import pairwise
from threading import Event

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S, until
from uckers_table.devices import live, pi_camera
from uckers_table.devices.awaited import AwaitedCamera
from uckers_table.devices.live import LiveCamera
from uckers_table.devices.pi_camera import (
    COPY_AGAIN_S,
    FRAME_WAIT_S,
    FULL_VIEW,
    FULL_VIEWS,
    Picamera2Camera,
    full_view,
    has_changed,
    to_bgr,
)
from uckers_table.errors import DeviceError
from uckers_table.game.board import Board, Plan
from uckers_table.machine import threads
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer

BLUE, GREEN, RED = (255, 0, 0), (0, 255, 0), (0, 0, 255)
SIZE = (64, 36)
AUTOFOCUS = {"AfMode", "LensPosition", "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains"}


def plain(colour, size=SIZE):
    return np.full((size[1], size[0], 3), colour, np.uint8)


def small(picture):
    """The second stream's array of a picture: a quarter of it, in half colour."""
    height, width = picture.shape[:2]
    smaller = cv2.resize(picture, (2 * (width // 8), 2 * (height // 8)), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(smaller, cv2.COLOR_BGR2YUV_I420)


class Request:
    """A frame of the module; counts what is copied out of it, and refuses to be used when given back."""

    def __init__(self, module, picture, metadata):
        self.module, self.picture, self.metadata, self.is_out = module, picture, metadata, True

    def get_metadata(self):
        assert self.is_out
        return self.metadata

    def make_array(self, name):
        assert self.is_out
        self.module.copied.append(name)
        return self.picture if name == "main" else small(self.picture)

    def release(self):
        assert self.is_out
        self.is_out = False
        self.module.out -= 1


class Module:
    """Answers picamera2's calls. `frames` are pictures, or errors to raise."""

    def __init__(
        self, frames=(), *, model="imx708", controls=AUTOFOCUS, has_small=True, focuses=True, metadata=None
    ):
        self.frames, self.has_small, self.focuses = iter(frames), has_small, focuses
        self.camera_properties, self.camera_controls = {"Model": model}, dict.fromkeys(controls)
        self.metadata, self.early, self.waited = metadata or {}, [], None
        self.calls, self.copied, self.out = [], [], 0

    def create_video_configuration(self, *, main, lores, sensor, controls):
        assert controls.keys() <= self.camera_controls.keys()
        return {"main": main, "lores": lores, "sensor": sensor, "controls": controls}

    def configure(self, configuration):
        self.asked = configuration
        self.calls.append("configure")

    def camera_configuration(self):
        return {**self.asked, "lores": self.asked["lores"] if self.has_small else None}

    def set_controls(self, controls):
        assert controls.keys() <= self.camera_controls.keys()
        self.calls.append(controls)

    def start(self):
        self.calls.append("start")

    def capture_request(self, *, wait):
        assert wait == FRAME_WAIT_S
        assert self.out == 0
        frame = next(self.frames)
        if isinstance(frame, Exception):
            raise frame
        self.out += 1
        return Request(self, frame, dict(self.early.pop(0) if self.early else self.metadata))

    def autofocus_cycle(self, *, wait):
        self.waited = wait
        self.calls.append("autofocus")
        if isinstance(self.focuses, Exception):
            raise self.focuses
        return self.focuses

    def stop(self):
        self.calls.append("stop")

    def close(self):
        self.calls.append("close")


def camera_of(*modules, **others):
    opened = iter(modules)
    return Picamera2Camera(open_camera=lambda: next(opened), **others)


def test_a_module_gives_its_full_view_blue_first():
    module = Module([plain(RED, FULL_VIEW)])
    camera = camera_of(module, clock=lambda: 7.0)
    assert module.asked["main"] == {"size": (2304, 1296), "format": "RGB888"}
    assert module.asked["lores"] == {"size": (576, 324), "format": "YUV420"}
    assert module.asked["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
    frame = camera.read()
    assert (frame.t, frame.image.shape, tuple(frame.image[5, 5])) == (7.0, (1296, 2304, 3), RED)
    camera.close()
    camera.close()
    assert module.calls == ["configure", "start", "stop", "close"]
    assert module.out == 0


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("imx708_wide", (2304, 1296)),
        ("imx219", (1640, 1232)),
        ("imx477", (2028, 1520)),
        ("imx999", FULL_VIEW),
    ],
)
def test_every_module_is_asked_for_the_mode_that_sees_all(model, size):
    module = Module(model=model)
    camera_of(module, size=(1280, 720)).close()
    assert module.asked["sensor"]["output_size"] == size == full_view(model)
    assert module.asked["main"]["size"] == (1280, 720)
    assert all(width % 2 == height % 2 == 0 for width, height in FULL_VIEWS.values())


def test_a_module_names_its_sensor_through_all_that_is_around_it():
    module = Module([plain(GREEN)] * 3, model="imx708_wide")
    awaited = AwaitedCamera(lambda: LiveCamera(lambda: camera_of(module, size=SIZE)))
    assert awaited.model == ""
    awaited.read()
    assert awaited.model == "imx708_wide"
    awaited.close()


def test_a_picture_is_copied_only_when_something_has_changed():
    now = [0.0]
    still, moved = plain(GREEN), plain(GREEN)
    moved[8:24, 8:24] = RED
    module = Module([still, still, still, moved, moved, still])
    camera = camera_of(module, size=SIZE, clock=lambda: now[0])
    frames = []
    for _ in range(6):
        now[0] += 0.1
        frames.append(camera.read())
    assert [frame.t for frame in frames] == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    same = [one.image is other.image for one, other in pairwise(frames)]
    assert same == [True, True, False, True, False]
    assert [
        np.array_equal(frame.image, picture)
        for frame, picture in zip(frames, [still, still, still, moved, moved, still], strict=True)
    ] == [True] * 6
    assert module.copied.count("main") == 3
    camera.close()


def test_a_picture_does_not_stand_for_others_for_ever_nor_without_a_second_stream():
    now = [0.0]
    module = Module([plain(GREEN)] * 4)
    camera = camera_of(module, size=SIZE, clock=lambda: now[0])
    for step_s in (0.0, COPY_AGAIN_S - 0.1, 0.2, 0.1):
        now[0] += step_s
        camera.read()
    assert module.copied.count("main") == 2
    camera.close()
    alone = Module([plain(GREEN)] * 3, has_small=False)
    camera = camera_of(alone, size=SIZE)
    for _ in range(3):
        camera.read()
    assert alone.copied == ["main"] * 3
    camera.close()


@pytest.fixture(scope="module")
def renderer():
    return Renderer(Plan(Board()), look_for(3), size=(2304, 1296), seed=3)


def test_whatever_the_reader_could_see_is_a_change_and_noise_is_none(renderer):
    noise = np.random.default_rng(1)

    def noisy(picture):
        return np.clip(picture + noise.normal(0, 4, picture.shape), 0, 255).astype(np.uint8)

    start = small(noisy(renderer.start))
    assert not has_changed(small(noisy(renderer.start)), start)
    # A speck as large as a pip, 6 dots across, as little darker than its surroundings as a pip in shadow.
    height, width = renderer.start.shape[:2]
    turned = renderer.start.copy()
    x, y = width // 2, height // 2
    turned[y : y + 6, x : x + 6] = np.clip(turned[y : y + 6, x : x + 6].astype(int) - 45, 0, 255)
    assert has_changed(small(turned), small(renderer.start))


def test_a_module_is_locked_at_a_profiles_settings_where_it_has_them():
    settings = {
        "exposure_us": 50_000.0,
        "gain": 1.3,
        "red_gain": 2.0,
        "blue_gain": 1.5,
        "lens_position": 1.09,
    }
    module = Module()
    camera_of(module, settings=settings).close()
    assert module.asked["controls"] == {
        "AeEnable": False,
        "ExposureTime": 50_000,
        "AnalogueGain": 1.3,
        "AwbEnable": False,
        "ColourGains": (2.0, 1.5),
        "AfMode": 0,
        "LensPosition": 1.09,
    }
    without_lens = Module(controls=AUTOFOCUS - {"AfMode", "LensPosition"})
    camera_of(without_lens, settings=settings).close()
    assert without_lens.asked["controls"].keys() == module.asked["controls"].keys() - {
        "AfMode",
        "LensPosition",
    }


METADATA = {"ExposureTime": 33_000, "AnalogueGain": 2.0, "ColourGains": (2.25, 1.5), "LensPosition": 1.12}


def test_locking_focuses_once_and_keeps_what_the_lens_reports():
    first = Module()
    focusing, locked = Module([plain(GREEN)] * 30, metadata=METADATA), Module([plain(GREEN)])
    camera = camera_of(first, focusing, locked, size=SIZE)
    settings = camera.lock(mains_hz=60)
    assert focusing.calls == ["configure", "start", "autofocus", "stop", "close"]
    assert focusing.asked["controls"] == {}
    assert settings == camera.settings
    assert (settings["exposure_us"], settings["lens_position"]) == (50_000.0, 1.12)
    assert locked.asked["controls"]["LensPosition"] == 1.12
    assert locked.asked["controls"]["AfMode"] == 0
    assert camera.read().image.shape == (36, 64, 3)
    camera.close()


WINDOWED = AUTOFOCUS | {"FrameDurationLimits", "AfMetering", "AfWindows"}
FAST, SLOW = {"FrameDurationLimits": (33_333, 33_333)}, {"FrameDurationLimits": (100_000, 100_000)}


class Sensor(Module):
    """A module that says which part of its sensor is seen, from when it is configured on."""

    def __init__(self, *frames, seen=None, largest_crop=None, **others):
        super().__init__(*frames, **others)
        self.seen, self.largest_crop = seen, largest_crop

    def configure(self, configuration):
        super().configure(configuration)
        if self.seen is not None:
            self.camera_properties["ScalerCropMaximum"] = self.seen
        if self.largest_crop is not None:
            self.camera_controls["ScalerCrop"] = ((0, 0, 64, 64), self.largest_crop, self.largest_crop)


@pytest.mark.parametrize("told_as", ["seen", "largest_crop"])
@pytest.mark.parametrize(
    ("seen", "window"),
    [
        # Camera Module 3, whole; and a mode that sees the middle of a larger sensor.
        ((0, 0, 4608, 2592), (1332, 324, 1944, 1944)),
        ((400, 300, 3200, 1800), (1325, 525, 1350, 1350)),
    ],
)
def test_the_lens_is_focused_on_the_board_fast_and_the_rest_measured_at_ten_frames(told_as, seen, window):
    silent = dict(METADATA)
    del silent["LensPosition"]
    focusing = Sensor([plain(GREEN)] * 30, controls=WINDOWED, metadata=METADATA, **{told_as: seen})
    # The first frames may not tell where the lens is.
    focusing.early = [silent, silent]
    after = Module([plain(GREEN)], controls=WINDOWED)
    camera = camera_of(Module(controls=WINDOWED), focusing, after, size=SIZE)
    settings = camera.lock()
    assert focusing.asked["controls"] == FAST
    assert focusing.calls == [
        "configure",
        {"AfMetering": 1, "AfWindows": [window]},
        "start",
        "autofocus",
        SLOW,
        SLOW,
        {**SLOW, "AfMode": 0, "LensPosition": 1.12},
        "stop",
        "close",
    ]
    assert settings["lens_position"] == after.asked["controls"]["LensPosition"] == 1.12
    assert after.asked["controls"]["FrameDurationLimits"] == SLOW["FrameDurationLimits"]
    camera.close()


def test_a_module_without_a_lens_that_moves_is_measured_at_ten_frames_too():
    fixed = WINDOWED - {"AfMode", "LensPosition", "AfMetering", "AfWindows"}
    metadata = {name: value for name, value in METADATA.items() if name != "LensPosition"}
    measuring = Module([plain(GREEN)] * 30, controls=fixed, metadata=metadata)
    camera = camera_of(Module(controls=fixed), measuring, Module(controls=fixed), size=SIZE)
    assert "lens_position" not in camera.lock()
    assert measuring.calls == ["configure", "start", SLOW, "stop", "close"]
    camera.close()


def test_a_lens_may_search_for_half_a_minute():
    module = Module([plain(GREEN)] * 30, metadata=METADATA)
    camera = camera_of(Module(), module, Module(), size=SIZE)
    camera.lock()
    # At ten frames a second a cycle over a table took 25 seconds.
    assert module.waited == 30.0
    assert live.LOCK_S > 30.0 + 2 * 3.0 + 10.0
    camera.close()


@pytest.mark.parametrize(
    ("focuses", "said"),
    [
        (False, "finds no focus: is the board in view"),
        (TimeoutError("timed out"), "finds no focus: is the board in view"),
        (RuntimeError("camera frontend has timed out"), "failed while it focused .*: check its lead"),
    ],
    ids=["not found", "too long", "lost"],
)
def test_a_lens_that_finds_no_focus_says_what_to_try(focuses, said):
    after = Module([plain(GREEN)])
    settings = {"lens_position": 1.09}
    camera = camera_of(Module(), Module(focuses=focuses), after, size=SIZE, settings=settings)
    with pytest.raises(DeviceError, match=said):
        camera.lock()
    # The board is seen as before.
    assert camera.read().image.shape == (36, 64, 3)
    assert after.asked["controls"] == {"AfMode": 0, "LensPosition": 1.09}
    assert camera.settings == settings
    camera.close()


def test_a_module_that_fails_while_it_is_locked_is_locked_as_before():
    after, settings = Module([plain(GREEN)]), {"lens_position": 1.09}
    failing = Module([plain(GREEN), TimeoutError("timed out")], metadata=METADATA)
    camera = camera_of(Module(), failing, after, size=SIZE, settings=settings)
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.lock()
    camera.read()
    assert after.asked["controls"] == {"AfMode": 0, "LensPosition": 1.09}
    assert camera.settings == settings
    camera.close()


def test_a_module_that_takes_no_control_while_it_is_locked_is_locked_as_before():
    class Refusing(Module):
        def set_controls(self, controls):
            raise RuntimeError("Remote I/O error")

    refusing, after = Refusing([plain(GREEN)] * 30, controls=WINDOWED - {"AfWindows"}), Module([plain(GREEN)])
    camera = camera_of(Module(), refusing, after, size=SIZE)
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.lock()
    assert refusing.calls[-1] == "close"
    assert camera.read().image.shape == (36, 64, 3)
    camera.close()


def test_a_frame_has_the_time_when_it_was_taken(monkeypatch):
    now_ns = 3_600_000_000_000
    monkeypatch.setattr(pi_camera.time, "monotonic_ns", lambda: now_ns)
    stamp = now_ns - 200_000_000
    camera = camera_of(
        Module([plain(GREEN)], metadata={"SensorTimestamp": stamp}), size=SIZE, clock=lambda: 50.0
    )
    assert camera.read().t == 49.8
    camera.close()
    # A stamp by another clock tells nothing.
    camera = camera_of(Module([plain(GREEN)], metadata={"SensorTimestamp": 1}), size=SIZE, clock=lambda: 50.0)
    assert camera.read().t == 50.0
    camera.close()


def test_a_camera_module_that_stops_is_closed_and_opened_again():
    modules = [Module([plain(RED), TimeoutError("timed out")]), Module([plain(GREEN)])]
    camera = camera_of(*modules, size=SIZE)
    camera.read()
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.read()
    assert modules[0].calls == ["configure", "start", "stop", "close"]
    assert tuple(camera.read().image[5, 5]) == GREEN
    camera.close()


class Held(Module):
    """A module that is held from when it is made until it is closed, as picamera2 has it. `failing` names the
    call that raises; `trouble` is what."""

    def __init__(self, socket, failing, trouble, frames=()):
        if socket["held"]:
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        super().__init__(frames)
        self.socket, self.failing, self.trouble = socket, failing, trouble
        socket["held"] = True

    def fail_at(self, call):
        if self.failing == call:
            raise self.trouble

    def create_video_configuration(self, **wanted):
        self.fail_at("create_video_configuration")
        return super().create_video_configuration(**wanted)

    def configure(self, configuration):
        self.fail_at("configure")
        super().configure(configuration)

    def camera_configuration(self):
        self.fail_at("camera_configuration")
        return super().camera_configuration()

    def start(self):
        self.fail_at("start")
        super().start()

    def stop(self):
        self.fail_at("stop")
        super().stop()

    def close(self):
        self.socket["held"] = False
        super().close()


TROUBLES = [
    RuntimeError("Remote I/O error"),
    OSError(5, "EIO"),
    AttributeError("no such thing"),
    KeyError("x"),
]
BEFORE_PICTURES = ["create_video_configuration", "configure", "camera_configuration", "start"]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
@pytest.mark.parametrize("failing", BEFORE_PICTURES)
def test_a_module_that_does_not_start_is_given_back_and_tried_again(failing, trouble):
    socket = {"held": False}
    tries = iter(
        [
            lambda: Held(socket, failing, trouble),
            lambda: Held(socket, "", None, [plain(GREEN), TimeoutError("timed out")]),
            lambda: Held(socket, failing, trouble),
            lambda: Held(socket, failing, trouble),
            lambda: Held(socket, "", None, [plain(RED)]),
        ]
    )
    with pytest.raises(DeviceError, match="the camera module does not start"):
        Picamera2Camera(open_camera=lambda: next(tries)(), size=SIZE)
    assert not socket["held"]
    camera = Picamera2Camera(open_camera=lambda: next(tries)(), size=SIZE)
    assert tuple(camera.read().image[5, 5]) == GREEN
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.read()
    for _ in range(2):
        with pytest.raises(DeviceError, match="the camera module does not start"):
            camera.read()
    assert tuple(camera.read().image[5, 5]) == RED
    camera.close()
    assert not socket["held"]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: type(trouble).__name__)
def test_a_module_that_cannot_be_stopped_is_closed_all_the_same(trouble):
    socket = {"held": False}
    tries = iter([("stop", [plain(GREEN), TimeoutError("timed out")]), ("", [plain(RED)])])

    def opened():
        failing, frames = next(tries)
        return Held(socket, failing, trouble, frames)

    camera = Picamera2Camera(open_camera=opened, size=SIZE)
    camera.read()
    with pytest.raises(DeviceError, match="gives no pictures any more"):
        camera.read()
    assert not socket["held"]
    assert tuple(camera.read().image[5, 5]) == RED
    camera.close()


class Stalled(Module):
    """A module whose ribbon is loose: what is asked for stays at the head of picamera2's queue, and what is
    asked for later waits behind it."""

    def __init__(self, *, hangs_for_good=False):
        super().__init__()
        self.queue, self.hangs_for_good, self.is_flushed = [], hangs_for_good, Event()

    def capture_request(self, *, wait):
        self.queue.append("request")
        raise TimeoutError("timed out")

    def cancel_all_and_flush(self):
        self.calls.append("flush")
        if not self.hangs_for_good:
            self.queue.clear()
            self.is_flushed.set()

    def stop(self):
        if self.queue:
            assert self.is_flushed.wait(HANGS_S)
        super().stop()


def test_a_ribbon_that_comes_loose_is_said_and_the_camera_is_opened_again():
    stalled, after = Stalled(), Module([plain(GREEN)])
    camera = camera_of(stalled, after, size=SIZE)
    with pytest.raises(DeviceError, match=r"gives no pictures any more .*ribbon"):
        camera.read()
    assert stalled.calls == ["configure", "start", "flush", "stop", "close"]
    assert tuple(camera.read().image[5, 5]) == GREEN
    camera.close()


def test_a_module_that_never_stops_is_left_behind_for_another(monkeypatch):
    monkeypatch.setattr(live, "SILENT_S", 0.5)
    monkeypatch.setattr(threads, "CLOSE_S", 0.1)
    stalled, after = Stalled(hangs_for_good=True), Module([plain(GREEN)])
    modules = iter([stalled, after])
    camera = LiveCamera.opened(lambda: camera_of(next(modules), size=SIZE))
    with pytest.raises(DeviceError, match="has given no picture"):
        camera.read()
    assert tuple(camera.read().image[5, 5]) == GREEN
    camera.close()
    stalled.is_flushed.set()
    until(lambda: stalled.calls[-1] == "close")


def test_a_frame_is_new_only_if_any_byte_of_it_is(renderer):
    noisy = renderer.start.copy()
    noisy[::7] ^= 1
    pictures = [renderer.start, renderer.start, noisy, noisy, renderer.start]
    for has_small in (True, False):
        camera = camera_of(Module(pictures, has_small=has_small))
        told = []
        for _ in pictures:
            camera.read()
            told.append(camera.is_new)
        assert told == [True, False, True, False, True]
        camera.close()


def test_in_the_dark_every_frame_is_new():
    camera = camera_of(Module([plain((0, 0, 0))] * 3), size=SIZE)
    for _ in range(3):
        camera.read()
        assert camera.is_new
    camera.close()


@pytest.mark.parametrize(
    "trouble",
    [
        IndexError("list index out of range"),
        RuntimeError("busy"),
        ImportError("none"),
        AttributeError("'NoneType' object has no attribute 'id'"),
    ],
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
        to_bgr(plain(RED), "MJPEG", SIZE)


def test_the_small_stream_has_a_dot_for_each_two_millimetres():
    # 0.92 m above the board 2304 dots are 1198 mm.
    assert pytest.approx(2.08, abs=0.01) == 1198 / pi_camera.SMALL_WIDTH


@pytest.mark.skip(reason="needs Camera Module 3 over a board: eight hours, from cold, between 15 and 35 °C")
def test_hardware_the_lens_stays_where_it_was_locked():
    """Wiring: Camera Module 3 on a 500 mm cable at CAM0, level, lens 0.92 m above the board's middle.

    `uckers-table photo` locks it; then a frame each minute for eight hours, from a cold start: `uckers-table
    doctor` calls none of them blurred, and the board is found within a pixel of where it was.
    """


@pytest.mark.skip(reason="needs Camera Module 3 under ship's lamps and dimmed LEDs")
def test_hardware_no_bands_at_the_locked_exposure():
    """Wiring: as above, under lamps at 50 Hz, at 60 Hz and under LEDs dimmed to a half.

    The mean of each row of a grey card, over a hundred frames, differs by less than two grey levels at each
    of 10, 20 and 50 ms.
    """
