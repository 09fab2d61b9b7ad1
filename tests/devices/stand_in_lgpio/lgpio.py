"""lgpio 0.2.2 as far as gpiozero's pins need it, over chips that a test names; for a program of its own.

LGPIO_CHIPS names them: `11=gpio-brcmstb@107d508500,13=pinctrl-rp1`. A line named in LGPIO_BUSY is in use.
As the real one does, it makes its pipe while it is loaded: in the folder LG_WD, which then becomes the
current one, or in the current one (lgUtil.c, lgNotify.c, lgpio_extra.py).
"""
# ruff: noqa: N801, N818, PTH109, PTH123, SIM115 (it has lgpio's names and lgpio's ways)

import os

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
OUTPUT = 2


class error(Exception):
    def __init__(self, value):
        self.value = value

    def __str__(self):
        return repr(self.value)


def _pairs(text):
    return dict(pair.split("=") for pair in text.split(",") if pair)


_chips = {int(number): label for number, label in _pairs(os.environ.get("LGPIO_CHIPS", "")).items()}
_busy = {int(line) for line in os.environ.get("LGPIO_BUSY", "").split(",") if line}
_open, _modes, _levels = set(), {}, {}


def _notify_open():
    folder = os.environ.get("LG_WD")
    if folder:
        try:
            os.chdir(folder)
        except OSError as failed:
            print(f"lguGetWorkDir: can't set working directory ({failed})")
    folder = folder or os.getcwd()
    try:
        os.mkfifo(f"{folder}/.lgd-nfy0", 0o664)
        return 0, os.open(f"{folder}/.lgd-nfy0", os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        print(f"xCreatePipe: Can't set permissions (436) for {folder}/.lgd-nfy0")
        return -3, None


_handle, _pipe = _notify_open()
_file = open(f".lgd-nfy{_handle}", "rb")


def gpiochip_open(number):
    if number not in _chips:
        raise error("can not open gpiochip")
    _open.add(number)
    return number << 16


def gpiochip_close(handle):
    _open.remove(handle >> 16)
    return 0


def gpio_get_chip_info(handle):
    number = handle >> 16
    assert number in _open
    return [0, 54, f"gpiochip{number}", _chips[number]]


def _claim(handle, line, mode):
    assert handle >> 16 in _open
    if line in _busy:
        raise error("GPIO busy")
    _modes[handle, line] = mode
    _levels.setdefault((handle, line), 0 if mode == OUTPUT else 1)
    return 0


def gpio_claim_input(handle, line, flags=0):
    return _claim(handle, line, flags)


def gpio_claim_output(handle, line, level=0, flags=0):
    return _claim(handle, line, OUTPUT)


def gpio_claim_alert(handle, line, edges, flags=0):
    return _claim(handle, line, flags)


def gpio_free(handle, line):
    return 0


def gpio_set_debounce_micros(handle, line, micros):
    return 0


def gpio_get_mode(handle, line):
    return _modes[handle, line]


def gpio_read(handle, line):
    return _levels[handle, line]


def gpio_write(handle, line, level):
    _levels[handle, line] = level


class callback:
    def __init__(self, handle, line, edge, func):
        pass

    def cancel(self):
        pass
