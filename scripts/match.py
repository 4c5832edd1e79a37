"""Plays a match between UCI engines.

usage: match.py zebu nodes=2000 old/zebu name=old --nodes 1000 --openings book.epd

The games go to NAME.pgn as they end, the figures to NAME.json, and a report to NAME.html. A match
can be stopped at any time; the same command resumes it.
"""

import argparse
import contextlib
import hashlib
import os
import signal
import sys
from dataclasses import asdict
from pathlib import Path

from lab import arbiter, pgn, report, runner, schedule, standings, summary
from lab.arguments import CONCURRENCY, option, positive, whole_number
from lab.engines import read_engines
from lab.errors import LabError, run_script
from lab.limits import NAMES, read_limit
from lab.openings import read_openings
from lab.progress import Display
from lab.record import Record
from lab.runner import Conditions
from lab.statistics import Sprt, count

# Default number of games of each encounter, without and with an SPRT.
GAMES = 200
MOST_GAMES = 100_000

# Larger differences make no sense in an SPRT.
MOST_ELO = 200


class Match:
    """A match to play or to resume."""

    def __init__(self, arguments):
        self.engines = read_engines(
            arguments.engine, common_limit(arguments), dict(arguments.option)
        )
        self.sprt = read_sprt(arguments.sprt, self.engines)
        self.gauntlet = arguments.gauntlet
        self.conditions = read_conditions(arguments)
        games = arguments.games or (MOST_GAMES if self.sprt else GAMES)
        pairs = (games + 1) // 2
        openings = read_openings(
            arguments.openings, pairs, arguments.plies, arguments.shuffle, arguments.chess960
        )
        self.plan = schedule.plan(
            schedule.encounters(self.engines, self.gauntlet), pairs, openings
        )
        self.settings = self.describe(arguments)
        self.pgn = f"{arguments.out}.pgn"
        self.json = f"{arguments.out}.json"
        self.html = f"{arguments.out}.html"
        self.record = Record(self.pgn)
        self.display = Display(len(self.plan))

    def describe(self, arguments):
        """What must not change when the match resumes."""
        return {
            "engines": [
                {**engine.settings(), "sha256": digest(engine.program)} for engine in self.engines
            ],
            "openings": {
                "file": os.path.abspath(arguments.openings),
                "sha256": digest(arguments.openings),
                "plies": arguments.plies,
                "shuffle": arguments.shuffle,
            },
            "gauntlet": self.gauntlet,
            "rules": asdict(self.conditions.rules),
            "margin": self.conditions.margin,
            "chess960": self.conditions.chess960,
        }

    def resume(self, again):
        """Keeps the games that were played with the same settings."""
        if again:
            Path(self.pgn).unlink(missing_ok=True)
        elif Path(self.pgn).exists() and not Path(self.json).exists():
            raise LabError(f"{self.pgn} exists without its summary: name another --out")
        else:
            summary.check_settings(self.json, self.settings)
        done = self.record.resume()
        self.plan = [pairing for pairing in self.plan if pairing.key not in done]
        if done:
            played, left = len(self.record.games), len(self.plan)
            self.display.message(f"{played} games are played, {left} are left")

    def is_decided(self):
        if not self.sprt:
            return False
        return self.sprt.verdict(count(self.record.games, self.engines[0].name).pairs) is not None

    def play(self):
        """Plays the games that are left; the files stay consistent whatever happens."""
        if not self.plan or self.is_decided():
            return
        broken = runner.cannot_start(self.engines)
        self.write("stopped")
        for name in sorted(broken):
            self.display.message(f"{name} does not start as a UCI engine, its games are forfeited")
        try:
            with contextlib.closing(runner.games(self.plan, self.conditions)) as texts:
                for text in texts:
                    self.record.add(text)
                    self.show_progress()
                    if self.is_decided():
                        break
        finally:
            self.display.close()
            self.write("stopped")

    def show_progress(self):
        games = self.record.games
        text = standings.line(games, self.display.total, self.engines, self.sprt)
        self.display.show(text, len(games))

    def write(self, state, **more):
        results = summary.results(self.record.games, self.engines, self.gauntlet, self.sprt)
        summary.write(self.json, self.settings, state, **results, **more)

    def print_results(self):
        games = self.record.games
        print(standings.results(games, self.engines, self.gauntlet, self.sprt), flush=True)

    def finish(self):
        self.write("finished", endings=summary.endings(pgn.read(self.pgn)))
        notes = [(engine.name, str(engine.limit)) for engine in self.engines]
        report.write(
            self.pgn, self.html, engine=self.engines[0].name, sprt=self.sprt, notes=notes
        )
        print(f"{self.pgn}, {self.json}, {self.html}")


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]


def common_limit(arguments):
    given = [(name, getattr(arguments, name)) for name in NAMES if getattr(arguments, name)]
    if len(given) > 1:
        raise LabError(f"--{given[0][0]} and --{given[1][0]} are two limits")
    try:
        return read_limit(*given[0]) if given else None
    except ValueError as error:
        raise LabError(f"--{given[0][0]}: {error}") from error


def read_sprt(bounds, engines):
    if bounds is None:
        return None
    low, high = bounds
    if len(engines) != 2:
        raise LabError("--sprt is for two engines")
    if not -MOST_ELO <= low < high <= MOST_ELO:
        raise LabError(f"--sprt wants LOW below HIGH, and both within {MOST_ELO} of 0")
    return Sprt(low, high)


def read_conditions(arguments):
    rules = arbiter.Rules(
        tuple(arguments.draw) if arguments.draw else None,
        tuple(arguments.resign) if arguments.resign else None,
        arguments.most_moves,
        os.path.abspath(arguments.tables) if arguments.tables else None,
    )
    if rules.tables:
        arbiter.open_tables(rules.tables).close()
    return Conditions(
        arguments.concurrency,
        rules,
        arguments.margin / 1000,
        arguments.patience,
        arguments.chess960,
    )


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Plays a match of UCI engines: two, a gauntlet, or a round robin.",
        epilog="An engine is a path or a name, followed by its own settings: name=X, tc=X,"
        " movetime=X, nodes=X or depth=X, option.NAME=X, args=X, dir=X.",
    )
    parser.add_argument("engine", nargs="+", metavar="ENGINE [NAME=VALUE ...]")
    limit = parser.add_argument_group("limits, for engines without their own")
    limit.add_argument("--tc", metavar="S+S", help="clock: 8+0.08, 1:30+1, 40/60")
    limit.add_argument("--movetime", metavar="S", help="seconds per move")
    limit.add_argument("--nodes", metavar="N", help="nodes per move")
    limit.add_argument("--depth", metavar="N", help="depth of each search")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE",
                        help="an option of all engines")
    start = parser.add_argument_group("openings")
    start.add_argument("--openings", required=True, metavar="FILE",
                       help="EPD or PGN; each is played twice, with colours swapped")
    start.add_argument("--plies", type=positive(int), metavar="N", help="to play of PGN games")
    start.add_argument("--shuffle", type=whole_number, metavar="SEED")
    start.add_argument("--chess960", action="store_true")
    size = parser.add_argument_group("length of the match")
    size.add_argument("--games", type=positive(int), metavar="N",
                      help=f"of each encounter: {GAMES}, or with --sprt {MOST_GAMES}")
    size.add_argument("--sprt", type=float, nargs=2, metavar=("LOW", "HIGH"),
                      help="stops when one of two gains in normalised Elo is accepted")
    size.add_argument("--gauntlet", action="store_true",
                      help="the first engine against each of the others")
    size.add_argument("--concurrency", type=positive(int), metavar="N",
                      default=CONCURRENCY, help="games at a time")
    end = parser.add_argument_group("adjudication (scores in centipawns)")
    end.add_argument("--draw", type=whole_number, nargs=3, metavar=("MOVE", "COUNT", "SCORE"),
                     help="COUNT moves of both within SCORE of 0, from MOVE on")
    end.add_argument("--resign", type=whole_number, nargs=2, metavar=("COUNT", "SCORE"),
                     help="COUNT moves of one engine at least SCORE behind")
    end.add_argument("--most-moves", type=positive(int), metavar="N", help="a draw after N moves")
    end.add_argument("--tables", metavar="FOLDER", help="Syzygy tables")
    end.add_argument("--margin", type=whole_number, default=50, metavar="MS",
                     help="by which a clock may be exceeded (50)")
    end.add_argument("--patience", type=positive(float), default=30, metavar="S",
                     help="after which an engine without a clock counts as hanging (30)")
    parser.add_argument("--out", default="match", metavar="NAME", help="of the files (match)")
    parser.add_argument("--again", action="store_true", help="discards the games of an earlier run")
    return parser.parse_intermixed_args()


def stop(number, _frame):
    """Stops the match; a second signal must not disturb that."""
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    sys.exit(128 + number)


def main():
    arguments = parse_arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    match = Match(arguments)
    match.resume(arguments.again)
    try:
        match.play()
    except SystemExit:
        match.print_results()
        match.display.message("stopped: the same command goes on")
        raise
    match.print_results()
    match.finish()


if __name__ == "__main__":
    run_script(main)
