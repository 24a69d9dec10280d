"""Errors that workers of Dask tell, read as words: what they are made of is named, and nothing of it is run.

Dask packs an error as a pickle, whose reading may call anything. Here whatever a pickle names is an exception of that
name, which keeps what it was given and does nothing.
"""

from __future__ import annotations

import io
import pickle
from importlib import import_module
from typing import Any

READERS = ("distributed.client", "distributed.core")
"""Modules of Dask by which a client reads what went wrong elsewhere."""


class WorkerError(Exception):
    """What went wrong on a worker; the name of its class is that of the error there."""


class _Words(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return an exception in the place of whatever is named, and what makes one where that is named."""
        if module.startswith("tblib."):  # with which Dask packs errors
            return _made
        return type(name.rpartition(".")[2], (WorkerError,), {})


def _made(kind: object, stated: object, *_: object) -> WorkerError:
    """Return an error of a kind with what it was given: its arguments, or its attributes by name."""
    given = stated.get("args", ()) if isinstance(stated, dict) else stated
    known = kind if isinstance(kind, type) and issubclass(kind, WorkerError) else WorkerError
    return known(*given) if isinstance(given, tuple) else known()


def error_of(packed: bytes) -> Exception:
    """Return what a packed error says; of what is no error, that it is none."""
    try:
        error = _Words(io.BytesIO(packed)).load()
    except Exception as reason:  # of a text that is no pickle anything may be raised
        return WorkerError(f"an error that cannot be read ({type(reason).__name__})")
    return error if isinstance(error, WorkerError) else WorkerError("an error that is none")


def read_as_words() -> None:
    """Let Dask read errors of others so in this process, and no tracebacks, which are packed alike."""
    for name in READERS:
        vars(import_module(name))["clean_exception"] = _cleaned


def _cleaned(exception: object, traceback: object = None, **_: Any) -> tuple[type[Exception], Exception, None]:
    """Return an error as Dask wants it."""
    if isinstance(exception, (bytes, bytearray)):
        error: Exception = error_of(bytes(exception))
    else:
        error = exception if isinstance(exception, Exception) else WorkerError(f"{exception}")
    return type(error), error, None
