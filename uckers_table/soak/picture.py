"""Draws a soak: memory, handles, threads and the time of rulings over the hours, one under the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, isnan
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from uckers_table.errors import InputError
from uckers_table.soak.figures import QUARTERS, Quarter, SoakFigures
from uckers_table.soak.meter import Sample, median

WIDTH, CHART_HEIGHT = 1200, 200
LEFT, RIGHT, TOP, GAP, BOTTOM = 90, 30, 76, 50, 50
INK, PALE, POINTS, LINE = "#202428", "#d6dade", "#4a7fb5", "#b5472f"
_CHARTS: tuple[tuple[str, Callable[[Sample], float], Callable[[Quarter], float]], ...] = (
    ("memory, MB", lambda sample: sample.memory_mb, lambda quarter: quarter.memory_mb),
    ("file handles", lambda sample: float(sample.handles), lambda quarter: quarter.handles),
    ("threads", lambda sample: float(sample.threads), lambda quarter: quarter.threads),
    (
        "event to ruling, over a remap",
        lambda sample: median(sample.rulings) / sample.remap_ms,
        lambda quarter: quarter.ruling,
    ),
)


def draw_figures(figures: SoakFigures) -> Image.Image:
    """A chart for each figure: a point for each sample, and a line across each quarter at its median."""
    height = TOP + len(_CHARTS) * (CHART_HEIGHT + GAP) + BOTTOM - GAP
    image = Image.new("RGB", (WIDTH, height), "white")
    pen = ImageDraw.Draw(image)
    title = (
        f"{figures.hours:g} simulated hours, {figures.faster:.0f} times faster than life, seed {figures.seed}"
    )
    pen.text((LEFT, 16), title, INK, _font(20))
    for number, (name, of_sample, of_quarter) in enumerate(_CHARTS):
        top = TOP + number * (CHART_HEIGHT + GAP)
        points = [(sample.t / 3600, of_sample(sample)) for sample in figures.samples]
        medians = [of_quarter(quarter) for quarter in figures.quarters]
        _chart(pen, top, name, figures.hours, [(t, v) for t, v in points if not isnan(v)], medians)
    pen.text(
        (LEFT, height - 28),
        "simulated hours; points are samples, lines each quarter's median",
        INK,
        _font(15),
    )
    return image


def save(figures: SoakFigures, path: Path) -> None:
    """Writes the picture. Raises InputError if it cannot be written."""
    try:
        draw_figures(figures).save(path)
    except (OSError, ValueError) as error:
        raise InputError(f"--picture {path}: {error}; name a .png file that can be written") from None


def _chart(
    pen: ImageDraw.ImageDraw,
    top: int,
    name: str,
    hours: float,
    points: Sequence[tuple[float, float]],
    medians: Sequence[float],
) -> None:
    bottom, right = top + CHART_HEIGHT, WIDTH - RIGHT
    most = _round(max((value for _, value in points), default=1.0))

    def place(hour: float, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * hour / hours, bottom - CHART_HEIGHT * value / most

    pen.text((LEFT, top - 24), name, INK, _font(15))
    for part in range(5):
        _, y = place(0, most * part / 4)
        pen.line((LEFT, y, right, y), PALE)
        pen.text((LEFT - 8, y), f"{most * part / 4:g}", INK, _font(13), anchor="rm")
    for quarter in range(len(QUARTERS) + 1):
        x, _ = place(hours * quarter / len(QUARTERS), 0)
        pen.line((x, top, x, bottom), PALE)
        pen.text((x, bottom + 5), f"{hours * quarter / len(QUARTERS):g}", INK, _font(13), anchor="ma")
    for hour, value in points:
        x, y = place(hour, value)
        pen.ellipse((x - 1.5, y - 1.5, x + 1.5, y + 1.5), POINTS)
    for number, value in enumerate(medians):
        if not isnan(value):
            ends = (place(hours * (number + step) / len(QUARTERS), value) for step in (0, 1))
            pen.line([xy for end in ends for xy in end], LINE, 2)


def _round(most: float) -> float:
    """The top of a chart's scale: a little above the most that is shown, and easy to divide by four."""
    scale = 1.0
    while most / scale > 40:
        scale *= 10
    while most / scale < 4:
        scale /= 10
    return ceil(most / scale / 4 + 0.001) * 4 * scale


def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)
