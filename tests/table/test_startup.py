"""What a table brings into memory when it starts: what its configuration uses, and nothing else."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.patience import HANGS_S

STARTED = """
import json, os, sys
from pathlib import Path
from unittest import mock
from uckers_table.config import Config
from uckers_table.table.running import run_table

OF_DEVICES = {of_devices!r}

def ready(supervisor):
    packages = {{name.partition(".")[0] for name in sys.modules}}
    ours = {{name.split(".")[1] for name in sys.modules if name.startswith("uckers_table.")}}
    ours &= {{"simulator", "trial", "soak"}}
    print(json.dumps([sorted(packages & OF_DEVICES), sorted(ours)]), flush=True)
    os._exit(0)

nothing = dict(camera="none", tower="none", buttons="none", display="none", voice="silent", dice="buttons")
config = Config(**nothing | {{"page_port": 0, "headless": True}} | {wanted!r}, record=Path({record!r}))
with mock.patch("uckers_table.machine.notify.Supervisor.ready", ready):
    run_table(config, out=open(os.devnull, "w"))
"""
OF_DEVICES = {
    *("gpiozero", "lgpio", "luma", "serial", "smbus2", "picamera2", "segno", "rich", "jeepney"),
    *("starlette", "uvicorn", "anyio"),
}
PINS = {"lgpio"} if find_spec("lgpio") else set()
"""The pins' own library, where it is installed."""
PAGE = {"starlette", "uvicorn", "anyio", "segno"}
"""Also where a device is asked for that this machine has not: then it is said on the page and looked for."""


def imported(folder, **wanted):
    """Which of OF_DEVICES, and of the parts that are for no real table, a table has when it is ready."""
    code = STARTED.format(of_devices=OF_DEVICES, wanted=wanted, record=str(folder))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS_S)
    assert done.returncode == 0, done.stderr
    packages, ours = json.loads(done.stdout.splitlines()[-1])
    return set(packages), ours


def test_a_table_with_nothing_at_it_brings_no_device_in(tmp_path):
    assert imported(tmp_path) == (set(), [])


@pytest.mark.parametrize(
    ("wanted", "brings"),
    [
        ({}, set()),
        ({"tower": "serial", "dice": "tower", "tower_port": "/nowhere"}, {"serial"}),
        ({"buttons": "gpio"}, {"gpiozero"} | PINS),
        ({"display": "ssd1309"}, {"luma"}),
        ({"voice": "flite"}, set()),
    ],
    ids=["page", "tower", "buttons", "display", "voice"],
)
def test_each_device_brings_in_its_own_and_the_page_the_server(tmp_path, wanted, brings):
    packages, ours = imported(tmp_path, page_port=_free_port(), **wanted)
    # What of the bus is there, luma finds out by itself.
    assert packages - {"smbus2"} == PAGE | brings
    assert ours == []


def _free_port():
    import socket

    with socket.create_server(("", 0)) as probe:
        return probe.getsockname()[1]
