"""The script that rates an engine: its ratings, and its errors.

usage: ladder.py ENGINE
"""

import json
import tempfile
from pathlib import Path

from scripts import fails, run


def write_games(path, results):
    """Games of the engine new as White: opponent, result, number."""
    with open(path, "w", encoding="utf-8") as file:
        for opponent, result, times in results:
            for number in range(times):
                headers = {"White": "new", "Black": opponent, "Round": number, "Result": result}
                for name, value in headers.items():
                    print(f'[{name} "{value}"]', file=file)
                print(f"\n{result}\n", file=file)


def finds_ratings(folder):
    """75 % against 2000 and 25 % against 2400: the middle."""
    pgn, out, picture = folder / "games.pgn", folder / "rating.json", folder / "rating.svg"
    weak = [("weak one", "1-0", 60), ("weak one", "1/2-1/2", 30), ("weak one", "0-1", 10)]
    write_games(pgn, weak)
    ratings = folder / "ratings"
    ratings.write_text("# name and rating\nweak one 2000\n\nstrong 2400\n")
    assert round(rating(pgn, ratings, out)["rating"]) == 2191, "75 % is 191 Elo"
    write_games(
        pgn,
        [
            *weak,
            ("strong", "1-0", 10),
            ("strong", "1/2-1/2", 30),
            ("strong", "0-1", 60),
            ("other", "1-0", 5),
            ("strong", "*", 1),
        ],
    )
    words = ("--engine", "new", "--ratings", ratings, "--json", out, "--svg", picture)
    done = run("ladder.py", pgn, *words)
    assert done.returncode == 0, done
    assert "new: 2200 ±" in done.stdout and "other has no rating: 5 games" in done.stdout, done
    found = json.loads(out.read_text())
    # The standard deviation of a game is 0.335, and 200 games were played.
    assert 30 < found["error"] < 60, found
    assert [opponent["name"] for opponent in found["opponents"]] == ["strong", "weak one"], found
    assert "weak one" in picture.read_text() and "<rect" in picture.read_text()


def finds_bounds(folder):
    """Ten games won only give a lower bound."""
    pgn, out = folder / "clean.pgn", folder / "clean.json"
    for result, kind in (("1-0", "above"), ("0-1", "below")):
        write_games(pgn, [("weak", result, 10)])
        ratings = folder / "one"
        ratings.write_text("weak 2000\n")
        found = rating(pgn, ratings, out)
        assert kind in found and 100 < abs(found[kind] - 2000) < 200, found


def rating(pgn, ratings, out):
    done = run("ladder.py", pgn, "--ratings", ratings, "--json", out)
    assert done.returncode == 0, done
    return json.loads(out.read_text())


def reports_errors(folder):
    pgn, bad = folder / "few.pgn", folder / "bad"
    write_games(pgn, [("weak", "1-0", 2)])
    bad.write_text("weak 2000\nnothing\n")
    for arguments, error in (
        ((folder / "none.pgn",), "none.pgn"),
        ((pgn,), "--engine"),
        ((pgn, "--ratings", bad), "line 2"),
        ((pgn, "--rated", "weak=2000", "--engine", "nobody"), "no finished game of nobody"),
        ((pgn, "--rated", "weak=2000", "--svg", folder / "no" / "x"), "no"),
    ):
        fails(error, "ladder.py", *arguments)
    for rated in ("weak", "weak=nan"):
        assert run("ladder.py", pgn, "--rated", rated).returncode == 2, rated


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        finds_ratings(Path(folder))
        finds_bounds(Path(folder))
        reports_errors(Path(folder))
