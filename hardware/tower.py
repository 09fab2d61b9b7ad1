"""The measures of the dice tower and its tray, and what follows from them.

Coordinates in millimetres: the origin is the middle of the tray's floor, x right, y from the tray towards the
tower, z up. Two dice go in at the top, slide and tumble over three ramps, and come out into the tray, which
a small camera reads from above. Wherever dice go, two of them end to end would pass, so that two cannot
bridge a gap. Sizes of bought parts stand in `Bought`: measure yours, change them, and make the parts anew.

Not yet printed, nor tried on hardware.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sqrt, tan

DIE_MM = 16.0
DIE_DIAGONAL_MM = DIE_MM * sqrt(3.0)
"""The widest a die can be: 27.7 mm."""

Vec = tuple[float, float, float]


@dataclass(frozen=True)
class Bought:
    """Sizes of bought parts as assumed here, across (x), from front to back (y) and high (z), in millimetres.

    Only the Pico's width and length are published figures; the rest are allowances. Measure yours.
    """

    pico: Vec = (21.0, 51.0, 14.0)
    """Bare, with the headers below it."""
    usb_plug: Vec = (12.0, 32.0, 9.0)
    """A straight micro-USB plug and the first of its cable."""
    carrier: Vec = (50.0, 70.0, 1.6)
    """A piece of stripboard for Pico, level shifter, MOSFET and plugs."""
    on_carrier_mm: float = 23.0
    """What stands on it: a socket with the Pico in it, and plugs."""
    carrier_holes: tuple[float, float] = (42.0, 62.0)
    """Between the holes to drill in it."""
    camera_board: tuple[float, float] = (38.0, 38.0)
    camera_holes_mm: tuple[float, float] = (27.0, 34.0)
    """Between its screw holes along a side, the least and the most that the slots take."""
    camera_drop_mm: float = 24.0
    """From the plate above it down to the front of its lens, spacers of 5 mm included."""
    readout: Vec = (82.0, 12.0, 15.0)
    """Eight digits with their MAX7219 behind."""
    readout_window: tuple[float, float] = (64.0, 14.0)
    beam: Vec = (8.0, 10.0, 20.0)
    """The housing of one half of a beam."""
    beam_nose_mm: float = 5.0
    """Its round front."""
    strip_mm: tuple[float, float] = (10.0, 100.0)
    """Lamps: width and length of a piece of LED strip."""


@dataclass(frozen=True)
class Tower:
    """Measures of the printed parts; what follows from them are properties."""

    bought: Bought = field(default_factory=Bought)
    tray_mm: float = 110.0
    """The tray's inside, along and across."""
    tray_wall_mm: float = 30.0
    lens_mm: float = 220.0
    """The lens above the tray's floor."""
    wall_mm: float = 3.0
    width_mm: float = 62.0
    """The shaft's inner width."""
    gap_mm: float = 56.0
    """The least way that is left free anywhere: two dice corner to corner are 55.4 mm."""
    reach_mm: float = 42.0
    """How far a ramp reaches out from its wall."""
    exit_deg: float = 40.0
    """The last ramp; dice on it slide even with a friction of 0.6, which holds to 31°."""
    ramp_deg: float = 45.0
    """The other two; the steepest that prints without support."""
    lip_mm: float = 20.0
    """The last ramp's edge above the tray's floor: more than a die, so that none can lean on it."""
    rim_mm: float = 22.0
    """The hopper's walls above the first ramp's root."""
    lamp_mm: tuple[float, float] = (105.0, 150.0)
    """The middle of a lamp's face: so far to each side, so far above the tray's floor."""
    lamp_deg: float = 45.0
    """How far the lamps' faces lean inwards from looking straight down."""
    play_mm: float = 0.3
    """Between parts that fit into one another."""

    @property
    def front_mm(self) -> float:
        """y of the shaft's inner front."""
        return self.tray_mm / 2 + 2 * self.wall_mm

    @property
    def back_mm(self) -> float:
        """y of the shaft's inner back."""
        return self.front_mm + self.reach_mm + self.gap_mm

    @property
    def outer_mm(self) -> float:
        """x of the tower's outer side."""
        return self.width_mm / 2 + self.wall_mm

    def exit_z(self, y_mm: float) -> float:
        """Height of the last ramp's surface."""
        return self.lip_mm + (y_mm - self.tray_mm / 2) * tan(radians(self.exit_deg))

    @property
    def second_lip(self) -> tuple[float, float]:
        """(y, z) of the edge of the second ramp, which leans from the front wall."""
        y = self.front_mm + self.reach_mm
        return y, self.exit_z(y) + self.gap_mm / cos(radians(self.exit_deg)) + self.ramp_deep_mm

    @property
    def first_lip(self) -> tuple[float, float]:
        """(y, z) of the edge of the first ramp, which leans from the back wall."""
        y = self.back_mm - self.reach_mm
        below = self.second_lip[1] - (y - self.second_lip[0]) * tan(radians(self.ramp_deg))
        return y, below + self.gap_mm / cos(radians(self.ramp_deg)) + self.ramp_deep_mm

    @property
    def ramp_deep_mm(self) -> float:
        """Thickness of the first and the second ramp, measured upright."""
        return self.wall_mm / cos(radians(self.ramp_deg))

    @property
    def ramp_rise_mm(self) -> float:
        """How much higher a ramp's root is than its lip."""
        return self.reach_mm * tan(radians(self.ramp_deg))

    @property
    def top_mm(self) -> float:
        """z of the tower's top."""
        return self.first_lip[1] + self.ramp_rise_mm + self.rim_mm

    @property
    def mouth_mm(self) -> float:
        """z of the upper edge of the mouth into the tray."""
        return self.exit_z(self.front_mm) + self.gap_mm / cos(radians(self.exit_deg)) + 2.0

    @property
    def split_mm(self) -> float:
        """z at which the tower is parted for printing: above the mouth, below the second ramp."""
        return self.second_lip[1] - 9.0

    @property
    def in_beams(self) -> tuple[tuple[float, float], ...]:
        """(y, z) of the three beams across the way in: no die passes between them."""
        y, z = self.first_lip
        return tuple((self.front_mm + (y - self.front_mm) * k / 4, z - 2.0) for k in (1, 2, 3))

    @property
    def out_beam(self) -> tuple[float, float]:
        """(y, z) of the beam across the way out, half a die above the last ramp."""
        y = self.front_mm + 8.0
        return y, self.exit_z(y) + DIE_MM / 2 / cos(radians(self.exit_deg))

    @property
    def lens(self) -> Vec:
        """Where the tray camera's lens is."""
        return 0.0, 0.0, self.lens_mm
