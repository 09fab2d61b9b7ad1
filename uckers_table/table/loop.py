"""The table at work: one queue, one loop, one match after the other.

Every device has a thread that puts what it has to say into the queue; the loop takes it off in order and
gives it to the match that is on. What goes to people never blocks it.

Where the table is simulated, or read from pictures, its source waits until each thing has been dealt with,
so that the same seed gives the same match on any machine.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from math import inf
from threading import Event

from uckers_table.announce.oled import Screen, draw
from uckers_table.config import ABSENT, Config
from uckers_table.devices.base import Back, DeviceEvent, HeldDown, Lost, Pressed
from uckers_table.devices.pins import SWITCHES_OFF
from uckers_table.errors import InputError, UckersTableError
from uckers_table.keeping.card import QUICK_S, SLOW_S, Card
from uckers_table.keeping.dating import Dating
from uckers_table.keeping.keeper import lasting_rules
from uckers_table.keeping.rebuilding import Rebuilt
from uckers_table.keeping.resume import PickedUp
from uckers_table.machine.health import EVERY_S, Health, HealthWatch
from uckers_table.machine.heap import give_back
from uckers_table.machine.journal import facts
from uckers_table.machine.messages import Invitation, Message, Reminder
from uckers_table.machine.notify import Supervisor
from uckers_table.machine.pin import spoken_pin
from uckers_table.machine.progress import Progress
from uckers_table.machine.starts import Starts
from uckers_table.machine.threads import Worker, close_all, close_logged
from uckers_table.referee.referee import Referee
from uckers_table.table.bench import Bench
from uckers_table.table.calibrating import Calibrating
from uckers_table.table.device_states import DeviceStates
from uckers_table.table.inbox import Inbox
from uckers_table.table.last_time import LastTime
from uckers_table.table.left_out import CAMERA, MATCH, TOWER, SafeStart, TriedAgain, failed
from uckers_table.table.lobby import BEGIN as BEGIN_BUTTON
from uckers_table.table.lobby import PIN as PIN_BUTTON
from uckers_table.table.lobby import Lobby
from uckers_table.table.news import Asked, BenchNews, LoopNews, News, ReadFrame, Served, Steady, Written
from uckers_table.table.old_matches import OldMatches
from uckers_table.table.own_rules import OwnRules
from uckers_table.table.parts import Parts, asked_for, first_match, profile_file, seated
from uckers_table.table.refereeing import Outcome, Refereeing
from uckers_table.table.reminders import Reminders
from uckers_table.table.screens import Screens
from uckers_table.table.serving import OpenPage
from uckers_table.table.showing import Around, Showing
from uckers_table.table.sight import Sight
from uckers_table.table.upkeep import Upkeep
from uckers_table.table.views import View
from uckers_table.vision.profile import TableProfile
from uckers_table.web.commands import (
    DROPPED,
    AcceptCalibration,
    Answer,
    Backup,
    Command,
    Correct,
    CountAs,
    Dismiss,
    EnterFault,
    EnterPlay,
    EnterThrow,
    LearnPaint,
    LeaveMatch,
    MakeCall,
    Press,
    PutBack,
    SetClock,
    SetCorners,
    SetLoudness,
    SettingUp,
    SetTopLeft,
    Shelving,
    StartAnew,
    StartMatch,
    SwitchOff,
    TakePicture,
    TestSound,
    TryAgain,
)
from uckers_table.web.feed import CalibrationProgress, TableState

LOG = logging.getLogger(__name__)

STARTING_ANEW = Message("STARTING ANEW", "A match that is on goes on.")
SWITCHING_OFF = Message("SWITCHING OFF", "The match is kept. Pull the plug when the green light is out.")
STEADY_S = 60.0
"""A start has gone well when the table has run for so long: camera or match would have ended it sooner."""
NOT_RECORDED = "NOT RECORDED"
"""What messages on what cannot be kept are headed."""
BEGINNING, KEEPING, SETTINGS, PAGE, CARD = "beginning", "keeping", "settings", "page", "card"
"""What warns: no match can begin, what is not kept, what the page has set, no page, a slow card."""
SLOW_CARD = Message("CARD SLOW", "The card is slow. Rulings wait until it has them; nothing is lost.")
NO_PAGE = "NO PAGE YET"
SOUND_TEST = "This is the referee. Can you hear me?"
LOOKING_AWAY = Message("CALIBRATING", "The match waits. To go on without: press done.")
OF_A_MOMENT = (EnterThrow, EnterFault, EnterPlay, Press, PutBack, MakeCall, Correct)
"""What means something else once the match has gone on."""
SOMEBODY_ELSE = "Somebody else has just done that."
BEHIND = "The card is slow. What was done before waits for it: look at the display, and press then."
GONE_ON = "The match has gone on since you pressed: look, and press again."
ANSWER_MEANT_S = 3.0
"""So long after a match is given up with a question open, the button that begins the next may still be
pressed to answer it."""


class Table:
    """One table. Build it, `run` it once, and it closes what it was given.

    A table with a page stays when a match is over or given up, for the next one; without, it ends with its
    match. `begins` says whether a match is begun at once, where there is none to go on with. The `supervisor`
    is told that it is up and alive. `starts` says what this start does without, and is told whether it holds.

    What it was given is closed also when it cannot be built. ProfileError when the camera's pictures do not
    fit the profile.
    """

    def __init__(
        self,
        config: Config,
        parts: Parts,
        inbox: Inbox[News],
        view: View,
        *,
        page: OpenPage | None = None,
        begins: bool = True,
        supervisor: Supervisor | None = None,
        starts: Starts | None = None,
    ) -> None:
        self._last_time = LastTime(config)
        if parts.profile is not None:
            # The board is the one that the camera was shown.
            config = seated(config, parts.profile.seats)
        self._parts, self._inbox, self._view = parts, inbox, view
        self._config: Config
        self._lobby: Lobby
        self._clock = parts.clock
        self.is_switched_off = self.starts_anew = False
        self._page = page or OpenPage()
        self._supervisor = supervisor or Supervisor({})
        self._showing = Showing()
        self._devices = DeviceStates()
        self._dating = Dating(config.record)
        patience_s = inf if parts.camera.waits else QUICK_S
        self._card = Card(lambda: inbox.leave(Written()), patience_s=patience_s)
        self._own_rules = OwnRules(config.record, self._card)
        self._reminders = Reminders()
        self._starts = starts or Starts()
        self._safe = SafeStart(self._starts, self._reminders, inbox.post)
        is_asked = self._page.invitation is not None
        self._old = OldMatches(config.record, self._reminders, self._safe, inbox.post, asked=is_asked)
        self._screens = Screens(parts, self._page, self._reminders)
        draw_anew = self._screens.draw_anew
        self._bench = Bench(config, parts, inbox.post, inbox.hand_over, self._devices, draw_anew)
        self._reminders.warn(SETTINGS, self._bench.warnings)
        self._offer(config)
        self._calibrating: Calibrating | None = None
        self._calibration: CalibrationProgress | None = None
        self._upkeep = Upkeep(config.record, self._dating, self._reminders, inbox.post)
        self._looks_away = False
        """While the table is shown to the camera in the middle of a match, nobody plays."""
        self._refereeing: Refereeing | None = None
        self._is_on = False
        self._answered_until = -inf
        self._answered_moment = ""
        """The moment that somebody on a page has answered last."""
        with ExitStack() as closing:
            closing.callback(close_logged, "screen", view.close)
            closing.callback(close_logged, "devices", parts.close)
            closing.callback(self._card.close)
            self._sight = Sight(config, parts, inbox, self._starts, self._safe)
            self._page.feed.show_by(self._sight.shot)
            self._page.feed.show_tray_by(*self._bench.tray_shots)
            closing.callback(close_logged, "match", self._close_match)
            self._take_up(config, begins=begins)
            self._closing = closing.pop_all()

    def _take_up(self, config: Config, *, begins: bool) -> None:
        """Go on with the match that was on when the power went, begin one, or offer last time's."""
        if not self._safe.does_without(MATCH):
            with self._starts.trying(MATCH):
                picked_up = self._old.left_off(self._supervisor.starting, resumes=config.resumes)
                if picked_up is not None:
                    self._go_on(picked_up)
        # An old match that is offered to people would be given up by a new one.
        waits = self._safe.does_without(MATCH) and self._can_be_asked
        if self._match_on is None and begins and not waits:
            self._begin(config, 0.0)
        elif self._match_on is None:
            self._offer(self._last_time.offered(config, seats_are_fixed=self._sight.watcher is not None))
        if not self._safe.does_without(MATCH):
            self._old.rebuild(self._match_on)

    @property
    def _can_be_asked(self) -> bool:
        """Whether people can answer what is offered between matches: on a page, or by real buttons."""
        return self._page.invitation is not None or self._config.buttons not in (*ABSENT, "simulated")

    def run(self) -> Outcome | None:
        """Referee until the match is over, the camera's source ends, or somebody interrupts or switches off.

        How the last match ended, None where there was none.
        """
        parts = self._parts
        work = {
            "camera’s watch": self._sight.stop,
            "bench": self._bench.close,
            "old match": self._safe.close,
            "record": self._old.close,
            "backup": self._upkeep.close,
            "calibration": self._stop_calibrating,
        }
        with self._closing as closing:
            closing.callback(close_all, work)
            closing.callback(close_logged, "inbox", self._leave)
            if self._page.invitation is not None:
                every_s = EVERY_S / self._clock.haste
                work["health"] = HealthWatch(self._config.record, self._inbox.post, every_s=every_s).close
            work["start"] = Worker("the start", self._tell_when_steady).stop
            self._supervisor.starting()
            self._inbox.open(self._clock, patient=parts.camera.waits)
            # What the tower is told that we have, it forgets: so not before it is on the card.
            parts.tower.listen(self._inbox.hand_over)
            parts.buttons.listen(self._inbox.post)
            self._starts.run((*([MATCH] if self._match_on is not None else []), CAMERA, TOWER))
            if not self._safe.does_without(CAMERA):
                self._sight.start()
            try:
                self._loop()
            except Exception:
                self._starts.blame(MATCH if self._match_on is not None else "")
                raise
            self._starts.hold()
        return self._refereeing.outcome if self._refereeing is not None else None

    def _leave(self) -> None:
        self._supervisor.stopping()
        self._inbox.close()
        if self._parts.simulated_tower is not None:
            # Its players would wait for the answer to a throw that nobody takes any more.
            self._parts.simulated_tower.close()

    def _tell_when_steady(self, stopping: Event) -> None:
        if not stopping.wait(STEADY_S):
            self._inbox.post(Steady())

    def _stop_calibrating(self) -> None:
        if self._calibrating is not None:
            self._calibrating.close()

    def _loop(self) -> None:
        now = self._clock.now()
        if self._match_on is not None:
            self._screens.invite(now)
        self._show(now)
        self._supervisor.ready()
        while not (self.is_switched_off or self.starts_anew):
            self._supervisor.alive()
            on = self._match_on
            if on is not None and on.is_over(now):
                self._close_match()
                if self._page.invitation is None:
                    return
                self._show(now)
                continue
            due_s = self._wait_s(on.due if on is not None else None)
            # Woken for the display or the supervisor alone, it leaves no trace in the match.
            others_s = min(self._wait_s(self._screens.next_turn(now)), self._supervisor.every_s or inf)
            slow_in_s = self._card.slow_in_s
            if slow_in_s is not None and slow_in_s > 0:
                others_s = min(others_s, slow_in_s)
            wait_s = min(due_s, others_s)
            letter = self._inbox.take(wait_s if wait_s < inf else None)
            now = letter.t if letter is not None else self._clock.now()
            if letter is None:
                if on is not None and due_s <= others_s:
                    on.fall_due(now)
            else:
                if letter.content is None:
                    return
                self._deal_with(now, letter.content)
                self._card.once_kept(letter.dealt_with.set)
            self._show(now)

    def _wait_s(self, due: float | None) -> float:
        """How long it is until something is due by the table's seconds; for ever, if nothing is."""
        wait_s = self._clock.wait_s(due) if due is not None else None
        return inf if wait_s is None else wait_s

    # ------------------------------------------------------------------ what comes in

    @property
    def _match_on(self) -> Refereeing | None:
        return self._refereeing if self._is_on else None

    def _deal_with(self, now: float, news: LoopNews) -> None:
        match news:
            case UckersTableError():
                self._sight.end(news)
            case Written():
                self._card.catch_up()
            case Steady():
                self._starts.hold()
            case Served(why):
                self._reminders.warn(PAGE, [Message(NO_PAGE, why)] if why else ())
            case TriedAgain():
                self._tried(now, news)
            case Asked():
                self._answer(now, news)
            case CalibrationProgress():
                self._calibration = news
            case Health() | Message() | Progress():
                self._upkeep.hear(news)
                self._bench.settings.look()
            case _ if isinstance(news, BenchNews):
                self._bench.hear(news)
                self._take_settings()
            case Rebuilt():
                self._old.hear(news, self._match_on)
            case HeldDown():
                if not self._bench.takes(news):
                    self._hold(now, news.name)
            case _:
                self._hear(now, news)

    def _hear(self, now: float, news: DeviceEvent | ReadFrame) -> None:
        """A device has said something: to the match, if one is on."""
        if isinstance(news, ReadFrame):
            if self._sight.see(news) and self._devices.is_lost(CAMERA):
                self._hear(now, Back(CAMERA))
        else:
            if isinstance(news, Lost) and news.name == CAMERA:
                self._sight.lose(news.why)
            self._devices.hear(news)
        if self._match_on is None and isinstance(news, DeviceEvent) and self._bench.takes(news):
            return
        if isinstance(news, Pressed) and self._screens.invite_no_more():
            return
        if self._match_on is not None:
            if self._looks_away and news == Pressed(BEGIN_BUTTON):
                self._look_again(now)
            elif not (self._looks_away and isinstance(news, ReadFrame)):
                self._match_on.deal_with(now, news)
        elif isinstance(news, Pressed):
            self._press_between(now, news.name)

    def _hold(self, now: float, button: str) -> None:
        """In a match and between matches: one button switches off; any other is for the way in.

        It lets every phone try the PIN again, which is shown with the page's address, and said.
        """
        if button == SWITCHES_OFF:
            self._switch_off()
            return
        self._page.readmit()
        self._screens.invite(now, over=self._match_on.screen if self._match_on is not None else None)
        self._say_pin()

    def _say_pin(self) -> None:
        if (invitation := self._invitation) is not None:
            self._parts.voice.say(spoken_pin(invitation.pin))

    def _press_between(self, now: float, button: str) -> None:
        """While no match is on, the buttons choose the next, begin it, or have the PIN said."""
        if button == BEGIN_BUTTON and now <= self._answered_until:
            return
        first = self._reminders.first
        if first is not None:
            # It stands where the lobby would: whoever presses answers it, and means nothing else.
            self._see_to(now, first, button)
            return
        lobby = self._lobby.pressed(button)
        if button == BEGIN_BUTTON:
            try:
                self._begin(lobby.chosen(self._config), now)
            except InputError as error:
                self._reminders.warn(BEGINNING, [Message("NOT YET", str(error))])
        elif lobby != self._lobby:
            self._lobby = lobby
        elif button == PIN_BUTTON:
            self._say_pin()

    def _see_to(self, now: float, reminder: Reminder, button: str) -> None:
        """What it offers is done by the button that begins a match; any other says that it was seen."""
        if not reminder.offer or button != BEGIN_BUTTON:
            self._reminders.see(reminder.number)
            return
        try:
            self._try_again(now, reminder.offer)
        except InputError as error:
            self._reminders.tell(Message("NOT YET", str(error)))

    def _answer(self, now: float, asked: Asked) -> None:
        # A match that is over is still shown, and so is its moment.
        moment = self._refereeing.moment if self._refereeing is not None else ""
        if why := self._why_not(asked, moment):
            asked.answer.set_result(Answer(False, why))
            return
        if isinstance(asked.command, Shelving):
            asked.taken.set()
            self._shelve(asked.command, asked.answer.set_result)
            return
        given = self._card.given
        try:
            answer = self._done(now, asked.command)
        except InputError as error:
            answer = Answer(False, str(error))
        if answer.is_done and isinstance(asked.command, OF_A_MOMENT):
            self._answered_moment = moment
        asked.taken.set()
        if self._card.given == given:
            asked.answer.set_result(answer)
        else:
            self._card.once_kept(lambda: asked.answer.set_result(answer))

    def _shelve(self, command: Shelving, tell: Callable[[Answer], None]) -> None:
        """Keep a mess's own rules, or take some away: the match that is offered stays as it is."""
        config, is_playing = self._config, self._match_on is not None
        # Who has it offered sees the same rules as before.
        is_offered = not is_playing and self._own_rules.are_meant(command, config.rules)
        rules, options = lasting_rules(config) if is_offered else (config.rules, config.options)

        def told(answer: Answer) -> None:
            if is_offered and answer.is_done and self._config == config:
                self._offer(replace(config, rules=rules, options=options))
            self._lobby = replace(self._lobby, own=self._own_rules.sets)
            tell(answer)

        self._own_rules.do(command, config.rules if is_playing else "", told)

    def _why_not(self, asked: Asked, moment: str) -> str:
        """Why nothing is done of what was asked for at another moment; empty where it is of this one."""
        if time.monotonic() > asked.until:
            return DROPPED
        on = self._match_on
        if asked.of and isinstance(asked.command, OF_A_MOMENT) and on is not None and not on.is_all_told:
            return BEHIND
        if _is_of_another(asked, moment):
            return SOMEBODY_ELSE if asked.of == self._answered_moment else GONE_ON
        return ""

    def _done(self, now: float, command: Command) -> Answer:
        match command:
            case StartMatch() if self._match_on is not None:
                raise InputError("a match is on; leave it before another begins")
            case StartMatch():
                self._begin(asked_for(self._config, command, self._parts.profile), now)
            case SetLoudness(level):
                self._offer(config := replace(self._config, loudness=level))
                self._card.do(lambda: self._last_time.keep(config))
                if self._match_on is not None:
                    self._match_on.be_as_loud_as(self._config.loudness)
            case TestSound():
                self._parts.voice.say(SOUND_TEST)
            case StartAnew():
                self.starts_anew = True
                self._parts.display.show(draw(STARTING_ANEW), stays=True)
            case _ if isinstance(command, SettingUp):
                answer = self._bench.do(command, is_playing=self._match_on is not None)
                self._take_settings()
                return answer
            case TakePicture(what, seats):
                self._show_to_camera(what, seats)
            case SetCorners(corners):
                self._learner().set_corners(corners)
            case SetTopLeft(colour):
                self._learner().set_top_left(colour)
            case CountAs(colour):
                self._learner().count_as(colour)
            case LearnPaint(base, colour):
                self._learn_paint(now, base, colour)
                return Answer(True, f"That piece counts as {colour} from now on.")
            case AcceptCalibration():
                self._read_by(now, self._learner().accepted())
                return Answer(True, "The board is read by these pictures from now on.")
            case SetClock() | Backup():
                return self._upkeep.do(command)
            case Dismiss(number):
                self._reminders.see(number)
            case SwitchOff():
                self._switch_off()
            case TryAgain(part):
                return self._try_again(now, part)
            case Press(button) if self._match_on is None and self._reminders.first is not None:
                self._see_to(now, self._reminders.first, button)
            case _ if self._match_on is None:
                raise InputError("no match is on; start one first")
            case LeaveMatch():
                if self._match_on.referee.waits_for_done:
                    self._answered_until = now + ANSWER_MEANT_S
                self._match_on.leave()
                self._close_match()
            case _:
                return self._match_on.enter(now, command)
        return Answer(True)

    # ------------------------------------------------------------------ what the start did without

    def _try_again(self, now: float, part: str) -> Answer:
        """Try a part again that the start did without; nothing that comes of it ends the table.

        InputError where that makes no sense now.
        """
        if not self._safe.does_without(part):
            raise InputError(f"this start did not leave out the {part}")
        if part == MATCH and self._match_on is not None:
            raise InputError("a match is on; leave it first")
        if part == MATCH:
            self._safe.judge_again(self._config.record)
        elif part == CAMERA:
            self._sight.try_again()
        else:
            self._parts.left_out[part].try_again(self._inbox.post)
        return Answer(True, f"Trying the {part} again.")

    def _tried(self, now: float, tried: TriedAgain) -> None:
        """A match that can go on after all does so, unless another was begun meanwhile."""
        if tried.part == MATCH and not tried.why and self._safe.does_without(MATCH):
            tried = self._gone_on(tried, now)
        self._safe.settle(tried)

    def _gone_on(self, tried: TriedAgain, now: float) -> TriedAgain:
        if tried.picked_up is None:
            self._reminders.tell(Message("NO OLD MATCH", "There is none to go on with any more."))
            return tried
        try:
            self._go_on(tried.picked_up, now)
            assert self._refereeing is not None
            self._devices.tell(self._refereeing, now)
        except Exception as error:
            if self._refereeing is not None:
                self._refereeing.close()
            self._is_on, self._refereeing = False, None
            return failed(MATCH, error)
        return tried

    # ------------------------------------------------------------------ calibration

    def _learner(self) -> Calibrating:
        if self._sight.watcher is None:
            raise InputError("there is no camera to show the table to")
        if self._calibrating is None:
            self._calibrating = Calibrating(self._config.seats, self._inbox.post)
        return self._calibrating

    def _show_to_camera(self, what: str, seats: tuple[str, ...] = ()) -> None:
        if self._match_on is not None and seats not in ((), self._config.seats):
            raise InputError(f"a match is on, with the seats {', '.join(self._config.seats)}; leave it first")
        learner, watcher = self._learner(), self._sight.watcher
        assert watcher is not None
        if seats:
            learner.set_seats(seats)
        if self._sight.is_left_out:
            raise InputError("the camera was left out at this start; try it again first")
        watcher.take_picture(what, learner.show, lambda: self._parts.lay_out(what))
        if self._match_on is not None and not self._looks_away:
            self._looks_away = True
            self._parts.display.show(draw(LOOKING_AWAY))

    def _read_by(self, now: float, profile: TableProfile) -> None:
        """Read the board by this profile from now on, and after the next start. ProfileError if not kept."""
        if self._match_on is not None and profile.seats != self._config.seats:
            raise InputError("a match has begun with other seats meanwhile; leave it, or show the table anew")
        profile.save(profile_file(self._config))
        self._parts.profile = profile
        self._reminders.warn(BEGINNING, ())
        if profile.seats != self._config.seats:
            self._offer(seated(self._config, profile.seats))
        assert self._sight.watcher is not None
        self._sight.watcher.read_by(profile)
        self._look_again(now, profile)

    def _learn_paint(self, now: float, base: str, colour: str) -> None:
        """Read the one piece of an unknown colour in a base as one of this colour from now on."""
        strange, profile = self._sight.strange, self._parts.profile
        if strange is None or profile is None or strange.base != base:
            raise InputError(f"no piece of an unknown colour is seen in {base}’s base now")
        if colour != base:
            raise InputError(f"it stands in {base}’s base; put it in {colour}’s, and you are asked again")
        self._read_by(now, profile.with_paint(base, strange.paint))

    def _look_again(self, now: float, profile: TableProfile | None = None) -> None:
        """Go on with the match, if one is on: what stands on the board now accuses nobody."""
        self._looks_away = False
        if self._match_on is not None:
            self._match_on.look_again(now, profile)
            self._devices.tell(self._match_on, now)

    # ------------------------------------------------------------------ matches

    def _begin(self, config: Config, now: float) -> None:
        """Begin a match. InputError, with nothing changed, where there is no such match or nothing to see."""
        self._reminders.warn(BEGINNING, ())
        if not self._sight.is_calibrated:
            raise InputError("the camera was never shown the table: calibrate on the page")
        referee = Referee(first_match(config), dice_from=config.dice)
        is_mended = self._old.mend(reads_through=False)
        self._bench.end_trials()
        again = self._sight.read_again
        self._refereeing = Refereeing(
            *(config, referee, self._parts, self._view, self._card), now=now, read_again=again
        )
        self._old.say_left_undone(self._refereeing)
        self._card.do(self._dating.date_matches)
        self._parts.sit_down(referee.match)
        self._is_on = True
        # What was on before is none to go on with any more.
        self._safe.drop(MATCH)
        self._offer(config)
        self._card.do(lambda: self._last_time.keep(config))
        LOG.info("a match begins", extra=facts(match=self._refereeing.number, rules=config.rules))
        self._devices.tell(self._refereeing, now)
        if is_mended:
            self._old.rebuild(self._refereeing)

    def _offer(self, config: Config) -> None:
        """The table's configuration from now on; its match is what the page and the buttons offer."""
        self._config = self._bench.config = config
        self._lobby = Lobby(config, own=self._own_rules.sets)

    def _take_settings(self) -> None:
        """Go by what the page has set of the table."""
        if self._bench.config is not self._config:
            self._offer(self._bench.config)
            self._sight.light_by(self._config.mains_hz)
            self._reminders.warn(SETTINGS, self._bench.warnings)

    def _go_on(self, picked_up: PickedUp, now: float = 0.0) -> None:
        """Go on with the match that was on when the power went."""
        self._bench.end_trials()
        config = self._config.with_match(picked_up.terms)
        self._refereeing = Refereeing(
            *(config, picked_up.referee, self._parts, self._view, self._card),
            now=now,
            picked_up=picked_up,
            read_again=self._sight.read_again,
        )
        self._is_on = True
        self._offer(config)
        self._parts.sit_down(picked_up.referee.match)
        LOG.info("a match goes on", extra=facts(match=picked_up.number, rules=config.rules))
        self._refereeing.resume(picked_up, config.dice)
        self._old.say_left_undone(self._refereeing)

    def _close_match(self) -> None:
        if self._match_on is not None:
            self._is_on = self._looks_away = False
            assert self._refereeing is not None
            self._refereeing.close()
            self._card.do(self._dating.date_matches)
            outcome = self._refereeing.outcome
            won = " and ".join(outcome.winner) or "nobody"
            LOG.info("a match is over: %s won", won, extra=facts(match=outcome.match_id))
            if self._refereeing.is_record_damaged:
                self._card.settles(SLOW_S)
                self._old.mend_after()
            for line in self._refereeing.troubles:
                self._reminders.tell(Message(NOT_RECORDED, line))
            give_back()

    def _switch_off(self) -> None:
        self.is_switched_off = True
        self._parts.display.show(draw(SWITCHING_OFF), stays=True)

    # ------------------------------------------------------------------ what goes out

    def _show(self, now: float) -> None:
        """Bring the page up to date, the display while no match does, and the supervisor's line."""
        on = self._match_on
        self._supervisor.status(on.in_a_line if on is not None else "No match is on.")
        self._reminders.warn(CARD, [SLOW_CARD] if self._card.is_slow else ())
        troubles = on.troubles if on is not None else ()
        self._reminders.warn(KEEPING, [Message(NOT_RECORDED, line) for line in troubles])
        if on is not None and not self._looks_away:
            self._screens.cover(now, on, self._invitation)
        else:
            self._screens.uncover()
        invitation = self._invitation
        if invitation is None:
            if on is None:
                self._screens.show_between(now, self._lobby, None)
            return
        if self._looks_away:
            screen: Screen = LOOKING_AWAY
        elif on is not None:
            screen = on.screen
        else:
            screen = self._bench.screen or self._screens.show_between(now, self._lobby, invitation)
        is_over = self._refereeing is not None and bool(self._refereeing.referee.match.winner)
        state = TableState.PLAYING if on is not None else TableState.OVER if is_over else TableState.IDLE
        devices = self._devices.lines(self._config, is_calibrated=self._sight.is_calibrated)
        around = Around(
            screen,
            devices,
            self._bench.card(devices, self._sight.sighting, self._sight.frames_a_second),
            self._bench.trying_out,
            self._bench.settings.shown(self._config),
            self._bench.findings,
            self._upkeep.health,
            self._sight.frames,
            self._sight.sighting,
            "" if (strange := self._sight.strange) is None else strange.base,
            self._calibration,
            self._upkeep.backup,
            self._reminders.on_page,
            self._leaving,
        )
        self._page.feed.publish(self._showing.snapshot(self._config, state, self._refereeing, around))

    @property
    def _leaving(self) -> str:
        """What people should know while the table ends; empty while it goes on."""
        told = SWITCHING_OFF if self.is_switched_off else STARTING_ANEW if self.starts_anew else None
        return f"{told.title.capitalize()}. {told.sentence}" if told is not None else ""

    @property
    def _invitation(self) -> Invitation | None:
        """Where people are to go first; None at a table without a page."""
        return self._page.invitation_now(is_set_up=self._sight.is_calibrated)


def _is_of_another(asked: Asked, moment: str) -> bool:
    """Whether something was asked at another moment of the match, and means something else now.

    To leave a match means the same as long as it is the same match, whose number a moment begins with.
    """
    if not asked.of:
        return False
    if isinstance(asked.command, LeaveMatch):
        return asked.of.partition(".")[0] != moment.partition(".")[0]
    return isinstance(asked.command, OF_A_MOMENT) and asked.of != moment
