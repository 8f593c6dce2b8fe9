#!/usr/bin/env bash
# Lets `millbase uci` play nine men's morris against a random and a greedy player, with each rule for ties.
#
#   scripts/match-nine.sh DB [N]      N random openings, 1000 by default, and twelve games from each
#
# DB is a whole database with distances. The record goes to data/results/nine-uci-match.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/match-nine.sh DB [N]}

. scripts/program.sh
"${PYTHON:-python3}" scripts/uci_match.py "$db" --millbase "$MILLBASE" --openings "${2:-1000}" \
    --out data/results/nine-uci-match.json
