#!/usr/bin/env bash
# Runs install.sh on a real Debian without internet: install, the core of the tests, install again, update, an update
# that fails half way, rollback, uninstall. Run it as root, by hand. It takes some minutes and 1 GB.
#
#   scripts/bundle.sh amd64 --with-tests && sudo scripts/install_in_chroot.sh bookworm
#
# The same on the Pi's kind of processor, emulated. It takes half an hour or more, and needs the packages
# qemu-user-static and binfmt-support.
#
#   scripts/bundle.sh arm64 --with-tests && sudo scripts/install_in_chroot.sh bookworm arm64
#
# A third argument names a folder with a bare system; then none is fetched.
# Packages that only Raspberry Pi OS has are stand-ins: each holds one module that says so. A chroot has no systemd,
# so units are enabled and not started.
set -euo pipefail
cd "$(dirname "$0")/.."
SUITE=$1
ARCH=${2:-$(dpkg --print-architecture)}
CHROOT=${3:-}
BUNDLE=dist/uckers-table-bundle
# The tests that another processor, Python, numpy or OpenCV might fail, few enough for a slow machine. They cover the
# rules, the referee, the record and the words; a frame read by a program that has just started; and the devices'
# drivers over mock pins, a recording bus and a pseudo-terminal. The others run the same code again, or browsers,
# recognisers and whole evenings.
CORE=(
    tests/game tests/referee tests/record tests/test_config.py
    tests/announce --ignore=tests/announce/test_heard.py # which needs a speech recogniser
    tests/vision/test_profile.py tests/commands/test_looking.py tests/vision/test_reader.py
    tests/devices/test_buttons.py tests/devices/test_display.py tests/devices/test_cameras.py
    tests/devices/test_camera_contract.py tests/devices/test_dice_tower.py tests/devices/test_tower_messages.py
)

say() { printf '%s\n' "$*"; }
fail() {
    say "FAILED: $*" >&2
    exit 1
}

compgen -G "$BUNDLE/debs/$SUITE/*_$ARCH.deb" >/dev/null || fail "no bundle for $ARCH is here: scripts/bundle.sh $ARCH"
if [ "$ARCH" = arm64 ] && [ "$(dpkg --print-architecture)" != arm64 ] && [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
    fail "this machine runs nothing of $ARCH: install qemu-user-static and binfmt-support"
fi

ROOM=$(mktemp -d)
trap 'rm -rf "$ROOM"' EXIT
if [ -n "$CHROOT" ]; then
    cp -a "$CHROOT/." "$ROOM"
else
    mirror=$(scripts/mirror.sh)
    debootstrap --arch="$ARCH" --variant=minbase --include=python3,systemd,udev,ca-certificates "$SUITE" "$ROOM" \
        "$mirror" >/dev/null
fi
# Everybody may read the root of a system. A scratch folder is closed to others.
chmod 755 "$ROOM"
cp -r "$BUNDLE" "$ROOM/root/bundle"

# Runs a command in the chroot, without any network. The kernel's files and pseudo-terminals are there meanwhile, as on
# every machine.
inside() {
    # shellcheck disable=SC2016  # the inner shell's
    unshare --net --mount sh -c '
        mount -t proc proc "$0/proc"
        mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$0/dev/pts"
        exec chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
    ' "$ROOM" "$@"
}

stub() {
    local package=$1 module=$2 deb
    deb=$ROOM/root/$package
    mkdir -p "$deb/DEBIAN" "$deb/usr/lib/python3/dist-packages"
    say "import numpy  # the part that is not here was built against the system's" >"$deb/usr/lib/python3/dist-packages/$module.py"
    printf 'Package: %s\nVersion: 0~stub\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: by name only\n' \
        "$package" >"$deb/DEBIAN/control"
    inside dpkg-deb --build "/root/$package" "/root/$package.deb" >/dev/null
    inside dpkg -i "/root/$package.deb" >/dev/null
}
stub python3-picamera2 picamera2
stub python3-lgpio lgpio

say "== fresh install"
inside /root/bundle/install.sh
version=$(inside readlink /opt/uckers-table/current)
inside uckers-table --version
inside sh -c 'cd / && uckers-table rules br4006 >/dev/null' || fail "the rules cannot be read"
inside sh -c 'cd / && uckers-table doctor' || true
inside /opt/uckers-table/current/bin/python -c 'import cv2, numpy, picamera2, mpremote, starlette, uckers_table
import sys
assert numpy.__file__.startswith("/usr/lib/python3"), numpy.__file__
assert uckers_table.__file__.startswith("/opt/"), uckers_table.__file__
print("numpy", numpy.__version__, "of the system; OpenCV", cv2.__version__, "; Python", sys.version.split()[0])'
inside id uckers
inside id uckers-network
inside systemctl is-enabled uckers-table.target uckers-table.service uckers-table-network.timer uckers-table-upkeep.timer
inside systemd-analyze verify /etc/systemd/system/uckers-table.target /etc/systemd/system/uckers-table.service \
    /etc/systemd/system/uckers-table-{network,upkeep}.{service,timer} \
    /etc/systemd/system/uckers-table-{access-point,addresses}.service

# Newer ones read rules too.
if inside udevadm verify --help >/dev/null 2>&1; then inside udevadm verify /etc/udev/rules.d/70-uckers-table.rules; fi

say "== the core of the tests, on what was installed, by the user whom it runs as"
if [ -d "dist/wheels-for-tests/$SUITE" ]; then
    # All of the checkout but the program: that is the one in /opt.
    mkdir "$ROOM/srv/checkout"
    git ls-files -z ':!uckers_table' | xargs -0 cp --parents -t "$ROOM/srv/checkout"
    cp -r "dist/wheels-for-tests/$SUITE" "$ROOM/srv/wheels"
    inside sh -c '/opt/uckers-table/current/bin/python -m pip install --quiet --disable-pip-version-check \
        --root-user-action=ignore --no-index --no-deps --target /srv/tools /srv/wheels/*.whl'
    inside chown -R uckers: /srv/checkout
    inside setpriv --reuid=uckers --regid=uckers --init-groups env HOME=/tmp PYTHONPATH=/srv/tools sh -c "
        cd /srv/checkout
        /opt/uckers-table/current/bin/python -c 'import uckers_table; assert uckers_table.__file__.startswith(\"/opt/\")'
        /opt/uckers-table/current/bin/python -m pytest -q -p no:cacheprovider --durations 10 ${CORE[*]}"
else
    say "SKIPPED: scripts/bundle.sh $ARCH --with-tests collects what they take"
fi

say "== again"
inside touch /root/mark
sleep 1
inside /root/bundle/install.sh
# The links are made again, and point where they did.
[ -z "$(inside find /opt /etc/systemd /etc/udev /etc/uckers-table.toml -newer /root/mark -type f -not -name '*.pyc')" ] ||
    fail "the second run changed something"

say "== update"
say '"""newer"""' >>"$ROOM/root/bundle/uckers_table/__main__.py"
inside /root/bundle/install.sh
newer=$(inside readlink /opt/uckers-table/current)
[ "$newer" != "$version" ] || fail "nothing was updated"
[ "$(inside readlink /opt/uckers-table/previous)" = "$version" ] || fail "there is nothing to go back to"

say "== an update that fails half way"
mv "$ROOM/root/bundle/wheels/$SUITE" "$ROOM/root/wheels"
mkdir "$ROOM/root/bundle/wheels/$SUITE"
say '"""broken"""' >>"$ROOM/root/bundle/uckers_table/__main__.py"
if inside /root/bundle/install.sh; then fail "it should have failed"; fi
[ "$(inside readlink /opt/uckers-table/current)" = "$newer" ] || fail "the earlier version is not in force"
[ "$(inside sh -c 'ls /opt/uckers-table/versions' | wc -l)" = 2 ] || fail "half a version was left"
inside uckers-table --version

say "== rollback"
inside /opt/uckers-table/install.sh --rollback
[ "$(inside readlink /opt/uckers-table/current)" = "$version" ] || fail "not back"
inside uckers-table --version

say "== uninstall"
inside mkdir -p /var/lib/uckers-table
inside /opt/uckers-table/install.sh --uninstall
[ ! -e "$ROOM/opt/uckers-table" ] || fail "the program is still there"
[ -d "$ROOM/var/lib/uckers-table" ] || fail "the record went with it"
[ -f "$ROOM/etc/uckers-table.toml" ] || fail "the configuration went with it"
inside /root/bundle/install.sh --uninstall --purge
if [ -e "$ROOM/var/lib/uckers-table" ] || [ -e "$ROOM/etc/uckers-table.toml" ]; then fail "something was left"; fi
say "All as it should be on $SUITE."
