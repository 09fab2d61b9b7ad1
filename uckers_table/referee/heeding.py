"""What players want of the record: an answer, the board taken as it stands, something taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uckers_table.errors import RulesError
from uckers_table.game import playing
from uckers_table.game.board import PIECES
from uckers_table.game.events import Awaiting, Call
from uckers_table.game.match import Match, Step
from uckers_table.game.open_calls import numbered, open_calls
from uckers_table.game.position import Position
from uckers_table.referee import prices
from uckers_table.referee.crosscheck import CrossCheck
from uckers_table.referee.dice import DiceWatch
from uckers_table.referee.events import NUMBERS, CallMade, DiceOrCall, ThrowMade
from uckers_table.referee.histories import History, HistoryAct, likeliest, taking
from uckers_table.referee.looks import LongLook
from uckers_table.referee.memory import Devices, Revoked
from uckers_table.referee.rulings import CHECK_DICE, Notice, NoticeKind
from uckers_table.referee.taking_back import UNDO_DEPTH, ActKind, Matter, at_stake, shift_told, throw_at_stake
from uckers_table.referee.weighing import Weighing

_IN_PLAY = frozenset({Awaiting.THROW, Awaiting.PLAY})


class Heeding(Weighing):
    """Puts the record right by what players say of it."""

    def _press(self, name: str) -> None:
        now = self.now
        match name:
            case _ if name in NUMBERS:
                self._choose(int(name))
            case "call":
                self._call(None)
            case "undo":
                self._take_back(at_stake(now))
            case "undo_throw":
                self._take_back(throw_at_stake(now))
            case "redo":
                self._put_back()
            case "trust_board":
                self._trust_what_is_seen()
            case "done" | "accept" if now.is_asking:
                self._believe()
            case "done" | "accept" if now.is_out_of_step:
                # A hand over the board already is none of what people say is right.
                is_seen = now.watch.look is not None
                board = self._stories()[0].board if is_seen else now.histories[0].board
                self._trust(board)
            case "done":
                self.now = replace(self.now, watch=replace(now.watch, is_done=now.watch.look is not None))
                self._judge(at_once=True)
            case "timber_shifting":
                self._call_shifting()

    def _choose(self, number: int) -> None:
        """The answer to the question which call is meant, or who tipped the board up."""
        chosen = numbered(self.now.choices).get(number)
        if chosen is None:
            self._refuse("not that number: no call has it now")
        else:
            self.now = replace(self.now, choices=())
            self._throw_on(CallMade(self.t, chosen))

    def _call(self, made: CallMade | None) -> None:
        """A call, or (None) the button for whatever can be called before the throw."""
        watch = self.now.watch
        is_early = self.now.match.awaiting is Awaiting.PLAY and "camera" not in self.now.lost
        if made is None and watch.hand_since is not None and is_early:
            self.now = replace(self.now, watch=replace(watch, is_called=True))
            self._say(Notice(NoticeKind.THROW_HELD))
            return
        if self.now.match.awaiting is Awaiting.PLAY:
            # A play that was seen only just now comes before it.
            self._judge(at_once=True)
        match = self.now.match
        calls = _meant(match, made)
        if made is None and not calls and self.now.watch.look is not None:
            # It may be for what comes after a play that is not ruled yet.
            calls = _meant(self._once_thrown_on(), None)
        if len(calls) == 1:
            self._hear(CallMade(self.t, calls[0]))
        elif calls:
            self._ask_which(calls)
        elif made is not None:
            self._hear(made)
        else:
            self._refuse(_why_nothing_is_open(match))

    def _ask_which(self, calls: tuple[Call, ...]) -> None:
        self.now = replace(self.now, choices=calls)
        self._say(Notice(NoticeKind.WHICH_CALL, calls=calls))

    def _take_press(self) -> None:
        """The button that was pressed under a hand means what can be called now that the board is seen."""
        watch = self.now.watch
        if not watch.is_called or not watch.is_dealt_with or self.now.is_asking:
            return
        if watch.look is None or self._stories()[0].way.kind == "half":
            return
        self.now = replace(self.now, watch=replace(watch, is_called=False))
        if self.now.match.wrong_board is not None:
            self._refuse(_why_nothing_is_open(self.now.match))
        else:
            self._call(None)

    def _once_thrown_on(self) -> Match:
        """The match if what is seen now was played, and that is over."""
        story = self._stories(is_over=True)[0]
        if story.is_left:
            return self.now.match
        likely = story.as_history(self.now.watch.look)
        return likely.match if likely.match.wrong_board is None else playing.as_thrown_on(likely.match)

    def _call_shifting(self) -> None:
        noted = self.now.noted
        if noted is not None:
            self._tell_noted()
            self.rulings.append(noted)
            return
        self._is_shift_called = True
        self._judge(at_once=True)
        if not self.rulings:
            self._refuse("not now: every piece stands where it should")

    def _tell_noted(self) -> None:
        """The shift that was noted last is an accusation from now on."""
        on_record, noted = self.now.on_record, self.now.noted
        open_point = noted.ruling if noted is not None else None
        self.now = replace(
            self.now,
            noted=None,
            open_point=open_point,
            on_record=replace(on_record, deeds=shift_told(on_record.deeds)),
        )

    def _believe(self) -> None:
        """People say that the board asked about is right, and nobody to blame; or that it was tipped."""
        question = self.now.open_point
        if question == Notice(NoticeKind.UPBOARD):
            # Whose turn it is says nothing of who did it.
            self._ask_which(tuple(Call("upboard", side) for side in self.now.match.setting.sides))
            return
        self.now = replace(self.now, open_point=None)
        if question == CHECK_DICE:
            # They are as told, and that says nothing of the board.
            return
        self._say(Notice(NoticeKind.TRUSTED))
        self._agree()

    # ---- the board as people say

    def _trust_what_is_seen(self) -> None:
        look = self.now.watch.look
        if look is None:
            return
        if any(len(seen) > PIECES for seen in look.last.reading.seen):
            # Nobody can have meant that this is right.
            self._refuse("not now: more pieces are seen than there are")
        elif self.now.match.wrong_board is not None or self.now.match.awaiting not in _IN_PLAY:
            self._trust(self._stories()[0].board)
        else:
            self._trust_whichever_it_is(look)

    def _trust_whichever_it_is(self, look: LongLook) -> None:
        """Nobody is to blame for the board, whichever it is of those that may be seen."""
        now = self.now
        grown = [each.as_history(look, agreed=True) for each in self._stories(is_over=True)]
        chosen = min(grown, key=lambda each: each.nats)
        deed = HistoryAct(ActKind.TRUST, now.match, was=now.histories, board=chosen.board)
        told = replace(chosen, deeds=(deed,))
        if chosen.board != now.match.position:
            # What else was wrong with the record may come to light yet.
            told = replace(told, strain=prices.most_strain())
        # It may also have been half a play whose rest is to come, or have stood so before the dice.
        halves = (each for each in self._stories() if each.way.kind == "half" and not each.is_guilty)
        rest = [each.as_history(look) for each in halves]
        if now.match.awaiting is Awaiting.PLAY:
            before = playing.corrected(now.match, chosen.board).match
            rest.append(replace(chosen, match=before, unsaid=(), deeds=(), before=None))
        others = [replace(each, nats=chosen.nats + prices.PRESSED_IN_VAIN) for each in rest]
        self._say(Notice(NoticeKind.TRUSTED))
        self.now = replace(self.now, held=(), astray=None)
        self._speak_of(told, (*grown, *others), now.histories)
        for each in now.held:
            self._throw_on(each)

    def _trust(self, position: Position) -> None:
        """The board is as people say."""
        match, held = self.now.match, self.now.held
        step = playing.placed(match, position)
        self._say(Notice(NoticeKind.TRUSTED))
        deed = HistoryAct(ActKind.TRUST, match, was=self.now.histories, board=position)
        root = self._as_told(step, position, deed)
        if position != match.position:
            # What else was wrong with the record may come to light yet.
            root = replace(root, strain=prices.most_strain())
        self.now = replace(
            self.now,
            roots=(root,),
            held=(),
            astray=None,
            watch=replace(self.now.watch, touched=False, unwatched=None),
        )
        self._speak_of(root)
        for told in held:
            self._throw_on(told)

    def _take_play(self, position: Position) -> None:
        """The play that a person tells. Nothing else may have happened.

        Raises RulesError if the throw in hand does not allow that play.
        """
        match = self.now.match
        if match.awaiting is not Awaiting.PLAY or position not in match.plays:
            raise RulesError("no throw in hand allows that play; 'correct' says how the pieces stand")
        root, step = self.now.histories[0], playing.see(match, position)
        deed = HistoryAct.seen(replace(root, unsaid=()), match, step.rulings, position)
        held = self.now.held
        self.now = replace(self.now, held=())
        self._speak_of(self._as_told(step, position, deed), ())
        for told in held:
            self._throw_on(told)

    def _as_told(self, step: Step, position: Position, deed: HistoryAct) -> History:
        """What is known where people say how the pieces stand."""
        reader, known = self.now.histories[0].reader, self._misread(position)
        return History(step.match, position, known=known, reader=reader, unsaid=step.rulings, deeds=(deed,))

    # ---- taken back

    def _take_back(self, matter: Matter | None) -> None:
        """A matter is taken back. Dice that a device read, and that were not thrown for it, stay."""
        now = self.now
        if matter is None:
            self._refuse("not now: there is nothing to take back")
            return
        deeds = now.history
        place = next(n for n, deed in enumerate(deeds) if deed.number == matter.number)
        deed, undone = deeds[place], (*now.undone, Revoked(matter, now))[-UNDO_DEPTH:]
        if matter.was_settled:
            withdrawn = replace(deed, kind=ActKind.WITHDRAWN)
            kept = (*deeds[:place], withdrawn, *deeds[place + 1 :])
            self.now = replace(
                self.now, on_record=replace(now.on_record, deeds=kept, undone=undone), open_point=None
            )
            self._say_turn(NoticeKind.TAKEN_BACK, matter, now.match)
            return
        on_record = replace(now.on_record, deeds=deeds[:place], undone=undone)
        self.now = replace(self.now, on_record=on_record, open_point=None, asked=(), choices=(), astray=None)
        stays = tuple(told for _, told in matter.stays)
        if matter.is_accusation:
            self._withdraw(matter, deed)
        else:
            self._go_back(matter, deed, stays)
        self.now = replace(self.now, on_record=replace(self.now.on_record, undone=undone))

    def _go_back(self, matter: Matter, deed: HistoryAct, stays: Sequence[DiceOrCall]) -> None:
        """The record is as before a deed. The pieces stand as they do, until somebody moves them."""
        now, before = self.now, deed.before
        here = now.histories[0]
        was = deed.was[0] if deed.was else here
        reader = here.reader
        if isinstance(deed.told, ThrowMade) and deed.told.source == "camera":
            reader = reader._replace(misread=reader.misread + 1)
        root = replace(
            was.as_said(),
            match=before,
            board=here.board,
            known=here.known,
            nats=0.0,
            strain=here.strain,
            reader=reader,
        )
        # Or the press was needless, and it was as it was told.
        as_told = (
            replace(each, nats=each.nats + prices.PRESSED_IN_VAIN, forked=True) for each in now.histories
        )
        others = as_told if matter.is_as_before and not stays else ()
        self.now = replace(self.now, match=before, roots=likeliest((root, *others)), held=())
        if matter.is_as_before and before.awaiting is not Awaiting.PLAY:
            # The board has nothing to decide about the throws that stay.
            roots = [*self.now.roots]
            for told in stays:
                roots = [after for each in roots for after in taking(each, told)]
            roots = [*likeliest(roots)]
            self._say_turn(NoticeKind.TAKEN_BACK, matter, roots[0].match)
            self.now = replace(self.now, roots=tuple(roots))
            self._speak_of(roots[0])
            return
        watch = now.watch if matter.is_as_before else replace(now.watch, is_dealt_with=True)
        self.now = replace(self.now, held=(*stays, *now.held), watch=watch)
        self._say_turn(NoticeKind.TAKEN_BACK, matter, before)

    def _withdraw(self, matter: Matter, deed: HistoryAct) -> None:
        """An accusation was the referee's own mistake: nobody is to blame for the board accused."""
        watch = replace(self.now.watch, touched=True)
        self.now = replace(self.now, roots=deed.was, match=deed.before, asked=(deed.board,), watch=watch)
        grown = self._agreed((deed.board,))
        chosen = min(grown, key=lambda each: each.nats, default=deed.was[0])
        self._say_turn(NoticeKind.TAKEN_BACK, matter, chosen.match)
        if grown:
            self._speak_of(chosen, grown)

    def _put_back(self) -> None:
        """What was taken back last is on record again. What was held since stays held."""
        now = self.now
        if not now.undone:
            self._refuse("not now: there is nothing to put back")
            return
        last = now.undone[-1]
        was, known = last.was, (*last.was.held, *(told for _, told in last.matter.stays))
        since = tuple(each for each in now.held if each not in known)
        self.now = replace(
            self.now,
            match=was.match,
            roots=was.roots,
            held=(*was.held, *since),
            open_point=was.open_point,
            noted=was.noted,
            asked=was.asked,
            astray=was.astray,
            choices=was.choices,
            on_record=was.on_record,
        )
        self._say_turn(NoticeKind.PUT_BACK, last.matter, was.match)

    def _resume(self, dice_from: str) -> None:
        """Nobody watched for a while. What stands and lies on the board now accuses nobody."""
        watch = replace(self.now.watch.hidden(), unwatched=prices.UNWATCHED[True], seen_at=None)
        self.now = replace(
            self.now,
            dice_from=dice_from,
            watch=replace(watch, blind_since=None, is_blind=False, trouble="", hand_since=None),
            dice=DiceWatch(),
            check=CrossCheck(),
            devices=Devices(),
        )
        match = self.now.match
        self._remember(HistoryAct(ActKind.RESUMED, match))
        in_hand = match.thrown if match.awaiting is Awaiting.PLAY else ()
        whose = match.board.seats[match.to_play]
        self._say(Notice(NoticeKind.RESUMED, whose, numbers=in_hand, owed=match.extra))


def _meant(match: Match, made: CallMade | None) -> tuple[Call, ...]:
    """The open calls that a player may mean. The button (None) means any that is made before the throw."""
    if made is None:
        return open_calls(match) if match.awaiting is Awaiting.THROW else ()
    return tuple(each for each in open_calls(match) if _may_mean(made.call, each))


def _may_mean(call: Call, full: Call) -> bool:
    """Whether a call, which may leave out its piece and number, can mean the `full` one."""
    return (
        call.kind == full.kind
        and call.seat in (None, full.seat)
        and call.steps in (None, full.steps)
        and (call.target is None or (call.target, call.double) == (full.target, full.double))
    )


def _why_nothing_is_open(match: Match) -> str:
    """Why nothing can be called that is called before a throw."""
    if match.wrong_board is not None:
        return "put the board right first"
    if match.owes_a_play:
        return "the throw is to be played first"
    return "not now: there is nothing to call before this throw"
