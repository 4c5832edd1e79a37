"""Engines for single moves and scores, through python-chess's SimpleEngine."""

import contextlib
import functools
import queue
import shutil
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor

import chess.engine

from lab.script import LabError

# Seconds that an engine may take to start.
START = 10


def find(program):
    """The path of a program, given as a path or as a name in PATH."""
    found = shutil.which(program)
    if not found:
        raise LabError(f"there is no program {program}")
    return found


def start(stack, command, defaults, options=None):
    """Starts an engine, which is closed with the stack. It need not have the default options."""
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
def pool(make, size):
    """Gives a function that maps work(engine, job) over jobs, in their order.

    make(stack) starts what one job at a time works with.
    """
    with contextlib.ExitStack() as stack:
        free = queue.SimpleQueue()
        for _ in range(size):
            free.put(make(stack))

        def with_engine(work, job):
            engine = free.get()
            try:
                return work(engine, job)
            finally:
                free.put(engine)

        with ThreadPoolExecutor(size) as threads:
            yield lambda work, jobs: threads.map(functools.partial(with_engine, work), jobs)


@contextlib.contextmanager
def watchdog(engine, seconds, failure):
    """Closes an engine that searches for longer than this. Without seconds it may search forever."""
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
