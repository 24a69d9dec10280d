"""What is said of files that are written."""

from __future__ import annotations

from pathlib import Path

from profiles.text.files import write_whole


def reason(error: OSError) -> str:
    """Return in words why a file could not be read or written."""
    return (error.strerror or str(error)).lower()


def written(path: Path, content: bytes) -> tuple[str, bool]:
    """Write a file; return what to say of it, and whether it went wrong."""
    try:
        write_whole(path, content)
    except OSError as error:
        return f"Cannot write {path}: {reason(error)}", True
    return f"Written: {path}", False


def file_name(title: str) -> str:
    r"""Return a title as the name of a file on any system, one that leads to no other folder.

    >>> file_name("../.bashrc")
    '_.bashrc'
    """
    plain = "".join(letter if letter.isprintable() and letter not in '/\\:*?"<>|' else "_" for letter in title)
    return plain.strip(". ") or "unnamed"
