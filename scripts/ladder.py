"""Places an engine on a rating scale by its games against opponents whose ratings are given.

The games are a PGN, such as match.py makes of a gauntlet. Games without a result, and those against
opponents without a rating, do not count.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from lab import pgn, rating, scale
from lab.problem import Problem


def rated(text):
    """Reads NAME=RATING from the command line."""
    name, _, number = text.rpartition("=")
    value = float(number)
    if not name or not abs(value) < 10_000:
        raise ValueError
    return name, value


def read_ratings(path):
    """A file with an opponent a line: its name, and last its rating."""
    ratings = {}
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        name, _, value = line.strip().rpartition(" ")
        if line.strip() and not line.startswith("#"):
            try:
                name, ratings[name] = rated(f"{name.strip()}={value}")
            except ValueError as error:
                raise Problem(f"{path}, line {number}: no name and rating") from error
    return ratings


def choose_engine(games, ratings):
    """The only player without a rating."""
    unrated = {name for game in games for name in (game.white, game.black)} - set(ratings)
    if len(unrated) != 1:
        known = ", ".join(sorted(unrated)) or "none"
        raise Problem(f"say with --engine whose rating is wanted: without one are {known}")
    return unrated.pop()


def collect(games, engine, ratings):
    """The results against each rated opponent, and how many games against others."""
    results, others = {}, Counter()
    for game in games:
        if game.points is None or engine not in (game.white, game.black):
            continue
        is_white = game.white == engine
        opponent = game.black if is_white else game.white
        if opponent not in ratings:
            others[opponent] += 1
            continue
        points = game.points if is_white else 1 - game.points
        result = rating.Result(ratings[opponent], points, (opponent, game.key))
        results.setdefault(opponent, []).append(result)
    return results, others


def describe(results, found):
    """Rows of opponent, rating, games, points, expected points and performance, best first."""
    rows = []
    for opponent, those in results.items():
        points = sum(result.points for result in those)
        awaited = rating.points_at(found.value, those)
        rows.append((opponent, those[0].rating, len(those), points, awaited, rating.rate(those)))
    return sorted(rows, key=lambda row: -row[1])


def report(engine, found, rows, others):
    games = sum(row[2] for row in rows)
    print(f"{engine}: {scale.say(found)} (95 %), from {games} games\n")
    width = max(8, *(len(row[0]) for row in rows))
    print(f"{'opponent':{width}}  rating  games  points  expected  performance")
    for name, value, count, points, awaited, performance in rows:
        print(
            f"{name:{width}}  {value:6.0f}  {count:5}  {points:6.1f}  {awaited:8.1f}"
            f"  {scale.say(performance)}"
        )
    for name, count in others.items():
        print(f"{name} has no rating: {count} games do not count")


def write_json(path, engine, found, rows):
    def figure(value):
        if isinstance(value, rating.Bound):
            return {"above" if value.above else "below": value.value}
        return {"rating": value.value, "error": value.error}

    names = ("name", "rating", "games", "points", "expected")
    opponents = [{**dict(zip(names, row)), "performance": figure(row[-1])} for row in rows]
    result = {"engine": engine, **figure(found), "opponents": opponents}
    Path(path).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Places an engine on a rating scale by its games against rated opponents."
    )
    parser.add_argument("pgn", help="the games")
    parser.add_argument("--engine", metavar="NAME", help="by default the only one without a rating")
    parser.add_argument("--rated", type=rated, action="append", default=[], metavar="NAME=RATING")
    parser.add_argument("--ratings", metavar="FILE", help="lines of a name and a rating")
    parser.add_argument("--svg", metavar="FILE", help="writes a picture")
    parser.add_argument("--json", metavar="FILE", help="writes all figures to a file")
    return parser.parse_args()


def run(arguments):
    ratings = read_ratings(arguments.ratings) if arguments.ratings else {}
    ratings |= dict(arguments.rated)
    games = pgn.read(arguments.pgn, with_moves=False)
    engine = arguments.engine or choose_engine(games, ratings)
    results, others = collect(games, engine, ratings)
    if not results:
        raise Problem(f"{arguments.pgn} has no finished game of {engine} against a rated opponent")
    found = rating.rate([result for those in results.values() for result in those])
    rows = describe(results, found)
    report(engine, found, rows, others)
    if arguments.svg:
        picture = scale.draw(engine, found, [(*row[:3], row[-1]) for row in rows])
        Path(arguments.svg).write_text(picture, encoding="utf-8")
    if arguments.json:
        write_json(arguments.json, engine, found, rows)


def main():
    try:
        run(parse_arguments())
    except (Problem, OSError, UnicodeDecodeError) as error:
        sys.exit(f"ladder.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
