"""Pictures in files."""

from __future__ import annotations

from pathlib import Path

import cv2

from uckers_table.errors import InputError
from uckers_table.foreign.documents import bytes_of
from uckers_table.foreign.pictures import decoded
from uckers_table.vision.picture.arrays import Image


def load_picture(path: Path) -> Image:
    """The picture in a file, BGR (rows, columns, 3).

    InputError if there is none, or if it is torn or too large.
    """
    try:
        content = bytes_of(path)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        return decoded(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


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
