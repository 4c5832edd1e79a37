"""The script that runs suites: its counts, and its errors.

usage: suite.py ENGINE
"""

import json
import sys
import tempfile
from pathlib import Path

from scripts import fails, run, run_unread

SUITE = Path(__file__).with_name("suite.epd")

# An engine that exits when it should search.
BROKEN = """#!/bin/sh
while read line; do
    case $line in
        uci) printf 'id name broken\\nuciok\\n' ;;
        isready) echo readyok ;;
        go*) exit 3 ;;
    esac
done
"""


def counts(engine, folder):
    file = folder / "answers.json"
    done = run("suite.py", SUITE, engine, "--nodes", "200000", "--json", file)
    assert done.returncode == 0, done.stderr
    assert "3/4 solved, 12/13 points" in done.stdout, done.stdout
    assert "missed: Ra8#" in done.stdout, done.stdout
    (result,) = json.loads(file.read_text())["engines"]
    assert (result["solved"], result["points"], result["most"]) == (3, 12, 13), result
    for answer in result["answers"]:
        for name in ("seconds", "depth", "nodes"):
            assert (answer[name] is not None) == answer["solved"], answer


def compares(engine):
    done = run("suite.py", SUITE, engine, engine, "--time", "0.1", "--option", "Move Overhead=0")
    assert done.returncode == 0 and done.stdout.count("/4 solved") == 2, done
    assert run_unread("suite.py", SUITE, engine, "--depth", "1") == 0
    assert done.stdout.count(f"({Path(engine).name})") == 4, "the same name twice"


def reports_a_crash(folder):
    broken = folder / "broken"
    broken.write_text(BROKEN)
    broken.chmod(0o755)
    fails("broken fails at best: it has ended", "suite.py", SUITE, broken, "--depth", "1")


def reports_errors(engine, folder):
    bad = folder / "bad.epd"
    for text, error in (
        ("", "no positions"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;\n", "line 1"),
        ('6k1/5ppp/8/8/8/8/8/R3K3 w - - id "x";\n', "neither bm"),
        ('6k1/5ppp/8/8/8/8/8/R3K3 w - - c8 "1 2"; c9 "a1a8";\n', "same length"),
    ):
        bad.write_text(text)
        fails(error, "suite.py", bad, engine, "--depth", "1")
    for error, *arguments in (
        ("none", SUITE, folder / "none"),
        ("does not start", SUITE, SUITE),
        ("Foo", SUITE, engine, "--option", "Foo=1"),
        ("none", SUITE, engine, "--json", folder / "none" / "x"),
    ):
        fails(error, "suite.py", *arguments, "--depth", "1")
    assert run("suite.py", SUITE, engine, "--depth", "1", "--nodes", "1").returncode == 2


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        counts(sys.argv[1], Path(folder))
        compares(sys.argv[1])
        reports_a_crash(Path(folder))
        reports_errors(sys.argv[1], Path(folder))
