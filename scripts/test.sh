#!/usr/bin/env bash
# Runs all tests, in parts, the longest first. One part more than there are processors runs at a time: many tests wait,
# for the disk, a browser or a clock. What a part says is shown once it has ended.
set -u
cd "$(dirname "$0")/.." || exit
PYTEST=.venv/bin/pytest
LONG=(tests/vision tests/table tests/keeping tests/web)
SHORT=("tests/trial tests/soak" "tests/referee tests/game tests/simulator tests/record" tests/devices)
named="${LONG[*]} ${SHORT[*]}"
OTHERS="tests ${named//tests\//--ignore=tests/}"
PARTS=("${LONG[@]}" "$OTHERS" "${SHORT[@]}")
processors=$(getconf _NPROCESSORS_ONLN)

if [ "$processors" -lt 2 ]; then
    exec $PYTEST
fi
# Where each processor has its own tests, threads of numpy only wait for each other.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
said=$(mktemp -d)
if [ -n "${PYTHONDONTWRITEBYTECODE:-}" ]; then
    # Hundreds of programs are started. Each would compile all that it imports.
    unset PYTHONDONTWRITEBYTECODE
    export PYTHONPYCACHEPREFIX=$said/bytecode
fi
workers=()
trap 'kill "${workers[@]}" 2>/dev/null; wait; rm -rf "$said"' EXIT

# Takes parts until none is left. A part is taken by whoever makes its folder.
work() {
    local place of_part what pytest=""
    trap 'kill "$pytest" 2>/dev/null; exit 1' TERM
    for place in "${!PARTS[@]}"; do
        mkdir "$said/$place" 2>/dev/null || continue
        read -ra of_part <<<"${PARTS[$place]}"
        # The names of tests are looked at in each part.
        what=${PARTS[$place]}
        if [ "$what" = "$OTHERS" ]; then what="no other part"; else of_part+=(tests/test_names.py); fi
        $PYTEST -p no:cacheprovider "${of_part[@]}" >"$said/$place/said" 2>&1 &
        pytest=$!
        wait "$pytest" && touch "$said/$place/passed"
        until mkdir "$said/showing" 2>/dev/null; do sleep 0.1; done
        printf '\nThe tests in %s:\n' "$what"
        cat "$said/$place/said"
        rmdir "$said/showing"
    done
}

for ((worker = 0; worker <= processors && worker < ${#PARTS[@]}; worker++)); do
    work &
    workers+=($!)
done
wait "${workers[@]}"
for place in "${!PARTS[@]}"; do
    [ -e "$said/$place/passed" ] || exit 1
done
