"""Measures the levels of UCI_Elo: games between neighbours, and the errors of each level.

usage: levels.py zebu --openings openings.epd --games 200 --stockfish stockfish

Each pair of games is added to NAME.jsonl as it ends; after a stop the same command goes on. At the
end a table and NAME.svg show the measured steps between levels, and a second table how much a
sample of the moves of each level loses against the full engine's.
"""

import argparse
import contextlib
import json
import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.engine

from lab import statistics
from lab.errors import LabError, run_script
from lab.openings import read_openings
from lab.progress import show_bar
from lab.simple_engine import start

# Longer games are drawn.
MOST_MOVES = 200

# Seconds per move for levels, which stop long before.
PATIENCE = 60

# The openings are shuffled in the same way each time.
SEED = 1

# The plot clips larger steps, as when all games were won.
MOST_GAIN = 1200

# Centipawns of a mate.
MATE = 2000

# Upper bounds of the losses in a column of the table; the last column has no bound.
BOUNDS = (10, 25, 50, 100, 200, 400)


@dataclass(frozen=True)
class Level:
    """An engine with a UCI_Elo and the limit of its moves."""

    name: str
    program: str
    elo: int
    limit: chess.engine.Limit

    def start(self, stack):
        return start(stack, self.program, {"UCI_LimitStrength": True, "UCI_Elo": self.elo})


def play(white, black, fen):
    """A game of two running engines with their limits: White's points and the moves."""
    board = chess.Board(fen)
    game = object()
    while board.fullmove_number <= MOST_MOVES and not board.is_game_over(claim_draw=True):
        engine, limit = white if board.turn else black
        move = engine.play(board, limit, game=game).move
        if move is None:
            raise LabError(f"no move in {board.fen()}")
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    points = 0.5 if outcome is None or outcome.winner is None else float(outcome.winner)
    return points, [move.uci() for move in board.move_stack]


def play_pair(strong, weak, number, fen):
    """Two games from an opening with colours swapped."""
    with contextlib.ExitStack() as stack:
        first, second = [(level.start(stack), level.limit) for level in (strong, weak)]
        games = []
        for white, black, strong_is_white in ((first, second, True), (second, first, False)):
            points, moves = play(white, black, fen)
            points = points if strong_is_white else 1 - points
            games.append({"white": strong_is_white, "points": points, "moves": moves})
    return {
        "strong": strong.name,
        "weak": weak.name,
        "step": strong.elo - weak.elo,
        "number": number,
        "fen": fen,
        "games": games,
    }


def read_record(path):
    """The pairs played so far, without a line that was cut off by a stop."""
    pairs = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            with contextlib.suppress(json.JSONDecodeError):
                pairs.append(json.loads(line))
    return pairs


def play_all(matches, openings, arguments, path):
    """Plays the pairs that the record lacks."""
    done = {(pair["strong"], pair["weak"], pair["number"]) for pair in read_record(path)}
    tasks = [
        (strong, weak, number, openings[number % len(openings)])
        for number in range((arguments.games + 1) // 2)
        for strong, weak in matches
        if (strong.name, weak.name, number) not in done
    ]
    pool = ThreadPoolExecutor(arguments.concurrency)
    try:
        with path.open("a", encoding="utf-8") as file:
            # A stop may have cut off the last line.
            file.write("\n")
            futures = [pool.submit(play_pair, *task) for task in tasks]
            for number, future in enumerate(as_completed(futures), 1):
                file.write(json.dumps(future.result()) + "\n")
                file.flush()
                show_bar(number, len(tasks), "pairs")
    finally:
        pool.shutdown(cancel_futures=True)


def elo_of(pairs):
    counts = [0] * 5
    for pair in pairs:
        counts[int(2 * sum(game["points"] for game in pair["games"]))] += 1
    return statistics.elo(counts)


def moves_of(name, pairs):
    """The positions in which a level moved, and its moves."""
    for pair in pairs:
        for game in pair["games"]:
            if name not in (pair["strong"], pair["weak"]):
                continue
            is_white = game["white"] == (pair["strong"] == name)
            board = chess.Board(pair["fen"])
            for word in game["moves"]:
                move = chess.Move.from_uci(word)
                if board.turn == is_white:
                    yield board.copy(stack=False), move
                board.push(move)


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


def report_games(pairs, levels, out):
    by_match = defaultdict(list)
    for pair in pairs:
        by_match[pair["weak"], pair["strong"]].append(pair)
    print(f"{'weaker':>14} {'stronger':>14}  games  step  measured")
    gains = {}
    for (weak, strong), played in by_match.items():
        gain = elo_of(played)
        gains[weak, strong] = max(-MOST_GAIN, min(gain.value, MOST_GAIN))
        measured = f"{gain.value:5.0f} ± {gain.error:.0f}"
        step = played[0]["step"]
        print(f"{weak:>14} {strong:>14}  {2 * len(played):5} {step:5}  {measured}")
    measured = [levels[0].elo]
    for weak, strong in zip(levels, levels[1:]):
        measured.append(measured[-1] + gains[weak.name, strong.name])
    plot = draw([level.elo for level in levels], measured)
    Path(f"{out}.svg").write_text(plot, encoding="utf-8")


def report_errors(pairs, levels, arguments):
    columns = ["equal", *(f"<{bound}" for bound in BOUNDS), "more"]
    print("\npercentage of moves equal to the full engine's, and by the centipawns that they lose")
    print(f"{'level':>14} " + " ".join(f"{column:>6}" for column in columns))
    for level in levels:
        moves = list(moves_of(level.name, pairs))
        sample = random.Random(level.elo).sample(moves, min(arguments.sample, len(moves)))
        shares = distribution(losses(level.program, sample, arguments.nodes))
        print(f"{level.name:>14} " + " ".join(f"{100 * share:6.1f}" for share in shares))


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures the levels of UCI_Elo.")
    parser.add_argument("engine")
    parser.add_argument("--openings", required=True, metavar="FILE", help="EPD or PGN")
    parser.add_argument("--levels", type=int, nargs="+", metavar="ELO",
                        default=list(range(1000, 3201, 200)))
    parser.add_argument("--games", type=int, default=200, help="between neighbours (200)")
    parser.add_argument("--concurrency", type=int, default=max((os.cpu_count() or 1) // 2, 1))
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


def main():
    arguments = parse_arguments()
    limit = chess.engine.Limit(time=PATIENCE)
    levels = [
        Level(f"level {elo}", arguments.engine, elo, limit)
        for elo in sorted(set(arguments.levels))
    ]
    for level in levels:
        if not has_level(level.program, level.elo):
            raise LabError(f"{level.program} has no UCI_Elo of {level.elo}")
    matches = [(strong, weak) for weak, strong in zip(levels, levels[1:])]
    if arguments.stockfish:
        short = chess.engine.Limit(time=arguments.movetime)
        matches += [
            (level, Level(f"SF {level.elo}", arguments.stockfish, level.elo, short))
            for level in levels
            if has_level(arguments.stockfish, level.elo)
        ]
    path = Path(f"{arguments.out}.jsonl")
    boards = read_openings(arguments.openings, seed=SEED)
    try:
        play_all(matches, [board.fen() for board in boards], arguments, path)
    except KeyboardInterrupt:
        print("stopped: the same command goes on", file=sys.stderr)
        raise
    pairs = read_record(path)
    report_games(pairs, levels, arguments.out)
    report_errors(pairs, levels, arguments)


if __name__ == "__main__":
    run_script(main)
