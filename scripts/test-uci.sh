#!/usr/bin/env bash
# Lets `millbase uci` play on a small board by scripts/uci_match.py: 120 games, in which it must keep its word. One
# that lies has to be found out.
#
#   scripts/test-uci.sh            builds millbase
#   scripts/test-uci.sh BINARY     takes this one
#
# Needs Python 3.9 or newer ($PYTHON, python3 by default). Some seconds.
set -euo pipefail
MILLBASE=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
. scripts/program.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
match() { "${PYTHON:-python3}" scripts/uci_match.py "$folder/six" "$@"; }

"$MILLBASE" solve six --db "$folder/six" >/dev/null 2>&1
match --millbase "$MILLBASE" --openings 10 --out "$folder/match.json"

# liar NAME COMMAND: a program whose player's lines go through a command.
liar() {
    printf '#!/bin/sh\n[ "$1" = uci ] || exec "%s" "$@"\n"%s" "$@" | %s\n' "$MILLBASE" "$MILLBASE" "$2" >"$folder/$1"
    chmod +x "$folder/$1"
    local code=0
    match --millbase "$folder/$1" --openings 2 >"$folder/log" 2>&1 || code=$?
    [ "$code" = 3 ] || { cat "$folder/log" >&2; echo "failed: $1 was not found out" >&2; exit 1; }
    echo "a player with $1: found out"
}
liar wrong-values "sed -u 's/value draw/value win plies 5/'"
liar illegal-actions "sed -u 's/bestmove .*/bestmove a1/'"
