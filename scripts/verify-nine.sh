#!/usr/bin/env bash
# Recomputes every stored position of a database of nine men's morris from its turns and writes the certificate.
#
#   scripts/verify-nine.sh DB        8 GiB of memory, half an hour on two cores
#
# The certificate goes to data/results/nine-certificate.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/verify-nine.sh DB}

. scripts/program.sh
"$MILLBASE" verify --db "$db" --certificate data/results/nine-certificate.json
