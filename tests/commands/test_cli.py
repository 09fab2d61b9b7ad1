"""The command line as its users meet it: exit statuses, and one clear line for what cannot be used."""

import argparse
import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.ids import begins
from tests.patience import HANGS_S
from uckers_table import commands
from uckers_table.announce.loudness import Loudness
from uckers_table.commands.cli import VERBS, parser
from uckers_table.commands.status import MISCONFIGURED

SAMPLE = Path(__file__).parents[2] / "calibration" / "sample-table.toml"

GOOD = """
[[scenario]]
name = "a six brings one piece out and the other die walks it on"
source = "BR 4006 rule 4"
rules = "br4006"
start = { to_play = "red", red = [0,0,0,0], green = [0,0,0,0], yellow = [0,0,0,0], blue = [0,0,0,0] }
events = [ { throw = [6, 3], plays = [ { red = [4,0,0,0] } ], extra = 1 } ]
"""


def run(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "uckers_table", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        **options,
    )


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "case.toml"
    path.write_text(GOOD)
    return path


def test_judge_says_with_its_status_whether_all_holds(scenario):
    assert run("judge", scenario).returncode == 0
    scenario.write_text(GOOD.replace("extra = 1", "extra = 0"))
    assert run("judge", scenario).returncode == 1


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (GOOD.replace("extra = 1", "extras = 1"), ["case.toml", "a six brings", "extras"]),
        (GOOD.replace("[6, 3]", "[6, 7]"), ["case.toml", "a six brings", "throw"]),
        (GOOD.replace("br4006", "br4007"), ["case.toml", "a six brings", "br4007"]),
        (GOOD.replace("red = [0,0,0,0]", "red = [0,0,0,0,0]"), ["case.toml", "a six brings", "red"]),
        (GOOD.replace("[[scenario]]", "[[scenario]"), ["case.toml"]),
    ],
)
def test_a_scenario_that_makes_no_sense_gets_one_line(scenario, text, names):
    scenario.write_text(text)
    done = run("judge", scenario)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert all(name in done.stderr for name in names), done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("judge", "nowhere.toml"),
        ("replay", "nowhere"),
        ("read", "--table", "nowhere.toml", "nowhere.jpg"),
        (
            "calibrate",
            "--empty",
            "no.jpg",
            "--start",
            "no.jpg",
            "--seats",
            "red,green,yellow,blue",
            "-o",
            "t.toml",
        ),
        ("calibrate", "--empty", "no.jpg", "--start", "no.jpg", "--seats", "red,green", "-o", "t.toml"),
        ("demo", "--speed", "-1"),
        ("demo", "--rules", "br4007"),
        ("demo", "--rules", "nowhere.toml"),
        ("demo", "--players", "3"),
        ("demo", "--option", "var_d", "--option", "var_g"),
        ("demo", "--option", "arms=6"),
        ("demo", "--option", "arm_length=8"),
        ("nonsense",),
        ("read", "frame.jpg"),
        ("show", "seven"),
        ("demo", "--dice", "spoon"),
        ("demo", "--page", "99999"),
    ],
)
def test_what_cannot_be_used_gets_one_line_and_nothing_is_written(tmp_path, words):
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_verb_at_all_prints_what_there_is():
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("--help").stdout
    assert all(f"    {verb} " in done.stdout or f"    {verb}\n" in done.stdout for verb in VERBS)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("demmo",), "there is no 'demmo'; did you mean 'demo'? `uckers-table --help`"),
        (("stats",), "there is no 'stats'; did you mean 'statistics'?"),
        (("tower", "instal"), "there is no 'instal'; did you mean 'install'? `uckers-table tower --help`"),
        (("demo", "--dice", "camra"), "argument --dice: there is no 'camra'; did you mean 'camera'?"),
        (("demo", "--option", "suckback=maybe"), "suckback cannot be 'maybe'; it is false or true"),
    ],
    ids=begins,
)
def test_a_word_that_is_nearly_one_is_asked_about(words, meant):
    done = run(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert meant in done.stderr


def parsers(whole):
    """A command line, and those of its verbs, and of their own words."""
    yield whole
    for action in whole._actions:
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from parsers(each)


def test_every_verb_and_option_has_a_line_of_help_and_says_its_default():
    for each in parsers(parser()):
        assert each.description, each.prog
        for action in each._actions:
            words = isinstance(action, argparse._SubParsersAction)
            assert action.help or words, (each.prog, action.dest)
            is_left_out = action.default in (None, False, [], argparse.SUPPRESS) or not action.option_strings
            if not is_left_out and action.help != argparse.SUPPRESS:
                assert "default" in each._get_formatter()._expand_help(action), (each.prog, action.dest)


def test_the_demo_says_what_it_does_when_it_is_told_nothing():
    shown = " ".join(run("demo", "--help").stdout.split())
    for option, default in {"--speed K": 200, "--cheats N": 4, "--dice": "tower", "--seed N": 44}.items():
        told = shown[shown.rindex(option) :]
        assert told[told.index("(default: ") :].startswith(f"(default: {default})"), option


@pytest.mark.parametrize(
    "words",
    [("matches",), ("show", "1"), ("export", "1"), ("statistics",), ("honours",), ("backup", ".")],
    ids=begins,
)
def test_a_record_s_folder_that_is_not_there_is_named(tmp_path, words):
    done = run(*words, cwd=tmp_path)
    said = "uckers-table: matches: there is no record here; name its folder with --record\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
    assert list(tmp_path.iterdir()) == []


def test_a_corner_may_lie_outside_the_picture(tmp_path):
    pictures = "--empty", "no.jpg", "--start", "no.jpg", "--seats", "red,green,yellow,blue", "-o", "t.toml"
    done = run("calibrate", *pictures, "--corners", "-3,5", "900.5,-2", "900,800", "-1.5,-.5", cwd=tmp_path)
    assert (done.returncode, done.stderr.startswith("uckers-table: no.jpg: cannot be read")) == (2, True)


REAL = (
    'camera = "webcam"\ncamera_source = "/dev/nowhere"\ntower = "none"\nbuttons = "none"\ndisplay = "none"\n'
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "table.toml: No such file or directory"),
        ('players = 4\ntabel = "x"\n', "table.toml:2: key 'tabel' is unknown; did you mean 'table'?"),
        ("players = 3\n", "table.toml: 3 players cannot sit at 4 seats"),
        (REAL + 'page_port = 0\ntable = "nowhere.toml"\n', "nowhere.toml: cannot be read"),
    ],
    ids=begins,
)
def test_a_bad_configuration_has_its_own_status_and_tells_the_manager(tmp_path, text, said):
    if text is not None:
        (tmp_path / "table.toml").write_text(text)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(HANGS_S)
        environment = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        done = run("run", "--config", "table.toml", cwd=tmp_path, env=environment)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (MISCONFIGURED, "", 1), done.stderr
        assert done.stderr.startswith(f"uckers-table: {said}")
        assert manager.recv(4096).decode() == f"STATUS=Not started: {done.stderr[14:-1]}"


def test_a_device_that_is_missing_may_come_and_is_no_fault_of_the_configuration(tmp_path):
    (tmp_path / "table.toml").write_text(REAL + f'page_port = 0\nvoice = "silent"\ntable = "{SAMPLE}"\n')
    done = run("run", "--config", "table.toml", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "/dev/nowhere" in done.stderr


AT_ITS_END = """
import sys, threading, cv2, numpy as np
from uckers_table.commands.cli import main
picture, begun = np.zeros((1296, 2304, 3), np.uint8), threading.Event()
def draw():
    while True:
        cv2.GaussianBlur(picture, (0, 0), 5)
        begun.set()
threading.Thread(target=draw, daemon=True).start()
begun.wait()
sys.exit(main())
"""


def test_a_thread_that_does_not_end_is_no_reason_to_abort():
    done = subprocess.run(
        [sys.executable, "-c", AT_ITS_END, "rules"], capture_output=True, text=True, timeout=HANGS_S
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "wafu" in done.stdout


def test_the_levels_of_loudness_are_those_that_there_are():
    for command in ("demo", "replay"):
        assert f"{{{','.join(Loudness)}}}" in run(command, "--help").stdout
        assert run(command, "--loudness", "loud").returncode == 2


def test_output_that_nobody_reads_to_its_end_is_no_error(scenario):
    scenario.write_text("".join(GOOD.replace("a six", f"{n}: a six") for n in range(500)))
    reader = subprocess.Popen(["head", "-c", "10"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    done = subprocess.run(
        [sys.executable, "-m", "uckers_table", "judge", "--json", str(scenario)],
        stdout=reader.stdin,
        stderr=subprocess.PIPE,
        text=True,
        timeout=HANGS_S,
    )
    reader.stdin.close()
    reader.wait(timeout=HANGS_S)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("settings", "events", "named"),
    [
        ('rules = "br4006"\nstart = { red = 5 }\n', "", ["recording.toml", "red"]),
        ('rules = "br4006"\nplayers = 3\n', "", ["recording.toml", "3 players"]),
        ('rules = "br4007"\n', "", ["recording.toml", "br4007"]),
        ('rules = "br4006"\n', '{"t": 1, "kind": "throw", "dice": [7, 1]}\n', ["events.jsonl:1", "7"]),
        ('rules = "br4006"\n', '{"t": 1, "kind": "frame", "file": "1.jpg"}\n', ["recording.toml", "'table'"]),
        (
            'rules = "br4006"\ncalibrate = { empty = "e.jpg", start = "s.jpg" }\n',
            '{"t": 1, "kind": "frame", "file": "1.jpg"}\n',
            ["e.jpg"],
        ),
        (
            'rules = "br4006"\ntable = "table.toml"\n',
            '{"t": 1, "kind": "frame", "file": "1.jpg"}\n',
            ["table.toml"],
        ),
    ],
    ids=begins,
)
def test_a_recording_that_cannot_be_used_gets_one_line(tmp_path, settings, events, named):
    (tmp_path / "recording.toml").write_text(settings)
    (tmp_path / "events.jsonl").write_text(events)
    done = run("replay", tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert all(name in done.stderr for name in named), done.stderr


def test_every_module_of_the_commands_is_a_verb_or_serves_them():
    modules = {path.stem.removesuffix("_") for path in Path(commands.__file__).parent.glob("*.py")}
    assert modules - {"__init_", "cli", "options", "printing", "status"} == set(VERBS)


@pytest.mark.parametrize("words", [("rules",), ("config", "--default"), ("judge", "--help")])
def test_a_verb_that_looks_at_no_picture_loads_no_opencv(words):
    code = f"""
import sys
from contextlib import suppress
from uckers_table.commands.cli import main
with suppress(SystemExit):
    main({list(words)})
sys.exit(sorted({{"cv2", "numpy", "rich", "starlette"}} & set(sys.modules)) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS_S)
    assert (done.returncode, done.stderr) == (0, "")
