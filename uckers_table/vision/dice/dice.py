"""Reads the dice on and beside the board by their pips.

A flat die's upper face lies 16 mm above the board. At that height its pips stand on a square grid, and its
edges form a square. Pips that fit no flat face belong to a die that leans.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from uckers_table.sighting import SeenDie
from uckers_table.vision.dice.claims import DIE_REACH_MM, PLAIN_TOP, THROWN, FoundDice, TopsSeen
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
from uckers_table.vision.dice.lean import BESIDE, OFF_GRID, by_stance
from uckers_table.vision.dice.pips import PATTERNS, SITES
from uckers_table.vision.dice.second_look import weighed, with_unseen
from uckers_table.vision.dice.spots import CLEAR, Changed, Smoothed, Spots, find_spots
from uckers_table.vision.dice.stance import SeenScene, leaning
from uckers_table.vision.picture.arrays import Flags, Floats, Image
from uckers_table.vision.picture.channels import Halves
from uckers_table.vision.place.camera import CameraModel

BOARD_MM = 12.0
"""The table, and dice on it, lie this far (mm) below the board's top."""
_SLACK_MM = 1.0
"""The edges of a die's pips may be found this far (mm) beyond its outline."""
_APART_MM = 11.0
"""The middles of two flat dice are 16 mm apart or more. A second reading nearer (mm) is the same die."""
_MAX_OFF_MM, _MAX_OFF_FAINT_MM = 0.19, 0.3
"""How far (mm) the worst pip of a flat die may lie off the grid: a plain pip, and a faint one in glare. Plain
pips of flat dice lie within 0.18 mm of it, faint ones within 0.28 mm. Pips of a six that leans lie 0.3 mm off
and more.
"""
_IN_LINE, _MAX_OFF_LINE_MM = 3, 0.3
"""How far (mm) the worst pip of a plain three may lie off the grid. Its pips stay in a line however it leans,
with the middle one in the middle: only noise moves them off.
"""
_SURELY_FLAT_MM, _MAX_OFF_SQUARE_MM = 0.15, 0.45
_SQUARE = 0.955
"""How faces of `SURE_PIPS` and more are judged if their worst pip is off the grid by a distance (mm) between
the two limits. Such a face is flat if its `_evenness` exceeds `_SQUARE`.

Noise moves each pip its own way. A lean brings all pips nearer together one way. Of 16 leaning dice that show
four pips and more, 15 have an evenness up to 0.953; the other shows its side. Of 190 flat dice that show all
their pips, all but one in hard light have 0.96 and more.
"""
_PITCH_SHARE, _FEW_PITCH_SHARE = 0.035, 0.055
"""How much the distance between a face's pips may differ from the surest die's, as a share. The first is for
`SURE_PIPS` pips and more, the second for fewer. Two dice of a set agree within 2 %. A lean of 22 degrees
brings pips 8 % nearer together one way. Two or three pips alone, unevenly lit, may be found 5 % farther
apart.
"""
_VOUCHED_PIPS = 3
"""Pips that make a face sure if they are as far apart as those of a die in plain sight. Paint of a die's own
colour hides its edge, not its pips.
"""
_SURE_CONTRAST = 0.45
"""The contrast that a few pips need if no other die is there to compare them with. Under a lamp's glare a die
needs a second one beside it.
"""
_LEANING_CONTRAST, _LEANING_PLAIN = 0.35, 0.3
"""Least contrasts of a leaning die's pips beside a flat die. The first is the pip's contrast. The second is
what remains of it less how far the colour round the pip is off the flat die's. The second best pip has 0.39
and more; rings that a lamp leaves on pieces have up to 0.21.
"""
_PIPS_BESIDE, _PIPS_ALONE = 2, 4
"""How many pips show a leaning die: where another die lies flat, and where none does."""
_PIPS_SURE, _NEAREST_MM = 5, 3.0
"""A leaning die beside a flat one is sure if both its faces together show `_PIPS_SURE` pips, none nearer (mm)
to another than this. No piece's highlights do: lamp strips left five, two of them 2.3 mm apart. Of 61 leaning
dice, those with up to seven pips have them 3.6 mm apart and more.
"""
_MAY_BE, _LIKELY, _SURE = 0, 1, 2
"""How sure it is that a die leans there: see `_leaning`."""
_LIKELY_PLAIN, _LIKELY_ONE, _LIKELY_TWO = 0.53, 0.7, 0.45
"""Contrasts above which a doubtful die counts unless a plain top (`PLAIN_TOP`) is there. Red dice were read
as red tops with log-odds of 0.8 to 3.1 nats. Tops with highlights like these pips had 5.5 nats and more.

`_LIKELY_PLAIN`: two pips of a leaning die, less how far the colour round them is off the flat die's.
`_LIKELY_ONE`: the pips of a flat face.
`_LIKELY_TWO`: the pips of a flat two whose edge and face show whole.
"""
_TWO, _WHOLE = 2, 1.8
"""The value two; and what a face's edge and evenness add to its score, of 2 at most, if both show whole."""
_BEST_OF_FEW, _BEST_ALONE = 0.425, 0.55
"""What the clearest pip of a leaning die exceeds: if it shows few pips beside a flat die, and if no die lies
flat. It is a contrast, less how far the colour round the pip is off the flat die's.

Beside a flat die the clearest pip has 0.52 and more, in blurred pictures and shadows 0.43. Two or three lines
that noise or a moved board brings out have up to 0.42.

Where no other die lies flat, the clearest pip has a contrast of 0.77. Lights mirrored in a piece whose top is
not plain had 0.52.
"""
_REACH_MM = 13.0
"""The largest distance (mm) between two pips of one face."""
_SIDE_MM, _SIDE_PIPS_MM, _SIDE_CONTRAST = 2.0, 14.3, 0.65
_PLAIN_PIPS, _OTHERS_MM = 2, 26.0
"""What tells pips of a leaning die's side, and pips of another die that leans on it.

`_SIDE_MM`: pips of the side show at least this far (mm) outside a flat die's outline. Of 220 flat dice, no
spot that looks like a pip lies more than 1.6 mm outside.
`_SIDE_PIPS_MM`: they show at most this far (mm) from the middle of the upper face.
`_SIDE_CONTRAST`: they have less than this part of the upper pips' contrast. Seen aslant they have 0.5 of it
at most. A spot with more is another die's pip.
`_PLAIN_PIPS`: from this number on, spots with more contrast count too.
`_OTHERS_MM`: the exception. One of them between `_SIDE_PIPS_MM` and this far (mm) from the middle shows that
all are another die's.
"""
_LEANS, _LEANS_TOO = 82.0, 40.0
"""Nats from which a die seems to lean. The first is enough by itself, the second if pips of its side show
too.

Of 254 flat dice, two have 67 and 69 nats (red on red, white on white) and the others less than 36. Of 25
leaning dice, all but three have 70 nats and more. Of some 100 flat dice of the simulator, two have 70 and 74
nats. Where something looked like a pip of its side, a flat die has 24 nats and leaning ones have 58 and more.
"""
_SQUEEZE = 0.0125
"""The standard deviation by which noise brings pips nearer together one way, as a part of their distance. It
prices, in nats, a flat die whose pips lie off the grid. The die counts as flat if the whole of it goes better
with a flat one by more nats than that.

Of four flat dice off the grid with four pips and more, three do, by 3 to 24 nats. One in a lamp's image does
not. None of 50 leaning dice does: they go better with a lean, by 12 nats and more.
"""
_SEEN_MM = 1.0
"""A pip that is not seen within this distance (mm) of its place on the grid is left out."""
_ALONE_MM = 9.0
"""No other pip lies nearer (mm) to the single pip of a one. Those on the die's sides are seen farther away;
the next pip of a four would be nearer.
"""
_EDGE_MM, _EDGE_SHARE = 6.5, 0.9
"""A die's rounded edge begins this far (mm) from the middle of its face, along its sides. A lamp mirrored
there has less than `_EDGE_SHARE` of the pips' contrast. On 33 tables four flat dice have one, 6.7 mm off and
more, with 0.52 to 0.88 of that contrast. No sure face that is false has one.
"""
_OWN_PIPS_MM = 15.5
"""The largest distance (mm) from a face's middle at which a pip of the same die is seen."""


Lit = Callable[[Floats], Floats]
"""How much of the bare board's light (N,) falls on places (N, 2) of the picture, in pixels."""
_Look = Callable[[Face, bool], Face | None]
"""Takes a guessed face, and whether to be lenient. Gives the face as the picture confirms it, or None."""


def _anywhere(places_px: Floats) -> Flags:
    return np.ones(len(places_px), dtype=bool)


def _fully(places_px: Floats) -> Floats:
    return np.ones(len(places_px))


@dataclass(frozen=True)
class Shown:
    """What pips show: the `dice`, the `scene` they were seen in, and the places of all possible pips.

    `pips_mm` is (N, 2) in plan millimetres, the clearest pip first.
    `leans`: for each die, the log-odds (nats) of its leaning, by all but the net.
    """

    dice: FoundDice
    scene: SeenScene
    pips_mm: Floats
    leans: Mapping[SeenDie, float] = field(default_factory=dict)


class DiceFinder:
    """Finds the dice in frames of one table. It remembers no frame."""

    def __init__(self, bare: Image, camera: CameraModel, side_mm: float) -> None:
        """`bare` is the BGR picture of the bare board that `camera` took. `side_mm` is the length of the
        board's side.
        """
        self._camera = camera
        self._side_mm = side_mm
        self._bare = Smoothed.of(Halves(bare), camera.px_per_mm)
        self._white = float(np.percentile(self._bare.wide, 97))

    def find(
        self, picture: Halves, camera: CameraModel, changed: Changed = _anywhere, lit: Lit = _fully
    ) -> FoundDice:
        """The dice in a BGR picture of the bare board's size. `camera` took it: the bare board's, or that one
        where it was moved to.

        `changed` tells of places (N, 2), in pixels, whether anything there may differ from the bare board.
        Dice are looked for nowhere else. `lit` tells how much light is left there: in a person's shadow dice
        are as dark as cloth and wood are elsewhere.
        """
        return self.with_unseen(self.seen(picture, camera, changed, lit), TopsSeen.none())

    def seen(
        self, picture: Halves, camera: CameraModel, changed: Changed = _anywhere, lit: Lit = _fully
    ) -> Shown:
        """The same without the dice whose pips hardly show. Those need `with_unseen`."""
        shown = self.by_pips(picture, camera, changed, lit)
        return replace(shown, dice=weighed(shown.dice, shown.scene, self.height_at, shown.leans))

    def with_unseen(self, shown: Shown, tops: TopsSeen) -> FoundDice:
        """The dice shown, and those whose pips hardly show. The latter are not looked for on plain tops."""
        if len(shown.dice.sure) >= THROWN:
            return shown.dice
        free = tops.best_odds_at(shown.pips_mm) <= PLAIN_TOP
        return with_unseen(shown.dice, shown.scene, shown.pips_mm[free], self.height_at)

    def by_pips(
        self, picture: Halves, camera: CameraModel, changed: Changed = _anywhere, lit: Lit = _fully
    ) -> Shown:
        """The dice as their pips, edges and sides alone show them. No net is asked."""
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
        # A second round if a die leans: other faces may have been compared with it.
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
        faces = [*faces, *self._off_grid(now, camera, look, spots, places, guesses, faces, tilted)]
        cocked = self._cocked(camera, faces, tilted, faint_tilted, spots, places)
        dice = self._claimed(faces, cocked)
        scene = SeenScene(now, camera, self._bare, self._camera, self._white)
        new = [face for face in faces if face not in odds]
        odds |= {face: self._leans_by(now, camera, face, faces, all_spots, all_places) for face in new}
        leans = {self._die(face): by_stance(odds[face]) for face in faces}
        leans |= {die: BESIDE for die in leans if die.state == "off_board"}
        leans |= {die: OFF_GRID for die, _ in cocked}
        return Shown(dice.without_more(), scene, places, leans)

    def _cocked(
        self,
        camera: CameraModel,
        faces: Sequence[Face],
        tilted: Sequence[Face],
        faint_tilted: Sequence[Face],
        spots: Spots,
        places: Floats,
    ) -> list[tuple[SeenDie, int]]:
        """The dice that lean, and how sure each is: `_SURE`, `_LIKELY` or `_MAY_BE`."""
        used = self._covered(spots, camera, faces)
        sure = [face for face in faces if face.sure]
        # A leaning one shows nothing but a spot, as a lamp in the middle of a top does.
        is_third = len(sure) >= THROWN
        leaning = [
            (face.middle, _SURE if face.sure and (face.value > 1 or not is_third) else _MAY_BE)
            for face in tilted
        ]
        left = ~used & ~spots.may_be_old
        if sure:
            # The pips of one set are all dark, or all light. Highlights are light, joints of pieces dark.
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
    ) -> FoundDice:
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
        return FoundDice(certain, doubtful, likely)

    def _die(self, face: Face) -> SeenDie:
        state = "off_board" if self._beside(face.middle[None])[0] else "flat"
        return SeenDie(face.value, state, face.x_mm, face.y_mm)

    def _spots(self, now: Smoothed, camera: CameraModel, changed: Changed) -> tuple[Spots, Floats]:
        """The spots, and where each would be on the plan (N, 2), in mm, as a pip of an upper face."""
        spots = find_spots(now, camera, self._bare, self._camera, changed)
        places = camera.unproject(spots.px, DIE_MM)
        beside = self._beside(places)
        places[beside] = camera.unproject(spots.px[beside], DIE_MM - BOARD_MM)
        return spots, places

    def _with_faint(
        self,
        now: Smoothed,
        camera: CameraModel,
        look: _Look,
        spots: Spots,
        places: Floats,
        sure: Face,
        tilted: Sequence[Face],
    ) -> tuple[list[Face], list[Face]]:
        """The sure die with other flat dice of its colours that are hard to see; and those of them that lean.

        They are faint, or lie on paint of their own colour, or are brighter in a lamp's glare. `tilted` faces
        are none of them.
        """
        colour = _colour(spots, places, [sure])
        if colour is None:
            return [], []
        like = alike(np.minimum(spots.around, colour), colour[None]) & (spots.dark == sure.dark)
        like &= ~self._covered(spots, camera, [sure])
        guesses = list(suggested(spots.where(like), places[like]))
        faint = self._faces(now, camera, look, spots.where(like), places[like], guesses, lenient=True)
        # All pips count here, not only those of the sure die's colour.
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
        """How high above the board's top (mm) a flat die's upper face is at a plan place (2,), in mm."""
        return DIE_MM - BOARD_MM if self._beside(place_mm[None])[0] else DIE_MM

    def _faces(
        self,
        now: Smoothed,
        camera: CameraModel,
        look: _Look,
        spots: Spots,
        places: Floats,
        guesses: Sequence[Face],
        lenient: bool = False,
    ) -> list[Face]:
        """The flat upper faces that the picture confirms; no two overlap. Faces of two pips and more come
        from these `guesses`. Every other spot that stands alone is tried as a one.
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
            # One of its two pips may be a pip of the die's side.
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
        self,
        odds: float,
        camera: CameraModel,
        face: Face,
        faces: Sequence[Face],
        spots: Spots,
        places: Floats,
    ) -> bool:
        """Whether a face, one of these `faces`, belongs to a die that leans, whatever stands beside it.
        `odds` are its nats for leaning, by `_leans_by`.
        """
        doubtful = _LEANS_TOO < odds <= _LEANS
        return odds > _LEANS or (doubtful and self._shows_side(camera, face, faces, spots, places))

    def _leans_by(
        self,
        now: Smoothed,
        camera: CameraModel,
        face: Face,
        faces: Sequence[Face],
        spots: Spots,
        places: Floats,
    ) -> float:
        """`_leaning`, in nats. It is -inf beside the board, where too little is known of the table."""
        if self._beside(face.middle[None])[0]:
            return -np.inf
        return self._leaning(now, camera, face, faces, spots, places)

    def _leaning(
        self,
        now: Smoothed,
        camera: CameraModel,
        face: Face,
        faces: Sequence[Face],
        spots: Spots,
        places: Floats,
    ) -> float:
        """The nats for this face's die to lean rather than to lie flat. The other `faces` are dice too."""
        others = [other for other in faces if other is not face]
        scene = SeenScene(now, camera, self._bare, self._camera, self._white)
        return leaning(scene, face, others, _others_pips(face, spots, places))

    def _off_grid(
        self,
        now: Smoothed,
        camera: CameraModel,
        look: _Look,
        spots: Spots,
        places: Floats,
        guesses: Sequence[Face],
        faces: Sequence[Face],
        tilted: Sequence[Face],
    ) -> list[Face]:
        """The flat dice whose many pips noise or uneven light put off the grid; no die of `faces` or
        `tilted`. The whole of each goes better with a flat die than with a leaning one.
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

    def _covered(self, spots: Spots, camera: CameraModel, faces: Sequence[Face]) -> Flags:
        """Which spots (N,) lie on flat dice with these upper faces, or on their sides."""
        covered = np.zeros(len(spots.px), dtype=bool)
        for face in faces:
            covered |= self._inside_mm(camera, face, spots) > -_SLACK_MM
        return covered

    def _shows_side(
        self, camera: CameraModel, face: Face, faces: Sequence[Face], spots: Spots, places: Floats
    ) -> bool:
        """Whether pips of a die's side show where a flat die shows none. Spots on the other `faces` are not
        its own.
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

    def _inside_mm(self, camera: CameraModel, face: Face, spots: Spots) -> Floats:
        """How far (N,), in mm at the board's scale, spots lie inside the outline of a flat die with this
        face. Negative outside.
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

        A few spots of another colour are no die. Pips that lie nearer together belong to a die that leans. A
        `tilted` face has pips too near together to be a measure for others. The exception is faces on its own
        sides.
        """
        if not faces:
            return []
        surest = max(faces, key=lambda face: (face.sure, face.score))
        colour = _colour(spots, places, [surest])

        def agrees(face: Face) -> bool:
            if face.value > 1 < surest.value and (surest not in tilted or _touch(face, surest)):
                most = _PITCH_SHARE if face.value >= SURE_PIPS else _FEW_PITCH_SHARE
                # The whole die is asked later whether it leans; but not beside the board.
                least = _PITCH_SHARE if self._beside(face.middle[None])[0] else most
                if not -least < face.pitch_mm / surest.pitch_mm - 1 < most:
                    return False
            if face.value >= SURE_PIPS:
                return True
            own = _colour(spots, places, [face])
            if own is None or colour is None or face.dark != surest.dark:
                return False
            # A face that is a die by itself may lie in another light: in a person's shadow, or beside the
            # board.
            is_die = face.sure or (_is_whole(face) and face.contrast > _BEST_OF_FEW)
            is_alike = alike_in_any_light(own, colour) if is_die else alike(own, colour)
            # If the lamp is mirrored in the surest face, this one's pips are plain.
            plain = face.contrast >= PLAIN_CONTRAST
            has_lamp = alike_but_for_a_lamp(own, colour) or (plain and alike_but_for_a_lamp(colour, own))
            return bool(is_alike) or has_lamp

        agreed = [face for face in faces if face is surest or agrees(face)]
        if surest.sure and surest.value > 1:
            agreed = [replace(face, sure=face.sure or _is_vouched_for(face)) for face in agreed]
        weak = surest.value < SURE_PIPS and surest.contrast < _SURE_CONTRAST and not _is_whole_two(surest)
        return [] if weak and len(agreed) == 1 else agreed


def _others_pips(face: Face, spots: Spots, places: Floats) -> Floats:
    """The places (N, 2) that may be pips of other dice. They are too far from the face, or lie outside it and
    near one that is.
    """
    away = np.linalg.norm(places - face.middle, axis=1)
    like = (spots.dark == face.dark) & alike_in_any_light(spots.around, np.array(face.colour))
    like &= away < 2 * _OWN_PIPS_MM
    far = like & (away > _OWN_PIPS_MM)
    beside = like & (np.abs((places - face.middle) @ face.axes.T).max(axis=1) > DIE_MM / 2)
    apart = np.linalg.norm(places[:, None] - places[far], axis=2).min(axis=1, initial=np.inf)
    return np.asarray(places[far | (beside & (apart < _REACH_MM))])


def _is_likely(face: Face) -> bool:
    """Whether a face that goes with a sure one is clear enough that only a plain top can look like it."""
    return (_is_whole_two(face) and face.contrast > _LIKELY_TWO) or face.contrast > _LIKELY_ONE


def _is_whole(face: Face) -> bool:
    """Whether edge and face of a one or a two show whole, with its pips in plain sight."""
    return face.value <= _TWO and face.score - face.value > _WHOLE and not face.is_faint


def _is_whole_two(face: Face) -> bool:
    return face.value == _TWO and _is_whole(face)


def _is_vouched_for(face: Face) -> bool:
    """Whether a face that goes with a sure one has more clear pips than highlights ever show."""
    return face.value >= _VOUCHED_PIPS and face.contrast >= PLAIN_CONTRAST


def _evenness(face: Face, places: Floats, near_mm: float = np.inf) -> float:
    """How square the grid of a face's pips is: the smaller spacing over the larger one, across it (1 is
    square). The pips are those of `places` (N, 2) nearest the grid. Only those within `near_mm` of it count.
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


def _crowded(face: Face, spots: Spots, places: Floats) -> bool:
    """Whether pips lie inside a face where its pattern has none. Such a face is part of a die that leans."""
    local = (places - face.middle) @ face.axes.T
    inside = (np.abs(local).max(axis=1) < DIE_MM / 2 - _SLACK_MM) & (spots.dark == face.dark)
    if face.value == 1:
        inside |= (np.linalg.norm(local, axis=1) < _ALONE_MM) & (spots.dark == face.dark)
    inside &= spots.contrast > face.contrast / 2
    on_edge = inside & (np.abs(local).max(axis=1) > _EDGE_MM) & (spots.contrast < _EDGE_SHARE * face.contrast)
    is_lit = face.sure and int(on_edge.sum()) == 1
    return int(inside.sum()) - is_lit > face.value


def _touch(face: Face, other: Face) -> bool:
    """Whether both faces may be seen of one die that leans."""
    return bool(np.hypot(*(face.middle - other.middle)) <= DIE_REACH_MM)


def _apart(face: Face, others: Iterable[Face]) -> bool:
    return all(np.hypot(*(face.middle - other.middle)) >= _APART_MM for other in others)


def _colour(spots: Spots, places: Floats, faces: Sequence[Face]) -> Floats | None:
    """The colour (3,) round the pips of these faces; None if there are no pips."""
    near = np.zeros(len(places), dtype=bool)
    for face in faces:
        near |= (np.linalg.norm(places - face.middle, axis=1) < DIE_MM / 2) & (spots.dark == face.dark)
    return np.asarray(np.median(spots.around[near], axis=0)) if near.any() else None


def _thinned(places: Floats) -> int:
    """How many of these places (N, 2) remain if each is farther than `_NEAREST_MM` from those kept before."""
    kept: list[Floats] = []
    for place in places:
        if all(np.hypot(*(place - other)) > _NEAREST_MM for other in kept):
            kept.append(place)
    return len(kept)


def _leaning(spots: Spots, places: Floats, colour: Floats | None) -> Iterator[tuple[Floats, int]]:
    """Where on the plan (2,) dice lie that show pips but no flat face, and how sure each is.

    No piece can look like a `_SURE` one. Only a plain top can look like a `_LIKELY` one. Any piece may look
    like a `_MAY_BE` one. `colour` is the sure flat dice's (3,); None if there are none.
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
            # The die's other faces are lit differently.
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
