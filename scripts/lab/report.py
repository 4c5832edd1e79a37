"""Makes a page of a match's PGN that a browser shows: one file, in need of nothing else.

The figures are computed here; the page is put together from the files in the folder page, and draws
them itself.
"""

import html
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import median

import chess
import chess.svg

from lab import pgn, statistics
from lab.problem import Problem

PARTS = Path(__file__).parent / "page"
SCRIPTS = ("make.js", "charts.js", "board.js", "views.js", "games.js", "page.js")

# Points of all curves over games together: more cannot be seen.
POINTS = 240

# Depth, time and speed are shown up to this move, as long as so many games went on.
LAST_MOVE = 100
FEWEST_GAMES = 3


def write(pgn_path, html_path, *, engine=None, sprt=None, title=None, notes=()):
    """Writes the report of a match.

    engine is the one whose match it is, at first: by default the first White. sprt is the test that
    the LLR is shown of. notes are pairs of words, what was set and how, to be shown with the result.
    """
    games = pgn.read(pgn_path)
    if not games:
        raise Problem(f"{pgn_path} has no games")
    names = list(dict.fromkeys(name for game in games for name in (game.white, game.black)))
    if engine is not None and engine not in names:
        raise Problem(f"{pgn_path} has no game of {engine}")
    first = engine or names[0]
    names = [first, *(name for name in names if name != first)]
    data = gather(games, names, sprt or statistics.Sprt(0, 5))
    data["notes"] = [*read_notes(games), *map(list, notes)]
    data["title"] = title or (" vs ".join(names) if len(names) == 2 else f"{len(names)} engines")
    Path(html_path).write_text(assemble(data), encoding="utf-8")


def assemble(data):
    page = (PARTS / "page.html").read_text(encoding="utf-8")
    script = "\n".join((PARTS / name).read_text(encoding="utf-8") for name in SCRIPTS)
    # A name may hold anything, the end of a script too.
    text = json.dumps(finite(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    parts = {
        "title": html.escape(data["title"]),
        "style": (PARTS / "page.css").read_text(encoding="utf-8"),
        "script": script,
        "data": text.replace("<", "\\u003c"),
    }
    head, *rest = page.split("{{")
    return head + "".join(parts[name] + text for name, text in (part.split("}}") for part in rest))


def finite(value):
    """JSON knows no infinity: it is null."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def gather(games, names, sprt):
    openings = {}
    return {
        "engines": [describe(games, name, sprt, POINTS // len(names)) for name in names],
        "sprt": {"low": sprt.low, "high": sprt.high, "bounds": sprt.bounds},
        "games": [pack(game, names, openings) for game in games],
        "openings": list(openings.values()),
        "pieces": {
            symbol: chess.svg.piece(chess.Piece.from_symbol(symbol)) for symbol in "PNBRQKpnbrqk"
        },
    }


def read_notes(games):
    """What the headers say of all games alike."""
    notes = []
    for header, name in (("TimeControl", "Time control"), ("Date", "Date")):
        values = list(dict.fromkeys(game.headers.get(header, "?") for game in games))
        if len(values) == 1 and not values[0].startswith(("?", "-")):
            notes.append([name, values[0]])
    return notes


def describe(games, name, sprt, points):
    """An engine's results, how they came about, and how deep and fast it searched."""
    mine = [game for game in games if name in (game.white, game.black)]
    ends = sorted({len(mine) * (point + 1) // points for point in range(points)} - {0})
    tally = statistics.count(mine, name)
    elo = statistics.elo(tally.pairs)
    return {
        "name": name,
        "elo": elo.value,
        "error": elo.error,
        "superiority": statistics.superiority(tally.pairs),
        "llr": sprt.llr(tally.pairs),
        "pairs": tally.pairs,
        "curve": [measure(mine[:end], name, sprt) for end in ends],
        **think(mine, name),
    }


def measure(games, name, sprt):
    """A point of the curves: how many games, Elo with its error, LLR; before a pair is no Elo."""
    pairs = statistics.count(games, name).pairs
    elo = statistics.elo(pairs)
    return [len(games), elo.value if sum(pairs) else None, elo.error, sprt.llr(pairs)]


def think(games, name):
    """Depth, seconds and nodes a second by the number of the move, and over all."""
    by_move = defaultdict(list)
    for game in games:
        board = chess.Board(game.fen)
        for ply, move in enumerate(game.moves, board.ply()):
            if (game.white if ply % 2 == 0 else game.black) == name and move.seconds is not None:
                by_move[ply // 2 + 1].append(move)
    everything = [move for moves in by_move.values() for move in moves]
    shown = [
        [number, *average(moves)]
        for number, moves in sorted(by_move.items())
        if number <= LAST_MOVE and len(moves) >= min(FEWEST_GAMES, len(games))
    ]
    depth, seconds, speed = average(everything)
    return {"depth": depth, "seconds": seconds, "speed": speed, "thoughts": shown}


def average(moves):
    """The median depth, since a mate in sight may be searched to any, and means of the others."""
    depths = [move.depth for move in moves if move.depth is not None]
    seconds = sum(move.seconds for move in moves)
    timed = [move for move in moves if move.nodes is not None and move.seconds > 0]
    return (
        median(depths) if depths else None,
        round(seconds / len(moves), 4) if moves else None,
        round(sum(move.nodes for move in timed) / sum(move.seconds for move in timed))
        if timed
        else None,
    )


def pack(game, names, openings):
    """A game in few letters: scores are White's, in centipawns."""
    whose = chess.Board(game.fen).ply() % 2
    scores = [
        move.score if move.score is None or (ply + whose) % 2 == 0 else -move.score
        for ply, move in enumerate(game.moves)
    ]
    return {
        "white": names.index(game.white),
        "black": names.index(game.black),
        "points": game.points,
        "opening": note_opening(game, openings),
        "ending": game.ending,
        "reason": game.reason,
        "fen": game.fen,
        "moves": " ".join(move.move.uci() for move in game.moves),
        "san": " ".join(move.san for move in game.moves),
        "scores": scores,
        "depths": [move.depth for move in game.moves],
        "seconds": [move.seconds for move in game.moves],
    }


def note_opening(game, openings):
    """The number of the opening: a position, and the moves that nobody thought about."""
    thoughts = [ply for ply, move in enumerate(game.moves) if move.seconds is not None]
    book = [move.move for move in game.moves[: thoughts[0] if thoughts else 0]]
    key = (game.fen, *book)
    if key not in openings:
        board = chess.Board(game.fen, chess960="960" in game.headers.get("Variant", ""))
        for move in book:
            board.push(move)
        name = game.headers.get("Opening") or game.headers.get("ECO") or f"{len(openings) + 1}"
        openings[key] = {"number": len(openings), "name": name, "fen": board.fen()}
    return openings[key]["number"]
