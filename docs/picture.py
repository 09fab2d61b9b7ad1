"""Makes docs/demo.png: the demo's own screen, caught while somebody is being told off.

    .venv/bin/python docs/picture.py

It needs Chromium (`apt-get install chromium`), which turns the terminal's picture into a PNG.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from uckers_table.config import simulated_config
from uckers_table.table.inbox import Inbox
from uckers_table.table.loop import Table
from uckers_table.table.news import News
from uckers_table.table.parts import build_parts
from uckers_table.table.terminal import TerminalView
from uckers_table.table.views import Glimpse

SIZE = (190, 50)
EARLIEST_RULING = 60
"""Before this many rulings the board is still too empty to show much."""
PICTURE = Path(__file__).parent / "demo.png"


class Caught(KeyboardInterrupt):
    """The picture has been taken."""


class Photographer(TerminalView):
    """Shows nothing, and takes one picture of the screen that would have been shown."""

    def __init__(self, svg: Path) -> None:
        super().__init__(
            Console(
                width=SIZE[0],
                height=SIZE[1],
                file=io.StringIO(),
                record=True,
                force_terminal=True,
                color_system="truecolor",
            )
        )
        self._svg, self._seen = svg, 0
        self._live.stop()

    def show(self, glimpse: Glimpse) -> None:
        """Take the picture at the first accusation that is late enough."""
        self._lines.extend(glimpse.rulings)
        self._seen += len(glimpse.rulings)
        accused = any(line["ruling"] in ("illegal", "timber_shift") for line in glimpse.rulings)
        if accused and self._seen >= EARLIEST_RULING:
            self._console.export_text(clear=True)
            self._console.print(self.layout(glimpse))
            self._console.save_svg(str(self._svg), title="uckers-table demo")
            raise Caught


def main() -> None:
    """Run the demo until the picture is taken, and turn it into a PNG."""
    with tempfile.TemporaryDirectory() as folder:
        svg = Path(folder) / "demo.svg"
        config = replace(simulated_config(seed=1, cheats=8), record=Path(folder) / "matches")
        inbox = Inbox[News]()
        try:
            Table(config, build_parts(config, inbox.post), inbox, Photographer(svg)).run()
        except Caught:
            print("caught")
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--disable-background-networking", "--disable-sync", f"--user-data-dir={folder}/chromium"),
                *("--window-size=2340,1260", f"--screenshot={PICTURE}", f"file://{svg}"),
            ],
            check=True,
            timeout=120,
        )


if __name__ == "__main__":
    main()
