#!/usr/bin/env bash
# Pins the packages that a table is installed with, for the Python of each release. numpy stays the system's, because
# picamera2 was built against it. Also pinned are what builds the program, and what fills its tower's Pico.
#
# OpenCV's wheels ask for numpy 2 from 4.12 on, and run with bookworm's 1.24 as well: so what they ask is overridden.
# install.sh looks whether it is so before a version takes over.
set -euo pipefail
cd "$(dirname "$0")/.."
lock() {
    printf 'hatchling>=1.24\nmpremote>=1.25\n' |
        .venv/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --only-binary :all: \
            --python-version "$2" --python-platform aarch64-manylinux_2_36 --no-emit-package numpy \
            --override <(printf 'numpy==%s\n' "$3") \
            pyproject.toml - -o "install/$1.lock"
}
lock bookworm 3.11 1.24.2
lock trixie 3.13 2.2.4
