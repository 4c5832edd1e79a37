"""Completes a list of licences by cargo-bundle-licenses, which only finds files called LICENSE.

usage: licences.py THIRD-PARTY.yaml

Other texts are in files of the crates with the licence's name, such as LGPL-3.0-or-later.txt. Crates that come without
any text are named.
"""

import json
import subprocess
import sys
from pathlib import Path

MISSING = "NOT FOUND"


def folders():
    """Returns the folder of each crate by name and version."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    packages = metadata["packages"]
    return {(it["name"], it["version"]): Path(it["manifest_path"]).parent for it in packages}


def value(line, key):
    """Returns what a line of YAML has under a key."""
    line = line.strip().removeprefix("- ")
    return line.removeprefix(f"{key}: ").strip("'\"") if line.startswith(f"{key}: ") else None


def completed(text, folders):
    """Returns the list with the texts that were missing, and the crates that have no text."""
    lines, without, name, version, licence = [], {}, "", "", ""
    for line in text.splitlines():
        name = value(line, "package_name") or name
        version = value(line, "package_version") or version
        licence = value(line, "license") or licence
        found = value(line, "text")
        if found == MISSING and (name, version) in folders:
            file = folders[name, version] / f"{licence}.txt"
            if file.exists():
                indent = line[: len(line) - len(line.lstrip())]
                # The number says how far the text is indented, for its first line may be centred.
                line = f"{indent}text: |2-"
                for it in file.read_text().splitlines():
                    line += f"\n{indent}  {it}".rstrip(" ")
                found = "a text"
        lines.append(line)
        if found:
            without[name] = without.get(name, True) and found == MISSING
    return "\n".join(lines) + "\n", [name for name, lacks in without.items() if lacks]


def main():
    file = Path(sys.argv[1])
    text, without = completed(file.read_text(), folders())
    file.write_text(text)
    if without:
        print(f"licences.py: no text comes with {', '.join(without)}", file=sys.stderr)


if __name__ == "__main__":
    main()
