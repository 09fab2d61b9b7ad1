"""How far something has got that takes a while: one shape for whoever does it and whoever shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What is being done, "Copying", and how far it has got: `done` of `of` `things`.

    Without `things`, `done` is the number of the step and `of` how many steps there are.
    """

    what: str
    done: int
    of: int
    things: str = ""

    @property
    def percent(self) -> int:
        """The share that is done, rounded down."""
        return 100 * self.done // self.of if self.of else 100

    @property
    def in_words(self) -> str:
        """In a line for people: "Copying: 3 of 16 files", "Reading the file (step 1 of 3)"."""
        if self.things:
            return f"{self.what}: {self.done} of {self.of} {self.things}"
        return f"{self.what} (step {self.done} of {self.of})" if self.of > 1 else self.what


Tell = Callable[[Progress], None]
"""What is told of each step; it returns at once and raises nothing."""


def tell_nobody(progress: Progress) -> None:
    """Where nobody watches."""


def each_percent(tell: Tell) -> Tell:
    """Tells only of what is another percentage, or another thing to do: a record has fifty thousand files."""
    told: tuple[str, int] | None = None

    def tell_some(progress: Progress) -> None:
        nonlocal told
        if (progress.what, progress.percent) != told:
            told = progress.what, progress.percent
            tell(progress)

    return tell_some
