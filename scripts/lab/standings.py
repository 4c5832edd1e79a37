"""How a match stands, as text."""

import math

from lab import statistics
from lab.schedule import encounters


def number(value, digits=1):
    return f"{value:.{digits}f}" if math.isfinite(value) else "∞" if value > 0 else "-∞"


def estimate(value, digits=1):
    return f"{number(value.value, digits)} ± {number(value.error, digits)}"


def score(tally):
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def llr(sprt, pairs):
    lower, upper = sprt.bounds
    return f"LLR {sprt.llr(pairs):.2f} ({lower:.2f}, {upper:.2f}) [{sprt.low:g}, {sprt.high:g}]"


def ranking(games, engines):
    """The engines' names and tallies, best first."""
    tallies = [(engine.name, statistics.count(games, engine.name)) for engine in engines]
    return sorted(tallies, key=lambda entry: -statistics.elo(entry[1].pairs).value)


def line(games, total, engines, sprt):
    """The standings while the match is played, in one line."""
    start = f"{len(games)}/{total} games"
    if len(engines) > 2:
        ranks = [f"{name} {tally.percentage:.1f} %" for name, tally in ranking(games, engines)]
        return "  ".join([start, *ranks])
    tally = statistics.count(games, engines[0].name)
    parts = [start, score(tally)]
    if statistics.has_error(tally.pairs):
        parts.append(f"Elo {estimate(statistics.elo(tally.pairs))}")
    if statistics.has_likelihood(tally.pairs):
        parts.append(f"LOS {100 * statistics.superiority(tally.pairs):.1f} %")
    if sprt:
        parts.append(llr(sprt, tally.pairs))
    return "  ".join(parts)


def results(games, engines, gauntlet, sprt):
    """The results of the match so far: each encounter, and a table of more than two engines."""
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
        "  " + ", ".join([*estimates(pairs), f"pairs {list(pairs)}"]),
    ]
    if sprt:
        accepted = sprt.verdict(pairs)
        verdict = "undecided" if accepted is None else f"{accepted:g} is accepted"
        lines.append(f"  {llr(sprt, pairs)}: {verdict}")
    return lines


def estimates(pairs):
    """What the pairs say of the difference, and no more."""
    if not statistics.has_error(pairs):
        return ["too few pairs for an Elo" if sum(pairs) < 2 else "no Elo: all pairs are alike"]
    parts = [
        f"Elo {estimate(statistics.elo(pairs), 2)}",
        f"normalised {estimate(statistics.normalised_elo(pairs), 2)}",
    ]
    if statistics.has_likelihood(pairs):
        parts.append(f"LOS {100 * statistics.superiority(pairs):.2f} %")
    return parts


def table(games, engines):
    width = max(len(engine.name) for engine in engines)
    lines = ["", f"{'':4} {'':{width}} {'Elo':>8} {'±':>7} {'games':>6} {'score':>7} {'draws':>7}"]
    for rank, (name, tally) in enumerate(ranking(games, engines), 1):
        elo = statistics.elo(tally.pairs)
        draws = 100 * tally.draws / tally.games if tally.games else 0
        known = statistics.has_error(tally.pairs)
        value, error = (number(elo.value), number(elo.error)) if known else ("", "")
        lines.append(
            f"{rank:>4} {name:{width}} {value:>8} {error:>7}"
            f" {tally.games:>6} {tally.percentage:>5.1f} % {draws:>5.1f} %"
        )
    return lines
