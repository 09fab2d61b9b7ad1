"""The printed parts of the dice tower, each where it sits when all is put together.

Screws are M3 into heat-set inserts; every hole for one is `INSERT_MM` wide. Parts are shaped so that they
print without support in the pose that `Part.printed` gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin

from manifold3d import Manifold

from hardware.solids import along_x, along_y, box, joined, mirrored_too, rod
from hardware.tower import Tower, Vec

INSERT_MM = 4.0
INSERT_DEEP_MM = 7.0
CLEAR_MM = 3.4
"""A hole that an M3 screw goes through."""
_SMALLEST_MM = 0.002
"""Edges shorter than this are numerical dust."""
BED_MM = (210.0, 210.0, 205.0)
"""The printer that the parts must fit on."""

PAD_MM = 6.0
"""Pads stand so far out from the tower's walls, to hold inserts."""
_EAR_Y = (64.0, 140.0)
"""Clear of the beams above, so that a driver gets at the screws."""
_FOOT_Y = (80.0, 140.0)


@dataclass(frozen=True)
class Part:
    """A printed part: `solid` in place; `turn_deg` about x, then y, then z lays it on the printer's bed."""

    name: str
    solid: Manifold
    turn_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def printed(self) -> Manifold:
        """The part as it lies on the bed: z from 0, its middle over the origin."""
        turned = self.solid.rotate(self.turn_deg).simplify(_SMALLEST_MM)
        x0, y0, z0, x1, y1, _ = turned.bounding_box()
        return turned.translate((-(x0 + x1) / 2, -(y0 + y1) / 2, -z0))


def parts(tower: Tower) -> tuple[Part, ...]:
    """All printed parts."""
    return (
        Part("tray", tray(tower)),
        Part("tower-lower", lower(tower)),
        Part("tower-upper", upper(tower), (180.0, 0.0, 0.0)),
        Part("camera-arm", camera_arm(tower), (-90.0, 0.0, 0.0)),
        Part("lamp-left", lamp(tower).mirror((1, 0, 0)), (180.0, 0.0, 0.0)),
        Part("lamp-right", lamp(tower), (180.0, 0.0, 0.0)),
        Part("readout", readout(tower), (0.0, -90.0, 0.0)),
        Part("cover", cover(tower), (-90.0, 0.0, 0.0)),
    )


@dataclass(frozen=True)
class Screw:
    """An M3 screw: it goes through one part into an insert in another, from under its head along `way`."""

    through: str
    into: str
    head: Vec
    way: Vec
    length_mm: float


def screws(t: Tower) -> tuple[Screw, ...]:
    """Every screw that holds two printed parts together; those of the tray are countersunk."""
    front, back, top = t.front_mm - t.wall_mm - PAD_MM, t.back_mm + t.wall_mm, t.split_mm
    pad = t.outer_mm + PAD_MM
    out = [
        Screw("tray", "tower-lower", (x, t.tray_mm / 2, _FLANGE_Z), (0, 1, 0), 8)
        for x in (-_FLANGE_X, _FLANGE_X)
    ]
    out += [
        Screw("camera-arm", "tower-upper", (x, front - 4, z), (0, 1, 0), 10) for x, z in _camera_screws(t)
    ]
    out += [Screw("readout", "tower-upper", (0, front - 4, z), (0, 1, 0), 10) for z in _readout_screws(t)]
    out += [Screw("cover", "tower-lower", (x, back + 3, z), (0, -1, 0), 10) for x, z in _cover_screws(t)]
    for side, lamp_name in ((-1, "lamp-left"), (1, "lamp-right")):
        ears = [(side * (t.outer_mm + 5), y, top + 6) for y in _EAR_Y]
        out += [Screw("tower-upper", "tower-lower", head, (0, 0, -1), 12) for head in ears]
        roots = [(side * (pad + 5), y, z) for y, z in _lamp_screws(t)]
        out += [Screw(lamp_name, "tower-upper", head, (-side, 0, 0), 10) for head in roots]
    return tuple(out)


def tray(t: Tower) -> Manifold:
    """The open tray, with a post for a grey patch at each front corner."""
    inner, w, high = t.tray_mm / 2, t.wall_mm, t.tray_wall_mm
    outer = inner + w
    body = box((-outer, outer), (-outer, outer), (-w, high))
    posts = mirrored_too(box((inner, outer + 13.0), (-outer, -outer + 16.0), (-w, high)))
    hollow = box((-inner, inner), (-inner, inner), (0.0, high + 1.0))
    half = t.width_mm / 2 + t.play_mm
    mouth = box((-half, half), (inner - 1.0, outer + 1.0), (_lip_under(t) - w - t.play_mm, high + 1.0))
    screws = joined(*(_countersunk_y(x, _FLANGE_Z, (inner, outer)) for x in (-_FLANGE_X, _FLANGE_X)))
    return body + posts - hollow - mouth - screws


def lower(t: Tower) -> Manifold:
    """The tower below the split: mouth, last ramp, and under it the bay for Pico and carrier."""
    out, half, w = t.outer_mm, t.width_mm / 2, t.wall_mm
    front, back, top = t.front_mm, t.back_mm, t.split_mm
    shell = box((-out, out), (front - w, back + w), (-w, top))
    shaft = along_x(
        [
            (front, t.exit_z(front)),
            (back, t.exit_z(back)),
            (back, top + 1.0),
            (front, top + 1.0),
        ],
        (-half, half),
    )
    mouth = along_x(
        [
            (front - w - 1.0, t.exit_z(front - w - 1.0)),
            (front + 1.0, t.exit_z(front + 1.0)),
            (front + 1.0, top + 1.0),
            (front - w - 1.0, top + 1.0),
        ],
        (-half, half),
    )
    under = _exit_deep(t)
    bay = along_x(
        [(front, 0.0), (back, 0.0), (back, t.exit_z(back) - under), (front, t.exit_z(front) - under)],
        (-half, half),
    )
    lip_y = t.tray_mm / 2
    lip = along_x(
        [(lip_y, _lip_under(t)), (front, _lip_under(t) - 2 * w), (front, t.exit_z(front)), (lip_y, t.lip_mm)],
        (-half, half),
    )
    body = shell - shaft - mouth - bay + lip
    body += mirrored_too(_flange(t) + _ears_below(t) + _feet(t) + _cover_column(t))
    body += joined(*(_beam_block(t, *t.out_beam, side, -1) for side in (-1, 1)), *_carrier_posts(t))
    door = half - _COLUMN
    opening = along_y(
        [(-door, 0.0), (door, 0.0), (door, _DOOR_MM), (0.0, _DOOR_MM + door), (-door, _DOOR_MM)],
        (back - 1.0, back + w + 1.0),
    )
    holes = joined(
        opening,
        *(_insert_y((x, _FLANGE_Z), front - w) for x in (-_FLANGE_X, _FLANGE_X)),
        *(_insert_y(at, back + w, -1) for at in _cover_screws(t)),
        *(_insert_z((side * (out + 5.0), y), top, -1) for side in (-1, 1) for y in _EAR_Y),
        *(rod("z", (side * (out + 7.0), y), (-w - 1.0, 5.0), 4.5) for side in (-1, 1) for y in _FOOT_Y),
        *(_beam_hole(t, *t.out_beam, side) for side in (-1, 1)),
        *(
            rod(
                "x",
                (front + 20.0, 10.0),
                (min(side * (half - 1), side * (out + 1)), max(side * (half - 1), side * (out + 1))),
                7.0,
            )
            for side in (-1, 1)
        ),
        *(rod("z", at, (1.0, 6.0), 2.6) for at in _carrier_at(t)),
    )
    return body - holes


def upper(t: Tower) -> Manifold:
    """The tower above the split: hopper, first and second ramp, the beams of the way in."""
    out, half, w = t.outer_mm, t.width_mm / 2, t.wall_mm
    front, back, bottom, top = t.front_mm, t.back_mm, t.split_mm, t.top_mm
    shell = box((-out, out), (front - w, back + w), (bottom, top))
    hollow = box((-half, half), (front, back), (bottom - 1.0, top + 1.0))
    deep = t.ramp_deep_mm
    (y1, z1), (y2, z2) = t.first_lip, t.second_lip
    rise = t.ramp_rise_mm
    first = [(back + 1, z1 + rise + 1), (y1, z1), (y1, z1 - deep), (back + 1, z1 + rise + 1 - deep)]
    second = [(front - 1, z2 + rise + 1), (y2, z2), (y2, z2 - deep), (front - 1, z2 + rise + 1 - deep)]
    tongue = box((-half + t.play_mm, half - t.play_mm), (front - w, front), (t.mouth_mm, bottom + 1.0))
    body = (
        shell
        - hollow
        + tongue
        + along_x(first, (-half - 1, half + 1))
        + along_x(second, (-half - 1, half + 1))
    )
    body += joined(*(_beam_block(t, *beam, side, 1) for beam in t.in_beams for side in (-1, 1)))
    body += mirrored_too(_ears_above(t) + _lamp_pad(t)) + _camera_pad(t)
    body += joined(*(_front_pad(t, z) for z in _readout_screws(t)))
    body += joined(*(_tie(t, z) for z in (bottom + 12.0, (bottom + top) / 2, top - 16.0)))
    holes = joined(
        *(_beam_hole(t, *beam, side) for beam in t.in_beams for side in (-1, 1)),
        *(_insert_y(at, front - w - PAD_MM) for at in _camera_screws(t)),
        *(_insert_y((0.0, z), front - w - PAD_MM) for z in _readout_screws(t)),
        *(_insert_x(side, out + PAD_MM, at) for side in (-1, 1) for at in _lamp_screws(t)),
        *(_ear_hole(side * (out + 5.0), y, bottom) for side in (-1, 1) for y in _EAR_Y),
    )
    return body - holes


def camera_arm(t: Tower) -> Manifold:
    """The arm that holds the tray camera over the tray's middle, two ribs on top."""
    face = t.front_mm - t.wall_mm - PAD_MM
    plate = t.lens_mm + t.bought.camera_drop_mm
    thick, half, low = 4.0, 24.0, _camera_pad_low(t)
    reach = -t.bought.camera_board[1] / 2 - 3.0
    body = box((-half, half), (face - thick, face), (low, t.top_mm))
    body += box((-half, half), (reach, face), (plate, plate + thick))
    rib = [
        (face, plate),
        (face, t.top_mm),
        (face - 8.0, t.top_mm),
        (reach + 12.0, plate + thick),
        (reach + 12.0, plate),
    ]
    body += mirrored_too(along_x(rib, (20.5, 24.0)))
    least, most = (value / 2 for value in t.bought.camera_holes_mm)
    slots = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            ends = [rod("z", (sx * at, sy * at), (plate - 1, plate + thick + 1), 2.8) for at in (least, most)]
            slots.append(ends[0].hull() if not ends else Manifold.batch_hull(ends))
    window = rod("z", (0.0, 0.0), (plate - 1.0, plate + thick + 1.0), 14.0)
    screws = [rod("y", at, (face - thick - 1, face + 1), CLEAR_MM) for at in _camera_screws(t)]
    return body - joined(*slots, window, *screws)


def lamp(t: Tower) -> Manifold:
    """The right lamp: a bar beside the tray whose slanting face carries the strip, and its arm."""
    x, z = t.lamp_mm
    width, length = t.bought.strip_mm
    slope = radians(t.lamp_deg)
    a = (width / 2 + 2.5) * cos(slope), (width / 2 + 2.5) * sin(slope)
    low, high = (x + a[0], z - a[1]), (x - a[0], z + a[1])
    top = high[1] + 3.5
    edge = low[0] + 3.0
    section = [high, low, (low[0], low[1] - 2.5), (edge, low[1] - 2.5), (edge, top), (high[0], top)]
    face = t.outer_mm + PAD_MM
    y0, y1 = _LAMP_Y
    bar = along_y(section, (-length / 2 - 3.0, y1))
    arm = box((face, edge), (y0, y1), (top - 6.0, top))
    root = box((face, face + 5.0), (y0, y1), (_lamp_low(t), top))
    brace = along_y(
        [(face + 5.0, top - 6.0), (face + 5.0, top - 16.0), (face + 15.0, top - 6.0)], (y0, y0 + 4.0)
    )
    brace += brace.translate((0, y1 - y0 - 4.0, 0))
    screws = joined(*(rod("x", at, (face - 1, face + 6), CLEAR_MM) for at in _lamp_screws(t)))
    return bar + arm + root + brace - screws


def readout(t: Tower) -> Manifold:
    """The readout's box: the digits' board slides in from the left end, its lead leaves there."""
    wide, deep, high = t.bought.readout
    w, slack = 2.0, 0.6
    back = t.front_mm - t.wall_mm - PAD_MM
    z = _readout_z(t)
    half, tall = wide / 2 + slack, high / 2 + slack
    front = back - deep - 2 * w - slack
    body = box((-half - w, half + w), (front, back), (z - tall - w, z + tall + w))
    hollow = box((-half - w - 1.0, half), (front + w, back - w), (z - tall, z + tall))
    window_w, window_h = (value / 2 for value in t.bought.readout_window)
    window = box((-window_w, window_w), (front - 1.0, front + w + 1.0), (z - window_h, z + window_h))
    near, far = tall, tall + w + 11.0
    ear = [(7.0, z + near), (7.0, z + far), (-7.0, z + far), (-7.0 - far + near, z + near)]
    ears = joined(*(along_y([(a, z + s * (b - z)) for a, b in ear], (back - 4.0, back)) for s in (-1, 1)))
    holes = joined(*(rod("y", (0.0, at), (back - 5.0, back + 1.0), CLEAR_MM) for at in _readout_screws(t)))
    return body + ears - hollow - window - holes


def cover(t: Tower) -> Manifold:
    """The bay's cover at the back, with the cable's way out and slots to tie cable and hub to."""
    back = t.back_mm + t.wall_mm
    half = t.outer_mm
    body = box((-half, half), (back, back + 3.0), (-t.wall_mm, COVER_TOP_MM))
    cable = box((-9.0, 9.0), (back - 1, back + 4), (6.0, 28.0))
    wires = box((-7.0, 7.0), (back - 1, back + 4), (40.0, 54.0))
    slots = [
        box((x - 1.5, x + 1.5), (back - 1, back + 4), (z - 3.0, z + 3.0))
        for x in (-20.0, 20.0)
        for z in (17.0, 40.0, 64.0)
    ]
    screws = [rod("y", at, (back - 1, back + 4), CLEAR_MM) for at in _cover_screws(t)]
    return body - joined(cable, wires, *slots, *screws)


COVER_TOP_MM = 88.0
_DOOR_MM = 36.0
"""How high the way into the bay is before its sides lean together."""
_COLUMN = 5.5
_FLANGE_X, _FLANGE_Z = 46.0, 14.0
_LAMP_Y = (97.0, 123.0)


def _exit_deep(t: Tower) -> float:
    """The last ramp's thickness measured upright."""
    return t.wall_mm / cos(radians(t.exit_deg))


def _lip_under(t: Tower) -> float:
    return t.lip_mm - _exit_deep(t)


def _lamp_low(t: Tower) -> float:
    """z of the lower edge of the lamps' roots."""
    return t.split_mm + 2.0


def _lamp_screws(t: Tower) -> tuple[tuple[float, float], ...]:
    """(y, z) of a lamp's screws."""
    return tuple((y, _lamp_low(t) + 8.0) for y in (105.0, 115.0))


def _camera_pad_low(t: Tower) -> float:
    return t.lens_mm - 8.0


def _camera_screws(t: Tower) -> tuple[tuple[float, float], ...]:
    """(x, z) of the camera arm's screws."""
    low, high = _camera_pad_low(t) + 7.0, t.lens_mm + t.bought.camera_drop_mm - 6.0
    return (-10.0, low), (10.0, low), (-10.0, high), (10.0, high)


def _readout_z(t: Tower) -> float:
    return (t.split_mm + _camera_pad_low(t)) / 2 + 2.0


def _readout_screws(t: Tower) -> tuple[float, float]:
    off = t.bought.readout[2] / 2 + 8.0
    return _readout_z(t) - off, _readout_z(t) + off


def _cover_screws(t: Tower) -> tuple[tuple[float, float], ...]:
    x = t.outer_mm - (_COLUMN + t.wall_mm) / 2
    return tuple((side * x, z) for side in (-1, 1) for z in (6.0, COVER_TOP_MM - 6.0))


def _carrier_at(t: Tower) -> tuple[tuple[float, float], ...]:
    """(x, y) of the posts under the carrier."""
    wide, long = (value / 2 for value in t.bought.carrier_holes)
    middle = carrier_middle_mm(t)
    return tuple((sx * wide, middle + sy * long) for sx in (-1, 1) for sy in (-1, 1))


def carrier_middle_mm(t: Tower) -> float:
    """y of the carrier's middle: as far forward as the last ramp leaves room for what stands on it."""
    return t.back_mm - 14.0 - t.bought.carrier[1] / 2


CARRIER_POST_MM = 5.0


def _carrier_posts(t: Tower) -> list[Manifold]:
    return [rod("z", at, (-1.0, CARRIER_POST_MM), 7.0) for at in _carrier_at(t)]


def _flange(t: Tower) -> Manifold:
    """Right of the mouth, to screw the tray to."""
    y = t.front_mm - t.wall_mm
    return box((t.outer_mm - 1.0, t.tray_mm / 2 + t.wall_mm), (y, y + 9.0), (-t.wall_mm, _FLANGE_Z + 10.0))


def _ears_below(t: Tower) -> Manifold:
    out, top = t.outer_mm, t.split_mm
    outline = [(out - 1, top - 20.0), (out + 10.0, top - 9.0), (out + 10.0, top), (out - 1, top)]
    return joined(*(along_y(outline, (y - 6.0, y + 6.0)) for y in _EAR_Y))


def _ears_above(t: Tower) -> Manifold:
    out, bottom = t.outer_mm, t.split_mm
    outline = [(out - 1, bottom), (out + 10.0, bottom), (out + 10.0, bottom + 6.0), (out - 1, bottom + 17.0)]
    return joined(*(along_y(outline, (y - 6.0, y + 6.0)) for y in _EAR_Y))


def _feet(t: Tower) -> Manifold:
    out = t.outer_mm
    return joined(*(box((out - 1, out + 14.0), (y - 8.0, y + 8.0), (-t.wall_mm, 2.0)) for y in _FOOT_Y))


def _lamp_pad(t: Tower) -> Manifold:
    out, (y0, y1) = t.outer_mm, _LAMP_Y
    z0, z1 = _lamp_low(t), _lamp_low(t) + 20.0
    outline = [(out - 1, z0), (out + PAD_MM, z0), (out + PAD_MM, z1), (out - 1, z1 + PAD_MM + 1)]
    return along_y(outline, (y0, y1))


def _cover_column(t: Tower) -> Manifold:
    half, back = t.width_mm / 2, t.back_mm
    return box((half - _COLUMN, half + 1), (back - 8.0, back + 1), (-1.0, COVER_TOP_MM + 4.0))


def _camera_pad(t: Tower) -> Manifold:
    y, low = t.front_mm - t.wall_mm, _camera_pad_low(t)
    return along_x(
        [(y + 1, low - PAD_MM - 1), (y - PAD_MM, low), (y - PAD_MM, t.top_mm), (y + 1, t.top_mm)],
        (-24.0, 24.0),
    )


def _front_pad(t: Tower, z: float) -> Manifold:
    y = t.front_mm - t.wall_mm
    outline = [(y + 1, z - 6), (y - PAD_MM, z - 6), (y - PAD_MM, z + 6), (y + 1, z + 6 + PAD_MM + 1)]
    return along_x(outline, (-7.0, 7.0))


def _tie(t: Tower, z: float) -> Manifold:
    """An eye at the back to tie the wires to."""
    y = t.back_mm + t.wall_mm
    outline = [(y - 1, z - 4.0), (y + 4.5, z - 4.0), (y + 4.5, z + 2.0), (y - 1, z + 7.5)]
    return along_x(outline, (-6.0, 6.0)) - box((-7.0, 7.0), (y, y + 2.2), (z - 2.0, z + 2.0))


def _beam_block(t: Tower, y: float, z: float, side: int, slant: int) -> Manifold:
    """A block outside a wall that takes one half of a beam; it slants on its upper (1) or lower (-1) side."""
    deep, wide, high = t.bought.beam
    out, depth, tall = t.outer_mm, deep + 0.5, high / 2 + 2.5
    outline = [
        (side * (out - 1), z - slant * tall),
        (side * (out + depth), z - slant * tall),
        (side * (out + depth), z + slant * tall),
        (side * (out - 1), z + slant * (tall + depth + 1)),
    ]
    return along_y(outline, (y - wide / 2 - 2.2, y + wide / 2 + 2.2))


def _beam_hole(t: Tower, y: float, z: float, side: int) -> Manifold:
    """The pocket for the housing, open to the outside, and the bore for its nose."""
    deep, wide, high = t.bought.beam
    out = t.outer_mm
    near, far = sorted((side * out, side * (out + deep + 1.0)))
    pocket = box(
        (near, far), (y - wide / 2 - 0.2, y + wide / 2 + 0.2), (z - high / 2 - 0.2, z + high / 2 + 0.2)
    )
    near, far = sorted((side * (t.width_mm / 2 - 1.0), side * (out + 1.0)))
    return pocket + rod("x", (y, z), (near, far), t.bought.beam_nose_mm + 0.3)


def _insert_y(at_xz: tuple[float, float], face_y: float, way: int = 1) -> Manifold:
    near, far = sorted((face_y - way * 0.5, face_y + way * INSERT_DEEP_MM))
    return rod("y", at_xz, (near, far), INSERT_MM)


def _insert_x(side: int, face_x: float, at_yz: tuple[float, float]) -> Manifold:
    near, far = sorted((side * (face_x + 0.5), side * (face_x - INSERT_DEEP_MM)))
    return rod("x", at_yz, (near, far), INSERT_MM)


def _insert_z(at_xy: tuple[float, float], face_z: float, way: int) -> Manifold:
    near, far = sorted((face_z - way * 0.5, face_z + way * INSERT_DEEP_MM))
    return rod("z", at_xy, (near, far), INSERT_MM)


def _ear_hole(x: float, y: float, bottom: float) -> Manifold:
    """For a screw from above, with room for its head."""
    return rod("z", (x, y), (bottom - 1.0, bottom + 7.0), CLEAR_MM) + rod(
        "z", (x, y), (bottom + 6.0, bottom + 18.0), 7.0
    )


def _countersunk_y(x: float, z: float, wall: tuple[float, float]) -> Manifold:
    """A hole through a wall for a countersunk screw whose head lies towards -y."""
    cone = Manifold.cylinder(1.7, 3.2, 1.6, 40).rotate((-90.0, 0.0, 0.0)).translate((x, wall[0], z))
    return rod("y", (x, z), (wall[0] - 0.5, wall[1] + 0.5), CLEAR_MM) + cone
