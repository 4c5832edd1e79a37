"""The script that measures the levels of UCI_Elo: it plays, resumes, and reports errors.

usage: levels.py ENGINE
"""

import sys
import tempfile
from pathlib import Path

import chess

import scripts


def main():
    engine = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        openings, out = Path(folder, "openings.epd"), Path(folder, "levels")
        openings.write_text(f"{chess.STARTING_FEN}\n4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - hmvc 0;\n")

        def run(*more, levels=("1000", "1400")):
            words = [engine, "--openings", openings, "--levels", *levels, "--out", out]
            words += ["--sample", "4", "--nodes", "1000", "--concurrency", "1", *more]
            return scripts.run("levels.py", *words)

        first = run("--games", "2")
        assert first.returncode == 0, first.stderr
        assert "level 1000     level 1400      2   400" in first.stdout, first.stdout
        assert "<svg" in Path(f"{out}.svg").read_text()
        record = Path(f"{out}.pgn")
        played = record.read_text()
        # A stop in the middle of a game.
        record.write_text(played + '[Event "Ma')
        second = run("--games", "4")
        assert second.returncode == 0, second.stderr
        assert "level 1000     level 1400      4   400" in second.stdout, second.stdout
        assert record.read_text().startswith(played)

        low = run(levels=("900", "1400"))
        assert low.returncode == 1 and "no UCI_Elo of 900" in low.stderr, low
        openings.write_text("")
        empty = run("--games", "2")
        assert empty.returncode == 1 and "has no openings" in empty.stderr, empty


if __name__ == "__main__":
    main()
