"""Text files: read line by line, written as JSON, replaced as a whole."""

import json
import math
import os
from pathlib import Path

from lab.errors import LabError


def read_lines(path):
    """The lines of a text file with their numbers, without blank lines and comments."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise LabError(f"{path} is no text: {error}") from error
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def parse_lines(path, lines, parse):
    """Parses numbered lines; an error names its line."""
    parsed = []
    for number, line in lines:
        try:
            parsed.append(parse(line))
        except ValueError as error:
            raise LabError(f"{path}, line {number}: {error}") from error
    return parsed


def replace(path, text):
    """Writes a file so that the old one stays until the new one is complete."""
    new = Path(path).with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    os.replace(new, path)


def to_json(value):
    return json.dumps(finite(value), indent=1, allow_nan=False) + "\n"


def finite(value):
    """The value for JSON, which has no infinity: it becomes null."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
