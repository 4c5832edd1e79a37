"""How long an engine may think."""

import re
from dataclasses import dataclass, fields

from lab.arguments import positive

TIME_CONTROL = re.compile(
    r"(?:(?P<moves>\d+)/)?(?:(?P<minutes>\d+):)?(?P<seconds>\d+(?:\.\d+)?)"
    r"(?:\+(?P<increment>\d+(?:\.\d+)?))?"
)

# A day.
MOST_SECONDS = 86_400


@dataclass(frozen=True)
class TimeControl:
    """Seconds for all moves, or for that many; and the increment after each."""

    seconds: float
    increment: float = 0.0
    moves: int = 0

    def __str__(self):
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{moves}{self.seconds:g}{increment}"


@dataclass(frozen=True)
class Limit:
    """Exactly one of the four is set."""

    tc: TimeControl | None = None
    movetime: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def is_timed(self):
        return self.tc is not None or self.movetime is not None

    def __str__(self):
        if self.tc:
            return str(self.tc)
        if self.movetime:
            return f"{self.movetime:g} s a move"
        return f"{self.nodes} nodes" if self.nodes else f"depth {self.depth}"


NAMES = tuple(field.name for field in fields(Limit))


def read_limit(name, text):
    if name == "tc":
        return Limit(tc=read_time_control(text))
    kind, most = {
        "movetime": (float, MOST_SECONDS),
        "nodes": (int, 10**15),
        "depth": (int, 1000),
    }[name]
    return Limit(**{name: positive(kind, most)(text)})


def read_time_control(text):
    found = TIME_CONTROL.fullmatch(text)
    if not found:
        raise ValueError(f"'{text}' is no clock: 8+0.08, 1:30+1 and 40/60 are")
    seconds = 60 * int(found["minutes"] or 0) + float(found["seconds"])
    control = TimeControl(seconds, float(found["increment"] or 0), int(found["moves"] or 0))
    if not 0 < control.seconds <= MOST_SECONDS or control.increment > MOST_SECONDS:
        raise ValueError(f"'{text}' is no clock of more than nothing and at most a day")
    return control
