"""Where an engine stands among opponents whose ratings are known.

There is one unknown, so no library is asked: the rating is the likeliest one under the logistic
model, at which the expected points are those that were scored. Its error is taken from how the
pairs of games scattered around what was expected, so that it is right with draws and with pairs of
one opening, which the model knows nothing of.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from lab.statistics import WIDTH, Estimate

# Ratings are looked for so far beyond the opponents'.
REACH = 4000

# One who won all is this sure to be above the bound that is told.
SURE = 0.95


@dataclass
class Bound:
    """What is known of one who won, or lost, all games: a rating above it, or below."""

    value: float
    above: bool

    def __str__(self):
        return f"{'above' if self.above else 'below'} {self.value:.0f}"


@dataclass
class Result:
    """Points of a game against an opponent's rating; games of one pair have one key."""

    rating: float
    points: float
    pair: tuple


def expected(difference):
    """The share of the points at a difference in rating."""
    return 1 / (1 + 10 ** (-difference / 400))


def rate(results):
    """The Estimate of the rating, or the Bound if all games were won, or all lost."""
    scored = sum(result.points for result in results)
    if scored in (0, len(results)):
        return bound(results, above=scored > 0)
    value = solve(lambda rating: points_at(rating, results) - scored, results)
    information = 0.0
    surprises = defaultdict(float)
    for result in results:
        share = expected(value - result.rating)
        information += share * (1 - share) * math.log(10) / 400
        surprises[result.pair] += result.points - share
    scatter = sum(surprise**2 for surprise in surprises.values())
    return Estimate(value, WIDTH * math.sqrt(scatter) / information)


def points_at(rating, results):
    return sum(expected(rating - result.rating) for result in results)


def bound(results, above):
    """The rating with which so clean a score would be this unlikely."""
    sign = 1 if above else -1

    def excess(rating):
        chance = sum(math.log(expected(sign * (rating - result.rating))) for result in results)
        return sign * (chance - math.log(1 - SURE))

    return Bound(solve(excess, results), above)


def solve(rising, results):
    """Where a rising function of the rating is nothing."""
    low = min(result.rating for result in results) - REACH
    high = max(result.rating for result in results) + REACH
    for _ in range(60):
        middle = (low + high) / 2
        if rising(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
