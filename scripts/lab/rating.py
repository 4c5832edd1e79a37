"""The rating of an engine from games against opponents whose ratings are known.

It is the maximum likelihood rating of the logistic model, at which the expected points are those
that were scored. The error comes from how the points of the pairs scatter around the expected ones,
so it is right with draws and with two games per opening, which the model does not know.
"""

import math
from collections import defaultdict
from dataclasses import dataclass

from lab.statistics import WIDTH, Estimate

# How far the engine's rating may lie beyond the opponents'.
REACH = 4000

# The confidence of the bound for an engine that won or lost all games.
CONFIDENCE = 0.95


@dataclass
class Bound:
    """A bound of the rating: a lower one if all games were won, an upper one if all were lost."""

    value: float
    above: bool

    def __str__(self):
        return f"{'above' if self.above else 'below'} {self.value:.0f}"


@dataclass
class Result:
    """The points of a game against an opponent with a rating; both games of a pair have one key."""

    rating: float
    points: float
    pair: tuple


def expected(difference):
    """The expected score at a difference in rating."""
    return 1 / (1 + 10 ** (-difference / 400))


def rate(results):
    """The Estimate of the rating, or a Bound if all games were won, or all lost."""
    scored = sum(result.points for result in results)
    if scored in (0, len(results)):
        return bound(results, above=scored > 0)
    value = solve(lambda rating: points_at(rating, results) - scored, results)
    information = 0.0
    deviations = defaultdict(float)
    for result in results:
        share = expected(value - result.rating)
        information += share * (1 - share) * math.log(10) / 400
        deviations[result.pair] += result.points - share
    scatter = sum(deviation**2 for deviation in deviations.values())
    return Estimate(value, WIDTH * math.sqrt(scatter) / information)


def points_at(rating, results):
    return sum(expected(rating - result.rating) for result in results)


def bound(results, above):
    """The rating at which such a score is too unlikely."""
    sign = 1 if above else -1

    def excess(rating):
        chance = sum(math.log(expected(sign * (rating - result.rating))) for result in results)
        return sign * (chance - math.log(1 - CONFIDENCE))

    return Bound(solve(excess, results), above)


def solve(function, results):
    """The zero of an increasing function of the rating, by bisection."""
    low = min(result.rating for result in results) - REACH
    high = max(result.rating for result in results) + REACH
    for _ in range(60):
        middle = (low + high) / 2
        if function(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
