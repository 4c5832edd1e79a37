"""Makes balanced openings that are nobody's: random moves, kept if an engine finds them even.

The seed and the settings say which openings come out, on however many cores they are made. The file
is EPD; ce is the score in centipawns that the side to move had in the search.
"""

import argparse
import contextlib
import os
import random
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import chess.engine

from lab.problem import Problem
from lab.script import positive, show_progress
from lab.searches import ends_within, start

ENGINE = Path(__file__).parent.parent / "target" / "release" / "zebu"

# One thread, whose search is the same each time.
USUAL = {"Hash": 1, "Threads": 1}

# Seconds that a search may take.
PATIENCE = 60

# So many random games in a row without an opening, and there are no more to be found.
MOST_TRIED = 5_000

# Longer random games are all but over.
MOST_PLIES = 60


def play_at_random(chance, plies):
    """A position after random moves with something left to decide, or None."""
    board = chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(chance.choice(moves))
    return None if board.is_check() or board.is_game_over() else board


def judge(engine, board, limit):
    """The score that an engine that knows of no other position gives, None for a mate."""
    with ends_within(engine, PATIENCE):
        info = engine.analyse(board, limit, game=object())
    if "score" not in info:
        raise Problem(f"no score for {board.fen()}")
    return info["score"].relative.score()


def judge_all(engines, boards, limit):
    """The score of each board, in order, whichever engine is free."""
    shares = [boards[number :: len(engines)] for number in range(len(engines))]

    def judge_share(engine, share):
        return [judge(engine, board, limit) for board in share]

    with ThreadPoolExecutor(len(engines)) as pool:
        scores = list(pool.map(judge_share, engines, shares))
    return [scores[number % len(engines)][number // len(engines)] for number in range(len(boards))]


def find(engines, arguments):
    """Balanced openings as long as there are any, each once and with its score."""
    limit = chess.engine.Limit(nodes=arguments.nodes)
    chance = random.Random(arguments.seed)
    seen, tried, batch = set(), 0, 8 * len(engines)
    while tried < MOST_TRIED:
        boards = []
        for board in (play_at_random(chance, arguments.plies) for _ in range(batch)):
            # The first four fields: the same position after other moves is no other opening.
            if board and board.epd() not in seen:
                seen.add(board.epd())
                boards.append(board)
        tried += batch
        for board, score in zip(boards, judge_all(engines, boards, limit)):
            if score is not None and abs(score) <= 100 * arguments.balance:
                tried = 0
                yield board, score


def write(file, engines, arguments):
    for done, (board, score) in enumerate(find(engines, arguments), 1):
        epd = board.epd(ce=score, hmvc=board.halfmove_clock, fmvn=board.fullmove_number)
        print(epd, file=file, flush=True)
        show_progress(done, arguments.count, "openings")
        if done == arguments.count:
            return
    raise Problem("no more openings are to be found: allow more with --plies or --balance")


def parse_arguments():
    parser = argparse.ArgumentParser(
        description="Makes balanced openings of random moves, judged by an engine."
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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with contextlib.ExitStack() as stack:
            # First the engines: if there are none, an older file stays as it is.
            engines = [
                start(stack, arguments.engine, USUAL, {}) for _ in range(arguments.concurrency)
            ]
            with open(arguments.file, "w", encoding="utf-8") as file:
                write(file, engines, arguments)
            for engine in engines:
                engine.quit()
    except (Problem, OSError) as error:
        sys.exit(f"openings.py: {error}")
    except chess.engine.EngineError as error:
        sys.exit(f"openings.py: {arguments.engine} fails: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
