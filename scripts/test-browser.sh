#!/usr/bin/env bash
# Drives the page of `millbase serve` in Chromium: small games are solved, served, and played.
#
#   scripts/test-browser.sh            builds millbase
#   scripts/test-browser.sh BINARY     takes this one
#
# Installs Chromium, Node.js and npm where they are missing and this is Debian ($CHROMIUM names another browser), and
# the packages of tests/browser, which need Node.js 20. Databases go to a temporary folder, pictures to target/browser.
# Some minutes.
set -euo pipefail
MILLBASE=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
. scripts/program.sh
CHROMIUM=${CHROMIUM:-/usr/bin/chromium}

missing=()
[ -x "$CHROMIUM" ] || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
if [ ${#missing[@]} != 0 ]; then
    apt-get update -qq && apt-get install -y -qq "${missing[@]}"
fi
node --eval 'process.exit(Number(process.versions.node.split(".")[0] < 20))' || { echo "Node.js 20 is needed" >&2; exit 1; }

DATABASES=$(mktemp -d)
trap 'rm -rf "$DATABASES"' EXIT

# solve NAME VARIANT [OPTION...]: silent unless it fails.
solve() {
    "$MILLBASE" solve "${@:2}" --db "$DATABASES/$1" >"$DATABASES/log" 2>&1 || { cat "$DATABASES/log" >&2; exit 1; }
}
solve three-diagonal three-diagonal
solve rota rota
solve six six
solve six-values six --values-only
solve nine nine --men-up-to 3
solve twelve twelve --men-up-to 3
solve triangles tests/browser/triangles.toml
# Without a sector that a capture leads to.
cp -r "$DATABASES/six" "$DATABASES/six-part"
rm "$DATABASES"/six-part/1_3_4_3.*

cd tests/browser
npm ci --silent --no-audit --no-fund
npm run --silent types
export MILLBASE DATABASES CHROMIUM
npm test --silent
