"""Counts how many positions of an EPD suite UCI engines solve.

A position names its best moves (bm), the moves to avoid (am), or the points of several moves
(points in c8, moves in c9, as in the Strategic Test Suite). It is solved if the engine's final move
is right; time and depth to solution are those from which on it stayed right.
"""

import argparse
import contextlib
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import chess
import chess.engine

from lab import script
from lab.engines import start, watchdog
from lab.script import LabError, option, positive, run_script, show_bar

# For engines that have these options.
DEFAULTS = {"Hash": 16, "Threads": 1}

# Seconds that a search may take beyond its limit, and the fewest nodes per second: engines that
# ignore a limit in nodes would search forever.
GRACE = 30
SLOWEST = 1000


@dataclass
class Task:
    """A position and the points of its moves."""

    name: str
    board: chess.Board
    points: dict[chess.Move, int]
    avoid: list[chess.Move]

    @property
    def most(self):
        return max(self.points.values(), default=1)

    def points_for(self, move):
        if move in self.avoid:
            return 0
        return self.points.get(move, 0) if self.points else 1

    def is_solved_by(self, move):
        return self.points_for(move) == self.most


@dataclass
class Answer:
    """An engine's move in a position; seconds, depth and nodes only if it solves it."""

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
class Score:
    """An engine and its answers."""

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

    def mean(self, name):
        """The mean over the solved positions."""
        known = [getattr(answer, name) for answer in self.answers if answer.solved]
        known = [value for value in known if value is not None]
        return sum(known) / len(known) if known else 0.0


def read_suite(path):
    lines = script.read_lines(path)
    if not lines:
        raise LabError(f"{path} has no positions")
    tasks = script.parse_lines(path, lines, read_task)
    for (number, _), task in zip(lines, tasks):
        task.name = task.name or f"line {number}"
    return tasks


def read_task(line):
    board, operations = chess.Board().from_epd(line)
    if not board.is_valid():
        raise ValueError("no legal position")
    best, avoid = operations.get("bm", []), operations.get("am", [])
    points = dict.fromkeys(best, 1)
    if "c8" in operations and "c9" in operations:
        values = [int(word) for word in str(operations["c8"]).split()]
        moves = [board.parse_uci(word) for word in str(operations["c9"]).split()]
        if len(values) != len(moves) or not moves:
            raise ValueError("c8 and c9 are not of the same length")
        points = dict(zip(moves, values))
    if not points and not avoid:
        raise ValueError("neither bm, am, nor c8 and c9")
    return Task(str(operations.get("id", "")), board, points, avoid)


def patience(limit):
    """Seconds that a search may take; a depth may take forever."""
    if limit.depth:
        return None
    return GRACE + (limit.time or limit.nodes / SLOWEST)


def solve(engine, name, task, limit):
    """Searches a position as a game of its own, so that the ones before do not matter."""
    begin = time.monotonic()
    since = None
    with (
        watchdog(engine, patience(limit), f"{name} fails at {task.name}"),
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
        raise LabError(f"no move in {task.name}")
    solved = task.is_solved_by(move)
    # The final move may not be in any PV.
    effort = (since or (time.monotonic() - begin, None, None)) if solved else (None, None, None)
    points = task.points_for(move)
    return Answer(
        task.name, task.board.fen(), task.board.san(move), solved, points, task.most, *effort
    )


def name_engines(engines, commands):
    """The names that engines give themselves, with those of their files if they are equal."""
    names = [engine.id.get("name", "engine") for engine in engines]
    if len(set(names)) == len(names):
        return names
    return [f"{name} ({Path(command).name})" for name, command in zip(names, commands)]


def run(tasks, commands, limit, options):
    with contextlib.ExitStack() as stack:
        engines = [start(stack, command, DEFAULTS, options) for command in commands]
        scores = [Score(name) for name in name_engines(engines, commands)]
        for done, task in enumerate(tasks, 1):
            for engine, score in zip(engines, scores):
                score.answers.append(solve(engine, score.name, task, limit))
            counts = ", ".join(f"{score.name} {score.solved}" for score in scores)
            show_bar(done, len(tasks), counts)
        for engine in engines:
            engine.quit()
    return scores


def report(scores):
    width = max(len(score.name) for score in scores)
    for score in scores:
        count = len(score.answers)
        points = f", {score.points}/{score.most} points" if score.most > count else ""
        print(
            f"{score.name:{width}}  {score.solved}/{count} solved{points}, on average after"
            f" {score.mean('seconds'):.2f} s at depth {score.mean('depth'):.1f}"
        )
    if len(scores) == 1:
        missed = [answer for answer in scores[0].answers if not answer.solved]
        print("\n".join(f"  {answer.id}: {answer.move}, {answer.fen}" for answer in missed))
    else:
        compare(*scores)


def compare(first, second):
    """Lists what only one of two engines solves."""
    for one, other in ((first, second), (second, first)):
        pairs = zip(one.answers, other.answers)
        only = [own.id for own, others in pairs if own.solved and not others.solved]
        print(f"only {one.name}: {', '.join(only) or 'nothing'}")


def write_json(path, arguments, scores):
    engines = [
        {
            "name": score.name,
            "solved": score.solved,
            "points": score.points,
            "most": score.most,
            "seconds": score.mean("seconds"),
            "depth": score.mean("depth"),
            "answers": [asdict(answer) for answer in score.answers],
        }
        for score in scores
    ]
    limits = {name: getattr(arguments, name) for name in ("time", "nodes", "depth")}
    result = {"suite": arguments.suite, **limits, "engines": engines}
    Path(path).write_text(script.to_json(result), encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Counts what UCI engines solve of an EPD suite (bm, am, or c8 and c9)."
    )
    parser.add_argument("suite", help="the EPD file")
    parser.add_argument("engine", nargs="+", help="one engine, or two to compare")
    limit = parser.add_mutually_exclusive_group(required=True)
    limit.add_argument("--time", type=positive(float), metavar="S", help="seconds per position")
    limit.add_argument("--nodes", type=positive(int), metavar="N", help="nodes per position")
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
    limit = chess.engine.Limit(time=arguments.time, nodes=arguments.nodes, depth=arguments.depth)
    asked = {"Hash": arguments.hash, "Threads": arguments.threads}
    options = {name: value for name, value in asked.items() if value is not None}
    options |= dict(arguments.option)
    if arguments.json:
        # Fails now rather than after all searches.
        Path(arguments.json).touch()
    scores = run(read_suite(arguments.suite), arguments.engine, limit, options)
    report(scores)
    if arguments.json:
        write_json(arguments.json, arguments, scores)


if __name__ == "__main__":
    run_script(main)
