"""What the scripts share: numbers and options on the command line, a progress bar."""

import sys


def positive(kind):
    """Reads a number above zero from the command line."""

    def parse(text):
        value = kind(text)
        if not 0 < value < 10**9:
            raise ValueError
        return value

    parse.__name__ = f"positive {kind.__name__}"
    return parse


def option(text):
    """Reads NAME=VALUE from the command line."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return name, value


def show_progress(done, total, note):
    if sys.stderr.isatty():
        bar = "█" * (30 * done // total)
        print(f"\r{bar:░<30} {done}/{total} {note} ", end="", file=sys.stderr, flush=True)
        if done == total:
            print(file=sys.stderr)
