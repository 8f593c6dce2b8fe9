#!/usr/bin/env bash
# Lets `millbase uci` play nine men's morris against a random and a greedy player, with each rule for ties.
#
#   scripts/match-nine.sh DB [N]      N random openings, 1000 by default, and twelve games from each
#
# DB is a whole database with distances. The record goes to data/results/nine-uci-match.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/match-nine.sh DB [N]}

MILLBASE_COMMIT=$(git describe --always --dirty --abbrev=40 2>/dev/null || true)
export MILLBASE_COMMIT
if [ -z "${MILLBASE:-}" ]; then
    cargo build --release
    MILLBASE=${CARGO_TARGET_DIR:-target}/release/millbase
fi
"${PYTHON:-python3}" scripts/uci_match.py "$db" --millbase "$MILLBASE" --openings "${2:-1000}" \
    --out data/results/nine-uci-match.json
