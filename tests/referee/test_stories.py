"""The stories of `tests/referee/stories` are told, and their README lists them."""

import pytest

from tests.referee.reading_stories import STORIES, read_all
from tests.referee.telling_stories import index, tell

CHAPTERS = read_all()


@pytest.mark.parametrize(
    "story", [pytest.param(story, id=story.id) for chapter in CHAPTERS for story in chapter.stories]
)
def test_story(story):
    tell(story)


def test_the_readme_lists_all_stories():
    assert (STORIES / "README.md").read_text(encoding="utf-8") == index(CHAPTERS)
