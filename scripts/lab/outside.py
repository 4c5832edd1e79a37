"""Other people's runners: fastchess and cutechess-cli, one encounter at a time."""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lab import record, schedule
from lab.problem import Problem

LEASH = Path(__file__).with_name("leash.py")

# Seconds between two looks at what games have ended.
PAUSE = 0.2

# An engine without a clock is taken to hang if no game ends in so many times the patience with a
# move.
MOVES = 10


def games(runner, pairings, conditions, say):
    """Plays games that come as pairs, and gives the text of each as it ends.

    Games that are not played, because the runner stopped, are just not given.
    """
    for _, group in itertools.groupby(pairings, schedule.encounter_of):
        firsts = list(group)[::2]
        with tempfile.TemporaryDirectory() as folder:
            yield from encounter(runner, firsts, conditions, Path(folder), say)


def encounter(runner, firsts, conditions, folder, say):
    """All games of two engines; given is the first game of each pair."""
    white, black = firsts[0].white, firsts[0].black
    (folder / "openings.epd").write_text(
        "".join(f"{opening_line(pairing.opening)}\n" for pairing in firsts), encoding="utf-8"
    )
    make = fastchess if Path(runner).name.startswith("fastchess") else cutechess
    command = [runner, *make(white, black, len(firsts), conditions, folder)]
    timed = white.limit.is_timed and black.limit.is_timed
    patience = float("inf") if timed else MOVES * conditions.patience
    with open(folder / "output", "wb") as output:
        process = subprocess.Popen(
            [sys.executable, str(LEASH), *command],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            start_new_session=True,
        )
        try:
            played = 0
            for text in follow(process, folder / "games.pgn", patience):
                played += 1
                yield renumber(text, firsts)
        finally:
            process.stdin.close()
            process.wait()
    if played < 2 * len(firsts):
        say(f"{Path(runner).name} stopped after {played} games: {last_word(folder / 'output')}")


def opening_line(board):
    fields = board.shredder_fen() if board.chess960 else board.fen()
    *position, halfmoves, moves = fields.split()
    return f"{' '.join(position)} hmvc {halfmoves}; fmvn {moves};"


def follow(process, path, patience):
    """The texts of the games that appear in a file, until its writer ends or loses patience."""
    seen, rest, latest = 0, "", time.monotonic()
    while True:
        ended = process.poll() is not None
        if path.exists():
            with open(path, "rb") as file:
                file.seek(seen)
                new = file.read()
            seen += len(new)
            texts, rest = record.split(rest + new.decode(errors="replace").replace("\r", ""))
            for text in texts:
                latest = time.monotonic()
                if '[Result "*"]' not in text:
                    yield text
        if ended or time.monotonic() - latest > patience:
            return
        time.sleep(PAUSE)


def renumber(text, firsts):
    """A runner counts the rounds from 1, the match goes on where it was."""
    found = re.search(r'^\[Round "(\d+)', text, re.MULTILINE)
    number = int(found[1]) if found else 0
    if not 0 < number <= len(firsts):
        raise Problem("a game of a round that was not asked for")
    right = f'[Round "{firsts[number - 1].number}"]'
    return re.sub(r'^\[Round "[^"]*"\]', right, text, count=1, flags=re.MULTILINE)


def last_word(path):
    """What may be the reason: the last complaint, or the last line."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    complaints = [line for line in lines if re.search(r"error|fatal|warning", line, re.IGNORECASE)]
    return (complaints or lines or ["no word"])[-1].strip()


def engine_words(engine, conditions, unlimited, arguments):
    """How both runners want an engine described."""
    limit = engine.limit
    words = [f"cmd={engine.program}", f"name={engine.name}", "proto=uci", *arguments]
    words.append(f"dir={engine.folder or os.getcwd()}")
    words.append(f"timemargin={round(1000 * conditions.margin)}")
    if limit.clock:
        words.append(f"tc={limit.clock}")
    elif limit.movetime:
        words.append(f"st={limit.movetime:g}")
    else:
        words += [f"nodes={limit.nodes}" if limit.nodes else f"depth={limit.depth}", *unlimited]
    return words + [f"option.{name}={value}" for name, value in engine.options.items()]


def rules_words(rules):
    words = []
    if rules.draw:
        move, count, score = rules.draw
        words += ["-draw", f"movenumber={move}", f"movecount={count}", f"score={score}"]
    if rules.resign:
        count, score = rules.resign
        words += ["-resign", f"movecount={count}", f"score={score}"]
    if rules.most_moves:
        words += ["-maxmoves", str(rules.most_moves)]
    if rules.tables:
        words += ["-tb", rules.tables]
    return words


def common_words(conditions, pairs):
    words = ["-games", "2", "-rounds", str(pairs), "-repeat", "-recover", "-event", "Match"]
    words += ["-concurrency", str(conditions.concurrency)]
    words += ["-openings", "file=openings.epd", "format=epd", "order=sequential"]
    words += ["-variant", "fischerandom"] if conditions.chess960 else []
    return words + rules_words(conditions.rules)


def fastchess(white, black, pairs, conditions, folder):
    words = []
    for engine in (white, black):
        arguments = [f"args={shlex.join(engine.args)}"] if engine.args else []
        words += ["-engine", *engine_words(engine, conditions, [], arguments)]
    words += common_words(conditions, pairs)
    words += ["-force-concurrency", "-autosaveinterval", "0", "-ratinginterval", "0"]
    # It waits a minute for an engine that hangs, and again for the same one.
    for wait in ("-ping-ms", "-ucinewgame-ms"):
        words += [wait, str(round(1000 * conditions.patience))]
    return words + ["-pgnout", f"file={folder / 'games.pgn'}", "nodes=true"]


def cutechess(white, black, pairs, conditions, folder):
    words = []
    for engine in (white, black):
        arguments = [f"arg={argument}" for argument in engine.args]
        words += ["-engine", *engine_words(engine, conditions, ["tc=inf"], arguments)]
    return words + common_words(conditions, pairs) + ["-pgnout", str(folder / "games.pgn"), "fi"]
