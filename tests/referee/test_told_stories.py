"""The stories of `tests/referee/stories`, told to the referee.

`not_yet.toml` names those that do not hold yet, by what happens instead. One that comes to hold must go from
there.
"""

import tomllib
from pathlib import Path

import pytest

from tests.referee.reading_stories import read_all
from tests.referee.telling_stories import tell

STORIES = [story for chapter in read_all() for story in chapter.stories]
GROUPS = tomllib.loads((Path(__file__).parent / "not_yet.toml").read_text(encoding="utf-8"))["group"]
NOT_YET = {story for group in GROUPS for story in group["stories"]}


def test_only_stories_that_are_told_are_named_and_each_once():
    named = [story for group in GROUPS for story in group["stories"]]
    assert sorted(named) == sorted(NOT_YET)
    assert {story.id for story in STORIES} >= NOT_YET
    assert all(group["instead"] for group in GROUPS)


@pytest.mark.parametrize("story", [pytest.param(each, id=each.id) for each in STORIES])
def test_story(story):
    if story.id in NOT_YET:
        with pytest.raises(AssertionError):
            tell(story)
    else:
        tell(story)
