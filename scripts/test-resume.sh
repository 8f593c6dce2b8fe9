#!/usr/bin/env bash
# Kills `millbase solve` with SIGKILL at random moments, gives the command again, and compares the folder with that
# of an undisturbed run: every file has to be the same. A run may be killed several times before it ends.
#
#   scripts/test-resume.sh                         30 moments of small games; builds millbase
#   scripts/test-resume.sh BINARY                  takes this one
#   scripts/test-resume.sh BINARY --whole DIR      5 moments of one run of the whole of nine, in a folder with 45 GB
#                                                  of space: half an hour
#   ... --whole DIR DATABASE SECONDS               the same with a database that an undisturbed run has left in so
#                                                  many seconds
#
# The moments are those of $SEED, which is printed. Kills of small games have to hit every stage of a run; until they
# have, there are more of them.
set -euo pipefail
MILLBASE=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
. scripts/program.sh
SEED=${SEED:-$RANDOM}
echo "SEED=$SEED"
RANDOM=$SEED

folder=$(mktemp -d -p "${3:-${TMPDIR:-/tmp}}")
trap 'rm -rf "$folder"' EXIT
db=$folder/db

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# Whether the database has files of such names.
any() { compgen -G "$db/$1" >/dev/null; }

# How far a run has come that was killed, by the files it has left.
stage() {
    if [ -e "$db/manifest.json" ]; then
        [ -e "$db/work" ] && echo clearing || echo finished
    elif [ ! -e "$db/work/sectors.log" ]; then
        echo beginning
    elif any '*_*_[1-9]*_*.sector' || any '*_*_*_[1-9]*.sector'; then
        echo placement
    elif any '*.sector' || grep -q '"last":[0-9]' "$db/work/plies.log" 2>/dev/null; then
        echo writing
    elif [ -s "$db/work/plies.log" ]; then
        echo movement
    else
        echo beginning
    fi
}

# Solves until it is killed after so many milliseconds, and notes the stage. False if it was finished before.
killed() {
    local after=$1 pid
    shift
    "$MILLBASE" solve "$@" --db "$db" >"$folder/log" 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))"
    kill -KILL "$pid" 2>/dev/null || true
    { wait "$pid" && status=0 || status=$?; } 2>/dev/null
    last=$(stage)
    [ "$status" = 0 ] || [ "$status" = 137 ] || { cat "$folder/log" >&2; exit 1; }
    hits[$last]=$((${hits[$last]:-0} + 1))
    [ "$last" != finished ]
}

# Whether all these stages were hit.
all_hit() {
    local stage
    for stage in "$@"; do
        [ "${hits[$stage]:-0}" -gt 0 ] || return 1
    done
}

# Solves undisturbed, into $whole in $took milliseconds.
undisturbed() {
    local began
    whole=$folder/whole
    rm -rf "$whole"
    began=$(milliseconds)
    "$MILLBASE" solve "$@" --db "$whole" >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
    took=$(($(milliseconds) - began))
}

# Gives the command of a killed run once more, and lets it end.
goes_on() {
    if [ "$last" != finished ]; then
        "$MILLBASE" solve "$@" --db "$db" >"$folder/log" 2>&1 ||
            { echo "killed while $last, solve $* does not go on:" >&2; cat "$folder/log" >&2; exit 1; }
    fi
    diff -r "$whole" "$db" || { echo "killed while $last, solve $* has other files" >&2; exit 1; }
}

# Kills of a run, and how many of them hit each stage.
summary() {
    local kills=$1
    shift
    printf 'solve %s: %s kills of a run of %s ms:' "$*" "$kills" "$took"
    for stage in "${!hits[@]}"; do printf ' %s %s' "$stage" "${hits[$stage]}"; done
    echo
}

# Kills a solve of these arguments at so many moments at least, until all the stages were hit.
try() {
    local moments=$1 stages=$2 done=0
    shift 2
    declare -A hits=()
    undisturbed "$@"
    # shellcheck disable=SC2086
    while [ "$done" -lt "$moments" ] || ! all_hit $stages; do
        [ "$done" -lt $((20 * moments)) ] || { echo "solve $*: not all of $stages were hit" >&2; exit 1; }
        rm -rf "$db"
        while done=$((done + 1)) && killed $((RANDOM * took / 32768 + 1)) "$@" && [ $((RANDOM % 3)) = 0 ]; do :; done
        goes_on "$@"
    done
    summary "$done" "$@"
}

# Kills one and the same run so many times, each time after up to a third of the time it would take undisturbed.
try_one() {
    local moments=$1 done
    shift
    declare -A hits=()
    for ((done = 0; done < moments; done++)); do
        killed $((RANDOM * took / 3 / 32768 + 1)) "$@" || break
    done
    goes_on "$@"
    summary "$done" "$@"
}

if [ "${2:-}" = --whole ]; then
    if [ -n "${4:-}" ]; then
        whole=$(realpath "$4") took=$((1000 * ${5:?the seconds it took}))
    else
        undisturbed nine
    fi
    try_one 5 nine
else
    try 14 'movement writing placement' six
    try 6 'movement placement' five --values-only
    try 5 'movement' nine --men-up-to 4
    try 5 'movement' nine --men-up-to 4 --values-only
fi
echo 'Every file is the same.'
