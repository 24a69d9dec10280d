"""Files that a command writes: checked before the work starts, written whole or not at all."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from app.planning.files import obstacle, try_to_write, unusable
from app.reports.media import shown
from models.problem import Problem, ProblemError
from profiles.text.files import why_not, write_whole

STDOUT = "-"
ANSWER = "--output"
TWICE = "named twice; each file can hold one answer"
ELSEWHERE = "name another file"
READ = f"the command reads it; {ELSEWHERE}"
FREE = ("NAME", "TEXT")
"""What stands for words of people that name no file, in the help of an option."""


def check_writable(targets: Iterable[tuple[str, str]]) -> None:
    """Try all targets, (option, path), before anything is computed for them.

    Raises:
        ProblemError: with every one that cannot be written, is named twice, or is what the command reads.
    """
    wanted, problems, seen = list(targets), [], set[str]()
    read = _read(_identity(name) for _, name in wanted)
    for option, name in wanted:
        file = _identity(name)
        is_seen, is_read = file in seen, file in read
        why = TWICE if is_seen else READ if is_read else None if name == STDOUT else _obstacle(name)
        seen.add(file)
        if why:
            problems.append(Problem("", None, option, f"cannot write '{name}': {why}"))
    if problems:
        raise ProblemError(problems)


def _obstacle(name: str) -> str | None:
    why = obstacle(name)
    return f"{why}; {ELSEWHERE}" if why else None


def made_folder(name: str, option: str) -> Path:
    """Return a folder that can be written into; it is made if it is not there, before anything is simulated for it.

    Raises:
        ProblemError: it cannot be made, or nothing can be written into it.
    """
    folder = Path(name)
    try:
        folder.mkdir(exist_ok=True)
        try_to_write(folder)
    except (OSError, ValueError) as error:
        raise ProblemError([Problem("", None, option, f"cannot write into '{name}': {unusable(error)}")]) from None
    return folder


def write(name: str | None, content: str | bytes, option: str = ANSWER) -> None:
    """Write text, or the bytes of a form that is none, to a file, or to stdout for None and "-".

    A file appears complete under its name or stays what it was: the content goes to a file beside it, which is renamed.

    Raises:
        ProblemError: the file cannot be written; an answer in words stands on stdout instead.
    """
    if isinstance(content, str):
        content = shown(content)
    if name is None or name == STDOUT:
        click.echo(content, nl=False)
        return
    try:
        write_whole(Path(name), content)
    except OSError as error:
        is_kept = isinstance(content, str) and option == ANSWER
        if is_kept:
            click.echo(content, nl=False)  # hours may have gone into it
        message = f"cannot write '{name}': {why_not(error)}{'; the answer stands on stdout' if is_kept else ''}"
        raise ProblemError([Problem("", None, option, message)]) from None


def each(*steps: Callable[[], None]) -> None:
    """Write all that is to be written, also what comes after something that cannot be.

    Raises:
        ProblemError: with all that went wrong.
    """
    problems = list[Problem]()
    for step in steps:
        try:
            step()
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)


def _read(targets: Iterable[str]) -> set[str]:
    """Return the files that the words of the command name more often than it writes to them, and what those name.

    Names without a dot and a folder are those of what ships; a text is none.
    """
    context = click.get_current_context(silent=True)
    if context is None:
        return set()
    named = (param.name for param in context.command.params if param.metavar not in FREE)
    given = (context.params.get(name or "") for name in named)
    words = (word for value in given for word in (value if isinstance(value, tuple) else (value,)))
    names = (part for word in words if isinstance(word, str) for part in _names_in(word))
    files = Counter(_identity(name) for name in names if {".", os.sep} & set(name) and "\0" not in name)
    written = Counter(targets)
    read = set(files - written)
    if any(os.path.isfile(name) for name in written):
        from profiles.loading.reach import behind  # imported late: most runs write no file

        read |= behind(read)
    return read


def _names_in(word: str) -> set[str]:
    """Return what may be the name of a file in PLAN#CANDIDATE and KEY=VALUE."""
    return {word, word.partition("#")[0], word.partition("=")[2]}


def _identity(name: str) -> str:
    return name if name == STDOUT else os.path.realpath(name)
