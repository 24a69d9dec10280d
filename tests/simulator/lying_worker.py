"""What a worker of Dask loads that answers with what a test puts into the folder LIES, each once, and then truly."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from simulator.studies import dask_runner

LIES = Path(os.environ["LIES"])


class Runs:
    """An object that runs code when it is read."""

    def __reduce__(self) -> Any:
        return os.system, (f"touch {LIES / 'run'}",)


class RunsError(Exception):
    """An error that runs code when it is read."""

    def __reduce__(self) -> Any:
        return os.system, (f"touch {LIES / 'run-by-error'}",)


def _lie(point: object, expected: str) -> Any:
    for lie in LIES.glob("*.json"):
        bytes_kept = lie.read_bytes()
        lie.unlink()
        return bytes_kept
    for lie in LIES.glob("*.lie"):
        lie.unlink()
        return LIES_IN_CODE[lie.stem]()
    return _true(point, expected)


def _printed() -> Any:
    from distributed import print as told, warn

    told("\x1b[31mfrom a worker")
    warn("\x1b[31mfrom a worker")
    return b"{}"


def _raised() -> Any:
    raise RunsError


LIES_IN_CODE = {
    "object": Runs,
    "huge": lambda: b" " * (dask_runner.LARGEST + 1),
    "number": lambda: 5,
    "silent": lambda: time.sleep(60),
    "dies": lambda: os._exit(1),
    "printed": _printed,
    "raised": _raised,
}
_true: Any = dask_runner._answer_there
dask_runner._answer_there = _lie
