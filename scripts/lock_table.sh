#!/usr/bin/env bash
# Pins the packages that a table is installed with, for the Python of each release. numpy stays the system's, because
# picamera2 was built against it. Also pinned are what builds the program, and what fills its tower's Pico.
set -euo pipefail
cd "$(dirname "$0")/.."
lock() {
    printf 'numpy==%s\nhatchling>=1.24\nmpremote>=1.25\n' "$3" |
        .venv/bin/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --only-binary :all: \
            --python-version "$2" --python-platform aarch64-manylinux_2_36 --no-emit-package numpy \
            pyproject.toml - -o "install/$1.lock"
}
lock bookworm 3.11 1.24.2
lock trixie 3.13 2.2.4
