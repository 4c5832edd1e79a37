"""Rates an engine by its games against opponents with known ratings.

The games are a PGN, such as fastchess writes for a gauntlet. Games without a result or against
opponents without a rating do not count.
"""

import argparse
from collections import Counter
from pathlib import Path

from lab import pgn, rating, rating_plot, script
from lab.script import LabError, run_script


def rated(text):
    """Reads NAME=RATING from the command line."""
    name, _, number = text.rpartition("=")
    value = float(number)
    if not name or not abs(value) < 10_000:
        raise ValueError
    return name, value


def read_ratings(path):
    """A file with a name and a rating per line."""

    def read(line):
        name, _, value = line.strip().rpartition(" ")
        try:
            return rated(f"{name.strip()}={value}")
        except ValueError as error:
            raise ValueError("no name and rating") from error

    return dict(script.parse_lines(path, script.read_lines(path), read))


def choose_engine(games, ratings):
    """The only player without a rating."""
    unrated = {name for game in games for name in (game.white, game.black)} - set(ratings)
    if len(unrated) != 1:
        names = ", ".join(sorted(unrated)) or "none"
        raise LabError(f"name the engine to rate with --engine; without a rating are {names}")
    return unrated.pop()


def collect(games, engine, ratings):
    """The results against each rated opponent, and the number of games against others."""
    results, others = {}, Counter()
    for game in games:
        if game.points is None or engine not in (game.white, game.black):
            continue
        opponent = game.opponent_of(engine)
        if opponent not in ratings:
            others[opponent] += 1
            continue
        pair = (opponent, game.pair)
        result = rating.Result(ratings[opponent], game.points_of(engine), pair)
        results.setdefault(opponent, []).append(result)
    return results, others


def summarise(results, found):
    """Rows of opponent, rating, games, points, expected points and performance, best first."""
    rows = []
    for opponent, games in results.items():
        points = sum(game.points for game in games)
        expected = rating.points_at(found.value, games)
        rows.append((opponent, games[0].rating, len(games), points, expected, rating.rate(games)))
    return sorted(rows, key=lambda row: -row[1])


def report(engine, found, rows, others):
    games = sum(row[2] for row in rows)
    print(f"{engine}: {rating_plot.describe(found)} (95 %), from {games} games\n")
    width = max(8, *(len(row[0]) for row in rows))
    print(f"{'opponent':{width}}  rating  games  points  expected  performance")
    for name, value, count, points, expected, performance in rows:
        print(
            f"{name:{width}}  {value:6.0f}  {count:5}  {points:6.1f}  {expected:8.1f}"
            f"  {rating_plot.describe(performance)}"
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
    Path(path).write_text(script.to_json(result), encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Rates an engine by its games against opponents with known ratings."
    )
    parser.add_argument("pgn", help="the games")
    parser.add_argument("--engine", metavar="NAME", help="to rate (the only one without a rating)")
    parser.add_argument("--rated", type=rated, action="append", default=[], metavar="NAME=RATING")
    parser.add_argument("--ratings", metavar="FILE", help="a name and a rating per line")
    parser.add_argument("--svg", metavar="FILE", help="writes a plot")
    parser.add_argument("--json", metavar="FILE", help="writes all figures")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    ratings = read_ratings(arguments.ratings) if arguments.ratings else {}
    ratings |= dict(arguments.rated)
    games = pgn.read(arguments.pgn, with_moves=False)
    engine = arguments.engine or choose_engine(games, ratings)
    results, others = collect(games, engine, ratings)
    if not results:
        raise LabError(f"{arguments.pgn} has no finished game of {engine} against a rated opponent")
    found = rating.rate([result for group in results.values() for result in group])
    rows = summarise(results, found)
    report(engine, found, rows, others)
    if arguments.svg:
        plot = rating_plot.draw(engine, found, [(*row[:3], row[-1]) for row in rows])
        Path(arguments.svg).write_text(plot, encoding="utf-8")
    if arguments.json:
        write_json(arguments.json, engine, found, rows)


if __name__ == "__main__":
    run_script(main)
