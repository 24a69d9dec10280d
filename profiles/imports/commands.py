"""Command lines in a captured terminal session: their words, the sizes in them, and the drives behind their files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

_END = re.compile(r"[|;&]|\s\d?>")  # what follows belongs to the shell or to another command
_BINARY = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_BRACES = re.compile(r"\{([^{}]*)\}")
_MOST_TASKS = 10_000_000  # Assumption: no benchmark starts more
_MOST_NAMES = 10_000  # Assumption: no benchmark names more files; more is not expanded
_LONGEST_WORD = 4096  # Source: PATH_MAX of Linux; what is longer is no name of files


def lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers from 1; lines that end in a backslash are joined, carriage returns split."""
    joined: list[str] = []
    for number, row in enumerate(text.split("\n"), 1):
        joined.append(row.rstrip("\r"))
        if joined[-1].endswith("\\"):
            joined[-1] = joined[-1][:-1] + " "
            continue
        for piece in "".join(joined).split("\r"):
            yield number - len(joined) + 1, piece
        joined = []
    if joined:
        yield number - len(joined) + 1, "".join(joined)


def command(line: str, tool: str) -> list[str] | None:
    """Return the words after the name of a tool if the line runs it with options or operands, else None."""
    match = re.search(rf"(?:^|[\s/]){tool}\s+(?=-|\w+=)(.*)", line)
    if match is None:
        return None
    ours = _END.split(match[1])[0]
    return [word.replace("'", "").replace('"', "") for word in ours.split()]


def options(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the values of one-letter options: -t 32 -I -F a b and -t32 alike."""
    by_letter: dict[str, list[str]] = {}
    letter = ""
    for word in words:
        if re.match(r"-[A-Za-z+]", word):
            letter = word[1]
            by_letter.setdefault(letter, []).extend([word[2:]] if word[2:] else [])
        elif letter:
            by_letter[letter].append(word)
    return by_letter


def expanded(word: str) -> list[str]:
    """Return what a shell makes of {1..8}, {a..h} and {x,y} in a word."""
    names = [word]
    while len(word) <= _LONGEST_WORD and any(_BRACES.search(name) for name in names):
        names = [part for name in names for part in _opened(name)]
        if len(names) > _MOST_NAMES:
            return [word]
    return names


def _opened(word: str) -> list[str]:
    """Return a word with the first of its braces expanded."""
    match = _BRACES.search(word)
    return [word[: match.start()] + item + word[match.end() :] for item in _items(match[1])] if match else [word]


def _items(inside: str) -> list[str]:
    if numbers := re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", inside):
        first, last = int(numbers[1]), int(numbers[2])
        width = len(numbers[1]) if numbers[1].startswith("0") else 0
        return [f"{n:0{width}d}" for n in _between(first, last)] if abs(last - first) < _MOST_NAMES else [inside]
    if letters := re.fullmatch(r"([A-Za-z])\.\.([A-Za-z])", inside):
        return [chr(n) for n in _between(ord(letters[1]), ord(letters[2]))]
    return inside.split(",")


def _between(first: int, last: int) -> range:
    return range(first, last + 1) if first <= last else range(first, last - 1, -1)


def counted(text: str) -> int:
    """Return a number of tasks or files.

    Raises:
        ValueError: it is none, or more than any benchmark starts.
    """
    if 1 <= (count := int(text)) <= _MOST_TASKS:
        return count
    raise ValueError(f"a number from 1 to {_MOST_TASKS:,} was expected: {text[:20]}")


def drives_behind(paths: Iterable[str]) -> set[str]:
    """Return the drives on which files lie: a device is one, and each directory of files is taken for one."""
    return {path if path.startswith("/dev/") else str(PurePosixPath(path).parent) for path in paths}


def binary_bytes(text: str) -> float | None:
    """Return a size as iozone and fio read it, in bytes: k and K are 1024; None for anything else."""
    match = re.match(r"(\d+)([kmgt]?)(?:i?b)?\b", text, re.IGNORECASE)
    return float(int(match[1]) * _BINARY[match[2].lower()]) if match else None
