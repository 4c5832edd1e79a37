"""What is seen of a match while it is played and when it has ended."""

import math
import shutil
import sys

from lab import statistics
from lab.schedule import encounters


def number(value, digits=1):
    return f"{value:.{digits}f}" if math.isfinite(value) else "∞" if value > 0 else "-∞"


def estimate(value, digits=1):
    return f"{number(value.value, digits)} ± {number(value.error, digits)}"


def score(tally):
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def verdict(sprt, pairs, digits=2):
    lower, upper = sprt.bounds
    return (
        f"LLR {sprt.llr(pairs):.{digits}f} ({lower:.2f}, {upper:.2f}) [{sprt.low:g}, {sprt.high:g}]"
    )


def line(games, total, engines, sprt):
    """How it stands, in a line."""
    start = f"{len(games)}/{total} games"
    if len(engines) > 2:
        ranks = "  ".join(f"{name} {share(tally):.1f} %" for name, tally in ranking(games, engines))
        return f"{start}  {ranks}"
    tally = statistics.count(games, engines[0].name)
    parts = [
        start,
        score(tally),
        f"Elo {estimate(statistics.elo(tally.pairs))}",
        f"LOS {100 * statistics.superiority(tally.pairs):.1f} %",
    ]
    if sprt:
        parts.append(verdict(sprt, tally.pairs))
    return "  ".join(parts)


def share(tally):
    """Per cent of the points."""
    return 100 * tally.points / tally.games if tally.games else 50.0


def ranking(games, engines):
    tallies = [(engine.name, statistics.count(games, engine.name)) for engine in engines]
    return sorted(tallies, key=lambda entry: -statistics.elo(entry[1].pairs).value)


class Display:
    """The live line: on a terminal it is written over, elsewhere it is written now and then."""

    def __init__(self, total):
        self.total = total
        self.every = max(total // 20, 1)
        self.open = False

    def show(self, text, count):
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:width]}", end="", file=sys.stderr, flush=True)
            self.open = True
        elif count % self.every == 0:
            print(text, file=sys.stderr, flush=True)

    def say(self, text):
        """Something that is to stay."""
        self.close()
        print(text, file=sys.stderr, flush=True)

    def close(self):
        if self.open:
            print(file=sys.stderr)
        self.open = False


def results(games, engines, gauntlet, sprt):
    """What came out of the match."""
    lines = []
    for first, second in encounters(engines, gauntlet):
        lines += encounter(games, first, second, sprt)
    return "\n".join(lines + (table(games, engines) if len(engines) > 2 else []))


def encounter(games, first, second, sprt):
    tally = statistics.count(games, first.name, second.name)
    pairs = tally.pairs
    limits = str(first.limit) if first.limit == second.limit else f"{first.limit}, {second.limit}"
    lines = [
        f"{first.name} against {second.name} ({limits}): {score(tally)} in {tally.games} games",
        f"  Elo {estimate(statistics.elo(pairs), 2)},"
        f" normalised {estimate(statistics.normalised_elo(pairs), 2)},"
        f" LOS {100 * statistics.superiority(pairs):.2f} %, pairs {list(pairs)}",
    ]
    if sprt:
        taken = sprt.verdict(pairs)
        decided = "neither is decided" if taken is None else f"{taken:g} is taken to be true"
        lines.append(f"  {verdict(sprt, pairs)}: {decided}")
    return lines


def table(games, engines):
    width = max(len(engine.name) for engine in engines)
    lines = ["", f"{'':4} {'':{width}} {'Elo':>8} {'±':>7} {'games':>6} {'score':>7} {'draws':>7}"]
    for rank, (name, tally) in enumerate(ranking(games, engines), 1):
        elo = statistics.elo(tally.pairs)
        draws = 100 * tally.draws / tally.games if tally.games else 0
        lines.append(
            f"{rank:>4} {name:{width}} {number(elo.value):>8} {number(elo.error):>7}"
            f" {tally.games:>6} {share(tally):>5.1f} % {draws:>5.1f} %"
        )
    return lines
