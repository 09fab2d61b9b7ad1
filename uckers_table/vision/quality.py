"""How good a calibration is, in words and figures that people at the table can act on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import Sighting
from uckers_table.vision.light.light import white_light
from uckers_table.vision.picture.arrays import Floats, Image
from uckers_table.vision.picture.blur import blur_px
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.paint import chute_paints
from uckers_table.vision.place.register import Lines
from uckers_table.vision.profile import TableProfile

_GOOD_LINES_MM = 3.0
"""Lines farther off may put a piece on the next square. Hand-painted lines stray by 1 mm."""
_FEW_LINES = 0.6
_EVEN, _UNEVEN = 0.7, 0.4
"""The dimmest square's light over the brightest's: two strips give 0.8, one lamp to the side 0.5."""
_CLOSE, _TOO_CLOSE = 0.35, 0.2
"""How far colours are apart, in parts of white: red and yellow 0.5 to 0.8 in good light."""
_LOW_CONFIDENCE = 0.9
"""What a board comes to (`sureness.toml`) that the reader's own odds make 0.97 sure."""


@dataclass(frozen=True)
class Closest:
    """The two of several colours that are hardest to tell apart, and how far apart they are (white = 1)."""

    one: str
    other: str
    distance: float

    @property
    def words(self) -> str:
        """For people."""
        how = "close" if self.distance < _CLOSE else "clear"
        if self.distance < _TOO_CLOSE:
            how = "hard to tell apart"
        return f"{how} (nearest are {self.one} and {self.other}, {self.distance:.2f} apart)"


@dataclass(frozen=True)
class Quality:
    """`lines` of the board's `of_lines` were seen; `mean_mm` and `worst_mm` say how far off plan they lie.
    `light`: the dimmest square's light over the brightest's. `read_back`: how many pieces of each seat are
    found in base when the start picture is read with the profile.
    """

    seats: tuple[str, ...]
    lines: int
    of_lines: int
    mean_mm: float
    worst_mm: float
    px_per_mm: float
    blur_mm: float
    height_mm: float
    tilt_deg: float
    light: float
    white_level: float
    paints: Closest
    pieces: Closest
    piece_height_mm: float
    read_back: tuple[int, ...]
    confidence: float

    @property
    def doubts(self) -> tuple[str, ...]:
        """What should be better, and what to do."""
        told = [
            (self.worst_mm > _GOOD_LINES_MM, "lines lie far from the plan: look at the overlay"),
            (self.lines < _FEW_LINES * self.of_lines, "few lines are seen: is their paint worn?"),
            (self.light < _UNEVEN, "the light is uneven: move the lamp, or add one opposite"),
            (self.paints.distance < _TOO_CLOSE, "two of the board's paints look alike"),
            (self.pieces.distance < _TOO_CLOSE, "two colours of pieces look alike"),
            (not self._is_read_back, "not all sixteen are read back: look at the overlay"),
            (self.confidence < _LOW_CONFIDENCE, "pieces are hard to make out: more or softer light"),
        ]
        return tuple(text for is_so, text in told if is_so)

    @property
    def _is_read_back(self) -> bool:
        return self.read_back == (PIECES,) * len(self.seats)

    def report(self) -> str:
        """A short block of text."""
        light = "even" if self.light > _EVEN else "usable" if self.light > _UNEVEN else "uneven"
        if self._is_read_back:
            read = "all sixteen read back"
        else:
            found = zip(self.seats, self.read_back, strict=True)
            read = "read back: " + ", ".join(f"{colour} {n}" for colour, n in found)
        rows = [
            ("camera", f"{self.height_mm / 1000:.2f} m above the board, {self.tilt_deg:.0f}° off upright, "
             f"{self.px_per_mm:.2f} pixels a mm, edges {2 * self.blur_mm:.1f} mm wide"),
            ("lines", f"{self.lines} of {self.of_lines} seen, {self.mean_mm:.1f} mm off the plan on average, "
             f"{self.worst_mm:.1f} mm at worst ({self.mean_mm * self.px_per_mm:.1f} and "
             f"{self.worst_mm * self.px_per_mm:.1f} pixels)"),
            ("light", f"{light}: the dimmest square has {self.light:.0%} of the brightest's; white paint is "
             f"{self.white_level:.0f} of 255"),
            ("paint", self.paints.words),
            ("pieces", f"{read}, confidence {self.confidence:.2f}, {self.piece_height_mm:.1f} mm high; "
             f"colours {self.pieces.words}"),
            ("verdict", "; ".join(self.doubts) or "good"),
        ]  # fmt: skip
        return "\n".join(f"{name + ':':9}{text}" for name, text in rows)


def assess(profile: TableProfile, start: Image, sighting: Sighting) -> Quality:
    """How good a profile is. `sighting` is what it reads in the start picture."""
    plan, camera = profile.plan, profile.camera
    lines = Lines.learn(profile.bare, camera, plan)
    off = np.abs(lines.offsets_mm[np.isfinite(lines.offsets_mm)])
    white = _white_levels(profile, plan)
    paints = chute_paints(profile.bare, camera, plan)
    scale = camera.px_per_mm
    return Quality(
        seats=profile.seats,
        lines=len(off),
        of_lines=len(lines.offsets_mm),
        mean_mm=float(off.mean()) if len(off) else float("inf"),
        worst_mm=float(off.max()) if len(off) else float("inf"),
        px_per_mm=scale,
        blur_mm=max(blur_px(profile.bare), blur_px(start)) / scale,
        height_mm=-float(camera.centre_mm[2]),
        tilt_deg=float(np.degrees(np.arccos(min(1.0, camera.rotation[2, 2])))),
        light=float(white.min() / white.max()),
        white_level=float(np.median(white)),
        paints=_closest([*profile.seats, "white"], [*paints, np.ones(3)]),
        pieces=_closest(profile.seats, [np.array(c) for c in profile.piece_colours]),
        piece_height_mm=profile.piece_height_mm,
        read_back=tuple(sighting.pieces[colour].count(BASE) for colour in profile.seats),
        confidence=sighting.confidence,
    )


def _closest(names: Sequence[str], colours: Sequence[Floats]) -> Closest:
    gaps = [
        (float(np.linalg.norm(colours[a] - colours[b])), names[a], names[b])
        for a, b in combinations(range(len(names)), 2)
    ]
    distance, one, other = min(gaps)
    return Closest(one, other, distance)


def _white_levels(profile: TableProfile, plan: Plan) -> Floats:
    """The grey levels of white paint on the track's squares."""
    canvas = Canvas(plan.side_mm)
    white = white_light(Laying.of(profile.camera, canvas).lay(profile.bare), canvas, plan)
    columns, rows = np.rint(canvas.px([plan.centre_mm(c) for c in plan.track_cells])).astype(int).T
    return np.asarray(white[rows, columns].max(axis=1), dtype=np.float64)
