"""Runs the scripts of the lab as a user does."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.append(str(SCRIPTS))


def run(script, *arguments):
    command = [sys.executable, SCRIPTS / script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def run_unread(script, *arguments):
    """Returns the exit status of a script whose output is closed."""
    command = [sys.executable, SCRIPTS / script, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        child.stdout.close()
        return child.wait(timeout=120)


def fails(error, script, *arguments):
    """Checks that a script fails with one line that contains the error."""
    done = run(script, *arguments)
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and len(lines) == 1 and error in lines[0], (error, done)
