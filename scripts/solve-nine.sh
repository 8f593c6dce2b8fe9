#!/usr/bin/env bash
# Solves the whole of nine men's morris and records what it found and took.
#
#   scripts/solve-nine.sh DIR                 with distances (11 GiB of memory, 20 GB of disk meanwhile)
#   scripts/solve-nine.sh DIR --values-only   win, draw and loss only
#
# DIR must be new or empty. The run's figures go to data/results/nine-distances.json or nine-values.json;
# the database is then compared with the published figures, and that report goes beside them.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/solve-nine.sh DIR [--values-only]}
kind=distances
[ "${2:-}" = --values-only ] && kind=values

MILLBASE_COMMIT=$(git describe --always --dirty --abbrev=40 2>/dev/null || true)
export MILLBASE_COMMIT
cargo build --release
target/release/millbase solve nine --db "$db" --record "data/results/nine-$kind.json" ${2:+"$2"}
target/release/millbase check --db "$db" --json >"data/results/nine-$kind-check.json"
target/release/millbase check --db "$db"
