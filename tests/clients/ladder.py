"""The script that places an engine on a rating scale: what it finds, and what it says of bad input.

usage: ladder.py ENGINE
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "scripts" / "ladder.py"


def run(*arguments):
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def write_games(path, results):
    """Games of the engine new, which has White: opponent, result, how often."""
    with open(path, "w", encoding="utf-8") as file:
        for opponent, result, times in results:
            for number in range(times):
                headers = (("White", "new"), ("Black", opponent), ("Round", number), ("Result", result))
                print("".join(f'[{name} "{value}"]\n' for name, value in headers), file=file)
                print(f"{result}\n", file=file)


def finds(folder):
    """Three points of four against 2000, one of four against 2400: just between them."""
    pgn, out, picture = folder / "games.pgn", folder / "rating.json", folder / "rating.svg"
    write_games(pgn, [("weak one", "1-0", 60), ("weak one", "1/2-1/2", 30), ("weak one", "0-1", 10)])
    ratings = folder / "ratings"
    ratings.write_text("# name and rating\nweak one 2000\n\nstrong 2400\n")
    assert round(rating(pgn, ratings, out)["rating"]) == 2191, "75 % is 191 Elo"
    write_games(
        pgn,
        [
            ("weak one", "1-0", 60),
            ("weak one", "1/2-1/2", 30),
            ("weak one", "0-1", 10),
            ("strong", "1-0", 10),
            ("strong", "1/2-1/2", 30),
            ("strong", "0-1", 60),
            ("other", "1-0", 5),
            ("strong", "*", 1),
        ],
    )
    done = run(pgn, "--engine", "new", "--ratings", ratings, "--json", out, "--svg", picture)
    assert done.returncode == 0, done
    assert "new: 2200 ±" in done.stdout and "other has no rating: 5 games" in done.stdout, done
    found = json.loads(out.read_text())
    # A game's points scatter by 0.335 around what is expected, and 200 games were played.
    assert 30 < found["error"] < 60, found
    assert [opponent["name"] for opponent in found["opponents"]] == ["strong", "weak one"], found
    assert "weak one" in picture.read_text() and "<rect" in picture.read_text()


def bounds(folder):
    """Ten games won say little more than that the engine is the stronger."""
    pgn, out = folder / "clean.pgn", folder / "clean.json"
    for result, kind in (("1-0", "above"), ("0-1", "below")):
        write_games(pgn, [("weak", result, 10)])
        ratings = folder / "one"
        ratings.write_text("weak 2000\n")
        found = rating(pgn, ratings, out)
        assert kind in found and 100 < abs(found[kind] - 2000) < 200, found


def rating(pgn, ratings, out):
    done = run(pgn, "--ratings", ratings, "--json", out)
    assert done.returncode == 0, done
    return json.loads(out.read_text())


def complains(folder):
    pgn, bad = folder / "few.pgn", folder / "bad"
    write_games(pgn, [("weak", "1-0", 2)])
    bad.write_text("weak 2000\nnothing\n")
    empty = folder / "empty"
    empty.write_text("")
    for arguments, complaint in (
        ((folder / "none.pgn",), "none.pgn"),
        ((pgn,), "--engine"),
        ((pgn, "--ratings", bad), "line 2"),
        ((pgn, "--ratings", folder / "none"), "none"),
        ((pgn, "--ratings", "/"), "ladder.py: "),
        ((pgn, "--rated", "weak=2000", "--engine", "nobody"), "no finished game of nobody"),
        ((empty, "--rated", "weak=2000", "--engine", "new"), "no finished game"),
        ((pgn, "--rated", "weak=2000", "--svg", folder / "no" / "x"), "no"),
    ):
        done = run(*arguments)
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done
        assert complaint in done.stderr, done
    for rated in ("weak", "=2000", "weak=x", "weak=nan", "weak=99999"):
        assert run(pgn, "--rated", rated).returncode == 2, rated


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        finds(Path(folder))
        bounds(Path(folder))
        complains(Path(folder))
