"""Engines that search single positions for a script: how they start, and that they end in time."""

import contextlib
import logging
import threading

import chess.engine

from lab.problem import Problem

# Seconds that an engine may take to start.
START = 10

# What python-chess notes of an engine that misbehaves is in its exceptions too.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def start(stack, command, options):
    """Starts an engine that is closed when the stack is."""
    try:
        engine = chess.engine.SimpleEngine.popen_uci(command, timeout=START)
    except (OSError, chess.engine.EngineError) as error:
        reason = str(error) or f"it is silent for {START} s"
        raise Problem(f"{command} does not start as a UCI engine: {reason}") from error
    stack.callback(engine.close)
    try:
        engine.configure(options)
    except chess.engine.EngineError as error:
        raise Problem(f"{command}: {error}") from error
    return engine


@contextlib.contextmanager
def ends_within(engine, seconds):
    """Closes an engine that searches for longer, which then fails; None gives it for ever."""
    watch = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, engine.close)
    watch.daemon = True
    watch.start()
    try:
        yield
    finally:
        watch.cancel()
