#!/usr/bin/env bash
# Compiles C programs against src/capi/millbase.h and lets them ask databases of `six`: as C99 and as C++, with the
# shared and with the static library, one database from eight threads.
#
#   scripts/test-capi.sh               builds what it needs
#   scripts/test-capi.sh --valgrind    also lets valgrind watch the programs
#
# Needs a C and a C++ compiler ($CC and $CXX, cc and c++ by default). $PROFILE names the profile of Cargo to build with
# (release by default). Databases go to a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
valgrind=()
if [ "${1:-}" = --valgrind ]; then
    valgrind=(valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,indirect)
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

profile=${PROFILE:-release}
cargo build --profile "$profile"
cargo rustc --profile "$profile" --lib --features capi --crate-type cdylib,staticlib
built=$(realpath "${CARGO_TARGET_DIR:-target}")/${profile/dev/debug}

solve() { "$built/millbase" solve six "$@" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }; }
solve --db "$folder/six"
solve --db "$folder/values" --values-only
"$built/millbase" pack --db "$folder/six" --out "$folder/packed" >"$folder/log" 2>&1
cp -r "$folder/packed" "$folder/part"
rm "$folder"/part/4_4_0_0.*
# A line each: value, plies, position.
"$built/millbase" sample --db "$folder/six" --count 2000 --even |
    sed -E 's/^.*"position":"([^"]*)".*"value":"([a-z]*)","plies":([0-9]+|null).*$/\2 \3 \1/' >"$folder/samples"

strict=(-Isrc/capi -Itests/capi -Wall -Wextra -Wpedantic -Werror -g)
shared=("-L$built" -lmillbase "-Wl,-rpath,$built")
static=("$built/libmillbase.a" -lpthread -ldl -lm)
c() { "${CC:-cc}" -std=c99 -D_POSIX_C_SOURCE=200809L "${strict[@]}" "$@"; }
cxx() { "${CXX:-c++}" -x c++ -std=c++11 "${strict[@]}" "$@"; }

# The header stands alone, first of all things included.
echo '#include "millbase.h"' >"$folder/header.c"
c -c "$folder/header.c" -o "$folder/header.o"
cxx -c "$folder/header.c" -o "$folder/header.o"

c tests/capi/probe.c -o "$folder/probe-c" "${shared[@]}"
cxx tests/capi/probe.c -o "$folder/probe-cxx" -x none "${static[@]}"
c tests/capi/threads.c -o "$folder/threads" -pthread "${static[@]}"
for probe in probe-c probe-cxx; do
    "${valgrind[@]}" "$folder/$probe" "$folder/six" "$folder/values" "$folder/part" "$folder/samples"
done
"${valgrind[@]}" "$folder/threads" "$folder/packed" "$folder/samples"

# The program of the README.
scripts/test-readme.sh --print c >"$folder/readme.c"
c "$folder/readme.c" -o "$folder/readme" "${shared[@]}"
(cd "$folder" && mv six six-db && ./readme)
