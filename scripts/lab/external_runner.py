"""The external runners fastchess and cutechess-cli, one encounter at a time."""

import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lab import record
from lab.errors import LabError

SUPERVISOR = Path(__file__).with_name("supervisor.py")

# Seconds between two checks for finished games.
PAUSE = 0.2

# Without a time limit an engine counts as hanging if no game ends within this many times the
# patience with one move.
MOVES = 10


def games(runner, pairings, conditions, message):
    """Plays games that come as pairs, and yields the PGN of each as it ends.

    If the runner stops, games are missing.
    """
    for _, group in itertools.groupby(pairings, lambda pairing: pairing.names):
        firsts = list(group)[::2]
        with tempfile.TemporaryDirectory() as folder:
            yield from encounter(runner, firsts, conditions, Path(folder), message)


def encounter(runner, firsts, conditions, folder, message):
    """Plays all games of two engines, from the first game of each pair."""
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
            [sys.executable, str(SUPERVISOR), *command],
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
        reason = last_error(folder / "output")
        message(f"{Path(runner).name} stopped after {played} games: {reason}")


def opening_line(board):
    fields = board.shredder_fen() if board.chess960 else board.fen()
    *position, halfmoves, moves = fields.split()
    return f"{' '.join(position)} hmvc {halfmoves}; fmvn {moves};"


def follow(process, path, patience):
    """The PGN of the games that appear in a file, until its writer ends or hangs."""
    read, rest, latest = 0, "", time.monotonic()
    while True:
        ended = process.poll() is not None
        if path.exists():
            with open(path, "rb") as file:
                file.seek(read)
                new = file.read()
            read += len(new)
            texts, rest = record.split(rest + new.decode(errors="replace").replace("\r", ""))
            for text in texts:
                latest = time.monotonic()
                if '[Result "*"]' not in text:
                    yield text
        if ended or time.monotonic() - latest > patience:
            return
        time.sleep(PAUSE)


def renumber(text, firsts):
    """Replaces the round, which the runner counts from 1, by the number of the pairing."""
    found = re.search(r'^\[Round "(\d+)', text, re.MULTILINE)
    number = int(found[1]) if found else 0
    if not 0 < number <= len(firsts):
        raise LabError(f"a game of round {number}, which is not scheduled")
    right = f'[Round "{firsts[number - 1].number}"]'
    return re.sub(r'^\[Round "[^"]*"\]', right, text, count=1, flags=re.MULTILINE)


def last_error(path):
    """The likely reason of a stop: the last error, or the last line."""
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"error|fatal|warning", line, re.IGNORECASE)]
    return (errors or lines or ["no output"])[-1].strip()


def engine_words(engine, conditions, untimed, arguments):
    """The options of -engine that both runners share."""
    limit = engine.limit
    words = [f"cmd={engine.program}", f"name={engine.name}", "proto=uci", *arguments]
    words.append(f"dir={engine.folder or os.getcwd()}")
    words.append(f"timemargin={round(1000 * conditions.margin)}")
    if limit.tc:
        words.append(f"tc={limit.tc}")
    elif limit.movetime:
        words.append(f"st={limit.movetime:g}")
    else:
        words += [f"nodes={limit.nodes}" if limit.nodes else f"depth={limit.depth}", *untimed]
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
    # The default is a minute for each engine that hangs, again and again.
    for wait in ("-ping-ms", "-ucinewgame-ms"):
        words += [wait, str(round(1000 * conditions.patience))]
    return words + ["-pgnout", f"file={folder / 'games.pgn'}", "nodes=true"]


def cutechess(white, black, pairs, conditions, folder):
    words = []
    for engine in (white, black):
        arguments = [f"arg={argument}" for argument in engine.args]
        words += ["-engine", *engine_words(engine, conditions, ["tc=inf"], arguments)]
    return words + common_words(conditions, pairs) + ["-pgnout", str(folder / "games.pgn"), "fi"]
