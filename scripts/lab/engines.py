"""The engines of a match, as the command line names them.

An engine is a program, followed by settings of the form name=value:
zebu name=new nodes=2000 option.Hash=32.
"""

import os
import shlex
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from lab import limits
from lab.errors import LabError

SETTINGS = ("name", "args", "dir", *limits.NAMES)


@dataclass(frozen=True)
class Engine:
    """A UCI engine and its settings."""

    name: str
    program: str
    limit: limits.Limit
    args: tuple[str, ...] = ()
    folder: str | None = None
    options: dict[str, str] = field(default_factory=dict)

    def settings(self):
        """What must not change when a match resumes."""
        return {
            "name": self.name,
            "program": self.program,
            "args": list(self.args),
            "dir": self.folder,
            "limit": str(self.limit),
            "options": self.options,
        }


def is_setting(word):
    name, equals, _ = word.partition("=")
    return bool(equals) and (name in SETTINGS or name.startswith("option."))


def read_engines(words, limit, options):
    """The engines of a command line; the limit and options apply to those without their own."""
    engines = []
    for word in words:
        if not is_setting(word):
            engines.append([word])
        elif engines:
            engines[-1].append(word)
        else:
            raise LabError(f"'{word}' comes before any engine")
    if len(engines) < 2:
        raise LabError("a match needs two engines")
    return with_unique_names([read_engine(words, limit, options) for words in engines])


def read_engine(words, limit, options):
    program = find(words[0])
    name, args, folder = Path(words[0]).name, (), None
    options = dict(options)
    for word in words[1:]:
        setting, _, value = word.partition("=")
        try:
            if setting in limits.NAMES:
                limit = limits.read_limit(setting, value)
            elif setting == "args":
                args = tuple(shlex.split(value))
            elif setting == "dir":
                folder = find_folder(value)
            elif setting == "name":
                name = value
            else:
                options[setting.removeprefix("option.")] = value
        except ValueError as error:
            raise LabError(f"{words[0]}: {setting}: {error}") from error
    if limit is None:
        raise LabError(f"{words[0]} needs one of --tc, --movetime, --nodes and --depth")
    if not name or any(character in name for character in '"[]{}\\/\n'):
        raise LabError(f"'{name}' is no name that a PGN can hold")
    return Engine(name, program, limit, args, folder, options)


def find(program):
    """The path of a program that is given by its path, or by a name on the PATH."""
    path = Path(program)
    if path.is_dir():
        raise LabError(f"{program} is a folder, not an engine")
    if path.is_file() and not os.access(path, os.X_OK):
        raise LabError(f"{program} may not be executed")
    if path.is_file():
        return os.path.abspath(path)
    found = shutil.which(program)
    if not found:
        raise LabError(f"there is no engine {program}")
    return os.path.abspath(found)


def find_folder(path):
    if not Path(path).is_dir():
        raise LabError(f"there is no folder {path}")
    return os.path.abspath(path)


def with_unique_names(engines):
    """Numbers the engines that share a name."""
    names = [engine.name for engine in engines]
    unique, used = [], {}
    for engine in engines:
        if names.count(engine.name) > 1:
            used[engine.name] = used.get(engine.name, 0) + 1
            engine = replace(engine, name=f"{engine.name}-{used[engine.name]}")
        unique.append(engine)
    if len({engine.name for engine in unique}) < len(unique):
        raise LabError(f"two engines have the same name: {', '.join(names)}")
    return unique
