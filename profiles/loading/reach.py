"""Which files a file may name: a profile may come from anybody, and what it names is read as whoever runs it.

A part lies in the library, beside the profile or below, or in a folder of the user: `parts` in the program's data
folder, and those that the environment variable HEADROOM_PARTS names. Paths are compared as text first: to look at one
may already reach another machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from profiles.text.toml import parsed, text_of

VARIABLE = "HEADROOM_PARTS"
SUFFIX = ".toml"
LONGEST = 200
"""Letters of a text that may mean a file; names of files have some more at most."""
AWAY = re.compile(r"\.toml|^[/\\]|^[A-Za-z]:|\.\.[/\\]")
"""What tells a path from another value, such as 25 Gbit/s."""


def user_folders() -> tuple[Path, ...]:
    """Return the folders in which the user lets profiles find parts."""
    from platformdirs import user_data_path  # imported late: few profiles name files

    named = filter(None, os.environ.get(VARIABLE, "").split(os.pathsep))
    return (*(Path(os.path.abspath(folder)) for folder in named), user_data_path("headroom", appauthor=False) / "parts")


def within(path: str | Path, folders: Iterable[Path]) -> Path | None:
    """Return where a path to a TOML file leads if that is in one of some folders, links followed, else None."""
    plain, known = Path(os.path.normpath(path)), tuple(folders)
    if not plain.name.endswith(SUFFIX) or "\0" in f"{plain}" or not _is_below(plain, known):
        return None
    full = real(plain)
    return full if _is_below(full, [real(folder) for folder in known]) else None


def real(path: Path) -> Path:
    """Return where a path leads, links followed as far as they lead anywhere."""
    return Path(os.path.realpath(path))


def stray(values: Iterable[str], file: Path) -> list[str]:
    """Return the paths among values, several of which may stand in one text, that a file may not name.

    They are read from the current directory, as those that people type.
    """
    folders = (file.absolute().parent, Path(__file__).parents[1], *user_folders())
    parts = (part.strip().strip("\"'") for value in values for part in value.split(","))
    return [part for part in parts if AWAY.search(part) and within(os.path.abspath(part), folders) is None]


def behind(files: Iterable[str], texts: Mapping[Path, str] = MappingProxyType({})) -> set[str]:
    """Return the files that TOML files may mean by any of their texts, and what those may mean in turn.

    `texts` are what some of the files are to hold. What cannot be read is passed over: whoever loads it tells so.
    """
    own, reached = user_folders(), set[str]()
    left = [(Path(file), Path(file).parent) for file in files if file.endswith(SUFFIX)]
    while left:
        file, root = left.pop()
        try:
            stated = parsed(texts[file] if file in texts else text_of(file))
        except (OSError, ValueError, RecursionError):
            continue
        for word in _texts(stated):
            name = word.partition("#")[0].removesuffix(SUFFIX)
            for folder in (file.parent, *own) if len(name) <= LONGEST else ():
                path = within(folder / f"{name}{SUFFIX}", (root, *own))
                if path is not None and path.is_file() and f"{path}" not in reached:
                    reached.add(f"{path}")
                    left.append((path, root))
    return reached


def _texts(stated: object) -> Iterator[str]:
    """Yield all texts among data."""
    if isinstance(stated, str):
        yield stated
    elif isinstance(stated, dict | list):
        for below in stated.values() if isinstance(stated, dict) else stated:
            yield from _texts(below)


def outside(name: str, folder: Path) -> str:
    """Return what to say of a file that is named and not looked at."""
    return (
        f"'{name}' is not read: expected a TOML file in {folder} or below, or in a folder that the environment variable"
        f" {VARIABLE} names"
    )


def _is_below(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
