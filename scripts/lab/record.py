"""The PGN file of a match, to which games are added as they end, and from which a match goes on."""

import io
import os
import re
from pathlib import Path

import chess.pgn

from lab import pgn, schedule

# A game ends with its result behind its moves; what is only partly written does not.
ENDS = re.compile(r"\n\n(?:.*\s)?(?:1-0|0-1|1/2-1/2|\*)\s*\Z", re.DOTALL)


def split(text):
    """The whole games of a PGN text, and what is left behind the last of them."""
    starts = [found.start() for found in re.finditer(r"^\[Event ", text, re.MULTILINE)]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    if parts and not ENDS.search(parts[-1]):
        return parts[:-1], parts[-1]
    return parts, ""


def headers_of(text):
    return pgn.read_headers(chess.pgn.read_headers(io.StringIO(text)))


class Record:
    """All games of a match so far."""

    def __init__(self, path):
        self.path = Path(path)
        self.games = []

    def resume(self):
        """Keeps the pairs that are complete, and says which pairings they were played for."""
        if not self.path.exists():
            return set()
        texts = split(self.path.read_text(encoding="utf-8", errors="replace"))[0]
        games = [headers_of(text) for text in texts]
        done = schedule.whole(games)
        kept = [
            (game, text) for game, text in zip(games, texts) if schedule.key_of(game) in done
        ]
        self.games = [game for game, _ in kept]
        # The old file stays until the new one is whole.
        new = self.path.with_suffix(".new")
        new.write_text("".join(clean(text) for _, text in kept), encoding="utf-8")
        os.replace(new, self.path)
        return done

    def add(self, text):
        game = headers_of(text)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(clean(text))
        self.games.append(game)
        return game


def clean(text):
    return text.strip() + "\n\n"
