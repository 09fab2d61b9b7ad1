#!/usr/bin/env bash
# Runs all tests, in parts, the longest first. One part more than there are processors runs at a time: many tests wait,
# for the disk, a browser or a clock. What a part says is shown once it has ended, or all is ended. A part that hangs is
# ended too, and says where it hung. A test has its own limit first (tests/patience.py).
set -u
cd "$(dirname "$0")/.." || exit
LONG=(tests/vision tests/table tests/keeping tests/web)
SHORT=("tests/trial tests/soak" "tests/referee tests/game tests/simulator tests/record" tests/devices)
named="${LONG[*]} ${SHORT[*]}"
OTHERS="tests ${named//tests\//--ignore=tests/}"
PARTS=("${LONG[@]}" "$OTHERS" "${SHORT[@]}")
processors=$(getconf _NPROCESSORS_ONLN)
limit_s=$(awk "BEGIN { print 7 * ${UCKERS_HANGS_S:-600} }")

if [ "$processors" -lt 2 ]; then
    exec .venv/bin/pytest
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

# Shows what a part has said.
show() {
    until mkdir "$said/showing" 2>/dev/null; do sleep 0.1; done
    printf '\n%s:\n' "$1"
    cat "$said/$place/said"
    rmdir "$said/showing"
}

# Takes parts until none is left. A part is taken by whoever makes its folder.
work() {
    local place of_part what pytest=""
    trap 'kill "$pytest" 2>/dev/null && show "The tests in $what, as far as they came"; exit 1' TERM
    for place in "${!PARTS[@]}"; do
        mkdir "$said/$place" 2>/dev/null || continue
        read -ra of_part <<<"${PARTS[$place]}"
        # The names of tests are looked at in each part.
        what=${PARTS[$place]}
        if [ "$what" = "$OTHERS" ]; then what="no other part"; else of_part+=(tests/test_names.py); fi
        timeout --signal=ABRT --kill-after=60 "$limit_s" \
            .venv/bin/python -X faulthandler -m pytest -p no:cacheprovider "${of_part[@]}" >"$said/$place/said" 2>&1 &
        pytest=$!
        wait "$pytest" && touch "$said/$place/passed"
        show "The tests in $what"
        pytest=""
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
