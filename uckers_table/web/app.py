"""The page's addresses: who asks what, and what it is answered from.

Watching is open to all: the feed, the pictures, the record. What changes anything is one address, `do`, and
needs the cookie that a right PIN is answered with.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from uckers_table.errors import FilmError, InputError, RecordError, SenselessError, UckersTableError
from uckers_table.foreign.documents import bytes_of
from uckers_table.machine.progress import Progress
from uckers_table.record.counted import Counted
from uckers_table.record.honours import as_svg
from uckers_table.record.match_record import MatchRecord
from uckers_table.record.statistics import selection_of
from uckers_table.web.asked import CommandReader, board_asked_for, moment_of, parsed, pressed_at
from uckers_table.web.closeups import CutTo, close_up_of, close_up_shown
from uckers_table.web.commands import DROPPED, PRESS_S, Answer, Command, Desk
from uckers_table.web.evening_board import EveningBoard
from uckers_table.web.feed import PICTURES_SHOWN, Feed, LivePicture
from uckers_table.web.filming import Filming
from uckers_table.web.gate import Admission, Gate
from uckers_table.web.guard import Guard
from uckers_table.web.inviting import NO_WAY_HERE, invitation, is_own
from uckers_table.web.recorded import (
    EXPORTS,
    ReadableRecord,
    honours_shown,
    list_shown,
    match_shown,
    ruling_shown,
    statistics_shown,
)
from uckers_table.web.rulebook import (
    OfferedRules,
    card_of_rules,
    changed_rules,
    chosen_rules,
    plan_of,
    rules_for_page,
    rules_list,
)
from uckers_table.web.sessions import SESSION_S
from uckers_table.web.watching import Watching

LOG = logging.getLogger(__name__)

COOKIE = "uckers_table"
SHELLS: Mapping[str, str] = {
    "/": "live",
    "/new": "new",
    "/setup": "setup",
    "/calibrate": "calibrate",
    "/devices": "devices",
    "/matches": "matches",
    "/matches/{match:int}": "replay",
    "/matches/{match:int}/{ruling:int}": "dispute",
    "/statistics": "statistics",
    "/honours": "honours",
    "/wall": "wall",
    "/health": "health",
}
"""The pages: where each is, and the name of its HTML file."""
MEDIA: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
}
NOT_KEPT = {"cache-control": "no-store"}
ASKED_AGAIN = {"cache-control": "no-cache"}
TAKES_PACKED = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")
"""Found in the header of whoever takes a file packed."""
SAID_AGAIN = ("cache-control", "vary", "etag")
"""The headers of a file that are said also where it is as it was."""
KEPT = {"cache-control": "private, max-age=86400, immutable"}
SHOW_THE_PIN = "Show the PIN first: the display has it."
NO_SUCH_RULES = "There are no such rules, or not any more."
DESK_S = 15.0
"""How long anybody waits for the desk, which says that it takes a few seconds at most."""
MOST_AT_THE_DESK = 4
GLANCE_S, WRITTEN_GLANCES = 0.25, 20
"""How often, and how many times, it is looked whether a picture has been written."""
MOST_NUMBER = 2**31
"""Of a match or a ruling; a database takes no number of any size."""
Kept = TypeVar("Kept")


class Page:
    """All that the page answers, put together from what the table gives it. `app` is the ASGI application.

    `rules` are the sets that can be played. `cut_to` cuts pictures to what was moved; without it they are
    shown whole.
    """

    def __init__(
        self,
        feed: Feed,
        desk: Desk,
        library: ReadableRecord,
        gate: Gate,
        rules: OfferedRules | None = None,
        cut_to: CutTo = lambda *_: None,
    ) -> None:
        self._cut_to = cut_to
        self._feed, self._desk, self._library, self._gate = feed, desk, library, gate
        self._counted = Counted(library)
        self._rules = rules or OfferedRules()
        self._asked = CommandReader(self._rules)
        self._at_desk = asyncio.Semaphore(MOST_AT_THE_DESK)
        # The record is read on the processor that referees: by one at a time, and without a thread for
        # each who waits.
        self._reading, self._counts = asyncio.Lock(), asyncio.Lock()
        self._filming = Filming()
        self._films: dict[int, Progress] = {}
        """How far each film has got that is being made, by its match."""
        self._evenings = EveningBoard(library)
        static = _static_files()
        self.watching = Watching(feed, gate.hidden, version_of(static))
        routes = [Route(path, _file(f"{name}.html", static[f"{name}.html"])) for path, name in SHELLS.items()]
        routes += [
            Route(f"/static/{name}", _file(name, content))
            for name, content in static.items()
            if not name.endswith(".html")
        ]
        routes += [
            Route("/api/feed", self.watching, methods=["GET"]),
            Route("/api/me", self._me),
            Route("/api/pin", self._show_pin, methods=["POST"]),
            Route("/api/lock", self._lock, methods=["POST"]),
            Route("/api/invitation.svg", self._invitation),
            Route("/api/do", self._do, methods=["POST"]),
            Route("/api/picture/{kind}", self._live_picture),
            Route("/api/plan", self._plan),
            Route("/api/rules", self._list_rules),
            Route("/api/rules/{name}", self._describe_rules),
            Route("/api/rules/{name}/changed", partial(self._describe_as_played, changed_rules)),
            Route("/api/rules/{name}/card", partial(self._describe_as_played, card_of_rules)),
            Route("/api/rules/{name}/choices", partial(self._describe_as_played, chosen_rules)),
            *self._of_the_record(),
        ]
        self.app = Guard(
            Starlette(
                routes=routes,
                lifespan=self._lifespan,
                exception_handlers={
                    _NotKeptError: _not_kept,
                    InputError: _unusable,
                    UckersTableError: _failed,
                    404: _unknown,
                },
            )
        )

    def _of_the_record(self) -> list[Route]:
        return [
            Route("/api/matches", self._list_matches),
            Route("/api/matches/{match:int}", self._describe_match),
            Route("/api/matches/{match:int}/export/{kind}", self._export),
            Route("/api/matches/{match:int}/film", self._film_so_far),
            Route("/api/matches/{match:int}/{ruling:int}", self._describe_ruling),
            Route("/api/matches/{match:int}/{ruling:int}/frames", self._list_frames),
            Route("/api/matches/{match:int}/{ruling:int}/frames/{frame:int}", self._frame),
            Route("/api/matches/{match:int}/{ruling:int}/close/{what}", self._close_up),
            Route("/api/matches/{match:int}/{ruling:int}/{what}", self._evidence),
            Route("/api/statistics", self._statistics),
            Route("/api/honours", self._honours),
            Route("/api/evening", self._evening),
            Route("/api/honours.svg", self._honours_drawn),
        ]

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        telling = asyncio.create_task(self.watching.run())
        yield
        telling.cancel()

    # ------------------------------------------------------------------ who may

    def _may(self, request: Request) -> bool:
        return self._gate.knows(request.cookies.get(COOKIE, ""))

    async def _me(self, request: Request) -> Response:
        return JSONResponse({"may_change": self._may(request)}, headers=NOT_KEPT)

    async def _show_pin(self, request: Request) -> Response:
        pin = parsed(await request.body()).get("pin")
        if not isinstance(pin, str) or len(pin) > 20:
            raise InputError("'pin' is the number that the display shows")
        admission = await self._admission(request, pin)
        if admission.wait_s:
            return JSONResponse(
                {
                    "line": f"Too many wrong PINs: wait {admission.wait_s} seconds.",
                    "wait_s": admission.wait_s,
                },
                429,
                {**NOT_KEPT, "retry-after": str(admission.wait_s)},
            )
        if not admission.token:
            return JSONResponse({"line": "That is not the PIN. The display shows it."}, 403, NOT_KEPT)
        response = JSONResponse({"may_change": True}, headers=NOT_KEPT)
        response.set_cookie(
            COOKIE, admission.token, max_age=int(SESSION_S), path="/", httponly=True, samesite="strict"
        )
        return response

    async def _admission(self, request: Request, pin: str) -> Admission:
        client, own = request.client, request.scope.get("server")
        # In a thread: who is let in is written to the card.
        return await run_in_threadpool(
            self._gate.admit, pin, client.host if client else "", str(own[0]) if own else ""
        )

    async def _lock(self, request: Request) -> Response:
        await run_in_threadpool(self._gate.forget, request.cookies.get(COOKIE, ""))
        response = JSONResponse({"may_change": False}, headers=NOT_KEPT)
        response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
        return response

    async def _invitation(self, request: Request) -> Response:
        """The QR code by which another phone comes in, for whoever is in."""
        if not self._may(request):
            return JSONResponse({"line": SHOW_THE_PIN}, 401, NOT_KEPT)
        if is_own(request.url.hostname or ""):
            return JSONResponse({"line": NO_WAY_HERE}, 403, NOT_KEPT)
        code = invitation(f"{request.base_url}", self._gate.pin)
        return Response(code, media_type=MEDIA[".svg"], headers=NOT_KEPT)

    async def _do(self, request: Request) -> Response:
        if not self._may(request):
            return JSONResponse({"line": SHOW_THE_PIN}, 401, NOT_KEPT)
        asked = parsed(await request.body())
        command = self._asked.command(asked, self._feed.latest().board)
        given_at, moment = pressed_at(asked), moment_of(asked)
        # By the table's clock, which the page was told: whatever the phone did meanwhile counts.
        until = (time.monotonic() if given_at is None else given_at) + PRESS_S
        answer = await self._ask_desk(command, moment, until)
        return JSONResponse({"is_done": answer.is_done, "line": answer.line}, headers=NOT_KEPT)

    async def _ask_desk(self, command: Command, moment: str, until: float) -> Answer:
        async with self._at_desk:
            within_s = min(PRESS_S, until - time.monotonic())
            if within_s <= 0:
                return Answer(False, DROPPED)
            ask = partial(self._desk.do, command, of=moment, within_s=within_s)
            try:
                return await asyncio.wait_for(run_in_threadpool(ask), DESK_S)
            except TimeoutError:
                return Answer(False, "The table has not answered; look at the display.")

    # ------------------------------------------------------------------ what is now

    async def _live_picture(self, request: Request) -> Response:
        kind = request.path_params["kind"].removesuffix(".jpg")
        if kind not in PICTURES_SHOWN or not request.url.path.endswith(".jpg"):
            return _nothing(f"a picture is {', '.join(f'{each}.jpg' for each in PICTURES_SHOWN)}")
        picture: LivePicture | None = await run_in_threadpool(self._feed.picture_of, kind)
        if picture is None:
            return _nothing("no camera gives a picture")
        etag = f'"{picture.number}"'
        headers = {**ASKED_AGAIN, "etag": etag, "x-frame": str(picture.number)}
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers=headers)
        return Response(picture.jpeg, media_type="image/jpeg", headers=headers)

    async def _plan(self, request: Request) -> Response:
        return JSONResponse(plan_of(board_asked_for(request.query_params)), headers=ASKED_AGAIN)

    # ------------------------------------------------------------------ the rules

    async def _list_rules(self, request: Request) -> Response:
        return JSONResponse(await run_in_threadpool(rules_list, self._rules), headers=ASKED_AGAIN)

    async def _describe_rules(self, request: Request) -> Response:
        name = request.path_params["name"]
        loaded = self._rules.get(name)
        if loaded is None:
            return _nothing(NO_SUCH_RULES)
        page = await run_in_threadpool(rules_for_page, loaded, name)
        return JSONResponse(page, headers=ASKED_AGAIN)

    async def _describe_as_played(
        self, tell: Callable[[str, tuple[str, ...]], Any], request: Request
    ) -> Response:
        """A set as it is about to be played: each `with` is a switch or an option that is changed of it."""
        name, changed = request.path_params["name"], tuple(request.query_params.getlist("with"))
        loaded = self._rules.get(name)
        if loaded is None:
            return _nothing(NO_SUCH_RULES)
        told = await run_in_threadpool(tell, loaded, changed)
        return JSONResponse(told, headers=ASKED_AGAIN)

    # ------------------------------------------------------------------ the record

    async def _list_matches(self, request: Request) -> Response:
        return JSONResponse(await self._read(list_shown, self._library), headers=NOT_KEPT)

    async def _describe_match(self, request: Request) -> Response:
        record = await self._read(self._library.match, request.path_params["match"])
        return JSONResponse(match_shown(record), headers=NOT_KEPT)

    async def _describe_ruling(self, request: Request) -> Response:
        record = await self._read(self._library.match, request.path_params["match"])
        number = request.path_params["ruling"]
        shown = await self._read(ruling_shown, record, number)
        # What is being written is not in the record yet.
        told = self._told_of(request.path_params["match"], number)
        shown["ruling"]["evidence"] = told or shown["ruling"]["evidence"]
        return JSONResponse(shown, headers=NOT_KEPT)

    async def _list_frames(self, request: Request) -> Response:
        at = request.path_params["match"], request.path_params["ruling"]
        frames = await self._read(self._library.frames_around, *at)
        return JSONResponse([frame.t for frame in frames], headers=NOT_KEPT)

    async def _frame(self, request: Request) -> Response:
        at = request.path_params["match"], request.path_params["ruling"]
        frames = await self._read(self._library.frames_around, *at)
        number = request.path_params["frame"]
        if number >= len(frames):
            return _nothing("that picture is not kept")
        return await _picture_file(frames[number].file)

    async def _evidence(self, request: Request) -> Response:
        at = request.path_params["match"], request.path_params["ruling"]
        return await _picture_file(await self._once_written(*at, request.path_params["what"]))

    async def _close_up(self, request: Request) -> Response:
        """A picture behind a ruling cut to what was moved: as a JPEG, or where things are on it.

        Where it cannot be cut it is whole, and nothing is told of where things are.
        """
        at, what = (request.path_params["match"], request.path_params["ruling"]), request.path_params["what"]
        picture = await self._once_written(*at, what)
        found = await self._read(partial(close_up_of, self._library, self._cut_to, picture), *at)
        if not what.endswith(".jpg"):
            return JSONResponse(close_up_shown(*found) if found else None, headers=NOT_KEPT)
        if found is None:
            return await _picture_file(picture)
        return Response(found[1].jpeg, media_type="image/jpeg", headers=KEPT)

    async def _once_written(self, match: int, ruling: int, name: str) -> Path:
        """A picture behind a ruling. A ruling does not wait for its pictures: one that the table tells of is
        waited for, while it is being written.
        """
        what = name.removesuffix(".jpg")
        for _ in range(WRITTEN_GLANCES):
            try:
                return await self._read(self._library.evidence_file, match, ruling, what)
            except _NotKeptError:
                if self.watching.is_closed or what not in self._told_of(match, ruling):
                    raise
                await asyncio.sleep(GLANCE_S)
        raise _NotKeptError("that picture is not kept")

    async def _read(self, ask: Callable[..., Kept], *at: Any) -> Kept:
        """What the record has there, asked in a thread; `_NotKeptError` where it has nothing."""
        if any(isinstance(number, int) and number > MOST_NUMBER for number in at):
            raise _NotKeptError("the record has no such number")
        async with self._reading:
            try:
                return await run_in_threadpool(ask, *at)
            except InputError as error:
                # Whoever asks from a phone need not know in which file that is.
                raise _NotKeptError(str(error).rpartition(": ")[2]) from None

    async def _counting(self, ask: Callable[[], Kept]) -> Kept:
        """What is counted over all matches. Nobody who reads the record waits for it."""
        async with self._counts:
            for number in await run_in_threadpool(self._counted.uncounted):
                await run_in_threadpool(self._counted.count, number)
            return await run_in_threadpool(ask)

    def _told_of(self, match: int, ruling: int) -> tuple[str, ...]:
        """The pictures behind a ruling that there are, or will be, as the table says."""
        now = self._feed.latest()
        told = (each.evidence for each in now.rulings if now.match == match and each.number == ruling)
        return next(told, ())

    async def _export(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        if kind not in EXPORTS:
            return _nothing(f"a match is given as {', '.join(EXPORTS)}")
        number = request.path_params["match"]
        media, export = EXPORTS[kind]
        content = await self._filmed(number, kind) if export is None else await self._exported(number, export)
        name = f'attachment; filename="match-{number}.{kind}"'
        return Response(content, media_type=media, headers={**NOT_KEPT, "content-disposition": name})

    async def _exported(self, number: int, export: Callable[[MatchRecord], str]) -> str:
        return await self._read(export, await self._read(self._library.match, number))

    async def _filmed(self, number: int, form: str) -> bytes:
        try:
            read = partial(self._read, self._library.match, number)
            return await self._filming.film(read, form, partial(self._films.__setitem__, number))
        finally:
            self._films.pop(number, None)

    async def _film_so_far(self, request: Request) -> Response:
        """How far the film of a match has got that is being made; an empty line while none is."""
        progress = self._films.get(request.path_params["match"])
        return JSONResponse({"line": progress.in_words if progress is not None else ""}, headers=NOT_KEPT)

    async def _statistics(self, request: Request) -> Response:
        asked = request.query_params
        since, until, rules = (asked.get(name, "") for name in ("since", "until", "rules"))
        selection = selection_of(since, until, rules, asked.getlist("name"))
        counted, choices = await self._counting(
            lambda: (self._counted.statistics(selection), self._counted.choices())
        )
        return JSONResponse(statistics_shown(counted, choices), headers=NOT_KEPT)

    async def _honours(self, request: Request) -> Response:
        return JSONResponse(honours_shown(await self._counting(self._counted.honours)), headers=NOT_KEPT)

    async def _evening(self, request: Request) -> Response:
        now = self._feed.latest()
        return JSONResponse(await self._read(self._evenings.shown, now), headers=NOT_KEPT)

    async def _honours_drawn(self, request: Request) -> Response:
        drawn = as_svg(await self._counting(self._counted.honours))
        return Response(drawn, media_type=MEDIA[".svg"], headers=NOT_KEPT)


def _static_files() -> dict[str, bytes]:
    """Everything in the package's folder of files, read once: what is not in it is not there.

    Every page is told its version, so that an old one knows that it is.
    """
    folder = files("uckers_table.web") / "static"
    read = {file.name: file.read_bytes() for file in folder.iterdir() if Path(file.name).suffix in MEDIA}
    named = f'<html lang="en" data-version="{version_of(read)}">'.encode()
    return {name: content.replace(b'<html lang="en">', named) for name, content in read.items()}


def version_of(static: Mapping[str, bytes]) -> str:
    """A name for what is served, whatever versions the pages are told: another as soon as one file is."""
    told = re.compile(rb' data-version="[0-9a-f]*"')
    contents = [told.sub(b"", content) for _, content in sorted(static.items())]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:12]


def _file(name: str, content: bytes) -> Callable[[Request], Response]:
    """What answers with a file, or that it is as it was.

    It is packed once, here: a slow line has a page sooner.
    """
    plain, packed = (_form(name, each) for each in (content, gzip.compress(content, mtime=0)))
    packed[1]["content-encoding"] = "gzip"

    def answer(request: Request) -> Response:
        is_packed = TAKES_PACKED.search(request.headers.get("accept-encoding", "")) is not None
        sent, headers = packed if is_packed else plain
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers={key: headers[key] for key in SAID_AGAIN})
        return Response(sent, headers=headers)

    return answer


def _form(name: str, content: bytes) -> tuple[bytes, dict[str, str]]:
    """What is sent of a file, and the headers with it."""
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    kind = MEDIA[Path(name).suffix]
    return content, {**ASKED_AGAIN, "content-type": kind, "vary": "accept-encoding", "etag": etag}


class _NotKeptError(Exception):
    """What the record does not have; the text is one line for people."""


async def _picture_file(path: Path) -> Response:
    try:
        content = await run_in_threadpool(bytes_of, path)
    except (OSError, InputError):
        return _nothing("that picture is not kept")
    return Response(content, media_type="image/jpeg", headers=KEPT)


def _nothing(why: str) -> JSONResponse:
    return JSONResponse({"line": why}, 404, NOT_KEPT)


def _not_kept(request: Request, error: Exception) -> Response:
    return _nothing(str(error))


def _unusable(request: Request, error: Exception) -> Response:
    return JSONResponse({"line": str(error)}, 400, NOT_KEPT)


def _failed(request: Request, error: Exception) -> Response:
    """Strangers ask too: the log alone says where the record lies."""
    LOG.warning("%s", error)
    if isinstance(error, SenselessError):
        return JSONResponse({"line": "this match cannot be read"}, 503, NOT_KEPT)
    if isinstance(error, FilmError):
        return JSONResponse({"line": str(error)}, 503, NOT_KEPT)
    if isinstance(error, RecordError):
        return JSONResponse({"line": "the record cannot be read now; the log says why"}, 503, NOT_KEPT)
    return JSONResponse({"line": str(error)}, 500, NOT_KEPT)


def _unknown(request: Request, error: Exception) -> Response:
    return _nothing("there is nothing at this address")
