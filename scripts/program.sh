# Sourced by the scripts that run the program: builds it, unless $MILLBASE names one that was built from this commit
# already, and has it write the commit into its records.
#
#   . scripts/program.sh

MILLBASE_COMMIT=$(git describe --always --dirty --abbrev=40 2>/dev/null || true)
if [ -z "${MILLBASE:-}" ]; then
    cargo build --release
    MILLBASE=$(realpath "${CARGO_TARGET_DIR:-target}")/release/millbase
fi
export MILLBASE MILLBASE_COMMIT
