"""What the documents tell people to type exists, and every command is documented."""

import os
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest

from tools import fit
from tools.fits.data import load
from uckers_table.announce.sentences import notice_sentence
from uckers_table.announce.tower_sentences import TOWER_SENTENCES
from uckers_table.commands import cli
from uckers_table.game.board import Board
from uckers_table.machine.health import Health, warnings
from uckers_table.referee.rulings import Notice, NoticeKind

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    path for path in ROOT.rglob("*.md") if not {".venv", ".git", "dist"} & set(path.relative_to(ROOT).parts)
)
COMMANDS = cli.parser()._subparsers._group_actions[0].choices


def typed(path):
    """Lines of the fenced `sh` blocks of a document, continued lines joined."""
    for block in re.findall(r"^```sh\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


CASES = [
    pytest.param(line, id=f"{path.relative_to(ROOT)}: {line}"[:75])
    for path in DOCUMENTS
    for line in typed(path)
]


@pytest.mark.parametrize("line", CASES)
def test_every_line_that_a_document_tells_one_to_type_exists(line):
    words = shlex.split(line, comments=True)
    while words and ("=" in words[0] or words[0] == "sudo"):
        words = words[1:]
    if words[0] == "make":
        targets = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert {word for word in words[1:] if "=" not in word} <= set(targets)
    elif words[0] in ("uckers-table", ".venv/bin/uckers-table"):
        cli.parser().parse_args(words[1:])
    elif words[1:3] == ["-m", "tools.fit"]:
        fit.arguments(load(), words[3:])
    elif words[0].startswith("scripts/"):
        assert os.access(ROOT / words[0], os.X_OK)
    elif Path(words[0]).name == "python" and words[1] == "-m":
        assert find_spec(words[2])
    else:
        assert words[0] in {
            "git",
            "cd",
            "install",
            "apt-get",
            "./install.sh",
            "/opt/uckers-table/install.sh",
            "systemctl",
            "journalctl",
            "python",
            ".venv/bin/python",
            ".venv/bin/pytest",
        }, "a command that nothing checks: teach this test to"


def in_passing(path):
    """What a document names in a line of its text: commands, often without what they are given, and files."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for words in re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", text):
        yield " ".join(words.split())


NAMED = sorted({(path, words) for path in DOCUMENTS for words in in_passing(path)})


@pytest.mark.parametrize(
    "words", sorted({words for _, words in NAMED if re.match(r"(sudo |.venv/bin/)?uckers-table ", words)})
)
def test_a_command_that_is_named_in_passing_exists_with_its_options(words):
    parser = cli.parser()
    for word in shlex.split(words.removeprefix("sudo "))[1:]:
        if word.startswith("--"):
            assert word in parser._option_string_actions
        elif parser._subparsers is not None:
            parser = parser._subparsers._group_actions[0].choices[word]


@pytest.mark.parametrize("words", sorted({words for _, words in NAMED if words.startswith("make ")}))
def test_a_target_that_is_named_in_passing_exists(words):
    assert re.search(rf"^{words.split()[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


OURS = (
    "tests/",
    "scripts/",
    "bench/",
    "docs/",
    "systemd/",
    "calibration/",
    "install/",
    "firmware/",
    "uckers_table/",
    "tools/",
)


@pytest.mark.parametrize(
    ("path", "file"),
    sorted(
        {
            (path, file)
            for path, words in [*NAMED, *((path, line) for path in DOCUMENTS for line in typed(path))]
            for file in words.split()
            if file.startswith(OURS) and re.fullmatch(r"[\w./-]+", file)
        }
    ),
    ids=lambda each: str(each.relative_to(ROOT)) if isinstance(each, Path) else each,
)
def test_files_of_the_project_that_are_named_are_there(path, file):
    assert (ROOT / file).exists() or (path.parent / file).exists()


def test_the_readme_shows_the_two_commands():
    lines = list(typed(ROOT / "README.md"))
    assert "make demo" in lines
    assert "make test" in lines


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_is_on_the_page_of_commands(command):
    assert ["uckers-table", command] in [line.split()[:2] for line in typed(ROOT / "docs/commands.md")]


README_WORDS, PAGE_WORDS = 900, 3000
"""The most words, as `wc -w` counts them: a newcomer reads the README in one sitting, a page in another."""
POINT_LINES, LINE_CHARACTERS = 2, 110
"""The most that a point of the changelog may have: an owner reads it at a glance."""


def test_the_readme_is_read_in_one_sitting():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= README_WORDS


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("**/*.md")), ids=lambda path: path.name)
def test_no_page_is_a_book(path):
    assert len(path.read_text(encoding="utf-8").split()) <= PAGE_WORDS


def test_points_of_the_changelog_have_two_lines_at_most():
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > LINE_CHARACTERS] == []
    points = re.findall(r"^- .*(?:\n(?!- |#).*)*", "\n".join(lines), re.MULTILINE)
    assert [point for point in points if len(point.rstrip().split("\n")) > POINT_LINES] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_within_the_project_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def test_whatever_the_tower_says_is_in_troubleshooting():
    text = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    assert [words for words in TOWER_SENTENCES.values() if f"| {words} |" not in text] == []


@pytest.mark.parametrize("trouble", ["too_dark", "colours_indistinct", "board_not_found", "occluded"])
def test_whatever_keeps_it_from_seeing_is_in_troubleshooting(trouble):
    said = notice_sentence(Notice(NoticeKind.CANNOT_SEE, trouble), Board())
    assert f"| {said} |" in (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")


def test_whatever_is_serious_about_the_machine_is_in_troubleshooting():
    worst = Health(
        temperature_c=95.0,
        is_under_voltage=True,
        disk_free_mb=1.0,
        memory_free_mb=1.0,
        is_card_read_only=True,
    )
    text = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    assert len(warnings(worst)) == 5
    assert [notice.title for notice in warnings(worst) if f"| {notice.title} |" not in text] == []
