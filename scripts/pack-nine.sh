#!/usr/bin/env bash
# Packs a database of nine men's morris, checks that nothing was lost, and records sizes and speed.
#
#   scripts/pack-nine.sh DB OUT            values and distances, from a database with distances
#   scripts/pack-nine.sh DB OUT --values   values only
#
# Every stored cell is read back and compared with DB, and the other sectors are recomputed; the tables of
# published figures are compared as well. Results go to data/results/nine-packed*.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/pack-nine.sh DB OUT [--values]}
out=${2:?usage: scripts/pack-nine.sh DB OUT [--values]}
kind=packed
[ "${3:-}" = --values ] && kind=packed-values

. scripts/program.sh
"$MILLBASE" pack --db "$db" --out "$out" --record "data/results/nine-$kind.json" ${3:+"$3"}
"$MILLBASE" compare --db "$out" --with "$db" --json >"data/results/nine-$kind-compare.json"
"$MILLBASE" check --db "$out" --json >"data/results/nine-$kind-check.json"
"$MILLBASE" check --db "$out"
MILLBASE_DB=$out MILLBASE_PLAIN=$db MILLBASE_RECORD=$PWD/data/results/nine-$kind-probe.json \
    cargo bench --bench probe
