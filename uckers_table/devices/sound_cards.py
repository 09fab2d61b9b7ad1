"""Sound cards that can play, found by name: their numbers change with every start and every lead pulled.

A camera's microphone is a card too, with the driver of a USB speaker. Such a card is none here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from uckers_table.errors import DeviceError

CARDS = Path("/proc/asound/cards")
"""Where Linux lists them."""
_DEVICES = "pcm"
"""The file beside it, where Linux lists what each card can do."""
_PLAYS = re.compile(r"^(?P<number>\d+)-\d+: .*: playback \d+(?: : capture \d+)?$", re.MULTILINE)
_ENTRY = re.compile(
    r"^ *(?P<number>\d+) \[(?P<id>\S+) *\]: (?P<driver>\S+) - (?P<name>.*)\n(?P<full> .*)", re.MULTILINE
)


@dataclass(frozen=True)
class SoundCard:
    """A card: the word that ALSA knows it by, its driver, and what its maker calls it."""

    id: str
    driver: str
    name: str

    @property
    def device(self) -> str:
        """The ALSA device that plays on it whatever a sound's rate and channels are."""
        return f"plughw:CARD={self.id}"

    @property
    def shared(self) -> str:
        """The same, where several programs play at a time."""
        return f"plug:'dmix:CARD={self.id}'"


def sound_cards(listing: str, devices: str | None = None) -> tuple[SoundCard, ...]:
    """The cards in the text of `CARDS` that can play, as the text of `pcm` beside it has it; without that
    text, all cards."""
    playing = None if devices is None else {int(found["number"]) for found in _PLAYS.finditer(devices)}
    return tuple(
        SoundCard(found["id"], found["driver"], f"{found['name']} {found['full'].strip()}")
        for found in _ENTRY.finditer(listing)
        if playing is None or int(found["number"]) in playing
    )


def find_card(wanted: str, listing: Path = CARDS) -> SoundCard | None:
    """The card that plays and whose id or name has `wanted` in it, in any case; without a name, the first USB
    card that plays.

    None, without a name, where there is no USB card: the system's default will do. DeviceError, with the
    cards that there are, when none is called so.
    """
    # A system without sound cards may still have a default to play on, over the network for one.
    cards = _listed(listing)
    if not wanted:
        return next((card for card in cards if card.driver == "USB-Audio"), None)
    exact = [card for card in cards if card.id == wanted]
    for card in exact or cards:
        if wanted.lower() in f"{card.id} {card.name}".lower():
            return card
    there = ", ".join(f"{card.id} ({card.name})" for card in cards) or "none at all"
    raise DeviceError(
        f"no sound card that can play is called {wanted!r}; there are: {there}. Is the speaker plugged in?"
    )


def cards_there(listing: Path = CARDS) -> tuple[str, ...]:
    """The words by which ALSA knows the cards that are there and can play; `find_card` finds each by it."""
    return tuple(card.id for card in _listed(listing))


def _listed(listing: Path) -> tuple[SoundCard, ...]:
    text = _text(listing)
    return () if text is None else sound_cards(text, _text(listing.with_name(_DEVICES)))


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
