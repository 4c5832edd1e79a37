"""Makes one HTML file of a PGN with engines' games: Elo, curves, openings, and boards to replay."""

import argparse
import sys

from lab import report, statistics
from lab.problem import Problem


def main():
    parser = argparse.ArgumentParser(description="Makes an HTML report of engines' games.")
    parser.add_argument("pgn", help="the games")
    parser.add_argument("html", help="the file to write")
    parser.add_argument("--engine", metavar="NAME", help="whose match it is")
    parser.add_argument("--sprt", nargs=2, type=float, default=(0, 5), metavar=("LOW", "HIGH"))
    parser.add_argument("--title", metavar="TEXT")
    arguments = parser.parse_args()
    if not arguments.sprt[0] < arguments.sprt[1]:
        parser.error("the first bound of --sprt is not below the second")
    try:
        sprt = statistics.Sprt(*arguments.sprt)
        report.write(
            arguments.pgn,
            arguments.html,
            engine=arguments.engine,
            sprt=sprt,
            title=arguments.title,
        )
    except (Problem, OSError) as error:
        sys.exit(f"report.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
