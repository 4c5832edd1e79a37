"""What the results of a match say: Elo, its error, likelihood of superiority and the SPRT.

Two games that start from the same opening with colours swapped are one pair, and pairs are what is
independent: the pentanomial model counts pairs by their points. Formulas and defaults are those of
fastchess, so that both print the same digits. For the SPRT see Michel Van den Bergh, "Comments on
normalized Elo", sections 4.1 and 4.2.
"""

import math
from dataclasses import dataclass

# Half-width of the 95 % interval in standard deviations.
WIDTH = 1.959963984540054

# Normalised Elo of one standard deviation of one game's points.
NORMAL = 800 / math.log(10)

# What one of two games can bring, as a share.
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass
class Tally:
    """One side's results: games, and pairs by the points they brought (0, ½, 1, 1½, 2)."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self):
        return self.wins + self.draws + self.losses

    @property
    def points(self):
        return self.wins + self.draws / 2

    def reversed(self):
        """The same results as the other side sees them."""
        return Tally(self.losses, self.draws, self.wins, self.pairs[::-1])

    def __add__(self, other):
        pairs = tuple(mine + its for mine, its in zip(self.pairs, other.pairs))
        return Tally(
            self.wins + other.wins, self.draws + other.draws, self.losses + other.losses, pairs
        )


@dataclass
class Estimate:
    """A value and the half-width of its 95 % interval; infinite where nothing bounds it."""

    value: float
    error: float

    def __str__(self):
        return f"{self.value:.2f} ± {self.error:.2f}"


def count(games, player, opponent=None):
    """What a player scored in finished games, against one opponent or against all.

    A game has the names white and black, a key that both games of a pair share, and points, which
    are White's, or None if the game is not finished.
    """
    tally, pairs, waiting = Tally(), [0] * 5, {}
    for game in games:
        if game.points is None or player not in (game.white, game.black):
            continue
        is_white = game.white == player
        other = game.black if is_white else game.white
        if opponent not in (None, other):
            continue
        points = game.points if is_white else 1 - game.points
        tally.wins += points == 1
        tally.draws += points == 0.5
        tally.losses += points == 0
        # A resumed match may play an opening twice: the next two games are another pair.
        first = waiting.setdefault((other, game.key, not is_white), [])
        if first:
            pairs[round(2 * (first.pop() + points))] += 1
        else:
            waiting.setdefault((other, game.key, is_white), []).append(points)
    tally.pairs = tuple(pairs)
    return tally


def moments(pairs):
    """Mean and variance of a pair's share of the points."""
    total = sum(pairs)
    mean = sum(share * number for share, number in zip(SHARES, pairs)) / total
    variance = sum((share - mean) ** 2 * number for share, number in zip(SHARES, pairs)) / total
    return mean, variance


def logistic(share):
    """The Elo difference at which this share of the points is expected."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return 400 * math.log10(share / (1 - share))


def half(upper, lower):
    return math.inf if math.isinf(upper) or math.isinf(lower) else (upper - lower) / 2


def elo(pairs):
    """The Elo difference that the pairs speak for; pairs that are all alike leave no error."""
    if not sum(pairs):
        return Estimate(0.0, math.inf)
    mean, variance = moments(pairs)
    reach = WIDTH * math.sqrt(variance / sum(pairs))
    return Estimate(logistic(mean), half(logistic(mean + reach), logistic(mean - reach)))


def normalised_elo(pairs):
    """The difference in standard deviations of a game, which does not depend on how many draws."""
    total = sum(pairs)
    if not total:
        return Estimate(0.0, math.inf)
    mean, variance = moments(pairs)
    if variance == 0:
        return Estimate(0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5), 0.0)
    return Estimate(
        (mean - 0.5) / math.sqrt(2 * variance) * NORMAL, WIDTH * NORMAL / math.sqrt(2 * total)
    )


def superiority(pairs):
    """The likelihood that the player is the stronger one."""
    if not sum(pairs):
        return 0.5
    mean, variance = moments(pairs)
    if variance == 0:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return (1 + math.erf((mean - 0.5) / math.sqrt(2 * variance / sum(pairs)))) / 2


@dataclass(frozen=True)
class Sprt:
    """A test of two hypotheses, both in normalised Elo: the gain is `low`, or it is `high`."""

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self):
        """Below the first `low` is taken to be true, above the second `high`."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, pairs):
        """The logarithm of how much likelier `high` makes the pairs than `low`."""
        if not sum(pairs):
            return 0.0
        counts = [number or 1e-3 for number in pairs]
        total = sum(counts)
        seen = [number / total for number in counts]
        low = likeliest(seen, math.sqrt(2) * self.low / NORMAL)
        high = likeliest(seen, math.sqrt(2) * self.high / NORMAL)
        return total * sum(p * math.log(b / a) for p, a, b in zip(seen, low, high))

    def verdict(self, pairs):
        """The hypothesis that is taken to be true, or None as long as neither is."""
        lower, upper = self.bounds
        llr = self.llr(pairs)
        if llr >= upper:
            return self.high
        return self.low if llr <= lower else None


def likeliest(seen, effect):
    """The likeliest distribution whose mean is so many standard deviations above a half.

    The rounds and the precision are those of fastchess: with more, other digits would come out.
    """
    guess = [1 / len(seen)] * len(seen)
    for _ in range(10):
        mean = sum(share * p for share, p in zip(SHARES, guess))
        deviation = math.sqrt(sum((share - mean) ** 2 * p for share, p in zip(SHARES, guess)))
        slopes = [
            share - 0.5 - effect * deviation * (1 + ((share - mean) / deviation) ** 2) / 2
            for share in SHARES
        ]
        weight = balance(seen, slopes)
        found = [p / (1 + weight * slope) for p, slope in zip(seen, slopes)]
        change = max(abs(new - old) for new, old in zip(found, guess))
        guess = found
        if change < 1e-4:
            break
    return guess


def balance(seen, slopes):
    """The weight for which the weighted slopes, a falling function of it, add up to nothing."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    for _ in range(100):
        middle = (low + high) / 2
        if sum(p * slope / (1 + middle * slope) for p, slope in zip(seen, slopes)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
