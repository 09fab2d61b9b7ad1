"""Fits a net, or a regression of the eyes, on labelled tables: `python -m tools.fit dice`.

What it learns, and how, stands in `tools/fits/data.toml`. Rendered tables are looked for in a folder, and
the labelled ones in `tools/tables/labelled`. A net is written to a file, and is in use once that is copied to
`uckers_table/vision/nets`. A regression's weights are printed, and stand in the code.

It needs what no table does: pip install -e '.[fits]'.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.fits.data import Data, Source, Stage, load
from uckers_table.errors import InputError
from uckers_table.vision.nets import net as nets
from uckers_table.vision.nets.net import Net
from uckers_table.vision.pieces.stack_net import COARSE, FINE

if TYPE_CHECKING:
    from tools.fits.learning import Halves
    from tools.fits.net_fit import NetFit

IN_USE = Path(nets.__file__).parent
AGREES = 1e-4
"""OpenCV and torch may say as different things of one patch."""


def main(argv: Sequence[str] | None = None) -> int:
    """Fits what the command line names. 0 if it did, 2 if something that it needs is missing."""
    try:
        data = load()
        args = arguments(data, argv)
        if args.net in data.regressions:
            _fit_regression(args, data)
        else:
            _fit_net(args, data)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def arguments(data: Data, argv: Sequence[str] | None) -> argparse.Namespace:
    """What the command line asks for, or what is wrong with it."""
    ap = argparse.ArgumentParser(
        prog="python -m tools.fit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("net", choices=[*data.fits, *data.regressions])
    ap.add_argument(
        "--tables", type=Path, default=Path("build/tables"), help="where rendered tables are (%(default)s)"
    )
    ap.add_argument(
        "--out", type=Path, default=Path("build/nets"), help="where the net's file is written (%(default)s)"
    )
    ap.add_argument("--score", action="store_true", help="only score the net in use on tables held back")
    ap.add_argument(
        "--first-stage",
        type=int,
        default=1,
        metavar="K",
        help="begin there, with the net in use (%(default)s)",
    )
    ap.add_argument("--learn", nargs="+", metavar="TABLE", help="instead of those in data.toml")
    ap.add_argument("--held", nargs="+", metavar="TABLE", help="instead of those in data.toml")
    ap.add_argument("--simulated", type=int, metavar="N", help="tables of the simulator's, instead")
    ap.add_argument("--steps", type=int, metavar="N", help="of each stage, instead")
    ap.add_argument("--threads", type=int, default=1, help="that torch may use (%(default)s)")
    return ap.parse_args(argv)


def _fit_regression(args: argparse.Namespace, data: Data) -> None:
    """Prints a regression's weights, and how well those of other tables do on each."""
    from tools.fits import height, tops

    of = data.regressions[args.net]
    folders = data.folders(args.learn or of.learned, args.tables)
    lines = tops.fit(folders, of.jpeg) if args.net == "tops" else height.fit(folders)
    for line in lines:
        print(line, flush=True)


def _fit_net(args: argparse.Namespace, data: Data) -> None:
    """Fits a net stage by stage and writes it; or scores the one in use."""
    fit = _net_fit(args.net)
    from tools.fits import net_fit, onnx_file

    net_fit.use_threads(args.threads)
    stages = [_as_asked(stage, args) for stage in data.fits[args.net].stages]

    def folders(names: Iterable[str]) -> list[Path]:
        return data.folders(names, args.tables)

    if args.score:
        print(net_fit.score(fit, stages[-1], folders, Net(fit.file).say))
        return
    if not 1 <= args.first_stage <= len(stages):
        raise InputError(f"--first-stage {args.first_stage}: the fit of {args.net} has {len(stages)} stages")
    stages = stages[args.first_stage - 1 :]
    # What is missing is said before hours are spent.
    folders(name for stage in stages for name in stage.tables)
    weights: Halves = onnx_file.read(IN_USE / fit.file) if args.first_stage > 1 else {}
    for number, stage in enumerate(stages, args.first_stage):
        print(f"stage {number}: {stage.steps} steps", flush=True)
        weights = net_fit.fit_stage(fit, stage, folders, weights)
    args.out.mkdir(parents=True, exist_ok=True)
    file = args.out.resolve() / fit.file
    onnx_file.write(file, weights, fit.layers.sees, fit.layers.strides)
    apart = net_fit.farthest_apart(fit, onnx_file.read(file), Net(str(file)).say)
    print(f"{file}: OpenCV says what torch does, to {apart:.0e}")
    if apart > AGREES:
        raise InputError(f"{file}: that is too far apart")


def _net_fit(name: str) -> NetFit[Any]:
    """What is particular to a net's fit. InputError where torch or onnx is not installed."""
    try:
        from tools.fits import dice, discs, hands, onnx_file, stacks  # noqa: F401
    except ImportError as error:
        raise InputError(f"{error.name} is missing: pip install -e '.[fits]'") from None
    fits: dict[str, Callable[[], NetFit[Any]]] = {
        "dice": dice.DiceFit,
        "discs": discs.DiscFit,
        "hands": hands.HandFit,
        "stacks": lambda: stacks.StackFit(COARSE),
        "stacks-fine": lambda: stacks.StackFit(FINE),
    }
    return fits[name]()


def _as_asked(stage: Stage, args: argparse.Namespace) -> Stage:
    """A stage with what the command line has instead."""
    learned = stage.learned
    if args.learn:
        simulated = [source for source in learned if source.simulated]
        part = 1 - sum(source.part for source in simulated)
        learned = (Source(part, tuple(args.learn), 0), *simulated)
    if args.simulated is not None:
        learned = tuple(
            replace(source, simulated=args.simulated) if source.simulated else source for source in learned
        )
    return replace(
        stage,
        learned=tuple(source for source in learned if source.tables or source.simulated),
        held=tuple(args.held or stage.held),
        steps=args.steps or stage.steps,
    )


if __name__ == "__main__":
    sys.exit(main())
