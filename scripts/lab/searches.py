"""Engines that search single positions for a script: how they start, and that they end in time."""

import contextlib
import logging
import threading
from concurrent.futures import CancelledError

import chess.engine

from lab.problem import Problem

# Seconds that an engine may take to start.
START = 10

# What python-chess notes of an engine that misbehaves is in its exceptions too.
logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def start(stack, command, usual, options):
    """Starts an engine that is closed when the stack is; it may lack the usual options."""
    try:
        engine = chess.engine.SimpleEngine.popen_uci(command, timeout=START)
    except (OSError, chess.engine.EngineError) as error:
        reason = str(error) or f"it is silent for {START} s"
        raise Problem(f"{command} does not start as a UCI engine: {reason}") from error
    stack.callback(engine.close)
    try:
        present = {name: value for name, value in usual.items() if name in engine.options}
        engine.configure({**present, **options})
    except chess.engine.EngineError as error:
        raise Problem(f"{command}: {error}") from error
    return engine


@contextlib.contextmanager
def ends_within(engine, seconds):
    """Closes an engine that searches for longer, which then fails; None gives it for ever."""
    late = threading.Event()

    def close():
        late.set()
        engine.close()

    watch = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, close)
    watch.daemon = True
    watch.start()
    try:
        yield
    except (chess.engine.EngineTerminatedError, CancelledError) as error:
        reason = f"no proper answer in {seconds:.0f} s" if late.is_set() else "it has ended"
        raise chess.engine.EngineError(reason) from error
    finally:
        watch.cancel()
