"""The pictures in README, docs and page show what the program shows. One that is old is named."""

from pathlib import Path

import pytest

from tests.web.browsing import CHROMIUM, needs_chromium
from tools.pictures.browser import browser_open
from tools.pictures.evening import caught
from tools.pictures.making import (
    COMMAND,
    DEMO,
    DISPLAY,
    ICON,
    PHONES,
    PICTURES,
    ROOT,
    made_from,
    shown_at,
    why_old,
)

OF_A_SOAK = "docs/endurance.png"
"""It shows an hour of `make soak`, and is as old as that."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """What screen and phone show at the moment of the pictures; the phone's page only where Chromium is."""
    folder = tmp_path_factory.mktemp("evening")
    if CHROMIUM is None:
        return shown_at(caught(folder, is_painted=False, browser=None))
    with browser_open() as browser:
        return shown_at(caught(folder, is_painted=False, browser=browser))


@pytest.mark.parametrize("file", [DISPLAY, ICON])
def test_a_picture_of_what_lies_in_the_program_is_not_old(file):
    assert why_old(file, made_from()[file]) == ""


def test_the_picture_of_the_terminal_is_not_old(shown):
    assert why_old(DEMO, shown[DEMO]) == ""


@needs_chromium
@pytest.mark.parametrize("file", PHONES)
def test_a_picture_of_the_page_is_not_old(shown, file):
    assert why_old(file, shown[file]) == ""


def test_every_picture_has_its_source():
    kept = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.png")}
    kept |= {path.relative_to(ROOT).as_posix() for path in ROOT.glob("uckers_table/web/static/*.png")}
    assert kept == {*PICTURES, OF_A_SOAK}


def test_pictures_are_small_enough_to_carry():
    sizes = {file: (ROOT / file).stat().st_size for file in PICTURES}
    assert max(sizes.values()) < 300_000, sizes
    assert max(sizes[file] for file in PHONES) < 100_000, sizes


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (DISPLAY, f"{DISPLAY} is old, the program shows something else: `{COMMAND}`"),
        ("docs/no.png", f"docs/no.png is not there: `{COMMAND}` makes it"),
    ],
    ids=["old", "not there"],
)
def test_an_old_picture_is_told_in_one_line_with_the_command(file, said):
    assert why_old(file, made_from()[DISPLAY] + " and one word more") == said
    assert f"\n{COMMAND.removeprefix('make ')}:" in (Path(ROOT) / "Makefile").read_text()
