"""The button box's lid at full size: where to drill, and what to write beside each button."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.sheet import GREY, Pen, Point, Sheet
from uckers_table.devices.pins import BUTTONS, NUMBERED

A4_WIDE_MM = (297.0, 210.0)
WORDS = {
    "done": ("done", "right as it stands"),
    "undo": ("undo", "take it back · held for 3 s: off"),
    "accept": ("accept", "yes"),
    "challenge": ("challenge", "for the blob in the way"),
    "suckback": ("suckback", "or blowback, before the throw"),
    "timber_shifting": ("timber shifting!", "somebody moved a piece"),
    "cocked_dropped": ("cocked / dropped", "or: tell the dice · held for 3 s: PIN"),
}
"""What stands beside each button: its name, and what it says."""


@dataclass(frozen=True)
class Panel:
    """Measures of the lid: three buttons by two with their digits, and the seventh beside them."""

    hole_mm: float = 24.0
    """For the lit buttons bought: measure their thread."""
    pitch_mm: tuple[float, float] = (62.0, 68.0)
    size_mm: tuple[float, float] = (256.0, 150.0)
    screw_mm: float = 8.0
    """From the lid's edges to its screws."""

    def places(self) -> dict[str, Point]:
        """The middle of each button from the lid's top left corner."""
        across, down = self.pitch_mm
        left, top = (self.size_mm[0] - 3 * across) / 2, self.size_mm[1] / 2 - down / 2 - 8.0
        out = {
            name: (left + index % 3 * across, top + index // 3 * down) for index, name in enumerate(NUMBERED)
        }
        for name in BUTTONS:
            if name not in out:
                out[name] = (left + 3 * across, top + down / 2)
        return out


def panel_sheet(panel: Panel) -> Sheet:
    """The drilling template on A4, to be stuck on the lid; its words are the labels."""
    sheet = Sheet(*A4_WIDE_MM, "Button box, lid 1:1")
    wide, high = panel.size_mm
    x, y = (A4_WIDE_MM[0] - wide) / 2, 24.0
    sheet.text((x, 13), "Button box, lid", 6.0, bold=True)
    note = (
        "1 : 1, print at 100 %. Centre-punch through the crosses; check the hole against your buttons first."
    )
    sheet.text((x, 19), note, 3.2, colour=GREY)
    sheet.box(x, y, wide, high, Pen(width_mm=0.4))
    for corner in ((0, 0), (wide, 0), (wide, high), (0, high)):
        sx = corner[0] + (panel.screw_mm if corner[0] == 0 else -panel.screw_mm)
        sy = corner[1] + (panel.screw_mm if corner[1] == 0 else -panel.screw_mm)
        sheet.circle((x + sx, y + sy), 1.6, Pen(width_mm=0.2))
    places = panel.places()
    for name, (px, py) in places.items():
        _button(sheet, (x + px, y + py), panel, name)
    one, two, below = (places[NUMBERED[k]] for k in (0, 1, 3))
    sheet.dimension((x + one[0], y + high), (x + two[0], y + high), f"{two[0] - one[0]:g}", -9, 3.2)
    sheet.dimension((x, y + high), (x + one[0], y + high), f"{one[0]:g}", -9, 3.2)
    sheet.dimension((x, y + below[1]), (x, y + one[1]), f"{below[1] - one[1]:g}", 9, 3.2)
    sheet.dimension((x, y + one[1]), (x, y), f"{one[1]:g}", 9, 3.2)
    sheet.dimension((x + wide, y), (x + wide, y + high), f"{high:g}", 9, 3.2)
    sheet.dimension((x, y + high), (x + wide, y + high), f"{wide:g}", -17, 3.2)
    return sheet


def _button(sheet: Sheet, at: Point, panel: Panel, name: str) -> None:
    x, y = at
    radius = panel.hole_mm / 2
    sheet.circle(at, radius, Pen(width_mm=0.3, fill="#fff4cf"))
    thin = Pen(width_mm=0.15)
    sheet.line((x - radius - 3, y), (x + radius + 3, y), thin)
    sheet.line((x, y - radius - 3), (x, y + radius + 3), thin)
    word, meaning = WORDS[name]
    sheet.text((x, y + radius + 9.5), word, 6.0, anchor="middle", bold=True)
    sheet.text((x, y + radius + 14.0), meaning, 3.4, anchor="middle")
    if name in NUMBERED:
        sheet.text(
            (x - radius - 7.0, y - radius + 6.0),
            str(NUMBERED.index(name) + 1),
            10.0,
            anchor="middle",
            bold=True,
        )
    sheet.text((x + 1.5, y - 2.0), f"dia {panel.hole_mm:g}", 2.6, colour=GREY)
