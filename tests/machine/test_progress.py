"""How far something has got, in words and in as few of them as people can follow."""

import pytest

from uckers_table.machine.progress import Progress, each_percent


@pytest.mark.parametrize(
    ("progress", "words"),
    [
        (Progress("Copying", 3, 16, "files"), "Copying: 3 of 16 files"),
        (Progress("Reading the file", 1, 3), "Reading the file (step 1 of 3)"),
        (Progress("Finding the board", 1, 1), "Finding the board"),
    ],
)
def test_progress_is_said_in_words(progress, words):
    assert progress.in_words == words


def test_of_fifty_thousand_files_each_percent_is_told_once():
    told = []
    tell = each_percent(told.append)
    for number in range(1, 50_001):
        tell(Progress("Copying", number, 50_000, "files"))
    tell(Progress("Finishing", 1, 1))
    assert [each.percent for each in told] == [*range(101), 100]
    assert told[-1].what == "Finishing"
