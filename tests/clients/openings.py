"""The script that makes openings: they are legal, balanced, different and reproducible.

usage: openings.py ENGINE
"""

import sys
import tempfile
from pathlib import Path

import chess

import scripts


def words(file, engine, *arguments):
    return ("openings.py", file, "--engine", engine, "--nodes", "1000", *arguments)


def makes(engine, folder):
    first, again, other = (folder / name for name in ("first", "again", "other"))
    wanted = ("--count", "30", "--balance", "0.3", "--plies", "7")
    for file, arguments in (
        (first, ("--concurrency", "1")),
        (again, ("--concurrency", "2")),
        (other, ("--seed", "2")),
    ):
        done = scripts.run(*words(file, engine, *wanted, *arguments))
        assert done.returncode == 0, done
    assert first.read_text() == again.read_text() != other.read_text()
    lines = first.read_text().splitlines()
    assert len({" ".join(line.split()[:4]) for line in lines}) == 30
    for line in lines:
        board, operations = chess.Board.from_epd(line)
        assert board.is_valid() and board.turn == chess.BLACK and board.fullmove_number == 4, line
        assert abs(operations["ce"]) <= 30, line


def reports_errors(engine, folder):
    file = folder / "few"
    for error, program, arguments in (
        ("no more openings", engine, ("--plies", "1", "--balance", "9", "--count", "21")),
        ("does not start", folder / "none", ()),
        ("does not start", __file__, ()),
    ):
        scripts.fails(error, *words(file, program, "--concurrency", "1", *arguments))
    assert len(file.read_text().splitlines()) == 20, "there are 20 first moves"
    scripts.fails("no", *words(folder / "no" / "file", engine, "--concurrency", "1"))
    for arguments in (("--count", "0"), ("--plies", "61"), ("--balance", "-1"), ("--nodes", "x")):
        assert scripts.run(*words(file, engine, *arguments)).returncode == 2, arguments


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        makes(sys.argv[1], Path(folder))
        reports_errors(sys.argv[1], Path(folder))
