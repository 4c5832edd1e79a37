"""Habits of a player: castling, idle king moves, promotions, blunders."""

import math
from dataclasses import dataclass

import chess
import chess.engine
import chess.pgn

# Longer games are drawn.
MOST_MOVES = 200

# The moves by which a side should have castled, and during which its king should stay at home.
CASTLED_BY, AT_HOME = 12, 20

# A move that loses this share of the winning chances is a blunder.
BLUNDER = 0.15

# The nodes of searches for blunders and promotions, and of those for refutations.
NODES, DEEP_NODES = 10_000, 100_000

# The score of a mate in centipawns.
MATE = 10_000

VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}


def play_game(players, seed, limit, names):
    """A game between two engines from the starting position."""
    for number, engine in enumerate(players):
        engine.configure({"Seed": seed + 1000 * number})
    board, key = chess.Board(), object()
    while not is_over(board):
        board.push(players[board.ply() % 2].play(board, limit, game=key).move)
    game = chess.pgn.Game.from_board(board)
    game.headers.update(White=names[0], Black=names[1], Round=str(seed))
    return game


def is_over(board):
    return (
        board.is_game_over()
        or board.halfmove_clock >= 100
        or board.is_repetition(3)
        or board.ply() >= 2 * MOST_MOVES
    )


def positions(game):
    """The positions of a game, with the move that was played in each."""
    board = game.board()
    for move in game.mainline_moves():
        yield board.copy(stack=False), move
        board.push(move)


@dataclass
class Habits:
    """Counts of some games, over both sides."""

    sides: int = 0
    castled: int = 0
    idle_king: int = 0

    def add(self, game):
        self.sides += 2
        for board, move in positions(game):
            number = board.fullmove_number
            if board.is_castling(move):
                self.castled += number <= CASTLED_BY
            elif board.piece_type_at(move.from_square) == chess.KING and number <= AT_HOME:
                self.idle_king += not (board.is_capture(move) or board.is_check())


def underpromotions(game):
    return [
        (board, move)
        for board, move in positions(game)
        if move.promotion not in (None, chess.QUEEN)
    ]


def is_worse_than_a_queen(judge, board, move):
    """Whether a queen would have been better than the piece that a pawn became."""
    queen = chess.Move(move.from_square, move.to_square, chess.QUEEN)
    limit = chess.engine.Limit(nodes=NODES)

    def score(root):
        info = judge.analyse(board, limit, root_moves=[root], game=object())
        return info["score"].relative.score(mate_score=MATE)

    return score(move) < score(queen)


def chances(centipawns):
    """The winning chances, between 0 and 1, by lichess's formula."""
    return 1 / (1 + math.exp(-0.00368208 * centipawns))


@dataclass(frozen=True)
class Blunder:
    """A blunder, and the plies until it costs material; None if it does not."""

    board: chess.Board
    move: chess.Move
    refutation: list
    plies: int | None


def blunders(judge, game):
    """The blunders of a game. A move that only returns the gift of the opponent's last move is not one: it missed a
    chance, and nothing refutes it."""
    key = object()

    def judged(board, nodes):
        if board.is_game_over():
            return (-MATE if board.is_checkmate() else 0), []
        info = judge.analyse(board, chess.engine.Limit(nodes=nodes), game=key)
        return info["score"].relative.score(mate_score=MATE), info.get("pv", [])

    # The side to move's score before the opponent's last move, and now.
    found, earlier, before = [], 1, None
    for board, move in positions(game):
        after = board.copy(stack=False)
        after.push(move)
        best = judged(board, NODES)[0] if before is None else before
        reply = judged(after, NODES)[0]
        had = min(earlier, chances(best))
        if had - chances(-reply) >= BLUNDER:
            best = judged(board, DEEP_NODES)[0]
            reply, line = judged(after, DEEP_NODES)
            if min(had, chances(best)) - chances(-reply) >= BLUNDER:
                found.append(Blunder(board, move, line, plies_of_refutation(board, move, line)))
        earlier, before = chances(-best), reply
    return found


def plies_of_refutation(board, move, line):
    """The plies until the line wins material for good, or mates."""
    side, board = not board.turn, board.copy(stack=False)
    start = material(board, side)
    balances = []
    board.push(move)
    for reply in line:
        board.push(reply)
        balances.append(material(board, side))
    if board.is_checkmate():
        return len(line)
    lasting = len(balances)
    while lasting and balances[lasting - 1] > start:
        lasting -= 1
    return lasting + 1 if lasting < len(balances) else None


def material(board, side):
    def count(color):
        return sum(value * len(board.pieces(piece, color)) for piece, value in VALUES.items())

    return count(side) - count(not side)
