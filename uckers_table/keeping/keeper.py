"""All that is kept of one match: its rulings in the record, its recording, and pictures as evidence."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from uckers_table.config import Config
from uckers_table.devices.base import Frame
from uckers_table.errors import InputError, RecordError
from uckers_table.game.board import Board
from uckers_table.game.match import Match
from uckers_table.game.options import OPTIONS
from uckers_table.game.rules import known_rules, on_ours
from uckers_table.game.ruling import Kind, Ruling
from uckers_table.game.setting import GEOMETRY, load_setting
from uckers_table.keeping.card import CLOSES_S, SLOW_S, Card
from uckers_table.keeping.gallery import Gallery, RulingEvidence
from uckers_table.keeping.resume import PickedUp
from uckers_table.machine import moment
from uckers_table.machine.files import make_folder, refusals_said
from uckers_table.machine.moment import Moment
from uckers_table.record.backlog import Backlog
from uckers_table.record.claims import claimed
from uckers_table.record.entries import entries_of, ruled_from
from uckers_table.record.heading import Heading, read_heading, write_heading
from uckers_table.record.identity import new_identity
from uckers_table.record.match_record import DISPUTED, Entry, Terms
from uckers_table.record.recording import PROFILE, RECORDING, RecordingWriter, go_on_with, settings_of
from uckers_table.record.store import DATABASE, MatchStore, match_folder
from uckers_table.record.thinning import Budget
from uckers_table.referee.referee import Response
from uckers_table.referee.rulings import TimedRuling
from uckers_table.vision.profile import TableProfile

KEPT = DISPUTED | {Kind.PUT_RIGHT, Kind.STOOD, Kind.CHALLENGE_WON, Kind.PENALTY, Kind.UPBOARD, Kind.WON}
"""Rulings whose frame the recording keeps."""


class Keeper:
    """Keeps one match. What the disk refuses waits, in order, and is written once it is taken.

    One that was `picked_up` goes on. `card` does the writing, in the order in which things are kept. `now` is
    the clock by which the disk is tried again, in seconds; left out, it is the machine's.
    """

    def __init__(
        self,
        config: Config,
        board: Board,
        profile: TableProfile | None,
        card: Card,
        picked_up: PickedUp | None = None,
        *,
        now: Callable[[], float] | None = None,
    ) -> None:
        self._config, self._profile, self._board, self._card = config, profile, board, card
        self._root, self._picked_up = config.record, picked_up
        self._gallery: Gallery | None = None
        self._book: _Book | None = None
        self._number = picked_up.number if picked_up is not None else 0
        self._rulings = len(picked_up.rulings) if picked_up is not None else 0
        # Each for itself: a recording goes on that is kept beside a database which is damaged.
        self._events, self._record = Backlog(now), Backlog(now)
        self._keep(self._events, self._open)
        if picked_up is not None:
            self._keep(self._record, lambda: self._open().store.append(picked_up.number, picked_up.missing))
        else:
            self._keep(self._record, self._open)
        card.settles(SLOW_S)

    def _keep(self, where: Backlog, write: Callable[[], object]) -> None:
        self._card.do(lambda: where.do(write))

    def _open(self) -> _Book:
        """The match's files; they are opened, and a new match is begun, when first asked for."""
        if self._book is None:
            config = self._config
            if not self._number:
                with closing(MatchStore(config.record)) as store:
                    self._number = store.new_number()
            self._book = _Book(config, self._board, self._profile, self._picked_up, self._number)
            budget = Budget(config.pictures_mb, config.pictures_days)
            self._gallery = Gallery(config.record, self._book.number, budget)
        return self._book

    @property
    def number(self) -> int:
        """The match's number in the record; 0 while there is none."""
        return self._number if self._book is not None or self._picked_up is not None else 0

    @property
    def record(self) -> Path:
        """The record's file."""
        return self._root / DATABASE

    @property
    def recording(self) -> Path:
        """The recording's folder; the record's while there is none."""
        return self._book.recording.folder if self._book is not None else self._root

    @property
    def trouble(self) -> str:
        """Why not everything is on the card, in one line; empty if it is."""
        return self._events.trouble or self._record.trouble

    @property
    def is_damaged(self) -> bool:
        """Whether the record is damaged: `mend` is for it, once this is closed."""
        return self._events.is_damaged or self._record.is_damaged

    def read_by(self, profile: TableProfile) -> None:
        """The board is read by another profile from now on."""
        self._profile = profile

    def keep_event(self, line: Mapping[str, Any], *, sync: bool) -> None:
        """Add an event to the recording; with `sync` it is brought to the card, if it can be."""
        self._keep(self._events, lambda: self._open().recording.write(line))
        if sync:
            self._sync()

    def keep_waiting(self, line: Mapping[str, Any]) -> None:
        """Add a sighting that changes nothing to the recording; many of the same are one line there."""
        self._keep(self._events, lambda: self._open().recording.wait(line))

    def keep_rulings(self, response: Response, lines: Sequence[Mapping[str, Any]]) -> list[int]:
        """Put what the referee answered on the card, with the events it rests on. The rulings' numbers.

        `lines` are its rulings in words.
        """
        entries = entries_of(response, lines, self._board)
        if lines:
            self._sync()
        if entries:
            self._keep(self._record, lambda: self._open().append(entries))
        before, self._rulings = self._rulings, self._rulings + len(lines)
        return list(range(before + 1, self._rulings + 1))

    def keep_line(self, line: Mapping[str, Any]) -> None:
        """Put a line on the card that is no ruling: what a device made impossible."""
        self._rulings += 1
        self._keep(self._record, lambda: self._open().append([ruled_from(line)]))

    def _sync(self) -> None:
        self._card.do(self._sync_events)

    def _sync_events(self) -> None:
        if not self._events.trouble:
            # Lines that a sync may have lost are the recording's to write again; here only the sync is tried.
            self._events.do(lambda: self._open().recording.sync())

    def glance(self, frame: Frame) -> None:
        """A frame went by, which may come to be one of those around a ruling."""
        if self._gallery is not None:
            self._gallery.glance(frame)

    def put_by(self, agreed: Frame) -> bool:
        """Have the last frame that agreed with the record at hand as the board before. False if not taken."""
        return self._gallery is not None and self._gallery.put_by(agreed)

    def keep_pictures(
        self, rulings: Sequence[TimedRuling], numbers: Sequence[int], seen: Frame, agreed: Frame | None
    ) -> None:
        """Keep the pictures behind rulings: what is `seen`, and the last board that was right.

        Without that one, it is the board that was put by.

        They are no reason to keep a ruling back: what goes wrong is in `pictures_trouble`.
        """
        for timed, number in zip(rulings, numbers, strict=True):
            ruling = timed.ruling
            if self._gallery is not None and isinstance(ruling, Ruling) and ruling.kind in KEPT:
                moves = [(move.seat, move.start, move.end) for move in ruling.moves]
                is_disputed = ruling.kind in DISPUTED
                kind, profile = ruling.kind.value, self._profile
                evidence = RulingEvidence(number, kind, seen, is_disputed, agreed, moves, profile)
                # They are named by the ruling, which is to be on the card before.
                self._card.do(partial(self._gallery.keep, evidence))

    @property
    def evidence(self) -> tuple[Path, ...]:
        """The pictures of accusations kept since the table started, and written already."""
        return tuple(self._gallery.kept) if self._gallery is not None else ()

    @property
    def pictures_trouble(self) -> str:
        """Why pictures are not kept, in one line; empty if they are."""
        return self._gallery.trouble if self._gallery is not None else ""

    def end_match(self, match: Match, t: float) -> None:
        """Close a match that is over with its result."""
        self._close_match(t, [match.board.seats[seat] for seat in match.winner], match.honours)

    def leave_match(self, t: float) -> None:
        """Close a match that its players have given up."""
        self._close_match(t, (), ())

    def _close_match(self, t: float, winner: Sequence[str], honours: Sequence[str]) -> None:
        ended = moment.now()
        self._keep(self._events, lambda: self._open().date_end(ended))
        self._keep(
            self._record,
            lambda: self._open().store.end_match(self.number, ended, t=t, winner=winner, honours=honours),
        )

    def close(self) -> None:
        """Write what waits, if it is taken now, and give the files back; safe to call twice."""
        self._card.do(self._close)
        self._card.settles(CLOSES_S)

    def _close(self) -> None:
        self._events.retry()
        self._record.retry()
        if self._gallery is not None:
            self._gallery.close()
        if self._book is not None:
            self._book.close()


class _Book:
    """The files of one match: the record's database and its recording.

    RecordError when they cannot be opened, or another has them; of a match that cannot be begun nothing is
    left behind.
    """

    def __init__(
        self,
        config: Config,
        board: Board,
        profile: TableProfile | None,
        picked_up: PickedUp | None,
        number: int,
    ) -> None:
        self.number, self.folder = number, match_folder(config.record, number)
        with ExitStack() as closing:
            self.store = MatchStore(config.record)
            closing.callback(self.store.close)
            if picked_up is not None:
                closing.enter_context(claimed(self.folder))
                self.recording = go_on_with(picked_up.recording, picked_up.judged)
            else:
                self._clear()
                closing.enter_context(claimed(self.folder))
                try:
                    self.recording = self._begun(config, board, profile)
                except BaseException:
                    shutil.rmtree(self.folder, ignore_errors=True)
                    raise
            closing.callback(self.recording.close)
            self._closing = closing.pop_all()

    def _clear(self) -> None:
        """The folder of a new match, empty: what an earlier try has left behind goes."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with refusals_said(self.folder, "cannot be made"):
            make_folder(self.folder)

    def _begun(self, config: Config, board: Board, profile: TableProfile | None) -> RecordingWriter:
        """A new match in the record, and its recording."""
        terms, begun = _terms(config, board), moment.now()
        table = Path(PROFILE) if profile is not None else None
        recording = RecordingWriter(self.folder / RECORDING, settings_of(terms, table))
        try:
            if profile is not None:
                profile.save(recording.folder / PROFILE)
            heading = Heading(terms.names, terms.title, begun, identity=new_identity())
            write_heading(self.folder, heading)
            self.store.begin_match(
                self.number,
                terms,
                begun,
                recording=str(recording.folder.relative_to(config.record)),
                identity=heading.identity,
            )
        except BaseException as error:
            recording.close()
            if isinstance(error, InputError):
                raise RecordError(str(error)) from None
            raise
        return recording

    def date_end(self, ended: Moment) -> None:
        """Put when the match ended where it is found also if the record is damaged."""
        write_heading(self.folder, replace(read_heading(self.folder), ended=ended))

    def append(self, entries: Sequence[Entry]) -> None:
        """Add to the record."""
        self.store.append(self.number, entries)

    def close(self) -> None:
        """Give the files back; safe to call twice."""
        self._closing.close()


def lasting_rules(config: Config) -> tuple[str, Mapping[str, Any]]:
    """The rules as a recording can name them for good: a mess's own file may be changed, or go."""
    if config.rules in known_rules():
        return config.rules, config.options
    board = {name: value for name, value in config.options.items() if name in GEOMETRY}
    single = {name: value for name, value in config.options.items() if name not in GEOMETRY}
    ours, differing = on_ours(config.rules, single)
    return ours, differing | board


def _terms(config: Config, board: Board) -> Terms:
    """What is played, for the record."""
    rules, options = lasting_rules(config)
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
