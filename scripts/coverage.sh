#!/usr/bin/env bash
# Runs the tests and doc examples and lists the public functions of the library that none of them calls.
# Exit code 1 if there are any.
#
#   scripts/coverage.sh [ARGUMENTS]      arguments of `cargo test`, such as --lib; all tests by default
#
# Needs cargo-llvm-cov, a nightly compiler (for the doc examples) and LLVM's tools: the component
# llvm-tools of rustup, or llvm-cov and llvm-profdata (19 or newer) named by $LLVM_COV and $LLVM_PROFDATA.
# The report in full is target/coverage.json.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in cov profdata; do
    name=LLVM_${tool^^}
    if [ -z "${!name:-}" ] && [ -x "/usr/lib/llvm-19/bin/llvm-$tool" ]; then
        export "$name=/usr/lib/llvm-19/bin/llvm-$tool"
    fi
done
report=target/coverage.json
mkdir -p target
if [ $# -eq 0 ]; then set -- --doctests; fi
cargo +nightly llvm-cov test --json --output-path "$report" "$@"
"${PYTHON:-python3}" scripts/uncalled.py "$report" src
