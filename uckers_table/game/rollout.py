"""Playing matches out: for rollouts, simulators and statistics.

Nothing is seen here, nothing ruled and nothing said; but plays are listed, and what follows from them is
worked out, by the very functions that judge a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from uckers_table.game import judging, playing, throws
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match
from uckers_table.game.plays import NOTHING_MOVED, Offer, Play
from uckers_table.game.turn import Piece

ChoosePlay = Callable[[Sequence[Play]], Play]
"""Picks one of several plays."""
ChooseChallenger = Callable[[Sequence[Piece]], Piece | None]
"""Picks the piece (seat, steps) that challenges, or nobody."""


def nobody(_: Sequence[Piece]) -> None:
    """Never challenges, where it need not."""


def play_throw(
    match: Match, dice: tuple[int, ...], choose: ChoosePlay, challenger: ChooseChallenger = nobody
) -> Match:
    """The state after a throw by the side to play and what it chose to do with it.

    A throw that is for anything but a play (for a challenge, a suckback, the gate …) does what it does.
    RulesError for impossible dice.
    """
    situation = match.situation
    if throws.is_for_playing(match, dice) and situation.movers:
        offer = throws.offer_of(match, situation, dice)
        return _decided(throws.counted(match, dice), offer, choose, challenger)
    thrown = playing.throw(match, dice).match
    while thrown.offer is not None:
        thrown = _decided(thrown, thrown.offer, choose, challenger)
    return thrown


def _decided(match: Match, offer: Offer, choose: ChoosePlay, challenger: ChooseChallenger) -> Match:
    """The match after a decision what to do with the throw in hand."""
    if offer.challengers:
        piece = offer.challengers[0] if offer.must_challenge else challenger(offer.challengers)
        if piece is not None:
            offered = replace(match, awaiting=Awaiting.PLAY, offer=offer)
            return playing.call(offered, Call("challenge", *piece)).match
    play = choose(offer.plays) if offer.plays else NOTHING_MOVED
    if not play:
        return throws.spent(match).match
    return judging.made(match, offer.lister.after(play), play).match
