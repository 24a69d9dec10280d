"""What is said of files that are written."""

from __future__ import annotations

import os
from pathlib import Path

from models.problem import Problem, ProblemError
from profiles.text.files import is_stream, why_not, write_whole

LONGEST = 200  # bytes of a name that is proposed: systems of files take 255, of which some go to suffixes
KEPT = "nothing is lost, all of it is still in the window: choose another file"


def obstacle(name: str) -> str | None:
    """Return why a file cannot be written, None if it can as far as one can tell without doing so."""
    if "\0" in name:
        return "no file has a zero byte in its name"
    try:
        return _obstacle_at(Path(os.path.realpath(name)), name)
    except OSError as error:  # such as a name that is too long
        return why_not(error)


def _obstacle_at(path: Path, name: str) -> str | None:
    if path.is_dir():
        return "it is a directory"
    if os.path.exists(name) and not os.access(name, os.W_OK):
        return "permission denied"
    if name and is_stream(Path(name)):
        return None
    if not path.parent.is_dir():
        what = "is not a directory" if path.parent.exists() else "does not exist"
        return f"'{path.parent if os.path.islink(name) else os.path.dirname(name)}' {what}"
    try_to_write(path.parent)
    return None


def obstacle_to_folder(folder: Path) -> str | None:
    """Return why files cannot go into a folder of their own, new or empty, None if they can as far as one can tell."""
    try:
        if folder.is_dir():
            try_to_write(folder)
            return "it is not empty" if any(folder.iterdir()) else None
        return "it is no folder" if os.path.lexists(folder) else _obstacle_at(folder, str(folder))
    except (OSError, ValueError) as error:
        return unusable(error)


def unusable(error: OSError | ValueError) -> str:
    """Return why a folder cannot be made or written into."""
    if isinstance(error, FileExistsError):
        return "it is no folder"
    return why_not(error) if isinstance(error, OSError) else "no folder has a zero byte in its name"


def try_to_write(folder: Path) -> None:
    """Write into a folder, and leave nothing there.

    Raises:
        OSError: nobody can.
    """
    import tempfile  # imported late: most runs write no file

    tempfile.TemporaryFile(dir=folder).close()


def refused(path: Path, why: str) -> str:
    """Return what a window says of a file that cannot be written."""
    return f"Cannot write {path}: {why}; {KEPT}"


def written(path: Path, content: bytes) -> tuple[str, bool]:
    """Write a file; return what to say of it, and whether it went wrong."""
    try:
        write_whole(path, content)
    except OSError as error:
        return refused(path, why_not(error)), True
    return f"Written: {path}", False


def save(path: Path, text: str) -> None:
    """Write a text that is open in a window.

    Raises:
        ProblemError: it cannot be written.
    """
    try:
        write_whole(path, text)
    except OSError as error:
        raise unsaved(path, why_not(error)) from None


def unsaved(path: Path, why: str) -> ProblemError:
    """Return what is said of a file into which something open cannot be saved."""
    return ProblemError([Problem(str(path), None, "", f"cannot be written: {why}; {KEPT}")])


def file_name(title: str) -> str:
    r"""Return a title as the name of a file on any system, one that leads to no other folder.

    >>> file_name("../.bashrc")
    '_.bashrc'
    >>> len(file_name("x" * 300))
    200
    """
    plain = "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in title)
    short = plain.encode()[:LONGEST].decode(errors="ignore")
    return short.strip(". ") or "unnamed"
