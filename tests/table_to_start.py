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
from uckers_table.web.feed import Feed


def answered(port, path):
    """What the page answers: a line of its feed, or all of another path."""
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        line.request("GET", path)
        answer = line.getresponse()
        if path != "/api/feed":
            return answer.status, json.loads(answer.read())
        assert answer.readline() == b"event: all\n"
        return answer.status, json.loads(answer.readline().removeprefix(b"data: "))


def offers(reminders):
    return [each["offer"] for each in reminders if each["offer"]]


def looked_at(port, published):
    """What the page shows when no match is being put on record any more: what was `published` last. It gets
    there a moment later.
    """
    until(lambda: published and not is_rebuilding())

    def is_shown():
        _, page = answered(port, "/api/feed")
        now = published[-1]
        told = now.state, len(now.rulings), offers(map(vars, now.reminders))
        return page if (page["state"], len(page["rulings"]), offers(page["reminders"])) == told else None

    page = until(is_shown)
    status, matches = answered(port, "/api/matches")
    return {
        "state": page["state"],
        "rulings": len(page["rulings"]),
        "offers": offers(page["reminders"]),
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

    published, publish = [], Feed.publish

    def noted(feed, snapshot):
        publish(feed, snapshot)
        published.append(snapshot)

    def ready(supervisor):
        def look():
            try:
                print(json.dumps(looked_at(port, published)), flush=True)
            finally:
                os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=look).start()

    hooked = mock.patch.object(Supervisor, "ready", ready), mock.patch.object(Feed, "publish", noted)
    with unhurried_table(), hooked[0], hooked[1]:
        sys.exit(run_table(config, out=sys.stderr))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
