"""What a worker of Dask loads that answers with what a test puts into the folder LIES, each once, and then truly."""

from __future__ import annotations

import asyncio
import os
import pickle
import threading
import time
from collections.abc import Callable
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
        return os.system, (f"echo $PPID >> {LIES / 'run-by-error'}",)


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


def _raised(*, is_whole: bool = False) -> Any:
    """Send an error that a worker of good will would have read first, and replaced; or one that Dask itself packs."""
    from distributed import core, protocol, worker

    module: Any = worker
    packing: Any = protocol

    def packed(error: BaseException, status: str = "error") -> Any:
        told = core.error_message(error, status)
        return {**told, "exception": packing.to_serialize(error if is_whole else pickle.dumps(error))}

    told_before = module.error_message
    module.error_message = packed
    threading.Timer(5.0, lambda: setattr(module, "error_message", told_before)).start()
    raise RunsError


def _withheld() -> Any:
    """Say that there is an answer, and keep it."""
    from distributed import get_worker

    handlers = get_worker().handlers
    give = handlers["get_data"]

    async def late(*words: Any, **given: Any) -> Any:
        await asyncio.sleep(10.0)
        handlers["get_data"] = give
        return await give(*words, **given)

    handlers["get_data"] = late
    return b"{}"


LIES_IN_CODE: dict[str, Callable[[], Any]] = {
    "object": Runs,
    "huge": lambda: b" " * (dask_runner.LARGEST + 1),
    "number": lambda: 5,
    "silent": lambda: time.sleep(60),
    "dies": lambda: os._exit(1),
    "printed": _printed,
    "withheld": _withheld,
    "raised": _raised,
    "raised-whole": lambda: _raised(is_whole=True),
}
_true: Any = dask_runner._answer_there
dask_runner._answer_there = _lie
