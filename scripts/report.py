"""Makes an HTML report of the games in a PGN: Elo, curves, openings, and boards to replay."""

import argparse

from lab import report, statistics
from lab.script import run_script


def main():
    parser = argparse.ArgumentParser(description="Makes an HTML report of the games of engines.")
    parser.add_argument("pgn", help="the games")
    parser.add_argument("html", help="the file to write")
    parser.add_argument("--engine", metavar="NAME", help="from whose side (the first White)")
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("LOW", "HIGH"))
    parser.add_argument("--title", metavar="TEXT")
    arguments = parser.parse_args()
    if arguments.sprt and not arguments.sprt[0] < arguments.sprt[1]:
        parser.error("the first bound of --sprt is not below the second")
    report.write(
        arguments.pgn,
        arguments.html,
        engine=arguments.engine,
        sprt=statistics.Sprt(*arguments.sprt) if arguments.sprt else None,
        title=arguments.title,
    )


if __name__ == "__main__":
    run_script(main)
