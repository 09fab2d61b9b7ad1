"""Pictures in files: read with care, because a torn one looks like a good one to OpenCV."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from uckers_table.errors import InputError
from uckers_table.vision.camera import Image


def load_picture(path: Path) -> Image:
    """The picture in a file, BGR; InputError when there is none or it is torn."""
    try:
        packed = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    picture = cv2.imdecode(np.frombuffer(packed, dtype=np.uint8), cv2.IMREAD_COLOR) if packed else None
    if picture is None:
        raise InputError(f"{path}: is no picture, or torn: take it again")
    if packed[:2] == b"\xff\xd8" and b"\xff\xd9" not in packed[-64:]:
        # OpenCV fills what is missing of a JPEG with grey and says nothing.
        raise InputError(f"{path}: is torn, its end is missing: take it again")
    return np.asarray(picture, dtype=np.uint8)


def save_picture(path: Path, picture: Image) -> None:
    """Writes a picture in the format that its name ends with, and its folder; InputError when it cannot."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written = cv2.imwrite(str(path), picture)
    except (OSError, cv2.error) as error:
        raise InputError(f"{path}: cannot be written ({error})") from None
    if not written:
        raise InputError(f"{path}: cannot be written")
