#!/usr/bin/env bash
# Solves games with distances, recomputes every position from its turns, and keeps the certificates.
#
#   scripts/certify.sh [ID...]     the small games, which take seconds, or those given
#
# The certificates go to data/results/certificates/ID.json. That of nine men's morris, which takes half an
# hour, is made by scripts/verify-nine.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/program.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p data/results/certificates
# shellcheck disable=SC2086
for id in ${*:-three three-diagonal achi rota shisima five six lasker-six lasker-five}; do
    "$MILLBASE" solve "$id" --db "$folder/$id" >/dev/null
    "$MILLBASE" verify --db "$folder/$id" --certificate "data/results/certificates/$id.json"
    rm -r "${folder:?}/$id"
done
