"""Measures the levels of UCI_Elo: games between neighbours, and the errors of each level.

usage: levels.py zebu --openings openings.epd --games 200 --stockfish stockfish

Each game is added to NAME.pgn as it ends; after a stop the same command goes on. At the end a table
and NAME.svg show the measured steps between levels, and a second table how much a sample of the
moves of each level loses against the full engine's.
"""

import argparse
import contextlib
import random
from pathlib import Path

import chess
import chess.engine

from lab import pgn, series, statistics
from lab.arbiter import Rules
from lab.arguments import CONCURRENCY
from lab.engines import Engine, find
from lab.errors import LabError, run_script
from lab.limits import Limit
from lab.openings import read_openings
from lab.record import Record
from lab.runner import Conditions
from lab.simple_engine import start

# Longer games are drawn.
MOST_MOVES = 200

# Seconds per move for levels, which stop long before; no clock is exceeded by more.
PATIENCE = 60

# The openings are shuffled in the same way each time.
SEED = 1

# The plot clips larger steps, as when all games were won.
MOST_GAIN = 1200

# Centipawns of a mate.
MATE = 2000

# Upper bounds of the losses in a column of the table; the last column has no bound.
BOUNDS = (10, 25, 50, 100, 200, 400)


def moves_of(name, games):
    """The positions in which a level moved, and its moves."""
    for game in games:
        if name not in (game.white, game.black):
            continue
        board = chess.Board(game.fen)
        for played in game.moves:
            if board.turn == (game.white == name):
                yield board.copy(stack=False), played.move
            board.push(played.move)


def losses(program, sample, nodes):
    """The centipawns that each move loses against the full engine's; None if it is the same."""
    limit = chess.engine.Limit(nodes=nodes)
    with contextlib.ExitStack() as stack:
        engine = start(stack, program, {})

        def evaluate(board, **root):
            info = engine.analyse(board, limit, game=object(), **root)
            return info["score"].relative.score(mate_score=MATE), info["pv"][0]

        lost = []
        for board, move in sample:
            score, best = evaluate(board)
            if move == best:
                lost.append(None)
            else:
                lost.append(max(score - evaluate(board, root_moves=[move])[0], 0))
    return lost


def distribution(lost):
    """The share of equal moves, and of the losses below each bound and above the last."""
    counts = [0] * (len(BOUNDS) + 2)
    for loss in lost:
        column = 0 if loss is None else 1 + sum(loss >= bound for bound in BOUNDS)
        counts[column] += 1
    return [count / len(lost) for count in counts]


def draw(nominal, measured):
    """A plot of the nominal ratings of the levels and the measured ones."""
    width, height, edge = 520, 420, 50
    low, high = min(nominal + measured) - 50, max(nominal + measured) + 50

    def at(x, y):
        scale = high - low
        return (
            edge + (x - low) / scale * (width - 2 * edge),
            height - edge - (y - low) / scale * (height - 2 * edge),
        )

    points = [at(x, y) for x, y in zip(nominal, measured)]
    (x1, y1), (x2, y2) = at(low, low), at(high, high)
    parts = [f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#bbb"/>']
    for rating, (x, y) in zip(nominal, points):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#b5501d"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 28}" text-anchor="middle">{rating}</text>')
        tick = at(low, rating)[1] + 4
        parts.append(f'<text x="{edge - 8}" y="{tick:.1f}" text-anchor="end">{rating}</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#b5501d"/>')
    parts.append(f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">UCI_Elo</text>')
    parts.append('<text x="8" y="20">measured, level by level from the lowest</text>')
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' style="background:#fff;font:12px sans-serif">\n{body}\n</svg>\n'
    )


def report_games(games, matches, levels, out):
    print(f"{'weaker':>14} {'stronger':>14}  games  step  measured")
    measured = [elo_of(levels[0])]
    for strong, weak in matches:
        tally = statistics.count(games, strong.name, weak.name)
        gain = statistics.elo(tally.pairs)
        step = elo_of(strong) - elo_of(weak)
        print(
            f"{weak.name:>14} {strong.name:>14}  {tally.games:5} {step:5}"
            f"  {gain.value:5.0f} ± {gain.error:.0f}"
        )
        if strong in levels and weak in levels:
            measured.append(measured[-1] + max(-MOST_GAIN, min(gain.value, MOST_GAIN)))
    plot = draw([elo_of(level) for level in levels], measured)
    Path(f"{out}.svg").write_text(plot, encoding="utf-8")


def report_errors(games, levels, arguments):
    columns = ["equal", *(f"<{bound}" for bound in BOUNDS), "more"]
    print("\npercentage of moves equal to the full engine's, and by the centipawns that they lose")
    print(f"{'level':>14} " + " ".join(f"{column:>6}" for column in columns))
    for level in levels:
        moves = list(moves_of(level.name, games))
        sample = random.Random(elo_of(level)).sample(moves, min(arguments.sample, len(moves)))
        shares = distribution(losses(level.program, sample, arguments.nodes))
        print(f"{level.name:>14} " + " ".join(f"{100 * share:6.1f}" for share in shares))


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures the levels of UCI_Elo.")
    parser.add_argument("engine")
    parser.add_argument("--openings", required=True, metavar="FILE", help="EPD or PGN")
    parser.add_argument("--levels", type=int, nargs="+", metavar="ELO",
                        default=list(range(1000, 3201, 200)))
    parser.add_argument("--games", type=int, default=200, help="between neighbours (200)")
    parser.add_argument("--concurrency", type=int, default=CONCURRENCY)
    parser.add_argument("--stockfish", metavar="PROGRAM",
                        help="plays each level that its UCI_Elo has too")
    parser.add_argument("--movetime", type=float, default=0.1, metavar="S",
                        help="of Stockfish, in seconds (0.1)")
    parser.add_argument("--sample", type=int, default=500, help="moves judged of each level (500)")
    parser.add_argument("--nodes", type=int, default=50_000, help="to judge a move (50000)")
    parser.add_argument("--out", default="levels", metavar="NAME", help="of the files (levels)")
    return parser.parse_args()


def has_level(program, elo):
    with contextlib.ExitStack() as stack:
        option = start(stack, program, {}).options.get("UCI_Elo")
    return option is not None and option.min <= elo <= option.max


def level(name, program, elo, seconds):
    """An engine at a UCI_Elo, with the time of its moves."""
    if not has_level(program, elo):
        raise LabError(f"{program} has no UCI_Elo of {elo}")
    options = {"UCI_LimitStrength": True, "UCI_Elo": elo}
    return Engine(f"{name} {elo}", program, Limit(movetime=seconds), options=options)


def elo_of(engine):
    return engine.options["UCI_Elo"]


def main():
    arguments = parse_arguments()
    program, elos = find(arguments.engine), sorted(set(arguments.levels))
    levels = [level("level", program, elo, PATIENCE) for elo in elos]
    matches = [(strong, weak) for weak, strong in zip(levels, levels[1:])]
    if arguments.stockfish:
        other = find(arguments.stockfish)
        matches += [
            (own, level("SF", other, elo_of(own), arguments.movetime))
            for own in levels
            if has_level(other, elo_of(own))
        ]
    record = Record(f"{arguments.out}.pgn")
    openings = read_openings(arguments.openings, seed=SEED)
    rules = Rules(most_moves=MOST_MOVES)
    conditions = Conditions(arguments.concurrency, rules, PATIENCE, PATIENCE, chess960=False)
    series.play(matches, arguments.games, openings, conditions, record)
    games = pgn.read(record.path)
    report_games(games, matches, levels, arguments.out)
    report_errors(games, levels, arguments)


if __name__ == "__main__":
    run_script(main)
