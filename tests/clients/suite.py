"""The script that runs suites: what it counts, and what it says of bad input.

usage: suite.py ENGINE
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCRIPT = HERE.parent.parent / "scripts" / "suite.py"
SUITE = HERE / "suite.epd"

# An engine that ends when it should think.
BROKEN = """#!/bin/sh
while read line; do
    case $line in
        uci) printf 'id name broken\\nuciok\\n' ;;
        isready) echo readyok ;;
        go*) exit 3 ;;
    esac
done
"""


def run(*arguments):
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def counts(engine, folder):
    file = folder / "answers.json"
    done = run(SUITE, engine, "--nodes", "200000", "--json", file)
    assert done.returncode == 0, done.stderr
    assert "3/4 solved, 12/13 points" in done.stdout, done.stdout
    assert "missed: Ra8#" in done.stdout, done.stdout
    (result,) = json.loads(file.read_text())["engines"]
    assert (result["solved"], result["points"], result["most"]) == (3, 12, 13), result
    for answer in result["answers"]:
        way = [answer[what] is not None for what in ("seconds", "depth", "nodes")]
        assert way == 3 * [answer["solved"]], answer


def compares(engine):
    done = run(SUITE, engine, engine, "--time", "0.1", "--option", "Move Overhead=0")
    assert done.returncode == 0 and done.stdout.count("/4 solved") == 2, done
    assert done.stdout.count(f"({Path(engine).name})") == 4, "the same name twice"


def tells_of_a_crash(folder):
    broken = folder / "broken"
    broken.write_text(BROKEN)
    broken.chmod(0o755)
    one_line(run(SUITE, broken, "--depth", "1"), "broken fails at best: it has ended")


def complains(engine, folder):
    bad = folder / "bad.epd"
    for text, complaint in (
        ("", "no positions"),
        ("# nothing\nhello bm e4;\n", "line 2"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;\n", "line 1"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Rb8;\n", "line 1"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"x\";\n", "neither bm"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - c8 \"1 2\"; c9 \"a1a8\";\n", "same length"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - c8 \"x\"; c9 \"a1a8\";\n", "line 1"),
    ):
        bad.write_text(text)
        one_line(run(bad, engine, "--depth", "1"), complaint)
    one_line(run(folder / "none.epd", engine, "--depth", "1"), "none.epd")
    one_line(run(SUITE, folder / "none", "--depth", "1"), "none")
    one_line(run(SUITE, SUITE, "--depth", "1"), "does not start")
    one_line(run(SUITE, engine, "--depth", "1", "--option", "Foo=1"), "Foo")
    one_line(run(SUITE, engine, "--depth", "1", "--json", folder / "none" / "x"), "none")
    for arguments in ((), ("--depth", "0"), ("--depth", "1", "--nodes", "1")):
        assert run(SUITE, engine, *arguments).returncode == 2, arguments


def one_line(done, complaint):
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and len(lines) == 1 and complaint in lines[0], done


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        counts(sys.argv[1], Path(folder))
        compares(sys.argv[1])
        tells_of_a_crash(Path(folder))
        complains(sys.argv[1], Path(folder))
