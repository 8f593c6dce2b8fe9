#!/usr/bin/env bash
# Plays games by a database of nine men's morris with distances: whoever follows it, from won positions drawn
# at random, has to win in the stated number of plies against a random player.
#
#   scripts/play-nine.sh DB [N]      N games, 1000 by default
#
# The record goes to data/results/nine-games.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/play-nine.sh DB [N]}

. scripts/program.sh
"$MILLBASE" verify --db "$db" --games "${2:-1000}" --certificate data/results/nine-games.json
