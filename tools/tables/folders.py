"""What a table's folder gets: pictures and labels, or a recording of a match."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tools.tables.deal import deal, deal_full
from tools.tables.labels import Label, label_of_table
from tools.tables.recorded import Stretch, play
from tools.tables.rendering import UNFINISHED, Rendering
from tools.tables.setting import Setting

LOOKS = 6
"""How many looks dice have in frames full of leans."""


def render_match(name: str, out: Path, stretch: Stretch) -> None:
    """A recording of a match at one table, `frames`, and the same with what truly stands there, `truth`."""
    (out / "frames" / "frames").mkdir(parents=True, exist_ok=True)
    rendering = Rendering(name)
    # A match has its own dice, whatever the table's do.
    plainly = replace(rendering.table, thrown_anyhow=False)
    bare_and_start = deal(rendering.plan, plainly, name, lambda at: True)[:2]
    settings = [*bare_and_start, *play(name, rendering.table, stretch, out)]
    left = [setting for setting in settings if not (out / "frames" / setting.name).exists()]
    for _ in rendering.pictures(left, out / "frames"):
        pass
    (out / "frames" / UNFINISHED).unlink(missing_ok=True)


def render_table(
    name: str, out: Path, only: list[str] | None, full_of: str | None, count: int, is_pair: bool = False
) -> None:
    """One table's frames and labels, or only the pair to calibrate from; or `count` frames that are `full_of`
    a kind in `frames.toml`.
    """
    out.mkdir(parents=True, exist_ok=True)
    rendering = Rendering(name, LOOKS if full_of == "leans" else 1)
    settings = _settings(rendering, name, full_of, count)[: 2 if is_pair else None]
    if only:
        for _ in rendering.pictures([s for s in settings if s.name in (*only, "empty.jpg")], out, anew=True):
            pass
    else:
        _render_all(rendering, name, settings, out)
    (out / UNFINISHED).unlink(missing_ok=True)


def _settings(rendering: Rendering, name: str, full_of: str | None, count: int) -> list[Setting]:
    plan, mirrors = rendering.plan, rendering.mirrors()
    if not full_of:
        return deal(plan, rendering.table, name, rendering.sees)
    looks = LOOKS if full_of == "leans" else 1
    return deal_full(full_of, count, plan, rendering.table, name, rendering.sees, mirrors, looks)


def _render_all(rendering: Rendering, name: str, settings: list[Setting], out: Path) -> None:
    """The pictures that are still missing; labels are written after each."""
    labels = out / "labels.json"
    done: list[Label] = []
    if (out / UNFINISHED).exists():
        # An earlier run was stopped: its pictures stay.
        done = json.loads(labels.read_text(encoding="utf-8"))["frames"]
    files = {label["file"] for label in done}
    head = label_of_table(name, rendering.table, rendering.plan, rendering.lens)
    for label in rendering.pictures([s for s in settings if s.name not in files], out):
        done.append(label)
        labels.write_text(json.dumps({**head, "frames": done}, indent=1), encoding="utf-8")
