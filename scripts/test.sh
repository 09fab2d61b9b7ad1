#!/usr/bin/env bash
# Runs all tests. Those of the eyes take half of the time: where there are two processors they run beside the others,
# and what they say is shown once the others have ended.
set -u
cd "$(dirname "$0")/.."
PYTEST=.venv/bin/pytest

if [ "$(getconf _NPROCESSORS_ONLN)" -lt 2 ]; then
    exec $PYTEST
fi
said=$(mktemp)
trap 'kill "$eyes" 2>/dev/null; rm -f "$said"' EXIT
# The names of tests are looked at in each half.
$PYTEST -p no:cacheprovider tests/vision tests/test_names.py >"$said" 2>&1 &
eyes=$!
$PYTEST --ignore=tests/vision
others=$?
printf '\nThe tests of the eyes, which ran beside these:\n'
wait "$eyes"
seen=$?
cat "$said"
[ "$others" = 0 ] && [ "$seen" = 0 ]
