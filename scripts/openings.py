"""Makes balanced openings: random moves, kept if a search finds them even.

The seed and the settings determine the openings, on any number of cores. The file is EPD; ce is the
score of the side to move in centipawns.
"""

import argparse
import contextlib
import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.engine

from lab.arguments import positive
from lab.errors import LabError, run_script
from lab.progress import show_bar
from lab.simple_engine import start, watchdog

ENGINE = Path(__file__).parent.parent / "target" / "release" / "zebu"

# The search of one thread is reproducible.
DEFAULTS = {"Hash": 1, "Threads": 1}

# Seconds that a search may take.
PATIENCE = 60

# Gives up after this many random games in a row without an opening.
MOST_TRIED = 5_000

# Longer random games are almost over.
MOST_PLIES = 60


def play_at_random(rng, plies):
    """A position after random moves, or None if it is check or the game is over."""
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(rng.choice(moves))
    return None if board.is_check() or board.is_game_over() else board


def evaluate(engine, board, limit):
    """The score of a search, None for a mate; each position is a new game."""
    with watchdog(engine, PATIENCE, f"{engine.id.get('name', 'the engine')} fails"):
        info = engine.analyse(board, limit, game=object())
    if "score" not in info:
        raise LabError(f"no score for {board.fen()}")
    return info["score"].relative.score()


def evaluate_all(engines, boards, limit):
    """The score of each board, in order."""
    shares = [boards[number :: len(engines)] for number in range(len(engines))]

    def evaluate_share(engine, share):
        return [evaluate(engine, board, limit) for board in share]

    with ThreadPoolExecutor(len(engines)) as pool:
        scores = list(pool.map(evaluate_share, engines, shares))
    return [scores[number % len(engines)][number // len(engines)] for number in range(len(boards))]


def find(engines, arguments):
    """Different balanced openings with their scores, as long as there are any."""
    limit = chess.engine.Limit(nodes=arguments.nodes)
    rng = random.Random(arguments.seed)
    seen, tried, batch = set(), 0, 8 * len(engines)
    while tried < MOST_TRIED:
        boards = []
        for board in (play_at_random(rng, arguments.plies) for _ in range(batch)):
            # Without the counters: transpositions are the same opening.
            if board and board.epd() not in seen:
                seen.add(board.epd())
                boards.append(board)
        tried += batch
        for board, score in zip(boards, evaluate_all(engines, boards, limit)):
            if score is not None and abs(score) <= 100 * arguments.balance:
                tried = 0
                yield board, score


def write(file, engines, arguments):
    for done, (board, score) in enumerate(find(engines, arguments), 1):
        epd = board.epd(ce=score, hmvc=board.halfmove_clock, fmvn=board.fullmove_number)
        print(epd, file=file, flush=True)
        show_bar(done, arguments.count, "openings")
        if done == arguments.count:
            return
    raise LabError("no more openings: allow more with --plies or --balance")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Makes balanced openings from random moves, judged by an engine."
    )
    parser.add_argument("file", help="the EPD file to write")
    parser.add_argument("--count", type=positive(int), default=1000, metavar="N")
    parser.add_argument("--plies", type=positive(int), default=8, metavar="N")
    parser.add_argument("--balance", type=positive(float), default=0.5, metavar="PAWNS")
    parser.add_argument("--nodes", type=positive(int), default=10000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--engine", default=str(ENGINE), metavar="PATH", help="default: Zebu")
    parser.add_argument(
        "--concurrency", type=positive(int), default=os.cpu_count(), metavar="N", help="engines"
    )
    arguments = parser.parse_args()
    if arguments.plies > MOST_PLIES:
        parser.error(f"{MOST_PLIES} plies at most")
    return arguments


def main():
    arguments = parse_arguments()
    with contextlib.ExitStack() as stack:
        # If the engines do not start, an older file stays as it is.
        engines = [start(stack, arguments.engine, DEFAULTS) for _ in range(arguments.concurrency)]
        with open(arguments.file, "w", encoding="utf-8") as file:
            write(file, engines, arguments)
        for engine in engines:
            engine.quit()


if __name__ == "__main__":
    run_script(main)
