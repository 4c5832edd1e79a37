"""Which program plays the games, and the built-in runner as the fallback."""

import asyncio
import os
import shutil
from pathlib import Path

from lab import builtin_runner, external_runner, record
from lab.errors import LabError
from lab.player import Forfeit, Player

# As --runner calls the built-in one.
BUILT_IN = "own"
EXTERNAL = ("fastchess", "cutechess-cli")


def choose(name):
    """The path of the runner with this name or path; without one, of the first that is found."""
    if name == BUILT_IN:
        return BUILT_IN
    if name is None:
        return next((found for other in EXTERNAL if (found := shutil.which(other))), BUILT_IN)
    found = shutil.which(name)
    if not found:
        raise LabError(f"there is no runner {name}")
    if not Path(found).name.startswith(("fastchess", "cutechess")):
        raise LabError(f"{name} is none of {BUILT_IN}, {' and '.join(EXTERNAL)}")
    return os.path.abspath(found)


def cannot_start(engines):
    """The names of the engines that do not start; wrong options are errors of the user."""

    async def try_all():
        players = [Player(engine) for engine in engines]
        try:
            tried = await asyncio.gather(
                *(player.start() for player in players), return_exceptions=True
            )
        finally:
            await asyncio.gather(*(player.quit() for player in players))
        for error in tried:
            if error is not None and not isinstance(error, Forfeit):
                raise error
        return {engine.name for engine, error in zip(engines, tried) if error}

    return asyncio.run(try_all())


def games(runner, pairings, broken, conditions, message):
    """Plays all games, and yields the PGN of each as it ends.

    The built-in runner plays the games of broken engines, because the others stop when an engine
    does not start, and the games that they leave unplayed.
    """
    left = {pairing.key: pairing for pairing in pairings}
    if runner != BUILT_IN:
        sound = [pairing for pairing in pairings if not broken & pairing.names]
        for text in external_runner.games(runner, sound, conditions, message):
            left.pop(record.headers_of(text).pairing, None)
            yield text
        if left and sound:
            message(f"the built-in runner plays the {len(left)} games that are left")
    yield from builtin_runner.games(list(left.values()), conditions)
