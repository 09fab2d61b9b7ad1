"""What comes over a wire: the tower's lines, at both ends, and what a phone asks the page."""

import asyncio
import json
import math

import pytest

from tests.fuzz.mangling import EXTREMES, chances, fuzzed, mangled, with_value_changed
from tests.web.fakes import PIN, FakeTable
from uckers_table.devices.pico.messages import (
    EVENTS,
    BadLineError,
    LineBuffer,
    crc16,
    decode,
    encode,
    settings_from,
)
from uckers_table.errors import InputError
from uckers_table.game.board import Board
from uckers_table.record.library import Library
from uckers_table.web.app import Page
from uckers_table.web.asked import CommandReader, board_asked_for, parsed
from uckers_table.web.gate import Gate

LINES = [
    encode("hello", "3fa9c1d2", 7, 2, "tray", "1.2", "tower"),
    encode("beat", "3fa9c1d2", 7, "on", "dice=2,bright=2", "6 3"),
    encode("throw", "3fa9c1d2", 7, 120, "6 3"),
    encode("ended", "3fa9c1d2", 8, 0, 2, 2),
    encode("ack", "3fa9c1d2", 7),
    encode("set", "dice=1,bright=0"),
    encode("show", "RED 6 3"),
]


@fuzzed(400, chance=chances)
def test_a_mangled_line_of_the_tower_is_understood_or_bad(chance):
    line = chance.choice(LINES)
    if chance.random() < 0.5:
        # With a right check, as damage has not and malice has.
        body = mangled(line.partition(b"*")[0], chance)
        line = body + b"*" + f"{crc16(body):04x}".encode() + b"\n"
    else:
        line = mangled(line, chance)
    buffer = LineBuffer()
    for part in (line[: len(line) // 2], line[len(line) // 2 :]):
        for each in buffer.feed(part):
            try:
                kind, *fields = decode(each)
            except BadLineError:
                continue
            assert all(isinstance(field, str) for field in fields)
            if kind in EVENTS:
                assert int(fields[1]) >= 0
            if kind in ("beat", "set"):
                settings_from(fields[-2] if kind == "beat" else fields[-1])


ASKED = [
    {"do": "button", "name": "done"},
    {"do": "throw", "dice": [6, 3]},
    {"do": "correct", "position": {seat: [0, 0, 0, 0] for seat in ("red", "green", "yellow", "blue")}},
    {"do": "call", "call": "suckback", "piece": {"colour": "red", "steps": 17}, "target": 3, "double": True},
    {
        "do": "start",
        "rules": "br4006",
        "options": {"var_a": True},
        "players": 4,
        "seats": ["red", "green", "yellow", "blue"],
        "names": {"red": "Jones"},
        "loudness": "calls",
        "to_play": "red",
    },
    {"do": "picture", "what": "empty", "seats": ["red", "green", "yellow", "blue"]},
    {"do": "corners", "corners": [[1, 2], [3, 4], [5, 6], [7, 8]]},
    {"do": "clock", "unix_s": 1_800_000_000},
    {"do": "dismiss", "number": 3},
    {"do": "try_again", "part": "camera"},
]


@fuzzed(400, chance=chances)
def test_a_mangled_command_of_the_page_is_taken_or_refused_in_a_line(chance):
    data = with_value_changed(json.loads(json.dumps(chance.choice(ASKED))), chance)
    body = json.dumps(data).encode()
    if chance.random() < 0.3:
        body = mangled(body, chance)
    try:
        CommandReader({"br4006": "br4006"}).command(parsed(body), Board())
    except InputError as error:
        assert len(str(error).splitlines()) == 1


@fuzzed(100, chance=chances)
def test_a_strange_board_in_an_address_is_drawn_or_refused_in_a_line(chance):
    query = {"seats": "red,green,yellow,blue", "arm_length": "6", "arm_end_doorstep": "0"}
    query[chance.choice(list(query))] = str(chance.choice(EXTREMES))
    try:
        assert board_asked_for(query).arms in (4, 6)
    except InputError as error:
        assert len(str(error).splitlines()) == 1


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    table = FakeTable()
    return Page(table.feed, table, Library(tmp_path_factory.mktemp("record")), Gate(PIN)).app


REQUESTS = [
    ("GET", b"/api/matches/1/2/before.jpg", b""),
    ("GET", b"/api/matches/1/2/frames/3", b""),
    ("GET", b"/api/matches/1/export/csv", b""),
    ("GET", b"/static/page.css", b""),
    ("GET", b"/api/picture/plain.jpg", b""),
    ("GET", b"/api/rules/br4006", b""),
    ("GET", b"/api/plan", b"seats=red,green,yellow,blue&arm_length=6"),
    ("POST", b"/api/pin", b""),
    ("POST", b"/api/do", b""),
    ("POST", b"/api/lock", b""),
]
HEADERS = {
    "host": b"localhost:8000",
    "origin": b"http://localhost:8000",
    "content-type": b"application/json",
    "content-length": b"20",
    "cookie": b"uckers_table=abcdefgh; other=x",
    "if-none-match": b'"1"',
    "sec-fetch-site": b"same-origin",
}


@fuzzed(200, chance=chances)
def test_a_mangled_request_is_never_the_server_s_error(app, chance):
    method, path, query = chance.choice(REQUESTS)
    headers = dict(HEADERS)
    body = json.dumps({"pin": "000000", "do": "button", "name": "done"}).encode()
    for _ in range(chance.choice((1, 1, 3))):
        match chance.randrange(4):
            case 0:
                path = b"/" + mangled(path[1:], chance)[:3000]
            case 1:
                query = mangled(query, chance)[:3000]
            case 2:
                name = chance.choice(list(headers))
                headers[name] = mangled(headers[name], chance)
            case _:
                body = mangled(body, chance)
    answered = asyncio.run(answer(app, method, path, query, headers, body))
    assert 200 <= answered < 500, answered


async def answer(app, method, path, query, headers, body):
    """The status that a request gets. A server would have told the path's escapes apart."""
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path.decode("latin-1"),
        "raw_path": path,
        "root_path": "",
        "query_string": query,
        "headers": [(name.encode(), value) for name, value in headers.items()],
        "client": ("192.168.4.7", 4711),
        "server": ("192.168.4.1", 8000),
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        sent.append(message)

    await asyncio.wait_for(app(scope, receive, send), math.inf)
    return next(message["status"] for message in sent if message["type"] == "http.response.start")
