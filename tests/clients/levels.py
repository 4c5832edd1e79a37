"""The script that measures the levels of UCI_Elo: puzzles, games and what is counted in them, ratings.

usage: levels.py ENGINE
"""

import shutil
import sys
import tempfile
from pathlib import Path

import chess

from scripts import fails, run  # puts lab on the path
from lab import habits
from skips import skip

ENGINE = sys.argv[1]

# Two even rows: a fork of king and queen, and a mate in one.
PUZZLES = """PuzzleId,FEN,Moves,Rating,Themes
odd,4k3/8/8/8/8/8/8/4K2R w - - 0 1,e1e2 e8e7 e2e3,900,short
fork,4k3/p7/6q1/8/3N4/8/8/4K3 b - - 0 1,a7a5 d4e6,700,short
odd,4k3/8/8/8/8/8/8/4K2R w - - 0 1,e1e2 e8e7 e2e3,900,short
mate,6k1/5ppp/8/8/8/8/p7/R3K3 b - - 0 1,g8h8 a1a2,500,short
odd,4k3/8/8/8/8/8/8/4K2R w - - 0 1,e1e2 e8e7 e2e3,900,short
mate,6k1/5ppp/8/8/8/8/7p/R3K3 b - - 0 1,g8h8 a1a8,500,mate mateIn1
"""


def solves_puzzles(folder):
    file = folder / "puzzles.csv"
    file.write_text(PUZZLES)
    done = run("levels.py", "puzzles", ENGINE, file, "--levels", "3000")
    assert done.returncode == 0, done
    assert "network " in done.stdout and "even rows: 2 puzzles, 1 mates" in done.stdout, done.stdout
    assert "mates above" in done.stdout and "(1 of 1)" in done.stdout, done.stdout
    file.write_text(PUZZLES.replace("d4e6", "d4"))
    fails("puzzle 2", "levels.py", "puzzles", ENGINE, file)
    file.write_text("")
    fails("no puzzles", "levels.py", "puzzles", ENGINE, file)


def plays_games(folder):
    """The seed decides the games."""
    out, again = folder / "games.pgn", folder / "again.pgn"
    for path in (out, again):
        done = run("levels.py", "games", ENGINE, "--levels", "1000", "--games", "2", "--out", path)
        assert done.returncode == 0 and " 1000  castled " in done.stdout, done
    assert out.read_text() == again.read_text() and out.read_text().count("[Event ") == 2
    done = run("levels.py", "blunders", ENGINE, out, "--count", "1")
    assert done.returncode == 0 and " 1000  median " in done.stdout, done
    fails("UCI_Elo", "levels.py", "games", ENGINE, "--levels", "9", "--out", out)


def measures_ratings(folder):
    if not shutil.which("fastchess"):
        skip("fastchess", "no fastchess in PATH")
        return
    openings, out = folder / "openings.epd", folder / "rating.pgn"
    openings.write_text("rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n" * 3)
    words = ("rating", ENGINE, "--openings", openings, "--levels", "1000", "2000", "--out", out)
    for games in (2, 4):
        done = run("levels.py", *words, "--games", str(games))
        assert done.returncode == 0, done
        assert "level 2000 against level 1000: " in done.stdout, done.stdout
        assert f"in {games} games" in done.stdout and out.read_text().count("[Event ") == games


def counts_what_is_played():
    """Refutations that win at once, later, or nothing; mates; habits."""
    fork = chess.Board("4k3/8/6q1/8/3N4/8/8/4K3 b - - 0 1")
    for move, line, plies in (
        ("g6g1", "e1e2", None),
        ("g6g7", "d4e6 e8f7 e6g7 f7g7", 3),
        ("g6e4", "e1d1 e4d4", None),
        ("g6d6", "d4b5 d6d8 b5c7 d8c7", None),
    ):
        line = list(map(chess.Move.from_uci, line.split()))
        found = habits.plies_of_refutation(fork, chess.Move.from_uci(move), line)
        assert found == plies, (move, found)
    foolish = chess.Board()
    foolish.push_san("f3"), foolish.push_san("e5")
    line = [chess.Move.from_uci("d8h4")]
    assert habits.plies_of_refutation(foolish, chess.Move.from_uci("g2g4"), line) == 1
    board = chess.Board()
    for san in "e4 e5 Nf3 Ke7 Bc4 Ke8 O-O".split():
        board.push_san(san)
    counts = habits.Habits()
    counts.add(chess.pgn.Game.from_board(board))
    assert (counts.sides, counts.castled, counts.idle_king) == (2, 1, 2), counts


if __name__ == "__main__":
    counts_what_is_played()
    with tempfile.TemporaryDirectory() as folder:
        solves_puzzles(Path(folder))
        plays_games(Path(folder))
        measures_ratings(Path(folder))
