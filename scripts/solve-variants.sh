#!/usr/bin/env bash
# Solves games one after another, values only and without keeping a database, and publishes what they are worth.
#
#   scripts/solve-variants.sh [ID...]     all games that fit two cores and 22 GiB, or those given
#
# Each run is recorded in data/results/variants/ID.json, with counts for every sector; data/results/values.md is
# made anew from all records there. Games that are recorded already are not solved again.
set -euo pipefail
cd "$(dirname "$0")/.."

MILLBASE_COMMIT=$(git describe --always --dirty --abbrev=40 2>/dev/null || true)
export MILLBASE_COMMIT
cargo build --release
small='three three-diagonal achi rota shisima five six'
large='nine-any nine-never nine-three-left nine-no-flying doc1-classic doc2-classic doc3-classic grid snail jumping ten eleven twelve'
mkdir -p data/results/variants
# shellcheck disable=SC2086
for id in ${*:-$small $large}; do
    record=data/results/variants/$id.json
    [ -e "$record" ] && continue
    # Small games cost nothing, so their distances are found too.
    kind=--values-only
    case " $small " in *" $id "*) kind= ;; esac
    target/release/millbase solve "$id" $kind --no-database --record "$record" >/dev/null
done
python3 scripts/values_md.py data/results/variants >data/results/values.md
