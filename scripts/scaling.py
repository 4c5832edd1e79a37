"""A scaling curve: how engines score against opponents as all of them search more.

usage: scaling.py zebu old/zebu name=old --against stockfish other/engine --openings openings.epd

Each engine plays each opponent with each number of nodes a move. The games are added to NAME.pgn as
they end; after a stop the same command goes on. At the end a table is printed, and NAME.svg shows the
scores over the nodes.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from lab import curve, pgn, series, statistics
from lab.arbiter import Rules
from lab.arguments import CONCURRENCY, option, positive
from lab.engines import is_setting, read_engines
from lab.errors import LabError, run_script
from lab.limits import Limit
from lab.openings import read_openings
from lab.record import Record
from lab.runner import Conditions
from lab.standings import number

# Scores that end a game, as in the field's tests: moves and centipawns.
DRAW = (40, 8, 10)
RESIGN = (3, 600)

# Seconds that a search may take until its engine counts as hanging.
PATIENCE = 600


def at(engine, nodes):
    """The engine with so many nodes a move, and a name of its own for it."""
    return replace(engine, name=f"{engine.name} {nodes}", limit=Limit(nodes=nodes))


def tally(games, engine, opponent, nodes):
    return statistics.count(games, at(engine, nodes).name, at(opponent, nodes).name)


def report(games, engines, opponents, nodes):
    """Scores in per cent, with Elo and its error, by opponent, engine and nodes."""
    for opponent in opponents:
        print(f"\nagainst {opponent.name}, per cent (Elo) by nodes a move")
        width = max(len(engine.name) for engine in engines)
        print(f"{'':{width}} " + " ".join(f"{count:>22,}" for count in nodes))
        for engine in engines:
            cells = []
            for count in nodes:
                found = tally(games, engine, opponent, count)
                elo = statistics.elo(found.pairs)
                text = f"{found.percentage:.1f} ({number(elo.value, 0)} ± {number(elo.error, 0)})"
                cells.append(f"{text:>22}")
            print(f"{engine.name:{width}} " + " ".join(cells))


def draw(games, engines, opponents, nodes):
    lines = [
        (
            f"{engine.name} against {opponent.name}",
            [(count, tally(games, engine, opponent, count).percentage) for count in nodes],
        )
        for opponent in opponents
        for engine in engines
    ]
    return curve.draw(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Plays engines against opponents with growing numbers of nodes a move.",
        epilog="An engine is a path or a name, followed by its own settings: name=X,"
        " option.NAME=X, args=X, dir=X.",
    )
    parser.add_argument("engine", nargs="+", metavar="ENGINE [NAME=VALUE ...]")
    parser.add_argument("--against", nargs="+", required=True, metavar="ENGINE",
                        help="the opponents, named in the same way")
    parser.add_argument("--nodes", type=positive(int), nargs="+", metavar="N",
                        default=[5000, 25_000, 100_000, 400_000],
                        help="a move (5000 25000 100000 400000)")
    parser.add_argument("--games", type=positive(int), default=100, metavar="N",
                        help="of each pair of engines with each number of nodes (100)")
    parser.add_argument("--openings", required=True, metavar="FILE", help="EPD or PGN")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE",
                        help="an option of all engines")
    parser.add_argument("--concurrency", type=positive(int), metavar="N",
                        default=CONCURRENCY, help="games at a time")
    parser.add_argument("--out", default="scaling", metavar="NAME", help="of the files (scaling)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    options, nodes = dict(arguments.option), sorted(set(arguments.nodes))
    # Read together, so that all names differ.
    words = [*arguments.engine, *arguments.against]
    limit = Limit(nodes=nodes[0])
    everyone = read_engines(words, limit, options)
    if any(engine.limit != limit for engine in everyone):
        raise LabError("all engines search the nodes of --nodes, and no other limit")
    first = len(everyone) - sum(not is_setting(word) for word in arguments.against)
    engines, opponents = everyone[:first], everyone[first:]
    matches = [
        (at(engine, count), at(opponent, count))
        for count in nodes
        for opponent in opponents
        for engine in engines
    ]
    openings = read_openings(arguments.openings)
    conditions = Conditions(
        arguments.concurrency, Rules(DRAW, RESIGN), PATIENCE, PATIENCE, chess960=False
    )
    record = Record(f"{arguments.out}.pgn")
    series.play(matches, arguments.games, openings, conditions, record)
    games = pgn.read(record.path, with_moves=False)
    report(games, engines, opponents, nodes)
    plot = draw(games, engines, opponents, nodes)
    Path(f"{arguments.out}.svg").write_text(plot, encoding="utf-8")


if __name__ == "__main__":
    run_script(main)
