#!/usr/bin/env bash
# Solves the whole of twelve men's morris, win, draw and loss only, and records what it found and took.
#
#   scripts/solve-twelve.sh DIR        14 GiB of memory, 30 GB of disk meanwhile, 10 to 25 minutes on two cores
#
# DIR must be new or empty. The run goes to data/results/variants/twelve.json, the counts of every sector to
# data/results/twelve-stats.json, and how the database compares with published figures to twelve-check.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/solve-twelve.sh DIR}

. scripts/program.sh

"$MILLBASE" solve twelve --values-only --db "$db" --record data/results/variants/twelve.json
"$MILLBASE" stats --db "$db" --json >data/results/twelve-stats.json
"$MILLBASE" check --db "$db" --json >data/results/twelve-check.json
"$MILLBASE" check --db "$db"
"$MILLBASE" query --db "$db" start
