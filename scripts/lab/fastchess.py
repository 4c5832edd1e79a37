"""Matches played by fastchess."""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from lab import pgn, statistics
from lab.engines import find
from lab.script import LabError

# Longer games are drawn.
MOST_MOVES = 200


@dataclass(frozen=True)
class Engine:
    """An engine of a match, with a limit in fastchess's notation: st=0.1, tc=1+0.02, st=60 depth=4."""

    name: str
    program: str
    limit: str
    options: dict = field(default_factory=dict)

    def words(self):
        options = [f"option.{name}={str(value).lower()}" for name, value in self.options.items()]
        # A busy machine must not lose games on time.
        return [
            "-engine",
            f"name={self.name}",
            f"cmd={self.program}",
            *self.limit.split(),
            "timemargin=1000",
            *options,
        ]


def played(path, first, second):
    """The Tally of the first engine against the second in the games of a file."""
    games = pgn.read(path, with_moves=False) if os.path.exists(path) else []
    return statistics.count(games, first.name, second.name)


def play(path, first, second, games, openings, concurrency):
    """Plays the games that the file lacks, and returns the Tally of the first engine."""
    pairs = sum(played(path, first, second).pairs)
    rounds = (games + 1) // 2 - pairs
    if rounds > 0:
        kind = "pgn" if openings.lower().endswith(".pgn") else "epd"
        command = [
            find("fastchess"),
            *first.words(),
            *second.words(),
            "-openings",
            f"file={os.path.abspath(openings)}",
            f"format={kind}",
            "order=random",
            f"start={pairs + 1}",
            "-srand",
            "1",
            "-repeat",
            "-rounds",
            str(rounds),
            "-maxmoves",
            str(MOST_MOVES),
            "-concurrency",
            str(concurrency),
            "-recover",
            "-pgnout",
            f"file={os.path.abspath(path)}",
            "nodes=true",
        ]
        # fastchess leaves a file in its folder.
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command, cwd=folder, stdout=sys.stderr, check=False)
        if done.returncode:
            raise LabError(f"fastchess ends with status {done.returncode}")
    return played(path, first, second)
