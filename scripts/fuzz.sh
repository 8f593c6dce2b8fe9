#!/usr/bin/env bash
# Looks for input that the readers of texts and files do not stand.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]      60 seconds for each target by default
#
# Needs cargo-fuzz; without a nightly compiler the one that is there is told to take what only that takes. New
# input goes to tests/fuzz/corpus-new/TARGET; what ends the program goes to tests/fuzz/artifacts/TARGET. Put what is
# worth keeping into tests/fuzz/corpus/TARGET, which `cargo test --test hostile_input` replays.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
shift || true
if [ $# -eq 0 ]; then
    set -- $(ls tests/fuzz/fuzz_targets | sed 's/\.rs$//')
fi
nightly=+nightly
if ! cargo +nightly --version >/dev/null 2>&1; then
    nightly=
    export RUSTC_BOOTSTRAP=1
fi
for target in "$@"; do
    mkdir -p "tests/fuzz/corpus-new/$target"
    # zstd is C and not instrumented; leaks of what lives as long as the program are none.
    nice -n 19 cargo ${nightly:+"$nightly"} fuzz run --fuzz-dir tests/fuzz "$target" \
        "tests/fuzz/corpus-new/$target" "tests/fuzz/corpus/$target" -- \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3000 -max_len=4096 -detect_leaks=0
done
