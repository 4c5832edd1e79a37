"""Where games start: an EPD or FEN per line, or the final positions of the games of a PGN."""

import random
from pathlib import Path

import chess
import chess.pgn

from lab import files
from lab.errors import LabError


def read_openings(path, count=None, plies=None, seed=None, chess960=False):
    """The first boards to start from, in the order of the file or shuffled by a seed."""
    if not Path(path).is_file():
        raise LabError(f"there is no file of openings {path}")
    is_pgn = Path(path).suffix.lower() == ".pgn"
    openings = read_pgn(path, plies, chess960) if is_pgn else files.read_lines(path)
    if not openings:
        raise LabError(f"{path} has no openings")
    if seed is not None:
        random.Random(seed).shuffle(openings)
    openings = openings[:count]
    if is_pgn:
        return openings
    return files.parse_lines(path, openings, lambda line: read_line(line, chess960))


def read_line(line, chess960):
    board = chess.Board(chess960=chess960)
    words = line.split()
    if len(words) >= 6 and words[4].isdecimal() and words[5].rstrip(";").isdecimal():
        board.set_fen(" ".join(words[:6]).rstrip(";"))
    else:
        board.set_epd(line)
    return checked(board)


def read_pgn(path, plies, chess960):
    boards = []
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            try:
                if game.errors:
                    raise ValueError(game.errors[0])
                board = chess.Board(game.board().fen(), chess960=chess960)
                for move in list(game.mainline_moves())[:plies]:
                    board.push(move)
                # The game starts here, without the moves before.
                boards.append(checked(board.copy(stack=False)))
            except ValueError as error:
                raise LabError(f"{path}, game {len(boards) + 1}: {error}") from error
    return boards


def checked(board):
    if not board.is_valid():
        raise ValueError("no legal position")
    if board.is_game_over():
        raise ValueError("the game is over where it should start")
    return board
