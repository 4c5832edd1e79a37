"""Engines that search single positions for a script, through python-chess's SimpleEngine."""

import contextlib
import threading
from concurrent.futures import CancelledError

import chess.engine

from lab.errors import LabError

# Seconds that an engine may take to start.
START = 10


def start(stack, command, defaults, options=None):
    """Starts an engine that closes with the stack; it need not have the default options."""
    try:
        engine = chess.engine.SimpleEngine.popen_uci(command, timeout=START)
    except (OSError, chess.engine.EngineError) as error:
        reason = str(error) or f"it is silent for {START} s"
        raise LabError(f"{command} does not start as a UCI engine: {reason}") from error
    stack.callback(engine.close)
    try:
        present = {name: value for name, value in defaults.items() if name in engine.options}
        engine.configure({**present, **(options or {})})
    except chess.engine.EngineError as error:
        raise LabError(f"{command}: {error}") from error
    return engine


@contextlib.contextmanager
def watchdog(engine, seconds, failure):
    """Closes an engine that searches for longer; without seconds it may search forever."""
    expired = threading.Event()

    def close():
        expired.set()
        engine.close()

    timer = threading.Timer(threading.TIMEOUT_MAX if seconds is None else seconds, close)
    timer.daemon = True
    timer.start()
    try:
        yield
    except (chess.engine.EngineError, CancelledError) as error:
        reason = error
        if expired.is_set():
            reason = f"no proper answer in {seconds:.0f} s"
        elif isinstance(error, (chess.engine.EngineTerminatedError, CancelledError)):
            reason = "it has ended"
        raise LabError(f"{failure}: {reason}") from error
    finally:
        timer.cancel()
