"""The script that plays with pondering: each game has its line.

usage: ponder.py ENGINE
"""

import re
import sys

from scripts import fails, run

if __name__ == "__main__":
    done = run("ponder.py", sys.argv[1], "--games", "1", "--clock", "0.2+0.002")
    assert re.fullmatch(r"game 1 (ended|lost on time, .*)\n", done.stdout), done
    fails("is no engine", "ponder.py", "/nowhere/engine")
