"""The command line: arguments in, exit status out. What a command does lives where it belongs.

Exit statuses: 0 done (and all holds), 1 judged and not all holds, 2 the input cannot be used; from `run`
78 where that is the configuration.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from uckers_table import __version__
from uckers_table.errors import InputError, UckersTableError

if TYPE_CHECKING:
    from uckers_table.config import Config

UNUSABLE = 2
_NEGATIVE = re.compile(r"-[\d.]+(,-?[\d.]+)?$")
MISCONFIGURED = 78
"""EX_CONFIG of sysexits.h: trying again changes nothing, so the service of `run` is not started again."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the process's exit status. Without `argv` it is the program's own, to end with."""
    status = _status_of(argv)
    if argv is None and any(thread.daemon for thread in threading.enumerate()):
        # One that hangs in a driver, or was not waited for because somebody interrupted that. Where it is in
        # OpenCV as the interpreter ends, the process would abort.
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(status)
    return status


def _status_of(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except UckersTableError as error:
        print(f"uckers-table: {_one_line(error)}", file=sys.stderr)
        return UNUSABLE
    except PermissionError as error:
        # As of a record that is the table's own user's.
        print(f"uckers-table: {error.filename}: {error.strerror}; try with sudo", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # Whoever read our output has seen enough (`uckers-table replay … | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


class _Parser(argparse.ArgumentParser):
    """One whose complaints are one line, as all others are."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNUSABLE, f"{self.prog}: {message}; `{self.prog} --help` tells what there is\n")


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="uckers-table", description="A referee for Uckers on a real board.")
    parser.add_argument("--version", action="version", version=f"uckers-table {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    judge = commands.add_parser("judge", help="judge the rule cases in scenario files")
    judge.add_argument("files", nargs="+", type=Path, metavar="FILE.toml")
    judge.add_argument("--json", action="store_true", help="one JSON object a line for each event")
    judge.set_defaults(run=_judge)

    rules = commands.add_parser(
        "rules",
        help="rule sets in plain words: all, one, or what differs between two",
        description="No name: the list of sets. One: that set in plain words. Two: what differs.",
        epilog="A name is that of a set or of a mess's own .toml file, with switches and options behind plus "
        "signs if wanted: br4006+var_c+var_g, mess.toml+suckback_timing=next_throw.",
    )
    rules.add_argument(
        "names", nargs="*", metavar="NAME", help="a rule set, also as in couk+var_a, or a .toml file"
    )
    rules.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="a switch or an option on top of each",
    )
    rules.add_argument("--json", action="store_true", help="one JSON object a line")
    rules.add_argument("--card", type=Path, metavar="FILE.html", help="write the set as a page to print (A4)")
    rules.set_defaults(run=_rules)

    calibrate = commands.add_parser("calibrate", help="learn a table from two pictures")
    # The board's rim may lie a little outside the picture: a point that begins with a minus is no option.
    calibrate._negative_number_matcher = _NEGATIVE
    calibrate.add_argument("--empty", required=True, type=Path, help="a picture of the bare board")
    calibrate.add_argument(
        "--start", required=True, type=Path, help="the same with all pieces in their bases"
    )
    calibrate.add_argument("--seats", required=True, help="colours clockwise, as in red,green,yellow,blue")
    calibrate.add_argument("--top-left", metavar="COLOUR", help="whose base is at the picture's top left")
    where = calibrate.add_mutually_exclusive_group()
    where.add_argument(
        "--corners", nargs=4, metavar="X,Y", help="the board's corners in pixels, clockwise from the top left"
    )
    where.add_argument(
        "--aruco", action="store_true", help="find the board by printed stickers (calibration/stickers.svg)"
    )
    calibrate.add_argument(
        "--camera", type=Path, metavar="CAMERA.toml", help="the camera's profile, of calibration/cameras"
    )
    calibrate.add_argument(
        "--settings", type=Path, metavar="SETTINGS.toml", help="what the camera is locked at, of `photo`"
    )
    calibrate.add_argument("--overlay", type=Path, metavar="PICTURE", help="write what was found, drawn in")
    calibrate.add_argument("-o", "--output", required=True, type=Path, metavar="TABLE.toml")
    calibrate.set_defaults(run=_calibrate)

    photo = commands.add_parser(
        "photo",
        help="take a picture with the table's camera, focused once and locked",
        description="Takes one picture. Where there is no settings' file yet, the camera focuses, lets "
        "exposure and colours settle, and writes what it is locked at; where there is one, it is locked at "
        "that. So take the bare board first, then all pieces in base, and give the file to `calibrate` too.",
    )
    photo.add_argument("picture", type=Path, metavar="PICTURE.jpg")
    photo.add_argument("--settings", required=True, type=Path, metavar="SETTINGS.toml")
    photo.add_argument("--camera", choices=("picamera2", "webcam", "tray"), default="picamera2")
    photo.add_argument("--source", default="0", help="which USB camera: its number, path or part of its name")
    photo.add_argument(
        "--mains", type=int, choices=(50, 60), default=50, help="the lamps' mains frequency in Hz"
    )
    photo.set_defaults(run=_photo)

    read = commands.add_parser("read", help="read the pieces and dice in camera frames")
    read.add_argument("--table", required=True, type=Path, metavar="TABLE.toml")
    read.add_argument("frames", nargs="+", type=Path, metavar="FRAME.jpg")
    read.add_argument("--json", action="store_true", help="one JSON object a line (also the default)")
    read.add_argument("--overlay", type=Path, metavar="DIR", help="draw what was read on each frame")
    read.set_defaults(run=_read)

    dice = commands.add_parser("dice", help="read ordinary dice in any picture from above")
    dice.add_argument("photos", nargs="+", type=Path, metavar="PHOTO.jpg")
    dice.add_argument("--json", action="store_true", help="one JSON object a line")
    dice.set_defaults(run=_dice)

    replay = commands.add_parser("replay", help="judge a recording again")
    replay.add_argument("recording", type=Path, metavar="DIR")
    replay.add_argument("--json", action="store_true", help="one JSON object a line for each ruling")
    _add_loudness(replay)
    replay.set_defaults(run=_replay)

    run = commands.add_parser("run", help="referee the table that the configuration describes")
    run.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    run.set_defaults(run=_run)

    config = commands.add_parser(
        "config",
        help="show what is configured, and from where",
        description="Prints every setting in force with the line of the file that it is from. Without a file "
        "that is the machine's own, /etc/uckers-table.toml, if there is one.",
    )
    config.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    config.add_argument("--default", action="store_true", help="print the commented file to start from")
    config.add_argument("--json", action="store_true", help="one JSON object a line for each setting")
    config.set_defaults(run=_config)

    demo = commands.add_parser("demo", help="referee a match at a simulated table")
    demo.add_argument(
        "--rules", default="br4006", metavar="NAME", help="a rule set, also as in couk+var_a, or a .toml file"
    )
    demo.add_argument(
        "--option", action="append", default=[], metavar="NAME[=VALUE]", help="a switch or an option on top"
    )
    demo.add_argument("--players", type=int, default=4, help="4, or 2 with two colours each")
    demo.add_argument("--seed", type=int, default=44, help="another seed is another match")
    demo.add_argument("--speed", type=float, default=None, help="how many times faster than life, at most")
    demo.add_argument("--cheats", type=int, default=None, help="how many times the players try to cheat")
    demo.add_argument(
        "--dice",
        choices=("tower", "camera", "both"),
        default="tower",
        help="who reads the dice; where the camera does, they are thrown on the board",
    )
    _add_loudness(demo)
    demo.add_argument("--headless", action="store_true", help="plain lines instead of the terminal view")
    demo.add_argument("--page", type=int, default=0, metavar="PORT", help="serve the table's page there")
    demo.add_argument("--cover-lens", action="store_true", help="a cap on the camera: it sees black")
    demo.set_defaults(run=_demo)

    matches = commands.add_parser("matches", help="list the matches that are kept")
    matches.add_argument("--json", action="store_true", help="one JSON object a line for each match")
    matches.set_defaults(run=_matches)

    show = commands.add_parser("show", help="show a match: who and what, every throw and ruling")
    show.add_argument("number", type=int, metavar="N", help="the match's number in the record")
    show.add_argument("--json", action="store_true", help="all of it as one JSON object")
    show.set_defaults(run=_show)

    export = commands.add_parser("export", help="write a match as text, JSON or a table, or as a short film")
    export.add_argument("number", type=int, metavar="N", help="the match's number in the record")
    export.add_argument("--format", choices=("text", "json", "csv", "gif"), default="text")
    export.add_argument("-o", "--output", type=Path, metavar="FILE", help="left out, it is printed")
    export.set_defaults(run=_export)

    take_in = commands.add_parser("import", help="take a match into the record that was exported elsewhere")
    take_in.add_argument("file", type=Path, metavar="FILE", help="a match as text or JSON")
    take_in.set_defaults(run=_import)

    statistics = commands.add_parser("statistics", help="luck, cheats and the dice, over all matches kept")
    statistics.add_argument("--json", action="store_true", help="the figures as one JSON object")
    statistics.set_defaults(run=_statistics)

    honours = commands.add_parser(
        "honours", help="the back of the board: who, by whom, when, and the beer owed"
    )
    honours.add_argument("-o", "--output", type=Path, metavar="FILE.svg", help="draw it, to be printed")
    honours.set_defaults(run=_honours)

    recover = commands.add_parser(
        "recover",
        help="mend a damaged record from the recordings that lie beside it",
        description="Puts a damaged record aside, begins a new one, and judges again the recordings of "
        "matches whose rulings are not in it. Exit status 1: some recording cannot be judged again.",
    )
    recover.set_defaults(run=_recover)

    backup = commands.add_parser(
        "backup",
        help="copy the whole record to a stick",
        description="Copies what is new since the last backup there, and checks what was written. A backup "
        "that is interrupted leaves the one before it whole. A table may go on meanwhile.",
    )
    backup.add_argument("folder", type=Path, metavar="DIR", help="a folder on a stick that is mounted")
    backup.set_defaults(run=_backup)

    restore = commands.add_parser(
        "restore",
        help="put a record back from a stick",
        description="Checks every file of the backup, then puts it in the record's place; the record that "
        "was there is kept beside it. How this table is calibrated, and its network's password, stay as they "
        "are. Stop the table first.",
    )
    restore.add_argument("folder", type=Path, metavar="DIR", help="the folder that the backup went to")
    restore.set_defaults(run=_restore)
    for command in (backup, restore):
        command.add_argument("--force", action="store_true", help="also over a newer one, or another table's")

    for command in (matches, show, export, take_in, statistics, honours, recover, backup, restore):
        _add_record(command)

    report = commands.add_parser(
        "report",
        help="collect what a bug report needs in one file",
        description="Writes a zip file with versions, what is configured, the machine's health, the log, and "
        "the recording of the last match; no pictures, unless asked, and no names of players.",
    )
    report.add_argument("file", type=Path, metavar="REPORT.zip")
    report.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    report.add_argument("--pictures", action="store_true", help="with the last match's pictures")
    report.set_defaults(run=_report)

    pin = commands.add_parser("pin", help="print the PIN of the page of the table that is running")
    pin.add_argument("--config", type=Path, metavar="FILE", help="the table's configuration file (TOML)")
    pin.set_defaults(run=_pin)

    doctor = commands.add_parser(
        "doctor",
        help="examine every device of the table, and say what is wrong and what to try",
        description="Asks every device that the configuration names how it is, shows a test page, lights all "
        "lamps and says a sentence. Exit status 0: all is well; 1: something is not.",
    )
    doctor.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    doctor.add_argument("--json", action="store_true", help="one JSON object a line for each finding")
    doctor.set_defaults(run=_doctor)

    upkeep = commands.add_parser("upkeep", help="look whether the record is whole, and put it in order")
    upkeep.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    upkeep.set_defaults(run=_upkeep)

    network = commands.add_parser(
        "network", help="open a Wi-Fi network of the table's own, where there is no other"
    )
    network.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    network.set_defaults(run=_network)

    stopped = commands.add_parser("stopped", help="say on the display that the referee has failed")
    stopped.add_argument("--config", type=Path, metavar="FILE", help="a configuration file (TOML)")
    stopped.set_defaults(run=_stopped)

    clips = commands.add_parser(
        "clips",
        help="write what is said again and again as WAV files, for a mess to replace by its own voice",
        description="Writes a WAV file for each phrase that is said again and again, and leaves those alone "
        "that are there. Record your own under the same names, and let 'clips' in the configuration name the "
        "folder.",
    )
    clips.add_argument("folder", type=Path, metavar="FOLDER")
    clips.add_argument("--voice", default="flite", metavar="NAME", help="who speaks: flite or espeak")
    clips.set_defaults(run=_clips)

    tower = commands.add_parser("tower", help="the dice tower's Pico: its firmware, and what it reads")
    deeds = tower.add_subparsers(dest="deed", required=True, metavar="WHAT")
    install = deeds.add_parser("install", help="put the firmware on the Pico (needs mpremote)")
    install.add_argument("--reader", choices=("tray", "array"), default="tray", help="what reads the dice")
    learn = deeds.add_parser("learn", help="have the array learn the card that lies in both pockets")
    learn.add_argument("shade", choices=("white", "black"))
    dump = deeds.add_parser("dump", help="print what beams, lamp and sensors read")
    prompt = deeds.add_parser("prompt", help="end the firmware, for MicroPython's prompt")
    for deed in (install, learn, dump, prompt):
        deed.add_argument(
            "--port", default="auto", help="the Pico's serial port (default: the one plugged in)"
        )
    tower.set_defaults(run=_tower)

    trial = commands.add_parser(
        "trial",
        help="how often the referee is right: simulated matches, with reading noise and cheats",
        description="Plays matches that are read with noise and cheated in, and prints what the referee made "
        "of them: at the noise that is usual, at three times and at ten times as much.",
    )
    trial.add_argument("--matches", type=int, default=20, metavar="N", help="so many matches (default 20)")
    trial.add_argument(
        "--rendered", type=int, default=0, metavar="M", help="further matches through real pixels (slow)"
    )
    trial.add_argument("--seed", type=int, default=1, help="another seed is other matches")
    trial.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="so many matches at a time (default: one a processor); the figures are the same",
    )
    trial.add_argument("--json", action="store_true", help="the figures as one JSON object")
    trial.add_argument("--log", type=Path, metavar="FILE", help="write every sentence, the truth beside it")
    trial.set_defaults(run=_trial)

    soak = commands.add_parser(
        "soak",
        help="run a whole simulated table for days on end, and see whether anything grows",
        description="A table with everything that `run` starts, at a simulated mess: match after match, "
        "devices lost and found, light that changes, a card that takes nothing, visitors on the page. Prints "
        "memory, handles, threads and how long rulings take, for each quarter of the time. Exit status 1: "
        "something grew.",
    )
    soak.add_argument("--hours", type=float, required=True, metavar="H", help="so many simulated hours")
    soak.add_argument(
        "--faster", type=float, default=1e9, metavar="K", help="so many times faster than life at most"
    )
    soak.add_argument("--seed", type=int, default=1, help="another seed is another mess")
    soak.add_argument(
        "--painted",
        type=int,
        default=1,
        metavar="N",
        help="paint and read one watch of six hours in N, and tell the referee of the others (default: every "
        "watch is painted, which is most of the work)",
    )
    soak.add_argument("--picture", type=Path, metavar="FILE.png", help="draw what was measured")
    soak.add_argument("--record", type=Path, metavar="DIR", help="keep the matches there (default: nowhere)")
    soak.add_argument("--json", action="store_true", help="the figures as one JSON object")
    soak.set_defaults(run=_soak)
    return parser


def _add_record(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="the record (default: the one that the configuration names)",
    )


def _record(arguments: argparse.Namespace) -> Path:
    """The record that is meant."""
    from uckers_table.config import found_config, load_config

    given: Path | None = arguments.record
    return given if given is not None else load_config(found_config()).record


def _own_record(arguments: argparse.Namespace) -> Path:
    """The same, for a command that writes in it."""
    from uckers_table.machine.owner import become_owner

    record = _record(arguments)
    become_owner(record)
    return record


def _add_loudness(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--loudness",
        choices=("quiet", "calls", "chatty"),
        default="calls",
        help="how much is said and shown; what is ruled is the same",
    )


def _judge(arguments: argparse.Namespace) -> int:
    from uckers_table.announce.sentences import sentence
    from uckers_table.game.scenario import judge_files

    return judge_files(arguments.files, json_lines=arguments.json, out=sys.stdout, say=sentence)


def _rules(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.rules import print_rules, write_card

    if arguments.card:
        write_card(arguments.names, arguments.option, arguments.card)
    else:
        print_rules(arguments.names, arguments.option, json_lines=arguments.json, out=sys.stdout)
    return 0


def _calibrate(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.photo import keep_settings, read_settings
    from uckers_table.commands.vision_commands import calibrate_files

    # First: where they cannot be used, no profile is written without them.
    settings = read_settings(arguments.settings) if arguments.settings is not None else {}
    report = calibrate_files(
        arguments.empty,
        arguments.start,
        tuple(colour.strip() for colour in arguments.seats.split(",")),
        arguments.output,
        top_left=arguments.top_left,
        corners=[_point(text) for text in arguments.corners] if arguments.corners else None,
        overlay=arguments.overlay,
        stickers=arguments.aruco,
        camera=arguments.camera,
    )
    if settings:
        keep_settings(settings, arguments.output)
    print(f"{arguments.output}: calibrated", report, sep="\n")
    return 0


def _photo(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.photo import take_photo

    return take_photo(
        arguments.picture,
        arguments.settings,
        camera=arguments.camera,
        source=arguments.source,
        mains_hz=arguments.mains,
        out=sys.stdout,
    )


def _point(text: str) -> tuple[float, float]:
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"--corners: {text!r} is not a point; write four of them as X,Y in pixels") from None
    return x, y


def _read(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.vision_commands import read_files

    return read_files(
        arguments.table,
        arguments.frames,
        json_lines=True,
        overlay=arguments.overlay,
        out=sys.stdout,
        err=sys.stderr,
    )


def _dice(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.vision_commands import dice_files

    return dice_files(arguments.photos, json_lines=arguments.json, out=sys.stdout, err=sys.stderr)


def _replay(arguments: argparse.Namespace) -> int:
    from uckers_table.announce.loudness import Loudness
    from uckers_table.keeping.replay import replay_recording

    return replay_recording(
        arguments.recording,
        json_lines=arguments.json,
        out=sys.stdout,
        err=sys.stderr,
        loudness=Loudness(arguments.loudness),
    )


def _run(arguments: argparse.Namespace) -> int:
    from uckers_table.config import found_config, load_config
    from uckers_table.machine.notify import Supervisor
    from uckers_table.table.parts import check_config

    path = arguments.config or found_config()
    try:
        config = load_config(path)
        check_config(config, path)
    except InputError as error:
        # `systemctl status` says it too.
        Supervisor(os.environ).status(f"Not started: {error}")
        print(f"uckers-table: {_one_line(error)}", file=sys.stderr)
        return MISCONFIGURED
    return _run_table(config)


def _config(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.config import print_config

    return print_config(
        arguments.config, default=arguments.default, json_lines=arguments.json, out=sys.stdout
    )


def _demo(arguments: argparse.Namespace) -> int:
    from uckers_table.announce.loudness import Loudness
    from uckers_table.config import simulated_config

    config = simulated_config(
        seed=arguments.seed,
        rules=arguments.rules,
        options=arguments.option,
        players=arguments.players,
        speed=arguments.speed,
        cheats=arguments.cheats,
        cover_lens=arguments.cover_lens,
        headless=arguments.headless,
        dice=arguments.dice,
        loudness=Loudness(arguments.loudness),
        page_port=arguments.page,
    )
    return _run_table(config)


def _matches(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import list_matches

    return list_matches(_record(arguments), json_lines=arguments.json, out=sys.stdout)


def _show(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import show_match

    return show_match(_record(arguments), arguments.number, json_lines=arguments.json, out=sys.stdout)


def _export(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import export_match

    return export_match(
        _record(arguments), arguments.number, arguments.format, arguments.output, out=sys.stdout
    )


def _import(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import import_match

    return import_match(_own_record(arguments), arguments.file, out=sys.stdout)


def _statistics(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import print_statistics

    return print_statistics(_record(arguments), json_lines=arguments.json, out=sys.stdout)


def _honours(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import print_honours

    return print_honours(_record(arguments), arguments.output, out=sys.stdout)


def _recover(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import recover

    return recover(_own_record(arguments), out=sys.stdout)


def _pin(arguments: argparse.Namespace) -> int:
    from uckers_table.config import found_config, load_config
    from uckers_table.machine.pin import print_pin

    return print_pin(load_config(arguments.config or found_config()).record, sys.stdout)


def _backup(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import back_up

    return back_up(_record(arguments), arguments.folder, is_forced=arguments.force, out=sys.stdout)


def _restore(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.record_command import put_back

    return put_back(arguments.folder, _own_record(arguments), is_forced=arguments.force, out=sys.stdout)


def _doctor(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.doctor import run_doctor
    from uckers_table.config import found_config, load_config
    from uckers_table.machine.owner import become_owner

    config = load_config(arguments.config or found_config())
    # What root may do, the table may not.
    become_owner(config.record)
    return run_doctor(config, json_lines=arguments.json, out=sys.stdout)


def _upkeep(arguments: argparse.Namespace) -> int:
    from uckers_table.config import found_config, load_config
    from uckers_table.machine.owner import become_owner
    from uckers_table.record.thinning import Budget
    from uckers_table.record.upkeep import look_after

    config = load_config(arguments.config or found_config())
    become_owner(config.record)
    return look_after(config.record, sys.stdout, Budget(config.pictures_mb, config.pictures_days))


def _report(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.report import write_report
    from uckers_table.config import found_config

    config = arguments.config or found_config()
    return write_report(arguments.file, config, pictures=arguments.pictures, out=sys.stdout)


def _network(arguments: argparse.Namespace) -> int:
    from uckers_table.config import found_config, load_config
    from uckers_table.machine.network import open_where_needed
    from uckers_table.machine.owner import become_owner

    record = load_config(arguments.config or found_config()).record
    become_owner(record)
    return open_where_needed(record, sys.stdout)


def _stopped(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.stopped import show_stopped

    return show_stopped(arguments.config, os.environ)


def _clips(arguments: argparse.Namespace) -> int:
    from uckers_table.commands.clips import write_clips

    return write_clips(arguments.folder, arguments.voice, out=sys.stdout)


def _tower(arguments: argparse.Namespace) -> int:
    from uckers_table.commands import tower as tower_command

    match arguments.deed:
        case "install":
            return tower_command.install(arguments.port, arguments.reader, sys.stdout)
        case "learn":
            return tower_command.learn(arguments.port, arguments.shade, sys.stdout)
        case "dump":
            return tower_command.dump(arguments.port, sys.stdout)
        case _:
            return tower_command.prompt(arguments.port, sys.stdout)


def _trial(arguments: argparse.Namespace) -> int:
    from uckers_table.trial.run import run_trial

    return run_trial(
        arguments.matches,
        rendered=arguments.rendered,
        seed=arguments.seed,
        json_lines=arguments.json,
        log=arguments.log,
        out=sys.stdout,
        err=sys.stderr,
        jobs=arguments.jobs,
    )


def _soak(arguments: argparse.Namespace) -> int:
    from uckers_table.soak.run import run_soak

    return run_soak(
        arguments.hours,
        arguments.faster,
        seed=arguments.seed,
        painted=arguments.painted,
        record=arguments.record,
        file=arguments.picture,
        json_lines=arguments.json,
        out=sys.stdout,
        err=sys.stderr,
    )


def _run_table(config: Config) -> int:
    from uckers_table.table.running import run_table

    return run_table(config, out=sys.stdout)


if __name__ == "__main__":
    sys.exit(main())
