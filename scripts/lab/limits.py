"""How long an engine may think."""

import re
from dataclasses import dataclass

CLOCK = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?)"
    r"(?:\+(?P<increment>\d+(?:\.\d+)?))?"
)

# A day: beyond it nobody waits.
MOST_SECONDS = 86_400


@dataclass(frozen=True)
class Clock:
    """Seconds for all moves, or for so many; and seconds more after each."""

    seconds: float
    increment: float = 0.0
    moves: int = 0

    def __str__(self):
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{moves}{self.seconds:g}{increment}"


@dataclass(frozen=True)
class Limit:
    """Exactly one of the four."""

    clock: Clock | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def is_timed(self):
        return self.clock is not None or self.movetime is not None

    def __str__(self):
        if self.clock:
            return str(self.clock)
        if self.movetime:
            return f"{self.movetime:g} s a move"
        return f"{self.nodes} nodes" if self.nodes else f"depth {self.depth}"


def read_clock(text):
    found = CLOCK.fullmatch(text)
    if not found:
        raise ValueError(f"'{text}' is no clock: 8+0.08, 1:30+1 and 40/60 are")
    seconds = 60 * int(found["minutes"] or 0) + float(found["seconds"])
    clock = Clock(seconds, float(found["increment"] or 0), int(found["moves"] or 0))
    if not 0 < clock.seconds <= MOST_SECONDS or clock.increment > MOST_SECONDS:
        raise ValueError(f"'{text}' is no clock: between nothing and a day can be played")
    return clock


def read_number(text, kind, most):
    try:
        value = kind(text)
    except ValueError:
        value = 0
    if not 0 < value <= most:
        raise ValueError(f"'{text}' is no {kind.__name__} above 0 and up to {most}")
    return value


def read_limit(name, text):
    """The limit that tc, movetime, nodes or depth sets."""
    if name == "tc":
        return Limit(clock=read_clock(text))
    if name == "movetime":
        return Limit(movetime=read_number(text, float, MOST_SECONDS))
    if name == "nodes":
        return Limit(nodes=read_number(text, int, 10**15))
    return Limit(depth=read_number(text, int, 1000))


NAMES = ("tc", "movetime", "nodes", "depth")
