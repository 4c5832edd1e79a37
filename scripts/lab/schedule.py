"""Who plays whom from which opening: always two games with colours swapped."""

import itertools
from dataclasses import dataclass

import chess

from lab.engines import Engine


@dataclass(frozen=True)
class Pairing:
    """A game to play; the other game of its pair has the same number."""

    white: Engine
    black: Engine
    number: int
    opening: chess.Board

    @property
    def key(self):
        return (self.white.name, self.black.name, str(self.number))

    @property
    def names(self):
        return {self.white.name, self.black.name}


def encounters(engines, gauntlet):
    """The pairs of engines that meet: a round robin, or the first against each of the others."""
    if gauntlet:
        return [(engines[0], engine) for engine in engines[1:]]
    return list(itertools.combinations(engines, 2))


def plan(matches, pairs, openings):
    """All games of the engines that meet; each encounter plays the same openings."""
    return [
        Pairing(white, black, number, openings[(number - 1) % len(openings)])
        for first, second in matches
        for number in range(1, pairs + 1)
        for white, black in ((first, second), (second, first))
    ]


def complete_pairs(games):
    """The keys of the games whose pair is finished."""
    keys = {game.pairing for game in games if game.points is not None}
    return {key for key in keys if (key[1], key[0], key[2]) in keys}
