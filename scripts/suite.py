"""Lets UCI engines solve the positions of an EPD suite and counts what they solve.

A position says which moves are best (bm), which are to be avoided (am), or what each of several
moves is worth (points in c8, moves in c9, as in the Strategic Test Suite). It is solved if the
engine's last word is right; the time and depth to solution are those since which it was.
"""

import argparse
import contextlib
import json
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import chess
import chess.engine

from lab.problem import Problem
from lab.script import option, positive, show_progress
from lab.searches import ends_within, start

# For engines that have these options.
USUAL = {"Hash": 16, "Threads": 1}

# Seconds that a search may take beyond those it was given, and the fewest nodes a second. There are
# engines that know nothing of a limit in nodes, and would search for ever.
GRACE = 30
SLOWEST = 1000


@dataclass
class Task:
    """A position and what its moves are worth."""

    name: str
    board: chess.Board
    points: dict[chess.Move, int]
    avoid: list[chess.Move]

    @property
    def most(self):
        return max(self.points.values(), default=1)

    def score(self, move):
        if move in self.avoid:
            return 0
        return self.points.get(move, 0) if self.points else 1

    def is_solved_by(self, move):
        return self.score(move) == self.most


@dataclass
class Answer:
    """What an engine made of a position; the way to the solution only if it is one."""

    id: str
    fen: str
    move: str
    solved: bool
    points: int
    most: int
    seconds: float | None
    depth: int | None
    nodes: int | None


@dataclass
class Tally:
    """An engine and its answers so far."""

    name: str
    answers: list[Answer] = field(default_factory=list)

    @property
    def solved(self):
        return sum(answer.solved for answer in self.answers)

    @property
    def points(self):
        return sum(answer.points for answer in self.answers)

    @property
    def most(self):
        return sum(answer.most for answer in self.answers)

    def mean(self, what):
        """The mean over the solved positions."""
        known = [getattr(answer, what) for answer in self.answers if answer.solved]
        known = [value for value in known if value is not None]
        return sum(known) / len(known) if known else 0.0


def read_suite(path):
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is no text: {error}") from error
    tasks = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            try:
                tasks.append(read_task(line, number))
            except ValueError as error:
                raise Problem(f"{path}, line {number}: {error}") from error
    if not tasks:
        raise Problem(f"{path} has no positions")
    return tasks


def read_task(line, number):
    board, operations = chess.Board().from_epd(line)
    if not board.is_valid():
        raise ValueError("no legal position")
    best, avoid = operations.get("bm", []), operations.get("am", [])
    points = dict.fromkeys(best, 1)
    if "c8" in operations and "c9" in operations:
        worth = [int(word) for word in str(operations["c8"]).split()]
        moves = [board.parse_uci(word) for word in str(operations["c9"]).split()]
        if len(worth) != len(moves) or not moves:
            raise ValueError("c8 and c9 are not of the same length")
        points = dict(zip(moves, worth))
    if not points and not avoid:
        raise ValueError("neither bm, am, nor c8 and c9")
    return Task(str(operations.get("id", f"line {number}")), board, points, avoid)


def patience(limit):
    """Seconds that a search may take; a depth may take for ever."""
    if limit.depth:
        return None
    return GRACE + (limit.time or limit.nodes / SLOWEST)


def solve(engine, task, limit):
    """Each position is a game of its own, so that nothing is left of those before it."""
    begin = time.monotonic()
    since = None
    with (
        ends_within(engine, patience(limit)),
        engine.analysis(task.board, limit, game=object()) as analysis,
    ):
        for info in analysis:
            if info.get("pv") and info.get("multipv", 1) == 1:
                if not task.is_solved_by(info["pv"][0]):
                    since = None
                elif since is None:
                    since = (info.get("time"), info.get("depth"), info.get("nodes"))
        move = analysis.wait().move
    if move is None:
        raise Problem(f"no move in {task.name}")
    solved = task.is_solved_by(move)
    # A solution that no line told came at the end.
    way = (since or (time.monotonic() - begin, None, None)) if solved else (None, None, None)
    points = task.score(move)
    return Answer(
        task.name, task.board.fen(), task.board.san(move), solved, points, task.most, *way
    )


def name_engines(engines, commands):
    """The names that engines give themselves, with the files' if these are the same."""
    names = [engine.id.get("name", "engine") for engine in engines]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({Path(command).name})" for name, command in zip(names, commands)]


def run(tasks, commands, limit, options):
    with contextlib.ExitStack() as stack:
        engines = [start(stack, command, USUAL, options) for command in commands]
        tallies = [Tally(name) for name in name_engines(engines, commands)]
        for done, task in enumerate(tasks, 1):
            for engine, tally in zip(engines, tallies):
                try:
                    tally.answers.append(solve(engine, task, limit))
                except chess.engine.EngineError as error:
                    raise Problem(f"{tally.name} fails at {task.name}: {error}") from error
            counts = ", ".join(f"{tally.name} {tally.solved}" for tally in tallies)
            show_progress(done, len(tasks), counts)
        for engine in engines:
            engine.quit()
    return tallies


def report(tallies):
    width = max(len(tally.name) for tally in tallies)
    for tally in tallies:
        count = len(tally.answers)
        points = f", {tally.points}/{tally.most} points" if tally.most > count else ""
        print(
            f"{tally.name:{width}}  {tally.solved}/{count} solved{points}, on average after"
            f" {tally.mean('seconds'):.2f} s at depth {tally.mean('depth'):.1f}"
        )
    if len(tallies) == 1:
        missed = [answer for answer in tallies[0].answers if not answer.solved]
        print("\n".join(f"  {answer.id}: {answer.move}, {answer.fen}" for answer in missed))
    else:
        compare(*tallies)


def compare(first, second):
    """Lists what only one of two engines solves."""
    for one, other in ((first, second), (second, first)):
        pairs = zip(one.answers, other.answers)
        only = [mine.id for mine, its in pairs if mine.solved and not its.solved]
        print(f"only {one.name}: {', '.join(only) or 'nothing'}")


def write_json(path, arguments, tallies):
    engines = [
        {
            "name": tally.name,
            "solved": tally.solved,
            "points": tally.points,
            "most": tally.most,
            "seconds": tally.mean("seconds"),
            "depth": tally.mean("depth"),
            "answers": [asdict(answer) for answer in tally.answers],
        }
        for tally in tallies
    ]
    limits = {name: getattr(arguments, name) for name in ("time", "nodes", "depth")}
    result = {"suite": arguments.suite, **limits, "engines": engines}
    Path(path).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Counts what UCI engines solve of an EPD suite (bm, am, or c8 and c9)."
    )
    parser.add_argument("suite", help="the EPD file")
    parser.add_argument("engine", nargs="+", help="one engine, or two to compare")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--time", type=positive(float), metavar="S", help="seconds a position")
    limit.add_argument("--nodes", type=positive(int), metavar="N", help="nodes a position")
    limit.add_argument("--depth", type=positive(int), metavar="D", help="depth of each search")
    parser.add_argument("--hash", type=positive(int), metavar="MB", help="default: 16")
    parser.add_argument("--threads", type=positive(int), metavar="N", help="default: 1")
    parser.add_argument("--option", type=option, action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--json", metavar="FILE", help="writes all answers to a file")
    arguments = parser.parse_args()
    if len(arguments.engine) > 2:
        parser.error("two engines at most")
    return arguments


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    limit = chess.engine.Limit(
        time=arguments.time, nodes=arguments.nodes, depth=arguments.depth
    )
    asked = {"Hash": arguments.hash, "Threads": arguments.threads}
    options = {name: value for name, value in asked.items() if value is not None}
    options |= dict(arguments.option)
    try:
        if arguments.json:
            Path(arguments.json).touch()
        tallies = run(read_suite(arguments.suite), arguments.engine, limit, options)
        report(tallies)
        if arguments.json:
            write_json(arguments.json, arguments, tallies)
    except (Problem, OSError) as error:
        sys.exit(f"suite.py: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
