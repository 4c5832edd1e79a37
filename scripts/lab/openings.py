"""The positions that games begin from: an EPD or FEN a line, or the ends of the games of a PGN."""

import random
from pathlib import Path

import chess
import chess.pgn

from lab.problem import Problem


def read_openings(path, count, plies, seed, chess960):
    """The first boards to begin from, in the order of the file or shuffled by a seed."""
    if not Path(path).is_file():
        raise Problem(f"there is no file of openings {path}")
    is_pgn = Path(path).suffix.lower() == ".pgn"
    openings = read_pgn(path, plies, chess960) if is_pgn else read_lines(path)
    if not openings:
        raise Problem(f"{path} has no openings")
    if seed is not None:
        random.Random(seed).shuffle(openings)
    return openings[:count] if is_pgn else read_epd(path, openings[:count], chess960)


def read_lines(path):
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise Problem(f"{path} is no text") from error
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def read_epd(path, lines, chess960):
    boards = []
    for number, line in lines:
        try:
            boards.append(playable(read_line(line, chess960)))
        except ValueError as error:
            raise Problem(f"{path}, line {number}: {error}") from error
    return boards


def read_line(line, chess960):
    board = chess.Board(chess960=chess960)
    words = line.split()
    if len(words) >= 6 and words[4].isdecimal() and words[5].rstrip(";").isdecimal():
        board.set_fen(" ".join(words[:6]).rstrip(";"))
    else:
        board.set_epd(line)
    return board


def read_pgn(path, plies, chess960):
    boards = []
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            number = len(boards) + 1
            if game.errors:
                raise Problem(f"{path}, game {number}: {game.errors[0]}")
            try:
                board = chess.Board(game.board().fen(), chess960=chess960)
                for move in list(game.mainline_moves())[:plies]:
                    board.push(move)
                # What led to it is no part of the game.
                boards.append(playable(board.copy(stack=False)))
            except ValueError as error:
                raise Problem(f"{path}, game {number}: {error}") from error
    return boards


def playable(board):
    if not board.is_valid():
        raise ValueError("no legal position")
    if board.is_game_over():
        raise ValueError("the game is over where it should begin")
    return board
