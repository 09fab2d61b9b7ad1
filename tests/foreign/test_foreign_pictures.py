"""Pictures of any size: told by their headers, and decoded only if they may be a camera's."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.patience import HANGS_S
from uckers_table.errors import InputError
from uckers_table.foreign import pictures
from uckers_table.foreign.pictures import decoded

SAMPLE = Path(__file__).parents[2] / "calibration" / "sample-table.toml"
PICTURE = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, *more):
    """A black picture of one bit a pixel: next to nothing in a file."""
    packer = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    data = b"".join([*(packer.compress(row * 100) for _ in range(height // 100)), packer.flush()])
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"".join(
        [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), *more, chunk(b"IDAT", data), chunk(b"IEND", b"")]
    )


def packed(way, picture=PICTURE, *parameters):
    return cv2.imencode(way, picture, parameters)[1].tobytes()


@pytest.mark.parametrize(
    "content",
    [
        *(packed(way) for way in (".jpg", ".png", ".bmp", ".webp")),
        packed(".jpg", PICTURE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        packed(".jpg", PICTURE, cv2.IMWRITE_JPEG_RST_INTERVAL, 1),
        packed(".webp", PICTURE, cv2.IMWRITE_WEBP_QUALITY, 50),
        packed(".webp", PICTURE, cv2.IMWRITE_WEBP_QUALITY, 101),
        packed(".webp", np.dstack([PICTURE, PICTURE[..., :1]])),
    ],
    ids=range(9),
)
def test_a_header_tells_the_size_that_is_decoded(content):
    assert pictures._size_told(content) == (64, 48)
    assert decoded(content).shape == PICTURE.shape


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (png(12_000, 9_000), "has 12000 × 9000 pixels"),
        (png(60_000, 100), "has 60000 × 100 pixels"),
        # Whoever reads the last header would take this one for small.
        (png(12_000, 9_000, chunk(b"IHDR", struct.pack(">IIBBBBB", 10, 10, 1, 0, 0, 0, 0))), "has 12000"),
        (packed(".png", PICTURE[:1]), "too few to show anything"),
        (packed(".png", PICTURE[:, :3]), "too few to show anything"),
        (packed(".png")[:200], "torn"),
        (packed(".tiff"), "as a JPEG or PNG"),
        (packed(".ppm"), "as a JPEG or PNG"),
        (b"GIF89a" + bytes(100), "as a JPEG or PNG"),
        (b"\xff\xd8\xff\xd9", "no picture"),
        (b"", "empty"),
    ],
    ids=range(11),
)
def test_what_is_no_camera_s_picture_is_refused(content, why):
    with pytest.raises(InputError, match=why):
        decoded(content)


# Not what the system says of a child, which begins with its parent's memory.
MEASURED = """
import re, sys
from pathlib import Path
from uckers_table.commands.cli import main
status = main(sys.argv[1:])
print(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
sys.exit(status)
"""


@pytest.mark.parametrize("words", [("dice",), ("read", "--table", SAMPLE)], ids=["dice", "read"])
def test_a_small_file_of_a_hundred_million_pixels_takes_no_memory(tmp_path, words):
    file = tmp_path / "large.png"
    file.write_bytes(png(12_000, 9_000))
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, words), str(file)],
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "12000 × 9000" in done.stderr
    # kB; decoded it would take 650,000, and the program has 150,000.
    assert int(done.stdout) < 400_000
