"""`python -m hardware`: makes every file of this folder that is made, anew."""

from __future__ import annotations

from pathlib import Path

from wireviz.wireviz import parse

from hardware.array_board import Array, array_sheet
from hardware.board_plan import paint_plan, tile_plan
from hardware.button_panel import Panel, panel_sheet
from hardware.carrier import carrier_sheet
from hardware.gantry import Gantry, gantry_sheet
from hardware.parts_list import parts_page, read_parts
from hardware.pictures import pictures
from hardware.sheet import Sheet
from hardware.solids import write_stl
from hardware.tower import Tower
from hardware.tower_parts import parts
from hardware.wiring import diagrams, pin_tables
from uckers_table.game.board import Plan

FOLDER = Path(__file__).parent
A4_MM = (210.0, 297.0)


def make_drawings(folder: Path) -> None:
    """The drawings, each as SVG to look at and PDF to print; the board also in tiles."""
    for name, sheet in drawings().items():
        (folder / f"{name}.svg").write_text(sheet.svg(), encoding="utf-8")
        sheet.write_pdf(folder / f"{name}.pdf")
    tile_plan(Plan()).write_tiles(folder / "board-tiles-a4.pdf", A4_MM, margin_mm=10.0)


def drawings() -> dict[str, Sheet]:
    """Every drawing by the name of its files."""
    return {
        "board": paint_plan(Plan()),
        "gantry": gantry_sheet(Plan(), Gantry(), Tower()),
        "button-panel": panel_sheet(Panel()),
        "carrier": carrier_sheet(Tower().bought),
        "array": array_sheet(Array()),
    }


def make_printed(folder: Path) -> None:
    """The dice tower's parts, as they lie on the printer."""
    for part in parts(Tower()):
        write_stl(part.printed, folder / f"{part.name}.stl", f"uckers-table {part.name}, millimetres")


def make_wiring(folder: Path) -> None:
    """WireViz sources, what it draws of them, and the pin tables."""
    for name, diagram in diagrams().items():
        source = folder / f"{name}.yml"
        source.write_text(diagram.source(), encoding="utf-8")
        parse(source, output_formats=("svg",), output_dir=folder, output_name=name)
    (folder / "pins.md").write_text(pin_tables(), encoding="utf-8")


def make_pictures(folder: Path) -> None:
    """The dice tower rendered, in few colours: the files stay small."""
    for name, image in pictures(Tower()).items():
        image.quantize(128).save(folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    make_wiring(FOLDER / "wiring")
    (FOLDER / "parts.md").write_text(parts_page(read_parts()), encoding="utf-8")
    make_pictures(FOLDER / "renders")
    make_drawings(FOLDER / "drawings")
    make_printed(FOLDER / "printed")
