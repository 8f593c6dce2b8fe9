#!/usr/bin/env python3
"""Lists the public functions of a library that a coverage report has no call of.

    scripts/uncalled.py REPORT SRC

REPORT is what `llvm-cov export --format=lcov` writes, SRC the folder of sources. Left out are its `commands` and
`main.rs`, which are the program, `python`, which tests in Python call, and tests inside the sources. Exit code 1 if
a function was never called.
"""

import pathlib
import re
import sys

FUNCTION = re.compile(r"\s*pub (?:const |unsafe |async )*fn (\w+)")
TESTS = re.compile(r"#\[cfg\(test\)\]")
NOT_THE_LIBRARY = ("commands", "main.rs", "python")


def public_functions(source):
    """The public functions of the library: (file, line) -> name."""
    found = {}
    for path in sorted(source.rglob("*.rs")):
        if path.relative_to(source).parts[0] in NOT_THE_LIBRARY:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if TESTS.search(line):
                break  # tests are at the ends of files
            if match := FUNCTION.match(line):
                found[str(path.resolve()), number] = match[1]
    return found


def called(report):
    """The places, (file, line), at which functions begin that were called at least once."""
    places, lines, path = set(), {}, None
    for entry in report.splitlines():
        kind, _, rest = entry.partition(":")
        if kind == "SF":
            path, lines = rest, {}
        elif kind == "FN":
            line, name = rest.split(",", 1)
            lines[name] = int(line)
        elif kind == "FNDA":
            count, name = rest.split(",", 1)
            if int(count) > 0:
                places.add((path, lines[name]))
    return places


def main():
    report, source = sys.argv[1:]
    functions = public_functions(pathlib.Path(source))
    places = called(pathlib.Path(report).read_text())
    missing = {place: name for place, name in functions.items() if place not in places}
    for (path, line), name in missing.items():
        print(f"{pathlib.Path(path).relative_to(pathlib.Path.cwd())}:{line}: {name}")
    print(f"{len(functions)} public functions, {len(missing)} never called")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
