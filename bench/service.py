"""What the running service takes of a small machine: its memory, and the time until it is ready.

The service is `uckers-table run` as it is installed. It has a page, and the devices that a configuration
names unless told otherwise. Devices that this machine lacks are looked for, as on a table. The camera's
frames have the full size; the simulator has painted them beforehand.

    python bench/service.py
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2

from uckers_table.game.board import COLOURS, Plan
from uckers_table.game.match import begin
from uckers_table.game.setting import load_setting
from uckers_table.record.recording import EVENTS, RecordingWriter, last_recording
from uckers_table.record.store import match_folder
from uckers_table.simulator.look import look_for
from uckers_table.simulator.render import Renderer
from uckers_table.simulator.world import SimulatedTable
from uckers_table.vision.calibrate import calibrate

FULL_PX = 2304, 1296
FRAMES, SHOWN = 120, 6_000
"""Frames that are painted, of a match that begins, with hands, dice and pieces; and frames that are shown,
the same ones again and again.
"""
WATCHED_S, LOOK_S, LOOKS_A_PICTURE = 20.0, 0.1, 10
"""Seconds for which the service's memory is looked at, seconds between looks, and looks for one picture.
Somebody watches the page, and asks for the picture with every tenth look.
"""
STARTS = 7
WEEK_S, FRAMES_A_SECOND = 7 * 24 * 3600.0, 5
READY_S = 60.0
MOST_MB, MOST_STARTS = 190.0, 10.0


def film(folder: Path) -> None:
    """Paints a table's profile and its camera's frames into a folder."""
    for name in ("painted", "frames"):
        (folder / name).mkdir()
    renderer = Renderer(Plan(), look_for(1), size=FULL_PX, seed=1)
    calibrate(renderer.empty, renderer.start, COLOURS).save(folder / "table.toml")
    table = SimulatedTable(begin(load_setting("br4006"), to_play="red"), renderer, None, lambda name: None)
    for number in range(FRAMES):
        frame = table.advance()
        assert frame is not None
        cv2.imwrite(str(folder / "painted" / f"{number}.jpg"), frame.image)
    for number in range(SHOWN):
        (folder / "frames" / f"{number:06d}.jpg").symlink_to(folder / "painted" / f"{number % FRAMES}.jpg")


def memory(folder: Path) -> tuple[float, float]:
    """The service's resident memory, in megabytes, while it referees the film and is watched. The median of
    the looks at it, and the most there ever was.
    """
    port = _free_port()
    config = folder / "service.toml"
    config.write_text(
        f"""record = "{folder}/record"
table = "{folder}/table.toml"
camera = "folder"
camera_source = "{folder}/frames"
dice = "camera"
to_play = "red"
page_port = {port}
""",
        encoding="utf-8",
    )
    with _service(config) as (service, _):
        _begin_match(folder, port)
        watcher = socket.create_connection(("127.0.0.1", port))
        watcher.sendall(b"GET /api/feed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        until, looks = time.monotonic() + WATCHED_S, []
        with watcher:
            while not looks or time.monotonic() < until:
                if len(looks) % LOOKS_A_PICTURE == 0:
                    _asked(port, "GET", "/api/picture/marked.jpg")
                looks.append(_memory_mb(service.pid, "VmRSS"))
                time.sleep(LOOK_S)
        # The kernel counts in batches, so its own mark may lie below what an earlier look showed.
        return statistics.median(looks), max(*looks, _memory_mb(service.pid, "VmHWM"))


def _memory_mb(process: int, what: str) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split(f"{what}:")[1].split()[0]) * 1024 / 1e6


def start() -> float:
    """The time from the service's start until it says that it is ready, over that to import OpenCV."""
    ratios = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(STARTS + 1):
            config = folder / "service.toml"
            config.write_text(
                f'camera = "webcam"\nrecord = "{folder}/{number}"\npage_port = {_free_port()}\n',
                encoding="utf-8",
            )
            with _service(config) as (_, ready_s):
                pass
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", "import cv2"], check=True)
            # The first start and the first import read the files from the disk.
            if number:
                ratios.append(ready_s / (time.perf_counter() - began))
    return statistics.median(ratios)


def waited(folder: Path) -> tuple[float, float]:
    """What a start takes that goes on with a match after a week of waiting, over one that goes on at once: in
    time until it is ready, and in memory then. The match is the one that `memory` refereed.
    """
    times, sizes = list[float](), list[float]()
    for _ in range(STARTS):
        at_once, late = (_goes_on(folder, wait_s) for wait_s in (0.0, WEEK_S))
        times.append(late[0] / at_once[0])
        sizes.append(late[1] / at_once[1])
    return statistics.median(times), statistics.median(sizes)


def _goes_on(folder: Path, wait_s: float) -> tuple[float, float]:
    """How long the start takes (seconds) that goes on with the match, and its memory then (MB)."""
    with tempfile.TemporaryDirectory() as name:
        record = Path(name) / "record"
        shutil.copytree(folder / "record", record)
        recording = last_recording(match_folder(record, 1))
        *_, last = (recording / EVENTS).read_text(encoding="utf-8").splitlines()
        seen = json.loads(last)
        with closing(RecordingWriter(recording, None)) as writer:
            for number in range(int(wait_s * FRAMES_A_SECOND)):
                writer.wait(seen | {"t": round(seen["t"] + (number + 1) / FRAMES_A_SECOND, 3)})
        config = Path(name) / "service.toml"
        none = "\n".join(f'{device} = "none"' for device in ("camera", "tower", "buttons", "display"))
        config.write_text(
            f'{none}\nvoice = "silent"\ndice = "buttons"\nrecord = "{record}"\npage_port = {_free_port()}\n',
            encoding="utf-8",
        )
        with _service(config) as (service, ready_s):
            return ready_s, _memory_mb(service.pid, "VmHWM")


@contextmanager
def _service(config: Path) -> Iterator[tuple[subprocess.Popen[bytes], float]]:
    """The service while it runs, and how many seconds it took to be ready."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"{folder}/notify")
        line.settimeout(READY_S)
        environment = {**os.environ, "NOTIFY_SOCKET": f"{folder}/notify"}
        command = [sys.executable, "-m", "uckers_table", "run", "--config", str(config)]
        began = time.perf_counter()
        service = subprocess.Popen(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while line.recv(4096) != b"READY=1":
                pass
            yield service, time.perf_counter() - began
        finally:
            service.terminate()
            service.wait()


def _begin_match(folder: Path, port: int) -> None:
    """Shows the PIN and begins a match on the page, as somebody would."""
    pin = json.loads((folder / "record" / "page.pin").read_text(encoding="utf-8"))["pin"]
    cookie = _asked(port, "POST", "/api/pin", {"pin": pin})
    match = {"do": "start", "rules": "br4006", "players": 4, "seats": COLOURS, "loudness": "calls"}
    _asked(port, "POST", "/api/do", match | {"to_play": "red"}, cookie)


def _asked(port: int, method: str, path: str, body: object = None, cookie: str = "") -> str:
    """Asks the page for something. Gives the cookie of its answer."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=READY_S)
    headers = {"cookie": cookie, "connection": "close"}
    if body is not None:
        headers |= {"content-type": "application/json", "origin": f"http://127.0.0.1:{port}"}
    line.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = line.getresponse()
    text = answer.read()
    line.close()
    # Before the camera's first frame there is no picture.
    if answer.status not in (200, 404):
        raise RuntimeError(f"{path}: {answer.status} {text[:200]!r}")
    return answer.headers.get("set-cookie", "").partition(";")[0]


def _free_port() -> int:
    with socket.create_server(("", 0)) as probe:
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        film(Path(name))
        usual, most = memory(Path(name))
        print(f"the service's memory: {usual:.0f} MB, at most {MOST_MB:.0f}; for moments {most:.0f} MB")
        longer, larger = waited(Path(name))
    print(f"after a week's wait: {longer:.2f} times the start, at most 1.5; {larger:.2f} times its memory")
    print(f"start to ready: {start():.1f} times importing cv2, at most {MOST_STARTS:.0f}")
