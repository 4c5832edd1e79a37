"""The statistics of a match: Elo, its error, likelihood of superiority and the SPRT.

Two games from the same opening with colours swapped are one pair. Pairs are independent, games are
not: the pentanomial model counts pairs by their points. Formulas and defaults are those of
fastchess, so that both print the same digits. For the SPRT see Michel Van den Bergh, "Comments on
normalized Elo", sections 4.1 and 4.2.
"""

import math
from dataclasses import dataclass

# Half-width of the 95 % interval in standard deviations.
WIDTH = 1.959963984540054

# Normalised Elo of one standard deviation of the points of one game.
NORMALISED = 800 / math.log(10)

# The possible scores of a pair, as a share of its points.
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass
class Tally:
    """The results of one side: games, and pairs by their points (0, ½, 1, 1½, 2)."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self):
        return self.wins + self.draws + self.losses


@dataclass
class Estimate:
    """A value and the half-width of its 95 % interval, which may be infinite."""

    value: float
    error: float


def count(games, player, opponent=None):
    """The Tally of a player in finished games, against one opponent or against all."""
    tally, pairs, waiting = Tally(), [0] * 5, {}
    for game in games:
        if game.points is None or player not in (game.white, game.black):
            continue
        other, points = game.opponent_of(player), game.points_of(player)
        if opponent not in (None, other):
            continue
        is_white = game.white == player
        tally.wins += points == 1
        tally.draws += points == 0.5
        tally.losses += points == 0
        # An opening may be played again: the next two games are another pair.
        first = waiting.setdefault((other, game.pair, not is_white), [])
        if first:
            pairs[round(2 * (first.pop() + points))] += 1
        else:
            waiting.setdefault((other, game.pair, is_white), []).append(points)
    tally.pairs = tuple(pairs)
    return tally


def moments(pairs):
    """Mean and variance of the score of a pair."""
    total = sum(pairs)
    mean = sum(score * number for score, number in zip(SCORES, pairs)) / total
    variance = sum((score - mean) ** 2 * number for score, number in zip(SCORES, pairs)) / total
    return mean, variance


def logistic_elo(score):
    """The Elo difference at which this score is expected."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def elo(pairs):
    """The Elo difference; pairs that are all alike leave no error."""
    if not sum(pairs):
        return Estimate(0.0, math.inf)
    mean, variance = moments(pairs)
    width = WIDTH * math.sqrt(variance / sum(pairs))
    lower, upper = logistic_elo(mean - width), logistic_elo(mean + width)
    error = math.inf if math.isinf(lower) or math.isinf(upper) else (upper - lower) / 2
    return Estimate(logistic_elo(mean), error)


# With fewer pairs the normal distribution that a likelihood supposes is far off.
FEWEST_PAIRS = 10


def has_error(pairs):
    """Whether the pairs say how sure an Elo difference is: some of them differ."""
    return sum(pairs) > 1 and moments(pairs)[1] > 0


def has_likelihood(pairs):
    return has_error(pairs) and sum(pairs) >= FEWEST_PAIRS


def superiority(pairs):
    """The likelihood that the player is the stronger one (LOS)."""
    if not sum(pairs):
        return 0.5
    mean, variance = moments(pairs)
    if variance == 0:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return (1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / sum(pairs)))) / 2


@dataclass(frozen=True)
class Sprt:
    """A test of H0, the gain is `low`, against H1, it is `high`, both in normalised Elo."""

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self):
        """Below the first H0 is accepted, above the second H1."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, pairs):
        """The log-likelihood ratio of H1 and H0."""
        if not sum(pairs):
            return 0.0
        counts = [number or 1e-3 for number in pairs]
        total = sum(counts)
        observed = [number / total for number in counts]
        low = likeliest(observed, math.sqrt(2) * self.low / NORMALISED)
        high = likeliest(observed, math.sqrt(2) * self.high / NORMALISED)
        return total * sum(p * math.log(b / a) for p, a, b in zip(observed, low, high))


def likeliest(observed, effect):
    """The maximum likelihood distribution with its mean `effect` standard deviations above a half.

    Iterations and precision are those of fastchess: more of them would change the digits.
    """
    guess = [1 / len(observed)] * len(observed)
    for _ in range(10):
        mean = sum(score * p for score, p in zip(SCORES, guess))
        deviation = math.sqrt(sum((score - mean) ** 2 * p for score, p in zip(SCORES, guess)))
        slopes = [
            score - 0.5 - effect * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
            for score in SCORES
        ]
        weight = solve_weight(observed, slopes)
        found = [p / (1 + weight * slope) for p, slope in zip(observed, slopes)]
        change = max(abs(new - old) for new, old in zip(found, guess))
        guess = found
        if change < 1e-4:
            break
    return guess


def solve_weight(observed, slopes):
    """The weight for which the weighted slopes, a decreasing function of it, sum to zero."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    for _ in range(100):
        middle = (low + high) / 2
        if sum(p * slope / (1 + middle * slope) for p, slope in zip(observed, slopes)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
