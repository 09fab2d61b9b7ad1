"""Weighing: what the board and the dice are by the histories there are, and what becomes of those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import log

from uckers_table.game import playing
from uckers_table.game.events import Awaiting
from uckers_table.game.match import Step
from uckers_table.game.position import Position, in_play
from uckers_table.game.ruling import Kind, Ruling, moves_between
from uckers_table.game.ways import SIX
from uckers_table.referee import prices
from uckers_table.referee.dice import wrong_number
from uckers_table.referee.events import CallMade, DiceOrCall, ThrowMade
from uckers_table.referee.histories import (
    GUILT,
    History,
    HonestBoard,
    accounts,
    likeliest,
    taking,
)
from uckers_table.referee.looks import NOWHERE, LongLook, Mismatch
from uckers_table.referee.memory import Memory
from uckers_table.referee.rulings import CHECK_DICE, Assumed, Misplaced, Notice, NoticeKind, StoryPart
from uckers_table.referee.saying import Saying
from uckers_table.referee.stories import Circumstances, Story, by_unnoticed_dice, stories
from uckers_table.referee.verdict import Balance, is_asked_by_now, is_firm, is_ripe, judged_look

HELD = 3
"""So many throws on an unseen board are understood; more are not."""
_MOST_GROWN = 60
"""So many histories are kept while those throws are tried on what may have been played."""


class Weighing(Saying):
    """Weighs histories against what is seen, and lets them grow."""

    def __init__(self, memory: Memory, t: float, before: int) -> None:
        super().__init__(memory, t, before)
        self._dice = memory.dice
        """The dice as they lay before the event: those in hand. It may tell of others."""

    def _stories(self, *, is_over: bool = False, is_thrown_on: bool = False) -> list[Story]:
        now, watch = self.now, self.now.watch
        if watch.look is None or now.match.awaiting is Awaiting.THROW_OFF:
            return [
                Story(root, HonestBoard("none", root.board), root.board, root.nats) for root in now.histories
            ]
        told = Circumstances(
            touched=watch.touched,
            is_over=is_over or watch.is_done,
            is_done=watch.is_done,
            unwatched=watch.unwatched,
            other_dice=self._other_dice() if now.reads_dice else {},
            unnoticed=self._unnoticed,
            is_thrown_on=is_thrown_on,
        )
        return stories(now.histories, watch.look, self.t, told)

    @property
    def _unnoticed(self) -> tuple[tuple[int, ...], ...]:
        """What dice show that may have been thrown though they were taken to be put back, or turned."""
        return self._dice.maybe_thrown if self.now.reads_dice else ()

    def _misread(self, position: Position) -> frozenset[Mismatch]:
        """What the reader misreads now if the pieces stand so."""
        look = self.now.watch.look
        return frozenset(look.last.reading.mismatches(position)) if look is not None else frozenset()

    def _other_dice(self) -> dict[tuple[int, ...], float]:
        """What else the dice in hand may show, with the price."""
        now, watch = self.now, self._dice
        # Those for start are of no throw that the match has.
        told = now.match.thrown or watch.told.values
        is_counted = now.watch.look is not None and now.watch.look.last.reading.number > 0
        since = prices.lasting(watch.told.longest_s, prices.DIE_STAYS)
        nats = now.histories[0].reader.die if is_counted else prices.DIE_FRAMES + since
        read_s = {each: seconds for each, seconds in watch.others.items() if len(each) == len(told)}
        glimpsed = () if watch.told.is_sure else tuple(read_s)
        doubted = Counter[int]()
        for values in glimpsed:
            doubted |= Counter(told) - Counter(values)
        others = {
            (*told[:n], value, *told[n + 1 :]): min(nats, prices.DIE_THIRD) if was in doubted else nats
            for n, was in enumerate(told)
            for value in range(1, 7)
            if value != was
        }
        for values, seconds in read_s.items():
            if seconds > 0.0:
                others[values] = min(others.get(values, prices.DIE_FRAMES), prices.DIE_GLIMPSED + since)
        return others | dict.fromkeys(glimpsed, prices.DIE_GLIMPSED)

    # ---- dice and calls

    def _hear(self, told: DiceOrCall) -> None:
        """Dice, or a call: every history takes it, after the play that it finds on the board."""
        self.now = replace(self.now, watch=self.now.watch.if_fresh(self.t))
        now = self.now
        if now.match.awaiting is Awaiting.OVER:
            return
        if isinstance(told, ThrowMade) and len(told.dice) not in now.match.dice_wanted:
            self._say(wrong_number(len(told.dice), now.match.dice_wanted))
            return
        if now.held and now.watch.look is not None and not isinstance(told, CallMade):
            # Whoever throws once more has seen what was thrown before.
            self._take_held(says=False)
            waits = self._waits_for_the_board(told)
            if waits:
                self._speak_of_the_likeliest(now.histories, may_accuse=is_firm(now.watch, self.t))
        else:
            waits = bool(now.held) or self._waits_for_the_board(told)
        if waits:
            self._hold(told)
        else:
            self._throw_on(told)

    def _waits_for_the_board(self, told: DiceOrCall) -> bool:
        """Whether a play may have been made under a hand, or a wrong one is not seen for long enough."""
        now, watch = self.now, self.now.watch
        if watch.look is None:
            is_early = now.match.awaiting is Awaiting.PLAY or now.match.wrong_board is not None
            is_dark = watch.is_blind and bool(watch.trouble)
            # Before the first look, whoever tells the dice tells the plays. A device knows of none.
            is_read = not isinstance(told, CallMade) and told.source != "buttons"
            is_unlooked = not watch.touched and now.match.owes_a_play and is_read
            return is_dark or (watch.touched and is_early) or is_unlooked
        is_asking = now.is_asking and now.open_point != CHECK_DICE
        if is_asking or (is_asked_by_now(watch, self.t) and is_firm(watch, self.t)):
            return False
        balance = Balance.of(self._stories(is_over=not isinstance(told, CallMade)))
        if balance.guilty is None or not balance.guilty.blames or balance.odds < prices.ASK:
            return False
        if balance.odds >= prices.ACCUSE and is_ripe(watch, self.t):
            return False
        self.read_again |= balance.places
        return True

    def _hold(self, told: DiceOrCall) -> None:
        now = self.now
        if not now.held and not now.watch.is_blind:
            self._say(Notice(NoticeKind.THROW_HELD))
        if len(now.held) == HELD:
            self.now = replace(self.now, watch=replace(now.watch, unwatched=prices.UNWATCHED[True]))
        if not now.held and self._unnoticed:
            self._may_have_passed(self._unnoticed)
        watch = replace(self.now.watch, is_dealt_with=False)
        self.now = replace(self.now, held=(*now.held, told)[-HELD:], watch=watch)

    def _take_held(self, *, says: bool = True) -> None:
        """What was held is taken: it fell on the board as it is seen, or before unseen plays. `says`: that is
        spoken of; else more dice come, and only what is so then.
        """
        held, look = self.now.held, self.now.watch.look
        if look is not None and held[0].t <= look.began:
            self._play_unseen()
            return
        self.now = replace(self.now, held=())
        for n, told in enumerate(held, 1):
            self._throw_on(told, says=says and n == len(held))

    def _throw_on(self, told: DiceOrCall, *, says: bool = True) -> None:
        """What may stand now grows into histories. Who throws on over a question says that all is right."""
        now, watch = self.now, self.now.watch
        is_call = isinstance(told, CallMade)
        found = self._stories(is_over=not is_call, is_thrown_on=not is_call)
        balance = Balance.of(found)
        # While people throw for start the board is nobody's business, and so is how it is read.
        look = None if now.match.awaiting is Awaiting.THROW_OFF else watch.look
        grown = likeliest(_as_said_right(each, look, now.asked, prices.SAID_RIGHT) for each in found)
        after = [history for each in grown for history in taking(each, told)]
        if isinstance(told, ThrowMade) and told.source == "camera":
            after += self._played_unseen(told)
            after += [each for root in self._by_an_unseen_throw(grown[0]) for each in taking(root, told)]
            if watch.unwatched is not None:
                after += [replace(each, nats=each.nats + prices.OLD_DICE) for each in grown]
        self.now = replace(self.now, roots=likeliest(after), watch=watch.thrown_on())
        if not says:
            return
        is_seen = is_firm(watch, self.t)
        # What was seen before the last hand too is seen at two readings at least.
        is_seen_again = balance.guilty is not None and not balance.guilty.blames and watch.look is not None
        self._speak_of_the_likeliest(now.histories, may_accuse=is_seen or is_seen_again)
        is_asked = balance.guilty is not None and balance.guilty.board in now.asked
        is_called = any(each.ruling.kind in GUILT for each in self.rulings)
        if is_seen and balance.is_in_doubt and not (is_asked or is_called):
            self._ask(balance)

    def _played_unseen(self, told: ThrowMade) -> list[History]:
        """The histories in which these dice were thrown and played under a hand, before anybody saw them."""
        look = self.now.watch.look
        roots = [
            each
            for root in self.now.histories
            if root.match.awaiting is Awaiting.THROW
            for each in taking(replace(root, nats=root.nats + prices.PLAYED_UNSEEN), told)
        ]
        if look is None or not roots:
            return []
        found = stories(roots, look, self.t, Circumstances(touched=True))
        return [each.as_history(look) for each in found if each.way.kind == "play" and not each.is_guilty]

    def _by_an_unseen_throw(self, root: History) -> Iterator[History]:
        """The history in which a throw that moved nothing came before, and nobody saw it."""
        match = root.match
        if match.awaiting is not Awaiting.THROW or match.wrong_board is not None:
            return
        steps = [playing.throw(match, dice) for dice in product(range(1, SIX + 1), repeat=match.dice_due)]
        passed = [
            step.match
            for step in steps
            if step.match.to_play != match.to_play and any(each.kind is Kind.PASS for each in step.rulings)
        ]
        if passed:
            nats = prices.UNNOTICED if self._dice.was_missed else prices.UNSEEN_THROW
            nats -= log(len(passed) / len(steps))
            because = (*root.because, Assumed(StoryPart.UNSEEN, nats))
            yield replace(root, match=passed[0], nats=root.nats + nats, because=because, forked=True)

    def _may_have_passed(self, unnoticed: tuple[tuple[int, ...], ...]) -> None:
        """Dice that may have been thrown may be so once more. If they were, they moved nothing at first."""
        roots = self.now.histories
        thrown = [after for root in roots for after in by_unnoticed_dice(root, unnoticed)]
        passed = [replace(each, forked=True) for each in thrown if each.match.awaiting is Awaiting.THROW]
        self.now = replace(self.now, roots=likeliest((*roots, *passed)))

    def _play_unseen(self) -> None:
        """The board is seen on which the dice that were held fell: all plays that there may have been."""
        now, look = self.now, self.now.watch.look
        assert look is not None
        seen, roots = look.last.reading, now.histories
        for told in now.held:
            grown: list[History] = []
            for root in roots:
                for way in root.honest:
                    if way.kind in ("play", "none"):
                        nats = root.nats + way.nats + prices.EARLY * (way.kind == "play")
                        grown += taking(Story(root, way, way.board, nats).as_history(None), told)
            grown.sort(key=lambda h: (h.nats + prices.SEEN_WRONG * len(seen.mismatches(h.board)), h.nats))
            roots = tuple(grown[:_MOST_GROWN])
        watch = now.watch
        if len(now.held) > 1 and watch.unwatched is None:
            # Of what was played between those dice nobody saw anything.
            watch = replace(watch, unwatched=prices.UNWATCHED[False])
        self.now = replace(self.now, held=(), roots=roots, watch=watch)

    def _reread(self, was: tuple[int, ...], values: tuple[int, ...]) -> None:
        """The last dice show something else than they were read as: both may be, and the new is likelier.

        Where they were void that changes nothing.
        """
        held = self.now.held
        if held and isinstance(held[-1], ThrowMade) and held[-1].source == "camera":
            # They have not been taken yet.
            self.now = replace(self.now, held=(*held[:-1], replace(held[-1], dice=values)))
            self._say(Notice(NoticeKind.DICE_REREAD, numbers=values, unspoken=True))
            return
        told, roots = ThrowMade(self.t, values, "camera"), self.now.histories
        others, void, played = list[History](), list[History](), list[History]()
        for root in roots:
            likelier = replace(root, nats=root.nats - prices.AGAIN)
            if root.match.awaiting is Awaiting.PLAY and sorted(root.match.thrown) != sorted(was):
                void.append(likelier)
            elif root.thrown_from is not None and root.before is None:
                first = playing.throw(root.thrown_from, was)
                for after in taking(replace(likelier, match=root.thrown_from), told):
                    others.append(replace(_if_as_before(after, root, first), forked=False))
            else:
                played.append(root)
        if others:
            watch = replace(self.now.watch, is_dealt_with=False)
            self.now = replace(self.now, roots=likeliest((*others, *void, *played)), watch=watch)
            chosen = self.now.roots[0]
            if chosen.key in {each.key for each in others}:
                match = self.now.match
                is_news = match.must_challenge or match.awaiting is not chosen.match.awaiting
                is_heard = is_news or any(not each.unspoken for each in chosen.unsaid)
                self._say(Notice(NoticeKind.DICE_REREAD, numbers=values, unspoken=not is_heard))
            self._speak_of_the_likeliest(roots)

    # ---- verdict

    def _judge(self, *, at_once: bool = False) -> None:
        now, watch = self.now, self.now.watch
        if watch.look is None or now.match.awaiting is Awaiting.OVER:
            return
        if now.may_be_tipped and not any(in_play(now.match.board, watch.look.last.reading.seen)):
            if self.t - watch.look.last.since >= prices.ASK_S - prices.A_MOMENT:
                self._ask_whether(Notice(NoticeKind.UPBOARD))
            return
        if (watch.is_dealt_with and not at_once) or now.match.awaiting is Awaiting.THROW_OFF:
            return
        if now.held:
            fell_on_it = now.held[0].t > watch.look.began
            if not (fell_on_it and self._waits_for_the_board(now.held[0])):
                self._take_held()
            if fell_on_it:
                return
        if now.asked and now.open_point is None:
            if watch.look.last.times > 1:
                self._agree()
            return
        found = self._stories()
        judgement = judged_look(found, watch, now.asked, self.t, at_once=at_once)
        self.read_again |= judgement.read_again
        if judgement.rules is not None:
            ruled = _as_played_on(judgement.rules, watch.look, now.asked)
            grown = [_as_played_on(each, watch.look, now.asked) for each in found]
            self._speak_of(ruled, grown, now.histories)
        elif judgement.asks is not None:
            self._ask(judgement.asks)
        elif judgement.lost is not None:
            self._be_out_of_step(judgement.lost)
        elif judgement.is_settled:
            self.now = replace(self.now, watch=replace(watch, is_dealt_with=True))
            honest = Balance.of(found).honest
            if honest is not None and honest.way.kind == "none":
                # The board is as it was left, whatever nobody saw.
                self.now = replace(self.now, watch=replace(self.now.watch, unwatched=None))
                if self.now.is_out_of_step and honest.board != now.match.position:
                    self._be_out_of_step(honest)
                else:
                    self._be_in_step()

    def _be_in_step(self) -> None:
        """The board is as on record: no question is open any more."""
        if self.now.is_asking:
            is_tipped = self.now.open_point == Notice(NoticeKind.UPBOARD)
            choices = () if is_tipped else self.now.choices
            self.now = replace(self.now, open_point=None, asked=(), choices=choices)
        if self.now.is_out_of_step:
            self.now = replace(self.now, astray=None)
            self._say(Notice(NoticeKind.BACK_IN_STEP))

    def _be_out_of_step(self, lost: Story) -> None:
        """The board is as nobody can have played it. The pieces that stand otherwise are named one by one."""
        now, match, was = self.now, self.now.match, self.now.to_put_right
        unseen = {(each.seat, each.start) for each in self._misread(lost.board) if each.end == NOWHERE}
        astray = tuple(
            Misplaced(each.seat, None if (each.seat, each.start) in unseen else each.start, each.end)
            for each in moves_between(lost.board, match.position)
        )
        self.now = replace(
            self.now, astray=astray or now.astray, watch=replace(now.watch, is_dealt_with=True)
        )
        # They stand so now, whoever moved them. Nobody is accused of what is moved until all are back.
        stands = replace(now.histories[0], board=lost.board, known=self._misread(lost.board))
        watch = replace(self.now.watch, unwatched=prices.UNWATCHED[True])
        self.now = replace(self.now, roots=(stands, *now.histories[1:]), watch=watch)
        if astray and not now.is_out_of_step:
            self._say(Notice(NoticeKind.OUT_OF_STEP, numbers=(len(astray),)))
        named = self.now.to_put_right
        if named is not None and (was is None or was.piece != named.piece):
            self._say(named)

    def _speak_of_the_likeliest(self, was: Sequence[History] = (), *, may_accuse: bool = True) -> None:
        """Dice have been thrown. The likeliest history is spoken of, a guilty one only if it is sure."""
        roots = self.now.histories
        honest = next((each for each in roots if not each.is_guilty), None)
        guilty = next((each for each in roots if each.is_guilty), None)
        is_sure = guilty is not None and honest is not None and honest.nats - guilty.nats >= prices.ACCUSE
        if guilty is not None and is_sure and not may_accuse:
            # Until somebody can be accused, the turn at least is as it must be.
            honest = next((each for each in roots if _is_like_in_turn(each, guilty)), honest)
        if guilty is not None and (honest is None or (is_sure and may_accuse)):
            self._speak_of(guilty, was=was)
        elif honest is not None:
            self._speak_of(honest, was=was)

    def _ask(self, balance: Balance) -> None:
        self.now = replace(self.now, watch=replace(self.now.watch, is_dealt_with=True))
        look = self.now.watch.look
        asked = [each.as_history(look) for each in (balance.guilty, balance.honest) if each is not None]
        asked.sort(key=lambda each: each.nats)
        self._ask_whether(*balance.question(), accounts(asked[0], asked[1:]))

    def _agree(self) -> None:
        """Nobody is to blame for the boards that were asked about. While none is seen, that waits."""
        was = self.now.histories
        if grown := self._agreed(self.now.asked, prices.SAID_RIGHT):
            self._speak_of(min(grown, key=lambda each: each.nats), grown, was)

    def _agreed(self, boards: Sequence[Position], wrong: float = 0.0) -> list[History]:
        """The histories in which nobody is to blame for these boards. `wrong`: the price of those in which
        somebody did wrong all the same (nats).
        """
        look = self.now.watch.look
        if look is None:
            return []
        return [
            _as_said_right(each, look, boards, wrong)
            for each in self._stories()
            if each.board in boards or not each.is_guilty
        ]


def _as_said_right(story: Story, look: LongLook | None, boards: Sequence[Position], wrong: float) -> History:
    """What a story comes to where people say that these boards are right. `wrong`: as in `_agreed`."""
    is_right = story.board in boards
    nats = story.nats + wrong * (is_right and story.is_guilty)
    return replace(story, nats=nats).as_history(look, agreed=is_right)


def _as_played_on(story: Story, look: LongLook | None, asked: Sequence[Position]) -> History:
    """What a story comes to where people may have played on over a question: they say that all was right."""
    is_right = story.root.board in asked and not story.blames
    nats = story.nats + prices.SAID_RIGHT * (is_right and story.is_guilty)
    return replace(story, nats=nats).as_history(look, agreed=is_right)


def _is_like_in_turn(history: History, guilty: History) -> bool:
    """Whether a history blames nobody, and it is the same side's turn with the same dice as in another."""
    here, there = history.match, guilty.match
    return not history.is_guilty and (here.to_play, here.awaiting, here.thrown) == (
        *(there.to_play, there.awaiting, there.thrown),
    )


def _if_as_before(after: History, root: History, first: Step) -> History:
    """Dice read again that come to the same as they did at first: nobody need hear it twice."""
    n = len(root.unsaid)
    since, at_first = after.unsaid[n:], first.rulings
    if [_but_for_the_numbers(each) for each in since] != [_but_for_the_numbers(each) for each in at_first]:
        return after
    return replace(after, unsaid=(*after.unsaid[:n], *(replace(each, unspoken=True) for each in since)))


def _but_for_the_numbers(ruling: Ruling) -> Ruling:
    """A ruling on dice without the numbers. Only a six is kept, since another thing is said of it."""
    if ruling.kind is Kind.THROW_OFF:
        return ruling
    cause = None if ruling.kind is Kind.PASS else ruling.cause
    return replace(ruling, throw=(SIX,) if SIX in ruling.throw else (), cause=cause)
