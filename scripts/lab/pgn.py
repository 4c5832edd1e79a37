"""Reads the games of a match as fastchess, cutechess-cli and the lab's own runner write them.

After a move they write {+0.32/9 0.038s, n=1234}: score for the side that moved, depth, time and
whatever else was asked for, and after the last one why the game ended.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn

from lab.problem import Problem

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}

THOUGHT = re.compile(
    r"(?P<score>[+-]?(?:M?\d+(?:\.\d+)?))?(?:/(?P<depth>\d+))?\s*(?P<time>\d+(?:\.\d+)?)s"
)

# The first that is found in the reason, from the most telling to the least.
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
    """A move and what the engine thought of it; a move of the opening has no thought."""

    move: chess.Move
    san: str
    # Centipawns for the side that moved; mates count as 100 pawns less a centipawn a ply.
    score: int | None = None
    # Plies to a mate, negative if the side that moved is mated.
    mate: int | None = None
    depth: int | None = None
    seconds: float | None = None
    nodes: int | None = None


@dataclass
class Game:
    """A game of a match; its moves only where they were asked for."""

    headers: dict[str, str]
    white: str
    black: str
    round: str
    result: str
    # The FEN that the game starts from.
    fen: str
    reason: str = ""
    moves: list[Move] = field(default_factory=list)

    @property
    def points(self):
        """White's points, or None as long as there is no result."""
        return POINTS.get(self.result)

    @property
    def winner(self):
        return {1.0: self.white, 0.0: self.black}.get(self.points)

    @property
    def key(self):
        """What both games of a pair share."""
        return (self.round, self.fen)

    @property
    def ending(self):
        """The kind of end that the reason tells of."""
        reason = self.reason.lower()
        return next((kind for kind, word in ENDINGS.items() if word in reason), "other")


def read(path, with_moves=True):
    """All games of a file, in its order."""
    if not Path(path).exists():
        raise Problem(f"there is no {path}")
    games = []
    with open(path, encoding="utf-8", errors="replace") as file:
        visitor = chess.pgn.GameBuilder if with_moves else chess.pgn.HeadersBuilder
        while (found := chess.pgn.read_game(file, Visitor=visitor)) is not None:
            try:
                games.append(read_game(found) if with_moves else read_headers(found))
            except ValueError as error:
                raise Problem(f"{path}, game {len(games) + 1}: {error}") from error
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
    thought = THOUGHT.match(comment)
    if not thought:
        return Move(move, san)
    nodes = re.search(r"\bn=(\d+)", comment)
    score, mate = read_score(thought["score"])
    return Move(
        move,
        san,
        score,
        mate,
        int(thought["depth"]) if thought["depth"] else None,
        float(thought["time"]),
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
    """The last part of the last comment, unless it is a thought or a figure with a name."""
    last = " ".join(comment.split()).rpartition(", ")[2]
    return "" if THOUGHT.match(last) or re.match(r"\w+=|book$", last) else last
