#!/usr/bin/env python3
"""Prints data/results/values.md: what the games of some records are worth.

    millbase variants --json | values_md.py RECORD... > data/results/values.md

A record is a file that `millbase solve ID --no-database --record ID.json` wrote, or a folder of them. Games of
the list from `millbase variants` that have the rules of a record under another name share its row.
"""

import json
import sys
from pathlib import Path

# What the documents claim about a game, and the results that would confirm it.
CLAIMS = {
    "three-diagonal": ("the three-men games always draw with perfect play", "draw"),
    "rota": ("the three-men games always draw with perfect play", "draw"),
    "shisima": ("the three-men games always draw with perfect play", "draw"),
    "three": ("the three-men games always draw with perfect play", "draw"),
    "nine": ("a draw with perfect play", "draw"),
    "twelve": ("the first player wins if a full board is a draw (Malom)", "win"),
    "ten": ("a draw", "draw"),
    "eleven": ("the first player wins", "win"),
    "six": ("a draw", "draw"),
}


def row(record, names):
    """One game as a row of the table."""
    start = record["start"]
    plies = start["plies"]
    value = {"win": "first player wins", "loss": "second player wins", "draw": "draw"}[start["value"]]
    if plies is not None:
        value += f" in {plies} plies"
    claim, expected = CLAIMS.get(names[0], ("", None))
    verdict = "" if expected is None else ("confirmed" if expected == start["value"] else "refuted")
    time = f"{short(record['wall_seconds'])}, CPU {short(record['cpu_seconds'])}"
    if source := record.get("movement_from"):
        time += f", movement from {source['variant']}"
    cells = [" = ".join(names), value, f"{record['positions']:,}", record["sectors"], claim, verdict, time]
    return "| " + " | ".join(str(cell) for cell in cells) + f" | `{record['fingerprint'][:16]}` |"


def short(seconds):
    """A time with one decimal."""
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"


def records_of(path):
    """The record in a file, or those in a folder."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return [json.loads(file.read_text()) for file in files]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    records = [record for path in sys.argv[1:] for record in records_of(Path(path))]
    records.sort(key=lambda record: (record["positions"], record["variant"]))
    variants = json.load(sys.stdin)
    print("# What the games are worth\n")
    print("Made by `scripts/solve-variants.sh` from the records in `data/results/variants/`, which have the counts")
    print("of every sector, the machine and the commit. The value is that of the empty board for the first player.")
    print("Some runs shared the machine with other work: then compare the time of all processors together (CPU).")
    print("Where a time names another game, the sectors with empty hands were taken from a database of it.\n")
    print("| game | value | positions | sectors | claimed | claim | time | rules |")
    print("|---|---|---|---|---|---|---|---|")
    for record in records:
        same = [variant["id"] for variant in variants if variant["fingerprint"] == record["fingerprint"]]
        # Rules are what a record is of; the game may have had another name then.
        print(row(record, sorted(same, key=lambda name: name != record["variant"]) or [record["variant"]]))


if __name__ == "__main__":
    main()
