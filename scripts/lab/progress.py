"""The progress of a script on standard error."""

import shutil
import sys


class Display:
    """The progress of a match: one line on a terminal, elsewhere a line now and then."""

    def __init__(self, total):
        self.total = total
        self.every = max(total // 20, 1)
        self.open = False

    def show(self, text, count):
        if sys.stderr.isatty():
            width = shutil.get_terminal_size().columns - 1
            print(f"\r\033[K{text[:width]}", end="", file=sys.stderr, flush=True)
            self.open = True
        elif count % self.every == 0:
            print(text, file=sys.stderr, flush=True)

    def message(self, text):
        """Prints a line that stays."""
        self.close()
        print(text, file=sys.stderr, flush=True)

    def close(self):
        if self.open:
            print(file=sys.stderr)
        self.open = False


def show_bar(done, total, note):
    if sys.stderr.isatty():
        bar = "█" * (30 * done // total)
        print(f"\r{bar:░<30} {done}/{total} {note} ", end="", file=sys.stderr, flush=True)
        if done == total:
            print(file=sys.stderr)
