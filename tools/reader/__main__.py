"""Measures how the board reader errs, and for how long. README.md says more."""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import subprocess
import sys
import time
import tomllib
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import Any

import cv2

import uckers_table
from tools.reader.figures import figures
from tools.reader.fitting import AS_RECKONED, sureness_of
from tools.reader.measure import PARTS, Amount, Line, Looking
from tools.reader.report import ERRORS, SURENESS, for_people, toml
from tools.reader.tables import Table
from uckers_table.errors import CalibrationError, InputError

_READER = Path(uckers_table.__file__).parent / "vision"
_RUN = "run.json"
_REFUSED = "refused"
"""The part of the line of a table that calibration refuses."""
_HOW_MUCH = {
    "looks": "cold looks a board",
    "lifts": "pieces lifted a board",
    "plays": "pieces moved a board",
    "watched": "boards a table that are watched live",
    "seconds": "seconds that each camera watches",
}


def main(argv: Sequence[str] | None = None) -> None:
    """Measures what is not yet measured in OUT, and prints all that is."""
    args = _arguments(argv)
    words = [word for word in (sys.argv[1:] if argv is None else argv) if word != "--print"]
    try:
        names = [Table(folder).name for folder in args.folders]
        if len({*names}) < len(names):
            raise InputError("two folders have one name, by which a table is known; rename one")
        if unknown := sorted({*args.hard} - {*names}):
            raise InputError(f"--hard {', '.join(unknown)}: no folder is called so")
        if not args.print:
            amount = Amount(**{field.name: getattr(args, field.name) for field in fields(Amount)})
            _begin(args.out, amount)
            for refusal in _each(args.processes, args.folders, args.out, args.only, amount):
                if refusal:
                    print(refusal, file=sys.stderr, flush=True)
        run = _known_run(args.out)
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    lines = [line for name in names for line in _lines(args.out / f"{name}.jsonl")]
    read = [line for line in lines if line["part"] in PARTS]
    ordinary = figures([line for line in read if line["table"] not in args.hard])
    everything = figures(read)
    tables = {line["table"] for line in read}
    head = {
        "command": shlex.join(["python", "-m", "tools.reader", *words]),
        "commit": run["commit"],
        "ordinary": sorted(tables - {*args.hard}),
        "hard": sorted(tables & {*args.hard}),
        "refused": sorted(line["table"] for line in lines if line["part"] == _REFUSED),
    }
    files = {"errors.toml": toml(ERRORS, {"measured": head, "ordinary": ordinary, "all": everything})}
    if looks := [line for line in read if line["part"] == "looks"]:
        files["sureness.toml"] = toml(SURENESS, {"measured": head, **sureness_of(looks, run["sureness"])})
    for name, text in files.items():
        (args.out / name).write_text(text, encoding="utf-8")
    print(for_people(ordinary, everything, bool(args.hard)))


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    ap = argparse.ArgumentParser(prog="python -m tools.reader", description=__doc__)
    ap.add_argument("out", type=Path, help="gets errors.toml, the lines, and pictures of what was wrong")
    ap.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="a labelled table")
    ap.add_argument("--only", type=_names, default=tuple(PARTS), help=f"some of {','.join(PARTS)}")
    ap.add_argument("--hard", type=_names, default=(), metavar="NAME,…", help="tables that are not ordinary")
    ap.add_argument("--processes", type=int, default=1, help="tables that are read at once (%(default)s)")
    ap.add_argument("--print", action="store_true", help="read nothing: print what OUT has")
    for field in fields(Amount):
        ap.add_argument(
            f"--{field.name}", type=int, default=field.default, help=f"{_HOW_MUCH[field.name]} (%(default)s)"
        )
    args = ap.parse_args(argv)
    if unknown := [part for part in args.only if part not in PARTS]:
        ap.error(f"--only {unknown[0]}: there are {', '.join(PARTS)}")
    return args


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _begin(out: Path, amount: Amount) -> None:
    """Makes OUT. Raises InputError if it has lines of another reader, or of another amount."""
    digest = hashlib.sha256()
    for path in sorted(_READER.rglob("*")):
        if path.suffix in (".py", ".onnx", ".toml"):
            digest.update(path.read_bytes())
    run = {"reader": digest.hexdigest()[:12], **asdict(amount), "sureness": _sureness()}
    if not (out / _RUN).exists():
        out.mkdir(parents=True, exist_ok=True)
        (out / _RUN).write_text(json.dumps({**run, "commit": _commit()}), encoding="utf-8")
    elif {**_known_run(out), **run} != _known_run(out):
        raise InputError(f"{out}: another reader or another amount was measured there; name another OUT")


def _sureness() -> dict[str, dict[str, float]]:
    """By what the reader sets its odds right; an older one sets nothing right."""
    file = _READER / "sureness.toml"
    told = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else AS_RECKONED
    return {name: {key: told[name][key] for key in line} for name, line in AS_RECKONED.items()}


def _known_run(out: Path) -> dict[str, Any]:
    """Which reader was measured there, on which commit, and how much."""
    try:
        return dict(json.loads((out / _RUN).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        raise InputError(f"{out}: nothing was measured there; leave out --print") from None


def _each(
    processes: int, folders: Iterable[Path], out: Path, parts: Sequence[str], amount: Amount
) -> Iterator[str]:
    measure = partial(_measure, out=out, parts=parts, amount=amount)
    if processes < 2:
        cv2.setNumThreads(1)
        yield from map(measure, folders)
    else:
        with ProcessPoolExecutor(processes, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
            yield from pool.map(measure, folders)


def _measure(folder: Path, out: Path, parts: Sequence[str], amount: Amount) -> str:
    """Adds a table's missing lines. Returns why it was refused, nothing if it was not."""
    table = Table(folder)
    path = out / f"{table.name}.jsonl"
    # Written anew without a last line that was cut off.
    known = _lines(path)
    path.write_text("".join(map(_line, known)), encoding="utf-8")
    for line in known:
        if line["part"] == _REFUSED:
            return f"{table.name}: refused: {line['why']}"
    done = {(line["board"], line["part"], line["key"]) for line in known}
    with path.open("a", encoding="utf-8") as file:
        try:
            for line in _new(table, out, parts, amount, done):
                file.write(_line(line))
                file.flush()
        except CalibrationError as error:
            name = {"table": table.name, "board": "", "part": _REFUSED, "key": ""}
            file.write(_line({**name, "why": str(error)}))
            return f"{table.name}: refused: {error}"
    return ""


def _new(
    table: Table, out: Path, parts: Sequence[str], amount: Amount, done: Container[tuple[str, str, str]]
) -> Iterator[Line]:
    """A table's lines but for those that are done."""
    for number, stand in enumerate(table.stands):
        board = Looking(table, stand, out / "wrong")
        for part in parts:
            keys = PARTS[part].keys(board, number, amount)
            missing = [key for key in keys if (stand.file, part, key) not in done]
            began_s = time.monotonic()
            for key in missing:
                name = {"table": table.name, "board": stand.file, "part": part, "key": key}
                yield {**name, **PARTS[part].line(board, key, amount)}
            if missing:
                took_s = time.monotonic() - began_s
                said = f"{table.name} {stand.file} {part}: {len(missing)} in {took_s:.0f} s"
                print(said, file=sys.stderr, flush=True)


def _line(line: Line) -> str:
    return json.dumps(line) + "\n"


def _lines(path: Path) -> list[Line]:
    """The whole lines of a file; none without it."""
    if not path.exists():
        return []
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines(True) if line.endswith("\n")
    ]


def _commit() -> str:
    """The commit on which the reader stands, with a + if it has changes; "unknown" without git."""
    try:
        told = [
            subprocess.run(
                ["git", "-C", str(_READER), *words], capture_output=True, text=True, check=True
            ).stdout
            for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "."))
        ]
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told[0].strip() + "+" * bool(told[1])


if __name__ == "__main__":
    main()
