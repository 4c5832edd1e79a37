"""The script of scaling curves: it plays, resumes, and draws scores over nodes.

usage: scaling.py ENGINE
"""

import sys
import tempfile
from pathlib import Path

import chess

import scripts


def main():
    engine = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        openings, out = Path(folder, "openings.epd"), Path(folder, "scaling")
        openings.write_text(f"{chess.STARTING_FEN}\n4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - hmvc 0;\n")
        words = [engine, "name=new", "--openings", openings, "--out", out, "--concurrency", "1"]

        def run(*more):
            return scripts.run("scaling.py", *words, *more)

        against = ["--against", engine, "name=one", "option.Hash=1", engine, "name=two"]
        first = run(*against, "--nodes", "100", "300", "--games", "2")
        assert first.returncode == 0, first.stderr
        for opponent in ("one", "two"):
            assert f"against {opponent}, per cent" in first.stdout, first.stdout
        record = Path(f"{out}.pgn")
        played = record.read_text()
        assert played.count("[Event ") == 8
        plot = Path(f"{out}.svg").read_text()
        assert plot.count("<polyline") == 2 and plot.count("<circle") == 4, plot
        # A stop in the middle of a game.
        record.write_text(played + '[Event "Ma')
        second = run(*against, "--nodes", "100", "300", "--games", "4")
        assert second.returncode == 0, second.stderr
        assert record.read_text().startswith(played)
        assert record.read_text().count("[Event ") == 16

        clock = ["--against", engine, "tc=1+1"]
        scripts.fails("and no other limit", "scaling.py", *words, *clock)
        scripts.fails("there is no engine", "scaling.py", *words, "--against", "nobody")


if __name__ == "__main__":
    main()
