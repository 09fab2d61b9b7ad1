"""The QR code by which another phone comes in: the page's address with the PIN."""

from __future__ import annotations

import io
from ipaddress import ip_address

NO_WAY_HERE = "Open this page by the address that the display shows: no other phone comes to this one."


def is_own(host: str) -> bool:
    """Whether a page was opened by an address that means the table to nobody but itself."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def invitation(address: str, pin: str) -> str:
    """The code as an SVG. `address` ends in a slash. The PIN follows a "#": no server is sent that part."""
    # Only here: few ask for it, and a start waits for no more than it needs.
    import segno

    drawn = io.BytesIO()
    segno.make(f"{address}#pin={pin}", micro=False, error="m").save(
        drawn, kind="svg", xmldecl=False, scale=8, dark="#000", light="#fff"
    )
    return drawn.getvalue().decode()
