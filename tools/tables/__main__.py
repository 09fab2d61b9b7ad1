"""Renders labelled tables: `python -m tools.tables OUT P1 E1 F1 … [--frames start.jpg 001.jpg]`.

With `--match RULES` each is a recording of a match instead of labelled frames. README.md says more.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tools.tables.by_name import known, table
from tools.tables.frames import frames
from uckers_table.errors import InputError


def main(argv: Sequence[str] | None = None) -> None:
    """Renders the tables named on the command line."""
    try:
        args = _arguments(argv)
        for name in args.tables:
            table(name)
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    # Blender takes seconds to come up, and is not needed to say what is wrong with a name.
    from tools.tables.folders import render_match, render_table
    from tools.tables.recorded import Stretch

    for name in args.tables:
        if args.match:
            stretch = Stretch(args.match, args.dice, args.after, args.pictures)
            render_match(name, args.out / name, stretch)
        else:
            render_table(name, args.out / name, args.frames, args.full_of, args.count, args.pair)


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    ap = argparse.ArgumentParser(
        prog="python -m tools.tables",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ap.add_argument("out", type=Path, help="each table gets a folder in it")
    ap.add_argument("tables", nargs="+", help=known())
    ap.add_argument("--frames", nargs="*", help="only these; labels are then left alone")
    ap.add_argument("--pair", action="store_true", help="only the two pictures to calibrate from")
    ap.add_argument("--match", metavar="RULES", help="a recorded match by these rules, not frames")
    ap.add_argument("--full-of", choices=tuple(frames().full_of), help="frames to learn from, as in no game")
    ap.add_argument("--count", type=int, default=4, help="how many of those (%(default)s)")
    ap.add_argument("--dice", choices=("tower", "camera"), default="tower", help="who reads them in a match")
    ap.add_argument("--after", type=int, default=60, help="plays and throws before it (%(default)s)")
    ap.add_argument("--pictures", type=int, default=26, help="how many a match has (%(default)s)")
    return ap.parse_args(argv)


if __name__ == "__main__":
    main()
