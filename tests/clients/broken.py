"""A UCI engine that plays random moves, and breaks in a given way.

usage: broken.py crash | hang | illegal | silent | sound
"""

import random
import sys
import time

import chess

# The move at which it breaks.
LAST = 3


def answer(board, how, count):
    if count >= LAST and how == "crash":
        sys.exit(1)
    if count >= LAST and how == "hang":
        time.sleep(3600)
    if count >= LAST and how == "illegal":
        return "a1a1"
    return random.choice(list(board.legal_moves)).uci()


def main():
    how, count, board = sys.argv[1], 0, chess.Board()
    if how == "silent":
        time.sleep(3600)
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            print("id name broken\nuciok", flush=True)
        elif words == ["isready"]:
            print("readyok", flush=True)
        elif words == ["ucinewgame"]:
            count = 0
        elif words == ["quit"]:
            break
        elif words[:1] == ["position"]:
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
            end = len(words) - len(moves) - bool(moves)
            start = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:end])
            board = chess.Board(start)
            for move in moves:
                board.push_uci(move)
        elif words[:1] == ["go"]:
            count += 1
            print(f"info depth 1 score cp 0\nbestmove {answer(board, how, count)}", flush=True)


if __name__ == "__main__":
    main()
