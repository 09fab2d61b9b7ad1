"""Pictures that move, packed one after the other: as GIF, and as WebP. Of each, what is another than before.

Two pictures are in memory at a time, however many there are.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping

from PIL import GifImagePlugin, Image, ImageChops

TimedPicture = tuple[Image.Image, int]
"""A picture and for how many milliseconds it is shown. All have one palette (mode P) and one size."""
_Box = tuple[int, int, int, int]

UNCHANGED = 255
"""The colour that lets the picture before show through, and packs to next to nothing. No palette has it."""


def gif_parts(pictures: Iterable[TimedPicture]) -> Iterator[bytes]:
    """The pictures as an animated GIF."""
    before: Image.Image | None = None
    for picture, shown_ms in pictures:
        if before is None:
            yield _gif_head(picture)
        yield _gif_picture(before, picture, shown_ms)
        before = picture
    yield b";"


def _gif_head(picture: Image.Image) -> bytes:
    """What a GIF begins with: its size, its palette, and that it is shown for ever (GIF89a, 17 to 19, 26)."""
    colours = bytes(picture.getpalette("RGB") or ()).ljust(3 * 256, b"\0")
    for_ever = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + struct.pack("<HHBBB", *picture.size, 0xF7, 0, 0) + colours + for_ever


def _gif_picture(before: Image.Image | None, after: Image.Image, shown_ms: int) -> bytes:
    box, difference = _difference(before, after)
    if difference is not None:
        after = after.copy()
        after.paste(UNCHANGED, mask=difference.point(lambda level: 255 * (level == 0)))
        after = after.crop(box)
    parts = GifImagePlugin.getdata(after, box[:2], duration=shown_ms, transparency=UNCHANGED, disposal=1)
    return b"".join(parts)


def _difference(before: Image.Image | None, after: Image.Image) -> tuple[_Box, Image.Image | None]:
    """Where a picture is another than the one before, and how much; all of it where there is none."""
    if before is None:
        return (0, 0, *after.size), None
    # Compared by their places in the palette: colours that differ may be as light as each other.
    was, now = (Image.frombytes("L", each.size, each.tobytes()) for each in (before, after))
    difference = ImageChops.difference(was, now)
    return difference.getbbox() or (0, 0, 1, 1), difference


def webp_parts(pictures: Iterable[TimedPicture]) -> Iterator[bytes]:
    """The pictures as an animated WebP, without loss (WebP container specification, RFC 9649).

    Its head says how long it is, so that all of it is packed before the first part is given.
    """
    packed, before = list[bytes](), None
    size = (1, 1)
    for picture, shown_ms in pictures:
        packed.append(_webp_picture(before, picture, shown_ms))
        before, size = picture, picture.size
    whole = _chunk(
        b"VP8X", struct.pack("<I", _ANIMATED | _SEEN_THROUGH) + _three(size[0] - 1) + _three(size[1] - 1)
    )
    whole += _chunk(b"ANIM", struct.pack("<IH", 0xFFFFFFFF, 0))
    yield b"RIFF" + struct.pack("<I", 4 + len(whole) + sum(map(len, packed))) + b"WEBP" + whole
    yield from packed


_ANIMATED, _SEEN_THROUGH = 1 << 1, 1 << 4
METHOD = 2
"""Of packing, from 0, the quickest, to 6: 0 packs a match four times as large, 4 no smaller."""


def _webp_picture(before: Image.Image | None, after: Image.Image, shown_ms: int) -> bytes:
    (left, top, right, bottom), difference = _difference(before, after)
    # Places are told in steps of two.
    left, top = left - left % 2, top - top % 2
    painted, still = after.convert("RGB"), io.BytesIO()
    if difference is not None:
        # What is as it was lets the picture before show through, and packs to next to nothing.
        painted.putalpha(difference.point(lambda level: 255 * (level != 0)))
    painted.crop((left, top, right, bottom)).save(still, "webp", lossless=True, method=METHOD)
    placed = b"".join(
        _three(number) for number in (left // 2, top // 2, right - left - 1, bottom - top - 1, shown_ms)
    )
    # A still picture is a head of twelve bytes, and a chunk with the picture.
    return _chunk(b"ANMF", placed + bytes(1) + still.getvalue()[12:])


def _three(number: int) -> bytes:
    """A number as three bytes."""
    return number.to_bytes(3, "little")


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


FORMS: Mapping[str, Callable[[Iterable[TimedPicture]], Iterator[bytes]]] = {
    "gif": gif_parts,
    "webp": webp_parts,
}
"""How moving pictures are packed, by the ending of their file."""
