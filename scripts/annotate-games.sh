#!/usr/bin/env bash
# Says what every turn of the games in data/games was worth, for data/results/games.
#
#   scripts/annotate-games.sh DIR        a database of nine or of other rules on its board
#
# millbase is built unless $MILLBASE names one.
set -euo pipefail
db=$(realpath "${1:?usage: scripts/annotate-games.sh DIR}")
cd "$(dirname "$0")/.."
. scripts/program.sh
mkdir -p data/results/games
for game in data/games/*.txt; do
    name=$(basename "$game" .txt)
    review=$("$MILLBASE" annotate --db "$db" --json "$game")
    # Of each database its own file: the rules may differ.
    variant=$(printf '%s' "$review" | sed 's/.*{"variant":"\([^"]*\)".*/\1/')
    printf '%s\n' "$review" >"data/results/games/$name-$variant.json"
    "$MILLBASE" annotate --db "$db" "$game"
done
