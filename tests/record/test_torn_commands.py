"""Commands that write, and are cut short: the power goes, or a call of the system fails.

Whatever is left then, no match is lost, and the same command does its work when it is given again.
"""

import os
import random
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from tests.patience import HANGS_S
from tests.power import WAYS, Card, is_strace_here, recorded
from tests.record.simulated_matches import simulated_match
from uckers_table.commands.cli import main
from uckers_table.machine.pin import SESSIONS
from uckers_table.record.library import Library
from uckers_table.record.store import DATABASE, MatchStore

CUTS = int(os.environ.get("CUTS", "60"))
FAILURES = int(os.environ.get("FAILURES", "14"))
CALLS = ("write", "pwrite64", "fsync", "fdatasync", "rename", "openat", "mkdir", "unlink")
REASONS = ("ENOSPC", "EIO", "EROFS")
COMMANDS = ("import", "backup", "restore", "recover")

pytestmark = [
    pytest.mark.skipif(not is_strace_here(), reason="strace is not here, or may not trace"),
    pytest.mark.timeout(HANGS_S * max(1, CUTS // 100)),
]


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory):
    """A card with a record of two matches, a backup of the first, and a match to import."""
    card = tmp_path_factory.mktemp("card")
    record, stick = card / "record", card / "stick"
    for number in (1, 2):
        store = MatchStore(record)
        store.take_in(simulated_match("br4006", f"torn {number}", throws=6))
        store.close()
        (record / f"000{number}" / "evidence.jpg").write_bytes(b"a picture")
        if number == 1:
            stick.mkdir()
            assert main(["backup", str(stick), "--record", str(record)]) == 0
    assert main(["export", "2", "-o", str(card / "match"), "--record", str(record)]) == 0
    return card


def words_of(name, card):
    """A command, as words."""
    operand = {"import": card / "match", "backup": card / "stick", "restore": card / "stick"}.get(name)
    words = [name, *([str(operand)] if operand else []), "--record", str(card / "record")]
    return [*words, *(["--force"] if name in ("backup", "restore") else [])]


def copy(laid_out, card, name):
    """A fresh card for a command; for `recover` its record is damaged."""
    shutil.rmtree(card, ignore_errors=True)
    shutil.copytree(laid_out, card)
    if name == "recover":
        database = card / "record" / DATABASE
        database.write_bytes(bytes(100) + database.read_bytes()[100:])
    return [sys.executable, "-m", "uckers_table", *words_of(name, card)]


def throws_in(record):
    """How many throws the matches of a record have."""
    return [summary.throws for summary in Library(record).matches()]


def check(name, card, capsys):
    """The command is given again, and then everything is there."""
    record = card / "record"
    if name != "recover":
        kept = [throws_in(each) for each in card.glob("record*") if (each / DATABASE).exists()]
        assert any(each[:2] == [6, 6] for each in kept), f"a match is lost: {kept}"
    assert main(words_of(name, card)) == 0, capsys.readouterr().err
    if name == "import":
        assert throws_in(record) == [6, 6, 6], "once, whether the first try took it in or not"
    elif name == "backup":
        assert main(["restore", str(card / "stick"), "--record", str(card / "anew")]) == 0
        assert throws_in(card / "anew") == [6, 6]
    elif name == "restore":
        assert throws_in(record) == [6]
    assert (card / "stick").exists()


@pytest.mark.parametrize("name", ["import", "backup", "restore"])
def test_a_command_that_a_power_cut_ends_is_given_again_and_nothing_is_lost(laid_out, tmp_path, capsys, name):
    root, cut, draw = tmp_path / "card", tmp_path / "cut", random.Random(name)
    command = copy(laid_out, root, name)
    card = Card(root)
    calls = [call for call in recorded(command, root, tmp_path / "log") if call.what != "told"]
    looked_at = set(draw.sample(range(len(calls)), min(len(calls), CUTS // 3)))
    for place, call in enumerate(calls):
        card.do(call)
        if place in looked_at or (call.what in ("rename", "remove", "link") and CUTS > 100):
            for way in WAYS:
                card.lay_out(cut, way, draw)
                try:
                    check(name, cut, capsys)
                except Exception as error:
                    raise AssertionError(f"{way} at {place}, {call.what} {call.path}: {error}") from error


def left_when_told(command, root, tmp_path):
    """What the card surely holds when a command has said that it is done."""
    card = Card(root)
    for call in recorded(command, root, tmp_path / "log"):
        if call.what == "told":
            card.lay_out(tmp_path / "cut", "least", random.Random(0))
            return tmp_path / "cut"
        card.do(call)
    raise AssertionError("it said nothing")


@pytest.mark.parametrize("is_there", [True, False])
def test_a_record_that_is_said_to_be_back_is_on_the_card(laid_out, tmp_path, is_there):
    command = copy(laid_out, tmp_path / "card", "restore")
    if not is_there:
        shutil.rmtree(tmp_path / "card" / "record")
    cut = left_when_told(command, tmp_path / "card", tmp_path)
    assert throws_in(cut / "record") == [6]
    assert [throws_in(each) for each in cut.glob("record-before*")] == ([[6, 6]] if is_there else [])


def test_whoever_is_said_to_be_out_stays_out(tmp_path):
    root = tmp_path / "card"
    root.mkdir()
    (root / SESSIONS).write_text("{}")
    config = tmp_path / "table.toml"
    config.write_text(f'record = "{root}"')
    command = [sys.executable, "-m", "uckers_table", "pin", "--new", "--config", str(config)]
    assert not (left_when_told(command, root, tmp_path) / SESSIONS).exists()


def failures():
    """What fails: a command, a call, why, and after which part of all of its kind."""
    draw = random.Random(2)
    return [
        (draw.choice(COMMANDS), draw.choice(CALLS), draw.choice(REASONS), draw.random())
        for _ in range(FAILURES)
    ]


@pytest.mark.parametrize(("name", "call", "reason", "part"), failures())
def test_a_command_whose_card_refuses_says_one_line_and_loses_nothing(
    laid_out, tmp_path, capsys, name, call, reason, part
):
    root = tmp_path / "card"
    calls = recorded(copy(laid_out, root, name), root, tmp_path / "log")
    paths = {each.path for each in calls if each.what != "told" and not each.path.endswith("-shm")}
    number = 1 + int(part * (Counter(each.name for each in calls)[call] or 1))
    command = copy(laid_out, root, name)
    watched = [word for path in paths for word in ("-P", path)]
    failing = ["-e", f"inject={call}:error={reason}:when={number}"]
    ended = subprocess.run(
        ["strace", "-f", "-o", str(tmp_path / "log"), *watched, *failing, *command],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in ended.stderr
    assert ended.returncode in (0, 1, 2)
    assert ended.stderr.count("\n") <= 1
    if name != "recover" and ended.returncode:
        check(name, root, capsys)
