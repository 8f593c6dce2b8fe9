#!/usr/bin/env bash
# Measures how many questions `millbase serve` answers in a second, and how soon, with `wrk` on the same machine.
#
#   scripts/bench-serve.sh DB NAME [SECONDS]     a database, a name for the result, 15 seconds for each kind by default
#
# Three kinds of questions, each over 64 connections and as drawn by `millbase sample`:
#
#   kept    2,000 positions asked again and again, all turns listed: the server has given every answer before
#   fresh   200,000 positions in turn: more than the server keeps, so that each is looked up
#   value   the same without the list of turns
#
# The result goes to data/results/serve-NAME.json: requests a second, latencies, CPU seconds of server and client by
# 1,000 requests (which other work on the machine changes less than the rest), and how busy the machine was before.
set -euo pipefail
cd "$(dirname "$0")/.."
db=${1:?usage: scripts/bench-serve.sh DB NAME [SECONDS]} name=${2:?a name for the result} seconds=${3:-15}
command -v wrk >/dev/null || { echo "this needs wrk (Debian: apt-get install wrk)" >&2; exit 2; }
. scripts/program.sh

folder=$(mktemp -d) server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
"$MILLBASE" serve --db "$db" --listen 127.0.0.1:0 >"$folder/address" &
server=$!
until grep -qs http "$folder/address"; do
    kill -0 "$server"
    sleep 0.1
done
address=$(grep -o 'http://[0-9.:]*' "$folder/address")
variant=$("$MILLBASE" info --db "$db" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["variant"])')

cat >"$folder/ask.lua" <<'LUA'
local threads = 0
function setup(thread)
    thread:set("first", threads)
    threads = threads + 1
end
function init(args)
    requests, at = {}, first * 7919
    for line in io.lines(args[1]) do
        requests[#requests + 1] = wrk.format("GET", line)
    end
end
function request()
    at = at + 1
    return requests[at % #requests + 1]
end
function done(summary, latency, _)
    local errors = summary.errors
    local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
    io.stderr:write(string.format('{"requests":%d,"seconds":%.3f,"failed":%d,"bytes":%d,"p50_ms":%.3f,"p90_ms":%.3f,'
        .. '"p99_ms":%.3f,"max_ms":%.3f}', summary.requests, summary.duration / 1e6, failed, summary.bytes,
        latency:percentile(50) / 1e3, latency:percentile(90) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
end
LUA

# Paths for so many positions, with further parameters.
paths() {
    "$MILLBASE" sample --db "$db" --count "$1" | python3 -c '
import json, sys
for line in sys.stdin:
    position = json.loads(line)["position"].replace(" ", "_")
    print(f"/api/{sys.argv[1]}?position={position}{sys.argv[2]}")' "$variant" "$2"
}
paths 2000 '' >"$folder/kept"
paths 200000 '' >"$folder/fresh"
paths 200000 '&turns=false' >"$folder/value"

# CPU seconds of the server so far.
server_seconds() {
    awk -v hertz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hertz }' "/proc/$server/stat"
}
ask() {
    wrk -t 2 -c 64 -d "$2s" --timeout 10s -s "$folder/ask.lua" "$address" -- "$folder/$1" 2>"$folder/summary" >/dev/null
}
for kind in kept fresh value; do
    ask "$kind" 3
    busy=$(cut -d ' ' -f 1 /proc/loadavg) before=$(server_seconds)
    TIMEFORMAT='%U %S'
    { time ask "$kind" "$seconds"; } 2>"$folder/client"
    python3 - "$kind" "$busy" "$before" "$(server_seconds)" "$folder" >>"$folder/kinds" <<'PYTHON'
import json, sys
kind, busy, before, after, folder = sys.argv[1:]
summary = json.load(open(f"{folder}/summary"))
client = sum(map(float, open(f"{folder}/client").read().split()))
thousands = summary["requests"] / 1000
print(json.dumps({
    "kind": kind,
    "requests_per_second": round(summary["requests"] / summary["seconds"]),
    "p50_ms": summary["p50_ms"], "p90_ms": summary["p90_ms"], "p99_ms": summary["p99_ms"], "max_ms": summary["max_ms"],
    "failed": summary["failed"],
    "bytes_per_answer": round(summary["bytes"] / summary["requests"]),
    "server_cpu_seconds_per_1000": round((float(after) - float(before)) / thousands, 4),
    "client_cpu_seconds_per_1000": round(client / thousands, 4),
    "load_before": float(busy),
}))
PYTHON
done
python3 - "$folder" "$variant" "$("$MILLBASE" --version)" "$MILLBASE_COMMIT" \
    "$(awk '/VmHWM/ { print $2 * 1024 }' "/proc/$server/status")" >"$folder/result" <<'PYTHON'
import datetime, json, os, sys
folder, variant, program, commit, memory = sys.argv[1:]
cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
print(json.dumps({
    "program": program,
    "commit": commit,
    "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    "machine": {"processor": cpu, "cores": len(os.sched_getaffinity(0))},
    "variant": variant,
    "connections": 64,
    "peak_memory_bytes": int(memory),
    "kinds": [json.loads(line) for line in open(f"{folder}/kinds")],
}, indent=2))
PYTHON
mkdir -p data/results
cp "$folder/result" "data/results/serve-$name.json"
cat "data/results/serve-$name.json"
