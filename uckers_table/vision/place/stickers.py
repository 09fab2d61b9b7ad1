"""Finding the board by four printed stickers at its corners, for boards whose paint cannot be found.

The stickers are ArUco markers, 4 × 4 bits, numbers 0 to 3 of the dictionary of fifty. Number 0 is stuck at
the corner of the first seat's base, and the others follow clockwise. Each is pushed into its corner, so its
middle is known however it is turned.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.errors import CalibrationError
from uckers_table.game.board import Plan
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.place.locate import cell_homography

STICKER_MM, MARKER_MM = 40.0, 30.0
"""The sides of a sticker, and of the marker in its middle."""
_COUNT = 4
_BITS = 6
"""Along a marker's side, its black border included."""
_ADVICE = "stick 0 at the corner of the first seat's base and go on clockwise, none covered"


def _dictionary() -> Any:
    aruco = getattr(cv2, "aruco", None)
    if aruco is None or not hasattr(aruco, "ArucoDetector"):
        raise CalibrationError(
            f"this OpenCV ({cv2.__version__}) was built without ArUco markers: install "
            "opencv-python-headless 4.8 or later, or give --corners"
        )
    return aruco.getPredefinedDictionary(aruco.DICT_4X4_50)


def by_stickers(picture: Image, plan: Plan) -> Floats:
    """The homography (3 × 3) from the plan's cells (seat 0 at the top left) to pixels.

    Raises CalibrationError if OpenCV knows no markers, or if some are not seen, which it names.
    """
    dictionary = _dictionary()
    detector = cv2.aruco.ArucoDetector(dictionary)
    outlines, numbers, _ = detector.detectMarkers(picture)
    found = {} if numbers is None else dict(zip(np.ravel(numbers).tolist(), outlines, strict=True))
    missing = [str(k) for k in range(_COUNT) if k not in found]
    if missing:
        raise CalibrationError(
            f"of stickers 0 to 3 the empty picture does not show {', '.join(missing)}: {_ADVICE}, or give "
            "--corners"
        )
    middles = np.array([_middle(np.reshape(found[k], (4, 2))) for k in range(_COUNT)])
    if cv2.contourArea(middles.astype(np.float32), oriented=True) <= 0:
        raise CalibrationError(f"the stickers do not go clockwise round the board: {_ADVICE}")
    low, high = STICKER_MM / 2, plan.side_mm - STICKER_MM / 2
    return cell_homography([(low, low), (high, low), (high, high), (low, high)], middles, plan)


def _middle(outline: Floats) -> Floats:
    """Where the diagonals of an outline (4, 2) meet. That is a square's middle even if it is seen aslant."""
    a, b, c, d = np.column_stack([outline, np.ones(4)])
    meeting = np.cross(np.cross(a, c), np.cross(b, d))
    return np.asarray(meeting[:2] / meeting[2])


_WORDS = (
    (24, 4.5, "Stickers for uckers-table calibrate --aruco"),
    (31, 3.5, "Print at 100 % (actual size): the bar below is 100 mm long. Cut out along the thin lines."),
    (
        37,
        3.5,
        "Stick 0 into the board's corner at the base of the colour that --seats names first, then 1, 2",
    ),
    (42, 3.5, "and 3 clockwise, two sides of each flush with the board's edges, turned as you like."),
)


def sheet_svg() -> str:
    """The page to print (A4, true millimetres): four stickers to cut out along their outlines."""
    dictionary = _dictionary()
    bit = MARKER_MM / _BITS
    inset = (STICKER_MM - MARKER_MM) / 2
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297">',
        '<rect width="210" height="297" fill="#fff"/>',
        *(
            f'<text x="20" y="{y}" font-family="sans-serif" font-size="{size}">{text}</text>'
            for y, size, text in _WORDS
        ),
        '<path d="M20 50v6M20 53h100M120 50v6" stroke="#000" stroke-width=".3" fill="none"/>',
    ]
    for number in range(_COUNT):
        left, top = 25.0 + 80 * (number % 2), 75.0 + 80 * (number // 2)
        parts.append(
            f'<rect x="{left:g}" y="{top:g}" width="{STICKER_MM:g}" height="{STICKER_MM:g}" fill="#fff" '
            'stroke="#999" stroke-width=".1"/>'
        )
        bits = cv2.aruco.generateImageMarker(dictionary, number, _BITS)
        x, y = left + inset, top + inset
        parts.append(f'<path fill="#000" d="{_black(bits, x, y, bit)}"/>')
        parts.append(
            f'<text x="{left + STICKER_MM / 2:g}" y="{top + STICKER_MM + 8:g}" text-anchor="middle" '
            f'font-family="sans-serif" font-size="5">{number}</text>'
        )
    return "\n".join([*parts, "</svg>", ""])


def _black(bits: npt.NDArray[Any], x_mm: float, y_mm: float, bit_mm: float) -> str:
    """An SVG path of a marker's black bits, by runs along its rows."""
    out = []
    for row, values in enumerate(bits):
        column = 0
        while column < _BITS:
            run = column
            while run < _BITS and values[run] == 0:
                run += 1
            if run > column:
                width = (run - column) * bit_mm
                out.append(
                    f"M{x_mm + column * bit_mm:g} {y_mm + row * bit_mm:g}h{width:g}v{bit_mm:g}h{-width:g}z"
                )
            column = run + 1
    return "".join(out)
