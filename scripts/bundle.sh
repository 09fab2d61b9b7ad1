#!/usr/bin/env bash
# Collects what install.sh would fetch, for a table that has no internet: this project, and the Python and Debian
# packages for bookworm and trixie. Carry dist/uckers-table-bundle.tar to the table.
#
#   scripts/bundle.sh [arm64 | amd64] [--with-tests]
#
# --with-tests adds dist/wheels-for-tests. With these scripts/install_in_chroot.sh tests what it has installed.
# Raspberry Pi's own packages (picamera2) come along when this runs on Raspberry Pi OS, for its release. Only a Lite
# system that lacks them misses them.
set -euo pipefail
cd "$(dirname "$0")/.."
ARCH=${1:-arm64}
WITH_TESTS=${2:-}
case $ARCH$WITH_TESTS in
arm64 | arm64--with-tests) MACHINE=aarch64 ;;
amd64 | amd64--with-tests) MACHINE=x86_64 ;;
*) printf 'usage: scripts/bundle.sh [arm64 | amd64] [--with-tests]\n' >&2 && exit 2 ;;
esac
BUNDLE=dist/uckers-table-bundle
PYTHON=${PYTHON:-.venv/bin/python}
# What install.sh asks for.
mapfile -t PACKAGES < <(sed -n 's/^\(NEEDED\|WISHED\)=(\(.*\))$/\2/p' install.sh | tr ' ' '\n')

say() { printf '%s\n' "$*"; }

project() {
    git ls-files -z uckers_table firmware systemd install install.sh pyproject.toml README.md LICENSE |
        xargs -0 cp --parents -t "$BUNDLE"
}

# The wheels of a lock file, for the Python of a release. Its glibc is 2.36 or newer.
wheels() {
    local lock=$1 python=$2 folder=$3 platforms=() minor
    for minor in 2014 _2_17 _2_24 _2_26 _2_27 _2_28 _2_31 _2_34 _2_35 _2_36; do
        platforms+=(--platform "manylinux${minor}_$MACHINE")
    done
    "$PYTHON" -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
        --implementation cp --python-version "$python" --abi "cp${python/./}" --abi abi3 --abi none \
        "${platforms[@]}" -r "$lock" -d "$folder"
}

# The packages that run the tests, pinned as in the development environment.
lock_of_tests() {
    local name
    for name in pytest pytest-timeout hypothesis iniconfig packaging pluggy pygments sortedcontainers; do
        sed -n "/^$name==/,/[^\\\\]\$/p" requirements.lock
    done
}

# Where apt's configuration names Raspberry Pi's archive for a release: a file, and the line or entry in it.
raspberry_pi() {
    # shellcheck disable=SC2016  # apt's own
    apt-get indextargets --format '$(RELEASE)|$(ORIGIN)|$(SOURCESENTRY)' 'Created-By: Packages' |
        sed -n "s/^$1|Raspberry Pi Foundation|\\(.*\\):\\([0-9]*\\)\$/\\1 \\2/p" | sort -u
}

# Every package that a bare system might lack. This apt is a separate one: it does not see this machine's packages.
debs() {
    local suite=$1 apt=$BUNDLE/../apt-$1 debs=$BUNDLE/debs/$1 options package wanted=()
    rm -rf "$apt"
    mkdir -p "$apt"/{lists/partial,archives/partial} "$debs"
    : >"$apt/status"
    say "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $MIRROR $suite main" >"$apt/sources.list"
    # Its Python and numpy are Debian's, and so is what they are built against; the camera's are its own.
    raspberry_pi "$suite" | while read -r file entry; do
        if [[ $file == *.sources ]]; then
            mkdir -p "$apt/parts" && cp "$file" "$apt/parts/"
        else
            sed -n "${entry}p" "$file" >>"$apt/sources.list"
        fi
    done
    apt=$(cd "$apt" && pwd)
    options=(-o "APT::Architecture=$ARCH" -o "APT::Architectures=$ARCH" -o "Dir::State::status=$apt/status"
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt" -o "Dir::Cache::archives=$apt/archives"
        -o "Dir::Etc::sourcelist=$apt/sources.list" -o "Dir::Etc::sourceparts=$apt/parts" -o APT::Sandbox::User=root
        -o APT::Keep-Downloaded-Packages=true)
    apt-get "${options[@]}" update -qq
    for package in "${PACKAGES[@]}"; do
        if apt-cache "${options[@]}" show "$package" >/dev/null 2>&1; then
            wanted+=("$package")
        else
            say "MISSING    $package for $suite: not to be had from here"
        fi
    done
    apt-get "${options[@]}" install -y -qq --no-install-recommends --download-only "${wanted[@]}" >/dev/null
    cp "$apt"/archives/*.deb "$debs/"
    # The index by which apt takes the folder for an archive.
    (cd "$debs" && for package in *.deb; do
        dpkg-deb --field "$package"
        say "Filename: ./$package"
        say "Size: $(stat -c %s "$package")"
        say "SHA256: $(sha256sum "$package" | cut -d ' ' -f 1)"
        say ""
    done >Packages)
    rm -rf "$apt"
}

MIRROR=$(scripts/mirror.sh)
rm -rf "$BUNDLE" dist/wheels-for-tests
mkdir -p "$BUNDLE"
project
for suite in bookworm:3.11 trixie:3.13; do
    wheels "install/${suite%:*}.lock" "${suite#*:}" "$BUNDLE/wheels/${suite%:*}"
    if [ -n "$WITH_TESTS" ]; then
        wheels <(lock_of_tests) "${suite#*:}" "dist/wheels-for-tests/${suite%:*}"
    fi
    debs "${suite%:*}"
    say "Collected  ${suite%:*}: $(find "$BUNDLE/wheels/${suite%:*}" -name '*.whl' | wc -l) wheels," \
        "$(find "$BUNDLE/debs/${suite%:*}" -name '*.deb' | wc -l) packages"
done
tar -C dist -cf dist/uckers-table-bundle.tar uckers-table-bundle
say "Wrote      dist/uckers-table-bundle.tar ($(du -m dist/uckers-table-bundle.tar | cut -f 1) MB): unpack it on the table, sudo ./install.sh"
