"""The engine on a pseudo-terminal, used by a person and by a program.

usage: terminal.py ENGINE
"""

import os
import pty
import re
import resource
import select
import signal
import sys
import termios
import time

PATIENCE = 30


class Terminal:
    def __init__(self, *command):
        self.seen = ""
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm", NO_COLOR="1", PS1="shell> ")
            # nohup and background jobs ignore these signals.
            for ended_by in [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT]:
                signal.signal(ended_by, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.execv(command[0], command)

    def is_raw(self):
        modes = termios.tcgetattr(self.screen)[3]
        return not modes & termios.ICANON or not modes & termios.ECHO

    def type(self, text):
        """Types a line at the prompt."""
        deadline = time.monotonic() + PATIENCE
        while not self.is_raw():
            if time.monotonic() > deadline:
                sys.exit(f"there is no prompt:\n{self.seen}")
            self.read()
        os.write(self.screen, text.encode())

    def read(self):
        """Reads for a moment. False: the output has ended."""
        if not select.select([self.screen], [], [], 0.05)[0]:
            return True
        try:
            data = os.read(self.screen, 65536)
        except OSError:
            return False
        self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace"))
        return bool(data)

    def wait(self, wanted):
        """Reads until a text appears, and returns the output before it."""
        deadline = time.monotonic() + PATIENCE
        while wanted not in self.seen:
            if time.monotonic() > deadline or not self.read():
                sys.exit(f"'{wanted}' does not appear:\n{self.seen}")
        before, _, self.seen = self.seen.partition(wanted)
        return before

    def end(self):
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            self.read()
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
        sys.exit(f"the engine does not end:\n{self.seen}")


def person(program):
    terminal = Terminal(program)
    terminal.wait("8  r  n  b  q  k  b  n  r")
    terminal.wait("zebu> ")
    terminal.type("level 1000\r")
    terminal.type("e4\r")
    terminal.wait("Zebu plays 1... ")
    terminal.type("analyse\r")
    terminal.type("go depth 4\r")
    terminal.wait("depth    score  win/draw/loss   nodes     time  line")
    terminal.wait("Best is 2. ")
    # The previous line, from the history.
    terminal.type("\x1b[A\r")
    terminal.wait("Best is 2. ")
    terminal.type("go\r")
    terminal.wait("6/")
    terminal.type("\x03")
    terminal.wait("Best is")
    terminal.type("quit\r")
    terminal.wait("not saved")
    terminal.type("quit\r")
    assert terminal.end() == 0
    assert not terminal.is_raw(), "the terminal is restored"


def program(program):
    terminal = Terminal(program)
    terminal.wait("zebu> ")
    terminal.type("uci\r")
    terminal.wait("uciok")
    terminal.type("go depth 2\r")
    lines = terminal.wait("bestmove ")
    assert "info depth 2 " in lines and "zebu>" not in lines, lines
    terminal.type("e4\r")
    terminal.wait("info string error: unknown command 'e4'")
    terminal.type("\x04")
    assert terminal.end() == 0


def signals(program):
    """Checks that the terminal gets its modes back, however the engine ends."""
    for sent in [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT]:
        for lines in ["go infinite\r", "uci\r"]:
            terminal = Terminal(program)
            terminal.type(lines)
            terminal.wait("uciok" if "uci" in lines else "6/")
            terminal.type("d")
            os.kill(terminal.child, sent)
            assert terminal.end() == -sent
            assert not terminal.is_raw(), f"{sent} after {lines}"


def suspended(program):
    """Checks that the engine can be stopped and continued from a shell."""
    terminal = Terminal("/bin/sh", "-i")
    terminal.wait("shell> ")
    os.write(terminal.screen, f"{program}\n".encode())
    terminal.type("go infinite\r")
    terminal.wait("6/")
    for stop in ["\x1a", signal.SIGTSTP]:
        terminal.type("f")
        time.sleep(0.2)
        if isinstance(stop, str):
            os.write(terminal.screen, stop.encode())
        else:
            os.kill(os.tcgetpgrp(terminal.screen), stop)
        terminal.wait("shell> ")
        assert not terminal.is_raw(), f"{stop}"
        os.write(terminal.screen, b"fg\n")
        terminal.type("en\r")
        terminal.wait("RNBQKBNR w KQkq - 0 1")
    terminal.type("quit\r")
    terminal.wait("shell> ")
    assert not terminal.is_raw()
    os.write(terminal.screen, b"exit\n")
    assert terminal.end() == 0


if __name__ == "__main__":
    person(sys.argv[1])
    program(sys.argv[1])
    signals(sys.argv[1])
    suspended(sys.argv[1])
