"""The PGN file of a match: games are added as they end, and a match resumes from it."""

import io
import re
from pathlib import Path

import chess.pgn

from lab import files, pgn, schedule

# A complete game ends with its result after its moves.
COMPLETE = re.compile(r"\n\n(?:.*\s)?(?:1-0|0-1|1/2-1/2|\*)\s*\Z", re.DOTALL)


def split(text):
    """The complete games of a PGN text, and the rest after the last of them."""
    starts = [found.start() for found in re.finditer(r"^\[Event ", text, re.MULTILINE)]
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    if parts and not COMPLETE.search(parts[-1]):
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
        """Keeps the complete pairs, and returns the keys of their pairings."""
        if not self.path.exists():
            return set()
        texts, _ = split(self.path.read_text(encoding="utf-8", errors="replace"))
        games = [(headers_of(text), text) for text in texts]
        done = schedule.complete_pairs(game for game, _ in games)
        kept = [(game, text) for game, text in games if game.pairing in done]
        self.games = [game for game, _ in kept]
        files.replace(self.path, "".join(normalised(text) for _, text in kept))
        return done

    def add(self, text):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(normalised(text))
        self.games.append(headers_of(text))


def normalised(text):
    return text.strip() + "\n\n"
