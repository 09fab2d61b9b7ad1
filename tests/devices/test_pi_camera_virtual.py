"""The camera module's backend through picamera2 itself, on the virtual camera of libcamera 0.7 or newer.

UCKERS_TABLE_PICAMERA2 names a Python that can import `picamera2` and `libcamera`; by default it is the one
that runs the tests. On a kernel without dma-buf heaps a small library is put before it, whose source is in
the folder that UCKERS_TABLE_MATERIAL names.
"""

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S

PYTHON = os.environ.get("UCKERS_TABLE_PICAMERA2", sys.executable)
MATERIAL = os.environ.get("UCKERS_TABLE_MATERIAL")
ROOT = Path(__file__).parent.parent.parent
HEAPS = ("/dev/udmabuf", "/dev/dma_heap")
COLOURS = ((200, 40, 40), (40, 200, 40), (40, 40, 200))
VIRTUAL = """\
%YAML 1.1
---
"Virtual0":
  supported_formats:
  - width: 720
    height: 432
    frame_rates:
    - 30
  frames:
    path: "{folder}/"
  location: "CameraLocationFront"
  model: "Virtual Video Device"
"""


@pytest.fixture
def environment(tmp_path):
    """What the program needs around it to find a virtual camera, set up and taken away again."""
    where = "import picamera2, libcamera; print(libcamera.__file__)"
    found = subprocess.run([PYTHON, "-c", where], capture_output=True, text=True, check=False)
    if found.returncode:
        pytest.skip(f"{PYTHON} has no picamera2 with libcamera (UCKERS_TABLE_PICAMERA2 may name one)")
    prefix = next(each for each in Path(found.stdout.strip()).parents if (each / "share/libcamera").is_dir())
    virtual = prefix / "share/libcamera/pipeline/virtual/virtual.yaml"
    if not virtual.parent.is_dir() or not os.access(virtual.parent, os.W_OK):
        pytest.skip("this libcamera has no virtual pipeline that may be set up")
    before = virtual.read_text() if virtual.exists() else None
    frames = tmp_path / "frames"
    frames.mkdir()
    for number, colour in enumerate(COLOURS):
        cv2.imwrite(str(frames / f"{number}.jpg"), np.full((432, 720, 3), colour, np.uint8))
    virtual.write_text(VIRTUAL.format(folder=frames))
    yield {"PYTHONPATH": str(ROOT), **heaps(tmp_path)}
    virtual.write_text(before) if before is not None else virtual.unlink()


def heaps(folder):
    """What stands in for dma-buf heaps where the kernel has none."""
    if any(Path(heap).exists() for heap in HEAPS):
        return {}
    source = Path(MATERIAL or "/nowhere") / "picamera2/udmabuf_shim.c"
    if not source.exists() or shutil.which("cc") is None:
        pytest.skip(
            "this kernel has no dma-buf heaps, and there is no cc or UCKERS_TABLE_MATERIAL to do without"
        )
    library = folder / "udmabuf_shim.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return {"LD_PRELOAD": str(library)}


def test_picamera2_gives_the_pictures_of_the_virtual_camera(environment):
    program = [PYTHON, Path(__file__).parent / "virtual_camera.py", "20"]
    done = subprocess.run(
        program,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["format"], told["has_small"]) == ("NV12", True)
    times, shapes, means, repeats = zip(*told["frames"], strict=True)
    assert list(times) == sorted(times)
    assert set(map(tuple, shapes)) == {(432, 720, 3)}
    # JPEG and half colour change a plain picture by a dozen grey levels; the pictures differ by 160.
    seen = [min(range(3), key=lambda n: np.abs(np.subtract(mean, COLOURS[n])).max()) for mean in means]
    off = [np.abs(np.subtract(mean, COLOURS[n])).max() for mean, n in zip(means, seen, strict=True)]
    assert max(off) < 20
    assert len(set(seen)) > 1
    # A picture is handed on again where the camera saw the same, if two seconds have not passed.
    same = [one == other for one, other in pairwise(seen)]
    handed_on = [repeat and not is_same for repeat, is_same in zip(repeats[1:], same, strict=True)]
    assert not any(handed_on)
    assert any(repeats) == any(same)
