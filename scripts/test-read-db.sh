#!/usr/bin/env bash
# Compares scripts/read_db.py, which was written from src/database/FORMAT.md alone, with millbase: all kinds of
# files, stored and derived sectors, all rules. Where the two differ, the text or one of the programs is wrong.
#
#   scripts/test-read-db.sh            builds millbase
#   scripts/test-read-db.sh BINARY     takes this one
#
# Needs Python 3.11 or newer ($PYTHON, python3 by default); the package zstandard is installed for the test if
# it is not there. Databases go to a temporary folder. Half a minute of computing.
set -euo pipefail
MILLBASE=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
. scripts/program.sh

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}
if ! "$python" -c 'import zstandard' 2>/dev/null; then
    "$python" -m venv "$folder/python"
    python=$folder/python/bin/python
    "$python" -m pip --quiet install zstandard
fi

# Runs millbase, silent unless it fails.
quietly() {
    "$MILLBASE" "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; echo "failed: millbase $*" >&2; exit 1; }
}

# compare NAME COUNT WHAT: random positions of a database, as many of each sector.
compare() {
    printf '%s: ' "$3"
    "$MILLBASE" sample --db "$folder/$1" --count "$2" --even >"$folder/samples"
    [ "$(wc -l <"$folder/samples")" = "$2" ] || { echo "millbase printed too few positions" >&2; exit 1; }
    "$python" scripts/read_db.py "$folder/$1" --compare "$folder/samples" || { echo "failed: $3" >&2; exit 1; }
}

quietly solve six --db "$folder/six"
quietly solve six --db "$folder/six-planes" --values-only
quietly pack --db "$folder/six" --out "$folder/six-packed"
quietly pack --db "$folder/six" --out "$folder/six-values" --values
compare six-packed 10000 'six, packed'
compare six-values 2000 'six, packed without distances'
compare six 2000 'six, scores'
compare six-planes 2000 'six, planes'

# Sectors of which nothing is known, and those whose turns lead there.
cp -r "$folder/six-packed" "$folder/six-part"
rm "$folder"/six-part/3_3_0_0.* "$folder"/six-part/5_5_1_0.*
compare six-part 2000 'six, packed, without two sectors'
rm "$folder"/six-part/*.distances
compare six-part 2000 'six, packed, without two sectors, distances deleted'

quietly solve nine --men-up-to 4 --db "$folder/nine"
quietly pack --db "$folder/nine" --out "$folder/nine-packed"
compare nine-packed 10000 'nine, up to four men a side, packed'

# game NAME BOARD RULES: the board of a built-in game with four men a side and other rules, a line each.
game() {
    sed '/^\[rules\]/,$d; s/^id = .*/id = "'"$1"'"/' "data/variants/$2.toml" >"$folder/$1.toml"
    printf '[rules]\nmen = 4\n%b\n' "$3" >>"$folder/$1.toml"
    quietly solve "$folder/$1.toml" --db "$folder/$1"
    quietly pack --db "$folder/$1" --out "$folder/$1-packed"
    compare "$1-packed" 2000 "the board of $2, four men a side, packed${3:+, ${3//\\n/, }}"
}

game four nine ''
game slides six 'flying = false'
game wins six 'mill_pays = "win"\nblocked = "draws"'
game passes six 'flying = false\nblocked = "passes"'
game takes six 'captures_per_double_mill = 2\ntaken_from_mills = "when-three-left"'
game free six 'placing = "place-or-move"\ntaken_from_mills = "always"'
game never six 'placing = "place-or-move"\ntaken_from_mills = "never"\nfull_board = "mover-loses"'

# A damaged block is noticed.
damaged=$folder/six-packed/5_5_1_0.values
printf 'damage' | dd of="$damaged" bs=1 seek=$(($(wc -c <"$damaged") / 2)) conv=notrunc status=none
"$MILLBASE" sample --db "$folder/six" --count 2000 --sectors 5-5+1-0 >"$folder/samples"
if "$python" scripts/read_db.py "$folder/six-packed" --compare "$folder/samples" >"$folder/log" 2>&1; then
    echo "failed: a damaged file was read" >&2
    exit 1
fi
grep -q '5_5_1_0.values: .*damaged' "$folder/log" || { cat "$folder/log" >&2; exit 1; }
echo 'a damaged block: refused'
echo 'Everything agrees.'
