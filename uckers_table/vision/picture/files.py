"""Pictures in files. They are read with care: to OpenCV a torn one looks like a good one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from uckers_table.errors import InputError
from uckers_table.vision.picture.arrays import Image

_ENDS = {b"\xff\xd8": b"\xff\xd9", b"\x89PNG": b"IEND"}
"""The bytes with which JPEG and PNG files begin, and those with which they end."""
_TAIL = 64
"""The last bytes of a file in which its end must be. Some cameras write a little after it."""


def load_picture(path: Path) -> Image:
    """The picture in a file, BGR (rows, columns, 3). Raises InputError if there is none, or if it is torn."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    for start, end in _ENDS.items():
        # OpenCV fills what is missing with grey, and at most warns on the terminal.
        if packed.startswith(start) and end not in packed[-_TAIL:]:
            raise InputError(f"{path}: is torn, its end is missing: take it again")
    try:
        picture = cv2.imdecode(np.frombuffer(packed, dtype=np.uint8), cv2.IMREAD_COLOR) if packed else None
    except cv2.error:
        # OpenCV refuses some sizes, and a damaged header may claim such a size.
        picture = None
    if picture is None:
        raise InputError(f"{path}: is {'no picture' if packed else 'empty'}, or torn: take it again")
    return np.asarray(picture, dtype=np.uint8)


def packed(picture: Image, quality: int) -> bytes:
    """The picture, BGR (rows, columns, 3), as a JPEG of this quality, 0 to 100."""
    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return jpeg.tobytes()


def save_picture(path: Path, picture: Image) -> None:
    """Writes a BGR picture, and its folder. The name's end is the format. Raises InputError if it cannot."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = cv2.imwrite(str(path), picture)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror}); name another place") from None
    except cv2.error:
        raise InputError(f"{path}: is no kind of picture that can be written; name a .jpg or .png") from None
    if not written:
        raise InputError(f"{path}: cannot be written")
