"""Rated puzzles: whether a player solves them, and the rating at which it solves half."""

import csv
from dataclasses import dataclass

import chess

from lab import rating
from lab.script import LabError


@dataclass(frozen=True)
class Puzzle:
    """A position and the line that solves it, with the replies of the other side."""

    number: int
    fen: str
    line: tuple
    rating: int
    is_mate: bool


def read(path, remainder):
    """The puzzles in the even rows (0) or in the odd ones (1), the first row of puzzles being 1."""
    puzzles = []
    with open(path, encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            try:
                if number % 2 == remainder:
                    puzzles.append(read_row(number, row))
            except (KeyError, TypeError, ValueError) as error:
                raise LabError(f"{path}, puzzle {number}: {error}") from error
    if not puzzles:
        raise LabError(f"{path} has no puzzles")
    return puzzles


def read_row(number, row):
    board, themes = chess.Board(row["FEN"]), row["Themes"].split()
    # The first move is the mistake that allows the rest.
    mistake, *line = map(chess.Move.from_uci, row["Moves"].split())
    if not line or not board.is_legal(mistake):
        raise ValueError("no line that solves it")
    board.push(mistake)
    return Puzzle(number, board.fen(), tuple(line), int(row["Rating"]), "mate" in themes)


def is_solved(puzzle, play):
    """Whether all moves are those of the line, or mate sooner; play gives a move for a board."""
    board = chess.Board(puzzle.fen)
    for ply in range(0, len(puzzle.line), 2):
        move = play(board)
        board.push(move)
        if board.is_checkmate():
            return True
        if move != puzzle.line[ply]:
            return False
        for reply in puzzle.line[ply + 1 : ply + 2]:
            board.push(reply)
    return True


def half(results):
    """The rating at which half are solved, from pairs of a puzzle and whether it is solved.

    The model is that of ratings, by which lichess has rated the puzzles: 400 more make it ten times
    as hard.
    """
    return rating.rate(
        [rating.Result(puzzle.rating, float(solved), puzzle.number) for puzzle, solved in results]
    )
