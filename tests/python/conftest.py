"""Databases of `six`, made by the program that $MILLBASE names, and what that program says of them."""

import json
import os
import subprocess

import pytest

import millbase


class Program:
    """The program and the databases that it has made."""

    def __init__(self, folder):
        self.whole = folder / "six"
        self.values = folder / "values"
        self.packed = folder / "packed"
        self.part = folder / "part"
        self.conversions = folder / "conversions"
        run("solve", "six", "--db", self.whole)
        run("solve", "six", "--db", self.values, "--values-only")
        run("pack", "--db", self.whole, "--out", self.packed)
        run("pack", "--db", self.whole, "--out", self.part)
        for file in self.part.glob("4_4_0_0.*"):
            file.unlink()
        run("solve", "three-diagonal", "--metric", "conversion", "--db", self.conversions)

    def sample(self, count, db=None):
        """Random positions of all sectors alike, with what they are worth."""
        text = run("sample", "--db", db or self.whole, "--count", count, "--even")
        return [json.loads(line) for line in text.splitlines()]

    def ask(self, db, requests):
        """What `query` says."""
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        answers = run("query", "--db", db, "--jsonl", text=lines)
        return [json.loads(line) for line in answers.splitlines()]


def run(*arguments, text=None):
    command = [os.environ["MILLBASE"], *map(str, arguments)]
    return subprocess.run(command, input=text, check=True, text=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    return Program(tmp_path_factory.mktemp("databases"))


@pytest.fixture
def database(program):
    with millbase.Database(program.whole) as database:
        yield database
