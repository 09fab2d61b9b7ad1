"""Reading a frame: from a picture and a table's profile to a sighting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from uckers_table.game.board import BASE, PIECES, Plan
from uckers_table.sighting import SeenDie, Sighting, Stray
from uckers_table.vision.dice.claims import FoundDice, TopsSeen
from uckers_table.vision.dice.dice import DiceFinder
from uckers_table.vision.dice.faces import DIE_MM
from uckers_table.vision.hands import hand_net
from uckers_table.vision.hands.hands import Strange, cores, covering, reaching
from uckers_table.vision.hands.rim import WITH_CORE_MM, crossing
from uckers_table.vision.light.appearance import Evidence, SensorNoise, evidence, in_squares
from uckers_table.vision.light.light import (
    DARKEST_WHITE,
    BareBoard,
    Light,
    PaintColour,
    light_change,
    light_trouble,
    planar,
    softened,
    told_closely,
    white_level,
    white_light,
)
from uckers_table.vision.light.mirrored import Mirrored
from uckers_table.vision.light.veil import veil_of, without
from uckers_table.vision.picture.arrays import Flags, Floats, Image, Map
from uckers_table.vision.picture.channels import Halves, brightest, doubled, places_at
from uckers_table.vision.pieces.floor import Floor
from uckers_table.vision.pieces.foreign import find_foreign, of_the_game, paints_at
from uckers_table.vision.pieces.pieces import Stack, find
from uckers_table.vision.pieces.settle import most_four, settle
from uckers_table.vision.pieces.shape import Shape
from uckers_table.vision.pieces.tops import ALIKE, paint_off
from uckers_table.vision.place.bump import Followed, Follower
from uckers_table.vision.place.camera import CameraModel
from uckers_table.vision.place.flat import Canvas, Laying
from uckers_table.vision.place.sharpness import Sharpness
from uckers_table.vision.profile import Reflected, TableProfile
from uckers_table.vision.sureness import sureness

_Thing = TypeVar("_Thing", Stack, SeenDie)


@dataclass(frozen=True)
class Looked:
    """One frame, laid flat and taken apart; parts that could not be made are None.

    `foreign`: where on the plan (mm) something stands that is none of the game's pieces or dice.
    """

    camera: CameraModel | None
    flat: Image
    light: Light | None
    noise: SensorNoise | None
    seen: Evidence | None
    hand: Flags | None
    stacks: tuple[Stack, ...]
    dice: tuple[SeenDie, ...]
    trouble: tuple[str, ...]
    foreign: tuple[tuple[float, float], ...] = ()

    @property
    def found(self) -> Looked:
        """The same without the pictures that it was found in, which take tens of megabytes."""
        # A copy: any part of the picture, even an empty one, would keep all of it in memory.
        return replace(self, flat=self.flat[:0].copy(), light=None, noise=None, seen=None)


@dataclass(frozen=True)
class StrangePaint:
    """What a piece in the base of a seat, whose paint is no seat's, sends back: BGR, white = 1."""

    base: str
    paint: Reflected


class Reader:
    """Reads frames of one table. It remembers nothing of the frame before."""

    def __init__(self, profile: TableProfile) -> None:
        self.profile = profile
        self.plan: Plan = profile.plan
        self.canvas = Canvas(self.plan.side_mm)
        self._halved = Canvas(self.plan.side_mm, 0.5)
        self._laying = Laying.of(profile.camera, self.canvas)
        self._follower = Follower(profile.bare, profile.camera, self.plan)
        self._sharpness = Sharpness.learn(profile.bare, self._follower.lines)
        self._veil = veil_of(profile.bare)
        bare = without(self._veil, self._laying.lay(profile.bare))
        self._paint = PaintColour.of(bare)
        soft = planar(softened(bare, self.canvas))
        white = white_light(bare, self.canvas, self.plan).astype(np.float16)
        self._board = BareBoard(soft, white)
        self._mirrored = Mirrored(self._board, self.plan, self.canvas, profile.base_spots_mm)
        self._white_level = white_level(self._board.white, self.plan, self.canvas)
        self._colours = np.array(profile.paints, dtype=np.float32)
        self._likely = _likely(profile, self.canvas)
        unveiled = without(self._veil, profile.bare)
        self._floor = Floor(unveiled, profile.camera, self.canvas, self._board.white)
        self._dice = DiceFinder(profile.bare, profile.camera, self.plan.side_mm)

    def look(self, picture: Image) -> Looked:
        """Takes a picture apart. Raises ProfileError if it has another size than the profile's."""
        self.profile.check_size(picture)
        followed = self._follower.follow(picture)
        camera = followed.camera
        laying = self._laying if camera in (None, self.profile.camera) else Laying.of(camera, self.canvas)
        halves = Halves(picture)
        flat = without(self._veil, laying.lay_halves(halves))
        if camera is None:
            return Looked(None, flat, None, None, None, None, (), (), (self._why_unseen(flat, followed),))
        light = light_change(flat, self._board)
        trouble = light_trouble(self._white_level * light.balance)
        if not trouble and self._paint.is_pale(flat):
            trouble = ("colours_indistinct",)
        if not trouble and self._sharpness.is_blurred(followed):
            trouble = ("blurred",)
        elif camera is not self.profile.camera:
            trouble = (*trouble, "board_moved")
        if set(trouble) & {"too_dark", "colours_indistinct", "blurred"}:
            return Looked(camera, flat, light, None, None, None, (), (), trouble)
        light, noise, seen, hand = self._evidence(flat, light)
        stacks, dice, foreign = self._found(picture, halves, camera, light, seen, hand)
        if hand is not None:
            trouble = (*trouble, "occluded")
        return Looked(camera, flat, light, noise, seen, hand, stacks, dice, trouble, foreign)

    def _why_unseen(self, flat: Image, followed: Followed) -> str:
        """The trouble with a picture in which the board is not found."""
        if np.percentile(brightest(flat), 95) < DARKEST_WHITE:
            return "too_dark"
        return "blurred" if self._sharpness.is_blurred(followed) else "board_not_found"

    def _evidence(self, flat: Image, light: Light) -> tuple[Light, SensorNoise, Evidence, Flags | None]:
        """What each place shows in the light that falls there, and the hand over the board, None without."""
        soft = softened(flat, self.canvas)
        board = self._mirrored.without_gone(soft, light)
        if board is None:
            board = self._board
        else:
            light = light_change(flat, board)
        noise = SensorNoise.between(soft, board, light)
        seen = evidence(soft, board, self._colours, noise, light)
        hand = self._hand(seen, soft)
        if light.tint is not None and board is self._board:
            # What stands where somebody's shadow ends must be seen in its own light. Where a lamp's image is
            # gone the board is not known well enough for that.
            light = told_closely(soft, board, light)
            noise = SensorNoise.between(soft, board, light)
            del seen  # Two at once would take ten megabytes more.
            seen = evidence(soft, board, self._colours, noise, light)
        return light, noise, seen, hand

    def _found(
        self,
        picture: Image,
        halves: Halves,
        camera: CameraModel,
        light: Light,
        seen: Evidence,
        hand: Flags | None,
    ) -> tuple[tuple[Stack, ...], tuple[SeenDie, ...], tuple[tuple[float, float], ...]]:
        """The stacks, the dice, and where on the plan (mm) something stands that is none of the game's."""
        p = self.profile
        shape = self._shape(camera)
        shown = self._dice.seen(
            halves,
            camera,
            lambda px: self._changed(seen, camera, px),
            lambda px: self._lit(light, camera, px),
        )
        dice = shown.dice
        dice_px = self._dice_px(camera, dice.sure)
        # A single pip may be the mark in the middle of a piece.
        may_be_dice_px = self._dice_px(camera, [d for d in dice.doubtful if (d.value or 0) > 1])
        found_with = partial(
            find,
            seen,
            shape,
            self._colours,
            self._likely,
            may_be_dice_px=may_be_dice_px,
            is_clear=hand is None,
            scene=shown.scene,
        )
        found = found_with(dice_px=dice_px)
        tops = self._tops_seen(found, camera)
        dice = self._dice.with_unseen(shown, tops)
        taken = dice.taken_for(tops)
        if taken:
            found = found_with(dice_px=[*dice_px, *self._dice_px(camera, taken)])
        found = of_the_game(found, seen, shape, self._colours)
        if camera is not self.profile.camera:
            found = self._floor.new(without(self._veil, picture), shape, light.balance, found)
        away = None if hand is None else _away_from(hand)
        if away is None:
            stacks = [*found, *self._beside(picture, shape, light, found, dice)]
        else:
            # Beside its outline a hand shows a cuff, a shadow or a finger's end, which may look like a top.
            stacks = self._clear_of(away, found, p.piece_diameter_mm / 2)
        clear_dice = self._clear_dice(dice, stacks, camera, away)
        stacks = self._off_dice(stacks, clear_dice, camera)
        ours = [s for s in stacks if s.is_claimed or s.score > _LIKELY_OURS]
        foreign = find_foreign(seen, shape, ours, clear_dice) if hand is None else ()
        return tuple(stacks), clear_dice, tuple(foreign)

    def _shape(self, camera: CameraModel) -> Shape:
        return Shape(camera, self.canvas, self.profile.piece_height_mm, self.profile.piece_diameter_mm)

    def _beside(
        self, picture: Image, shape: Shape, light: Light, found: Sequence[Stack], dice: FoundDice
    ) -> Sequence[Stack]:
        """The pieces on the table beside the board, looked for only where some are missing on it."""
        claimed = [s for s in found if s.is_claimed]
        count = Counter(s.colour for s in claimed)
        missing = [seat for seat in range(len(self.profile.seats)) if count[seat] < PIECES]
        if not missing:
            return ()
        clear = without(self._veil, picture)
        known: list[Stack | SeenDie] = [*claimed, *dice.sure]
        return self._floor.find(clear, shape, self._colours[0], light.balance, missing, known)

    def _dice_px(self, camera: CameraModel, dice: Sequence[SeenDie]) -> list[Floats]:
        """The centres of dice's upper faces in the flat picture."""
        return [self.canvas.px(camera.lifted([(d.x_mm, d.y_mm)], DIE_MM))[0] for d in dice]

    def _hand(self, seen: Evidence, soft: Image) -> Flags | None:
        """What something that reaches over the board hides (size, size); None if nothing does."""
        hand = self._reaching(seen, soft)
        if hand is None:
            return hand_net.hidden(seen, self.canvas)
        return hand if hand_net.shows(seen, self.canvas, hand) else None

    def _reaching(self, seen: Evidence, soft: Image) -> Flags | None:
        """What a hand may hide, by the board's edge and by what is strange on it."""
        bare = seen.board.squares.softened
        over_edge = crossing(seen.squares, bare, self._halved)
        shown = Strange.of(seen, self.canvas)
        strange = reaching(seen, self.canvas, shown)
        if over_edge is None and strange is None and (core := cores(self.canvas, shown)) is not None:
            # Either alone may be something else. Both together, of one thing, are a hand.
            narrow = crossing(seen.squares, bare, self._halved, WITH_CORE_MM)
            if narrow is not None and (doubled(narrow) & core).any():
                over_edge, strange = narrow, core
        if over_edge is None and strange is None:
            return covering(seen, self.canvas)
        if over_edge is None:
            return strange
        whole = cv2.resize(over_edge.astype(np.uint8), soft.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
        return np.asarray(whole if strange is None else whole | strange)

    def _changed(self, seen: Evidence, camera: CameraModel, places_px: Floats) -> Flags:
        """Whether anything may differ from the bare board at places (N, 2) of the picture. Beyond the canvas
        nothing is known, so it may.
        """
        columns, rows = np.rint(self.canvas.px(camera.unproject(places_px))).astype(np.intp).T
        inside = (np.minimum(rows, columns) >= 0) & (np.maximum(rows, columns) < self.canvas.size)
        out = np.ones(len(places_px), dtype=bool)
        out[inside] = seen.active[in_squares(rows[inside], columns[inside])]
        return out

    def _lit(self, light: Light, camera: CameraModel, places_px: Floats) -> Floats:
        """How much of the bare board's grey level (N,) the light leaves at places (N, 2) of the picture: all
        of it beyond the canvas, where nothing is known.
        """
        rows, columns, inside = places_at(self.canvas.px(camera.unproject(places_px)), self.canvas.size)
        return np.where(inside, 1 / light.layers[0][rows, columns], 1.0)

    def _tops_seen(self, stacks: Sequence[Stack], camera: CameraModel) -> TopsSeen:
        """The claimed pieces and stacks, as dice on them would be seen."""
        return self._seen_with_dice(most_four(s for s in stacks if s.is_claimed), camera)

    def _seen_with_dice(self, stacks: Sequence[Stack], camera: CameraModel) -> TopsSeen:
        """All these, as dice on them would be seen."""
        height = self.profile.piece_height_mm
        seen = camera.lifted(np.array([(s.x_mm, s.y_mm) for s in stacks]).reshape(-1, 2), height)
        pieces = np.array([s.pieces for s in stacks], dtype=np.float64)
        lowest = camera.grounded(seen, pieces[:, None] * height)
        tops, feet = (camera.grounded(at, DIE_MM) for at in (seen, lowest))
        scores = np.array([s.score for s in stacks], dtype=np.float64)
        return TopsSeen(tops, feet, self.profile.piece_diameter_mm / 2, scores)

    def _clear_dice(
        self, dice: FoundDice, stacks: Sequence[Stack], camera: CameraModel, away: Map | None
    ) -> tuple[SeenDie, ...]:
        """The dice that are no highlights or joints of claimed pieces, and that no hand hides. `away`: each
        pixel's distance from what a hand hides.
        """
        if dice.doubtful:
            doubts = [s for s in stacks if not s.is_claimed and s.score > _LIKELY_OURS]
            likely = self._seen_with_dice(doubts, camera)
            clear = dice.clear_of(self._tops_seen(stacks, camera), likely)
        else:
            clear = dice.sure
        return clear if away is None else tuple(self._clear_of(away, clear))

    def _off_dice(self, stacks: Sequence[Stack], dice: Sequence[SeenDie], camera: CameraModel) -> list[Stack]:
        """The tops without those that lie on a flat die and are too doubtful to be claimed: what is read as a
        die is no piece as well.
        """
        flat = [die for die in dice if die.state != "cocked"]
        dice_px = np.array(self._dice_px(camera, flat)).reshape(-1, 2)
        feet = np.array([(s.x_mm, s.y_mm) for s in stacks]).reshape(-1, 2)
        tops_px = self.canvas.px(camera.lifted(feet, self.profile.piece_height_mm))
        away = np.linalg.norm(tops_px[:, None] - dice_px, axis=2).min(axis=1, initial=np.inf)
        on_die = away < DIE_MM / 2 * self.canvas.px_per_mm
        return [stack for stack, on in zip(stacks, on_die, strict=True) if stack.is_claimed or not on]

    def _clear_of(self, away: Map, things: Sequence[_Thing], reach_mm: float = 0.0) -> list[_Thing]:
        """The things on the canvas whose middle is more than `reach_mm` away from what a hand hides."""
        at = self.canvas.px(np.array([(thing.x_mm, thing.y_mm) for thing in things]).reshape(-1, 2))
        rows, columns, inside = places_at(at, self.canvas.size)
        clear = inside & (away[rows, columns] > reach_mm * self.canvas.px_per_mm)
        return [thing for thing, is_clear in zip(things, clear, strict=True) if is_clear]

    def read(self, picture: Image) -> Sighting:
        """What a BGR picture of the table shows."""
        return self.sighting(self.look(picture))

    def strange_piece(self, looked: Looked, sighting: Sighting) -> StrangePaint | None:
        """The piece that stands with three of a seat's in their base and has the paint of none; None without.

        Orange is taken for yellow, which has its four elsewhere then.
        """
        if looked.camera is None or looked.seen is None or looked.hand is not None:
            return None
        others = [(s.colour, (s.x_mm, s.y_mm)) for s in looked.stacks if s.is_claimed]
        for seat, colour in enumerate(self.profile.seats):
            if sighting.pieces[colour] != (BASE,) * (PIECES - 1):
                continue
            odd = [*looked.foreign, *(at for other, at in others if other != seat)]
            there = [at for at in odd if (cell := self.plan.cell_at(*at)) and self.plan.base_of(cell) == seat]
            if len(there) != 1:
                continue
            shape = self._shape(looked.camera)
            paint = paints_at(looked.seen, shape, shape.top_px(np.array(there)))[0]
            if (
                min(paint_off(paint, known) for known in self._colours.reshape(-1, 3).astype(np.float64))
                > ALIKE
            ):
                return StrangePaint(colour, (float(paint[0]), float(paint[1]), float(paint[2])))
        return None

    def sighting(self, looked: Looked) -> Sighting:
        """What a picture taken apart shows."""
        if looked.camera is None or looked.seen is None:
            nothing: dict[str, tuple[int, ...]] = dict.fromkeys(self.profile.seats, ())
            return Sighting(nothing, trouble=looked.trouble, confidence=0.0)
        is_hand = looked.hand is not None
        height = self.profile.piece_height_mm
        settled = settle(looked.stacks, self.plan, looked.camera, height, is_hand)
        confidence = sureness().confidence(settled.odds) * (0.5 if is_hand else 1.0)
        foreign = [Stray(None, self.plan.cell_at(x, y)) for x, y in looked.foreign]
        return Sighting(
            settled.pieces,
            (*settled.stray, *foreign),
            looked.dice,
            is_hand,
            looked.trouble,
            min(confidence, _WITH_FOREIGN) if foreign else confidence,
            sureness().told(settled.alternatives),
        )


def _away_from(hand: Flags) -> Map:
    """How many pixels each one is away from what a hand hides."""
    return np.asarray(cv2.distanceTransform((~hand).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_5))


def _likely(profile: TableProfile, canvas: Canvas) -> npt.NDArray[np.float16]:
    """Log-odds (size, size) that a disc whose foot is there is a piece, by where pieces are put. Half floats
    hold them exactly, in half the memory.
    """
    plan = profile.plan
    out = np.full((canvas.size, canvas.size), _ODD_PLACE, dtype=np.float32)
    arm = plan.board.arm_length
    home = {(c, r) for c in range(arm, arm + 3) for r in range(arm, arm + 3)}
    chutes = {plan.chute_cell(seat, steps) for seat in range(4) for steps in plan.board.chute}
    half = plan.cell_mm / 2 + _LINE_SLACK_MM
    for cell in {*plan.track_cells, *chutes, *home}:
        x, y = plan.centre_mm(cell)
        low, high = np.rint(canvas.px([[x - half, y - half], [x + half, y + half]])).astype(int)
        out[max(0, low[1]) : high[1], max(0, low[0]) : high[0]] = 0
    for spots in profile.base_spots_mm:
        for x, y in np.rint(canvas.px(list(spots))).astype(int):
            cv2.circle(out, (int(x), int(y)), round(_SPOT_MM * canvas.px_per_mm), 0.0, -1)
    return out.astype(np.float16)


_LIKELY_OURS = -1.5
"""Log-odds from which a top, too doubtful to be claimed, counts as a piece rather than an unknown thing."""
_WITH_FOREIGN = 0.4
"""The most confidence in a board with something on it that cannot be named: nobody is accused by it."""
_ODD_PLACE = -3.5
"""Log-odds on bare wood and between a base's spots: pieces hardly ever stand there, stains and shadows do."""
_LINE_SLACK_MM, _SPOT_MM = 6.0, 16.0
