"""The gantry over the board: where columns, bridge, camera, light, Pi, display and dice tower stand.

World coordinates in millimetres: the origin is the middle of the board's surface, x to the right and along
the long side of the camera's picture, y away from the front player, z up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, radians, tan

from hardware.sheet import GREY, Pen, Point, Sheet
from hardware.tower import Tower
from uckers_table.game.board import Plan

Span = tuple[float, float]

A3_MM = (420.0, 297.0)
SCALE = 10.0
DETAIL_SCALE = 4.0
BOARD_THICK_MM = 12.0


@dataclass(frozen=True)
class Gantry:
    """Measures of the gantry; a `Span` is (from, to)."""

    lens_mm: float = 920.0
    lens_range_mm: Span = (850.0, 1050.0)
    view_deg: tuple[float, float] = (66.0, 41.0)
    """Camera Module 3, standard lens, as published."""
    profile_mm: float = 30.0
    column_y_mm: float = 380.0
    """The columns stand at the picture's short sides, one in front of and one behind the board's middle:
    at its long sides they would stand before the dice tray."""
    column_mm: float = 1200.0
    brace_mm: float = 60.0
    foot_mm: float = 400.0
    drop_mm: float = 30.0
    """From the bridge's underside down to the lens."""
    ring_mm: tuple[float, float] = (60.0, 200.0)
    """The light's inner and outer width."""
    ring_z_mm: float = 12.0
    """The light's face above the lens."""
    box_y_mm: Span = (250.0, 350.0)
    """The Pi's box hangs under the bridge beside a column."""
    box_mm: tuple[float, float] = (75.0, 45.0)
    """Its width (x) and height."""
    display_z_mm: float = 680.0
    """The display's middle, on the column beside the Pi's box."""
    display_mm: tuple[float, float] = (80.0, 50.0)
    tray_x_mm: float = 425.0
    """The dice tray's middle; the tower stands outward of it."""

    @property
    def bridge_z_mm(self) -> float:
        """The bridge's underside."""
        return self.lens_mm + self.drop_mm

    @property
    def box_z_mm(self) -> Span:
        """The Pi's box, from below to above."""
        return self.bridge_z_mm - self.box_mm[1], self.bridge_z_mm

    def seen_mm(self, z_mm: float = 0.0) -> tuple[float, float]:
        """Half of what the camera sees across and along, at a height."""
        away = self.lens_mm - z_mm
        return away * tan(radians(self.view_deg[0]) / 2), away * tan(radians(self.view_deg[1]) / 2)

    @property
    def camera_cable_mm(self) -> float:
        """The way of the camera's flat cable: along the bridge, with a loop of 60 mm, into the box."""
        into_box = self.box_y_mm[0] + 40.0
        return hypot(into_box, self.drop_mm) + 60.0

    @property
    def display_lead_mm(self) -> float:
        """The way of the display's lead, from the box's underside, 30 mm in, to the column and down."""
        to_column = self.column_y_mm - self.profile_mm / 2 - (self.box_y_mm[1] - 30.0)
        return to_column + self.box_z_mm[0] - self.display_z_mm


def gantry_sheet(plan: Plan, g: Gantry, t: Tower) -> Sheet:
    """Front, side and plan at 1 : 10, the head at 1 : 4."""
    sheet = Sheet(*A3_MM, "Gantry 1:10")
    _title(sheet)
    _front(sheet, (92.0, 158.0), plan, g, t)
    _side(sheet, (232.0, 158.0), plan, g)
    _above(sheet, (92.0, 232.0), plan, g, t)
    _head(sheet, (262.0, 246.0), g)
    _notes(sheet, g)
    return sheet


_METAL = Pen(width_mm=0.25, fill="#d9dce1")
_WOOD = Pen(width_mm=0.25, fill="#cea874")
_BOX = Pen(width_mm=0.25, fill="#9fc5a0")
_LIGHT = Pen(width_mm=0.25, fill="#ffe9a6")
_TOWER = Pen(width_mm=0.25, fill="#8fb4da")
_SEEN = Pen(stroke="#c0392b", width_mm=0.2, dash_mm=(2.0, 1.2))
_DARK = Pen(width_mm=0.25, fill="#3a3a42")
_SMALL = 2.6


class _View:
    """Draws world millimetres into one view of the sheet."""

    def __init__(self, sheet: Sheet, origin: Point, scale: float = SCALE) -> None:
        self.sheet, self._origin, self._scale = sheet, origin, scale

    def at(self, across: float, up: float) -> Point:
        return self._origin[0] + across / self._scale, self._origin[1] - up / self._scale

    def box(self, across: Span, up: Span, pen: Pen) -> None:
        left, top = self.at(across[0], up[1])
        right, bottom = self.at(across[1], up[0])
        self.sheet.box(left, top, right - left, bottom - top, pen)

    def line(self, start: Point, end: Point, pen: Pen) -> None:
        self.sheet.line(self.at(*start), self.at(*end), pen)

    def measure(self, start: Point, end: Point, label: str, off_mm: float) -> None:
        self.sheet.dimension(self.at(*start), self.at(*end), label, off_mm, _SMALL)

    def note(self, place: Point, words_at: Point, text: str, anchor: str = "start") -> None:
        """Words on the paper with a line to a place in the world."""
        end = self.at(*place)
        gap = 1.0 if anchor == "start" else -1.0
        self.sheet.line((words_at[0] - gap, words_at[1] - 0.9), end, Pen(width_mm=0.18))
        self.sheet.circle(end, 0.5, Pen(stroke=None, fill="#1c1c22"))
        self.sheet.text(words_at, text, _SMALL, anchor="start" if anchor == "start" else "end")


def _title(sheet: Sheet) -> None:
    sheet.box(8, 8, A3_MM[0] - 16, A3_MM[1] - 16, Pen(width_mm=0.35))
    sheet.text((14, 19), "Gantry over the board", 6.0, bold=True)
    sheet.text((14, 25), "1 : 10 on A3 (the head 1 : 4). Millimetres. Not yet built.", 3.2, colour=GREY)
    for at, words in (((92, 34), "from the front"), ((232, 34), "from the right")):
        sheet.text(at, words, 3.2, anchor="middle", bold=True)
    sheet.text((22, 190), "from above", 3.2, bold=True)


def _table(view: _View, reach: Span) -> None:
    view.box(reach, (-BOARD_THICK_MM - 18.0, -BOARD_THICK_MM), Pen(width_mm=0.25, fill="#efe6d8"))


def _front(sheet: Sheet, origin: Point, plan: Plan, g: Gantry, t: Tower) -> None:
    v, half, p = _View(sheet, origin), plan.side_mm / 2, g.profile_mm / 2
    floor = -BOARD_THICK_MM
    _table(v, (-660.0, 660.0))
    v.box((-half, half), (floor, 0.0), _WOOD)
    v.box((-g.foot_mm / 2, g.foot_mm / 2), (floor, floor + g.profile_mm), _METAL)
    v.box((-p, p), (floor + g.profile_mm, floor + g.column_mm), _METAL)
    for side in (-1, 1):
        brace = [(p, 0.0), (p + g.brace_mm, 0.0), (p, g.brace_mm)]
        sheet.path([v.at(side * a, floor + g.profile_mm + b) for a, b in brace], _METAL)
    _tower_from_side(v, g, t)
    v.box((-p, p), (g.bridge_z_mm, g.bridge_z_mm + g.profile_mm), _METAL)
    ring = g.ring_mm[1] / 2
    v.box((-ring, ring), (g.lens_mm + g.ring_z_mm, g.lens_mm + g.ring_z_mm + 8.0), _LIGHT)
    v.box((-12.0, 12.0), (g.lens_mm, g.lens_mm + g.drop_mm), _DARK)
    seen = g.seen_mm()[0]
    for side in (-1, 1):
        v.line((0.0, g.lens_mm), (side * seen, 0.0), _SEEN)
    v.measure((-seen, floor - 18), (seen, floor - 18), f"seen on the board {2 * seen:.0f}", -10)
    v.measure((0, floor - 18), (g.tray_x_mm, floor - 18), f"tray {g.tray_x_mm:.0f}", -4)
    v.measure((-640.0, 0.0), (-640.0, g.lens_mm), f"lens {g.lens_mm:.0f}", 3)
    v.note((300.0, 482.0), (origin[0] + 36, origin[1] - 62), "the camera's view")
    v.note((g.tray_x_mm + 110, 200.0), (origin[0] + 46, origin[1] - 42), "dice tower")


def _tower_from_side(v: _View, g: Gantry, t: Tower) -> None:
    floor, x = -BOARD_THICK_MM + t.wall_mm, g.tray_x_mm
    tray = t.tray_mm / 2 + t.wall_mm
    v.box(
        (x - tray, x + tray), (floor - t.wall_mm, floor + t.tray_wall_mm), Pen(width_mm=0.25, fill="#b8bcc4")
    )
    v.box(
        (x + t.front_mm - t.wall_mm, x + t.back_mm + t.wall_mm), (floor - t.wall_mm, floor + t.top_mm), _TOWER
    )
    plate = floor + t.lens_mm + t.bought.camera_drop_mm
    v.box((x - 22.0, x + t.front_mm - t.wall_mm), (plate, plate + 4.0), Pen(width_mm=0.25, fill="#ec9658"))
    v.box((x - 7.0, x + 7.0), (floor + t.lens_mm, plate), _DARK)


def _side(sheet: Sheet, origin: Point, plan: Plan, g: Gantry) -> None:
    v, half, p = _View(sheet, origin), plan.side_mm / 2, g.profile_mm / 2
    floor = -BOARD_THICK_MM
    _table(v, (-450.0, 450.0))
    v.box((-half, half), (floor, 0.0), _WOOD)
    for side in (-1, 1):
        y = side * g.column_y_mm
        v.box((y - p, y + p), (floor, floor + g.column_mm), _METAL)
    v.box((-g.column_y_mm - p, g.column_y_mm + p), (g.bridge_z_mm, g.bridge_z_mm + g.profile_mm), _METAL)
    _hanging(v, g)
    seen = g.seen_mm()[1]
    for side in (-1, 1):
        v.line((0.0, g.lens_mm), (side * seen, 0.0), _SEEN)
    low, high = g.lens_range_mm
    v.measure(
        (-g.column_y_mm - p, floor), (-g.column_y_mm - p, floor + g.column_mm), f"column {g.column_mm:.0f}", 6
    )
    v.measure((-seen, floor - 18), (seen, floor - 18), f"seen {2 * seen:.0f}", -4)
    inner = g.column_y_mm - p
    v.measure((-inner, floor - 18), (inner, floor - 18), f"clear between columns {2 * inner:.0f}", -9)
    side_x = g.column_y_mm + p
    v.measure((side_x, g.display_z_mm), (side_x, 0.0), f"display {g.display_z_mm:.0f}", 6)
    v.measure((side_x, low), (side_x, high), "", -6)
    end = v.at(side_x, (low + high) / 2)
    for index, word in enumerate(("lens from", f"{low:.0f} to {high:.0f}")):
        sheet.text((end[0] + 8.5, end[1] - 0.6 + 3.6 * index), word, _SMALL)
    brace = [(0.0, 0.0), (g.brace_mm, 0.0), (0.0, g.brace_mm)]
    for side in (-1, 1):
        corner = (side * (g.column_y_mm - p), g.bridge_z_mm + g.profile_mm)
        sheet.path([v.at(corner[0] - side * a, corner[1] + b) for a, b in brace], _METAL)


def _hanging(v: _View, g: Gantry) -> None:
    """What hangs from the bridge and the column, seen from the side."""
    ring = g.ring_mm[1] / 2
    v.box((-ring, ring), (g.lens_mm + g.ring_z_mm, g.lens_mm + g.ring_z_mm + 8.0), _LIGHT)
    v.box((-12.0, 12.0), (g.lens_mm, g.lens_mm + g.drop_mm), _DARK)
    v.box(g.box_y_mm, g.box_z_mm, _BOX)
    face = g.column_y_mm - g.profile_mm / 2
    v.box(
        (face - 15.0, face),
        (g.display_z_mm - g.display_mm[1] / 2, g.display_z_mm + g.display_mm[1] / 2),
        _DARK,
    )


def _above(sheet: Sheet, origin: Point, plan: Plan, g: Gantry, t: Tower) -> None:
    v, half, p = _View(sheet, origin), plan.side_mm / 2, g.profile_mm / 2
    seen_x, seen_y = g.seen_mm()
    v.box((-half, half), (-half, half), _WOOD)
    arm = plan.board.arm_length * plan.cell_mm + plan.border_mm
    for across, along in (
        ((-half, half), (-half + arm, half - arm)),
        ((-half + arm, half - arm), (-half, half)),
    ):
        v.box(across, along, Pen(width_mm=0.18, fill="#e2ddcd"))
    tray, x = t.tray_mm / 2 + t.wall_mm, g.tray_x_mm
    v.box((x - tray, x + tray), (-tray, tray), Pen(width_mm=0.25, fill="#b8bcc4"))
    v.box((x + t.front_mm - t.wall_mm, x + t.back_mm + t.wall_mm), (-t.outer_mm, t.outer_mm), _TOWER)
    lamp = t.lamp_mm[0]
    for side in (-1, 1):
        near, far = sorted((side * (lamp - 7.0), side * (lamp + 7.0)))
        v.box((x - 53.0, x + 123.0), (near, far), _LIGHT)
    v.box((x - 22.0, x + t.front_mm - t.wall_mm), (-24.0, 24.0), Pen(width_mm=0.25, fill="#ec9658"))
    for side in (-1, 1):
        y = side * g.column_y_mm
        v.box((-g.foot_mm / 2, g.foot_mm / 2), (y - p, y + p), _METAL)
    v.box((-p, p), (-g.column_y_mm - p, g.column_y_mm + p), _METAL)
    v.box((-g.box_mm[0] / 2, g.box_mm[0] / 2), g.box_y_mm, _BOX)
    v.sheet.circle(v.at(0.0, 0.0), g.ring_mm[1] / 2 / SCALE, _LIGHT)
    v.sheet.circle(v.at(0.0, 0.0), g.ring_mm[0] / 2 / SCALE, Pen(width_mm=0.2, fill="#ffffff"))
    v.sheet.circle(v.at(0.0, 0.0), 1.0, _DARK)
    v.box((-seen_x, seen_x), (-seen_y, seen_y), _SEEN)
    v.measure(
        (-g.foot_mm / 2, -g.column_y_mm - p), (g.foot_mm / 2, -g.column_y_mm - p), f"foot {g.foot_mm:.0f}", -5
    )
    v.measure((-seen_x, -seen_y), (-seen_x, seen_y), f"{2 * seen_y:.0f}", 5)
    v.measure((-half, half), (half, half), f"board {plan.side_mm:.0f}", 11.5)
    v.note((20.0, 300.0), (origin[0] + 24, origin[1] - 38), "Pi, under the bridge")
    v.note((x, -30.0), (origin[0] + 66, origin[1] + 17), "tray")
    v.note((x + 100.0, 20.0), (origin[0] + 66, origin[1] - 14), "tower")


def _head(sheet: Sheet, origin: Point, g: Gantry) -> None:
    """The bridge's half with camera, light and Pi, from the side."""
    v = _View(sheet, (origin[0], origin[1] + g.lens_mm / DETAIL_SCALE), DETAIL_SCALE)
    p = g.profile_mm / 2
    sheet.text((origin[0] - 28, origin[1] - 38), "the head, from the right, 1 : 4", 3.2, bold=True)
    v.box((-120.0, g.column_y_mm + p), (g.bridge_z_mm, g.bridge_z_mm + g.profile_mm), _METAL)
    v.box(
        (g.column_y_mm - p, g.column_y_mm + p),
        (g.lens_mm - 30.0, g.bridge_z_mm + g.profile_mm + 40.0),
        _METAL,
    )
    inner, outer = (width / 2 for width in g.ring_mm)
    for near, far in ((-outer, -inner), (inner, outer)):
        v.box((near, far), (g.lens_mm + g.ring_z_mm, g.lens_mm + g.ring_z_mm + 8.0), _LIGHT)
    v.box((-12.5, 12.5), (g.lens_mm + 10.0, g.lens_mm + 12.0), Pen(width_mm=0.25, fill="#3c8c60"))
    v.box((-5.0, 5.0), (g.lens_mm, g.lens_mm + 10.0), _DARK)
    v.box((-15.0, 15.0), (g.bridge_z_mm - 8.0, g.bridge_z_mm), _METAL)
    v.box(g.box_y_mm, g.box_z_mm, _BOX)
    cable = [
        (12.5, g.lens_mm + 11.0),
        (24.0, g.lens_mm + 16.0),
        (28.0, g.bridge_z_mm - 3.0),
        (g.box_y_mm[0] - 6.0, g.bridge_z_mm - 3.0),
        (g.box_y_mm[0] + 40.0, g.box_z_mm[0] + 24.0),
    ]
    sheet.path([v.at(*point) for point in cable], Pen(stroke="#d35400", width_mm=0.6), closed=False)
    v.measure((0.0, g.lens_mm), (g.box_y_mm[0], g.lens_mm), f"{g.box_y_mm[0]:.0f}", -9)
    v.measure(
        (g.box_y_mm[0], g.lens_mm), (g.column_y_mm, g.lens_mm), f"{g.column_y_mm - g.box_y_mm[0]:.0f}", -9
    )
    x, y = origin
    v.note((140.0, g.bridge_z_mm - 3.0), (x + 24, y + 15), f"flat cable: {g.camera_cable_mm:.0f} of its 500")
    v.note((-80.0, g.lens_mm + g.ring_z_mm + 3.0), (x - 4, y + 6.5), "light", "end")
    v.note((0.0, g.lens_mm + 3.0), (x + 2, y + 16), "lens")
    at = v.at(sum(g.box_y_mm) / 2, sum(g.box_z_mm) / 2 - 14.0)
    sheet.text(at, "Pi", 3.2, anchor="middle", bold=True)


def _notes(sheet: Sheet, g: Gantry) -> None:
    sheet.lines(
        (304, 48),
        [
            "*Why it stands so",
            f"The picture's short side reaches {g.seen_mm()[1]:.0f} mm from the board's",
            f"middle, its long side {g.seen_mm()[0]:.0f} mm. Columns at the short sides",
            "are just outside the picture; at the long sides they would",
            "stand before the dice tray.",
            "",
            "*Stiffness",
            "Profile 30 × 30, or 20 × 20 doubled. A corner brace at every",
            "joint, above the bridge. The feet lie on rubber; the buttons stand",
            "on the table and never on the gantry.",
            "",
            "*Height",
            f"The bridge slides on the columns: lens {g.lens_range_mm[0]:.0f} to "
            f"{g.lens_range_mm[1]:.0f} mm above",
            "the board. Lens straight above home, the picture's long",
            "side along the line from the left edge to the tray.",
            "",
            "*Leads",
            "Camera cables end at 500 mm and display leads at 300 mm:",
            "so the Pi hangs under the bridge beside the column, and the",
            f"display {g.display_lead_mm:.0f} mm of lead below it, facing the board.",
            "The light's and the Pi's supply leads go down the column behind.",
            "",
            "*Light",
            f"A diffused ring {g.ring_mm[1]:.0f} mm across, its face {g.ring_z_mm:.0f} mm above the lens,",
            "800 to 1000 lm, CRI 90, about 4000 K, never dimmed.",
            "It mirrors inside home only.",
        ],
        2.9,
    )
