#!/usr/bin/env bash
# Puts MicroPython's Unix port (about 4 MB) into the folder given, with the libraries that it needs. Nothing is
# installed. Debian 12 has no package of it, so it comes from Debian 13's; apt checks the signature.
# It is safe to run again. If it cannot be had, the script says why and leaves nothing behind.
set -eu
folder=$(realpath -m "$1")
version=1.25.0
[ -x "$folder/micropython" ] && exit 0
if command -v micropython >/dev/null; then
    exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
    echo "no apt-get here to fetch MicroPython with" >&2
    exit 1
fi
mirror=$("$(dirname "$0")/mirror.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists,cache}/partial "$work/cache/archives/partial" "$work/packages"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" \
    >"$work/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
cd "$work/packages"
apt-get "${options[@]}" update
apt-get "${options[@]}" download "micropython=$version*" libc6 libffi8 libmbedtls21 libmbedx509-7 libmbedcrypto16
for package in *.deb; do
    dpkg-deb -x "$package" "$work/root"
done
cat >"$work/micropython" <<'START'
#!/bin/sh
# It runs under its own loader, because its C library is newer than the machine's.
root=$(dirname "$0")/root
exec "$root"/usr/lib/*-linux-gnu*/ld-linux-*.so.* --library-path "$(echo "$root"/usr/lib/*-linux-gnu*)" \
    "$root/usr/bin/micropython" "$@"
START
chmod +x "$work/micropython"
"$work/micropython" -c 'print()' >/dev/null
rm -rf "$folder"
mkdir -p "$folder"
mv "$work/root" "$work/micropython" "$folder/"
