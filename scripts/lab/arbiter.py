"""When a game is over, by the rules of chess or by adjudication."""

import contextlib
from dataclasses import dataclass

import chess
import chess.syzygy

from lab.errors import LabError

# Centipawns of a mate: more than any rule asks for.
MATE = 10_000_000


@dataclass(frozen=True)
class Rules:
    """When games are adjudicated; scores are in centipawns."""

    # First move, how many moves of each side, and how near to 0 all their scores are.
    draw: tuple[int, int, int] | None = None
    # How many moves of one engine, and how far behind it is in all of them.
    resign: tuple[int, int] | None = None
    # The length of a game, in moves of each side.
    most_moves: int | None = None
    # The folder of Syzygy tables.
    tables: str | None = None


@dataclass(frozen=True)
class Verdict:
    """A result, its reason, and the Termination tag of the PGN standard."""

    result: str
    reason: str
    termination: str = "normal"


def win(colour, reason, termination="normal"):
    return Verdict("1-0" if colour else "0-1", reason, termination)


def open_tables(folder):
    tables = chess.syzygy.Tablebase()
    try:
        if not tables.add_directory(folder):
            raise LabError(f"there are no Syzygy tables in {folder}")
    except OSError as error:
        raise LabError(f"{folder}: {error}") from error
    return tables


class Arbiter:
    """Follows one game."""

    def __init__(self, rules, tables):
        self.rules = rules
        self.tables = tables
        self.moves = 0
        self.quiet = 0
        self.behind = {chess.WHITE: 0, chess.BLACK: 0}

    def judge(self, board, score):
        """The verdict after a move with its score, or None if the game goes on."""
        self.note(board, score)
        return (
            self.by_rules(board)
            or self.by_tables(board)
            or self.by_scores(board)
            or self.by_length()
        )

    def note(self, board, score):
        rules, mover = self.rules, not board.turn
        self.moves += 1
        if board.halfmove_clock == 0:
            self.quiet = 0
        points = None if score is None else score.pov(mover).score(mate_score=MATE)
        if rules.draw:
            level = points is not None and abs(points) <= rules.draw[2]
            self.quiet = self.quiet + 1 if level else 0
        if rules.resign:
            lost = points is not None and points <= -rules.resign[1]
            self.behind[mover] = self.behind[mover] + 1 if lost else 0

    def by_rules(self, board):
        if board.is_checkmate():
            winner = not board.turn
            return win(winner, f"{colour_name(winner)} mates")
        if board.is_stalemate():
            return Verdict("1/2-1/2", "Draw by stalemate")
        if board.is_insufficient_material():
            return Verdict("1/2-1/2", "Draw by insufficient mating material")
        if board.halfmove_clock >= 100:
            return Verdict("1/2-1/2", "Draw by fifty moves rule")
        if board.is_repetition(3):
            return Verdict("1/2-1/2", "Draw by 3-fold repetition")
        return None

    def by_tables(self, board):
        if self.tables is None or board.castling_rights:
            return None
        with contextlib.suppress(KeyError):
            outcome = self.tables.probe_wdl(board)
            if abs(outcome) < 2:
                return adjudicate(None, ": SyzygyTB")
            return adjudicate(board.turn if outcome > 0 else not board.turn, ": SyzygyTB")
        return None

    def by_scores(self, board):
        rules = self.rules
        for colour in chess.COLORS:
            if rules.resign and self.behind[colour] >= rules.resign[0]:
                return adjudicate(not colour)
        if rules.draw and board.fullmove_number > rules.draw[0] and self.quiet >= 2 * rules.draw[1]:
            return adjudicate(None)
        return None

    def by_length(self):
        if self.rules.most_moves and self.moves >= 2 * self.rules.most_moves:
            return adjudicate(None)
        return None


def adjudicate(winner, by=""):
    """The verdict for the winner's colour, or a draw."""
    if winner is None:
        return Verdict("1/2-1/2", f"Draw by adjudication{by}", "adjudication")
    return win(winner, f"{colour_name(winner)} wins by adjudication{by}", "adjudication")


def colour_name(colour):
    return chess.COLOR_NAMES[colour].capitalize()
