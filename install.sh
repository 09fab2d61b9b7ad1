#!/usr/bin/env bash
# Installs the table on Raspberry Pi OS (bookworm or trixie, 64-bit, Lite too), or brings it up to date.
#
#   sudo ./install.sh               from a checkout, or without internet from a bundle (`make bundle`)
#   sudo ./install.sh --rollback    back to the version before
#   sudo ./install.sh --uninstall   takes it away; the record and the configuration stay
#   sudo ./install.sh --uninstall --purge
#
# It can be run again at any time. A new version is built beside the one that runs, and takes over only when it is
# whole: whatever goes wrong before, the earlier one goes on. Not yet tried on hardware.
set -Eeuo pipefail

# For the tests: a folder that stands for / (no folder: the machine's own).
ROOT=${UCKERS_ROOT:-}
HOME_DIR=$ROOT/opt/uckers-table
VERSIONS=$HOME_DIR/versions
STATE=$ROOT/var/lib/uckers-table
CONFIG=$ROOT/etc/uckers-table.toml
# There while an update takes over, so that one that was cut is known. It names the version that `previous` led to.
UNFINISHED=$HOME_DIR/unfinished
COMMAND=$ROOT/usr/local/bin/uckers-table
UNITS=(uckers-table.service uckers-table.target uckers-table-{network,upkeep}.{service,timer}
    uckers-table-{access-point,addresses}.service)
# Those of them that come up with the machine.
STARTED=(uckers-table.target uckers-table.service uckers-table-{network,upkeep}.timer)

# Without these there is no table; without the others there is one that lacks something.
NEEDED=(python3-venv python3-numpy)
WISHED=(python3-picamera2 python3-lgpio flite alsa-utils dnsmasq-base)

say() { printf '%s\n' "$*"; }
die() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 1
}

# What a package that cannot be had costs.
costs() {
    case $1 in
    python3-picamera2) say "no camera module (a USB camera works)" ;;
    python3-lgpio) say "no buttons and lamps" ;;
    flite) say "no voice" ;;
    alsa-utils) say "no sound" ;;
    dnsmasq-base) say "no addresses for phones in a network of the table's own" ;;
    esac
}

# ---------------------------------------------------------------------- small tools

# A file as another is, whole or not at all; says so only when that changes something.
put() {
    local from=$1 to=$2 mode=${3:-644}
    cmp -s "$from" "$to" && return
    mkdir -p "$(dirname "$to")"
    install -m "$mode" "$from" "$to.new"
    mv -f "$to.new" "$to"
    CHANGED=yes
    say "Wrote      ${to#"$ROOT"}"
}

# A link that points elsewhere from one moment to the next.
point() {
    ln -sfn "$2" "$1.new"
    mv -fT "$1.new" "$1"
}

version_of() { if [ -L "$1" ]; then basename "$(readlink "$1")"; fi; }

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# ---------------------------------------------------------------------- the machine

know_machine() {
    [ "$(id -u)" = 0 ] || die "this changes the system: say sudo ./install.sh"
    SUITE=$(sed -n 's/^VERSION_CODENAME=//p' "$ROOT/etc/os-release")
    case $SUITE in
    bookworm | trixie) ;;
    *) die "this is ${SUITE:-an unknown system}; the table runs on Raspberry Pi OS bookworm or trixie" ;;
    esac
    [ "$(getconf LONG_BIT)" = 64 ] || die "this system is 32-bit; the table needs Raspberry Pi OS (64-bit)"
    mkdir -p "$ROOT/run/lock"
    exec 9>"$ROOT/run/lock/uckers-table-install"
    flock -n 9 || die "another install.sh is at work; wait until it is done"
}

apt_install() {
    local from=()
    if [ -f "$SOURCE/debs/$SUITE/Packages" ]; then
        # The bundle's packages alone, so that apt asks no server.
        mkdir -p "$SCRATCH/lists/partial"
        say "deb [trusted=yes] file:$SOURCE/debs/$SUITE ./" >"$SCRATCH/bundle.list"
        from=(-o "Dir::Etc::sourcelist=$SCRATCH/bundle.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$SCRATCH/lists"
            -o APT::Sandbox::User=root)
    fi
    if [ -z "${APT_IS_UP_TO_DATE:-}" ]; then
        apt-get "${from[@]}" update -qq >"$SCRATCH/apt" 2>&1 || true
        APT_IS_UP_TO_DATE=yes
    fi
    DEBIAN_FRONTEND=noninteractive apt-get "${from[@]}" install -y -qq --no-install-recommends "$@" >"$SCRATCH/apt" 2>&1
}

system_packages() {
    local package
    for package in "${NEEDED[@]}"; do
        is_installed "$package" && continue
        apt_install "$package" || {
            tail -n 3 "$SCRATCH/apt" >&2
            die "$package could not be installed: is there internet, or are the bundle's debs for $SUITE there?"
        }
        say "Installed  $package"
    done
    for package in "${WISHED[@]}"; do
        is_installed "$package" && continue
        if apt_install "$package"; then
            CHANGED=yes
            say "Installed  $package"
        else
            say "SKIPPED    $package cannot be had here: $(costs "$package"). Run this again when it can."
        fi
    done
}

enable_i2c() {
    command -v raspi-config >/dev/null || return 0
    [ "$(raspi-config nonint get_i2c)" = 0 ] && return
    raspi-config nonint do_i2c 0
    say "Enabled    I²C, for the display"
}

# ---------------------------------------------------------------------- a version

# What the version is called: it changes with anything that is installed.
name_version() {
    local number sum
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' "$SOURCE/pyproject.toml")
    sum=$(cd "$SOURCE" &&
        find uckers_table firmware systemd install install.sh pyproject.toml README.md LICENSE -type f \
            ! -name '*.pyc' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum)
    VERSION=$number-${sum:0:12}
}

build_version() {
    local new=$VERSIONS/$VERSION wheels=() system_numpy
    if [ -e "$new/complete" ]; then
        say "Version    $VERSION is there already"
        return
    fi
    say "Building   $VERSION (some minutes on a Pi) …"
    BUILDING=$new
    rm -rf "$new"
    mkdir -p "$VERSIONS"
    # The system's packages are seen, because picamera2 comes with the system, built against its numpy.
    python3 -m venv --system-site-packages "$new"
    if [ -d "$SOURCE/wheels/$SUITE" ]; then wheels=(--no-index --find-links "$SOURCE/wheels/$SUITE"); fi
    # The lock leaves numpy out: the system's is the one.
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
        --require-hashes "${wheels[@]}" -r "$SOURCE/install/$SUITE.lock" ||
        die "the Python packages could not be installed: is there internet, or is this a bundle for $SUITE?"
    "$new/bin/python" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps \
        --no-index --no-build-isolation "$SOURCE" || die "the table's own package could not be installed"
    mkdir "$new/system"
    cp -r "$SOURCE/systemd/." "$SOURCE/install.sh" "$new/system/"
    system_numpy=$(python3 -c 'import numpy; print(numpy.__version__)')
    [ "$("$new/bin/python" -c 'import cv2, numpy; print(numpy.__version__)')" = "$system_numpy" ] ||
        die "OpenCV does not run with the system's numpy $system_numpy, which picamera2 needs"
    "$new/bin/uckers-table" --version >/dev/null || die "the new version does not start"
    # A plug pulled from here on must find all of it on the card.
    sync
    touch "$new/complete"
    BUILDING=''
    CHANGED=yes
    say "Built      $VERSION"
}

write_config() {
    if [ ! -e "$CONFIG" ]; then
        "$VERSIONS/$VERSION/bin/uckers-table" config --default >"$SCRATCH/config"
        # People run the program from anywhere, so the folders are whole paths.
        sed -e 's|^# table = .*|table = "/var/lib/uckers-table/table.toml"|' \
            -e 's|^# record = .*|record = "/var/lib/uckers-table/matches"|' \
            -e 's|^# switch_off = .*|switch_off = "systemctl poweroff"|' "$SCRATCH/config" >"$SCRATCH/config.toml"
        put "$SCRATCH/config.toml" "$CONFIG"
    fi
    "$VERSIONS/$VERSION/bin/uckers-table" config --config "$CONFIG" >/dev/null ||
        die "this version cannot use ${CONFIG#"$ROOT"}: mend the line that is named, and run this again"
}

# ---------------------------------------------------------------------- taking over

# The units, rules and links of a version that is there.
take_over() {
    local files=$VERSIONS/$1/system unit
    put "$files/uckers-table.sysusers.conf" "$ROOT/usr/local/lib/sysusers.d/uckers-table.conf"
    systemd-sysusers "$ROOT/usr/local/lib/sysusers.d/uckers-table.conf"
    put "$files/70-uckers-table.rules" "$ROOT/etc/udev/rules.d/70-uckers-table.rules"
    put "$files/50-uckers-table.polkit.rules" "$ROOT/etc/polkit-1/rules.d/50-uckers-table.rules"
    for unit in "${UNITS[@]}"; do
        # An earlier version may not have had it yet.
        if [ -e "$files/$unit" ]; then
            put "$files/$unit" "$ROOT/etc/systemd/system/$unit"
        else
            rm -f "$ROOT/etc/systemd/system/$unit"
        fi
    done
    if [ "$(version_of "$HOME_DIR/current")" != "$1" ]; then
        point "$HOME_DIR/current" "versions/$1"
        CHANGED=yes
    fi
    mkdir -p "$(dirname "$COMMAND")"
    point "$COMMAND" /opt/uckers-table/current/bin/uckers-table
    point "$HOME_DIR/install.sh" current/system/install.sh
    sync
}

# Bring the version that is in force up; false when it does not come.
bring_up() {
    systemctl enable --quiet "${STARTED[@]}" || return
    if [ ! -d "$ROOT/run/systemd/system" ]; then
        say "SKIPPED    starting it: systemd does not run here. It starts with the machine."
        return
    fi
    systemctl daemon-reload || return
    # New names and permissions for what is plugged in already.
    if udevadm control --reload 2>/dev/null; then
        udevadm trigger --subsystem-match={tty,gpio,i2c-dev,dma_heap} || return
    fi
    systemctl restart uckers-table.service && systemctl start "${STARTED[@]}"
}

install_table() {
    know_machine
    name_version
    BEFORE=$(version_of "$HOME_DIR/current") EARLIER=$(version_of "$HOME_DIR/previous")
    if [ -e "$UNFINISHED" ]; then
        # An update was cut. If it was this one it goes on, or back to the version before it.
        if [ "$BEFORE" = "$VERSION" ]; then BEFORE=$EARLIER; fi
        EARLIER=$(cat "$UNFINISHED") CHANGED=yes
    fi
    system_packages
    build_version
    write_config
    enable_i2c
    TAKING=yes
    if is_update; then
        # Before anything else is changed: a plug may be pulled while the new version comes up, or does not.
        say "$EARLIER" >"$UNFINISHED.new"
        mv -f "$UNFINISHED.new" "$UNFINISHED"
        point "$HOME_DIR/previous" "versions/$BEFORE"
        sync
    fi
    take_over "$VERSION"
    if [ -z "$CHANGED" ] && systemctl --quiet is-enabled uckers-table.target; then
        say "Nothing to do: $VERSION is installed."
        return
    fi
    if ! bring_up; then
        is_update || die "installed, but it does not come up yet; journalctl -u uckers-table says why"
        die "$VERSION does not come up; journalctl -u uckers-table says why"
    fi
    TAKING=''
    rm -f "$UNFINISHED"
    # The version before is kept to go back to, until the next one.
    forget_old
    say "Installed  $VERSION. How it is: systemctl status uckers-table; what is wrong: uckers-table doctor"
}

# What there was to go back to, if anything, is so again.
keep_earlier() { if [ -n "$1" ]; then point "$HOME_DIR/previous" "versions/$1"; else rm -f "$HOME_DIR/previous"; fi; }

is_update() { [ -n "$BEFORE" ] && [ "$BEFORE" != "$VERSION" ]; }

forget_old() {
    local version
    for version in "$VERSIONS"/*; do
        case $(basename "$version") in
        "$(version_of "$HOME_DIR/current")" | "$(version_of "$HOME_DIR/previous")") ;;
        *) rm -rf "$version" ;;
        esac
    done
}

rollback() {
    local now before
    know_machine
    now=$(version_of "$HOME_DIR/current") before=$(version_of "$HOME_DIR/previous")
    # An update that was cut may have changed units, and no more: then it is the version in force to go back to.
    if [ "$before" = "$now" ] && [ ! -e "$UNFINISHED" ]; then before=''; fi
    if [ -z "$before" ] || [ ! -e "$VERSIONS/$before/complete" ]; then die "there is no version to go back to"; fi
    "$VERSIONS/$before/bin/uckers-table" config --config "$CONFIG" >/dev/null ||
        die "$before cannot use ${CONFIG#"$ROOT"}: mend the line that is named, and run this again"
    take_over "$before"
    if [ "$before" = "$now" ]; then
        keep_earlier "$(cat "$UNFINISHED")"
    else
        point "$HOME_DIR/previous" "versions/$now"
    fi
    bring_up || die "$before is in force, but does not come up: journalctl -u uckers-table says why"
    rm -f "$UNFINISHED"
    if [ "$before" = "$now" ]; then
        say "Back at    $before; nothing is left of the update that was cut"
    else
        say "Back at    $before; --rollback again returns to $now"
    fi
}

uninstall() {
    local unit user
    know_machine
    systemctl disable --quiet --now "${STARTED[@]}" 2>/dev/null || true
    # Not started with the machine, but perhaps open.
    systemctl stop --quiet uckers-table-access-point.service 2>/dev/null || true
    for unit in "${UNITS[@]}"; do rm -f "$ROOT/etc/systemd/system/$unit"; done
    rm -f "$ROOT/etc/udev/rules.d/70-uckers-table.rules" "$ROOT/etc/polkit-1/rules.d/50-uckers-table.rules" \
        "$ROOT/usr/local/lib/sysusers.d/uckers-table.conf" "$COMMAND"
    rm -rf "$HOME_DIR"
    if [ -d "$ROOT/run/systemd/system" ]; then systemctl daemon-reload; fi
    say "Removed    the program, its services and its rules; the system's packages stay"
    if [ "${1:-}" = --purge ]; then
        rm -rf "$STATE" "$STATE-network" "$CONFIG"
        for user in uckers uckers-network; do
            if id "$user" >/dev/null 2>&1; then userdel "$user"; fi
        done
        say "Removed    the record, the configuration and the users uckers and uckers-network"
    else
        say "Kept       ${STATE#"$ROOT"} (the record) and ${CONFIG#"$ROOT"}; --uninstall --purge takes them away too"
    fi
}

# Whatever went wrong, the version that was in force is so afterwards.
# shellcheck disable=SC2317  # it is what the trap calls
clean_up() {
    local status=$?
    trap - EXIT
    set +e
    if [ -n "$BUILDING" ]; then rm -rf "$BUILDING"; fi
    if [ -n "$TAKING" ] && is_update; then
        take_over "$BEFORE"
        keep_earlier "$EARLIER"
        rm -f "$UNFINISHED"
        bring_up
    fi
    if [ "$status" != 0 ] && [ -n "${BEFORE:-}" ]; then say "In force: $BEFORE, as before." >&2; fi
    rm -rf "$SCRATCH"
    exit "$status"
}

# Read as a whole before it begins, because an update replaces this file.
main() {
    SOURCE=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
    SCRATCH=$(mktemp -d)
    CHANGED='' BUILDING='' TAKING='' BEFORE='' EARLIER=''
    trap clean_up EXIT
    umask 022
    case "$*" in
    "")
        [ -f "$SOURCE/pyproject.toml" ] || die "run this from a checkout or a bundle of the new version"
        install_table
        ;;
    --rollback) rollback ;;
    --uninstall) uninstall ;;
    "--uninstall --purge") uninstall --purge ;;
    *) die "usage: sudo ./install.sh [--rollback | --uninstall [--purge]]" ;;
    esac
    exit
}

main "$@"
