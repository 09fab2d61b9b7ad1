"""People with phones who visit a table's page, in a program of their own: they are no part of the table.

    python -m uckers_table.soak.visitors PORT PIN

It takes a line of JSON at a time, and answers with one. {"watch": N}: from now on N people watch.
{"read": true}: somebody looks at all that the page offers. Anything else is a command, handed to the table.
"""

from __future__ import annotations

import http.client
import json
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from uckers_table.errors import UckersTableError

HOST = "127.0.0.1"
ANSWER_S = 120.0
"""Real seconds to wait for an answer. The machine may be busy with other things."""
LOOKED_AT = (
    *("/", "/matches", "/api/plan?seats=red,green,yellow,blue", "/api/rules", "/api/rules/br4006"),
    *("/api/picture/plain.jpg", "/api/picture/marked.jpg", "/api/matches", "/api/statistics", "/api/honours"),
    "/api/honours.svg",
)
"""The paths that a reader looks at, but for those of matches."""


class Visitors:
    """Visitors who stay until closed. Their answer is awaited: UckersTableError if there is none."""

    def __init__(self, port: int, pin: str) -> None:
        command = [sys.executable, "-m", __name__, str(port), pin]
        self._program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, **what: Any) -> Any:
        """Has them do something, and waits until it is done. Gives what came of it."""
        program = self._program
        assert program.stdin is not None and program.stdout is not None
        try:
            program.stdin.write(json.dumps(what) + "\n")
            program.stdin.flush()
            return json.loads(program.stdout.readline())
        except (OSError, ValueError) as error:
            raise UckersTableError(f"the visitors of the page do not answer ({error})") from error

    def close(self) -> None:
        """Sends them away. Safe to call twice."""
        with self._program as program:
            if program.poll() is None:
                assert program.stdin is not None
                with suppress(OSError):
                    program.stdin.close()


class _Crowd:
    """The people who watch the feed, and one who asks for everything else."""

    def __init__(self, port: int, pin: str) -> None:
        self._port, self._pin, self._cookie = port, pin, ""
        self._lines: list[socket.socket] = []

    def do(self, asked: dict[str, Any]) -> Any:
        if "watch" in asked:
            return self._watch(int(asked["watch"]))
        if "read" in asked:
            return self._read()
        if not self._cookie:
            _, _, self._cookie = self._request("POST", "/api/pin", {"pin": self._pin})
        status, body, _ = self._request("POST", "/api/do", asked)
        return {"status": status, **json.loads(body)}

    def _request(self, method: str, path: str, body: Any = None) -> tuple[int, bytes, str]:
        """The status, the body and the cookie of an answer."""
        line = http.client.HTTPConnection(HOST, self._port, timeout=ANSWER_S)
        headers = {"connection": "close", "cookie": self._cookie}
        if body is not None:
            headers |= {"content-type": "application/json", "origin": f"http://{HOST}:{self._port}"}
        try:
            line.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = line.getresponse()
            return answer.status, answer.read(), answer.headers.get("set-cookie", "").partition(";")[0]
        finally:
            line.close()

    def _watch(self, count: int) -> int:
        while len(self._lines) > count:
            self._lines.pop().shutdown(socket.SHUT_RDWR)
        while len(self._lines) < count:
            line = socket.create_connection((HOST, self._port))
            line.sendall(f"GET /api/feed HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            self._lines.append(line)
            threading.Thread(target=_take_all, args=(line,), daemon=True).start()
        return len(self._lines)

    def _read(self) -> dict[str, int]:
        """Reads every path, and the last match with its pictures. How often each status was the answer."""
        statuses = dict[str, int]()

        def read(path: str) -> bytes:
            status, body, _ = self._request("GET", path)
            statuses[str(status)] = statuses.get(str(status), 0) + 1
            return body if status == 200 else b"[]"

        for path in LOOKED_AT:
            read(path)
        for match in json.loads(read("/api/matches"))[:1]:
            number = match["number"]
            shown = json.loads(read(f"/api/matches/{number}"))
            read(f"/api/matches/{number}/export/txt")
            for ruling in shown["rulings"] if isinstance(shown, dict) else ():
                for what in ruling["evidence"]:
                    read(f"/api/matches/{number}/{ruling['number']}/{what}.jpg")
        return statuses


def _take_all(line: socket.socket) -> None:
    """Takes what comes until the line closes, and closes it."""
    with line, suppress(OSError):
        while line.recv(65536):
            pass


def main(port: str, pin: str) -> None:
    """Does what the standard input says, until it ends."""
    crowd = _Crowd(int(port), pin)
    for line in sys.stdin:
        print(json.dumps(crowd.do(json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
