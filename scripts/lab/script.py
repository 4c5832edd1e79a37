"""Shared by all scripts: arguments, text files, progress, and errors in one line."""

import contextlib
import json
import logging
import math
import os
import signal
import sys
from pathlib import Path

import chess.engine

# The number of engines that run at a time.
CONCURRENCY = os.cpu_count() or 1


class LabError(Exception):
    """An error that the user can fix; its message is one line."""


def run_script(main):
    """Runs a script; an error ends it with one line, a signal with the usual exit status.

    Who reads no more of what it prints is no error.
    """
    # What python-chess logs is in its exceptions too.
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (LabError, OSError, chess.engine.EngineError) as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def positive(kind, most=10**9):
    """Reads a number above zero."""

    def parse(text):
        with contextlib.suppress(ValueError):
            if 0 < (value := kind(text)) <= most:
                return value
        raise ValueError(f"'{text}' is no {kind.__name__} above 0 and up to {most}")

    parse.__name__ = f"positive {kind.__name__}"
    return parse


def option(text):
    """Reads NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return name, value


def read_lines(path):
    """The numbered lines of a text file, without blank lines and comments."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise LabError(f"{path} is no text: {error}") from error
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def parse_lines(path, lines, parse):
    """Parses numbered lines; an error names its line."""
    parsed = []
    for number, line in lines:
        try:
            parsed.append(parse(line))
        except ValueError as error:
            raise LabError(f"{path}, line {number}: {error}") from error
    return parsed


def to_json(value):
    return json.dumps(finite(value), indent=1, allow_nan=False) + "\n"


def finite(value):
    """The value for JSON, which has no infinity: it becomes null."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def show_bar(done, total, note):
    if sys.stderr.isatty():
        bar = "█" * (30 * done // total)
        print(f"\r{bar:░<30} {done}/{total} {note} ", end="", file=sys.stderr, flush=True)
        if done == total:
            print(file=sys.stderr)
