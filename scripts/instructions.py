"""Instructions per node by part of the program, counted by callgrind.

    python3 scripts/instructions.py ZEBU [ZEBU ...] [--depths 6,8]

A build for it: RUSTFLAGS="-C target-cpu=x86-64-v3" CARGO_PROFILE_RELEASE_DEBUG=line-tables-only
cargo build --release (valgrind knows no AVX-512). bench runs to two depths, and what it takes more for
the deeper one is divided by the nodes that it searches more: so the start and the clearing of tables do
not count. Code of libraries counts where the line of ours before it does.
"""

import argparse
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

# The first that fits. A function that is not inlined counts as one part; inlined code by its file.
FUNCTIONS = [
    ("evaluation", r"eval::|AccumulatorStack"),
    ("attacks", r"attacks::|bitboards::"),
    ("generating moves", r"movegen::"),
    ("SEE", r"see::|see_ge"),
    ("who gives check", r"checks::"),
    ("transposition table", r"tt::"),
    ("memory copied", r"mem(cpy|move|set)|__mem"),
]
FILES = [
    ("evaluation", r"/eval/"),
    ("attacks", r"/board/(attacks|bitboards)\.rs"),
    ("generating moves", r"/board/(movegen|castling)\.rs"),
    ("SEE", r"/board/see\.rs"),
    ("who gives check", r"/board/checks\.rs"),
    ("legality of the TT move", r"/board/legal\.rs"),
    ("making a move", r"/board/(makemove|state)\.rs"),
    ("scoring and picking", r"/search/(move_picker|history)\.rs"),
    ("transposition table", r"/search/tt"),
    ("the search's own steps", r"/search/"),
]
SEARCH = "the search's own steps"


def part_of(name, table):
    return next((part for part, pattern in table if re.search(pattern, name)), None)


def read(path):
    """The cost of each part in a file of callgrind."""
    names, costs = {}, Counter()
    function = file = part = ""
    is_call = False
    for line in path.read_text().splitlines():
        if match := re.match(r"(fn|fl|fi|fe|cfn|cfi|cfl|ob|cob)=\((\d+)\)(?: (.*))?", line):
            kind, number, name = match.groups()
            key = ("f" if "fn" in kind else "o" if "ob" in kind else "l", number)
            name = names.setdefault(key, name) if name else names[key]
            if kind == "fn":
                function, part = name, part_of(name, FUNCTIONS)
            if kind in ("fl", "fi", "fe"):
                file = name
                if "/src/" in file and "/rustc/" not in file and "/.cargo/" not in file:
                    own = part_of(function, FUNCTIONS) or part_of(file, FILES)
                    part = own or part or SEARCH
        elif line.startswith("calls="):
            is_call = True
        elif re.match(r"[+*\d-]", line):
            if not is_call:
                costs[part or SEARCH] += int(line.split()[1])
            is_call = False
    return costs


def run(zebu, depth):
    """The cost of each part of a bench, and its nodes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind"
        command = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={out}",
            zebu,
            "bench",
            str(depth),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        nodes = int(re.search(r"(\d+) nodes \d+ nps", done.stdout + done.stderr).group(1))
        return read(out), nodes


def by_part(zebu, depths):
    (shallow, few), (deep, many) = [run(zebu, depth) for depth in depths]
    return {part: (cost - shallow[part]) / (many - few) for part, cost in deep.items()}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("zebu", nargs="+")
    parser.add_argument("--depths", default="6,8", help="of bench, the smaller one first")
    arguments = parser.parse_args()
    depths = [int(depth) for depth in arguments.depths.split(",")]
    columns = [by_part(zebu, depths) for zebu in arguments.zebu]
    parts = sorted(
        {part for column in columns for part in column}, key=lambda part: -columns[0].get(part, 0)
    )
    print(
        "| Instructions a node | " + " | ".join(Path(zebu).name for zebu in arguments.zebu) + " |"
    )
    print("|---" * (1 + len(columns)) + "|")
    for part in parts:
        print(
            f"| {part} | " + " | ".join(f"{column.get(part, 0):,.0f}" for column in columns) + " |"
        )
    print("| all | " + " | ".join(f"{sum(column.values()):,.0f}" for column in columns) + " |")


if __name__ == "__main__":
    main()
