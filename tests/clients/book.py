"""Compares the opening books that the engine reads with python-chess's reader.

usage: book.py ENGINE
"""

import os
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import chess
import chess.polyglot

from skips import skip

# Positions and their book moves; castling is the king taking its rook, as in the format.
SMALL = {
    chess.STARTING_FEN: [("e2e4", 9), ("d2d4", 3), ("e2e5", 5), ("a2a3", 0)],
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1": [("e1h1", 2), ("e1a1", 1)],
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1": [("e8h8", 2), ("e8a8", 1)],
    "4k3/8/8/8/pP6/8/8/4K3 b - b3 0 1": [("a4b3", 7)],
    "4k3/P7/8/8/8/8/8/4K3 w - - 0 1": [("a7a8q", 4), ("a7a8n", 3), ("a7a8r", 2), ("a7a8b", 1)],
}

POSITIONS = 50


def write_small(path):
    entries = []
    for fen, moves in SMALL.items():
        for word, weight in moves:
            move = chess.Move.from_uci(word)
            coded = move.to_square | move.from_square << 6
            coded |= (move.promotion - 1 if move.promotion else 0) << 12
            key = chess.polyglot.zobrist_hash(chess.Board(fen))
            entries.append((key, coded, weight, 0))
    entries.sort(key=lambda entry: entry[0])
    path.write_bytes(b"".join(struct.pack(">QHHI", *entry) for entry in entries))


def walk(reader, count):
    """Random positions of a book."""
    rng = random.Random(8)
    found = set()
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(25)):
            entries = list(reader.find_all(board))
            if not entries:
                break
            board.push(rng.choice(entries).move)
        if reader.get(board):
            found.add(board.fen())
    return sorted(found)


def compare(engine, book, reader, fens):
    for fen in fens:
        command = [engine, "book", book, fen]
        shown = subprocess.run(command, capture_output=True, text=True, check=True)
        rows = [line.split() for line in shown.stdout.splitlines()[1:]]
        own = [(row[1], int(row[2])) for row in rows]
        theirs = reader.find_all(chess.Board(fen), minimum_weight=0)
        theirs = [(entry.move.uci(), entry.weight) for entry in theirs]
        assert sorted(own) == sorted(theirs) and own, f"{fen}: {own}, {theirs}"
        weights = [weight for _, weight in own]
        assert weights == sorted(weights, reverse=True), f"{fen}: {own}"
    print(f"{book}: {len(fens)} positions agree")


def main():
    engine = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder, "small.bin")
        write_small(small)
        with chess.polyglot.open_reader(small) as reader:
            compare(engine, small, reader, SMALL)
    beside = Path(__file__).parents[2] / "../shared/data"
    large = Path(os.environ.get("ZEBU_DATA", beside), "books/performance.bin")
    if not large.exists():
        skip("data", f"there is no {large} (see ZEBU_DATA in tests/README.md)")
        return
    with chess.polyglot.open_reader(large) as reader:
        compare(engine, large, reader, walk(reader, POSITIONS))


if __name__ == "__main__":
    main()
