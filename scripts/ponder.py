"""Plays a UCI engine against itself with pondering, and counts losses on time.

fastchess does not ponder. One game a processor is played, after random openings. Where the system allows it
(root), this program comes before all others, so that on a busy machine the waits are the engine's; else its own
count as the engine's too.
"""

import argparse
import asyncio
import contextlib
import os
import random
from pathlib import Path

import chess
import chess.engine

from lab.script import CONCURRENCY, LabError, positive, run_script

OPENING_PLIES = 8

# Longer games are drawn.
MOST_PLIES = 300

NICENESS = os.getpriority(os.PRIO_PROCESS, 0)


def as_others():
    os.setpriority(os.PRIO_PROCESS, 0, NICENESS)


async def play(arguments, number):
    """Plays a game, and returns how it ended."""
    start, increment = arguments.clock
    clocks = [start, start]
    rng = random.Random(number)
    board = chess.Board()
    while board.ply() < OPENING_PLIES:
        board.push(rng.choice(list(board.legal_moves)))
    engines = []
    for _ in chess.COLORS:
        _, engine = await chess.engine.popen_uci([str(arguments.engine)], preexec_fn=as_others)
        await engine.configure({"Hash": 4})
        engines.append(engine)
    now = asyncio.get_running_loop().time
    try:
        while board.ply() < MOST_PLIES and not board.is_game_over(claim_draw=True):
            black, white = clocks
            limit = chess.engine.Limit(
                white_clock=white, black_clock=black, white_inc=increment, black_inc=increment
            )
            engine, begun = engines[board.turn], now()
            result = await engine.play(board, limit, game=number, ponder=True)
            took = now() - begun
            left = clocks[board.turn]
            if took > left:
                return f"lost on time, ply {board.ply()}: {took:.3f} s of {left:.3f}"
            clocks[board.turn] = left - took + increment
            board.push(result.move)
        return "ended"
    finally:
        for engine in engines:
            await engine.quit()


async def play_all(arguments):
    numbers = iter(range(1, arguments.games + 1))

    async def player():
        for number in numbers:
            print(f"game {number} {await play(arguments, number)}", flush=True)

    await asyncio.gather(*(player() for _ in range(CONCURRENCY)))


def clock(text):
    start, _, increment = text.partition("+")
    return positive(float)(start), float(increment or 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", type=Path)
    parser.add_argument("--games", type=positive(int), default=100)
    parser.add_argument(
        "--clock",
        type=clock,
        default=(1.0, 0.02),
        metavar="SECONDS+INCREMENT",
        help="1+0.02 if none is named",
    )
    arguments = parser.parse_args()
    if not arguments.engine.is_file():
        raise LabError(f"{arguments.engine} is no engine")
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    asyncio.run(play_all(arguments))


if __name__ == "__main__":
    run_script(main)
