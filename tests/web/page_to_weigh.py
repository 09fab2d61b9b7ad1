"""The page of a match with many rulings, served in a process whose memory can be looked at.

    python -m tests.web.page_to_weigh FOLDER RULINGS

It prints its port and every address that is looked at without a PIN, in a line of JSON, and ends with its
standard input.
"""

import json
import sys
from contextlib import closing
from dataclasses import replace

from starlette.routing import Route

from tests.web.fakes import FakeTable, serve
from uckers_table.record.match_record import EVIDENCE
from uckers_table.web.feed import PICTURES_SHOWN
from uckers_table.web.recorded import EXPORTS

NAMES = {
    "/api/picture/{kind}": [f"{kind}.jpg" for kind in PICTURES_SHOWN],
    "/api/matches/{match:int}/export/{kind}": EXPORTS,
    "/api/matches/{match:int}/{ruling:int}/{what}": [f"{what}.jpg" for what in EVIDENCE],
    "/api/matches/{match:int}/{ruling:int}/close/{what}": ["after", "after.jpg"],
}
"""What stands for the last part of these."""
WITH_PIN = {"/api/invitation.svg"}
PARTS = {"{match:int}": "7", "{ruling:int}": "3", "{frame:int}": "1", "{name}": "br4006"}


def addresses(app):
    """Every address that answers to GET without a PIN, with something in it."""
    for route in app.routes:
        assert isinstance(route, Route)
        if "GET" not in route.methods or route.path in WITH_PIN:
            continue
        for name in NAMES.get(route.path, [""]):
            path = route.path
            for part, value in PARTS.items() | {("{kind}", name), ("{what}", name)}:
                path = path.replace(part, value)
            yield path


def main(folder, rulings):
    """Serve until the standard input ends."""
    with closing(serve(FakeTable(), folder)) as server:
        page = server._page
        record = page._library.record
        first, *rest, last = record.entries
        times = (rulings - 2) // len(rest)
        page._library.record = replace(record, entries=(first, *rest * times, last))
        print(json.dumps([server.port, [*addresses(page.app._app)]]), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
