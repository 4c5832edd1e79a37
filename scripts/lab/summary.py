"""The JSON file of a match: with what it was played, and what came out of it."""

import json
import math
import os
from collections import Counter
from pathlib import Path

from lab import statistics
from lab.live import ranking, share
from lab.problem import Problem
from lab.schedule import encounters


def read_settings(path):
    """With what an earlier match was played, or None if there was none."""
    if not Path(path).exists():
        return None
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))["settings"]
    except (ValueError, KeyError, TypeError) as error:
        raise Problem(f"{path} is not the summary of a match") from error


def as_read(settings):
    """Settings as they are when they have been written and read."""
    return json.loads(json.dumps(settings))


def difference(old, new, name="settings"):
    """The first thing that is not as it was, in words."""
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        parts = [(key, old[key], new[key]) for key in new]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        parts = [(f"{name} {number}", *both) for number, both in enumerate(zip(old, new), 1)]
    else:
        parts = []
    inner = (difference(before, now, key) for key, before, now in parts)
    if found := next(filter(None, inner), None):
        return found
    return None if old == new else f"{name} was {json.dumps(old)} and is {json.dumps(new)}"


def finite(value):
    return value if math.isfinite(value) else None


def figures(tally, sprt=None):
    elo, normalised = statistics.elo(tally.pairs), statistics.normalised_elo(tally.pairs)
    said = {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": tally.pairs,
        "elo": finite(elo.value),
        "elo_error": finite(elo.error),
        "normalised_elo": finite(normalised.value),
        "normalised_elo_error": finite(normalised.error),
        "los": statistics.superiority(tally.pairs),
    }
    if sprt:
        said["llr"] = sprt.llr(tally.pairs)
        said["llr_bounds"] = sprt.bounds
        said["sprt"] = [sprt.low, sprt.high]
        said["taken_to_be_true"] = sprt.verdict(tally.pairs)
    return said


def results(games, engines, gauntlet, sprt):
    return {
        "encounters": [
            {
                "first": first.name,
                "second": second.name,
                **figures(statistics.count(games, first.name, second.name), sprt),
            }
            for first, second in encounters(engines, gauntlet)
        ],
        "ranking": [
            {"name": name, "score": share(tally), **figures(tally)}
            for name, tally in ranking(games, engines)
        ],
    }


def endings(games):
    """How games ended, by who won them: for this the moves must have been read."""
    counts = Counter((game.winner or "draw", game.ending) for game in games)
    return [
        {"winner": winner, "ending": ending, "games": count}
        for (winner, ending), count in counts.most_common()
    ]


def write(path, settings, state, **more):
    """The old file stays until the new one is whole."""
    text = json.dumps({"settings": settings, "state": state, **more}, indent=1) + "\n"
    new = Path(path).with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)
