"""A film of a minute: how long each picture is shown, and that dice and words are whole."""

import io

import pytest
from PIL import Image, ImageChops

from tests.record.simulated_matches import simulated_match
from tests.record.test_statistics import BASE, match
from uckers_table.record import film as filming
from uckers_table.record.film import DIE_PX, EDGE_PX, END_MS, MOMENT_MS, MOST_MS, film, paces
from uckers_table.record.match_record import Moved, Ruled, Thrown
from uckers_table.record.moments import moments_of
from uckers_table.record.moving import FORMS


def play(number, say="", **facts):
    return Ruled(float(number), "legal", None, "red", say, BASE, "red", "throw", **facts)


def ucking(number, steps):
    return play(number, moves=(Moved("green", steps, 0),))


def scenes_of(*entries):
    return list(filming._scenes(match(*entries)))


def opened(content):
    return Image.open(io.BytesIO(content))


def shown_ms(content):
    with opened(content) as moving:
        for at in range(moving.n_frames):
            moving.seek(at)
            # Of a WebP, it is known once it has been read.
            moving.load()
            yield moving.info["duration"]


def frames(content):
    with opened(content) as moving:
        for at in range(moving.n_frames):
            moving.seek(at)
            yield moving.convert("RGB")


def test_moments_are_shown_a_second_each_and_the_rest_in_what_a_minute_leaves():
    entries = [play(at) for at in range(200)]
    entries[50], entries[150] = ucking(50, 20), ucking(150, 3)
    shown = paces(scenes_of(*entries))
    assert {at: ms for at, ms in enumerate(shown) if ms != 270} == {
        50: MOMENT_MS,
        150: MOMENT_MS,
        199: END_MS,
    }
    assert sum(shown) <= 60_000


def test_a_short_match_takes_no_minute():
    assert paces(scenes_of(*map(play, range(9)), ucking(9, 3), play(10))) == [
        *([MOST_MS] * 9),
        *(MOMENT_MS, END_MS),
    ]


def test_where_a_minute_has_no_room_for_all_moments_the_least_are_quick():
    accused = Ruled(0.5, "illegal", "wrong_count", "red", "", BASE, "red", "throw")
    entries = [accused, *(ucking(at, 1 + at % 50) for at in range(1, 100)), play(100)]
    shown = paces(scenes_of(*entries))
    assert sum(shown) <= 60_000
    moments = [at for at, ms in enumerate(shown) if ms == MOMENT_MS]
    assert 0 in moments, "an accusation is more than an ucking"
    lost = [1 + at % 50 for at in moments[1:]]
    others = [1 + at % 50 for at in range(1, 100) if at not in moments]
    assert len(moments) > 50
    assert min(lost) >= max(others)


def test_a_match_longer_than_a_minute_of_pictures_is_as_quick_as_can_be():
    shown = paces(scenes_of(*map(play, range(2000)), ucking(2001, 9), play(2002)))
    assert set(shown) == {filming.LEAST_MS, END_MS}


@pytest.mark.parametrize("form", FORMS)
def test_a_simulated_match_is_a_film_of_a_minute_at_most(form):
    record = simulated_match("br4006", 5, throws=200)
    content = film(record, form=form)
    shown = list(shown_ms(content))
    scenes = list(filming._scenes(record))
    assert shown == paces(scenes)
    assert sum(shown) <= 60_000
    moments = {moment.number for moment in moments_of(record)}
    assert sum(bool(scene.kinds) for scene in scenes) == len(moments)
    assert shown.count(MOMENT_MS) == len([scene for scene in scenes[:-1] if scene.kinds])


def test_both_forms_show_the_same_pictures():
    record = simulated_match("br4006", 5, throws=30)
    gif, webp = (list(frames(film(record, form=form))) for form in FORMS)
    assert len(gif) == len(webp)
    for one, other in zip(gif, webp, strict=True):
        assert ImageChops.difference(one, other).getbbox() is None


def captioned(*entries):
    """The last picture of a film, what is under the board."""
    *_, last = frames(film(match(*entries)))
    return last.crop((0, 360, *last.size))


def dark(picture):
    return sum(picture.convert("L").point(lambda level: level < 100).histogram()[1:])


def test_all_words_of_a_ruling_are_there_however_many_they_are():
    words = "A red piece moved 4 on and stands three on from green's doorstep. "
    short, long = (captioned(play(1, say=words * times)) for times in (1, 3))
    assert long.height > short.height
    inks = [dark(each.crop((0, EDGE_PX + DIE_PX, *each.size))) for each in (short, long)]
    assert inks[1] == pytest.approx(3 * inks[0], rel=0.04)
    assert dark(beyond_the_edge(long)) == 0


def beyond_the_edge(caption):
    return caption.crop((360 - EDGE_PX + 1, 0, 360, caption.height))


def test_a_word_longer_than_a_line_is_broken_and_one_longer_than_all_is_cut():
    broken = captioned(play(1, say="w" * 90))
    assert dark(beyond_the_edge(broken)) == 0
    endless = captioned(play(1, say="w" * 100_000))
    assert endless.height <= 2 * EDGE_PX + DIE_PX + filming.MOST_LINES * filming.LINE_PX


@pytest.mark.parametrize("dice", [(1, 6), (2, 5), (3,), ()])
def test_dice_are_drawn_with_their_pips(dice):
    thrown = Thrown(0.5, "red", dice, "good" if dice else "cocked")
    shown = captioned(thrown, play(1))
    for at, value in enumerate(dice):
        left = EDGE_PX + at * (DIE_PX + 4)
        inside = shown.crop((left + 3, EDGE_PX + 3, left + DIE_PX - 3, EDGE_PX + DIE_PX - 3))
        assert dark(inside) / 21 == pytest.approx(value, abs=0.4)
