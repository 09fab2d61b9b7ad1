"""A match with two accusations, whose pictures are kept while somebody writes down what happens to the card.

    python -m tests.gallery_to_cut FOLDER

It prints the name of each picture once the record names it: from then on a phone is shown it.
"""

import sys
from contextlib import closing
from pathlib import Path

import numpy as np

from tests.patience import until
from uckers_table.devices.base import Frame
from uckers_table.keeping.gallery import Gallery, RulingEvidence
from uckers_table.machine.moment import Moment
from uckers_table.record.match_record import Ruled, Terms
from uckers_table.record.store import MatchStore
from uckers_table.record.thinning import Budget


def frame(t):
    """A small picture, another at each time."""
    return Frame(t, np.full((24, 32, 3), int(2 * t), np.uint8))


def accused(t):
    """An accusation, on record."""
    return Ruled(t, "illegal", None, "red", "", {"red": (0, 0, 0, 0)}, "red", "throw")


def main(folder):
    """Begin a match, accuse at 10 s and at 20 s, and hand in two frames a second until 24 s."""
    with closing(MatchStore(folder)) as store:
        number = store.new_number()
        store.begin_match(number, Terms("br4006", seats=("red",)), Moment(None, "boot", 0.0))
        store.append(number, [accused(10.0), accused(20.0)])
        gallery, told = Gallery(folder, number, Budget()), set()
        for t in (k / 2 for k in range(10, 49)):
            gallery.glance(frame(t))
            if t in (10.0, 20.0):
                gallery.keep(RulingEvidence(round(t / 10), "illegal", frame(t), True, frame(t - 1.0)))
            until(lambda: not gallery._work.qsize())
            for file in sorted(store.pictures_of(number) - told):
                print(file, flush=True)
                told.add(file)
        gallery.close()
        for file in sorted(store.pictures_of(number) - told):
            print(file, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
