"""Matches that are played side by side; after a stop they go on."""

import contextlib
import sys

from lab import runner, schedule
from lab.progress import show_bar


def play(matches, games, openings, conditions, record):
    """Plays the games of each match that the record lacks, and adds them to it."""
    plan = schedule.plan(matches, (games + 1) // 2, openings)
    done = record.resume()
    left = [pairing for pairing in plan if pairing.key not in done]
    # After a stop all matches are about equally far.
    left.sort(key=lambda pairing: pairing.number)
    try:
        with contextlib.closing(runner.games(left, conditions)) as texts:
            for number, text in enumerate(texts, 1):
                record.add(text)
                show_bar(number, len(left), "games")
    except KeyboardInterrupt:
        print("stopped: the same command goes on", file=sys.stderr)
        raise
