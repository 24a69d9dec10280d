"""Files that are written whole under their name, or stay what they were."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes beside the file that they replace, and rename them.

    Raises:
        OSError: it cannot be written; what was there is as it was.
    """
    target = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    if target.exists() and not target.is_file():  # a pipe or a device has no content to keep whole
        target.write_bytes(data)
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
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
