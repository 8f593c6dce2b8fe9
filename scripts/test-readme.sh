#!/usr/bin/env bash
# Runs the commands of the README as a reader would paste them.
#
#   scripts/test-readme.sh tour           runs the block marked <!-- tour --> in a copy of its own
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
# The databases go to a folder of their own; the sources and what is built stay where they are.
ln -s "$PWD"/{Cargo.toml,Cargo.lock,src,data,benches,tests} "$folder"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
(cd "$folder" && bash -euxo pipefail -c "$commands")
