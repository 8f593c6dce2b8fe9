#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it into an environment of its own, and runs tests/python.
#
#   scripts/test-python.sh [ARGUMENTS]     arguments of pytest
#
# Needs Python 3.9 or newer with venv ($PYTHON, python3 by default); maturin and pytest are installed into the
# environment, which is in a temporary folder. $PROFILE names the profile of Cargo to build with (release by default).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

. scripts/program.sh
README_EXAMPLE=$(scripts/test-readme.sh --print python)
export README_EXAMPLE PYTHONDONTWRITEBYTECODE=1

"${PYTHON:-python3}" -m venv "$folder/python"
PATH=$folder/python/bin:$PATH
python -m pip --quiet install 'maturin>=1.9.4,<2' 'pytest>=7'
(cd src/python && maturin build --quiet --profile "${PROFILE:-release}" --out "$folder/wheels")
python -m pip --quiet install --no-index "$folder"/wheels/*.whl
python -m pytest --quiet -p no:cacheprovider --basetemp "$folder/databases" tests/python "$@"
