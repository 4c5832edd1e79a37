"""The JSON file of a match: its settings and its results."""

import json
from collections import Counter
from pathlib import Path

from lab import files, statistics
from lab.errors import LabError
from lab.schedule import encounters
from lab.standings import ranking


def check_settings(path, settings):
    """Fails if there is a match with other settings."""
    if not Path(path).exists():
        return
    try:
        old = json.loads(Path(path).read_text(encoding="utf-8"))["settings"]
    except (ValueError, KeyError, TypeError) as error:
        raise LabError(f"{path} is not the summary of a match") from error
    if changed := difference(old, json.loads(files.to_json(settings))):
        raise LabError(
            f"{path} is of another match ({changed}): name another --out, or start --again"
        )


def difference(old, new, name="settings"):
    """The first difference in words, or None."""
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


def figures(tally, sprt=None):
    elo, normalised = statistics.elo(tally.pairs), statistics.normalised_elo(tally.pairs)
    found = {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": tally.pairs,
        "elo": elo.value,
        "elo_error": elo.error,
        "normalised_elo": normalised.value,
        "normalised_elo_error": normalised.error,
        "los": statistics.superiority(tally.pairs),
    }
    if sprt:
        found["llr"] = sprt.llr(tally.pairs)
        found["llr_bounds"] = sprt.bounds
        found["sprt"] = [sprt.low, sprt.high]
        found["taken_to_be_true"] = sprt.verdict(tally.pairs)
    return found


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
            {"name": name, "score": tally.percentage, **figures(tally)}
            for name, tally in ranking(games, engines)
        ],
    }


def endings(games):
    """How often each side won in each way; needs games that were read with their moves."""
    counts = Counter((game.winner or "draw", game.ending) for game in games)
    return [
        {"winner": winner, "ending": ending, "games": count}
        for (winner, ending), count in counts.most_common()
    ]


def write(path, settings, state, **more):
    files.replace(path, files.to_json({"settings": settings, "state": state, **more}))
