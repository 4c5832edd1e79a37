"""Types of arguments on the command line."""

import contextlib
import os

# Games at a time: an engine for each core.
CONCURRENCY = max((os.cpu_count() or 1) // 2, 1)


def positive(kind, most=10**9):
    """Reads a number above zero."""

    def parse(text):
        with contextlib.suppress(ValueError):
            if 0 < (value := kind(text)) <= most:
                return value
        raise ValueError(f"'{text}' is no {kind.__name__} above 0 and up to {most}")

    parse.__name__ = f"positive {kind.__name__}"
    return parse


def whole_number(text):
    if not 0 <= int(text) < 10**6:
        raise ValueError
    return int(text)


def option(text):
    """Reads NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return name, value
