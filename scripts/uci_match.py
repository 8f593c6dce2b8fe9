#!/usr/bin/env python3
"""Lets `millbase uci` play against fallible players, and sees whether it keeps its word.

    scripts/uci_match.py DB [--openings N] [--out FILE]

DB is a whole database with distances. From every random opening there are games of both colours, against a random and
a greedy player, with each rule for ties. The greedy player takes a man if it can; if not it leaves as few ways to close
a mill as possible; chance decides the rest.

No rule of the game is known here. Whose turn it is, which turns are legal, what they lead to and what that is worth
is asked of `millbase query --jsonl`. Whenever the player is to move, the position must be worth no less to it than
before, and a win must be two plies nearer; what it states must be what the query says. A game is drawn after so many
plies, unless the player has a win on the board, which it then has to bring home.

Prints a table and writes the same as JSON. Exit code 3 if a game broke a promise.
"""

import argparse
import collections
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys

TIES = ["fewest-drawing", "first", "random"]
OPPONENTS = ["random", "greedy"]
ORDER = {"loss": 0, "draw": 1, "win": 2}
AT_ONCE = 100  # requests that surely fit into a pipe


class Broken(Exception):
    """A promise that a game has broken."""


class Program:
    """A subcommand of millbase that talks in lines."""

    def __init__(self, binary, *arguments):
        self.process = subprocess.Popen(
            [binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def write(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def line(self):
        if line := self.process.stdout.readline():
            return line.rstrip("\n")
        sys.exit(f"{self.process.args} has ended with {self.process.wait()}")


class Rules(Program):
    """The referee: `millbase query --jsonl`."""

    def __init__(self, binary, db):
        super().__init__(binary, "query", "--jsonl", "--db", db)

    def ask(self, position, moves):
        return self.ask_all(position, [moves])[0]

    def ask_all(self, position, all_moves):
        """What a position is worth after each of these turns, and which turns there are then."""
        answers = []
        for first in range(0, len(all_moves), AT_ONCE):
            part = all_moves[first : first + AT_ONCE]
            self.write(*(json.dumps({"position": position, "moves": moves}) for moves in part))
            answers += [json.loads(self.line()) for _ in part]
        for answer, moves in zip(answers, all_moves):
            if "error" in answer:
                raise Broken(f"{moves} in {position}: {answer['error']['message']}")
            if answer["value"] == "unknown":
                sys.exit(f"the database lacks sector {answer['missing']}")
        return answers


class Player(Program):
    """The player: `millbase uci`."""

    def __init__(self, binary, db, ties):
        super().__init__(binary, "uci", "--db", db, "--ties", ties)

    def begin(self, seed):
        self.write(f"setoption name Seed value {seed}", "ucinewgame", "isready")
        if (said := self.line()) != "readyok":
            raise Broken(said)

    def go(self, played):
        """The value it states and its action."""
        self.write(f"position startpos moves {' '.join(played)}", "go")
        said = [self.line()]
        while not said[-1].startswith("bestmove "):
            said.append(self.line())
        if len(said) != 2 or not said[0].startswith("info string value "):
            raise Broken(f"after {' '.join(played)}: {said}")
        return said[0].removeprefix("info string value "), said[1].removeprefix("bestmove ")


def texts(answer):
    return [turn["move"] for turn in answer["moves"]]


def random_turn(rules, answer, chance):
    return chance.choice(texts(answer))


def greedy_turn(rules, answer, chance):
    turns = texts(answer)
    if taking := [turn for turn in turns if "x" in turn]:
        return chance.choice(taking)
    after = rules.ask_all(answer["position"], turns)
    ways = [len({turn.split("x")[0] for turn in texts(other) if "x" in turn}) for other in after]
    return chance.choice([turn for turn, count in zip(turns, ways) if count == min(ways)])


PLAYERS = {"random": random_turn, "greedy": greedy_turn}


def openings(rules, count, most, seed):
    """Random turns from the start, 2 to `most`, after which the game goes on."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        answer, played = rules.ask("start", ""), []
        for _ in range(chance.randint(2, most)):
            if answer["moves"]:
                played.append(chance.choice(texts(answer)))
                answer = rules.ask(answer["position"], played[-1])
        if answer["moves"]:
            found.append((played, answer))
    return found


def stated(answer):
    plies = "" if answer["plies"] is None else f" plies {answer['plies']}"
    return answer["value"] + plies


def check(held, answer, played):
    """The position must be worth no less than what was held, and a win be nearer."""
    value, plies = answer["value"], answer["plies"]
    if held is not None:
        kept = ORDER[value] >= ORDER[held[0]]
        if held[0] == "win":
            kept = value == "win" and plies <= held[1] - 2
        if not kept:
            raise Broken(f"after {' '.join(played)}: {stated(answer)}, but {held} was held")
    return value, plies


def players_turn(player, rules, answer, played):
    """Asks for actions until the turn is complete."""
    side = answer["side"]
    while answer["side"] == side:
        said, action = player.go(played)
        if said != stated(answer):
            raise Broken(f"after {' '.join(played)}: it says {said}, the query {stated(answer)}")
        played.append(action)
        answer = rules.ask(answer["position"], action)
    return answer


def game(player, rules, opening, side, opponent, chance, most):
    """Plays a game. Returns what the player's first position was worth, the result, and the plies."""
    played, answer = list(opening[0]), opening[1]
    held, first, plies = None, None, 0
    while answer["moves"]:
        if answer["side"] == side:
            held = check(held, answer, played)
            first = first or held[0]
            if plies >= most and held[0] != "win":
                return first, "drawn", plies
            answer = players_turn(player, rules, answer, played)
        else:
            played.append(opponent(rules, answer, chance))
            answer = rules.ask(answer["position"], played[-1])
        plies += 1
    if answer["side"] == side:
        check(held, answer, played)
    if first is None:
        # The opponent's first turn has ended the game.
        first = answer["value"]
    if answer["value"] == "draw":
        return first, "drawn", plies
    return first, "lost" if answer["side"] == side else "won", plies


def play(arguments, db, rules):
    """All games: (ties, opponent, worth) -> results, and the promises broken."""
    results = collections.defaultdict(list)
    broken = []
    drawn = openings(rules, arguments.openings, arguments.opening_plies, arguments.seed)
    for ties in TIES:
        player = Player(arguments.millbase, db, ties)
        for opponent in OPPONENTS:
            print(f"{ties} against {opponent} ...", file=sys.stderr, flush=True)
            for number, opening in enumerate(drawn):
                for side in ["white", "black"]:
                    chance = random.Random(f"{arguments.seed} {number} {side}")
                    player.begin(number)
                    try:
                        worth, result, plies = game(
                            player, rules, opening, side, PLAYERS[opponent], chance, arguments.most_plies
                        )
                        results[ties, opponent, worth].append((result, plies))
                    except Broken as promise:
                        broken.append(f"{ties}, {opponent}, {side}: {promise}")
    return results, broken


def summary(results):
    """A row for each rule, opponent and worth of the player's first position."""
    rows = []
    for ties in TIES:
        for opponent in OPPONENTS:
            for worth in ["win", "draw", "loss"]:
                games = results.get((ties, opponent, worth), [])
                count = collections.Counter(result for result, _ in games)
                mean = sum(plies for _, plies in games) / max(len(games), 1)
                rows.append(
                    {
                        "ties": ties,
                        "opponent": opponent,
                        "position": worth,
                        "games": len(games),
                        "won": count["won"],
                        "drawn": count["drawn"],
                        "lost": count["lost"],
                        "plies": round(mean, 1),
                    }
                )
    return rows


def table(rows):
    print(f"{'ties':<15} {'opponent':<9} {'position':<9}" + " games    won  drawn   lost  plies")
    for row in rows:
        words = f"{row['ties']:<15} {row['opponent']:<9} {row['position']:<9}"
        numbers = (row[key] for key in ["games", "won", "drawn", "lost", "plies"])
        print(words + "".join(f" {number:>6}" for number in numbers).removeprefix(" "))


def output(binary, *arguments):
    return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("db", help="the folder of the database")
    parser.add_argument("--openings", type=int, default=1000, help="random openings (1000)")
    parser.add_argument("--opening-plies", type=int, default=10, help="turns of an opening at most (10)")
    parser.add_argument("--most-plies", type=int, default=200, help="plies after which a game is drawn (200)")
    parser.add_argument("--seed", type=int, default=1, help="other games (1)")
    parser.add_argument("--out", type=pathlib.Path, help="the file for the results")
    parser.add_argument("--millbase", default="target/release/millbase", help="the program")
    arguments = parser.parse_args()

    info = json.loads(output(arguments.millbase, "info", "--json", "--db", arguments.db))
    if info["contents"] != "distances" or not info["complete"]:
        print(f"{arguments.db}: a whole database with distances is needed", file=sys.stderr)
        return 2
    rules = Rules(arguments.millbase, arguments.db)
    results, broken = play(arguments, arguments.db, rules)
    rows = summary(results)
    table(rows)
    for promise in broken[:10]:
        print(f"broken: {promise}", file=sys.stderr)
    if arguments.out:
        record = {
            "program": output(arguments.millbase, "--version").strip(),
            "commit": os.environ.get("MILLBASE_COMMIT") or None,
            "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "variant": info["variant"],
            "fingerprint": info["fingerprint"],
            "openings": arguments.openings,
            "opening_plies": [2, arguments.opening_plies],
            "most_plies": arguments.most_plies,
            "seed": arguments.seed,
            "results": rows,
            "broken": broken,
        }
        arguments.out.write_text(json.dumps(record, indent=2) + "\n")
    return 3 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
