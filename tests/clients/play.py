"""python-chess plays games with the engine: by the clock, pondering, analysing, Chess960.

usage: play.py ENGINE GAMES

python-chess checks every move and every PV; its warnings count as failures.
"""

import asyncio
import itertools
import logging
import random
import sys

import chess
import chess.engine

# Longer games are drawn.
MOST_PLIES = 300


def opening(board, plies, rng):
    for _ in range(plies):
        moves = list(board.legal_moves)
        if moves:
            board.push(rng.choice(moves))
    return board


def over(board):
    return board.is_game_over(claim_draw=True) or board.ply() >= MOST_PLIES


async def by_the_clock(engine, board):
    """Plays with simulated clocks that start at two seconds and lose a twentieth per move."""
    clock = 2.0
    while not over(board):
        clock = 0.95 * clock + 0.02
        limit = chess.engine.Limit(
            white_clock=clock, black_clock=clock, white_inc=0.02, black_inc=0.02
        )
        result = await engine.play(board, limit, info=chess.engine.INFO_ALL)
        check(board, result)
        board.push(result.move)


async def pondering(engine, board):
    """Plays with one side pondering. Half of its ponder moves are played, otherwise random moves."""
    rng = random.Random(board.fen())
    while not over(board):
        limit = chess.engine.Limit(time=0.02)
        result = await engine.play(board, limit, ponder=True, info=chess.engine.INFO_ALL)
        check(board, result)
        board.push(result.move)
        if over(board):
            break
        guessed = result.ponder is not None and rng.random() < 0.5
        board.push(result.ponder if guessed else rng.choice(list(board.legal_moves)))


async def analysing(engine, board):
    while not over(board):
        wanted = min(3, board.legal_moves.count())
        lines = await engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
        assert len(lines) == wanted, f"{len(lines)} lines, not {wanted}, in {board.fen()}"
        firsts = [line["pv"][0] for line in lines]
        assert len(set(firsts)) == wanted, f"{firsts} in {board.fen()}"
        for line in lines:
            follow(board, line["pv"])
        board.push(firsts[0])


def check(board, result):
    assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
    follow(board, result.info.get("pv", []))
    if result.ponder:
        follow(board, [result.move, result.ponder])


def follow(board, line):
    board = board.copy(stack=False)
    for move in line:
        assert board.is_legal(move), f"{move} of {line} in {board.fen()}"
        board.push(move)


async def main(program, games):
    warnings = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: warnings.append(record.getMessage())
    logging.getLogger("chess.engine").addHandler(handler)
    _, engine = await chess.engine.popen_uci(program)
    rng = random.Random(88)
    kinds = itertools.cycle([by_the_clock, pondering, analysing, by_the_clock])
    for number, kind in zip(range(games), kinds):
        shuffled = number % 4 == 3
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if shuffled else chess.Board()
        board = opening(board, 6, rng)
        if over(board):
            continue
        await kind(engine, board)
        name = kind.__name__ + (" in Chess960" if shuffled else "")
        result = board.result(claim_draw=True)
        print(f"game {number + 1}: {name}, {result} after {board.ply()} plies", flush=True)
    await engine.quit()
    if warnings:
        sys.exit("python-chess warns:\n" + "\n".join(warnings))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
