"""Pictures of the dice tower: whole, cut open, taken apart, from behind, as printed, as its camera sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from manifold3d import Manifold
from PIL import Image, ImageDraw, ImageFont

from hardware.carrier import pico_middle_mm
from hardware.render import Rgb, Thing, View, render
from hardware.solids import box, joined, rod
from hardware.tower import DIE_MM, Tower, Vec
from hardware.tower_parts import CARRIER_POST_MM, PAD_MM, carrier_middle_mm, parts
from uckers_table.simulator.solids import PIPS

COLOURS: dict[str, Rgb] = {
    "tray": (172, 176, 182),
    "tower-lower": (96, 140, 188),
    "tower-upper": (132, 176, 218),
    "camera-arm": (236, 150, 88),
    "lamp-left": (240, 206, 96),
    "lamp-right": (240, 206, 96),
    "readout": (206, 92, 84),
    "cover": (150, 190, 140),
}
IVORY: Rgb = (248, 244, 232)
PIP: Rgb = (30, 30, 34)
BOARD_GREEN: Rgb = (60, 140, 96)
BLACK: Rgb = (70, 70, 76)
GLOW: Rgb = (255, 250, 214)
BEAM: Rgb = (230, 40, 60)
INK = (28, 28, 34)

Step = tuple[float, float, float]


@dataclass(frozen=True)
class Note:
    """A word beside the picture, with a line to a place on the thing."""

    text: str
    place: Vec
    at: tuple[int, int]


def die(middle: Vec, yaw_deg: float = 0.0, top: int = 6, tilt_deg: float = 0.0) -> list[Thing]:
    """A die with its middle there; the faces beside its top are as on a real one."""
    half = DIE_MM / 2
    body = Manifold.cube((DIE_MM, DIE_MM, DIE_MM), True) ^ Manifold.sphere(half * 1.52, 48)
    side = {1: 2, 2: 3, 3: 6, 4: 6, 5: 3, 6: 5}[top]
    other = next(v for v in range(1, 7) if v not in {top, 7 - top, side, 7 - side})
    turns = {
        top: (0.0, 0.0, 0.0),
        7 - top: (180.0, 0.0, 0.0),
        side: (90.0, 0.0, 0.0),
        7 - side: (-90.0, 0.0, 0.0),
        other: (0.0, 90.0, 0.0),
        7 - other: (0.0, -90.0, 0.0),
    }
    pips = [
        rod("z", (a * DIE_MM / 4, b * DIE_MM / 4), (half - 0.5, half + 0.06), 3.0, 20).rotate(turn)
        for value, turn in turns.items()
        for a, b in PIPS[value]
    ]

    def placed(solid: Manifold) -> Manifold:
        return solid.rotate((tilt_deg, 0.0, yaw_deg)).translate(middle)

    return [Thing(placed(body), IVORY), Thing(placed(joined(*pips)), PIP, plain=True)]


def fittings(t: Tower) -> list[Thing]:
    """The bought parts that show: camera, strips, digits, and what lies in the bay."""
    lens, drop = t.lens_mm, t.bought.camera_drop_mm
    half = t.bought.camera_board[0] / 2
    camera = box((-half, half), (-half, half), (lens + drop - 6.6, lens + drop - 5.0))
    barrel = rod("z", (0.0, 0.0), (lens, lens + drop - 6.6), 14.0)
    lamp_x, lamp_z = t.lamp_mm
    width, length = t.bought.strip_mm
    dx, dz = (width / 2 * f(radians(t.lamp_deg)) for f in (cos, sin))
    edges = ((lamp_x - dx, lamp_z + dz), (lamp_x + dx, lamp_z - dz))
    face = [*edges, *((ex - 0.8, ez - 0.8) for ex, ez in edges)]
    strip = Manifold.hull_points([(px, py, pz) for px, pz in face for py in (-length / 2, length / 2)])
    wide, long, thick = t.bought.carrier
    top, middle = CARRIER_POST_MM + thick, carrier_middle_mm(t)
    front = middle - long / 2
    carrier = box((-wide / 2, wide / 2), (front, front + long), (CARRIER_POST_MM, top))
    px, py, _ = t.bought.pico
    x, y = pico_middle_mm()[0], middle + pico_middle_mm()[1]
    pico = box((x - px / 2, x + px / 2), (y - py / 2, y + py / 2), (top + 8.5, top + 10.0))
    rows = [(x + s - 1.3, x + s + 1.3) for s in (-8.9, 8.9)]
    socket = joined(*(box(row, (y - py / 2, y + py / 2), (top, top + 8.5)) for row in rows))
    return [
        Thing(camera, BOARD_GREEN),
        Thing(barrel, BLACK),
        Thing(strip, GLOW, plain=True),
        Thing(strip.mirror((1, 0, 0)), GLOW, plain=True),
        Thing(carrier, (196, 160, 96)),
        Thing(pico, BOARD_GREEN),
        Thing(socket, BLACK),
        *_readout_board(t),
    ]


def _readout_board(t: Tower) -> list[Thing]:
    x0, _, z0, _, y1, z1 = next(p for p in parts(t) if p.name == "readout").solid.bounding_box()
    del x0
    window, high = t.bought.readout_window
    back, middle = y1 - 2.0, (z0 + z1) / 2
    front = back - t.bought.readout[1]
    block = box((-window / 2, window / 2), (front, back), (middle - high / 2 + 0.5, middle + high / 2 - 0.5))
    return [Thing(block, BLACK), *_digits(window, front, middle)]


def _digits(window: float, front: float, middle: float) -> list[Thing]:
    """The throw "6 3" in seven-segment digits."""
    lit = {"6": "acdefg", "3": "abcdg"}
    bars = {"a": (0, 2), "d": (0, -2), "g": (0, 0), "f": (-1, 1), "b": (1, 1), "e": (-1, -1), "c": (1, -1)}
    pitch, out = window / 8, []
    for place, digit in ((0, "6"), (2, "3")):
        at = -window / 2 + pitch * (place + 0.5)
        for segment in lit[digit]:
            across, up = bars[segment]
            cx, cz = at + across * 2.1, middle + up * 2.1
            flat = segment in "adg"
            wx, wz = (3.0, 0.9) if flat else (0.9, 3.0)
            out.append(box((cx - wx / 2, cx + wx / 2), (front - 0.3, front), (cz - wz / 2, cz + wz / 2)))
    return [Thing(joined(*out), (255, 70, 60), plain=True)]


def picture(
    things: Sequence[Thing], view: View, size: tuple[int, int], notes: Sequence[Note] = ()
) -> Image.Image:
    """A rendered picture with its notes."""
    image = Image.fromarray(render(things, view, size))
    if not notes:
        return image
    fine = (size[0] * 2, size[1] * 2)
    image = image.resize(fine, Image.Resampling.LANCZOS)
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(38)
    for note in notes:
        px, py, _ = view.project(np.array(note.place, np.float64), fine)
        at = (note.at[0] * 2, note.at[1] * 2)
        frame = draw.multiline_textbbox(at, note.text, font, anchor="mm", align="center")
        left, top, right, bottom = frame[0] - 12, frame[1] - 12, frame[2] + 12, frame[3] + 12
        draw.line([(px, py), (min(max(px, left), right), min(max(py, top), bottom))], fill=INK, width=3)
        draw.ellipse([px - 7, py - 7, px + 7, py + 7], fill=INK)
        draw.rounded_rectangle([left, top, right, bottom], 8, (255, 255, 255), INK, 2)
        draw.multiline_text(at, note.text, INK, font, anchor="mm", align="center")
    return image.resize(size, Image.Resampling.LANCZOS)


def _whole(t: Tower) -> list[Thing]:
    return [Thing(part.solid, COLOURS[part.name]) for part in parts(t)]


def _dice_in_tray() -> list[Thing]:
    return [*die((-18.0, -10.0, 8.0), 24.0, 6), *die((22.0, 8.0, 8.0), -38.0, 3)]


def together(t: Tower) -> Image.Image:
    """The tower as it stands."""
    view = View((-520.0, -760.0, 470.0), (0.0, 45.0, 122.0), 21.0)
    return picture([*_whole(t), *fittings(t), *_dice_in_tray()], view, (900, 900))


def cut_open(t: Tower) -> Image.Image:
    """The tower cut down its middle, dice on their way."""
    things = [
        Thing(thing.solid.trim_by_plane((-1.0, 0.0, 0.0), 0.0), thing.colour, thing.plain)
        for thing in (*_whole(t), *fittings(t))
    ]
    (y1, z1), (y2, z2) = t.first_lip, t.second_lip
    for middle, tilt in (
        ((-14.0, 84.0, z1 + 34.0), 20.0),
        ((-14.0, y1 + 16.0, z1 + 27.5), 45.0),
        ((-14.0, y2 - 16.0, z2 + 27.5), -45.0),
        ((-14.0, 112.0, t.exit_z(112.0) + 10.6), 40.0),
        ((-14.0, 10.0, 8.0), 0.0),
    ):
        things += die(middle, 0.0, 5, tilt)
    beams = [rod("x", beam, (-t.width_mm / 2, -0.5), 1.6) for beam in (*t.in_beams, t.out_beam)]
    things.append(Thing(joined(*beams), BEAM, plain=True))
    view = View((950.0, -120.0, 290.0), (0.0, 52.0, 134.0), 22.0)
    notes = [
        Note("two dice in", (-14.0, 84.0, z1 + 40.0), (470, 45)),
        Note("first ramp", (0.0, y1 + 20.0, z1 + 18.0), (850, 190)),
        Note("three in-beams", (-20.0, *t.in_beams[2]), (850, 320)),
        Note("second ramp", (0.0, y2 - 14.0, z2 + 12.0), (850, 420)),
        Note("last ramp", (0.0, 135.0, t.exit_z(135.0) - 1.0), (850, 560)),
        Note("out-beam", (-20.0, *t.out_beam), (330, 640)),
        Note("Pico's bay", (0.0, 125.0, 28.0), (850, 730)),
        Note("tray", (0.0, -20.0, 0.0), (150, 850)),
        Note("camera", (0.0, -4.0, t.lens_mm + 6.0), (120, 240)),
        Note("lamp", (-100.0, -30.0, 148.0), (110, 470)),
        Note("readout", (0.0, 40.0, 172.0), (335, 285)),
    ]
    return picture(things, view, (960, 900), notes)


_APART: dict[str, Step] = {
    "tray": (0.0, -70.0, 0.0),
    "tower-lower": (0.0, 0.0, 0.0),
    "tower-upper": (0.0, 0.0, 85.0),
    "camera-arm": (0.0, -75.0, 105.0),
    "lamp-left": (-75.0, 0.0, 70.0),
    "lamp-right": (75.0, 0.0, 70.0),
    "readout": (0.0, -75.0, 75.0),
    "cover": (0.0, 95.0, 0.0),
}


def apart(t: Tower) -> Image.Image:
    """All printed parts, moved away from where they belong."""
    things = [Thing(part.solid.translate(_APART[part.name]), COLOURS[part.name]) for part in parts(t)]
    view = View((-760.0, -760.0, 520.0), (0.0, 35.0, 165.0), 30.0)
    notes = [
        Note("tray", (-30.0, -128.0, 15.0), (440, 800)),
        Note("tower-lower", (-34.0, 90.0, 40.0), (230, 720)),
        Note("tower-upper", (-34.0, 130.0, 300.0), (170, 200)),
        Note("camera-arm", (0.0, -70.0, 349.0), (760, 130)),
        Note("lamp-left", (-180.0, 0.0, 225.0), (120, 520)),
        Note("lamp-right", (180.0, 10.0, 228.0), (760, 235)),
        Note("readout", (30.0, -38.0, 247.0), (690, 440)),
        Note("cover", (-30.0, 257.0, 40.0), (110, 640)),
    ]
    return picture(things, view, (900, 900), notes)


def behind(t: Tower) -> Image.Image:
    """The bay from behind, its cover off."""
    things = [Thing(p.solid, COLOURS[p.name]) for p in parts(t) if p.name != "cover"]
    view = View((260.0, 700.0, 250.0), (6.0, 120.0, 62.0), 18.0)
    things += fittings(t)
    middle = carrier_middle_mm(t)
    notes = [
        Note("Pico on its carrier", (0.0, middle + 14.0, 17.0), (640, 560)),
        Note("way for wires\nfrom the beam", (t.outer_mm, t.front_mm + 20.0, 10.0), (110, 630)),
        Note("out-beam", (t.outer_mm + 8.0, t.out_beam[0], t.out_beam[1]), (90, 430)),
        Note("foot", (t.outer_mm + 10.0, 140.0, 2.0), (230, 700)),
        Note("inserts for the cover", (-t.outer_mm + 4.0, t.back_mm + 3.0, 82.0), (650, 300)),
        Note("lamp's root", (t.outer_mm + PAD_MM + 5.0, 110.0, 140.0), (110, 170)),
    ]
    return picture(things, view, (800, 740), notes)


def on_the_bed(t: Tower) -> Image.Image:
    """Each part as it lies on the printer, with its size."""
    tile, font = (360, 300), ImageFont.load_default(19)
    shapes = parts(t)
    sheet = Image.new("RGB", (tile[0] * 4, tile[1] * 2), "white")
    for index, part in enumerate(shapes):
        x0, y0, _, x1, y1, z1 = part.printed.bounding_box()
        bed = box((-105.0, 105.0), (-105.0, 105.0), (-2.0, -0.05))
        view = View((-420.0, -560.0, 480.0), (0.0, 0.0, 62.0), 29.0)
        image = picture([Thing(bed, (232, 234, 238)), Thing(part.printed, COLOURS[part.name])], view, tile)
        corner = (index % 4 * tile[0], index // 4 * tile[1])
        sheet.paste(image, corner)
        text = f"{part.name}: {x1 - x0:.0f} x {y1 - y0:.0f} x {z1:.0f} mm"
        ImageDraw.Draw(sheet).text((corner[0] + tile[0] / 2, corner[1] + 20), text, INK, font, anchor="mm")
    return sheet


def as_the_camera_sees(t: Tower, size: tuple[int, int] = (1280, 720)) -> Image.Image:
    """The tray in the tray camera's picture, at its full size pixel for pixel."""
    view = View(t.lens, (0.0, 0.0, 0.0), 68.2, up=(0.0, 1.0, 0.0))
    shown = [thing for thing in fittings(t) if thing.solid.bounding_box()[2] < t.lens_mm - 5.0]
    return picture([*_whole(t), *shown, *_dice_in_tray()], view, size)


def pictures(t: Tower) -> dict[str, Image.Image]:
    """Every picture by the name of its file."""
    return {
        "tower": together(t),
        "tower-cut": cut_open(t),
        "tower-apart": apart(t),
        "tower-behind": behind(t),
        "tower-printed": on_the_bed(t),
        "tray-camera": as_the_camera_sees(t),
    }
