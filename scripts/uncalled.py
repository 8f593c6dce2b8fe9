#!/usr/bin/env python3
"""Lists the public functions of a library that a coverage report has no call of.

    scripts/uncalled.py REPORT SRC

REPORT is the JSON of `llvm-cov export`, SRC the folder of sources; its `commands` and `main.rs` are the
program and left out, and so are tests inside the sources. Exit code 1 if a function was never called.
"""

import json
import pathlib
import re
import sys

FUNCTION = re.compile(r"\s*pub (?:const |unsafe |async )*fn (\w+)")
TESTS = re.compile(r"#\[cfg\(test\)\]")


def public_functions(source):
    """The public functions of the library: (file, line) -> name."""
    found = {}
    for path in sorted(source.rglob("*.rs")):
        within = path.relative_to(source).parts
        if within[0] in ("commands", "main.rs"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if TESTS.search(line):
                break  # tests are at the ends of files
            if match := FUNCTION.match(line):
                found[str(path.resolve()), number] = match[1]
    return found


def called(report):
    """The places, (file, line), at which functions begin that were called at least once."""
    places = set()
    for data in report["data"]:
        for function in data["functions"]:
            if function["count"] > 0:
                places.add((function["filenames"][0], function["regions"][0][0]))
    return places


def main():
    report, source = sys.argv[1:]
    functions = public_functions(pathlib.Path(source))
    places = called(json.loads(pathlib.Path(report).read_text()))
    missing = {place: name for place, name in functions.items() if place not in places}
    for (path, line), name in missing.items():
        print(f"{pathlib.Path(path).relative_to(pathlib.Path.cwd())}:{line}: {name}")
    print(f"{len(functions)} public functions, {len(missing)} never called")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
