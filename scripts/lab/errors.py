"""Errors that the user can fix, and how a script ends with one."""

import logging
import signal
import sys
from pathlib import Path

import chess.engine


class LabError(Exception):
    """An error whose message is one line for the user."""


def run_script(main):
    """Runs a script; an error ends it with one line, a signal with the usual exit status."""
    # What python-chess logs is in its exceptions too.
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main()
    except (LabError, OSError, chess.engine.EngineError) as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
