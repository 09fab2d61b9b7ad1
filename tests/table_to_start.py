"""A table with a page and no devices, which starts, is looked at as people look, and is switched off.

    python -m tests.table_to_start FOLDER

It prints what the page shows once the start is done with the record: a line of JSON with the `state`, how
many `rulings` of the match there are, what is offered to be tried again (`offers`) and the matches' list
(`matches`: how the page answers, and each match's number).
"""

import http.client
import json
import os
import signal
import socket
import sys
import threading
from contextlib import closing
from pathlib import Path
from unittest import mock

from tests.patience import unhurried_table, until
from uckers_table.config import Config
from uckers_table.machine.notify import Supervisor
from uckers_table.table.old_matches import REBUILDING
from uckers_table.table.running import run_table


def answered(port, path):
    """What the page answers: a line of its feed, or all of another path."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        if path != "/api/feed":
            return answer.status, json.loads(answer.read())
        assert answer.readline() == b"event: all\n"
        return answer.status, json.loads(answer.readline().removeprefix(b"data: "))


def looked_at(port):
    """What the page shows when no match is being put on record any more."""
    until(lambda: not is_rebuilding())
    _, page = answered(port, "/api/feed")
    status, matches = answered(port, "/api/matches")
    return {
        "state": page["state"],
        "rulings": len(page["rulings"]),
        "offers": [each["offer"] for each in page["reminders"] if each["offer"]],
        "matches": [status, [each["number"] for each in matches] if status == 200 else matches],
    }


def is_rebuilding():
    """Whether matches are being put on record again: the worker's thread has not ended."""
    return any(thread.name == REBUILDING and thread.is_alive() for thread in threading.enumerate())


def main(folder):
    """Start, look, and switch off."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    config = Config(
        **dict.fromkeys(("camera", "tower", "buttons", "display"), "none"),
        voice="silent",
        dice="buttons",
        record=folder,
        page_port=port,
        headless=True,
    )

    def ready(supervisor):
        def look():
            try:
                print(json.dumps(looked_at(port)), flush=True)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=look).start()

    with unhurried_table(), mock.patch.object(Supervisor, "ready", ready):
        sys.exit(run_table(config, out=sys.stderr))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
