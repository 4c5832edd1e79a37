"""Which program plays the games, and who steps in for it."""

import asyncio
import os
import shutil
from pathlib import Path

from lab import outside, own, record, schedule
from lab.player import Forfeit, Player
from lab.problem import Problem

OWN = "own"
OTHERS = ("fastchess", "cutechess-cli")


def choose(name):
    """The path of the runner of this name or path, or of one that is there; OWN is the lab's."""
    if name == OWN:
        return OWN
    if name is None:
        return next((found for other in OTHERS if (found := shutil.which(other))), OWN)
    found = shutil.which(name)
    if not found:
        raise Problem(f"there is no runner {name}")
    if not Path(found).name.startswith(("fastchess", "cutechess")):
        raise Problem(f"{name} is none of own, {' and '.join(OTHERS)}")
    return os.path.abspath(found)


def cannot_start(engines):
    """The names of the engines that do not start; wrong options are a problem of the user's."""

    async def try_all():
        players = [Player(engine) for engine in engines]
        try:
            tried = await asyncio.gather(
                *(player.start() for player in players), return_exceptions=True
            )
        finally:
            await asyncio.gather(*(player.leave() for player in players))
        for error in tried:
            if error is not None and not isinstance(error, Forfeit):
                raise error
        return {engine.name for engine, error in zip(engines, tried) if error}

    return asyncio.run(try_all())


def games(runner, pairings, broken, conditions, say):
    """Plays all games, and gives the text of each as it ends.

    The lab plays those of broken engines itself, because others stop when an engine does not start,
    and those that another runner leaves behind.
    """
    left = {pairing.key: pairing for pairing in pairings}
    if runner != OWN:
        sound = [pairing for pairing in pairings if not broken & schedule.encounter_of(pairing)]
        for text in outside.games(runner, sound, conditions, say):
            left.pop(schedule.key_of(record.headers_of(text)), None)
            yield text
        if left and sound:
            say(f"the lab plays the {len(left)} games that are left itself")
    yield from own.games(list(left.values()), conditions)
