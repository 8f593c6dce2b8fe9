#!/usr/bin/env python3
"""Prints data/results/values.md: what the games in a folder of records are worth.

    values_md.py data/results/variants > data/results/values.md

The records are those of `millbase solve ID --no-database --record ID.json`.
"""

import json
import sys
from pathlib import Path

# What the documents claim about a game, and the results that would confirm it.
CLAIMS = {
    "three-diagonal": ("the three-men games always draw with perfect play", "draw"),
    "rota": ("the three-men games always draw with perfect play", "draw"),
    "three": ("the three-men games always draw with perfect play", "draw"),
    "twelve": ("the first player wins if a full board is a draw (Malom)", "win"),
    "ten": ("a draw", "draw"),
    "eleven": ("the first player wins", "win"),
    "six": ("a draw", "draw"),
}


def row(record):
    """One game as a row of the table."""
    start = record["start"]
    plies = start["plies"]
    value = {"win": "first player wins", "loss": "second player wins", "draw": "draw"}[start["value"]]
    if plies is not None:
        value += f" in {plies} plies"
    claim, expected = CLAIMS.get(record["variant"], ("", None))
    verdict = "" if expected is None else ("confirmed" if expected == start["value"] else "refuted")
    seconds = record["wall_seconds"]
    time = f"{seconds:.1f} s" if seconds < 60 else f"{seconds / 60:.1f} min"
    cells = [record["variant"], value, f"{record['positions']:,}", record["sectors"], claim, verdict, time]
    return "| " + " | ".join(str(cell) for cell in cells) + f" | `{record['fingerprint'][:16]}` |"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    records = [json.loads(path.read_text()) for path in sorted(Path(sys.argv[1]).glob("*.json"))]
    records.sort(key=lambda record: (record["positions"], record["variant"]))
    print("# What the games are worth\n")
    print("Made by `scripts/solve-variants.sh` from the records in `data/results/variants/`, which have the counts")
    print("of every sector, the machine and the commit. The value is that of the empty board for the first player.\n")
    print("| game | value | positions | sectors | claimed | claim | time | rules |")
    print("|---|---|---|---|---|---|---|---|")
    for record in records:
        print(row(record))


if __name__ == "__main__":
    main()
