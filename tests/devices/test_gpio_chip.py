"""The header's chip under the numbers that kernels give it, and lgpio in folders that it may not write."""

import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.patience import HANGS_S
from uckers_table.devices.gpio_chip import load_lgpio

HERE = Path(__file__).parent
ROOT = HERE.parent.parent

BOX = """
import os, sys
from gpiozero.pins.local import LocalPiFactory
from uckers_table.devices.buttons import GpioButtonBox
from uckers_table.devices import gpio_chip
from uckers_table.errors import DeviceError
from pathlib import Path

# A Pi 5 says so in its device tree.
LocalPiFactory._get_revision = lambda self: 0xC04170
gpio_chip.DEVICES = Path(os.environ.get("DEVICES", "/dev"))
here = os.getcwd()
try:
    box = GpioButtonBox()
    import lgpio
    print("opened", sorted(lgpio._open), "as", sorted({handle >> 16 for handle, _ in lgpio._modes}))
    box.close()
    print("left", sorted(lgpio._open), "here" if os.getcwd() == here else os.getcwd())
except DeviceError as error:
    print(error)
"""
OLD = "0=gpio-brcmstb@107d508500,1=gpio-brcmstb@107d508520,4=pinctrl-rp1"
RENAMED = "11=gpio-brcmstb@107d508500,12=gpio-brcmstb@107d508520,13=gpio-brcmstb@107d517c00,15=pinctrl-rp1"
PI_4 = "0=pinctrl-bcm2711,1=raspberrypi-exp-gpio"
PI_4_SWAPPED = "0=raspberrypi-exp-gpio,10=pinctrl-bcm2711"
PI_3 = "0=raspberrypi-exp-gpio,1=pinctrl-bcm2835"


def box_over(chips, folder, **environment):
    """What a program says that opens the box over the stand-in for lgpio."""
    return run(BOX, folder, [HERE / "stand_in_lgpio"], {"LGPIO_CHIPS": chips, **environment})


def run(script, folder, paths, environment, **more):
    places = os.pathsep.join(map(str, [*paths, ROOT]))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=HANGS_S,
        **{"cwd": folder, **more},
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("chips", "number"),
    [(OLD, 4), (RENAMED, 15), (PI_4, 0), (PI_4_SWAPPED, 10), (PI_3, 1), ("0=pinctrl-rp1,4=pinctrl-rp1", 0)],
    ids=["old", "renamed", "Pi 4", "Pi 4, swapped", "Pi 3", "two"],
)
def test_the_headers_chip_is_found_by_its_label(chips, number, tmp_path):
    said = box_over(chips, tmp_path)
    assert said == f"opened [{number}] as [{number}]\nleft [] here\n"


def test_chips_that_are_not_the_headers_are_named(tmp_path):
    said = box_over("0=gpio-mockup-A,3=raspberrypi-exp-gpio", tmp_path)
    assert "gpiochip0 is gpio-mockup-A, gpiochip3 is raspberrypi-exp-gpio" in said
    assert "it works on a Raspberry Pi only" in said


def test_a_machine_without_chips_is_told_where_it_works(tmp_path):
    assert "there is no GPIO chip" in box_over("", tmp_path, DEVICES=str(tmp_path))


STRANGER = """
import os
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
"""
"""Root goes on as the user nobody, when all that he may not reach has been imported."""
NOBODYS_BOX = BOX.replace("here = os.getcwd()", STRANGER + "here = os.getcwd()")


@pytest.fixture
def outside():
    """A folder that every user reaches, with the stand-in in it: pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copy(HERE / "stand_in_lgpio" / "lgpio.py", folder)
        yield folder


def test_a_chip_that_this_user_may_not_open_is_called_that(outside):
    (outside / "gpiochip15").touch(mode=0)
    environment = {"LGPIO_CHIPS": "", "DEVICES": str(outside)}
    said = run(NOBODYS_BOX, outside, [outside], environment)
    assert said == (
        f"the button box may not use its pins: this user may not open {outside}/gpiochip15. "
        f"Put it in the group gpio, or run this with sudo\n"
    )


def test_a_pin_that_another_program_uses_is_called_taken(tmp_path):
    said = box_over(RENAMED, tmp_path, LGPIO_BUSY="26")
    assert "the button box's pins are taken ('GPIO busy')" in said
    assert "no other program" in said


LOAD = """
from uckers_table.devices.gpio_chip import load_lgpio
lgpio = load_lgpio()
print(lgpio.__name__, lgpio.gpiochip_open and "loaded")
"""


@pytest.mark.parametrize("mode", [0o500, 0])
@pytest.mark.parametrize("which", ["stand-in", "real"])
def test_lgpio_loads_in_a_folder_that_is_closed(which, mode, outside):
    if which == "real" and find_spec("lgpio") is None:
        pytest.skip("needs lgpio: pip install lgpio")
    temporary, closed = outside / "tmp", outside / "closed"
    temporary.mkdir()
    temporary.chmod(0o777)
    closed.mkdir()
    # A folder that one may not enter is another's: only root can bring a program there.
    closed.chmod(mode if os.geteuid() == 0 else 0o500)
    paths = [outside] if which == "stand-in" else [find_spec("lgpio").origin.rpartition("/")[0]]
    said = run(
        # What lgpio imports of Python's own, too: a stranger may not read where that lies.
        "import uckers_table.devices.gpio_chip, socket, tempfile\n" + STRANGER + LOAD,
        outside,
        paths,
        {"TMPDIR": str(temporary)},
        cwd=closed,
    )
    assert said == "lgpio loaded\n"
    # Nothing of it is left anywhere.
    assert list(temporary.iterdir()) == list(closed.iterdir()) == []


def test_a_services_own_folder_is_taken_where_it_has_one(tmp_path):
    (tmp_path / "run").mkdir()
    environment = {"RUNTIME_DIRECTORY": f"{tmp_path / 'run'}:/nowhere", "TMPDIR": "/nowhere"}
    assert run(LOAD, tmp_path, [HERE / "stand_in_lgpio"], environment) == "lgpio loaded\n"
    assert list((tmp_path / "run").iterdir()) == []


def test_a_programs_current_folder_is_never_another(tmp_path):
    script = """
import os, threading
from uckers_table.devices.gpio_chip import load_lgpio
seen, here, done = set(), os.getcwd(), threading.Event()
def look():
    while not done.is_set():
        seen.add(os.getcwd())
looking = threading.Thread(target=look)
looking.start()
load_lgpio()
done.set()
looking.join()
print(seen == {here}, os.getcwd() == here, "LG_WD" in os.environ)
"""
    said = run(script, tmp_path, [HERE / "stand_in_lgpio"], {})
    assert said == "True True False\n"


def test_without_lgpio_that_is_said_and_nothing_else_is_changed():
    if find_spec("lgpio") is not None:
        pytest.skip("this machine has lgpio")
    here = Path.cwd()
    with pytest.raises(ImportError):
        load_lgpio()
    assert Path.cwd() == here
