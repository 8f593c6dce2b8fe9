#!/usr/bin/env bash
# Compares scripts/read_db.py with millbase on a database of the whole of nine men's morris.
#
#   scripts/compare-nine.sh DIR [N]      N random positions, 1000 by default
#
# millbase is built unless $MILLBASE names one. Needs Python 3.11 or newer ($PYTHON, python3 by default) with
# the package zstandard.
set -euo pipefail
usage='usage: scripts/compare-nine.sh DIR [N]'
db=$(realpath "${1:?$usage}")
cd "$(dirname "$0")/.."
. scripts/program.sh
"$MILLBASE" sample --db "$db" --count "${2:-1000}" | "${PYTHON:-python3}" scripts/read_db.py "$db" --compare -
