#!/usr/bin/env bash
# Runs the commands of the README as a reader would paste them.
#
#   scripts/test-readme.sh tour           runs the block marked <!-- tour -->, databases in a temporary folder
#   scripts/test-readme.sh --print tests  prints the block marked <!-- tests -->
set -euo pipefail
cd "$(dirname "$0")/.."

block() {
    awk -v mark="<!-- $1 -->" '
        $0 == mark { found = 1; next }
        found && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }
    ' README.md
}

if [ "$1" = --print ]; then
    block "$2"
    exit
fi

commands=$(block "$1")
[ -n "$commands" ] || { echo "README.md has no block marked $1" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Only the databases go elsewhere.
bash -euxo pipefail -c "${commands//six-db/$folder/six-db}"
