"""Runs a program, and kills it and all its children when standard input is closed.

The match holds the other end of standard input, which closes however the match ends, so that no
process survives it. Run it as the leader of a session.
"""

import os
import select
import signal
import subprocess
import sys

# Seconds between two checks whether the program has ended.
PAUSE = 0.2

# Seconds that the program may take to end after SIGINT.
LEAVE = 5


def main():
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        # The program inherits ignored signals, but not handlers.
        signal.signal(number, lambda *_: None)
    try:
        child = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
        while child.poll() is None:
            if select.select([sys.stdin], [], [], PAUSE)[0]:
                child.send_signal(signal.SIGINT)
                child.wait(LEAVE)
    except OSError as error:
        print(error, file=sys.stderr, flush=True)
    except subprocess.TimeoutExpired:
        pass
    finally:
        os.killpg(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
