"""The report of a match: a self-contained HTML file.

The figures are computed here; the page, put together from the files in the folder page, draws them.
"""

import html
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import median

import chess

from lab import pgn, script, statistics
from lab.script import LabError

PAGE = Path(__file__).parent / "page"
SCRIPTS = ("dom.js", "charts.js", "views.js", "games.js", "page.js")

# The board and its pieces are those of the analysis page.
BOARD = Path(__file__).parents[2] / "src" / "page"

# The most points of all curves together; more are not visible.
POINTS = 240

# Depth, time and speed are shown up to this move, while at least this many games go on.
LAST_MOVE = 100
FEWEST_GAMES = 3


def write(pgn_path, html_path, *, engine=None, sprt=None, title=None):
    """Writes the report of a match.

    It is seen from the side of the engine, by default the first White, until another is chosen.
    The LLR is that of sprt, if there is one.
    """
    games = pgn.read(pgn_path)
    if not games:
        raise LabError(f"{pgn_path} has no games")
    names = list(dict.fromkeys(name for game in games for name in (game.white, game.black)))
    if engine is not None and engine not in names:
        raise LabError(f"{pgn_path} has no game of {engine}")
    first = engine or names[0]
    names = [first, *(name for name in names if name != first)]
    data = page_data(games, names, sprt)
    data["notes"] = read_notes(games)
    data["title"] = title or (" vs ".join(names) if len(names) == 2 else f"{len(names)} engines")
    Path(html_path).write_text(render(data), encoding="utf-8")


def render(data):
    page = (PAGE / "page.html").read_text(encoding="utf-8")
    board = (BOARD / "board.js").read_text(encoding="utf-8")
    board = f"const Board = (() => {{\n{board}\nreturn {{ placed, placement, after, target, show }};\n}})();"
    code = "\n".join([board, *((PAGE / name).read_text(encoding="utf-8") for name in SCRIPTS)])
    # A name may contain anything, including the end of a script.
    text = json.dumps(script.finite(data), ensure_ascii=False, separators=(",", ":"))
    parts = {
        "title": html.escape(data["title"]),
        "style": (PAGE / "page.css").read_text(encoding="utf-8"),
        "pieces": (BOARD / "pieces.svg").read_text(encoding="utf-8"),
        "script": code,
        "data": text.replace("<", "\\u003c"),
    }
    head, *rest = page.split("{{")
    return head + "".join(parts[name] + text for name, text in (part.split("}}") for part in rest))


def page_data(games, names, sprt):
    openings = {}
    return {
        "engines": [engine_data(games, name, sprt, POINTS // len(names)) for name in names],
        "sprt": sprt and {"low": sprt.low, "high": sprt.high, "bounds": sprt.bounds},
        "games": [game_data(game, names, openings) for game in games],
        "openings": list(openings.values()),
    }


def read_notes(games):
    """Headers that are the same in all games."""
    notes = []
    for header, name in (("TimeControl", "Time control"), ("Date", "Date")):
        values = list(dict.fromkeys(game.headers.get(header, "?") for game in games))
        if len(values) == 1 and not values[0].startswith(("?", "-")):
            notes.append([name, values[0]])
    return notes


def engine_data(games, name, sprt, points):
    """The results of an engine, their curve over the games, and its depth and speed."""
    mine = [game for game in games if name in (game.white, game.black)]
    counts = sorted({len(mine) * (point + 1) // points for point in range(points)} - {0})
    tally = statistics.count(mine, name)
    elo = statistics.elo(tally.pairs)
    return {
        "name": name,
        "elo": elo.value,
        "error": elo.error if statistics.has_error(tally.pairs) else math.inf,
        "superiority": (
            statistics.superiority(tally.pairs) if statistics.has_likelihood(tally.pairs) else None
        ),
        "llr": sprt.llr(tally.pairs) if sprt else None,
        "pairs": tally.pairs,
        "curve": [curve_point(mine[:count], name, sprt) for count in counts],
        **search_stats(mine, name),
    }


def curve_point(games, name, sprt):
    """Number of games, Elo with its error, LLR; there is no Elo before the first pair."""
    pairs = statistics.count(games, name).pairs
    elo = statistics.elo(pairs)
    return [
        len(games),
        elo.value if sum(pairs) else None,
        elo.error,
        sprt.llr(pairs) if sprt else None,
    ]


def search_stats(games, name):
    """Depth, seconds and nodes per second, by move number and overall."""
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
    return {"depth": depth, "seconds": seconds, "speed": speed, "byMove": shown}


def average(moves):
    """The median depth, since a mate may be searched to any depth, and the other means."""
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


def game_data(game, names, openings):
    """A game; scores are White's, in centipawns."""
    first = chess.Board(game.fen).ply() % 2
    scores = [
        move.score if move.score is None or (ply + first) % 2 == 0 else -move.score
        for ply, move in enumerate(game.moves)
    ]
    return {
        "white": names.index(game.white),
        "black": names.index(game.black),
        "points": game.points,
        "opening": opening_number(game, openings),
        "ending": game.ending,
        "reason": game.reason,
        "fen": game.fen,
        "moves": " ".join(moves_of(game)),
        "san": " ".join(move.san for move in game.moves),
        "scores": scores,
        "depths": [move.depth for move in game.moves],
        "seconds": [move.seconds for move in game.moves],
    }


def moves_of(game):
    """The moves in the notation of the page's board: castling is the king taking its rook."""
    board = chess.Board(game.fen)
    for move in game.moves:
        yield board.uci(move.move, chess960=True)
        board.push(move.move)


def opening_number(game, openings):
    """The number of the opening: a position, and the first moves without a search."""
    searched = [ply for ply, move in enumerate(game.moves) if move.seconds is not None]
    book = [move.move for move in game.moves[: searched[0] if searched else 0]]
    key = (game.fen, *book)
    if key not in openings:
        board = chess.Board(game.fen, chess960="960" in game.headers.get("Variant", ""))
        for move in book:
            board.push(move)
        name = game.headers.get("Opening") or game.headers.get("ECO") or f"{len(openings) + 1}"
        openings[key] = {"number": len(openings), "name": name, "fen": board.fen()}
    return openings[key]["number"]
