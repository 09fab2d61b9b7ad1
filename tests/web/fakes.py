"""A table with nobody at it: commands go straight to the engine, and what comes of them is published."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from PIL import Image, ImageDraw

from uckers_table.errors import InputError, RecordError
from uckers_table.game import playing
from uckers_table.game.board import Board
from uckers_table.game.events import Awaiting
from uckers_table.game.match import begin
from uckers_table.game.open_calls import open_calls
from uckers_table.game.position import by_colour
from uckers_table.game.setting import load_setting
from uckers_table.machine.health import Health
from uckers_table.record.kept_rules import keep_rules, take_rules_away
from uckers_table.record.library import FrameAround
from uckers_table.record.match_record import EVIDENCE, MatchRecord, MatchSummary, Picture, Ruled, Terms
from uckers_table.sighting import SeenDie, Sighting, Stray
from uckers_table.web import commands
from uckers_table.web.app import Page
from uckers_table.web.commands import Answer
from uckers_table.web.feed import (
    CalibrationProgress,
    CardLine,
    DeviceLine,
    Feed,
    LastSeen,
    OpenCall,
    RulingLine,
    Snapshot,
    TableSettings,
    TableState,
    TakeBackLine,
    TryingOut,
)
from uckers_table.web.gate import Gate
from uckers_table.web.rulebook import OfferedRules
from uckers_table.web.server import PageServer

PIN = "482913"
BACK = {"on_reverse": ["green", "blue"]}
WHY = {
    "stories": [
        {"say": "Somebody moved a red piece 7 on.", "position": {}, "guilty": True, "odds": 1.0},
        {"say": "The dice were misread.", "position": {}, "guilty": False, "odds": 1840.0},
    ]
}
CORNERS = ((60.0, 50.0), (580.0, 50.0), (600.0, 440.0), (40.0, 440.0))


def jpeg(text, size=(640, 480), colour=(90, 70, 50)):
    picture = Image.new("RGB", size, colour)
    pen = ImageDraw.Draw(picture)
    pen.polygon(CORNERS, fill=(215, 190, 140))
    pen.text((size[0] // 2 - 40, size[1] // 2), text, fill=(20, 20, 20))
    kept = io.BytesIO()
    picture.save(kept, "jpeg")
    return kept.getvalue()


class Shot:
    def __init__(self, number):
        self.number = number

    def jpeg(self, *, marked):
        return jpeg(f"frame {self.number}{' marked' if marked else ''}")


class FakeTable:
    """The desk and the feed of a table whose players are whoever asks."""

    def __init__(self):
        self.commands = []
        self.date = None
        self.shot = Shot(1)
        self.feed = Feed(lambda: self.shot)
        self.number = 0
        self.match = None
        self.history, self.undone, self.asks_back = [], [], None
        self.rulings = ()
        self.names = {}
        self.base = Snapshot(
            TableState.IDLE,
            rules="submariners",
            loudness="calls",
            dice_from="tower",
            screen=("Uckers table", "192.168.4.1", "PIN 123456"),
            devices=(
                DeviceLine("camera", "works", True),
                DeviceLine("tower", "lost", False, "Plug the tower's USB lead in again."),
                DeviceLine("voice", "works", True),
            ),
            card=(
                CardLine("board", "Board found."),
                CardLine("light", "Light good."),
                CardLine("tower", "Tower not connected.", False, "Plug its lead in again.", "/devices#tower"),
                CardLine("buttons", "Buttons: press to test.", where="/devices#buttons"),
                CardLine("sound", "Sound: press to test.", where="/devices#sound", is_pressed_here=True),
            ),
            settings=TableSettings(
                {
                    **{key: values[0] for key, values in commands.CHOICES.items()},
                    "volume": 100,
                    "tray_px_mm": 4.3,
                    **dict.fromkeys(commands.DEVICE_NAMES, ""),
                },
                cameras=("ACME_Tray_Cam_0001",),
                cards=("UACDemo",),
            ),
            health=Health(61.5, False, True, 8200.0, 310.0, False),
            frame=1,
            seen=LastSeen(
                Sighting({"red": (0,) * 4, "green": (0,) * 4, "yellow": (0,) * 4, "blue": (0,) * 4}), 16
            ),
        )
        self.feed.publish(self.base)

    def do(self, command, *, of="", within_s=0.0):
        if isinstance(command, commands.SetClock):
            self.date = command.unix_s
            return Answer(True)
        self.commands.append(command)
        try:
            return self._done(command)
        except (InputError, RecordError) as error:
            return Answer(False, str(error))

    def _done(self, command):
        match command:
            case commands.StartMatch():
                setting = load_setting(
                    command.rules, command.options, seats=command.seats, players=command.players
                )
                self.match, self.number = begin(setting, to_play=command.to_play), self.number + 1
                self.names, self.rulings, self.history = command.names, (), []
                self.base = replace(
                    self.base,
                    rules=command.rules,
                    options=command.options,
                    loudness=command.loudness,
                    players=command.players,
                    board=setting.board,
                )
            case commands.LeaveMatch():
                self.match = None
            case commands.KeepRules(name, rules, options, replaces):
                kept = keep_rules(self.record, name, rules, options, replaces=replaces)
                return Answer(True, f"“{kept}” is kept.")
            case commands.TakeRulesAway(name):
                take_rules_away(self.record, name)
            case commands.EnterThrow(dice):
                self._step(playing.throw(self.match, dice))
            case commands.EnterFault(kind, deliberate):
                self._step(playing.fault(self.match, kind, deliberate=deliberate))
            case commands.EnterPlay(position):
                if position not in self.match.plays:
                    return Answer(False, "That is no legal play.")
                self._step(playing.see(self.match, position))
            case commands.Correct(position):
                self._step(playing.placed(self.match, position))
            case commands.MakeCall(call):
                self._step(playing.call(self.match, call))
            case commands.Press("undo"):
                if not self.history:
                    return Answer(False, "There is nothing to take back.")
                self.match = self.history.pop()
            case commands.TakeBack(number):
                if number != len(self.history):
                    return Answer(False, "Something else has happened meanwhile.")
                self.undone.append(self.match)
                self.match = self.history.pop()
            case commands.AskBack(number):
                self.asks_back = number
            case commands.PutBack():
                self.history.append(self.match)
                self.match = self.undone.pop()
            case commands.Dismiss(number):
                kept = tuple(each for each in self.base.reminders if each.number != number)
                self.base = replace(self.base, reminders=kept)
            case commands.SetLoudness(level):
                self.base = replace(self.base, loudness=level)
            case commands.TestSound():
                return Answer(True, "It said: “Uckers table.”")
            case commands.TryOut("buttons", "press"):
                tried = TryingOut(presses=True, missing=("accept", "done"))
                self.base = replace(self.base, trying_out=tried)
            case commands.TryOut("all", "end"):
                self.base = replace(self.base, trying_out=TryingOut())
            case commands.Choose(values):
                now = self.base.settings
                chosen = replace(now, values={**now.values, **values}, own=tuple(values))
                self.base = replace(self.base, settings=chosen)
            case _:
                self._calibrate(command)
        self.publish()
        return Answer(True)

    def _calibrate(self, command):
        match command:
            case commands.TakePicture(what):
                old = self.base.calibration or CalibrationProgress((640, 480))
                taken = tuple(dict.fromkeys((*old.taken, what)))
                quality = ("Lines: 214 of 220 lie 0.4 mm off.", "Light: even.", "Read back: 16 of 16.")
                self.base = replace(
                    self.base,
                    calibration=CalibrationProgress(
                        (640, 480), taken, CORNERS, quality if len(taken) == 2 else (), "", len(taken) == 2
                    ),
                )
            case commands.SetCorners(corners):
                self.base = replace(
                    self.base, calibration=replace(self.base.calibration, corners=corners or CORNERS)
                )
            case commands.SetTopLeft():
                self.base = replace(
                    self.base, calibration=replace(self.base.calibration, trouble="", may_be_top_left=())
                )
            case commands.AcceptCalibration():
                shown = [each for each in self.commands if isinstance(each, commands.TakePicture)]
                camera, *others = self.base.devices
                self.base = replace(
                    self.base,
                    board=Board(shown[-1].seats or self.base.board.seats),
                    devices=(replace(camera, state="works", is_well=True, what_to_try=""), *others),
                )

    def forget_calibration(self):
        """As a table is that its camera was never shown."""
        _, *others = self.base.devices
        camera = DeviceLine("camera", "not calibrated", False, "Show it the table: calibrate on the page.")
        self.base = replace(self.base, devices=(camera, *others), seen=None)
        self.publish()

    def _step(self, step):
        self.history.append(self.match)
        self.match = step.match
        for ruling in step.rulings:
            number = len(self.rulings) + 1
            side = self.match.board.seats[ruling.seat] if ruling.seat is not None else ""
            line = RulingLine(number, 12.5 * number, ruling.kind.value, f"{side}: {ruling.kind.value}", side)
            self.rulings = (*self.rulings, line)

    @property
    def take_back(self):
        """The last step, in words that tell what was in hand then."""
        if not self.history:
            return ()
        before = self.history[-1]
        words = f"red's play, {' and '.join(map(str, before.thrown))}" if before.plays else "red's 6 and 3"
        return (TakeBackLine(len(self.history), words, "Green keeps 5 and 2." if before.plays else ""),)

    def snapshot(self):
        match = self.match
        if match is None:
            return self.base
        state = TableState.OVER if match.awaiting is Awaiting.OVER else TableState.PLAYING
        is_play = match.awaiting is Awaiting.PLAY
        return replace(
            self.base,
            state=state,
            match=self.number,
            names=self.names,
            position=match.position,
            to_play=match.to_play,
            awaiting=match.awaiting.value,
            throw=match.thrown if is_play else (),
            owed=f"{match.extra} more" if match.extra else "",
            extra=match.extra,
            plays=match.plays,
            calls=tuple(OpenCall(call, call.kind) for call in open_calls(match)),
            lit=frozenset({"timber_shifting", "undo"} | ({"done"} if is_play else set())),
            take_back=self.take_back,
            asks_back=self.asks_back if self.take_back else None,
            put_back="red's 6 and 3" if self.undone else "",
            rulings=self.rulings[-30:],
            winner=tuple(match.board.seats[seat] for seat in match.winner),
            honours=match.honours,
            frame=self.shot.number,
            seen=LastSeen(
                Sighting(
                    {c: tuple(s) for c, s in by_colour(match.board, match.position).items()},
                    stray=(Stray(None, (3, 3)),),
                    dice=(SeenDie(6, "flat", 0, 0),),
                ),
                16,
            ),
        )

    def publish(self):
        self.feed.publish(self.snapshot())


class FakeLibrary:
    """One match of three rulings, the last of them disputed, its pictures in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for what in (*EVIDENCE, "0", "1", "2"):
            (self.folder / f"{what}.jpg").write_bytes(jpeg(what))
        seats = ("red", "green", "yellow", "blue")
        self.summary = MatchSummary(
            7,
            Terms("br4006", seats=seats, names={"red": "Nobby", "green": "Dusty"}),
            "2026-11-20T21:14:00+00:00",
            winner=("red", "yellow"),
            honours=("eight_piecer",),
            lasted_s=1834.0,
            rulings=4,
        )
        base = dict.fromkeys(seats, (0, 0, 0, 0))
        out = base | {"red": (0, 0, 0, 4)}
        on = {
            "red": (0, 0, 14, 17),
            "green": (0, 1, 14, 14),
            "yellow": (0, 0, 0, 0),
            "blue": (53, 57, 57, 57),
        }
        said = "Illegal. Red moved 7; the dice said 6 and 2."
        self.record = MatchRecord(
            self.summary,
            (
                Ruled(10.0, "throw_off", None, "red", "Red starts.", base, "red", "throw"),
                Ruled(20.0, "legal", None, "red", "", out, "red", "throw", (6, 3)),
                Ruled(31.0, "illegal", "wrong_count", "red", said, on, "red", "play", (6, 2), facts=WHY),
                Ruled(99.0, "won", None, "red", "Red and yellow win.", on, "red", "over", facts=BACK),
            ),
            {3: tuple(Picture(what) for what in EVIDENCE)},
        )

    def matches(self):
        return [self.summary]

    def senseless(self):
        return []

    def match(self, number):
        if number != 7:
            raise InputError(f"{self.folder}/record.sqlite: there is no match {number}")
        return self.record

    def evidence_file(self, number, ruling, what):
        if (number, ruling) != (7, 3) or what not in EVIDENCE:
            raise InputError(f"match {number}, ruling {ruling}: no picture {what!r} was kept")
        return self.folder / f"{what}.jpg"

    def table_file(self, match):
        raise InputError("'' is no name of a file")

    def counted(self):
        return {}

    def keep_counted(self, counted):
        return True

    def frames_around(self, number, ruling):
        if (number, ruling) != (7, 3):
            return []
        return [FrameAround(30.0 + each, self.folder / f"{each}.jpg") for each in range(3)]


def serve(table, folder):
    """The page of a fake table, on any free port of this machine. For its PIN no time passes."""
    table.record = Path(folder)
    gate, rules = Gate(PIN, lambda: 0.0), OfferedRules(record=table.record)
    return PageServer(Page(table.feed, table, FakeLibrary(folder), gate, rules), 0, "127.0.0.1")
