"""Measures the levels of UCI_Elo: games between neighbours, and how each level errs.

usage: levels.py zebu --openings openings.epd --games 200 --stockfish stockfish

Each game is added to NAME.jsonl as it ends, so that the same command goes on after a stop. At the
end a table and NAME.svg show what each step between two levels is worth, and of a sample of each
level's moves how many are the full engine's and how much the others lose.
"""

import argparse
import json
import math
import os
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import chess
import chess.engine

from lab import statistics
from lab.openings import read_openings
from lab.problem import Problem
from lab.script import show_progress

# A game is a draw after so many moves.
MOST_MOVES = 200

# Seconds a move, for engines that no level stops before.
PATIENCE = 60

# The order of the openings is always the same.
ORDER = 1

# In the picture no step is longer, even if all games were won.
MOST_GAIN = 1200

# A mate counts as so many centipawns, and no move loses more than the last bound.
MATE = 2000
BOUNDS = (10, 25, 50, 100, 200, 400, 1000)


def start(program, options):
    engine = chess.engine.SimpleEngine.popen_uci(program)
    try:
        engine.configure({name: value for name, value in options.items() if name in engine.options})
    except chess.engine.EngineError:
        engine.close()
        raise
    return engine


class Player:
    """An engine at a level, or a Stockfish at one of its own."""

    def __init__(self, program, elo, name, limit):
        self.program, self.elo, self.name, self.limit = program, elo, name, limit

    def start(self):
        return start(self.program, {"UCI_LimitStrength": True, "UCI_Elo": self.elo})


def play(white, black, fen):
    """A game of two running engines with their limits: White's points and the moves."""
    board = chess.Board(fen)
    game = object()
    while board.fullmove_number <= MOST_MOVES and not board.is_game_over(claim_draw=True):
        engine, limit = white if board.turn else black
        move = engine.play(board, limit, game=game).move
        if move is None:
            raise chess.engine.EngineError(f"no move in {board.fen()}")
        board.push(move)
    outcome = board.outcome(claim_draw=True)
    points = 0.5 if outcome is None or outcome.winner is None else float(outcome.winner)
    return points, [move.uci() for move in board.move_stack]


def play_pair(strong, weak, number, fen):
    """Two games from an opening, each player with each colour."""
    engines = []
    try:
        engines = [player.start() for player in (strong, weak)]
        first, second = zip(engines, (strong.limit, weak.limit))
        games = []
        for white, black, strong_is_white in ((first, second, True), (second, first, False)):
            points, moves = play(white, black, fen)
            own = points if strong_is_white else 1 - points
            games.append({"white": strong_is_white, "points": own, "moves": moves})
    finally:
        for engine in engines:
            engine.close()
    return {
        "strong": strong.name,
        "weak": weak.name,
        "said": strong.elo - weak.elo,
        "number": number,
        "fen": fen,
        "games": games,
    }


def read_record(path):
    """The pairs that were played; a line that a stop has cut off is none."""
    pairs = []
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                pairs.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    return pairs


def play_all(matches, openings, arguments, path):
    """Plays what the record lacks of each match."""
    done = {(pair["strong"], pair["weak"], pair["number"]) for pair in read_record(path)}
    count = (arguments.games + 1) // 2
    wanted = [
        (strong, weak, number, openings[number % len(openings)])
        for number in range(count)
        for strong, weak in matches
        if (strong.name, weak.name, number) not in done
    ]
    pool = ThreadPoolExecutor(arguments.concurrency)
    try:
        with path.open("a", encoding="utf-8") as file:
            # A stop may have cut the last line off.
            file.write("\n")
            played = [pool.submit(play_pair, *task) for task in wanted]
            for number, future in enumerate(as_completed(played), 1):
                file.write(json.dumps(future.result()) + "\n")
                file.flush()
                show_progress(number, len(wanted), "pairs")
    finally:
        pool.shutdown(cancel_futures=True)


def difference(pairs):
    """The Elo that the pairs are worth."""
    counts = [0] * 5
    for pair in pairs:
        counts[int(2 * sum(game["points"] for game in pair["games"]))] += 1
    return statistics.elo(counts)


def moves_of(name, pairs):
    """The positions in which a player moved, and its moves."""
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
    """What each move loses against the full engine's, in centipawns; None if it is the same."""
    engine = start(program, {})
    limit = chess.engine.Limit(nodes=nodes)

    def value(board, **only):
        found = engine.analyse(board, limit, game=object(), **only)
        return found["score"].relative.score(mate_score=MATE), found["pv"][0]

    try:
        lost = []
        for board, move in sample:
            best, wanted = value(board)
            if move == wanted:
                lost.append(None)
            else:
                lost.append(max(best - value(board, root_moves=[move])[0], 0))
        return lost
    finally:
        engine.close()


def describe(lost):
    """The share of equal moves, and of those that lose up to each bound and no less than the last."""
    shares = [sum(loss is None for loss in lost)]
    low = 0
    for bound in BOUNDS:
        high = math.inf if bound == BOUNDS[-1] else bound
        shares.append(sum(loss is not None and low <= loss < high for loss in lost))
        low = bound
    return [share / len(lost) for share in shares]


def draw(said, measured):
    """A picture of the scale: what the levels are called and how far apart they are."""
    width, height, edge = 520, 420, 50
    low, high = min(said + measured) - 50, max(said + measured) + 50

    def at(x, y):
        scale = (high - low) or 1
        return (
            edge + (x - low) / scale * (width - 2 * edge),
            height - edge - (y - low) / scale * (height - 2 * edge),
        )

    points = [at(x, y) for x, y in zip(said, measured)]
    (x1, y1), (x2, y2) = at(low, low), at(high, high)
    parts = [f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#bbb"/>']
    for rating, (x, y) in zip(said, points):
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
    print(f"{'weaker':>14} {'stronger':>14}  games  said  measured")
    gains = {}
    for (weak, strong), those in by_match.items():
        gain = difference(those)
        gains[weak, strong] = max(-MOST_GAIN, min(gain.value, MOST_GAIN))
        said = those[0]["said"]
        measured = f"{gain.value:5.0f} ± {gain.error:.0f}"
        print(f"{weak:>14} {strong:>14}  {2 * len(those):5} {said:5}  {measured}")
    measured = [levels[0].elo]
    for weak, strong in zip(levels, levels[1:]):
        measured.append(measured[-1] + gains[weak.name, strong.name])
    picture = draw([level.elo for level in levels], measured)
    Path(f"{out}.svg").write_text(picture, encoding="utf-8")


def report_errors(pairs, levels, arguments):
    bounds = " ".join(f"{f'<{bound}' if bound < BOUNDS[-1] else 'more':>6}" for bound in BOUNDS)
    print("\nof each level's moves, in %: the full engine's, and those that lose so many centipawns")
    print(f"{'level':>14} {'equal':>6} {bounds}")
    for level in levels:
        moves = list(moves_of(level.name, pairs))
        sample = random.Random(level.elo).sample(moves, min(arguments.sample, len(moves)))
        shares = describe(losses(level.program, sample, arguments.nodes))
        print(f"{level.name:>14} " + " ".join(f"{100 * share:6.1f}" for share in shares))


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures the levels of UCI_Elo.")
    parser.add_argument("engine")
    parser.add_argument("--openings", required=True, metavar="FILE", help="EPD or PGN")
    parser.add_argument("--levels", type=int, nargs="+", metavar="ELO",
                        default=list(range(1000, 3201, 200)))
    parser.add_argument("--games", type=int, default=200, help="of each two neighbours (200)")
    parser.add_argument("--concurrency", type=int, default=max((os.cpu_count() or 1) // 2, 1))
    parser.add_argument("--stockfish", metavar="PROGRAM",
                        help="plays each level that its own UCI_Elo has too")
    parser.add_argument("--movetime", type=float, default=0.1, metavar="S",
                        help="Stockfish's time for a move (0.1)")
    parser.add_argument("--sample", type=int, default=500, help="moves of each level to judge (500)")
    parser.add_argument("--nodes", type=int, default=50_000, help="to judge a move with (50000)")
    parser.add_argument("--out", default="levels", metavar="NAME", help="of the files (levels)")
    return parser.parse_args()


def has_level(program, elo):
    with start(program, {}) as engine:
        option = engine.options.get("UCI_Elo")
    return option is not None and option.min <= elo <= option.max


def run(arguments):
    limit = chess.engine.Limit(time=PATIENCE)
    levels = [
        Player(arguments.engine, elo, f"level {elo}", limit)
        for elo in sorted(set(arguments.levels))
    ]
    for level in levels:
        if not has_level(level.program, level.elo):
            raise ValueError(f"{level.program} has no UCI_Elo of {level.elo}")
    matches = [(strong, weak) for weak, strong in zip(levels, levels[1:])]
    if arguments.stockfish:
        short = chess.engine.Limit(time=arguments.movetime)
        matches += [
            (level, Player(arguments.stockfish, level.elo, f"SF {level.elo}", short))
            for level in levels
            if has_level(arguments.stockfish, level.elo)
        ]
    path = Path(f"{arguments.out}.jsonl")
    boards = read_openings(arguments.openings, None, None, ORDER, False)
    play_all(matches, [board.fen() for board in boards], arguments, path)
    pairs = read_record(path)
    report_games(pairs, levels, arguments.out)
    report_errors(pairs, levels, arguments)


def main():
    arguments = parse_arguments()
    try:
        run(arguments)
    except (Problem, OSError, ValueError, chess.engine.EngineError) as error:
        sys.exit(f"levels.py: {error}")
    except KeyboardInterrupt:
        print("stopped: the same command goes on", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
