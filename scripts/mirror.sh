#!/usr/bin/env bash
# Prints the mirror that this machine's own Debian packages come from, by apt's configuration.
# If there is none, the script says why, with exit status 1.
set -euo pipefail
# By its label the archive of security updates is another.
# shellcheck disable=SC2016  # apt's own
mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian \([^ ]*\)$/\1/p' | head -n 1)
if [ -z "$mirror" ]; then
    echo "apt knows no mirror of Debian on this machine: has apt-get update run, and are its packages Debian's?" >&2
    exit 1
fi
printf '%s\n' "$mirror"
