"""Endgame tables against python-chess's reader: WDL and DTZ of random positions, and won endings
played against the best defence.

usage: tables.py ENGINE FOLDER POSITIONS STARTS
"""

import random
import re
import subprocess
import sys
from pathlib import Path

import chess
import chess.engine
import chess.syzygy

ENDINGS = ["KBNvK", "KQvKR", "KPvK", "KRvK"]
NODES = 3000

WIN = 2


def random_position(name, rng):
    """The pieces of a table on random squares, for either color."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, len(name) - 1)
        colors = rng.sample(chess.COLORS, 2)
        for color, letters in zip(colors, name.split("v")):
            for letter in letters.lower():
                kind = chess.Piece.from_symbol(letter).piece_type
                board.set_piece_at(squares.pop(), chess.Piece(kind, color))
        board.turn = rng.choice(chess.COLORS)
        if board.is_valid() or board.status() == chess.STATUS_IMPOSSIBLE_CHECK:
            return with_double_push(board, rng)


def with_double_push(board, rng):
    """Makes half of the positions follow a double push, if possible."""
    jumps = [move for move in board.legal_moves if abs(move.to_square - move.from_square) == 16]
    jumps = [move for move in jumps if board.piece_type_at(move.from_square) == chess.PAWN]
    if jumps and rng.random() < 0.5:
        board.push(rng.choice(jumps))
        board.clear_stack()
    return board


def agree(engine, folder, tables, count, rng):
    names = sorted({path.stem for path in Path(folder).glob("*.rtbw")})
    boards = [random_position(rng.choice(names), rng) for _ in range(count)]
    lines = [f"setoption name SyzygyPath value {folder}"]
    lines += [f"position fen {board.fen()}\nd" for board in boards]
    done = subprocess.run(engine, input="\n".join(lines) + "\n", capture_output=True, text=True)
    answers = re.findall(r"^Tablebase: WDL (-?\d), DTZ (-?\d+)$", done.stdout, re.MULTILINE)
    assert len(answers) == count, f"{len(answers)} answers about {count} positions"
    for board, (wdl, dtz) in zip(boards, answers):
        wanted = tables.probe_wdl(board), tables.probe_dtz(board)
        assert (int(wdl), int(dtz)) == wanted, f"{wdl}, {dtz}, not {wanted}: {board.fen()}"
    print(f"{count} positions of {len(names)} tables agree")


def defend(board, tables):
    """The defence that delays the win longest."""

    def distance(move):
        board.push(move)
        found = tables.probe_wdl(board), -tables.probe_dtz(board)
        board.pop()
        return found

    return min(board.legal_moves, key=distance)


def win(player, board, tables):
    """Plays to mate, and returns the highest halfmove clock."""
    highest, start = 0, board.fen()
    while not board.is_checkmate():
        board.push(player.play(board, chess.engine.Limit(nodes=NODES)).move)
        highest = max(highest, board.halfmove_clock)
        what = f"{start} after {[move.uci() for move in board.move_stack]}"
        assert not board.is_repetition(3), f"repeated: {what}"
        if not board.is_checkmate():
            assert tables.probe_wdl(board) == -WIN, f"given away: {what}"
            spent = board.halfmove_clock - tables.probe_dtz(board)
            assert spent <= 100, f"too late: {what}"
            board.push(defend(board, tables))
            highest = max(highest, board.halfmove_clock)
    return highest


def play_out(engine, folder, tables, starts, rng):
    player = chess.engine.SimpleEngine.popen_uci(engine)
    player.configure({"SyzygyPath": folder})
    for name in ENDINGS:
        highest = moves = played = 0
        while played < starts:
            board = random_position(name, rng)
            if tables.probe_wdl(board) == WIN and board.legal_moves:
                highest = max(highest, win(player, board, tables))
                moves += len(board.move_stack)
                played += 1
        print(f"{name}: {starts} won in {moves // starts} plies each, {highest} without progress")
    player.quit()


def main(engine, folder, positions, starts):
    rng = random.Random(88)
    with chess.syzygy.open_tablebase(folder) as tables:
        agree(engine, folder, tables, int(positions), rng)
        play_out(engine, folder, tables, int(starts), rng)


if __name__ == "__main__":
    main(*sys.argv[1:])
