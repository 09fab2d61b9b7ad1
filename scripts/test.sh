#!/usr/bin/env bash
# Runs all tests. Those of the eyes and of the table take half of the time: where there are two processors they run
# beside the others, and what they say is shown once the others have ended.
set -u
cd "$(dirname "$0")/.."
PYTEST=.venv/bin/pytest

if [ "$(getconf _NPROCESSORS_ONLN)" -lt 2 ]; then
    exec $PYTEST
fi
said=$(mktemp)
trap 'kill "$half" 2>/dev/null; rm -f "$said"' EXIT
# The names of tests are looked at in each half.
$PYTEST -p no:cacheprovider tests/vision tests/table tests/test_names.py >"$said" 2>&1 &
half=$!
$PYTEST --ignore=tests/vision --ignore=tests/table
others=$?
printf '\nThe tests of the eyes and of the table, which ran beside these:\n'
wait "$half"
beside=$?
cat "$said"
[ "$others" = 0 ] && [ "$beside" = 0 ]
