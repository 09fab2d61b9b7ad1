"""Pictures from anywhere: decoded and read, or refused in a line, and no larger than a camera's."""

import cv2
import numpy as np
import pytest

from tests.fuzz.mangling import chances, fuzzed, mangled, said_in_one_line
from tests.rendered_table import table as table
from uckers_table.errors import CalibrationError, InputError
from uckers_table.foreign.pictures import MOST_PIXELS, decoded
from uckers_table.vision.calibrate import calibrate
from uckers_table.vision.picture.files import load_picture
from uckers_table.vision.reader import Reader

WAYS = (".jpg", ".png", ".bmp", ".webp")


@pytest.fixture(scope="module")
def small(table):
    """A small picture in each format."""
    picture = cv2.resize(table.renderer.start, (320, 180), interpolation=cv2.INTER_AREA)
    return {way: cv2.imencode(way, picture)[1].tobytes() for way in WAYS}


@fuzzed(300, chance=chances)
def test_a_mangled_picture_is_decoded_within_bounds_or_refused(small, chance):
    content = mangled(small[chance.choice(WAYS)], chance)
    try:
        picture = decoded(content)
    except InputError:
        return
    assert (picture.dtype, picture.ndim, picture.shape[2]) == (np.uint8, 3, 3)
    assert picture.shape[0] * picture.shape[1] <= MOST_PIXELS


def strange(picture, chance):
    """A picture that no camera of the table took, of another size if that may be."""
    height, width = picture.shape[:2]
    noise = np.random.default_rng(chance.randrange(2**32))
    match chance.randrange(7):
        case 0:
            dots = np.zeros((height, width), bool)
            step = chance.choice((2, 3, 4, 6, 10))
            dots[::step, ::step] = True
            dots = cv2.dilate(dots.astype(np.uint8), np.ones((step // 2 + 1, step // 2 + 1))) > 0
            return np.where(dots[..., None], 255 - picture, picture)
        case 1:
            return noise.integers(0, 256, picture.shape, np.uint8)
        case 2:
            return np.full_like(picture, chance.randrange(256))
        case 3:
            grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
            return np.asarray(cv2.addWeighted(grey, chance.random(), picture, chance.random(), 0), np.uint8)
        case 4:
            return np.ascontiguousarray(np.roll(picture, chance.randrange(width), axis=chance.randrange(2)))
        case 5:
            patch = picture.copy()
            top, left = chance.randrange(height), chance.randrange(width)
            patch[top : top + 200, left : left + 300] = noise.integers(0, 256, 3)
            return patch
        case _:
            return np.where(noise.random((height, width, 1)) < 0.5, np.uint8(0), np.uint8(255)).repeat(3, 2)


@fuzzed(12, chance=chances)
def test_a_strange_frame_of_the_table_is_read(table, chance):
    picture = strange(table.renderer.start, chance)
    sighting = table.reader.read(picture)
    assert 0 <= sighting.confidence <= 1


@fuzzed(15, chance=chances)
def test_a_strange_photo_of_dice_is_read_or_refused_in_a_line(tmp_path_factory, table, chance):
    picture = strange(table.renderer.start, chance)
    size = chance.choice((1, 2, 7, 8, 9, 40, 300, 1000)), chance.choice((1, 8, 50, 500, 4000))
    picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    file = tmp_path_factory.mktemp("photo") / "photo.png"
    cv2.imwrite(str(file), picture)
    said_in_one_line("dice", "--json", file)


@fuzzed(6, chance=chances)
def test_strange_pictures_calibrate_a_table_or_are_refused_in_a_line(table, chance):
    pair = [table.renderer.empty, table.renderer.start]
    place = chance.randrange(2)
    pair[place] = strange(pair[place], chance)
    try:
        profile = calibrate(*pair, table.profile.seats)
    except (CalibrationError, InputError) as error:
        assert len(str(error).splitlines()) == 1
    else:
        Reader(profile)


def test_the_pictures_to_be_mangled_are_good_ones(small, tmp_path):
    for way, content in small.items():
        (tmp_path / f"small{way}").write_bytes(content)
        assert load_picture(tmp_path / f"small{way}").shape == (180, 320, 3)
