# Sourced by the scripts that run the program: builds it, unless $MILLBASE names one that was built from this commit
# already, and has it write the commit into its records. Results beside it that are new do not make it another one.
#
#   . scripts/program.sh

MILLBASE_COMMIT=$(git rev-parse HEAD 2>/dev/null || true)
if [ -n "$MILLBASE_COMMIT" ] && ! git diff --quiet HEAD -- . ':!data/results'; then
    MILLBASE_COMMIT=$MILLBASE_COMMIT-dirty
fi
if [ -z "${MILLBASE:-}" ]; then
    cargo build --release
    MILLBASE=$(realpath "${CARGO_TARGET_DIR:-target}")/release/millbase
fi
export MILLBASE MILLBASE_COMMIT
