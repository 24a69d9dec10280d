"""Faults of the program: one line for the user, and a log file with the traceback for whoever fixes the fault."""

from __future__ import annotations

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path


def told(error: BaseException) -> str:
    """Return what to say of a fault in one line, which names the log file that this writes."""
    lines = str(error).splitlines() or ["no message"]
    text = f"internal error: {type(error).__name__}: {lines[0]}"
    path = logged(error)
    return f"{text}; the traceback is in {path}" if path else text


def logged(error: BaseException) -> Path | None:
    """Write the traceback of a fault into a file of its own and return its path; None where none can be written."""
    import traceback  # imported late, as a run without a fault needs neither

    from platformdirs import user_log_path

    program = f"headroom {version('headroom')}, Python {platform.python_version()}, {platform.platform()}"
    text = "".join(traceback.format_exception(error))
    try:
        folder = user_log_path("headroom", appauthor=False, ensure_exists=True)
        path = folder / f"fault-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
        path.write_text(f"{program}\n\n{text}", encoding="utf-8")
    except OSError:
        return None
    return path
