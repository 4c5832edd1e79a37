"""Tunes the search for labels: what a short search knows that the static evaluation does not.

`judge` scores the positions that `forge labels --sample` prints; `tune` changes the tunables of the
label search by SPSA, so that its scores explain more of the judge's verdict for their nodes.
"""

import argparse
import contextlib
import math
import random
import re
import subprocess
import tempfile
import tomllib
from pathlib import Path

import chess
import chess.engine

from lab import script
from lab.engines import find, start
from lab.script import LabError, positive, run_script, show_bar

# The score of a mate, in centipawns.
MATE = 10_000

# What the explained share grows with, as a power of the nodes: measured from 200 to 400 nodes.
BY_NODES = 0.46

# SPSA: the gain of the first iteration, and how step and gain decay.
GAIN = 1.6
STEP_DECAY = 0.3
GAIN_DECAY = 0.7


def judge(arguments):
    lines = script.read_lines(arguments.positions)
    games = script.parse_lines(arguments.positions, lines, read_game)
    limit = chess.engine.Limit(nodes=arguments.nodes)
    with contextlib.ExitStack() as stack:
        engine = start(stack, arguments.engine, {"Hash": 16, "Threads": 1})
        out = stack.enter_context(open(arguments.out, "w", encoding="utf-8"))
        for done, ((_, line), board) in enumerate(zip(lines, games), 1):
            info = engine.analyse(board, limit, game=object())
            out.write(f"{line}\t{info['score'].relative.score(mate_score=MATE)}\n")
            show_bar(done, len(lines), "judged")
        engine.quit()


def read_game(line):
    """The board after a start and its moves."""
    fields = line.split("\t")
    if len(fields) != 2:
        raise ValueError("a start and its moves are needed, separated by a tab")
    board = chess.Board(fields[0], chess960=True)
    for move in fields[1].split():
        board.push_uci(move)
    return board


class LabelSearch:
    """The forge, which measures sets of tunables on batches of judged positions."""

    def __init__(self, arguments, folder):
        self.command = [find(arguments.forge), "labels"]
        self.more = ["--nodes", str(arguments.nodes)]
        if arguments.net:
            self.more += ["--net", arguments.net]
        self.batch, self.tunables = folder / "batch.tsv", folder / "tunables.toml"

    def measure(self, positions, values):
        """The logarithm of the explained share, at equal nodes."""
        self.batch.write_text("\n".join(positions) + "\n", encoding="utf-8")
        write_values(self.tunables, values)
        command = [*self.command, self.batch, *self.more, "--tunables", self.tunables]
        done = subprocess.run(command, capture_output=True, text=True)
        found = re.search(r"\((\d+) searched\).* R² ([\d.]+)", done.stdout)
        if not found or float(found[2]) == 0:
            raise LabError(done.stderr.strip() or f"the forge says {done.stdout.strip()}")
        return math.log(float(found[2])) - BY_NODES * math.log(float(found[1]))


def write_values(path, values):
    text = "".join(f"{name} = {value}\n" for name, value in values.items())
    Path(path).write_text(text, encoding="utf-8")


def read_table(forge):
    """Default, range and step of each tunable."""
    done = subprocess.run([find(forge), "tune", "--list"], capture_output=True, text=True)
    rows = re.findall(r"^(\w+) +(-?\d+) +(-?\d+) +(-?\d+) +(\d+) ", done.stdout, re.MULTILINE)
    return {name: tuple(map(int, numbers)) for name, *numbers in rows}


def tune(arguments):
    positions = [line for _, line in script.read_lines(arguments.judged)]
    table = read_table(arguments.forge)
    try:
        wanted = tomllib.loads(Path(arguments.tunables).read_text(encoding="utf-8"))
    except ValueError as error:
        raise LabError(f"{arguments.tunables}: {error}") from error
    for name in wanted:
        if name not in table:
            raise LabError(f"{arguments.tunables}: no tunable is called '{name}'")
    ranges = {name: table[name] for name in wanted}
    values = {name: float(value) for name, value in wanted.items()}
    chance = random.Random(arguments.seed)

    def moved(by, signs):
        """The values, each moved by so many of its steps."""
        return {
            name: min(most, max(least, values[name] + by * signs[name] * arguments.step * step))
            for name, (_, least, most, step) in ranges.items()
        }

    def rounded(some):
        return {name: round(value) for name, value in some.items()}

    with tempfile.TemporaryDirectory() as folder:
        search = LabelSearch(arguments, Path(folder))
        for iteration in range(arguments.iterations):
            left = 1 - iteration / arguments.iterations
            batch = chance.sample(positions, min(arguments.batch, len(positions)))
            signs = {name: chance.choice((-1, 1)) for name in values}
            wide = left**STEP_DECAY
            more, less = (search.measure(batch, rounded(moved(by, signs))) for by in (wide, -wide))
            values = moved(GAIN * left**GAIN_DECAY * (more - less), signs)
            write_values(arguments.out, rounded(values))
            show_bar(iteration + 1, arguments.iterations, f"{more - less:+.3f}")
    print("\n".join(f"{name} = {value}" for name, value in rounded(values).items()))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True)
    judging = commands.add_parser("judge", help="scores positions")
    judging.add_argument("positions", help="what forge labels --sample printed")
    judging.add_argument("out", help="the file of judged positions")
    judging.add_argument("--engine", default="stockfish", help="default: stockfish")
    judging.add_argument("--nodes", type=positive(int), default=100_000, help="default: 100000")
    judging.set_defaults(run=judge)
    tuning = commands.add_parser("tune", help="tunes the label search")
    tuning.add_argument("judged", help="the file of judged positions")
    tuning.add_argument("tunables", help="TOML: the tunables and where they start")
    tuning.add_argument("out", help="the TOML file of the result")
    tuning.add_argument("--forge", default="target/release/forge", help="the forge's program")
    tuning.add_argument("--net", help="the network to use instead of the embedded one")
    tuning.add_argument("--nodes", type=positive(int), default=300, help="default: 300")
    tuning.add_argument("--iterations", type=positive(int), default=500, help="default: 500")
    tuning.add_argument("--batch", type=positive(int), default=500, help="default: 500")
    tuning.add_argument("--step", type=positive(float), default=2, help="in steps of the table")
    tuning.add_argument("--seed", type=int, default=1)
    tuning.set_defaults(run=tune)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.run(arguments)


if __name__ == "__main__":
    run_script(main)
