"""Files that are written whole under their name, or stay what they were, and what is no file."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

OLD = 600.0
"""Seconds after which a part belongs to a program that was killed. Assumption: the largest file takes one of them."""
SHOWN = 50  # letters of the name in that of its part: both fit the 255 bytes that systems allow


def refuse_stream(path: Path) -> None:
    """Refuse what is no file with an end, such as a pipe that nobody writes to, which would be waited for.

    Raises:
        OSError: it is none, or is not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        reason = "it is a folder, a pipe or a device: write what it gives into a file first"
        raise OSError(errno.EINVAL, reason, str(path))


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes beside the file that they replace, and rename them.

    The part that is written has a name of its own, whichever machine or container writes at the same time; those that
    killed programs left of the same file are taken away.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    target = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    if target.exists() and not target.is_file():  # a pipe or a device has no content to keep whole
        target.write_bytes(data)
        return
    for left in _parts(target):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > OLD:
                left.unlink()
    part = target.with_name(f".{target.name[:SHOWN]}.{uuid4().hex}.part")
    try:
        with part.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(stat.S_IMODE(target.stat().st_mode))
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _parts(target: Path) -> Iterator[Path]:
    """Yield the parts of a file that are there."""
    beginning = f".{target.name[:SHOWN]}."
    for name in os.listdir(target.parent):
        if name.startswith(beginning) and name.endswith(".part"):
            yield target.with_name(name)
