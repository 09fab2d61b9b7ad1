"""All that is kept of one match: its rulings in the record, its recording, and pictures as evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from uckers_table.config import Config
from uckers_table.devices.base import Frame
from uckers_table.errors import InputError, RecordError
from uckers_table.game.board import Board
from uckers_table.game.match import Match
from uckers_table.game.options import OPTIONS, SWITCHES
from uckers_table.game.rules import known_rules, load_rules, origin_of
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.setting import load_setting
from uckers_table.record import moment
from uckers_table.record.entries import entries_of, ruled_from
from uckers_table.record.match_record import DISPUTED, Terms
from uckers_table.record.recording import RecordingSettings, RecordingWriter
from uckers_table.record.store import MatchStore
from uckers_table.referee.referee import Response
from uckers_table.referee.rulings import TimedRuling
from uckers_table.resume import PickedUp
from uckers_table.vision.evidence import mark_moves
from uckers_table.vision.pictures import save_picture
from uckers_table.vision.profile import TableProfile

KEPT = DISPUTED | {Kind.PUT_RIGHT, Kind.STOOD, Kind.CHALLENGE_WON, Kind.PENALTY, Kind.UPBOARD, Kind.WON}
"""Rulings around which the recording keeps the frame."""
RECORDING = "recording"
PROFILE_FILE = "table.toml"


class Keeper:
    """Keeps one match. RecordError, from all but `keep_pictures`, when the disk does not take it.

    One that was `picked_up` goes on. `number` is the match's in the record, `evidence` the pictures kept
    since the table started.
    """

    def __init__(
        self, config: Config, board: Board, profile: TableProfile | None, picked_up: PickedUp | None = None
    ) -> None:
        self._root, self._profile, self._board = config.record, profile, board
        self.evidence: list[Path] = []
        with ExitStack() as closing:
            self._store = MatchStore(config.record)
            closing.callback(self._store.close)
            self.number = picked_up.number if picked_up is not None else self._store.new_number()
            self._folder = self._store.match_folder(self.number)
            if picked_up is None:
                self._recording = self._begun(config)
            else:
                self._recording = RecordingWriter(self._folder / RECORDING, None)
                self._store.append(self.number, picked_up.missing)
            closing.callback(self._recording.close)
            self._closing = closing.pop_all()

    def _begun(self, config: Config) -> RecordingWriter:
        """A new match in the record, and its recording."""
        rules, options = _lasting_rules(config)
        settings = RecordingSettings(
            rules=rules,
            options=options,
            players=config.players,
            seats=self._board.seats,
            dice=config.dice,
            to_play=config.to_play,
            table=Path(PROFILE_FILE) if self._profile is not None else None,
        )
        recording = RecordingWriter(self._folder / RECORDING, settings)
        try:
            if self._profile is not None:
                self._profile.save(recording.folder / PROFILE_FILE)
            self._store.begin_match(
                self.number,
                _terms(config, self._board, rules, options),
                moment.now(),
                recording=str(recording.folder.relative_to(self._root)),
            )
        except BaseException:
            recording.close()
            raise
        return recording

    @property
    def record(self) -> Path:
        """The record's file."""
        return self._store.path

    @property
    def recording(self) -> Path:
        """The recording's folder."""
        return self._recording.folder

    def read_by(self, profile: TableProfile) -> None:
        """The board is read by another profile from now on."""
        self._profile = profile

    def keep_event(self, line: Mapping[str, Any], *, sync: bool) -> None:
        """Add an event to the recording; with `sync` it is on the card when this returns."""
        self._recording.write(line, sync=sync)

    def keep_rulings(self, response: Response, lines: Sequence[Mapping[str, Any]]) -> list[int]:
        """Put what the referee answered on the card, with the events it rests on. The rulings' numbers.

        `lines` are its rulings in words.
        """
        if lines:
            self._recording.sync()
        entries = entries_of(response, lines, self._board)
        return self._store.append(self.number, entries) if entries else []

    def keep_line(self, line: Mapping[str, Any]) -> None:
        """Put a line on the card that is no ruling: what a device made impossible."""
        self._store.append(self.number, [ruled_from(line)])

    def keep_pictures(
        self, rulings: Sequence[TimedRuling], numbers: Sequence[int], seen: Frame, agreed: Frame | None
    ) -> str:
        """Keep the frame and the evidence behind rulings: what is `seen`, and the last board that was right.

        Pictures are no reason to keep a ruling back: what went wrong comes back as one line, else nothing.
        """
        try:
            if any(timed.ruling.kind in KEPT for timed in rulings):
                save_picture(self._recording.picture_path(f"{seen.t:09.3f}.jpg"), seen.image)
            for timed, number in zip(rulings, numbers, strict=True):
                if isinstance(timed.ruling, Ruling) and timed.ruling.kind in DISPUTED:
                    self._keep_evidence(timed.ruling, number, seen, agreed)
        except (InputError, RecordError) as error:
            return str(error)
        return ""

    def _keep_evidence(self, ruling: Ruling, number: int, seen: Frame, agreed: Frame | None) -> None:
        """The last board that was right, this one, and the difference."""
        moves = [(move.seat, move.start, move.end) for move in ruling.moves]
        pictures = {"after": seen.image}
        if self._profile is not None:
            pictures["marked"] = mark_moves(seen.image, self._profile, moves)
        if agreed is not None:
            pictures["before"] = agreed.image
        for what, picture in pictures.items():
            path = self._folder / "evidence" / f"{number:06d}-{ruling.kind.value}-{what}.jpg"
            save_picture(path, picture)
            self.evidence.append(path)
            file = str(path.relative_to(self._root))
            self._store.add_picture(self.number, number, what, file, path.stat().st_size)

    def end_match(self, match: Match, t: float) -> None:
        """Close a match that is over with its result."""
        winner = [match.board.seats[seat] for seat in match.winner]
        self._store.end_match(self.number, moment.now(), t=t, winner=winner, honours=match.honours)

    def leave_match(self, t: float) -> None:
        """Close a match that its players have given up."""
        self._store.end_match(self.number, moment.now(), t=t, winner=(), honours=())

    def close(self) -> None:
        """Give the files back; safe to call twice."""
        self._closing.close()


def _lasting_rules(config: Config) -> tuple[str, Mapping[str, Any]]:
    """The rules as a recording can name them for good: a mess's own file may be changed, or go.

    It becomes one of our sets and every option that differs from it.
    """
    if config.rules in known_rules():
        return config.rules, config.options
    name = origin_of(config.rules)[1] or "br4006"
    ours, theirs = load_rules(name), load_setting(config.rules, config.options).rules
    return name, {
        option: getattr(theirs, option)
        for option in OPTIONS
        if getattr(theirs, option) != getattr(ours, option)
    } | {name: value for name, value in config.options.items() if name not in (*OPTIONS, *SWITCHES)}


def _terms(config: Config, board: Board, rules: str, options: Mapping[str, Any]) -> Terms:
    """What is played, for the record."""
    values = load_setting(rules, options, seats=board.seats, players=config.players).rules
    return Terms(
        rules=rules,
        options=options,
        values={option: getattr(values, option) for option in OPTIONS},
        title="" if config.rules == rules else Path(config.rules).stem,
        players=config.players,
        seats=board.seats,
        names=config.names,
        dice=config.dice,
        to_play=config.to_play,
    )
