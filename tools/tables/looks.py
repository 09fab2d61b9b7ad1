"""What each path-traced table looks like. Colours in sRGB, lengths in millimetres, angles in degrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import cos, radians, sin

Rgb = tuple[int, int, int]
Paints = dict[str, Rgb]


@dataclass(frozen=True)
class Lamp:
    """A light over the plan: `kind` "strip", "bulb", "window" (with blinds) or "sun".

    `at` is where it hangs (x, y of the plan, height above the board), `size` its length and breadth (a
    bulb's radius), `power` its share of the light; `colour` is linear.
    """

    kind: str
    at: tuple[float, float, float]
    size: tuple[float, float]
    power: float
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class View:
    """A camera: lens height above the board, where its axis meets it, tilt and its azimuth, yaw, k1."""

    height: float
    aim: tuple[float, float]
    tilt: float
    tilt_az: float
    yaw: float
    k1: float
    centre_px: tuple[float, float] = (1151.5, 647.5)
    focal_px: float = 1773.92


@dataclass(frozen=True)
class Sensor:
    """How the camera makes a picture of light: `white` is what white paint comes to, of 1, by the middle of
    the board; `balance` how much of the light's colour is taken out; `noise` at mid-grey in steps of 255;
    `blur_px` a deviation; `sharpen` the camera's own unsharp mask.
    """

    white: float = 0.62
    balance: float = 0.75
    noise: float = 2.0
    blur_px: float = 0.6
    sharpen: float = 0.3
    saturation: float = 1.1
    vignette: float = 0.25
    jpeg: tuple[int, int] = (85, 92)


@dataclass(frozen=True)
class DieLook:
    """What a die looks like: the paint of its body and of its pips; how round its edges are, pips' radius,
    how far apart and how deep they are; how rough its paint is and how much of a coat it has.
    """

    body: Rgb
    pips: Rgb
    round_mm: float = 1.7
    pip_mm: float = 1.75
    apart_mm: float = 4.2
    deep_mm: float = 1.1545
    rough: float = 0.3
    coat: float = 0.3


@dataclass(frozen=True)
class Table:
    """One table; `seats` go clockwise from the plan's top left. `sheen` is the varnish's roughness, `coat`
    how much of it there is; `matt` the roughness of the pieces' paint, `painted` the part of their sides it
    covers, `chipped` how worn it is; the colours in `glossy` are enamelled, whatever the others are. `lines`
    is the colour of the painted lines, `is_outlined` whether bases and their spots have any, and `corners`
    how much of its own paint each quarter's wood has. Dice that are `thrown_anyhow` lean on each other and
    on the board's edge too, where others lean on pieces only, and fall farther from the board. Over a
    table that is `leant_over` people lean from all sides; on others somebody is in the first lamp's light.
    """

    seats: tuple[str, str, str, str]
    lighting: str
    board: Paints
    pieces: Paints
    wood: Rgb
    cloth: Rgb
    weave: str
    lamps: tuple[Lamp, ...]
    view: View
    die: DieLook
    sensor: Sensor = field(default_factory=Sensor)
    ambient: float = 0.25
    ambient_colour: tuple[float, float, float] = (1.0, 1.0, 1.0)
    white: Rgb = (226, 221, 205)
    lines: Rgb = (28, 28, 34)
    panel: str = "rounded"
    spots: float = 44.0
    wear: float = 0.5
    fade: float = 0.0
    sheen: float = 0.35
    coat: float = 0.4
    height: float = 17.0
    diameter: float = 20.4
    matt: float = 0.35
    painted: float = 0.75
    chipped: float = 0.3
    glossy: tuple[str, ...] = ()
    is_outlined: bool = True
    corners: float = 0.0
    thrown_anyhow: bool = False
    leant_over: bool = False
    dapple: bool = False
    lettering: str = "6H MESS"


BOARD_MM = 610.0
WARM, COOL, DAY = (1.0, 0.72, 0.42), (0.88, 0.97, 1.0), (0.92, 0.97, 1.08)


def placed(away_mm: float, turn_deg: float, height_mm: float) -> tuple[float, float, float]:
    """So far from the board's middle, in that direction, and so high."""
    x, y = (BOARD_MM / 2 + away_mm * way(radians(turn_deg)) for way in (cos, sin))
    return x, y, height_mm


TABLES: dict[str, Table] = {
    "P1": Table(
        seats=("blue", "red", "green", "yellow"),
        lighting="led_strips",
        board={
            "red": (206, 62, 52),
            "green": (82, 150, 84),
            "yellow": (240, 158, 60),
            "blue": (74, 122, 186),
        },
        pieces={
            "red": (196, 34, 30),
            "green": (20, 112, 60),
            "yellow": (238, 150, 24),
            "blue": (36, 84, 164),
        },
        wood=(222, 196, 150),
        cloth=(196, 192, 180),
        weave="formica",
        lamps=(
            Lamp("strip", (-120.0, 330.0, 1350.0), (1250.0, 40.0), 0.6, COOL),
            Lamp("strip", (860.0, 250.0, 1420.0), (1250.0, 40.0), 0.5, COOL),
        ),
        view=View(1010.0, (318.0, 300.0), 6.0, 70.0, 268.0, -0.018, (1149.2, 650.4)),
        die=DieLook((34, 34, 38), (238, 238, 234)),
        sensor=Sensor(noise=1.7, blur_px=0.55),
        fade=0.15,
        sheen=0.6,
        coat=0.0,
        height=15.4,
        matt=0.65,
        panel="square",
        wear=0.8,
        chipped=0.5,
    ),
    "P2": Table(
        seats=("green", "red", "blue", "yellow"),
        lighting="bulb_and_window",
        board={"red": (142, 22, 30), "green": (12, 78, 52), "yellow": (216, 150, 18), "blue": (22, 48, 120)},
        pieces={"red": (170, 16, 24), "green": (10, 84, 48), "yellow": (232, 178, 20), "blue": (18, 36, 112)},
        wood=(134, 84, 52),
        cloth=(108, 22, 30),
        weave="baize",
        lamps=(
            Lamp("bulb", (800.0, -420.0, 1050.0), (60.0, 60.0), 0.55, WARM),
            Lamp("window", (-1300.0, 420.0, 950.0), (1100.0, 900.0), 0.5, DAY),
        ),
        view=View(985.0, (322.0, 312.0), 4.5, 200.0, 5.0, -0.027, (1155.0, 644.0)),
        die=DieLook((232, 216, 178), (26, 24, 24)),
        sensor=Sensor(noise=2.4, blur_px=0.7, jpeg=(85, 90)),
        ambient=0.2,
        white=(214, 204, 178),
        lines=(20, 16, 14),
        panel="round",
        sheen=0.24,
        coat=0.6,
        height=18.2,
        matt=0.12,
        painted=0.9,
        chipped=0.15,
        wear=0.3,
        spots=43.0,
    ),
    "P3": Table(
        seats=("yellow", "green", "red", "blue"),
        lighting="blinds",
        board={
            "red": (186, 70, 74),
            "green": (88, 134, 116),
            "yellow": (218, 184, 92),
            "blue": (88, 120, 160),
        },
        pieces={
            "red": (186, 30, 40),
            "green": (22, 108, 84),
            "yellow": (236, 200, 60),
            "blue": (40, 72, 142),
        },
        wood=(206, 182, 144),
        cloth=(122, 126, 130),
        weave="steel",
        lamps=(Lamp("window", (305.0, -1350.0, 1000.0), (1500.0, 1000.0), 1.0, DAY),),
        view=View(1065.0, (305.0, 318.0), 15.0, 92.0, 182.0, -0.022, (1152.0, 652.0)),
        die=DieLook((240, 240, 238), (20, 20, 22)),
        sensor=Sensor(noise=2.0, blur_px=0.65, saturation=1.0),
        ambient=0.3,
        ambient_colour=DAY,
        lines=(70, 64, 60),
        fade=0.25,
        sheen=0.3,
        coat=0.5,
        height=13.2,
        matt=0.3,
        painted=0.65,
        wear=1.0,
        chipped=0.6,
        spots=42.0,
    ),
    "K1": Table(
        seats=("red", "yellow", "green", "blue"),
        lighting="desk_lamp",
        board={
            "red": (190, 40, 36),
            "green": (20, 118, 104),
            "yellow": (236, 178, 40),
            "blue": (30, 88, 160),
        },
        pieces={"red": (206, 36, 28), "green": (8, 112, 94), "yellow": (244, 190, 30), "blue": (22, 66, 150)},
        wood=(188, 140, 90),
        cloth=(86, 58, 40),
        weave="planks",
        lamps=(
            Lamp("bulb", (-330.0, 640.0, 760.0), (30.0, 30.0), 0.75, (1.0, 0.86, 0.68)),
            Lamp("strip", (400.0, -500.0, 1500.0), (1200.0, 60.0), 0.25, COOL),
        ),
        view=View(1000.0, (310.0, 322.0), 9.0, 250.0, 92.0, -0.024, (1147.0, 651.0)),
        die=DieLook((186, 24, 30), (240, 238, 232)),
        sensor=Sensor(noise=2.2, blur_px=0.6),
        ambient=0.18,
        height=16.6,
        matt=0.25,
        coat=0.4,
        sheen=0.25,
        panel="square",
        spots=45.0,
    ),
    "K2": Table(
        seats=("green", "yellow", "blue", "red"),
        lighting="dappled",
        board={
            "red": (200, 48, 50),
            "green": (52, 128, 62),
            "yellow": (228, 196, 70),
            "blue": (58, 104, 178),
        },
        pieces={
            "red": (182, 24, 44),
            "green": (32, 126, 44),
            "yellow": (232, 206, 50),
            "blue": (30, 60, 156),
        },
        wood=(226, 206, 166),
        cloth=(64, 98, 130),
        weave="formica",
        lamps=(Lamp("sun", (900.0, -500.0, 1400.0), (3.0, 3.0), 0.7, (1.0, 0.93, 0.82)),),
        view=View(960.0, (300.0, 306.0), 2.5, 20.0, 3.0, -0.02, (1153.0, 646.0)),
        die=DieLook((236, 236, 230), (22, 22, 24)),
        sensor=Sensor(noise=1.6, blur_px=0.6),
        ambient=0.55,
        ambient_colour=DAY,
        dapple=True,
        height=19.6,
        matt=0.45,
        coat=0.2,
        panel="round",
        wear=0.6,
    ),
    "K3": Table(
        seats=("blue", "green", "yellow", "red"),
        lighting="bulb_and_strip",
        board={"red": (168, 34, 30), "green": (44, 104, 48), "yellow": (226, 168, 36), "blue": (40, 66, 140)},
        pieces={
            "red": (190, 30, 22),
            "green": (30, 110, 44),
            "yellow": (240, 188, 36),
            "blue": (32, 48, 140),
        },
        wood=(172, 118, 72),
        cloth=(30, 44, 74),
        weave="baize",
        lamps=(
            Lamp("bulb", (60.0, -420.0, 1150.0), (40.0, 40.0), 0.45, WARM),
            Lamp("strip", (1050.0, 500.0, 1250.0), (1000.0, 50.0), 0.45, COOL),
        ),
        view=View(1060.0, (304.0, 300.0), 18.0, 130.0, 176.0, -0.026, (1150.0, 655.0)),
        die=DieLook((228, 212, 176), (24, 22, 22)),
        sensor=Sensor(noise=3.0, blur_px=0.75, white=0.55, jpeg=(85, 88)),
        ambient=0.2,
        height=14.3,
        matt=0.2,
        painted=0.6,
        coat=0.7,
        sheen=0.3,
        wear=0.5,
        chipped=0.5,
    ),
    "N1": Table(
        seats=("green", "yellow", "blue", "red"),
        lighting="fluoro",
        board={"red": (150, 34, 40), "green": (28, 104, 58), "yellow": (206, 158, 34), "blue": (38, 70, 150)},
        pieces={
            "red": (196, 28, 44),
            "green": (14, 120, 58),
            "yellow": (238, 196, 30),
            "blue": (24, 62, 138),
        },
        wood=(190, 148, 98),
        cloth=(26, 74, 58),
        weave="baize",
        lamps=(
            Lamp("strip", (40.0, 420.0, 1500.0), (1200.0, 60.0), 0.55, (0.96, 1.0, 0.9)),
            Lamp("strip", (980.0, 180.0, 1450.0), (1200.0, 60.0), 0.3, (0.96, 1.0, 0.9)),
        ),
        view=View(985.0, (352.0, 290.0), 4.0, 120.0, 357.0, -0.024, (1157.0, 650.0)),
        die=DieLook((236, 235, 230), (24, 24, 26)),
        sensor=Sensor(white=0.34, noise=3.0, blur_px=0.65, balance=0.6),
        ambient=0.15,
        height=17.3,
        matt=0.3,
        glossy=("red", "green", "blue"),
        coat=0.15,
        sheen=0.4,
        panel="square",
        wear=0.9,
        chipped=0.25,
    ),
    "N2": Table(
        seats=("red", "blue", "yellow", "green"),
        lighting="side_lamp",
        board={"red": (166, 26, 40), "green": (20, 106, 60), "yellow": (216, 168, 20), "blue": (46, 78, 158)},
        pieces={
            "red": (188, 26, 36),
            "green": (20, 108, 62),
            "yellow": (236, 186, 24),
            "blue": (26, 50, 128),
        },
        wood=(204, 162, 112),
        cloth=(74, 44, 34),
        weave="planks",
        lamps=(
            Lamp("bulb", (1020.0, 760.0, 620.0), (26.0, 26.0), 0.85, (1.0, 0.84, 0.62)),
            Lamp("strip", (-300.0, -700.0, 1700.0), (1200.0, 60.0), 0.08, COOL),
        ),
        view=View(965.0, (282.0, 338.0), 6.5, 160.0, 181.5, -0.02, (1149.0, 645.0)),
        die=DieLook((182, 22, 32), (238, 236, 230)),
        sensor=Sensor(white=0.26, noise=3.6, blur_px=0.6, balance=0.7, jpeg=(88, 92)),
        ambient=0.1,
        height=15.7,
        matt=0.4,
        glossy=("blue",),
        coat=0.3,
        sheen=0.3,
        wear=0.35,
        spots=45.0,
    ),
    "N3": Table(
        seats=("blue", "yellow", "green", "red"),
        lighting="window",
        board={
            "red": (184, 30, 44),
            "green": (44, 124, 70),
            "yellow": (206, 150, 30),
            "blue": (44, 84, 150),
        },
        pieces={
            "red": (186, 28, 38),
            "green": (22, 126, 58),
            "yellow": (236, 178, 26),
            "blue": (30, 44, 130),
        },
        wood=(214, 172, 112),
        cloth=(112, 116, 124),
        weave="steel",
        lamps=(
            Lamp("window", (-1350.0, 700.0, 1000.0), (1200.0, 900.0), 0.85, DAY),
            Lamp("bulb", (1100.0, -300.0, 1300.0), (50.0, 50.0), 0.12, WARM),
        ),
        view=View(990.0, (340.0, 322.0), 2.0, 30.0, 87.5, -0.026, (1150.5, 655.0)),
        die=DieLook((230, 216, 182), (26, 24, 24)),
        sensor=Sensor(white=0.24, noise=2.4, blur_px=0.6, balance=0.5),
        ambient=0.18,
        ambient_colour=DAY,
        white=(222, 214, 188),
        height=19.4,
        matt=0.45,
        panel="round",
        is_outlined=False,
        coat=0.7,
        sheen=0.18,
        wear=0.6,
        painted=0.85,
    ),
    "N4": Table(
        seats=("blue", "red", "green", "yellow"),
        lighting="warm_bulbs",
        board={
            "red": (176, 34, 36),
            "green": (18, 92, 52),
            "yellow": (204, 146, 28),
            "blue": (34, 84, 144),
        },
        pieces={
            "red": (206, 32, 34),
            "green": (12, 98, 50),
            "yellow": (232, 178, 36),
            "blue": (28, 70, 150),
        },
        wood=(196, 156, 108),
        cloth=(92, 60, 44),
        weave="planks",
        lamps=(
            Lamp("bulb", (120.0, -360.0, 1050.0), (45.0, 45.0), 0.5, WARM),
            Lamp("bulb", (760.0, 820.0, 1100.0), (45.0, 45.0), 0.35, WARM),
        ),
        view=View(975.0, (330.0, 286.0), 10.0, 200.0, 269.0, -0.006, (1155.0, 646.0)),
        die=DieLook((234, 234, 228), (24, 24, 26)),
        sensor=Sensor(white=0.4, noise=4.0, blur_px=0.65, balance=0.8, jpeg=(86, 91)),
        ambient=0.14,
        ambient_colour=(1.0, 0.9, 0.75),
        height=16.4,
        matt=0.3,
        glossy=("green", "blue"),
        corners=0.85,
        coat=0.4,
        sheen=0.25,
        wear=0.7,
        chipped=0.35,
        spots=43.0,
    ),
    "N5": Table(
        seats=("yellow", "green", "red", "blue"),
        lighting="window_and_bulb",
        board={
            "red": (192, 46, 44),
            "green": (34, 110, 84),
            "yellow": (226, 178, 50),
            "blue": (56, 92, 168),
        },
        pieces={
            "red": (202, 40, 36),
            "green": (16, 106, 76),
            "yellow": (244, 202, 40),
            "blue": (34, 58, 150),
        },
        wood=(180, 132, 84),
        cloth=(70, 74, 88),
        weave="formica",
        lamps=(
            Lamp("window", (330.0, 1350.0, 950.0), (1000.0, 900.0), 0.55, DAY),
            Lamp("bulb", (-260.0, -260.0, 950.0), (40.0, 40.0), 0.35, WARM),
        ),
        view=View(1000.0, (288.0, 316.0), 7.5, 320.0, 2.5, -0.018, (1153.0, 651.0)),
        die=DieLook((184, 26, 30), (240, 238, 232)),
        sensor=Sensor(white=0.36, noise=3.0, blur_px=0.7),
        ambient=0.16,
        height=18.4,
        matt=0.22,
        glossy=("yellow",),
        panel="square",
        coat=0.5,
        sheen=0.3,
        wear=0.5,
        chipped=0.4,
        spots=42.5,
    ),
    "N6": Table(
        seats=("red", "green", "yellow", "blue"),
        lighting="strip_and_side_lamp",
        board={
            "red": (170, 38, 52),
            "green": (30, 118, 62),
            "yellow": (220, 162, 30),
            "blue": (40, 66, 142),
        },
        pieces={
            "red": (188, 22, 48),
            "green": (24, 116, 52),
            "yellow": (240, 180, 20),
            "blue": (22, 48, 132),
        },
        wood=(220, 186, 138),
        cloth=(96, 34, 34),
        weave="baize",
        lamps=(
            Lamp("bulb", (-420.0, 120.0, 700.0), (30.0, 30.0), 0.5, (1.0, 0.88, 0.7)),
            Lamp("strip", (700.0, 330.0, 1450.0), (1200.0, 60.0), 0.4, COOL),
        ),
        view=View(952.0, (316.0, 296.0), 8.5, 75.0, 184.0, -0.014, (1148.0, 649.0)),
        die=DieLook((226, 212, 178), (24, 22, 22)),
        sensor=Sensor(white=0.3, noise=3.2, blur_px=0.6, balance=0.65),
        ambient=0.12,
        height=14.2,
        matt=0.35,
        glossy=("blue", "red"),
        panel="round",
        is_outlined=False,
        coat=0.35,
        sheen=0.28,
        wear=0.4,
        spots=44.5,
    ),
    "N7": Table(
        seats=("green", "blue", "red", "yellow"),
        lighting="lamp_and_window",
        board={
            "red": (178, 44, 38),
            "green": (38, 112, 66),
            "yellow": (214, 170, 42),
            "blue": (44, 78, 146),
        },
        pieces={
            "red": (198, 34, 30),
            "green": (18, 114, 66),
            "yellow": (236, 192, 34),
            "blue": (30, 56, 142),
        },
        wood=(208, 168, 116),
        cloth=(58, 62, 54),
        weave="formica",
        lamps=(
            Lamp("bulb", (960.0, -280.0, 820.0), (35.0, 35.0), 0.55, (1.0, 0.82, 0.58)),
            Lamp("window", (-1250.0, -250.0, 950.0), (1000.0, 800.0), 0.4, DAY),
        ),
        view=View(968.0, (322.0, 326.0), 5.5, 285.0, 91.5, -0.016, (1154.0, 652.0)),
        die=DieLook((232, 230, 222), (24, 24, 26)),
        sensor=Sensor(white=0.32, noise=3.2, blur_px=0.62, balance=0.65, jpeg=(86, 92)),
        ambient=0.14,
        height=17.8,
        matt=0.28,
        glossy=("red", "green"),
        panel="round",
        coat=0.45,
        sheen=0.26,
        wear=0.6,
        chipped=0.35,
        spots=43.5,
    ),
    "N8": Table(
        seats=("red", "yellow", "blue", "green"),
        lighting="fluoro_and_bulb",
        board={
            "red": (160, 36, 48),
            "green": (26, 98, 52),
            "yellow": (222, 182, 46),
            "blue": (36, 72, 132),
        },
        pieces={
            "red": (204, 28, 36),
            "green": (16, 108, 50),
            "yellow": (242, 198, 28),
            "blue": (26, 52, 136),
        },
        wood=(198, 158, 104),
        cloth=(30, 48, 82),
        weave="baize",
        lamps=(
            Lamp("strip", (250.0, -200.0, 1450.0), (1200.0, 60.0), 0.55, (0.96, 1.0, 0.9)),
            Lamp("bulb", (-360.0, 820.0, 880.0), (32.0, 32.0), 0.3, WARM),
        ),
        view=View(978.0, (296.0, 300.0), 7.0, 20.0, 178.5, -0.02, (1151.0, 649.0)),
        die=DieLook((188, 26, 34), (240, 236, 228)),
        sensor=Sensor(white=0.3, noise=3.4, blur_px=0.66, balance=0.6, jpeg=(86, 91)),
        ambient=0.14,
        height=16.0,
        matt=0.32,
        glossy=("yellow", "red"),
        panel="square",
        coat=0.3,
        sheen=0.3,
        wear=0.7,
        chipped=0.3,
        spots=44.0,
    ),
    "N9": Table(
        seats=("blue", "green", "yellow", "red"),
        lighting="window_blinds_low",
        board={
            "red": (186, 40, 40),
            "green": (40, 116, 60),
            "yellow": (210, 158, 36),
            "blue": (50, 86, 160),
        },
        pieces={
            "red": (192, 30, 36),
            "green": (20, 118, 58),
            "yellow": (238, 184, 28),
            "blue": (30, 52, 138),
        },
        wood=(212, 176, 126),
        cloth=(120, 112, 100),
        weave="formica",
        lamps=(
            Lamp("window", (1300.0, 500.0, 980.0), (1100.0, 800.0), 0.7, DAY),
            Lamp("strip", (-300.0, 200.0, 1500.0), (1200.0, 60.0), 0.2, COOL),
        ),
        view=View(958.0, (318.0, 310.0), 3.5, 110.0, 0.5, -0.024, (1152.0, 646.0)),
        die=DieLook((236, 234, 228), (22, 22, 24)),
        sensor=Sensor(white=0.28, noise=2.8, blur_px=0.6, balance=0.55),
        ambient=0.16,
        ambient_colour=DAY,
        height=18.8,
        matt=0.4,
        glossy=("green",),
        panel="round",
        is_outlined=False,
        coat=0.55,
        sheen=0.22,
        wear=0.5,
        painted=0.8,
        spots=43.0,
    ),
    "N10": Table(
        seats=("yellow", "blue", "red", "green"),
        lighting="side_lamp_hard",
        board={
            "red": (172, 30, 36),
            "green": (24, 104, 58),
            "yellow": (224, 174, 28),
            "blue": (40, 70, 150),
        },
        pieces={
            "red": (196, 24, 30),
            "green": (14, 106, 60),
            "yellow": (240, 190, 22),
            "blue": (24, 46, 132),
        },
        wood=(202, 158, 106),
        cloth=(80, 50, 38),
        weave="planks",
        lamps=(
            Lamp("bulb", (-300.0, -220.0, 650.0), (26.0, 26.0), 0.8, (1.0, 0.85, 0.64)),
            Lamp("strip", (900.0, 900.0, 1650.0), (1200.0, 60.0), 0.12, COOL),
        ),
        view=View(970.0, (310.0, 320.0), 6.0, 240.0, 269.0, -0.018, (1150.0, 650.0)),
        die=DieLook((228, 214, 180), (26, 24, 24)),
        sensor=Sensor(white=0.3, noise=3.4, blur_px=0.6, balance=0.7, jpeg=(87, 92)),
        ambient=0.11,
        height=16.9,
        matt=0.36,
        glossy=("blue",),
        panel="square",
        coat=0.3,
        sheen=0.3,
        wear=0.45,
        chipped=0.3,
        spots=44.5,
    ),
    "N11": Table(
        seats=("green", "red", "yellow", "blue"),
        lighting="fluoro_and_window",
        board={
            "red": (180, 36, 44),
            "green": (32, 108, 56),
            "yellow": (216, 166, 38),
            "blue": (36, 76, 146),
        },
        pieces={
            "red": (194, 26, 40),
            "green": (18, 112, 54),
            "yellow": (238, 188, 34),
            "blue": (26, 56, 140),
        },
        wood=(206, 164, 112),
        cloth=(34, 66, 58),
        weave="baize",
        lamps=(
            Lamp("strip", (560.0, 40.0, 1480.0), (1200.0, 60.0), 0.55, (0.96, 1.0, 0.9)),
            Lamp("window", (-1300.0, 250.0, 1000.0), (1100.0, 900.0), 0.35, DAY),
        ),
        view=View(975.0, (326.0, 302.0), 7.0, 150.0, 89.0, -0.021, (1153.0, 649.0)),
        die=DieLook((34, 34, 38), (238, 236, 230)),
        sensor=Sensor(white=0.3, noise=3.2, blur_px=0.62, balance=0.6, jpeg=(87, 92)),
        ambient=0.15,
        height=15.2,
        matt=0.34,
        glossy=("green", "yellow"),
        panel="square",
        coat=0.4,
        sheen=0.27,
        wear=0.55,
        chipped=0.35,
        spots=43.5,
    ),
    "N12": Table(
        seats=("red", "green", "blue", "yellow"),
        lighting="two_lamps",
        board={
            "red": (168, 32, 38),
            "green": (22, 100, 60),
            "yellow": (212, 156, 26),
            "blue": (42, 74, 150),
        },
        pieces={
            "red": (200, 30, 34),
            "green": (16, 104, 58),
            "yellow": (240, 186, 30),
            "blue": (28, 50, 136),
        },
        wood=(200, 160, 110),
        cloth=(84, 54, 40),
        weave="planks",
        lamps=(
            Lamp("bulb", (980.0, 180.0, 760.0), (34.0, 34.0), 0.55, (1.0, 0.84, 0.62)),
            Lamp("bulb", (-340.0, 700.0, 980.0), (45.0, 45.0), 0.3, WARM),
        ),
        view=View(962.0, (304.0, 324.0), 5.0, 40.0, 2.0, -0.019, (1150.5, 647.0)),
        die=DieLook((234, 232, 226), (24, 24, 26)),
        sensor=Sensor(white=0.29, noise=3.3, blur_px=0.6, balance=0.7, jpeg=(86, 91)),
        ambient=0.13,
        height=17.6,
        matt=0.3,
        glossy=("red", "blue"),
        panel="round",
        coat=0.45,
        sheen=0.25,
        wear=0.6,
        chipped=0.3,
        spots=44.0,
    ),
    "N13": Table(
        seats=("yellow", "red", "blue", "green"),
        lighting="fluoro_two",
        board={
            "red": (182, 40, 46),
            "green": (30, 104, 60),
            "yellow": (220, 170, 44),
            "blue": (44, 82, 152),
        },
        pieces={
            "red": (196, 30, 40),
            "green": (22, 110, 58),
            "yellow": (240, 190, 30),
            "blue": (30, 58, 144),
        },
        wood=(200, 158, 108),
        cloth=(30, 70, 56),
        weave="baize",
        lamps=(
            Lamp("strip", (150.0, 60.0, 1500.0), (1200.0, 60.0), 0.5, (0.96, 1.0, 0.9)),
            Lamp("strip", (520.0, 760.0, 1450.0), (1200.0, 60.0), 0.4, (0.96, 1.0, 0.9)),
        ),
        view=View(965.0, (300.0, 312.0), 4.5, 300.0, 2.5, -0.022, (1152.0, 650.0)),
        die=DieLook((236, 235, 230), (24, 24, 26)),
        sensor=Sensor(white=0.38, noise=2.6, blur_px=0.6, balance=0.65),
        ambient=0.15,
        height=16.2,
        matt=0.38,
        glossy=("red",),
        coat=0.25,
        sheen=0.35,
        wear=0.8,
        chipped=0.35,
        spots=43.0,
    ),
    "N14": Table(
        seats=("blue", "yellow", "red", "green"),
        lighting="side_lamp_and_window",
        board={
            "red": (174, 32, 40),
            "green": (24, 106, 62),
            "yellow": (214, 164, 24),
            "blue": (40, 74, 150),
        },
        pieces={
            "red": (190, 26, 34),
            "green": (18, 108, 60),
            "yellow": (238, 186, 26),
            "blue": (26, 50, 132),
        },
        wood=(208, 168, 118),
        cloth=(78, 48, 36),
        weave="planks",
        lamps=(
            Lamp("bulb", (1000.0, 660.0, 720.0), (28.0, 28.0), 0.7, (1.0, 0.85, 0.64)),
            Lamp("window", (-1300.0, 100.0, 1000.0), (1000.0, 800.0), 0.2, DAY),
        ),
        view=View(980.0, (318.0, 300.0), 6.5, 20.0, 181.0, -0.02, (1150.0, 647.0)),
        die=DieLook((184, 24, 32), (238, 236, 230)),
        sensor=Sensor(white=0.32, noise=3.0, blur_px=0.6, balance=0.7, jpeg=(87, 92)),
        ambient=0.14,
        height=16.6,
        matt=0.36,
        glossy=("green",),
        panel="square",
        coat=0.3,
        sheen=0.3,
        wear=0.5,
        chipped=0.3,
        spots=44.5,
    ),
    "N15": Table(
        seats=("green", "blue", "yellow", "red"),
        lighting="window_high",
        board={
            "red": (188, 38, 46),
            "green": (42, 120, 66),
            "yellow": (208, 154, 32),
            "blue": (46, 86, 154),
        },
        pieces={
            "red": (188, 28, 38),
            "green": (24, 122, 58),
            "yellow": (236, 180, 28),
            "blue": (30, 48, 134),
        },
        wood=(212, 172, 114),
        cloth=(110, 114, 122),
        weave="steel",
        lamps=(
            Lamp("window", (350.0, -1300.0, 1100.0), (1300.0, 900.0), 0.8, DAY),
            Lamp("strip", (900.0, 700.0, 1600.0), (1200.0, 60.0), 0.15, COOL),
        ),
        view=View(985.0, (330.0, 318.0), 3.0, 60.0, 268.0, -0.025, (1151.0, 653.0)),
        die=DieLook((230, 216, 182), (26, 24, 24)),
        sensor=Sensor(white=0.34, noise=2.6, blur_px=0.6, balance=0.55),
        ambient=0.2,
        ambient_colour=DAY,
        white=(222, 214, 188),
        height=18.6,
        matt=0.42,
        panel="round",
        is_outlined=False,
        coat=0.6,
        sheen=0.2,
        wear=0.6,
        painted=0.85,
    ),
    "N16": Table(
        seats=("red", "green", "yellow", "blue"),
        lighting="warm_bulbs_two",
        board={
            "red": (178, 36, 38),
            "green": (20, 94, 54),
            "yellow": (206, 150, 30),
            "blue": (36, 84, 146),
        },
        pieces={
            "red": (204, 32, 34),
            "green": (14, 100, 52),
            "yellow": (234, 180, 34),
            "blue": (28, 68, 148),
        },
        wood=(198, 158, 110),
        cloth=(94, 62, 46),
        weave="planks",
        lamps=(
            Lamp("bulb", (60.0, 960.0, 1080.0), (45.0, 45.0), 0.45, WARM),
            Lamp("bulb", (620.0, -340.0, 1120.0), (45.0, 45.0), 0.4, WARM),
        ),
        view=View(990.0, (322.0, 292.0), 11.0, 150.0, 91.0, -0.01, (1154.0, 648.0)),
        die=DieLook((234, 234, 228), (24, 24, 26)),
        sensor=Sensor(white=0.42, noise=3.2, blur_px=0.62, balance=0.8, jpeg=(86, 92)),
        ambient=0.15,
        ambient_colour=(1.0, 0.9, 0.75),
        height=17.0,
        matt=0.3,
        glossy=("green", "yellow"),
        corners=0.6,
        coat=0.35,
        sheen=0.28,
        wear=0.6,
        chipped=0.35,
        spots=43.5,
    ),
    "N17": Table(
        seats=("red", "green", "yellow", "blue"),
        lighting="warm_bulbs",
        board={"red": (169, 34, 35), "green": (34, 106, 50), "yellow": (219, 159, 30), "blue": (36, 76, 148)},
        pieces={
            "red": (198, 19, 33),
            "green": (21, 116, 57),
            "yellow": (238, 191, 34),
            "blue": (27, 56, 130),
        },
        wood=(209, 171, 116),
        cloth=(91, 63, 34),
        weave="planks",
        lamps=(
            Lamp("bulb", (14.0, 944.0, 1065.0), (45.0, 45.0), 0.45, WARM),
            Lamp("bulb", (166.0, -325.0, 1090.0), (45.0, 45.0), 0.4, WARM),
        ),
        view=View(988.0, (348.0, 268.0), 7.2, 160.0, 271.7, -0.018, (1149.6, 645.9)),
        die=DieLook((184, 25, 32), (238, 236, 230)),
        sensor=Sensor(white=0.27, noise=7.9, blur_px=0.66, balance=0.61, jpeg=(88, 93)),
        ambient=0.19,
        ambient_colour=(1.0, 0.9, 0.75),
        white=(222, 211, 183),
        height=18.0,
        matt=0.4,
        glossy=("red", "yellow"),
        panel="square",
        coat=0.56,
        sheen=0.3,
        wear=0.49,
        chipped=0.34,
        spots=44.4,
    ),
    "N18": Table(
        seats=("yellow", "blue", "red", "green"),
        lighting="side_lamp",
        board={"red": (167, 30, 52), "green": (19, 110, 58), "yellow": (211, 165, 31), "blue": (42, 71, 151)},
        pieces={
            "red": (204, 20, 26),
            "green": (16, 117, 60),
            "yellow": (245, 182, 23),
            "blue": (22, 48, 144),
        },
        wood=(210, 175, 109),
        cloth=(89, 54, 43),
        weave="planks",
        lamps=(
            Lamp("bulb", (-5.0, -424.0, 629.0), (28.0, 28.0), 0.8, (1.0, 0.85, 0.64)),
            Lamp("strip", (699.0, -297.0, 1650.0), (1200.0, 60.0), 0.1, COOL),
        ),
        view=View(971.0, (341.0, 282.0), 2.7, 146.0, 181.5, -0.022, (1155.0, 655.9)),
        die=DieLook((236, 235, 230), (24, 24, 26)),
        sensor=Sensor(white=0.37, noise=7.3, blur_px=0.61, balance=0.56, jpeg=(88, 93)),
        ambient=0.18,
        white=(220, 208, 190),
        height=18.5,
        matt=0.31,
        glossy=("yellow", "red", "green"),
        panel="round",
        coat=0.49,
        sheen=0.23,
        wear=0.79,
        chipped=0.34,
        spots=43.4,
    ),
    "N19": Table(
        seats=("yellow", "green", "red", "blue"),
        lighting="window",
        board={"red": (180, 35, 49), "green": (32, 107, 61), "yellow": (211, 159, 29), "blue": (50, 84, 152)},
        pieces={
            "red": (190, 31, 32),
            "green": (22, 106, 55),
            "yellow": (243, 193, 21),
            "blue": (23, 46, 138),
        },
        wood=(216, 159, 108),
        cloth=(109, 121, 129),
        weave="steel",
        lamps=(
            Lamp("window", (655.0, -1252.0, 1001.0), (1200.0, 900.0), 0.8, DAY),
            Lamp("strip", (606.0, 96.0, 1600.0), (1200.0, 60.0), 0.12, COOL),
        ),
        view=View(989.0, (317.0, 299.0), 1.3, 2.0, 90.3, -0.017, (1144.8, 645.8)),
        die=DieLook((184, 25, 32), (238, 236, 230)),
        sensor=Sensor(white=0.27, noise=8.3, blur_px=0.69, balance=0.54, jpeg=(88, 93)),
        ambient=0.19,
        ambient_colour=DAY,
        white=(223, 212, 192),
        height=17.4,
        matt=0.33,
        glossy=("yellow", "green"),
        panel="square",
        coat=0.59,
        sheen=0.34,
        wear=0.56,
        chipped=0.29,
        spots=44.5,
    ),
    "N20": Table(
        seats=("blue", "yellow", "green", "red"),
        lighting="warm_bulbs",
        board={"red": (176, 28, 44), "green": (36, 107, 50), "yellow": (219, 165, 40), "blue": (35, 73, 156)},
        pieces={
            "red": (194, 21, 41),
            "green": (17, 116, 57),
            "yellow": (238, 190, 22),
            "blue": (33, 59, 143),
        },
        wood=(215, 169, 116),
        cloth=(83, 65, 52),
        weave="planks",
        lamps=(
            Lamp("bulb", (914.0, 216.0, 1088.0), (45.0, 45.0), 0.45, WARM),
            Lamp("bulb", (-172.0, 811.0, 1095.0), (45.0, 45.0), 0.4, WARM),
        ),
        view=View(984.0, (322.0, 271.0), 6.2, 286.0, 0.8, -0.003, (1155.4, 646.0)),
        die=DieLook((230, 216, 182), (26, 24, 24)),
        sensor=Sensor(white=0.33, noise=4.4, blur_px=0.69, balance=0.65, jpeg=(88, 93)),
        ambient=0.19,
        ambient_colour=(1.0, 0.9, 0.75),
        white=(219, 212, 181),
        height=18.1,
        matt=0.36,
        glossy=("blue", "yellow"),
        panel="square",
        is_outlined=False,
        coat=0.38,
        sheen=0.28,
        wear=0.83,
        chipped=0.26,
        spots=41.8,
    ),
    "N21": Table(
        seats=("blue", "yellow", "green", "red"),
        lighting="window",
        board={"red": (175, 29, 43), "green": (31, 109, 50), "yellow": (208, 162, 40), "blue": (41, 78, 149)},
        pieces={
            "red": (191, 25, 46),
            "green": (25, 118, 58),
            "yellow": (245, 190, 26),
            "blue": (22, 48, 137),
        },
        wood=(215, 176, 123),
        cloth=(109, 114, 130),
        weave="steel",
        lamps=(
            Lamp("window", (1070.0, -1072.0, 1073.0), (1200.0, 900.0), 0.8, DAY),
            Lamp("strip", (-142.0, -608.0, 1600.0), (1200.0, 60.0), 0.12, COOL),
        ),
        view=View(994.0, (309.0, 280.0), 7.6, 181.0, 271.1, -0.016, (1156.7, 644.2)),
        die=DieLook((236, 235, 230), (24, 24, 26)),
        sensor=Sensor(white=0.36, noise=8.7, blur_px=0.65, balance=0.55, jpeg=(88, 93)),
        ambient=0.17,
        ambient_colour=DAY,
        white=(225, 213, 190),
        height=14.9,
        matt=0.39,
        glossy=("blue", "red"),
        panel="round",
        is_outlined=False,
        coat=0.2,
        sheen=0.26,
        wear=0.81,
        chipped=0.32,
        spots=43.9,
    ),
    "N22": Table(
        seats=("red", "green", "yellow", "blue"),
        lighting="side_lamp",
        board={"red": (171, 40, 51), "green": (24, 101, 52), "yellow": (212, 155, 41), "blue": (37, 82, 151)},
        pieces={
            "red": (189, 20, 40),
            "green": (11, 106, 56),
            "yellow": (245, 188, 27),
            "blue": (24, 57, 138),
        },
        wood=(203, 163, 121),
        cloth=(79, 53, 41),
        weave="planks",
        lamps=(
            Lamp("bulb", (790.0, 927.0, 667.0), (28.0, 28.0), 0.8, (1.0, 0.85, 0.64)),
            Lamp("strip", (121.0, 805.0, 1650.0), (1200.0, 60.0), 0.1, COOL),
        ),
        view=View(966.0, (332.0, 306.0), 9.6, 145.0, 93.4, -0.022, (1151.9, 651.6)),
        die=DieLook((184, 25, 32), (238, 236, 230)),
        sensor=Sensor(white=0.26, noise=6.0, blur_px=0.67, balance=0.5, jpeg=(88, 93)),
        ambient=0.19,
        white=(225, 213, 193),
        height=17.6,
        matt=0.36,
        panel="square",
        coat=0.31,
        sheen=0.3,
        wear=0.58,
        chipped=0.32,
        spots=45.9,
    ),
    "N23": Table(
        seats=("blue", "yellow", "green", "red"),
        lighting="fluoro",
        board={"red": (171, 27, 50), "green": (25, 115, 52), "yellow": (209, 157, 26), "blue": (38, 73, 153)},
        pieces={
            "red": (195, 23, 33),
            "green": (18, 117, 58),
            "yellow": (230, 188, 31),
            "blue": (29, 59, 143),
        },
        wood=(206, 162, 119),
        cloth=(28, 76, 62),
        weave="baize",
        lamps=(
            Lamp("strip", (296.0, 88.0, 1441.0), (1200.0, 60.0), 0.5, (0.96, 1.0, 0.9)),
            Lamp("strip", (471.0, 372.0, 1448.0), (1200.0, 60.0), 0.4, (0.96, 1.0, 0.9)),
        ),
        view=View(956.0, (288.0, 310.0), 7.4, 147.0, 270.1, -0.011, (1149.6, 640.0)),
        die=DieLook((184, 25, 32), (238, 236, 230)),
        sensor=Sensor(white=0.31, noise=7.8, blur_px=0.6, balance=0.59, jpeg=(88, 93)),
        ambient=0.14,
        white=(221, 215, 193),
        height=14.6,
        matt=0.37,
        glossy=("red",),
        panel="square",
        coat=0.43,
        sheen=0.2,
        wear=0.58,
        chipped=0.31,
        spots=42.4,
    ),
    "N24": Table(
        seats=("green", "yellow", "blue", "red"),
        lighting="warm_bulbs",
        board={"red": (171, 27, 51), "green": (34, 107, 60), "yellow": (220, 159, 29), "blue": (38, 71, 151)},
        pieces={
            "red": (193, 24, 28),
            "green": (22, 106, 65),
            "yellow": (246, 193, 23),
            "blue": (34, 47, 131),
        },
        wood=(205, 157, 122),
        cloth=(94, 62, 35),
        weave="planks",
        lamps=(
            Lamp("bulb", (-283.0, 433.0, 1108.0), (45.0, 45.0), 0.45, WARM),
            Lamp("bulb", (774.0, -177.0, 1073.0), (45.0, 45.0), 0.4, WARM),
        ),
        view=View(988.0, (310.0, 301.0), 9.3, 100.0, 272.9, -0.007, (1146.8, 649.8)),
        die=DieLook((236, 235, 230), (24, 24, 26)),
        sensor=Sensor(white=0.31, noise=6.5, blur_px=0.67, balance=0.5, jpeg=(88, 93)),
        ambient=0.2,
        ambient_colour=(1.0, 0.9, 0.75),
        white=(220, 207, 177),
        height=18.3,
        matt=0.31,
        glossy=("yellow", "blue"),
        panel="rounded",
        coat=0.57,
        sheen=0.32,
        wear=0.76,
        chipped=0.25,
        spots=45.5,
    ),
    "N25": Table(
        seats=("blue", "yellow", "green", "red"),
        lighting="window",
        board={"red": (175, 29, 43), "green": (31, 109, 50), "yellow": (208, 162, 40), "blue": (41, 78, 149)},
        pieces={
            "red": (191, 25, 46),
            "green": (25, 118, 58),
            "yellow": (245, 190, 26),
            "blue": (22, 48, 137),
        },
        wood=(215, 176, 123),
        cloth=(121, 88, 60),
        weave="planks",
        lamps=(
            Lamp("window", (-980.0, 700.0, 1150.0), (1300.0, 1000.0), 0.85, DAY),
            Lamp("strip", (300.0, 900.0, 1650.0), (1200.0, 60.0), 0.1, COOL),
        ),
        view=View(980.0, (320.0, 300.0), 8.6, 40.0, 180.0, -0.02, (1155.0, 646.0)),
        die=DieLook((184, 25, 32), (238, 236, 230)),
        sensor=Sensor(white=0.3, noise=7.0, blur_px=0.7, balance=0.6, jpeg=(88, 92)),
        ambient=0.17,
        ambient_colour=DAY,
        white=(225, 213, 190),
        height=14.9,
        matt=0.39,
        glossy=("blue", "red"),
        panel="round",
        is_outlined=False,
        coat=0.2,
        sheen=0.26,
        wear=0.81,
        chipped=0.32,
        spots=43.9,
    ),
}
"""N11, N12, N19 and N20 are only scored; the others may be looked at to mend the reader."""
