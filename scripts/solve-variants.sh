#!/usr/bin/env bash
# Solves games one after another, values only and without keeping a database, and publishes what they are worth.
#
#   scripts/solve-variants.sh [ID...]     all games that fit two cores and 22 GiB, or those given
#
# The games on the board with diagonals differ only while men are placed: what happens with empty hands is
# solved once for all of them, into a folder for temporary files.
#
# Each run is recorded in data/results/variants/ID.json, with counts for every sector; data/results/values.md is
# made anew from all records there. Games that are recorded already are not solved again.
set -euo pipefail
cd "$(dirname "$0")/.."

. scripts/program.sh
small='three three-diagonal achi rota shisima six-once five six lasker-six'
large='nine-any nine-never nine-three-left nine-no-flying doc1-classic doc2-classic doc3-classic ten snail jumping lasker-five'
spider='grid ten-diagonals eleven twelve twelve-first-loses twelve-mover-loses'
movement=$(mktemp -d)
trap 'rm -rf "$movement"' EXIT
mkdir -p data/results/variants
# shellcheck disable=SC2086
for id in ${*:-$small $large $spider}; do
    record=data/results/variants/$id.json
    [ -e "$record" ] && continue
    # Small games cost nothing, so their distances are found too.
    kind=--values-only
    case " $small " in *" $id "*) kind= ;; esac
    source=
    case " $spider " in *" $id "*)
        [ -e "$movement/twelve" ] ||
            "$MILLBASE" solve twelve --values-only --men-up-to 12 --db "$movement/twelve" >/dev/null
        source="--movement-from $movement/twelve"
        ;;
    esac
    "$MILLBASE" solve "$id" $kind $source --no-database --record "$record" >/dev/null
done
"$MILLBASE" variants --json |
    python3 scripts/values_md.py data/results/variants data/results/nine-distances.json >data/results/values.md
