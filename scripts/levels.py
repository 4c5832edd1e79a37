"""Measures the levels of UCI_Elo: how strong they are, what they see, and how they play.

usage: levels.py puzzles zebu puzzles.csv
       levels.py games zebu --out levels.pgn
       levels.py blunders zebu levels.pgn
       levels.py rating zebu --openings openings.epd --stockfish stockfish

With --record NUMBER the figures are put into levels.csv, as those of the network with that number.
"""

import argparse
import csv
import datetime
import re
import statistics as averages
from pathlib import Path

import chess.engine
import chess.pgn

from lab import fastchess, habits, puzzles, statistics
from lab.engines import find, pool, start
from lab.rating_plot import describe
from lab.script import CONCURRENCY, LabError, positive, run_script, show_bar

LEVELS = tuple(range(600, 2401, 200))

# Levels stop by themselves long before.
PATIENCE = chess.engine.Limit(time=60)

FIGURES = Path(__file__).with_name("levels.csv")
COLUMNS = ("network", "hash", "date", "figure", "level", "value", "error", "sample")

# The network of this checkout: where its hash stands, and some weights that a program with it has.
NETWORK = Path(__file__).parent.parent / "src" / "engine" / "eval" / "zebu.net"
HASH, WEIGHTS = slice(24, 32), slice(1000, 5000)


def hash_of_network(program):
    network = NETWORK.read_bytes()
    if network[WEIGHTS] not in Path(program).read_bytes():
        raise LabError(f"{program} does not have the network of this checkout")
    return f"{int.from_bytes(network[HASH], 'little'):016x}"


class Figures:
    """Prints figures under a head of date and network, and records them."""

    def __init__(self, program, network):
        self.hash = hash_of_network(program)
        self.date = datetime.date.today().isoformat()
        self.network = network
        self.rows = []
        print(f"{self.date}, network {self.hash}")

    def add(self, figure, level, value, error="", sample=""):
        value, error = (f"{it:.4g}" if isinstance(it, float) else it for it in (value, error))
        self.rows.append((self.network, self.hash, self.date, figure, level, value, error, sample))

    def record(self):
        """Replaces the figures of the same kind and level."""
        if self.network is None:
            return
        mine, kept = [dict(zip(COLUMNS, map(str, row))) for row in self.rows], []
        new = {(row["figure"], row["level"]) for row in mine}
        if FIGURES.exists():
            with open(FIGURES, encoding="utf-8", newline="") as file:
                kept = [row for row in csv.DictReader(file) if row["hash"] == self.hash]
        kept = [row for row in kept if (row["figure"], row["level"]) not in new]
        rows = sorted(kept + mine, key=lambda row: (row["figure"], int(row["level"])))
        with open(FIGURES, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


def level_options(elo):
    return {"UCI_LimitStrength": True, "UCI_Elo": elo}


def start_level(stack, program, elo):
    return start(stack, program, {}, level_options(elo))


def measure_puzzles(arguments, figures):
    """The rating of the puzzles of which each level solves half."""
    chosen = puzzles.read(arguments.file, 1 if arguments.odd else 0)[: arguments.count]
    kinds = {
        "puzzles": [puzzle for puzzle in chosen if not puzzle.is_mate],
        "mates": [puzzle for puzzle in chosen if puzzle.is_mate],
    }
    rows = "odd" if arguments.odd else "even"
    counts = ", ".join(f"{len(group)} {kind}" for kind, group in kinds.items())
    print(f"the rating at which half are solved, {rows} rows: {counts}")

    def solve(engine, puzzle):
        engine.configure({"Seed": puzzle.number})
        key = object()
        return puzzles.is_solved(puzzle, lambda board: engine.play(board, PATIENCE, game=key).move)

    for level in arguments.levels:
        texts = []
        with pool(
            lambda stack: start_level(stack, arguments.engine, level), arguments.concurrency
        ) as spread:
            for kind, group in kinds.items():
                results = list(zip(group, spread(solve, group)))
                half = puzzles.half(results)
                solved = sum(solved for _, solved in results)
                figures.add(kind, level, half.value, getattr(half, "error", ""), len(group))
                texts.append(f"{kind} {describe(half)} ({solved} of {len(group)})")
        print(f"{level:5}  " + "  ".join(texts), flush=True)


def measure_games(arguments, figures):
    """Plays games of each level against itself, and counts castling, idle kings and promotions."""
    print(
        f"{arguments.games} games against itself: castled in {habits.CASTLED_BY} moves, idle moves of"
        f" the king in {habits.AT_HOME}, per side; underpromotions, and those worse than a queen"
    )
    with open(arguments.out, "w", encoding="utf-8") as file:
        for level in arguments.levels:
            names = [f"level {level}"] * 2

            def play(players, seed):
                return habits.play_game(players, seed, PATIENCE, names)

            def two(stack):
                return [start_level(stack, arguments.engine, level) for _ in names]

            seeds = range(1, arguments.games + 1)
            with pool(two, arguments.concurrency) as spread:
                games = []
                for game in spread(play, seeds):
                    games.append(game)
                    print(game, file=file, end="\n\n", flush=True)
                    show_bar(len(games), len(seeds), f"games of {level}")
            report_habits(arguments, figures, level, games)


def report_habits(arguments, figures, level, games):
    counts = habits.Habits()
    for game in games:
        counts.add(game)
    castled, idle = counts.castled / counts.sides, counts.idle_king / counts.sides
    promoted = [place for game in games for place in habits.underpromotions(game)]
    with pool(lambda stack: start(stack, arguments.engine, {}), arguments.concurrency) as spread:
        worse = sum(
            spread(lambda judge, place: habits.is_worse_than_a_queen(judge, *place), promoted)
        )
    for figure, value in (("castled", castled), ("idle king", idle)):
        figures.add(figure, level, value, sample=counts.sides)
    figures.add("worse underpromotions", level, worse, sample=len(promoted))
    print(
        f"{level:5}  castled {castled:.2f}  idle king {idle:.2f}"
        f"  underpromotions {len(promoted)}, {worse} of them worse",
        flush=True,
    )


def measure_blunders(arguments, figures):
    """How long the refutations of each level's blunders are."""
    games = {}
    with open(arguments.file, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            level = re.fullmatch(r"level (\d+)", game.headers["White"])
            if not level:
                raise LabError(f"{arguments.file} is not of levels.py games")
            games.setdefault(int(level[1]), []).append(game)
    print(
        f"moves that lose {100 * habits.BLUNDER:.0f} % of the chances or more, and the plies until"
        f" that wins material, by {habits.DEEP_NODES:,} nodes"
    )
    with pool(lambda stack: start(stack, arguments.engine, {}), arguments.concurrency) as spread:
        for level, played in sorted(games.items()):
            played = played[: arguments.count]
            found = [it for blunders in spread(habits.blunders, played) for it in blunders]
            plies = [it.plies for it in found if it.plies is not None]
            median = averages.median(plies) if plies else None
            if plies:
                figures.add("plies of refutation", level, median, sample=len(plies))
            moves = sum(game.end().ply() for game in played)
            quartiles = averages.quantiles(plies, n=4) if len(plies) > 1 else []
            print(
                f"{level:5}  median {median}  quartiles {quartiles}  blunders {len(found)} in {moves}"
                f" moves, {len(found) - len(plies)} without material",
                flush=True,
            )


def measure_rating(arguments, figures):
    """Games of each level against Stockfish at the same UCI_Elo, or against the next level."""
    own = [
        fastchess.Engine(
            f"level {level}", arguments.engine, arguments.limit or "st=60", level_options(level)
        )
        for level in arguments.levels
    ]
    if arguments.stockfish:
        program = find(arguments.stockfish)

        limit = (
            f"tc=inf nodes={arguments.nodes}" if arguments.nodes else arguments.limit or "st=0.1"
        )
        others = [
            fastchess.Engine(f"Stockfish {level}", program, limit, level_options(level))
            for level in arguments.levels
        ]
        matches = list(zip(own, others, arguments.levels))
    else:
        matches = list(zip(own[1:], own, arguments.levels[1:]))
    print(f"Elo, {arguments.games} games each")
    for first, second, level in matches:
        tally = fastchess.play(
            arguments.out, first, second, arguments.games, arguments.openings, arguments.concurrency
        )
        gain = statistics.elo(tally.pairs)
        kind = "against Stockfish" if arguments.stockfish else "step from the level below"
        figures.add(kind, level, gain.value, gain.error, tally.games)
        print(
            f"{first.name} against {second.name}: {gain.value:.0f} ± {gain.error:.0f}"
            f" in {tally.games} games",
            flush=True,
        )


def parse_arguments():
    parser = argparse.ArgumentParser(description="Measures the levels of UCI_Elo.")
    commands = parser.add_subparsers(required=True, metavar="FIGURE")

    def command(name, measure, levels=LEVELS):
        made = commands.add_parser(name, help=measure.__doc__, description=measure.__doc__)
        made.set_defaults(measure=measure)
        made.add_argument("engine")
        if levels:
            made.add_argument("--levels", type=int, nargs="+", metavar="ELO", default=levels)
        made.add_argument(
            "--concurrency",
            type=positive(int),
            default=CONCURRENCY,
            metavar="N",
            help="engines at a time",
        )
        made.add_argument(
            "--record",
            type=positive(int),
            metavar="NUMBER",
            help="puts the figures into levels.csv as those of this network",
        )
        return made

    made = command("puzzles", measure_puzzles)
    made.add_argument("file", help="PuzzleId, FEN, Moves, Rating, Themes, as lichess has them")
    made.add_argument("--odd", action="store_true", help="the odd rows, by which levels are set")
    made.add_argument("--count", type=positive(int), metavar="N", help="only the first N of them")
    made = command("games", measure_games)
    made.add_argument("--games", type=positive(int), default=100, help="of each level (100)")
    made.add_argument("--out", default="levels.pgn", metavar="FILE", help="(levels.pgn)")
    made = command("blunders", measure_blunders, None)
    made.add_argument("file", help="the games that levels.py games has played")
    made.add_argument("--count", type=positive(int), metavar="N", help="only N games of a level")
    made = command("rating", measure_rating)
    made.add_argument("--openings", required=True, metavar="FILE", help="EPD or PGN")
    made.add_argument("--stockfish", metavar="PROGRAM", help="against it at the same UCI_Elo")
    made.add_argument(
        "--limit",
        metavar="LIMIT",
        help="of both, as fastchess takes it: tc=1+0.02"
        " (Stockfish has st=0.1, levels as long as they want)",
    )
    made.add_argument(
        "--nodes",
        type=positive(int),
        metavar="N",
        help="of Stockfish for each move, in place of its time: a busy machine does not weaken it",
    )
    made.add_argument("--games", type=positive(int), default=200, help="of each match (200)")
    made.add_argument(
        "--out", default="rating.pgn", metavar="FILE", help="games that it has count (rating.pgn)"
    )
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.engine = find(arguments.engine)
    figures = Figures(arguments.engine, arguments.record)
    arguments.measure(arguments, figures)
    figures.record()


if __name__ == "__main__":
    run_script(main)
