"""What the page shows of the table at this moment: put together from match, devices and camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.announce.in_full import in_full
from uckers_table.announce.oled import Screen, letters
from uckers_table.announce.pages import call_words, owed
from uckers_table.announce.rules_in_words import edition, rule_differences, spoken_value
from uckers_table.announce.sentences import which_is_meant
from uckers_table.announce.taking_back import matter_in_words, what_stays
from uckers_table.announce.words import board_in_words
from uckers_table.config import Config
from uckers_table.devices.base import BgrImage
from uckers_table.errors import RulesError
from uckers_table.game.board import PIECES, Board
from uckers_table.game.events import Awaiting
from uckers_table.game.explain import open_instead
from uckers_table.game.match import Match
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.ruling import Ruling
from uckers_table.game.setting import GEOMETRY
from uckers_table.game.turn import Piece
from uckers_table.machine.health import Health
from uckers_table.machine.messages import Reminder
from uckers_table.referee.referee import Referee
from uckers_table.referee.taking_back import at_stake, throw_at_stake
from uckers_table.sighting import Sighting
from uckers_table.table.refereeing import Refereeing
from uckers_table.web.feed import (
    CalibrationProgress,
    CardLine,
    Choice,
    DeviceLine,
    FindingLine,
    LastSeen,
    OpenAccusation,
    OpenCall,
    Snapshot,
    TableSettings,
    TableState,
    TakeBackLine,
    TryingOut,
)

PICTURE_WIDTH = 1152
"""Of the camera's picture on the page, in pixels: a phone in the hand shows no more of it."""
JPEG_QUALITY = 80
UNREAD = "These rules cannot be read any more: their file is gone, or torn."


@dataclass(frozen=True)
class CameraShot:
    """Implements `web.feed.Shot`: a frame, and how what is seen in it is drawn on it."""

    number: int
    image: BgrImage
    mark: Callable[[BgrImage], BgrImage]

    def jpeg(self, *, marked: bool) -> bytes:
        """The picture, no larger than a page needs."""
        image = self.mark(self.image) if marked else self.image
        height, width = image.shape[:2]
        if width > PICTURE_WIDTH:
            size = (PICTURE_WIDTH, round(height * PICTURE_WIDTH / width))
            image = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        return jpeg.tobytes()


@dataclass(frozen=True)
class Around:
    """What the page shows of the table whatever is played at it: see `web.feed.Snapshot`."""

    screen: Screen
    devices: tuple[DeviceLine, ...]
    card: tuple[CardLine, ...]
    trying_out: TryingOut
    settings: TableSettings
    findings: tuple[FindingLine, ...]
    health: Health
    frame: int = 0
    sighting: Sighting | None = None
    strange_in: str = ""
    calibration: CalibrationProgress | None = None
    backup: str = ""
    reminders: tuple[Reminder, ...] = ()
    leaving: str = ""


class Showing:
    """Puts snapshots together; what has not changed since the last is not worked out again."""

    def __init__(self) -> None:
        self._config: Config | None = None
        self._board = Board()
        self._differs: tuple[str, ...] = ()
        self._match: Match | None = None
        self._calls: tuple[OpenCall, ...] = ()
        self._accused: Ruling | None = None
        self._legal: tuple[Piece, ...] | None = None
        self._screen: Screen | None = None
        self._lines: tuple[str, ...] = ()

    def snapshot(
        self, config: Config, state: TableState, refereeing: Refereeing | None, around: Around
    ) -> Snapshot:
        """The table as it is; `refereeing` is the match that is on, or the one before."""
        seen = around.sighting
        self._read(config)
        snapshot = Snapshot(
            state,
            rules=config.rules,
            options=config.options,
            differs=self._differs,
            players=config.players,
            board=self._board,
            names=config.names,
            loudness=config.loudness.value,
            dice_from=config.dice,
            screen=self._as_text(around.screen),
            devices=around.devices,
            card=around.card,
            trying_out=around.trying_out,
            settings=around.settings,
            findings=around.findings,
            health=around.health,
            frame=around.frame,
            calibration=around.calibration,
            backup=around.backup,
            reminders=around.reminders,
            leaving=around.leaving,
            seen=None
            if seen is None
            else LastSeen(seen, _count(seen), len(config.seats) * PIECES, around.strange_in),
        )
        return self._with_match(snapshot, refereeing) if refereeing is not None else snapshot

    def _with_match(self, snapshot: Snapshot, refereeing: Refereeing) -> Snapshot:
        referee = refereeing.told
        match = referee.match
        board = match.board
        is_owed = match.awaiting is Awaiting.PLAY
        return replace(
            snapshot,
            match=refereeing.number,
            moment=refereeing.moment,
            board=board,
            position=match.position,
            to_play=match.to_play,
            awaiting=match.awaiting.value,
            throw=match.thrown if is_owed else (),
            dice_wanted=match.dice_due,
            owed=owed(match),
            extra=match.extra,
            plays=tuple(match.plays) if is_owed else (),
            calls=self._open(match) if snapshot.state is TableState.PLAYING else (),
            accused=self._accusation(refereeing),
            question=_question(referee, board),
            choices=tuple(
                Choice(number, call_words(call, board))
                for number, call in sorted(numbered(referee.choices).items())
            ),
            is_asking=referee.is_asking,
            is_out_of_step=referee.is_out_of_step,
            ways_out=_ways_out(referee) if referee.is_out_of_step else (),
            lit=refereeing.lit if snapshot.state is TableState.PLAYING else frozenset(),
            take_back=_take_back(referee),
            asks_back=refereeing.asks_back.number if refereeing.asks_back is not None else None,
            put_back=matter_in_words(referee.undone[-1].matter, board) if referee.undone else "",
            rulings=refereeing.latest,
            spoken=refereeing.spoken,
            winner=tuple(board.seats[seat] for seat in match.winner),
            honours=match.honours,
        )

    def _read(self, config: Config) -> None:
        """The board of a configuration, and a line for each thing that its options change."""
        if config == self._config:
            return
        self._config = config
        changes = [
            f"{key}={spoken_value(value)}" for key, value in config.options.items() if key not in GEOMETRY
        ]
        length, doorstep = config.options.get("arm_length", 6), config.options.get("doorstep_position")
        self._board = Board(config.seats, length, doorstep == "arm_end")
        try:
            changed = rule_differences(edition(config.rules), edition(config.rules, changes))
            rules = [each.right.text for each in changed if each.right]
        except RulesError:
            rules = [UNREAD]
        self._differs = (*board_in_words(self._board), *rules)

    def _open(self, match: Match) -> tuple[OpenCall, ...]:
        if match is not self._match:
            self._match = match
            # Where a challenge must be made, nothing else can be called.
            self._calls = tuple(
                OpenCall(call, call_words(call, match.board), match.must_challenge)
                for call in open_calls(match)
            )
        return self._calls

    def _accusation(self, refereeing: Refereeing) -> OpenAccusation | None:
        """What is to be put right, if somebody is accused of it."""
        referee = refereeing.told
        point = referee.open_point
        if not isinstance(point, Ruling):
            return None
        if point is not self._accused:
            self._accused, self._legal = point, open_instead(point, referee.match)
        told = [each.number for each in refereeing.latest if each.ruling == point.kind]
        return OpenAccusation(max(told, default=0), point.moves, point.throw, self._legal)

    def _as_text(self, screen: Screen) -> tuple[str, ...]:
        if screen != self._screen:
            self._screen, self._lines = screen, tuple(text for text, _ in letters(screen))
        return self._lines


def _question(referee: Referee, board: Board) -> str:
    """What waits for an answer, whole; empty for nothing."""
    if referee.choices:
        return which_is_meant(referee.choices)
    return in_full(referee.open_point, board) if referee.open_point is not None else ""


def _ways_out(referee: Referee) -> tuple[str, ...]:
    first = "Done: the board is right as it stands."
    if referee.to_put_right is None:
        return (first,)
    return first, in_full(referee.to_put_right, referee.match.board)


def _take_back(referee: Referee) -> tuple[TakeBackLine, ...]:
    board, matters = referee.match.board, (at_stake(referee), throw_at_stake(referee))
    return tuple(
        TakeBackLine(each.number, matter_in_words(each, board), what_stays(each, board))
        for each in matters
        if each is not None
    )


def _count(sighting: Sighting) -> int:
    """How many pieces were seen, wherever they stand."""
    return sum(map(len, sighting.pieces.values())) + sum(each.colour is not None for each in sighting.stray)
