"""The page over a real line: what everybody may see, what needs the PIN, and what is refused without harm."""

import gzip
import http.client
import io
import json
import re
import socket
import sys
import threading
from contextlib import contextmanager, suppress
from dataclasses import replace
from queue import Queue

import pytest
from PIL import Image

from tests.patience import HANGS_S, until
from tests.web.fakes import PIN
from uckers_table.errors import DeviceError, InputError, RecordError, SenselessError
from uckers_table.web import app, commands, filming, watching
from uckers_table.web import server as serving
from uckers_table.web.app import SHELLS
from uckers_table.web.commands import Answer
from uckers_table.web.feed import RulingLine
from uckers_table.web.inviting import NO_WAY_HERE

START = {
    "do": "start",
    "rules": "br4006",
    "players": 4,
    "seats": ["red", "green", "yellow", "blue"],
    "loudness": "calls",
    "to_play": "red",
}


class Browser:
    """Asks as a page does, with cookies; `headers` left out or changed at will."""

    def __init__(self, port, own="127.0.0.1"):
        self.port, self.own, self.cookie = port, own, ""
        self.host = f"127.0.0.1:{port}"

    def send(self, method, path, body=b"", **headers):
        line = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=HANGS_S, source_address=(self.own, 0)
        )
        sent = {"Host": self.host}
        if method == "POST":
            sent |= {"Origin": f"http://{self.host}", "Content-Type": "application/json"}
        if self.cookie:
            sent["Cookie"] = self.cookie
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        line.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if method == "POST" and "Content-Length" not in sent:
            sent["Content-Length"] = str(len(body))
        for name, value in sent.items():
            if value is not None:
                line.putheader(name, value)
        line.endheaders(body)
        response = line.getresponse()
        content = response.read()
        line.close()
        return response, content

    def get(self, path, **headers):
        response, content = self.send("GET", path, **headers)
        return response.status, json.loads(content)

    def post(self, path, data, **headers):
        response, content = self.send("POST", path, json.dumps(data).encode(), **headers)
        if cookie := response.headers["set-cookie"]:
            self.cookie = cookie.partition(";")[0]
        return response.status, json.loads(content)

    def may(self):
        assert self.post("/api/pin", {"pin": PIN})[0] == 200
        return self


@pytest.fixture
def browser(server):
    return Browser(server.port)


@pytest.fixture(scope="module")
def visitor(shared_server):
    return Browser(shared_server.port)


# ---------------------------------------------------------------- what everybody may see


@pytest.mark.parametrize(
    "path", [path.replace("{match:int}", "7").replace("{ruling:int}", "3") for path in SHELLS]
)
def test_every_page_loads_only_what_the_table_has_and_nothing_inline(visitor, path):
    response, content = visitor.send("GET", path)
    assert response.status == 200
    html = content.decode()
    wanted = re.findall(r'(?:src|href)="([^"]+)"', html)
    for address in wanted:
        assert address.startswith(("/", "#"))
        if address.startswith("/"):
            assert visitor.send("GET", address)[0].status == 200, address
    assert "<style" not in html
    assert "style=" not in html
    assert not re.findall(r"<script(?![^>]*src=)", html)
    assert not re.findall(r"\son[a-z]+=", html)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-frame-options"] == "DENY"


def test_who_watches_gets_the_newest_and_then_what_changes(server, table):
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stream = line.makefile("rb")
        first = next_event(stream)
        assert first[0] == "all"
        assert first[1]["state"] == "idle"
        assert first[1]["screen"][0] == "Uckers table"
        table.do(commands.StartMatch("br4006", to_play="red"))
        name, news = next_event(stream)
        assert name == "some"
        assert news["state"] == "playing"
        assert "devices" not in news


def next_event(stream):
    name = ""
    for raw in stream:
        line = raw.decode().rstrip("\r\n")
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        if line.startswith("data: ") and name != "beat":
            return name, json.loads(line.removeprefix("data: "))
    raise AssertionError("the line was closed")


def beat(server):
    """What the table's clock says, and which page is served, as the feed tells it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stream = line.makefile("rb")
        assert any(raw == b"event: beat\n" for raw in stream)
        return json.loads(next(stream).removeprefix(b"data: "))


def test_every_page_is_told_the_version_that_the_feed_names(server, visitor):
    version = beat(server)["page"]
    assert re.fullmatch("[0-9a-f]{12}", version)
    assert f'data-version="{version}"' in visitor.send("GET", "/")[1].decode()
    # It is another as soon as one file is, and not because pages are told it.
    static = app._static_files()
    assert app.version_of(static) == version
    assert app.version_of(static | {"page.css": b""}) != version


def test_the_pin_on_the_display_is_not_told_to_those_who_watch(server, table):
    table.base = table.base.__class__(**{**vars(table.base), "screen": ("Uckers table", f"PIN {PIN}")})
    table.publish()
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stream = line.makefile("rb")
        _, news = next_event(stream)
        while f"PIN {'•' * 6}" not in news.get("screen", ()):
            _, news = next_event(stream)
        assert PIN not in json.dumps(news)


def test_a_picture_that_has_been_seen_is_not_sent_again(browser, table):
    response, content = browser.send("GET", "/api/picture/marked.jpg")
    assert (response.status, content[:2]) == (200, b"\xff\xd8")
    again, nothing = browser.send("GET", "/api/picture/marked.jpg", If_None_Match=response.headers["etag"])
    assert (again.status, nothing) == (304, b"")
    table.shot = table.shot.__class__(2)
    assert (
        browser.send("GET", "/api/picture/marked.jpg", If_None_Match=response.headers["etag"])[0].status
        == 200
    )


def test_a_file_that_is_as_it_was_is_not_sent_again(visitor):
    for path in ("/", "/static/page.css"):
        response, _ = visitor.send("GET", path)
        again, nothing = visitor.send("GET", path, If_None_Match=response.headers["etag"])
        assert (again.status, nothing) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/static/live.js", "/static/page.css"])
def test_a_browser_that_takes_it_is_sent_a_file_packed(visitor, path):
    plain, content = visitor.send("GET", path)
    packed, less = visitor.send("GET", path, Accept_Encoding="gzip, deflate, br")
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(less) == content
    assert 2 * len(less) < len(content)
    assert packed.headers["content-type"] == plain.headers["content-type"]
    assert "content-encoding" not in plain.headers
    # What is kept of one form is not taken for the other.
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    refused, all_of_it = visitor.send("GET", path, Accept_Encoding="br, gzip;q=0")
    assert ("content-encoding" in refused.headers, all_of_it) == (False, content)


def test_the_record_is_there_to_be_read(visitor):
    assert [each["number"] for each in visitor.get("/api/matches")[1]] == [7]
    _, match = visitor.get("/api/matches/7")
    assert [each["ruling"] for each in match["rulings"]] == ["throw_off", "legal", "illegal", "won"]
    assert visitor.get("/api/matches/8")[0] == 404
    assert visitor.send("GET", "/api/matches/7/3/marked.jpg")[1][:2] == b"\xff\xd8"
    assert visitor.get("/api/matches/7/3/frames")[1] == [30.0, 31.0, 32.0]
    assert visitor.send("GET", "/api/matches/7/3/frames/2")[1][:2] == b"\xff\xd8"
    ruling = visitor.get("/api/matches/7/3")[1]
    assert (ruling["ruling"]["number"], ruling["ruling"]["throw"]) == (3, [6, 2])
    assert visitor.get("/api/matches/7/99") == (404, {"line": "there is no ruling 99 in this match"})
    # What cannot be cut is whole.
    assert visitor.get("/api/matches/7/3/close/after") == (200, None)
    assert visitor.send("GET", "/api/matches/7/3/close/after.jpg")[1][:2] == b"\xff\xd8"
    assert visitor.get("/api/matches/7/3/frames/3")[0] == 404
    titles = [table["title"] for table in visitor.get("/api/statistics")[1]["tables"]]
    assert titles == [
        *("Players", "Head to head", "Streaks", "Caught at what", "Colours", "The dice", "The referee")
    ]
    assert [each["who"] for each in visitor.get("/api/honours")[1]] == ["Dusty and Blue"]
    drawn, svg = visitor.send("GET", "/api/honours.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert b"Dusty and Blue" in svg
    assert visitor.get("/api/matches/8/3/frames")[1] == []
    assert visitor.get("/api/matches/7/2/marked.jpg") == (
        404,
        {"line": "no picture 'marked' was kept"},
    )


def test_a_picture_that_is_still_being_written_is_waited_for(browser, table, server, monkeypatch):
    library, looks = server._page._library, []

    def written_at_the_third_look(*at):
        looks.append(at)
        if len(looks) < 3:
            raise InputError("match 1, ruling 1: no picture 'marked' was kept")
        return library.folder / "marked.jpg"

    monkeypatch.setattr(app, "GLANCE_S", 0.01)
    monkeypatch.setattr(library, "evidence_file", written_at_the_third_look)
    table.do(commands.StartMatch("br4006", to_play="red"))
    table.rulings = (RulingLine(1, 0.0, "illegal", "Illegal.", evidence=("marked",)),)
    table.publish()
    assert browser.send("GET", "/api/matches/1/1/marked.jpg")[1][:2] == b"\xff\xd8"
    assert looks == [(1, 1, "marked")] * 3
    looks.clear()
    assert browser.send("GET", "/api/matches/1/1/before.jpg")[0].status == 404


@pytest.mark.parametrize("kind", ["txt", "json", "csv"])
def test_a_match_can_be_taken_along(visitor, kind):
    response, content = visitor.send("GET", f"/api/matches/7/export/{kind}")
    assert response.headers["content-disposition"] == f'attachment; filename="match-7.{kind}"'
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert b"Dusty" in content or kind == "csv"
    assert visitor.get(f"/api/matches/8/export/{kind}")[0] == 404


@pytest.mark.parametrize("form", ["gif", "webp"])
def test_a_match_can_be_taken_along_as_a_film(visitor, form):
    response, content = visitor.send("GET", f"/api/matches/7/export/{form}")
    assert response.headers["content-type"] == f"image/{form}"
    assert response.headers["content-disposition"] == f'attachment; filename="match-7.{form}"'
    with Image.open(io.BytesIO(content)) as moving:
        # A picture a ruling.
        assert (moving.format, moving.n_frames) == (form.upper(), 4)


def test_a_match_is_handed_out_in_no_other_form(visitor):
    assert visitor.get("/api/matches/7/export/sqlite")[0] == 404


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SenselessError("/home/pi/record.sqlite: match 7 makes no sense"), "this match cannot be read"),
        (RecordError("/home/pi/record.sqlite: no"), "the record cannot be read now; the log says why"),
    ],
    ids=["a match", "the record"],
)
def test_strangers_are_not_told_where_a_record_lies_that_cannot_be_read(server, browser, error, told):
    def refuse(*_):
        raise error

    server._page._library.match = refuse
    for path in ("/api/matches/7", "/api/matches/7/export/txt"):
        assert browser.get(path) == (503, {"line": told})


def test_a_match_that_makes_no_sense_is_listed_and_the_others_are_as_ever(server, browser):
    _, before = browser.get("/api/matches")
    server._page._library.senseless = lambda: [3, 12]
    assert browser.get("/api/matches") == (
        200,
        [{"number": 12, "cannot_be_read": True}, *before, {"number": 3, "cannot_be_read": True}],
    )


def test_rules_are_told_in_words_with_what_a_variation_changes(visitor):
    _, listed = visitor.get("/api/rules")
    assert listed[0]["name"] == "br4006"
    _, page = visitor.get("/api/rules/submariners")
    assert [each["letter"] for each in page["switches"]] == list("ABCDEFG")
    assert page["switches"][1]["changes"] == ["A piece in a mixi blob may challenge."]
    assert visitor.get("/api/rules/..%2f..%2fpyproject.toml")[0] == 404


def test_changed_rules_are_told_in_words_and_warned_of(visitor):
    assert visitor.get("/api/rules/submariners/changed") == (200, {"changes": [], "warnings": []})
    _, told = visitor.get("/api/rules/submariners/changed?with=superblob_mobility=frozen&with=var_a=true")
    assert told["changes"] == [
        {"option": "superblob_mobility", "text": "Three or more on a square can't be moved."}
    ]
    assert ["standstill" in warning for warning in told["warnings"]] == [True]
    assert visitor.get("/api/rules/submariners/changed?with=superblob_mobility=stuck")[0] == 400
    assert visitor.get("/api/rules/nobodys/changed")[0] == 404


def test_a_rule_that_means_nothing_beside_the_others_is_still_told_as_changed(visitor):
    _, told = visitor.get("/api/rules/br4006/changed?with=suckback_timing=next_throw")
    assert told["changes"] == [
        {
            "option": "suckback_timing",
            "text": "To call suckback your piece must have stood on the mouth since an earlier throw.",
        }
    ]


def test_what_is_different_from_br_4006_is_told_for_a_card(visitor):
    changed = "?with=challenge_forced=true&with=superblob_mobility=frozen"
    _, told = visitor.get(f"/api/rules/br4006/card{changed}")
    assert told["source"].endswith(", with 2 rules changed")
    assert [(each["section"], [ours for ours, _ in each["rules"]]) for each in told["sections"]] == [
        ("Blobs", ["Three or more on a square can't be moved."]),
        ("Challenging", ["You must challenge if the six has no other use."]),
    ]
    assert ["standstill" in warning for warning in told["warnings"]] == [True]
    assert visitor.get("/api/rules/br4006/card")[1]["sections"] == []
    assert visitor.get("/api/rules/nobodys/card")[0] == 404


def test_every_rule_is_told_with_what_else_it_can_be(visitor):
    def choices(asked):
        _, sections = visitor.get(f"/api/rules/br4006/choices{asked}")
        return {rule["option"]: rule for section in sections for rule in section["rules"]}

    plain, with_g = choices(""), choices("?with=var_g=true&with=suckback_timing=next_turn")
    assert "suckback_timing" not in plain
    assert (with_g["suckback"]["value"], with_g["suckback"]["usual"]) == (True, True)
    assert (with_g["suckback_timing"]["value"], with_g["suckback_timing"]["usual"]) == (
        "next_turn",
        "next_throw",
    )
    # Suckback takes the exact number.
    assert [value for value, _, goes in plain["home_exact"]["values"] if not goes] == []
    assert [value for value, _, goes in with_g["home_exact"]["values"] if goes] == ["exact"]
    assert visitor.get("/api/rules/br4006/choices?with=superblob_mobility=stuck")[0] == 400
    assert visitor.get("/api/rules/nobodys/choices")[0] == 404


# ---------------------------------------------------------------- what needs the PIN


def test_nothing_is_changed_without_the_pin(browser, table):
    status, answer = browser.post("/api/do", START)
    assert (status, table.commands) == (401, [])
    assert "PIN" in answer["line"]


def test_with_the_pin_commands_reach_the_desk_and_its_answers_come_back(browser, table):
    browser.may()
    assert browser.get("/api/me")[1] == {"may_change": True}
    assert browser.post("/api/do", START) == (200, {"is_done": True, "line": ""})
    assert browser.post("/api/do", {"do": "press", "button": "undo"}) == (
        200,
        {"is_done": False, "line": "There is nothing to take back."},
    )
    assert table.commands == [commands.StartMatch("br4006", to_play="red"), commands.Press("undo")]


def test_the_cookie_is_for_this_table_alone_and_for_no_script(browser):
    response, _ = browser.send("POST", "/api/pin", json.dumps({"pin": PIN}).encode())
    cookie = response.headers["set-cookie"]
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in cookie.split(";")}


def test_a_wrong_pin_is_said_and_many_are_made_to_wait(browser, table):
    for _ in range(5):
        assert browser.post("/api/pin", {"pin": "000000"})[0] == 403
    response, _ = browser.send("POST", "/api/pin", json.dumps({"pin": PIN}).encode())
    assert response.status == 429
    assert int(response.headers["retry-after"]) == 30
    assert browser.post("/api/do", START)[0] == 401
    assert table.commands == []


def test_the_code_by_which_others_come_in_is_for_whoever_is_in(browser):
    browser.host = "uckers.local:8080"
    assert browser.get("/api/invitation.svg")[0] == 401
    response, drawn = browser.may().send("GET", "/api/invitation.svg")
    assert (response.status, response.headers["content-type"]) == (200, "image/svg+xml")
    assert response.headers["cache-control"] == "no-store"
    # What it says is read from the page, as a camera reads it (test_inviting.py).
    assert drawn.startswith(b"<svg ")
    assert browser.send("GET", "/api/invitation.svg", Host="elsewhere.example")[0].status == 421


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost", "LOCALHOST:8080", "[::1]:8080"])
def test_an_address_that_is_the_tables_own_is_no_invitation(browser, host):
    status, answer = browser.may().get("/api/invitation.svg", Host=host)
    assert (status, answer) == (403, {"line": NO_WAY_HERE})


def test_six_phones_that_guess_keep_no_seventh_out(server):
    phones = [Browser(server.port, f"127.0.0.{number}") for number in range(2, 9)]
    for _ in range(5):
        for phone in phones[:6]:
            assert phone.post("/api/pin", {"pin": "000000"})[0] == 403
    for phone in phones[:6]:
        assert phone.post("/api/pin", {"pin": PIN})[0] == 429
    phones[6].may()


def test_who_has_locked_the_page_needs_the_pin_again(browser):
    browser.may()
    kept = browser.cookie
    assert browser.post("/api/lock", {})[1] == {"may_change": False}
    browser.cookie = kept
    assert browser.get("/api/me")[1] == {"may_change": False}


@pytest.mark.parametrize("cookie", ["uckers_table=", "uckers_table=x", "uckers_table=\xff", "other=1", ";;="])
def test_a_cookie_of_somebody_s_own_making_is_none(visitor, cookie):
    visitor.cookie = cookie
    assert visitor.get("/api/me")[1] == {"may_change": False}


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "local", "a:b:c", "[::1", "::1:x"],
)
def test_names_that_were_made_to_lead_here_are_refused(visitor, host):
    assert visitor.send("GET", "/api/matches", Host=host)[0].status in (400, 421)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "192.168.4.1:8000", "[::1]", "[fe80::1]:80", "uckers.local", "LOCALHOST."]
)
def test_the_table_s_own_addresses_and_names_are_taken(visitor, host):
    assert visitor.send("GET", "/api/matches", Host=host)[0].status == 200


def test_a_host_said_twice_is_refused(shared_server):
    assert raw(shared_server, b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n").startswith(
        b"HTTP/1.1 4"
    )


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_only_the_table_s_own_page_may_ask_for_changes(browser, table, origin):
    browser.may()
    assert browser.post("/api/do", START, Origin=origin)[0] == 403
    assert table.commands == []


def test_a_browser_that_says_that_it_comes_from_elsewhere_is_believed(browser):
    assert browser.may().post("/api/do", START, Sec_Fetch_Site="cross-site")[0] == 403


def test_forms_of_other_pages_are_not_read(browser):
    assert browser.may().post("/api/do", START, Content_Type="text/plain")[0] == 415


def test_a_body_that_says_it_is_too_long_is_not_read(visitor):
    assert visitor.post("/api/do", {}, Content_Length="65537")[0] == 413
    assert visitor.send("POST", "/api/do", Content_Length="9" * 30)[0].status in (400, 413)


def test_a_body_that_turns_out_too_long_is_not_read_to_its_end(shared_server):
    head = (
        f"POST /api/pin HTTP/1.1\r\nHost: localhost:{shared_server.port}\r\nOrigin: http://localhost:{shared_server.port}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    ).encode()
    chunk = b"8000\r\n" + b" " * 0x8000 + b"\r\n"
    assert raw(shared_server, head + 3 * chunk).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1]", b'{"pin": 1}', b'{"pin": NaN}', b"[" * 60_000, b"\x00\xff"]
)
def test_bodies_that_are_no_json_of_ours_get_one_line(visitor, body):
    response, content = visitor.send("POST", "/api/pin", body)
    assert response.status == 400
    assert "\n" not in json.loads(content)["line"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/errors.py",
        "/static/live.html",
        "/static/",
        "/static//etc/passwd",
        "//etc/passwd",
        "/api/matches/7/3/..%2f..%2frecord.sqlite",
        "/api/matches/7/3/before.jpg%00.txt",
        "/api/matches/../../etc/passwd",
        "/api/matches/7/-1/before.jpg",
        "/api/matches/9999999999999999999999/3/before.jpg",
        "/api/picture/..%2f..%2fx.jpg",
        "/api/nothing",
        "/" + "a" * 3000,
    ],
)
def test_no_path_leads_to_a_file_of_the_machine(visitor, path):
    response, content = visitor.send("GET", path)
    assert response.status in (404, 414)
    assert json.loads(content)["line"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods_mean_nothing(visitor, method):
    assert visitor.send(method, "/api/do")[0].status == 405


@pytest.mark.parametrize(
    "sent", [b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\nGARBAGE\r\n\r\n"]
)
def test_what_is_no_request_is_answered_shortly_and_the_next_is_served(shared_server, visitor, sent):
    raw(shared_server, sent)
    assert visitor.get("/api/me")[0] == 200


def test_headers_without_end_are_cut(shared_server):
    answer = raw(shared_server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000)
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")


def test_a_line_on_which_nothing_whole_is_asked_is_dropped(server, browser, monkeypatch):
    with monkeypatch.context() as impatient:
        impatient.setattr(serving, "REQUEST_S", 0.2)
        for sent in (b"", b"GET / HT"):
            assert raw(server, sent) == b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b"}"):
            answer += line.recv(65536)
        with monkeypatch.context() as impatient:
            impatient.setattr(serving, "REQUEST_S", 0.2)
            line.sendall(b"GET /api")
            with pytest.raises(ConnectionError):
                if not line.recv(10):
                    raise ConnectionResetError
    assert browser.get("/api/me")[0] == 200


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux drops who takes nothing")
def test_who_does_not_take_what_is_sent_is_dropped_and_holds_up_nobody(server, table, monkeypatch):
    # The system holds up to 4 MB for him, and the server one message more. The third has to wait.
    *told, last = (replace(table.base, question=mark * 4_000_000) for mark in "abcd")
    with takes_nothing(server):
        for snapshot in told:
            table.feed.publish(snapshot)
            assert newest(server)["question"] == snapshot.question
    # Nobody else is there now, who might take it too slowly.
    monkeypatch.setattr(serving, "TAKEN_S", 0.5)
    monkeypatch.setattr(watching, "STUCK_S", 0.5)
    with takes_nothing(server) as slow:
        table.feed.publish(last)
        with pytest.raises(ConnectionError):
            until(lambda: not slow.send(b"x"), "it was not dropped")


@contextmanager
def takes_nothing(server):
    """Somebody who watches, and takes nothing of what comes after the first of it."""
    with socket.socket() as slow:
        slow.settimeout(HANGS_S)
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(10)
        yield slow


def newest(server):
    """What somebody who comes now is shown, once it is the newest."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        stream = line.makefile("rb")
        _, news = next_event(stream)
        while news.get("question", "")[:1] != server._page._feed.latest().question[:1]:
            _, news = next_event(stream)
        return news


END_OF_ANSWER = b"0\r\n"
"""The last part of an answer that has no length."""
WATCH = b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def watcher(server, own="127.0.0.1"):
    """What somebody who watches from an address is sent, event by event; empty once the line is dropped."""
    with socket.create_connection(("127.0.0.1", server.port), HANGS_S, source_address=(own, 0)) as line:
        line.sendall(WATCH)
        yield line.makefile("rb")


def test_when_too_many_watch_one_is_dropped_of_whoever_has_most(table, server, monkeypatch):
    monkeypatch.setattr(watching, "MOST_WATCHERS", 3)
    with watcher(server) as first, watcher(server) as second, watcher(server, "127.0.0.2") as other:
        for each in (first, second, other):
            next_event(each)
        with watcher(server, "127.0.0.3") as newcomer:
            # Who has none is let in for the newest of who has two, and stays.
            assert next_event(newcomer)
            until(lambda: second.readline() == END_OF_ANSWER)
            # Who has as many as anybody is refused, and nobody else is.
            assert raw(server, WATCH).startswith(b"HTTP/1.1 503")
            table.feed.publish(replace(table.snapshot(), moment="1.2.3"))
            assert [next_event(each)[1]["moment"] for each in (first, other, newcomer)] == ["1.2.3"] * 3


@pytest.mark.parametrize("body", [b"Content-Length: 3\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n"])
@pytest.mark.parametrize("path", [b"/", b"/api/feed", b"/api/matches/7/export/gif"])
def test_who_looks_sends_nothing_with_it(server, path, body):
    assert raw(server, b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n" + body).startswith(
        b"HTTP/1.1 400"
    )


def test_a_body_that_trickles_is_given_up(shared_server, monkeypatch):
    monkeypatch.setattr("uckers_table.web.guard.BODY_S", 0.2)
    head = (
        f"POST /api/pin HTTP/1.1\r\nHost: localhost:{shared_server.port}\r\nOrigin: http://localhost:{shared_server.port}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    assert raw(shared_server, head.encode()).startswith(b"HTTP/1.1 408")


def raw(server, sent):
    """Send bytes as they are and read until the server closes the line."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        answer = b""
        try:
            line.sendall(sent)
            while part := line.recv(65536):
                answer += part
                if (
                    b"\r\n\r\n" in answer
                    and b"connection: close" not in answer.lower()
                    and b"GET /" not in sent[5:]
                ):
                    break
        except ConnectionError:
            pass
        return answer


def test_one_address_holds_only_so_many_lines(server, browser, monkeypatch):
    monkeypatch.setattr(serving, "MOST_LINES_EACH", 3)
    held = [socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) for _ in range(3)]
    one_more = socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S)
    with pytest.raises(ConnectionError):
        one_more.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
        if not one_more.recv(10):
            raise ConnectionResetError
    for line in (*held, one_more):
        line.close()

    def is_let_in():
        try:
            return browser.get("/api/me")[0] == 200
        except ConnectionError:
            return False

    until(is_let_in, "lines that were closed are still counted")


def test_addresses_with_many_lines_keep_out_nobody_with_few(server, browser, monkeypatch):
    monkeypatch.setattr(serving, "MOST_LINES", 6)
    held = [
        socket.create_connection(("127.0.0.1", server.port), HANGS_S, (f"127.0.0.{2 + number % 2}", 0))
        for number in range(6)
    ]
    for _ in range(3):
        assert browser.get("/api/me")[0] == 200
    for line in held:
        line.close()


def test_idle_lines_of_many_addresses_keep_out_nobody(server, monkeypatch):
    monkeypatch.setattr(serving, "MOST_LINES", 6)
    held = [
        socket.create_connection(("127.0.0.1", server.port), HANGS_S, (f"127.0.0.{2 + number}", 0))
        for number in range(6)
    ]
    until(lambda: len(server._server.config.http_protocol_class.idle) == 6)
    # Five of them ask for something, so that the last has been idle for longest.
    for line in held[:5]:
        line.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
    for number, dropped in enumerate((held[5], *held[:5])):
        newcomer = socket.create_connection(("127.0.0.1", server.port), HANGS_S, (f"127.0.1.{number}", 0))
        newcomer.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert newcomer.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert is_dropped(dropped)
        held.append(newcomer)
    for line in held:
        line.close()


def test_an_idle_line_goes_before_one_on_which_somebody_watches(server, monkeypatch):
    monkeypatch.setattr(serving, "MOST_LINES", 3)
    watching = [socket.create_connection(("127.0.0.1", server.port), HANGS_S) for _ in range(2)]
    for line in watching:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
    newcomers = []
    for number in range(3):
        line = socket.create_connection(("127.0.0.1", server.port), HANGS_S, (f"127.0.0.{2 + number}", 0))
        line.sendall(b"GET /api/me HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")
        newcomers.append(line)
    assert all(map(is_dropped, newcomers[:2]))
    for line in watching:
        line.setblocking(False)
        with suppress(BlockingIOError):
            assert line.recv(65536)
    for line in (*watching, *newcomers):
        line.close()


def is_dropped(line):
    """Whether the table closes a line, after what it had to say; who waits for one that stays open fails."""
    with suppress(ConnectionError):
        while line.recv(65536):
            pass
    return True


def test_a_command_says_what_it_is_for_and_when_it_was_given(server, browser, table, monkeypatch):
    heard = []

    def hear(command, *, of, within_s):
        heard.append((of, within_s))
        return Answer(True)

    browser.may()
    monkeypatch.setattr(app, "PRESS_S", HANGS_S)
    monkeypatch.setattr(table, "do", hear)
    now = beat(server)["at"]
    assert browser.post("/api/do", START | {"of": "1.2.0.0.0", "at": now})[1]["is_done"]
    ((moment, within_s),) = heard
    assert moment == "1.2.0.0.0"
    assert 0 < within_s <= HANGS_S
    # A phone slept in between: the table never hears of it.
    late = browser.post("/api/do", START | {"at": now - HANGS_S - 20.0})[1]
    assert late == {"is_done": False, "line": commands.DROPPED}
    for wrong in ({"at": "noon"}, {"of": 3}, {"of": "x" * 99}):
        assert browser.post("/api/do", START | wrong)[0] == 400, wrong
    assert len(heard) == 1


def drawing(monkeypatch, code):
    """Have films drawn by this code; it has read the match as `match`."""
    head = "import os, pickle, sys, time\nmatch = pickle.load(sys.stdin.buffer)\n"
    monkeypatch.setattr(filming, "PROGRAM", (sys.executable, "-c", head + code))


def test_how_far_a_film_has_got_is_told_while_it_is_made(shared_server, monkeypatch, tmp_path):
    browser, may_end, got = Browser(shared_server.port), tmp_path / "may-end", Queue()
    drawing(
        monkeypatch,
        "print('1 4', file=sys.stderr, flush=True)\n"
        f"while not os.path.exists({str(may_end)!r}): time.sleep(0.01)\n"
        "print('GIF')\n",
    )

    def ask():
        got.put(Browser(shared_server.port).send("GET", "/api/matches/7/export/gif"))

    told = lambda: browser.get("/api/matches/7/film")[1]["line"]  # noqa: E731
    assert told() == ""
    asking = threading.Thread(target=ask)
    asking.start()
    until(lambda: told() == "Drawing the film: 1 of 4 pictures")
    may_end.touch()
    response, content = got.get(timeout=HANGS_S)
    asking.join()
    assert (response.status, content, told()) == (200, b"GIF\n", "")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("taken = bytearray(200 * 2**20); time.sleep(9e5)", filming.TOO_MUCH),
        ("while True: sys.stdout.write('x' * 2**16)", filming.TOO_MUCH),
        ("print('1 4', file=sys.stderr, flush=True); time.sleep(9e5)", filming.TOO_LONG),
        ("os.abort()", filming.FAILED),
        ("print('match 7: nothing was ruled', file=sys.stderr); sys.exit(2)", "match 7: nothing was ruled"),
    ],
    ids=["memory", "bytes", "time", "dies", "nothing to show"],
)
def test_a_film_that_takes_too_much_is_ended_and_the_next_is_drawn(shared_server, monkeypatch, code, why):
    browser, usual = Browser(shared_server.port), filming.PROGRAM
    drawing(monkeypatch, code)
    if why == filming.TOO_LONG:
        monkeypatch.setattr(filming, "FILM_S", 1.0)
    status, told = browser.get("/api/matches/7/export/gif")
    assert (status, told["line"]) == (503, why)
    monkeypatch.setattr(filming, "PROGRAM", usual)
    monkeypatch.setattr(filming, "FILM_S", HANGS_S)
    assert browser.send("GET", "/api/matches/7/export/gif")[0].status == 200


def test_one_film_is_drawn_at_a_time_and_only_some_are_waited_for(shared_server, monkeypatch, tmp_path):
    may_end, drawn, got = tmp_path / "may-end", tmp_path / "drawn", Queue()
    monkeypatch.setattr(filming, "MOST_WAITING", 1)
    drawing(
        monkeypatch,
        f"open({str(drawn)!r}, 'a').write(f'{{os.getpid()}} ')\n"
        f"while not os.path.exists({str(may_end)!r}): time.sleep(0.01)\n",
    )
    ask = lambda: got.put(Browser(shared_server.port).send("GET", "/api/matches/7/export/gif")[0].status)  # noqa: E731
    asking = [threading.Thread(target=ask) for _ in range(3)]
    for each in asking:
        each.start()
    assert got.get(timeout=HANGS_S) == 503
    until(drawn.exists)
    assert len(drawn.read_text().split()) == 1
    may_end.touch()
    assert [got.get(timeout=HANGS_S) for _ in range(2)] == [200, 200]
    assert len(drawn.read_text().split()) == 2
    for each in asking:
        each.join()


def test_a_desk_that_does_not_answer_keeps_nobody_for_ever(browser, table, monkeypatch):
    browser.may()
    answered = threading.Event()
    monkeypatch.setattr(table, "do", lambda command, **asked: answered.wait(HANGS_S))
    monkeypatch.setattr(app, "DESK_S", 0.1)
    status, answer = browser.post("/api/do", START)
    assert (status, answer["is_done"]) == (200, False)
    answered.set()


def test_a_port_that_is_taken_is_said_in_one_line(server):
    with pytest.raises(DeviceError, match=f"port {server.port}"):
        serving.PageServer(server._page, server.port, "127.0.0.1")


def test_closing_gives_the_port_back_though_somebody_watches(server, table):
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANGS_S) as line:
        line.sendall(b"GET /api/feed HTTP/1.1\r\nHost: localhost\r\n\r\n")
        next_event(line.makefile("rb"))
        server.close()
    table.publish()
    with socket.create_server(("127.0.0.1", server.port)):
        pass


def test_a_board_is_drawn_from_the_plan_that_the_feed_or_a_match_names(visitor):
    address = visitor.get("/api/matches/7")[1]["plan"]
    status, plan = visitor.get(address)
    assert (status, plan["arms"], plan["size"], len(plan["squares"])) == (200, 4, [15, 15], 52 + 4 * 5)
    # Red's doorstep is the second square of the upper row of the left arm.
    assert (plan["places"]["red"]["1"][:2], plan["home"]) == ([-6, -1], 57)
    six = "/api/plan?seats=red,green,yellow,blue,white,black&arm_length=4&arm_end_doorstep=1"
    status, plan = visitor.get(six)
    assert (status, plan["arms"], len(plan["squares"])) == (200, 6, 6 * 9 + 6 * 3)
    assert (plan["letters"]["black"], len(plan["bases"]), len(plan["places"]["white"]["0"])) == ("K", 6, 4)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "seats=red,green,yellow",
        "seats=red,green,yellow,red",
        "seats=red,green,yellow,<b>",
        "seats=red,green,yellow,blue&arm_length=21",
        "seats=red,green,yellow,blue&arm_length=1",
        "seats=red,green,yellow,blue&arm_length=%C2%B2",
        "seats=red,green,yellow,blue&arm_end_doorstep=2",
        f"seats={'red,' * 6}red",
        f"seats=red,green,yellow,{'x' * 41}",
    ],
)
def test_there_is_no_plan_of_a_board_that_is_none(visitor, query):
    assert visitor.get(f"/api/plan?{query}")[0] == 400
