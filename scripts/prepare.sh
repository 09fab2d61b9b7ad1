#!/usr/bin/env bash
# Sets up what the other commands need: a virtual environment with the pinned packages and this project. --test and
# --hardware also install the system programs that some tests or the drawings use. It is safe to run again, and quick
# when everything is there.
set -eu
case "${PYTHON:-}" in
/*) ;;
*/*) PYTHON=$PWD/$PYTHON ;; # a path is relative to where the caller is
esac
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*"; }

may_install() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; }

apt_install() {
    local sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
        { $sudo apt-get update -qq >/dev/null 2>&1 &&
            $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1; }
}

find_python() {
    local candidate
    for candidate in "${PYTHON:-}" python3 python3.13 python3.12 python3.11; do
        if [ -n "$candidate" ] && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    say "Python 3.11 or newer is needed and was not found; install it, or say PYTHON=/path/to/python" >&2
    exit 1
}

make_environment() {
    local python venv_package
    python=$(find_python)
    say "Preparing .venv with $($python --version) …"
    rm -rf .venv
    if ! "$python" -m venv .venv 2>/dev/null; then
        rm -rf .venv
        # Debian keeps what it takes in a package of its own, one for each version of Python.
        venv_package=$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        if may_install && { apt_install "$venv_package" || apt_install python3-venv; } && "$python" -m venv .venv; then
            :
        else
            say "Python cannot make a virtual environment here: install $venv_package and run this again" >&2
            exit 1
        fi
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
}

# -I: the package must be found in the environment, and not only in this folder.
works() { .venv/bin/python -I -c 'import uckers_table' 2>/dev/null; }

stamp=.venv/prepared
if ! works || ! cat requirements.lock pyproject.toml | cmp -s - "$stamp"; then
    make_environment
    cat requirements.lock pyproject.toml >"$stamp"
fi

if [ "${1:-}" = --test ]; then
    # The voice that the tests listen to, the reader of the display's pages, the page's browser; a NetworkManager
    # that is none, its bus, what reads the units, what reads scripts, and what sees and fails a program's calls.
    for program in flite espeak-ng tesseract chromium dbusmock dbus-daemon systemd-analyze shellcheck strace; do
        command -v $program >/dev/null && continue
        case $program in
        tesseract) package=tesseract-ocr ;;
        dbusmock)
            /usr/bin/python3 -c 'import dbusmock' 2>/dev/null && continue
            package=python3-dbusmock
            ;;
        systemd-analyze) package=systemd ;;
        *) package=$program ;;
        esac
        if may_install && apt_install $package; then
            say "Installed $package for the tests."
        else
            say "Skipping the tests that need $package: it is not here and may not be installed."
        fi
    done
fi

if [ "${1:-}" = --test ]; then
    # The dice tower's firmware runs under MicroPython, and on an emulated Pico where the material for it is.
    scripts/micropython.sh .venv/micropython ||
        say "Skipping the firmware's tests under MicroPython: it is not here and could not be fetched."
    if [ ! -d .venv/rp2040js/node_modules ] && command -v npm >/dev/null; then
        npm install --silent --no-audit --no-fund --prefix .venv/rp2040js rp2040js@1.4.1 >/dev/null 2>&1 ||
            say "Skipping the firmware's tests on an emulated Pico: rp2040js could not be fetched."
    fi
fi

if [ "${1:-}" = --hardware ] && ! command -v dot >/dev/null; then
    if ! { may_install && apt_install graphviz; }; then
        say "WireViz draws with Graphviz, which is not here and may not be installed: install graphviz" >&2
        exit 1
    fi
fi
