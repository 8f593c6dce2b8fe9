#!/usr/bin/env bash
# Solves the whole of nine men's morris and records what it found and took.
#
#   scripts/solve-nine.sh DIR                 with distances (11 GiB of memory, 20 GB of disk meanwhile)
#   scripts/solve-nine.sh DIR --values-only   win, draw and loss only
#   scripts/solve-nine.sh DIR --conversion    plies to the next capture, without a no-capture limit
#   scripts/solve-nine.sh DIR --conversion N  the same when N plies without a capture draw the game
#
# DIR must be new or empty. The run's figures go to data/results/nine-distances.json, nine-values.json,
# nine-conversion.json or nine-conversion-N.json, the
# most disk it took at any moment to nine-*-disk.json; the database is then compared with the published
# figures, and that report goes beside them. There are none of conversions: their counts go there instead.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/solve-nine.sh DIR [--values-only | --conversion [N]]}
kind=distances
options=()
case ${2:-} in
--values-only)
    kind=values
    options=(--values-only)
    ;;
--conversion)
    kind=conversion${3:+-$3}
    options=(--metric conversion ${3:+--no-capture-limit "$3"})
    ;;
esac

. scripts/program.sh

# The most disk that is in use at any moment, looked at every second: of the whole file system, because the
# solver's journal is a file without a name. Nothing else should write there meanwhile.
mkdir -p "$db"
used() { df --output=used --block-size=1 "$db" | tail -n 1; }
before=$(used)
peak=0
watch_disk() {
    while sleep 1; do
        now=$(($(used) - before))
        if [ "$now" -gt "$peak" ]; then
            peak=$now
            printf '{"disk_peak_bytes": %s}\n' "$peak" >"data/results/nine-$kind-disk.json"
        fi
    done
}
watch_disk &
watcher=$!
trap 'kill "$watcher" 2>/dev/null || true' EXIT

"$MILLBASE" solve nine --db "$db" --record "data/results/nine-$kind.json" "${options[@]}"
if [ "${2:-}" = --conversion ]; then
    "$MILLBASE" stats --db "$db" --json >"data/results/nine-$kind-stats.json"
    "$MILLBASE" info --db "$db" | head -n 6
    exit
fi
"$MILLBASE" check --db "$db" --json >"data/results/nine-$kind-check.json"
"$MILLBASE" check --db "$db"
