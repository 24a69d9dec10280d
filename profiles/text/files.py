"""Files that are written whole under their name, or stay what they were, and what is no file."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

OLD = 600.0
"""Seconds after which a part belongs to a program that was killed. Assumption: the largest file takes one of them."""
READER = 2.0
"""Seconds in which somebody has to read from a pipe. Assumption: both ends are begun by one line of a shell."""
PAUSE = 0.05  # seconds between two looks
NO_TEXT = "it is not UTF-8 text: unpack it, or save it as such"
"""Why a file that is packed, or in another encoding, cannot be read."""
SHOWN = 50  # letters of the name in that of its part: both fit the 255 bytes that systems allow


def why_not(error: Exception) -> str:
    """Return in words why a file could not be read or written, to stand behind a colon; names keep their letters."""
    if isinstance(error, UnicodeDecodeError):
        return NO_TEXT
    text = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"


def unreadable(error: Exception) -> str:
    """Return why a file that somebody has named cannot be read, and the way out where the reason is none itself."""
    ways = {FileNotFoundError: "name one that is there", PermissionError: "let it be read, or name another file"}
    way_out = next((f"; {way}" for kind, way in ways.items() if isinstance(error, kind)), "")
    return f"cannot be read: {why_not(error)}{way_out}"


def refuse_stream(path: Path) -> None:
    """Refuse what is no file with an end, such as a pipe that nobody writes to, which would be waited for.

    Raises:
        OSError: it is none, or is not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        reason = "it is a folder, a pipe or a device: write what it gives into a file first"
        raise OSError(errno.EINVAL, reason, str(path))


def is_stream(path: Path) -> bool:
    """Tell whether what is written to a path goes on from what went there before, so that nothing is kept whole.

    That is a pipe, a device, a folder, and the file that stdout or stderr goes to, as /dev/stdout is.
    """
    try:
        there = path.stat()
    except OSError:  # nothing is there, or nothing can be
        return False
    return not stat.S_ISREG(there.st_mode) or any(_is_open(there, descriptor) for descriptor in (1, 2))


def _is_open(there: os.stat_result, descriptor: int) -> bool:
    with suppress(OSError):  # it is closed
        return os.path.samestat(there, os.fstat(descriptor))
    return False


def _opened(path: Path) -> BinaryIO:
    """Open a stream, a pipe when somebody reads from it.

    Raises:
        OSError: it cannot be opened, or nobody reads from it.
    """
    end = time.monotonic() + READER
    while stat.S_ISFIFO(path.stat().st_mode):
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        else:
            os.set_blocking(descriptor, True)
            return os.fdopen(descriptor, "wb")
        if time.monotonic() > end:
            raise OSError(errno.ENXIO, "it is a pipe that nobody reads from", str(path))
        time.sleep(PAUSE)
    return path.open("ab")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes beside the file that they replace, and rename them.

    The part that is written has a name of its own, whichever machine or container writes at the same time; those that
    killed programs left of the same file are taken away.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    data = content.encode() if isinstance(content, str) else content
    if is_stream(path):
        with _opened(path) as stream:
            stream.write(data)
        return
    target = Path(os.path.realpath(path))
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
    """Yield the parts of a file that are there, none in a folder that may be written into and not be listed."""
    beginning = f".{target.name[:SHOWN]}."
    with suppress(PermissionError):
        for name in os.listdir(target.parent):
            if name.startswith(beginning) and name.endswith(".part"):
                yield target.with_name(name)
