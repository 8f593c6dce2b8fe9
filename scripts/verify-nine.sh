#!/usr/bin/env bash
# Recomputes every stored position of a database of nine men's morris from its turns and writes the certificate.
#
#   scripts/verify-nine.sh DB        7 GiB of memory, an hour on two cores that other work shares
#
# The certificate goes to data/results/nine-certificate.json.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/verify-nine.sh DB}

. scripts/program.sh
"$MILLBASE" verify --db "$db" --certificate data/results/nine-certificate.json
