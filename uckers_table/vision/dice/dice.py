"""Reading dice on and beside the board, by their pips.

A flat die's upper face lies 16 mm above the board: seen there, its pips stand on a square grid and its
edges form a square. Pips that fit no such face belong to a die that leans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice.claims import DIE_REACH_MM, PLAIN_TOP, THROWN, Dice, TopsSeen
from uckers_table.vision.dice.faces import (
    DIE_MM,
    PLAIN_CONTRAST,
    SPREAD,
    SURE_PIPS,
    Face,
    Patch,
    alike,
    alike_but_for_a_lamp,
    alike_in_any_light,
    confirmed,
    off_in_any_light,
    ones,
    suggested,
)
from uckers_table.vision.dice.pips import PATTERNS, SITES
from uckers_table.vision.dice.second_look import weighed, with_unseen
from uckers_table.vision.dice.spots import CLEAR, Changed, Smoothed, Spots, find_spots
from uckers_table.vision.dice.stance import Scene, leaning
from uckers_table.vision.picture.arrays import Flags, Floats, Image
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import Camera

BOARD_MM = 12.0
"""How far below the board's top lies the table, and dice on it."""
_SLACK_MM = 1.0
"""How far beyond a die's outline its pips' edges may be found."""
_APART_MM = 11.0
"""The middles of two dice that lie flat are 16 mm apart; what is read nearer is the same die."""
_MAX_OFF_MM, _MAX_OFF_FAINT_MM = 0.19, 0.3
"""Pips of flat dice lie within 0.18 mm of the grid, faint ones in glare 0.28, of a six that leans 0.3 and
more."""
_IN_LINE, _MAX_OFF_LINE_MM = 3, 0.3
"""However a three leans, its pips stay in a line, the middle one in the middle: only noise moves them off."""
_SURELY_FLAT_MM, _MAX_OFF_SQUARE_MM = 0.15, 0.45
_SQUARE = 0.955
"""Noise moves pips as far, each its own way; a lean brings all of them nearer together one way. Of sixteen
dice that lean and show four pips and more they have up to 0.953 of the distance across that, but for one that
shows its side; of 190 that lie flat and show all of theirs 0.96 and more, but for one in hard light.
"""
_PITCH_SHARE, _FEW_PITCH_SHARE = 0.035, 0.055
"""Two dice of a set have their pips as far apart within 2 %; a lean of 22 degrees brings them 8 % nearer.
Two or three pips alone, unevenly lit, may be found 5 % farther apart.
"""
_VOUCHED_PIPS = 3
"""As far apart as those of a die in plain sight: paint of a die's own colour hides its edge, not its pips."""
_SURE_CONTRAST = 0.45
"""Of a few pips with no other die to compare them with; under a lamp's glare a die needs a second one."""
_LEANING_CONTRAST, _LEANING_PLAIN = 0.35, 0.3
"""Of the pips of one that leans, beside another die; and what must be left of that when as much is taken off
as what is round them is off the other's colour. The second best pip has 0.39 and more; rings that a lamp
leaves on pieces up to 0.21.
"""
_PIPS_BESIDE, _PIPS_ALONE = 2, 4
"""How many pips show a die that leans, where another lies flat and where none does."""
_PIPS_SURE, _NEAREST_MM = 5, 3.0
"""So many on both its faces, beside another die, and so far apart, are more than the highlights of any piece:
strips left five, two of them 2.3 mm apart. Of 61 such dice those with up to seven pips have 3.6 and more.
"""
_MAY_BE, _LIKELY, _SURE = 0, 1, 2
_LIKELY_PLAIN, _LIKELY_ONE, _LIKELY_TWO = 0.53, 0.7, 0.45
"""Two pips whose contrast, less what their surroundings are off the other die's colour, is more than that
show a die, where no plain top is (`PLAIN_TOP`), and so does the pip of a flat one with so much, or
both of one whose edge and face show whole: red dice were red tops with 0.8 to 3.1, and tops with highlights
so like pips had 5.5 and more.
"""
_TWO, _WHOLE = 2, 1.8
_BEST_OF_FEW, _BEST_ALONE = 0.425, 0.55
"""So much, of contrast less the same, has the clearest pip of a die that leans: 0.52 and more, 0.43 in
blurred pictures and shadows. Lines that noise or a moved board brings out, two or three of them, have up to
0.42. Where no other die lies flat it has 0.77, and lights mirrored in a piece that is no plain top had 0.52.
"""
_REACH_MM = 13.0
"""From one pip of a face to the farthest."""
_SIDE_MM, _SIDE_PIPS_MM, _SIDE_CONTRAST = 2.0, 14.3, 0.65
_PLAIN_PIPS, _OTHERS_MM = 2, 26.0
"""Pips of a leaning die's side are seen up to so far from the middle of its upper face, and farther outside a
flat die's outline than any spot of 220 flat ones that looks like a pip: 1.6. Seen aslant they have 0.5 of the
contrast of those above at most. With more they are another die's, that leans on this one: unless there are
so many, and none so far away.
"""
_LEANS, _LEANS_TOO = 82.0, 40.0
"""By so many nats the whole of a die shows that it leans, or so many with pips of its side, whatever stands
beside it. Of 254 that lie flat two have 67 and 69 (red on red, white on white) and the others less than 36,
of 25 that lean all but three 70 and more; of some 100 flat ones of the simulator two have 70 and 74. With
what looked like a pip of its side one that lies flat has 24, and those that lean have 58 and more.
"""
_LEANS_BESIDE = 28.5
"""By so many nats one that a piece stands beside: of 19 such that lean one has 31 nats and the others 58 and
more, of six that lie flat and as near as 27 mm none more than 26.
"""
_SQUEEZE = 0.0125
"""Noise brings pips nearer together one way by such a part of their distance: so unlikely it is that a die
lies flat whose pips lie off the grid. If all of it goes better with a flat one by more than that, it does: of
four such with four pips and more three do, by 3 to 24 nats, and one in a lamp's image does not; of 50 that
lean none does, which go better with a lean by 12 nats and more.
"""
_SURELY_SQUARE = 0.98
"""So nearly as far apart one way as the other are the pips of three flat dice of four that have four and more
(267 on 46 tables). Of 20 that lean none has more than 0.973.
"""
_SEEN_MM = 1.0
"""A pip that is not seen within so much of its place there counts no more."""
_ALONE_MM = 9.0
"""From a face's single pip: those on the die's sides are seen farther away, the next of a four nearer."""
_EDGE_MM, _EDGE_SHARE = 6.5, 0.9
"""So far from its middle, along its sides, begins a die's rounded edge. A lamp mirrored there has less than
so much of the pips' contrast: on 33 tables four flat dice have one (6.7 mm and more, 0.52 to 0.88), and no
sure face that is none.
"""
_OWN_PIPS_MM = 15.5
"""From a face's middle no pip on the same die is seen farther away than this."""


Lit = Callable[[Floats], Floats]
"""How much of the bare board's light (N,) falls on places (N, 2) of the picture."""
_Look = Callable[[Face, bool], Face | None]
"""A guessed face as the picture confirms it, or None; leniently if so."""


def _anywhere(places_px: Floats) -> Flags:
    return np.ones(len(places_px), dtype=bool)


def _fully(places_px: Floats) -> Floats:
    return np.ones(len(places_px))


@dataclass(frozen=True)
class Shown:
    """The `dice` that are seen in a `scene`, and where on the plan (N, 2) all that may be
    pips is, the clearest first.
    """

    dice: Dice
    scene: Scene
    pips_mm: Floats


class DiceFinder:
    """Finds the dice in frames of one table; knows nothing of the frame before."""

    def __init__(self, bare: Image, camera: Camera, side_mm: float) -> None:
        """`bare` is the picture of the bare board that `camera` took, BGR; `side_mm` the board's size."""
        self._camera = camera
        self._side_mm = side_mm
        self._bare = Smoothed.of(Halves(bare), camera.px_per_mm)
        self._white = float(np.percentile(self._bare.wide, 97))

    def find(self, picture: Halves, camera: Camera, changed: Changed = _anywhere, lit: Lit = _fully) -> Dice:
        """The dice in a BGR picture as large as the bare board's, seen by `camera` (the same, or where it was
        moved to).

        `changed` says of places (N, 2) in the picture whether anything there may differ from the bare board:
        dice are looked for nowhere else. `lit` says how much light is left there: in a person's shadow dice
        are as dark as cloth and wood are elsewhere.
        """
        return self.with_unseen(self.seen(picture, camera, changed, lit), TopsSeen.none())

    def seen(self, picture: Halves, camera: Camera, changed: Changed = _anywhere, lit: Lit = _fully) -> Shown:
        """The same, but for those whose pips hardly show."""
        shown = self.by_pips(picture, camera, changed, lit)
        return replace(shown, dice=weighed(shown.dice, shown.scene, self.height_at))

    def with_unseen(self, shown: Shown, tops: TopsSeen) -> Dice:
        """The dice shown, and those whose pips hardly show; nowhere on these tops, if they are plain ones."""
        if len(shown.dice.sure) >= THROWN:
            return shown.dice
        free = tops.best_odds_at(shown.pips_mm) <= PLAIN_TOP
        return with_unseen(shown.dice, shown.scene, shown.pips_mm[free], self.height_at)

    def by_pips(
        self, picture: Halves, camera: Camera, changed: Changed = _anywhere, lit: Lit = _fully
    ) -> Shown:
        """The dice as their pips, edges and sides alone show them."""
        now = Smoothed.of(picture, self._camera.px_per_mm)

        def look(guess: Face, lenient: bool) -> Face | None:
            height_mm = self._height_mm(guess)
            at_px = camera.project(np.array([[guess.x_mm, guess.y_mm, -height_mm]]))
            white = self._white * min(1.0, float(lit(at_px)[0]))
            return confirmed(guess, Patch.cut(now, camera, guess.middle, height_mm), white, lenient)

        all_spots, all_places = self._spots(now, camera, changed)
        clear = all_spots.contrast > CLEAR
        spots, places = all_spots.where(clear), all_places[clear]
        guesses = list(suggested(spots, places))
        found = self._faces(now, camera, look, spots, places, guesses)
        odds: dict[Face, float] = {}
        tilted: list[Face] = []
        faint_tilted: list[Face] = []
        # Once more where one leans: others may have been held against that.
        for _ in range(2):
            faces = self._agreed(found, spots, places, tilted)
            new = [face for face in faces if face not in odds]
            odds |= {face: self._leans_by(now, camera, face, faces, spots, places) for face in new}
            tilted = [face for face in faces if self._leans(odds[face], camera, face, faces, spots, places)]
            if not tilted:
                break
        faces = [face for face in faces if face not in tilted]
        if len(faces) == 1 and faces[0].sure:
            faint, faint_tilted = self._with_faint(now, camera, look, all_spots, all_places, faces[0], tilted)
            faces = faint or faces
            new = [face for face in faces if face not in odds]
            odds |= {face: self._leans_by(now, camera, face, faces, all_spots, all_places) for face in new}
        may_lean = tuple(
            self._die(face) for face in faces if odds[face] > _LEANS_BESIDE and not _is_square(face, places)
        )
        # A single faint pip that only another die vouches for may be noise in the deepest shadow.
        faint_ones = [face for face in faces if face.value == 1 and face.is_faint and not face.sure]
        hardly_flat = tuple(self._die(face) for face in faint_ones if odds[face] > _LEANS_TOO)
        faces = [*faces, *self._off_grid(now, camera, look, spots, places, guesses, faces, tilted)]
        cocked = self._cocked(camera, faces, tilted, faint_tilted, spots, places)
        dice = self._claimed(faces, cocked, may_lean, hardly_flat)
        scene = Scene(now, camera, self._bare, self._camera, self._white)
        return Shown(dice.without_more(), scene, places)

    def _cocked(
        self,
        camera: Camera,
        faces: Sequence[Face],
        tilted: Sequence[Face],
        faint_tilted: Sequence[Face],
        spots: Spots,
        places: Floats,
    ) -> list[tuple[SeenDie, int]]:
        """The dice that lean, and how sure each is: `_SURE`, `_LIKELY` or `_MAY_BE`."""
        used = self._covered(spots, camera, faces)
        sure = [face for face in faces if face.sure]
        # Of a one that leans nothing shows but what a lamp in the middle of a top looks like.
        is_third = len(sure) >= THROWN
        leaning = [
            (face.middle, _SURE if face.sure and (face.value > 1 or not is_third) else _MAY_BE)
            for face in tilted
        ]
        left = ~used & ~spots.may_be_old
        if sure:
            # Dice of one set have dark pips, or light ones: highlights are light, joints of pieces dark.
            left &= np.isin(spots.dark, [face.dark for face in sure])
        by_pips = _leaning(spots.where(left), places[left], _colour(spots, places, sure))
        for place, rank in (*by_pips, *((face.middle, _MAY_BE) for face in faint_tilted)):
            if all(np.hypot(*(place - other)) > DIE_REACH_MM for other, _ in leaning):
                leaning.append((place, rank))
        return [(SeenDie(None, "cocked", float(x), float(y)), rank) for (x, y), rank in leaning]

    def _claimed(
        self,
        faces: Sequence[Face],
        cocked: Sequence[tuple[SeenDie, int]],
        may_lean: tuple[SeenDie, ...],
        hardly_flat: tuple[SeenDie, ...],
    ) -> Dice:
        """Flat faces and leaning dice by how sure each is."""
        sure = [face for face in faces if face.sure]
        certain = *(self._die(face) for face in sure), *(die for die, rank in cocked if rank == _SURE)
        doubtful = (
            *(self._die(face) for face in faces if not face.sure),
            *(die for die, rank in cocked if rank != _SURE),
        )
        likely = (
            *(self._die(face) for face in faces if not face.sure and _is_likely(face)),
            *(die for die, rank in cocked if rank == _LIKELY),
        )
        return Dice(certain, doubtful, likely, may_lean, hardly_flat)

    def _die(self, face: Face) -> SeenDie:
        state = "off_board" if self._beside(face.middle[None])[0] else "flat"
        return SeenDie(face.value, state, face.x_mm, face.y_mm)

    def _spots(self, now: Smoothed, camera: Camera, changed: Changed) -> tuple[Spots, Floats]:
        """The spots, and where on the plan (N, 2) they are if they are pips of upper faces."""
        spots = find_spots(now, camera, self._bare, self._camera, changed)
        places = camera.unproject(spots.px, DIE_MM)
        beside = self._beside(places)
        places[beside] = camera.unproject(spots.px[beside], DIE_MM - BOARD_MM)
        return spots, places

    def _with_faint(
        self,
        now: Smoothed,
        camera: Camera,
        look: _Look,
        spots: Spots,
        places: Floats,
        sure: Face,
        tilted: Sequence[Face],
    ) -> tuple[list[Face], list[Face]]:
        """The sure die and others of its colours, or brighter in a lamp's glare, that are hard to see: faint
        ones, or on paint of their own colour; and those that lean. What is `tilted` is none of them.
        """
        colour = _colour(spots, places, [sure])
        if colour is None:
            return [], []
        like = alike(np.minimum(spots.around, colour), colour[None]) & (spots.dark == sure.dark)
        like &= ~self._covered(spots, camera, [sure])
        guesses = list(suggested(spots.where(like), places[like]))
        faint = self._faces(now, camera, look, spots.where(like), places[like], guesses, lenient=True)
        # Pips that are not like the sure die's are pips too.
        faint = [face for face in faint if _apart(face, tilted) and not _crowded(face, spots, places)]
        lean = [
            face
            for face in faint
            if self._leans(
                self._leans_by(now, camera, face, [sure], spots, places), camera, face, [sure], spots, places
            )
        ]
        faint = [face for face in faint if face not in lean]
        faint += self._off_grid(now, camera, look, spots, places, guesses, [sure, *faint], tilted)
        agreed = self._agreed([sure, *(replace(f, score=0.0) for f in faint)], spots, places)
        return agreed, lean

    def _beside(self, places_mm: Floats) -> Flags:
        return np.asarray(((places_mm < 0) | (places_mm > self._side_mm)).any(axis=1))

    def _height_mm(self, face: Face) -> float:
        return self.height_at(face.middle)

    def height_at(self, place_mm: Floats) -> float:
        """How high above the board's top (mm) a flat die's upper face is at a plan place (2,)."""
        return DIE_MM - BOARD_MM if self._beside(place_mm[None])[0] else DIE_MM

    def _faces(
        self,
        now: Smoothed,
        camera: Camera,
        look: _Look,
        spots: Spots,
        places: Floats,
        guesses: Sequence[Face],
        lenient: bool = False,
    ) -> list[Face]:
        """The flat upper faces that the picture confirms, none overlapping another, of those of two or more
        pips that are guessed and of all with one.
        """
        kept: list[Face] = []
        doubtful: list[Face] = []
        tried: set[tuple[int, int, int]] = set()

        def keep(guesses: Iterable[Face]) -> None:
            for guess in sorted(guesses, key=lambda face: -face.score):
                same = (round(guess.x_mm * 2), round(guess.y_mm * 2), guess.value)
                if same in tried or not _apart(guess, kept):
                    continue
                tried.add(same)
                face = look(guess, lenient)
                if face is not None and not _crowded(face, spots, places):
                    (kept if face.sure else doubtful).append(face)

        most = _MAX_OFF_FAINT_MM if lenient else _MAX_OFF_MM

        def lies_flat(face: Face) -> bool:
            is_line = face.value == _IN_LINE and face.contrast >= PLAIN_CONTRAST
            is_near = face.off_mm < (most if face.is_faint else _MAX_OFF_LINE_MM if is_line else _MAX_OFF_MM)
            is_told = face.value >= SURE_PIPS and not (face.is_faint and is_near)
            if not is_told or not _SURELY_FLAT_MM <= face.off_mm < _MAX_OFF_SQUARE_MM:
                return is_near
            return _evenness(face, places) > _SQUARE

        keep(face for face in guesses if lies_flat(face))
        for two in [face for face in kept if face.value == _TWO]:
            # One of them may be a pip of the die's side.
            away = np.linalg.norm(places - two.middle, axis=1)
            own = (away < _REACH_MM / 2) & (spots.dark == two.dark)
            for guess in ones(spots.where(own), places[own], now, camera.px_per_mm):
                one = look(guess, lenient)
                if one is not None and one.sure and one.score > two.score - 1:
                    kept = [one if face is two else face for face in kept]
        free = ~self._covered(spots, camera, kept)
        keep(ones(spots.where(free), places[free], now, camera.px_per_mm))
        for face in sorted(doubtful, key=lambda face: -face.score):
            if _apart(face, kept):
                kept.append(face)
        return kept

    def _leans(
        self, odds: float, camera: Camera, face: Face, faces: Sequence[Face], spots: Spots, places: Floats
    ) -> bool:
        """Whether what may be a flat die's upper face, one of these `faces`, is that of one that leans: by so
        many nats, whatever stands beside it.
        """
        doubtful = _LEANS_TOO < odds <= _LEANS
        return odds > _LEANS or (doubtful and self._shows_side(camera, face, faces, spots, places))

    def _leans_by(
        self, now: Smoothed, camera: Camera, face: Face, faces: Sequence[Face], spots: Spots, places: Floats
    ) -> float:
        """`_leaning`, but beside the board, where the table is not known well enough to say."""
        if self._beside(face.middle[None])[0]:
            return -np.inf
        return self._leaning(now, camera, face, faces, spots, places)

    def _leaning(
        self, now: Smoothed, camera: Camera, face: Face, faces: Sequence[Face], spots: Spots, places: Floats
    ) -> float:
        """By how many nats what may be a flat die's upper face is one's that leans, where others are too."""
        others = [other for other in faces if other is not face]
        scene = Scene(now, camera, self._bare, self._camera, self._white)
        return leaning(scene, face, others, _others_pips(face, spots, places))

    def _off_grid(
        self,
        now: Smoothed,
        camera: Camera,
        look: _Look,
        spots: Spots,
        places: Floats,
        guesses: Sequence[Face],
        faces: Sequence[Face],
        tilted: Sequence[Face],
    ) -> list[Face]:
        """The dice besides these `faces` and `tilted` ones whose many pips noise or uneven light put off the
        grid, and that lie flat by all that is seen of them.
        """
        out: list[Face] = []
        lean = list(tilted)
        for guess in sorted(guesses, key=lambda face: -face.score):
            is_new = _apart(guess, [*faces, *lean, *out]) and not self._beside(guess.middle[None])[0]
            if guess.value < SURE_PIPS or guess.off_mm >= _MAX_OFF_SQUARE_MM or not is_new:
                continue
            face = look(guess, False)
            if face is None or not face.sure or _crowded(face, spots, places):
                continue
            unlikely = ((1 - _evenness(face, places, _SEEN_MM)) / _SQUEEZE) ** 2 / 2
            odds = self._leaning(now, camera, face, faces, spots, places)
            if odds < -unlikely:
                out.append(face)
            elif odds > 0:
                lean.append(face)
        return out

    def _covered(self, spots: Spots, camera: Camera, faces: Sequence[Face]) -> Flags:
        """Which spots lie on flat dice with these upper faces, on their sides too."""
        covered = np.zeros(len(spots.px), dtype=bool)
        for face in faces:
            covered |= self._inside_mm(camera, face, spots) > -_SLACK_MM
        return covered

    def _shows_side(
        self, camera: Camera, face: Face, faces: Sequence[Face], spots: Spots, places: Floats
    ) -> bool:
        """Whether pips of a die's side show where it would show none if it lay flat; those of other `faces`
        are not its own.
        """
        away = np.linalg.norm(places - face.middle, axis=1)
        own = (self._inside_mm(camera, face, spots) < -_SIDE_MM) & (spots.contrast > CLEAR)
        own &= (spots.dark == face.dark) & ~spots.may_be_old
        own &= alike_in_any_light(spots.around, np.array(face.colour))
        own &= ~self._covered(spots, camera, [other for other in faces if other is not face])
        is_plain = spots.contrast >= _SIDE_CONTRAST * face.contrast
        if bool((own & ~is_plain & (away < _SIDE_PIPS_MM)).any()):
            return True
        plain = away[own & is_plain & (away < _OTHERS_MM)]
        return len(plain) >= _PLAIN_PIPS and float(plain.max()) < _SIDE_PIPS_MM

    def _inside_mm(self, camera: Camera, face: Face, spots: Spots) -> Floats:
        """How far (N,) spots lie inside the outline of a flat die with this upper face, at the board's scale;
        negative outside.
        """
        top = self._height_mm(face)
        corners = face.on_plan(DIE_MM / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1.0]]))
        ends = [camera.project(np.column_stack([corners, np.full(4, -z)])) for z in (top, top - DIE_MM)]
        outline = cv2.convexHull(np.vstack(ends).astype(np.float32))
        inside = [cv2.pointPolygonTest(outline, (float(x), float(y)), True) for x, y in spots.px]
        return np.array(inside, dtype=np.float64) / camera.px_per_mm

    def _agreed(
        self, faces: list[Face], spots: Spots, places: Floats, tilted: Sequence[Face] = ()
    ) -> list[Face]:
        """The faces that go with the surest of them: dice of one set look alike.

        A few spots of other colours are no die, and pips nearer together are those of one that leans. What is
        known to be `tilted` has pips too near together to be the measure of others', but for those on its
        own sides.
        """
        if not faces:
            return []
        surest = max(faces, key=lambda face: (face.sure, face.score))
        colour = _colour(spots, places, [surest])

        def agrees(face: Face) -> bool:
            if face.value > 1 < surest.value and (surest not in tilted or _touch(face, surest)):
                most = _PITCH_SHARE if face.value >= SURE_PIPS else _FEW_PITCH_SHARE
                # Whether it leans is asked of the whole die later, but beside the board.
                least = _PITCH_SHARE if self._beside(face.middle[None])[0] else most
                if not -least < face.pitch_mm / surest.pitch_mm - 1 < most:
                    return False
            if face.value >= SURE_PIPS:
                return True
            own = _colour(spots, places, [face])
            if own is None or colour is None or face.dark != surest.dark:
                return False
            # What is a die for itself may lie in another light, in a person's shadow or beside the board.
            is_die = face.sure or (_is_whole(face) and face.contrast > _BEST_OF_FEW)
            is_alike = alike_in_any_light(own, colour) if is_die else alike(own, colour)
            # Where the lamp is in the surest, this one's pips are plain.
            plain = face.contrast >= PLAIN_CONTRAST
            has_lamp = alike_but_for_a_lamp(own, colour) or (plain and alike_but_for_a_lamp(colour, own))
            return bool(is_alike) or has_lamp

        agreed = [face for face in faces if face is surest or agrees(face)]
        if surest.sure and surest.value > 1:
            agreed = [replace(face, sure=face.sure or _is_vouched_for(face)) for face in agreed]
        weak = surest.value < SURE_PIPS and surest.contrast < _SURE_CONTRAST and not _is_whole_two(surest)
        return [] if weak and len(agreed) == 1 else agreed


def _others_pips(face: Face, spots: Spots, places: Floats) -> Floats:
    """Which places (N, 2) may be pips of other dice: those too far from a face, and those beside it near
    one.
    """
    away = np.linalg.norm(places - face.middle, axis=1)
    like = (spots.dark == face.dark) & alike_in_any_light(spots.around, np.array(face.colour))
    like &= away < 2 * _OWN_PIPS_MM
    far = like & (away > _OWN_PIPS_MM)
    beside = like & (np.abs((places - face.middle) @ face.axes.T).max(axis=1) > DIE_MM / 2)
    apart = np.linalg.norm(places[:, None] - places[far], axis=2).min(axis=1, initial=np.inf)
    return np.asarray(places[far | (beside & (apart < _REACH_MM))])


def _is_likely(face: Face) -> bool:
    """Whether only a plain top can look like a face that goes with a sure one."""
    return (_is_whole_two(face) and face.contrast > _LIKELY_TWO) or face.contrast > _LIKELY_ONE


def _is_whole(face: Face) -> bool:
    """Whether edge and face of a one or a two show whole, its pips in plain sight."""
    return face.value <= _TWO and face.score - face.value > _WHOLE and not face.is_faint


def _is_whole_two(face: Face) -> bool:
    return face.value == _TWO and _is_whole(face)


def _is_vouched_for(face: Face) -> bool:
    """Whether the pips of a face that goes with a sure one are as many and as clear as no highlights are."""
    return face.value >= _VOUCHED_PIPS and face.contrast >= PLAIN_CONTRAST


def _evenness(face: Face, places: Floats, near_mm: float = np.inf) -> float:
    """How far apart the pips nearest a face's grid lie where they are nearest together, against how far apart
    across that; of those not farther from it than `near_mm`.
    """
    best, shape = np.inf, np.eye(2)
    for sites in (SITES[pattern] for value, pattern in PATTERNS if value == face.value):
        off = np.linalg.norm(places[:, None] - face.on_plan(sites * face.pitch_mm), axis=2)
        least = off.min(axis=0)
        if np.minimum(least, near_mm).max() < best:
            best, seen = float(least.max()), least < near_mm
            terms = np.column_stack([sites, np.ones(len(sites))])[seen]
            shape = np.linalg.lstsq(terms, places[off.argmin(axis=0)[seen]], rcond=None)[0][:2]
    wide, narrow = np.linalg.svd(shape, compute_uv=False)
    return float(narrow / max(wide, 1e-9))


def _is_square(face: Face, places: Floats) -> bool:
    """Whether a face's many pips lie as far apart one way as the other: none does that leans."""
    return face.value >= SURE_PIPS and _evenness(face, places, _SEEN_MM) > _SURELY_SQUARE


def _crowded(face: Face, spots: Spots, places: Floats) -> bool:
    """Whether pips lie inside a face where its own pattern has none: it is part of one that leans."""
    local = (places - face.middle) @ face.axes.T
    inside = (np.abs(local).max(axis=1) < DIE_MM / 2 - _SLACK_MM) & (spots.dark == face.dark)
    if face.value == 1:
        inside |= (np.linalg.norm(local, axis=1) < _ALONE_MM) & (spots.dark == face.dark)
    inside &= spots.contrast > face.contrast / 2
    on_edge = inside & (np.abs(local).max(axis=1) > _EDGE_MM) & (spots.contrast < _EDGE_SHARE * face.contrast)
    is_lit = face.sure and int(on_edge.sum()) == 1
    return int(inside.sum()) - is_lit > face.value


def _touch(face: Face, other: Face) -> bool:
    """Whether both may be seen of one die that leans."""
    return bool(np.hypot(*(face.middle - other.middle)) <= DIE_REACH_MM)


def _apart(face: Face, others: Iterable[Face]) -> bool:
    return all(np.hypot(*(face.middle - other.middle)) >= _APART_MM for other in others)


def _colour(spots: Spots, places: Floats, faces: Sequence[Face]) -> Floats | None:
    """The colour round the pips of these faces (3,), None without any."""
    near = np.zeros(len(places), dtype=bool)
    for face in faces:
        near |= (np.linalg.norm(places - face.middle, axis=1) < DIE_MM / 2) & (spots.dark == face.dark)
    return np.asarray(np.median(spots.around[near], axis=0)) if near.any() else None


def _thinned(places: Floats) -> int:
    """How many of these places (N, 2), the clearest first, lie no nearer to one before than pips do."""
    kept: list[Floats] = []
    for place in places:
        if all(np.hypot(*(place - other)) > _NEAREST_MM for other in kept):
            kept.append(place)
    return len(kept)


def _leaning(spots: Spots, places: Floats, colour: Floats | None) -> Iterator[tuple[Floats, int]]:
    """Where dice lie that show pips but no flat face, and how surely: `_SURE` ones no piece can look like,
    `_LIKELY` ones none but a plain one. `colour` is the flat dice's, if there are any.
    """
    fit = spots.contrast > (_SURE_CONTRAST if colour is None else _LEANING_CONTRAST)
    plain = spots.contrast
    if colour is not None:
        off = off_in_any_light(spots.around, colour[None])
        plain = spots.contrast - off
        fit &= (off < SPREAD) & (plain > _LEANING_PLAIN)
    spots, places, plain = spots.where(fit), places[fit], plain[fit]
    least = _PIPS_ALONE if colour is None else _PIPS_BESIDE
    left = np.ones(len(places), dtype=bool)
    for k, place in enumerate(places):
        same = left & (spots.dark == spots.dark[k])
        face = same & (np.linalg.norm(places - place, axis=1) < _REACH_MM)
        face &= alike(spots.around, spots.around[k][None])
        if left[k] and face.sum() >= least:
            # Its other faces are lit otherwise.
            whole = same & (np.linalg.norm(places - places[face].mean(axis=0), axis=1) < _REACH_MM)
            whole &= alike_in_any_light(spots.around, spots.around[k][None])
            middle = places[whole].mean(axis=0)
            left &= np.linalg.norm(places - middle, axis=1) > DIE_REACH_MM
            best = plain[whole].max()
            if colour is None:
                if best > _BEST_ALONE:
                    yield middle, _MAY_BE
            elif face.sum() >= _PIPS_ALONE or best > _BEST_OF_FEW:
                is_sure = _thinned(places[whole & (spots.contrast > _SURE_CONTRAST)]) >= _PIPS_SURE
                is_likely = (plain[whole] > _LIKELY_PLAIN).sum() >= _PIPS_BESIDE
                yield middle, _SURE if is_sure else _LIKELY if is_likely else _MAY_BE
