"""Has all matches of a record counted, as the page does before it tells of them."""

from uckers_table.record.counted import Counted


def all_counted(library):
    counted = Counted(library)
    count_rest(counted)
    return counted


def count_rest(counted):
    """Count what is new. Which matches those are."""
    numbers = counted.uncounted()
    for number in numbers:
        counted.count(number)
    return numbers
