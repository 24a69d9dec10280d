"""Files that the window writes: whole under their name, or what they were. Knows no Qt."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def write_whole(path: Path, content: str) -> None:
    """Write a text to a file, whole or not at all.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    write_bytes(path, content.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file beside the one that it replaces, and rename it.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
