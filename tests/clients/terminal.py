"""The engine on a pseudo-terminal, used by a person and by a program.

usage: terminal.py ENGINE
"""

import os
import pty
import re
import select
import sys
import termios
import time

PATIENCE = 30


class Terminal:
    def __init__(self, program):
        self.seen = ""
        self.child, self.screen = pty.fork()
        if self.child == 0:
            os.environ["TERM"] = "xterm"
            os.environ["NO_COLOR"] = "1"
            os.execv(program, [program])

    def type(self, text):
        """Types a line once there is a prompt."""
        deadline = time.monotonic() + PATIENCE
        while termios.tcgetattr(self.screen)[3] & termios.ICANON:
            if time.monotonic() > deadline:
                sys.exit(f"there is no prompt:\n{self.seen}")
            self.read()
        os.write(self.screen, text.encode())

    def read(self):
        """Reads for a moment; False at the end of the output."""
        if not select.select([self.screen], [], [], 0.05)[0]:
            return True
        try:
            data = os.read(self.screen, 65536)
        except OSError:
            return False
        self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode(errors="replace"))
        return bool(data)

    def wait(self, wanted):
        """Reads until a text appears; returns the output before it."""
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
    # The line before, from the history.
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
    assert termios.tcgetattr(terminal.screen)[3] & termios.ICANON, "the terminal is restored"


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


if __name__ == "__main__":
    person(sys.argv[1])
    program(sys.argv[1])
