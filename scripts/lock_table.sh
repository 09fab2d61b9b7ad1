#!/usr/bin/env bash
# Pins what a table is installed with: for each release its Python, and its numpy, which picamera2 was built against
# and which therefore stays the system's. Besides the program itself, what builds it and what fills its tower's Pico.
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
