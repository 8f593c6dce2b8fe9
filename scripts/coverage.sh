#!/usr/bin/env bash
# Runs the tests and doc examples and lists the public functions of the library that none of them calls.
# Exit code 1 if there are any.
#
#   scripts/coverage.sh [ARGUMENTS]      arguments of `cargo test`, such as --lib; all tests by default
#
# Takes more than half an hour on two cores. Every process works on one thread, as threads that count in the same places
# hold each other up; as many test programs run at a time as there are cores. A function for processors with other
# instructions than this one has is listed though no test could call it.
#
# Needs llvm-cov and llvm-profdata, 19 or newer: in the folder $LLVM_BIN, from the component llvm-tools of rustup, or
# as Debian installs them. Only this crate is compiled anew, with counters; what it stands on is that of `cargo test`.
# Which lines were reached how often is told by target/coverage/lcov.info.
set -euo pipefail
cd "$(dirname "$0")/.."

llvm=${LLVM_BIN:-}
for folder in "$(rustc --print sysroot)"/lib/rustlib/*/bin $(ls -dv /usr/lib/llvm-*/bin 2>/dev/null); do
    [ -n "${LLVM_BIN:-}" ] || [ ! -x "$folder/llvm-cov" ] || llvm=$folder
done
[ -x "$llvm/llvm-cov" ] || { echo 'llvm-cov is not there: rustup component add llvm-tools' >&2; exit 2; }

folder=$PWD/target/coverage
rm -rf "$folder"
mkdir -p "$folder"
printf '#!/bin/sh\nexec "$@" -C instrument-coverage\n' >"$folder/rustc"
chmod +x "$folder/rustc"
export RUSTC_WORKSPACE_WRAPPER=$folder/rustc RUSTDOCFLAGS='-C instrument-coverage'
# Processes of one program add their counts up in one of four files.
export LLVM_PROFILE_FILE=$folder/%4m.profraw

programs=$(cargo test --no-run --message-format=json "$@" |
    sed -n '/"profile":{[^}]*"test":true/s/.*"executable":"\([^"]*\)".*/\1/p' | sort -u)
export CARGO_MANIFEST_DIR=$PWD RAYON_NUM_THREADS=1
# shellcheck disable=SC2016
xargs -P "$(nproc)" -n 1 sh -c '
    name=$(basename "$1")
    "$1" --test-threads=1 >"'"$folder"'/$name.log" 2>&1 && result=ok || result=FAILED
    echo "$name: $result"
    [ $result = ok ]' - <<<"$programs" || echo 'some tests failed, see target/coverage/*.log' >&2
[ $# -gt 0 ] || cargo test --doc
"$llvm/llvm-profdata" merge --sparse "$folder"/*.profraw -o "$folder/profile"
# Doc examples leave no program, but what they call is in the others as well.
"$llvm/llvm-cov" export --format=lcov --instr-profile="$folder/profile" \
    $(printf -- '--object %s ' $programs "${CARGO_TARGET_DIR:-target}/debug/millbase") --sources src >"$folder/lcov.info"
"${PYTHON:-python3}" scripts/uncalled.py "$folder/lcov.info" src
