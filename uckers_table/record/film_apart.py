"""The film of a match, drawn in a process of its own: `python -m uckers_table.record.film_apart FORM`.

It reads a match, pickled, and writes the film. On its standard error it says after each picture how many of
how many are done, or in one line why there is no film. Whoever starts it may kill it at any time. It gives
way to all that the machine has to do otherwise.
"""

from __future__ import annotations

import os
import pickle
import resource
import sys
from contextlib import suppress

from uckers_table.errors import UckersTableError
from uckers_table.machine.progress import Progress
from uckers_table.record.film import film_parts

MOST_BYTES = 256 * 2**20
"""Of addresses that it may use; of memory it takes a tenth."""
MOST_S = 300
"""Of the processor. A long match takes half a minute on the slowest Raspberry Pi."""

NO_FILM = 2
"""The exit status where the match has no film; why is on the standard error."""


def limit() -> None:
    """Take no more than is due; a service may be allowed to set no limits, and is watched from outside."""
    with suppress(OSError, ValueError):
        os.nice(19)
    for what, most in ((resource.RLIMIT_AS, MOST_BYTES), (resource.RLIMIT_CPU, MOST_S)):
        with suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))


def _tell(progress: Progress) -> None:
    print(progress.done, progress.of, file=sys.stderr, flush=True)


def run(form: str = "gif") -> int:
    """Draw the film of the match that comes in, in one of `moving.FORMS`. The exit status."""
    limit()
    match = pickle.load(sys.stdin.buffer)
    try:
        for part in film_parts(match, _tell, form):
            sys.stdout.buffer.write(part)
    except UckersTableError as error:
        print(error, file=sys.stderr)
        return NO_FILM
    sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(run(*sys.argv[1:]))
