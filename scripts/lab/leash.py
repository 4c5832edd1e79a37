"""Runs a program, and ends it with all that it started when standard input is closed.

The match holds the other end of standard input; it is closed whatever the match comes to, so that
nothing is left running. Who runs this makes it the leader of a session.
"""

import os
import select
import signal
import subprocess
import sys

# Seconds between two looks at whether the program has ended.
PAUSE = 0.2

# Seconds that the program may take to end when it is asked to.
LEAVE = 5


def main():
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        # Unlike one that is ignored, a signal with a handler is its own again in the program.
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
