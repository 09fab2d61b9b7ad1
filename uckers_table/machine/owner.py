"""Whose the record is: on a table that is installed the program's own user's, and people come as root (sudo).

What root wrote there, the table could not go on with.
"""

from __future__ import annotations

import os
import pwd
from pathlib import Path

from uckers_table.machine.files import nearest_there, refusals_said


def become_owner(record: Path) -> None:
    """Root goes on as the user whose record it is, with his groups, for good; anybody else as he is.

    A record that is not there yet is his in whose folder it will be.
    """
    if os.geteuid() != 0:
        return
    with refusals_said(record, "nobody knows whose it is"):
        owner = nearest_there(record.absolute()).stat()
    if owner.st_uid == 0:
        return
    try:
        os.initgroups(pwd.getpwuid(owner.st_uid).pw_name, owner.st_gid)
    except KeyError:
        os.setgroups([])
    os.setgid(owner.st_gid)
    os.setuid(owner.st_uid)
