"""The display's pages beside this file, and that no words run off the panel.

Make the stored pages again with `python tests/announce/test_oled_pages.py`, and look at each one. They
are exact for one release of FreeType, which each file names.
"""

import doctest
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw, PngImagePlugin, features

from uckers_table.announce import oled
from uckers_table.announce.oled import SIZE, Headline, Notice, draw

FOLDER = Path(__file__).parent / "pages"
FREETYPE = str(features.version("freetype2"))
LONGEST = (
    "A yellow piece has moved from the ninth square after green's doorstep to the eleventh. Put it back."
)

PAGES = {
    "start": Headline("Uckers", "table", "http://192.168.4.1:8080"),
    "throw_off": Headline("RED", "to throw for start"),
    "to_throw": Headline("GREEN", "to throw"),
    "throw": Headline("YELLOW", "6 and 3", "1 more throw"),
    "challenge_1": Headline("1 of 3", note="Blue challenges"),
    "challenge_2": Headline("2 of 3", "One six wanted", "Touch wood"),
    "challenge_won": Headline("BLUE", "3 of 3", "Red's blob goes home", flash=True),
    "winner": Headline("YELLOW", "and red win", "Eight-piecer"),
    "illegal": Notice("ILLEGAL", "Red moved 7; the dice said 6 and 2."),
    "timber_shift": Notice("TIMBER SHIFT", LONGEST),
    "question": Notice("CHECK", "Check green's doorstep."),
    "out_of_step": Notice(
        "OUT OF STEP", "Press done to trust the board, or undo to rebuild it from the record."
    ),
    "cannot_see": Notice("I CAN'T SEE", "I can't tell the colours. Press the buttons, or wait."),
    "lost": Notice("TOWER LOST", "Dice from the camera."),
}

words = st.text(st.characters(codec="latin-1", categories=["L", "N", "P", "Zs"]), max_size=200)


def pixels(picture):
    return picture.convert("1").tobytes()


@pytest.mark.parametrize("name", PAGES)
def test_each_page_is_the_stored_one(name):
    with Image.open(FOLDER / f"{name}.png") as stored:
        if stored.info["freetype"] != FREETYPE:
            pytest.skip(f"stored with FreeType {stored.info['freetype']}, this is {FREETYPE}")
        assert pixels(draw(PAGES[name])) == pixels(stored)


def test_every_stored_page_belongs_to_a_test():
    assert {path.stem for path in FOLDER.glob("*.png")} == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_the_panel_takes_and_differs_from_all_others(name):
    picture = draw(PAGES[name])
    assert (picture.mode, picture.size) == ("1", SIZE)
    assert all(pixels(draw(page)) != pixels(picture) for other, page in PAGES.items() if other != name)


class Margins:
    """Draws on a larger sheet than the panel, so that what runs off can be seen."""

    def __init__(self, monkeypatch):
        self.sheet = Image.new("1", (SIZE[0] + 400, SIZE[1] + 400))
        pen = ImageDraw.Draw(self.sheet)

        class Shifted:
            fontmode = "1"

            def text(self, at, *args, **kwargs):
                pen.fontmode = "1"
                pen.text((at[0] + 200, at[1] + 200), *args, **kwargs)

            def rectangle(self, box, **kwargs):
                pen.rectangle(tuple(place + 200 for place in box), **kwargs)

        real = ImageDraw.Draw
        monkeypatch.setattr(
            oled.ImageDraw, "Draw", lambda picture: Shifted() if picture.size == SIZE else real(picture)
        )

    def outside(self, screen):
        """Where something is lit outside the panel; None when nothing is."""
        draw(screen)
        self.sheet.paste(0, (200, 200, 200 + SIZE[0], 200 + SIZE[1]))
        return self.sheet.getbbox()


@pytest.mark.parametrize("name", PAGES)
def test_no_page_runs_off_the_panel(name, monkeypatch):
    assert Margins(monkeypatch).outside(PAGES[name]) is None


@settings(max_examples=60, deadline=None)
@given(title=words, line=words, note=words)
def test_no_words_whatever_run_off_the_panel(title, line, note):
    with pytest.MonkeyPatch.context() as monkeypatch:
        margins = Margins(monkeypatch)
        assert margins.outside(Headline(title, line, note)) is None
        assert margins.outside(Notice(title, line)) is None


def test_the_longest_sentence_fits_whole_and_a_longer_one_is_seen_to_be_cut():
    width, height = SIZE[0], SIZE[1] - oled.BAR_PX - 2
    _, lines = oled._wrap(LONGEST, width, height)
    assert " ".join(lines) == LONGEST
    size, lines = oled._wrap(LONGEST * 3, width, height)
    assert size == oled.SMALLEST
    assert lines[-1].endswith("...")
    assert (LONGEST * 3).startswith(" ".join(lines).removesuffix("..."))


def test_a_word_longer_than_a_line_is_broken():
    _, lines = oled._wrap("x" * 60, 128, 50)
    assert "".join(lines) == "x" * 60
    assert len(lines) > 1


def test_a_seat_colour_can_be_read_across_a_table():
    # 2.42 inch: 27.5 mm over 64 rows. Five millimetres of letter for each metre, over 1.2 m.
    needed_px = 1.2 * 5 / (27.5 / 64)
    for colour in ("RED", "GREEN", "YELLOW", "BLUE", "WHITE", "BLACK"):
        top, bottom = draw(Headline(colour)).getbbox()[1::2]
        assert bottom - top >= needed_px
        top, bottom = draw(Headline(colour, "6 and 3", "1 more throw")).crop((0, 0, 128, 30)).getbbox()[1::2]
        assert bottom - top >= needed_px


def test_a_flash_is_the_same_picture_the_other_way_round():
    plain, flash = (draw(Headline("BLUE", "3 of 3", flash=flash)) for flash in (False, True))
    assert pixels(flash) == pixels(ImageChops.invert(plain))


def test_the_example_in_the_documentation():
    assert doctest.testmod(oled).failed == 0


def make_pages():
    """Write every page again, with the release of FreeType that drew it."""
    FOLDER.mkdir(exist_ok=True)
    about = PngImagePlugin.PngInfo()
    about.add_text("freetype", FREETYPE)
    for name, screen in PAGES.items():
        draw(screen).save(FOLDER / f"{name}.png", pnginfo=about)


if __name__ == "__main__":
    make_pages()
