"""Files that a command writes: checked before the work starts, written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import click

from app.planning.files import reason
from app.reports.media import shown
from models.problem import Problem, ProblemError
from profiles.text.files import write_whole

STDOUT = "-"
ANSWER = "--output"


def check_writable(targets: Iterable[tuple[str, str]]) -> None:
    """Try all targets, (option, path), before anything is computed for them.

    Raises:
        ProblemError: with every one that cannot be written, or is named twice.
    """
    problems, seen = [], set[str]()
    for option, name in targets:
        reason = "named twice; each file can hold one answer" if _identity(name) in seen else _obstacle(name)
        seen.add(_identity(name))
        if reason:
            problems.append(Problem("", None, option, f"cannot write '{name}': {reason}"))
    if problems:
        raise ProblemError(problems)


def made_folder(name: str, option: str) -> Path:
    """Return a folder that can be written into; it is made if it is not there, before anything is simulated for it.

    Raises:
        ProblemError: it cannot be made, or nothing can be written into it.
    """
    folder = Path(name)
    try:
        folder.mkdir(exist_ok=True)
        _try_to_write(folder)
    except (OSError, ValueError) as error:
        raise ProblemError([Problem("", None, option, f"cannot write into '{name}': {_unusable(error)}")]) from None
    return folder


def _unusable(error: OSError | ValueError) -> str:
    """Return why a folder cannot be made or written into."""
    if isinstance(error, FileExistsError):
        return "it is no folder"
    return reason(error) if isinstance(error, OSError) else "no folder has a zero byte in its name"


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
        message = f"cannot write '{name}': {reason(error)}{'; the answer stands on stdout' if is_kept else ''}"
        raise ProblemError([Problem("", None, option, message)]) from None


def _obstacle(name: str) -> str | None:
    """Return why a file cannot be written, None if it can."""
    if name == STDOUT:
        return None
    if "\0" in name:
        return "no file has a zero byte in its name"
    path = Path(os.path.realpath(name))
    try:
        return _obstacle_at(path, name)
    except OSError as error:  # such as a name that is too long
        return reason(error)


def _obstacle_at(path: Path, name: str) -> str | None:
    if path.is_dir():
        return "it is a directory"
    if path.exists() and not os.access(path, os.W_OK):
        return "permission denied"
    if path.exists() and not path.is_file():
        return None
    if not path.parent.is_dir():
        what = "is not a directory" if path.parent.exists() else "does not exist"
        return f"'{os.path.dirname(name)}' {what}"
    _try_to_write(path.parent)
    return None


def _try_to_write(folder: Path) -> None:
    """Write into a folder, and leave nothing there.

    Raises:
        OSError: nobody can.
    """
    import tempfile  # imported late: most runs write no file

    tempfile.TemporaryFile(dir=folder).close()


def _identity(name: str) -> str:
    return name if name == STDOUT else os.path.realpath(name)
