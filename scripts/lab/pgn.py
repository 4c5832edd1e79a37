"""Reads the games of a match as fastchess and cutechess-cli write them.

A comment such as {+0.32/9 0.038s, n=1234} follows each move: score for the side that moved, depth,
time and optional fields. The last one ends with the reason why the game ended.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn

from lab.script import LabError

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}

COMMENT = re.compile(
    r"(?P<score>[+-]?(?:M?\d+(?:\.\d+)?))?(?:/(?P<depth>\d+))?\s*(?P<time>\d+(?:\.\d+)?)s"
)

# The first ending whose words are in the reason.
ENDINGS = {
    "illegal move": "illegal",
    "time": "on time",
    "crash": "disconnect",
    "silence": "stall",
    "adjudication": "adjudication",
    "mate": "mates",
    "repetition": "repetition",
    "fifty moves": "fifty",
    "too little material": "material",
    "stalemate": "stalemate",
}


@dataclass(frozen=True)
class Move:
    """A move and the data of its search, which moves of the opening do not have."""

    move: chess.Move
    san: str
    # Centipawns for the side that moved; a mate counts 100 pawns less a centipawn per ply.
    score: int | None = None
    # Plies to a mate, negative if the side that moved is mated.
    mate: int | None = None
    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None


@dataclass
class Game:
    """A game of a match; the moves are only there if they were read."""

    headers: dict[str, str]
    white: str
    black: str
    round: str
    result: str
    # The position that the game starts from.
    fen: str
    reason: str = ""
    moves: list[Move] = field(default_factory=list)

    @property
    def points(self):
        """White's points, or None without a result."""
        return POINTS.get(self.result)

    @property
    def winner(self):
        return {1.0: self.white, 0.0: self.black}.get(self.points)

    def opponent_of(self, player):
        return self.black if player == self.white else self.white

    def points_of(self, player):
        if self.points is None or player == self.white:
            return self.points
        return 1 - self.points

    @property
    def pair(self):
        """A key that both games of a pair share."""
        return (self.round, self.fen)

    @property
    def ending(self):
        reason = self.reason.lower()
        return next((kind for kind, word in ENDINGS.items() if word in reason), "other")


def read(path, with_moves=True):
    """All games of a file, in its order."""
    if not Path(path).exists():
        raise LabError(f"there is no {path}")
    games = []
    with open(path, encoding="utf-8", errors="replace") as file:
        visitor = chess.pgn.GameBuilder if with_moves else chess.pgn.HeadersBuilder
        while (found := chess.pgn.read_game(file, Visitor=visitor)) is not None:
            try:
                games.append(read_game(found) if with_moves else read_headers(found))
            except ValueError as error:
                raise LabError(f"{path}, game {len(games) + 1}: {error}") from error
    return games


def read_headers(headers):
    variant = "chess960" in headers.get("Variant", "").lower()
    start = chess.STARTING_FEN if not variant else chess.Board(chess960=True).fen()
    return Game(
        headers=dict(headers),
        white=headers.get("White", "?"),
        black=headers.get("Black", "?"),
        round=headers.get("Round", "?"),
        result=headers.get("Result", "*"),
        fen=headers.get("FEN", start),
    )


def read_game(tree):
    game = read_headers(tree.headers)
    board = tree.board()
    comment = tree.comment
    for node in tree.mainline():
        comment = node.comment
        game.moves.append(read_move(board.san(node.move), node.move, comment))
        board.push(node.move)
    game.reason = read_reason(comment)
    return game


def read_move(san, move, comment):
    found = COMMENT.match(comment)
    if not found:
        return Move(move, san)
    nodes = re.search(r"\bn=(\d+)", comment)
    score, mate = read_score(found["score"])
    return Move(
        move,
        san,
        score,
        mate,
        int(found["depth"]) if found["depth"] else None,
        float(found["time"]),
        int(nodes[1]) if nodes else None,
    )


def read_score(text):
    if not text:
        return None, None
    if "M" not in text:
        return round(float(text) * 100), None
    plies = int(float(text.replace("M", "")))
    value = 10_000 - abs(plies)
    return (-value if text.startswith("-") else value), plies


def read_reason(comment):
    """The reason in the last comment, if there is one."""
    last = " ".join(comment.split()).rpartition(", ")[2]
    return "" if COMMENT.match(last) or re.match(r"\w+=|book$", last) else last
