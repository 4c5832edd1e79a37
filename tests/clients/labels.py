"""The script that tunes the label search: its judge, and its errors.

usage: labels.py ENGINE
"""

import sys
import tempfile
from pathlib import Path

from scripts import fails, run

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def judges(engine, folder):
    positions, out = folder / "positions.txt", folder / "judged.tsv"
    lines = [f"{START}\te2e4 e7e5", f"{START}\tf2f3 e7e5 g2g4"]
    positions.write_text("# comment\n" + "\n".join(lines) + "\n")
    done = run("labels.py", "judge", positions, out, "--engine", engine, "--nodes", "2000")
    assert done.returncode == 0, done.stderr
    judged = [line.rsplit("\t", 1) for line in out.read_text().splitlines()]
    assert [line for line, _ in judged] == lines, judged
    assert abs(int(judged[0][1])) < 200 and int(judged[1][1]) == 9999, judged


def errors(engine, folder):
    bad = folder / "bad.txt"
    for text, error in [
        (f"{START}\te2e5\n", "bad.txt, line 1: "),
        (f"{START} e2e4\n", "bad.txt, line 1: a start and its moves are needed"),
    ]:
        bad.write_text(text)
        fails(error, "labels.py", "judge", bad, folder / "out", "--engine", engine)
    bad.write_text("")
    missing = str(folder / "missing")
    fails(f"there is no program {missing}", "labels.py", "tune", bad, bad, bad, "--forge", missing)


def main():
    engine = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        judges(engine, Path(folder))
        errors(engine, Path(folder))


if __name__ == "__main__":
    main()
