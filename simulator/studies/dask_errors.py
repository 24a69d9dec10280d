"""What comes from a cluster of Dask, read as data: bytes, and errors as words. Nothing of it is run.

Dask packs an error as a pickle, whose reading may call anything. Here whatever a pickle names is an exception of that
name, which keeps what it was given and does nothing. Dask also packs the kind of each object as a pickle, and what it
hears besides answers it reads however it comes: in this process its readers give bytes, or such an exception.
"""

from __future__ import annotations

import io
import pickle
import pickletools
from importlib import import_module
from types import SimpleNamespace
from typing import Any

READERS = ("distributed.client", "distributed.core")
"""Modules of Dask by which a client reads what went wrong elsewhere."""
WORDS = ("msgpack", "error")
"""Ways in which Dask packs what is read as data anyway."""
LARGEST = 2**20
"""Bytes of an error. Assumption: one in words has a thousandth of it."""
LONGEST = 1_000
"""Letters that are kept of each word of an error, and of its name."""
PLACES = ("PUT", "LONG_BINPUT")
"""What of a pickle numbers its parts: a number beyond their count makes room for as many."""


class WorkerError(Exception):
    """What went wrong on a worker; the name of its class is that of the error there."""


class _Words(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return an exception in the place of whatever is named, and what makes one where that is named."""
        if module.startswith("tblib."):  # with which Dask packs errors
            return _made
        return _named(name)


def _named(name: str) -> type[WorkerError]:
    return type(name.rpartition(".")[2][:LONGEST], (WorkerError,), {})


def _made(kind: object, stated: object, *_: object) -> WorkerError:
    """Return an error of a kind with what it was given: its arguments, or its attributes by name."""
    given = stated.get("args", ()) if isinstance(stated, dict) else stated
    known = kind if isinstance(kind, type) and issubclass(kind, WorkerError) else WorkerError
    return known(*given) if isinstance(given, tuple) else known()


def error_of(packed: bytes) -> Exception:
    """Return what a packed error says; of what is no error, that it is none."""
    try:
        _check(packed)
        error = _Words(io.BytesIO(packed)).load()
    except Exception as reason:  # of a text that is no pickle anything may be raised
        return WorkerError(f"an error that cannot be read ({type(reason).__name__})")
    return _in_words(error) if isinstance(error, WorkerError) else WorkerError("an error that is none")


def _check(packed: bytes) -> None:
    """Look at a pickle before it is read.

    Raises:
        ValueError: it is larger than an error, or would make room for more than it holds.
    """
    if len(packed) > LARGEST:
        raise ValueError("larger than an error")
    for code, number, _ in pickletools.genops(packed):
        if code.name in PLACES and isinstance(number, int) and number > len(packed):
            raise ValueError("a place beyond its end")


def _in_words(error: WorkerError) -> WorkerError:
    """Return an error of the same name with the words among what it was given: a pickle may have put anything in it.

    To write out what is no text may take for ever: lists within lists double with each.
    """
    given = BaseException.__getattribute__(error, "args")
    words = [word[:LONGEST] for word in given if type(word) is str]
    return _named(type(error).__name__)(*words[:1] or [f"{len(given)} objects without a word"])


def read_as_data() -> None:
    """Let Dask read in this process what others send as bytes or as errors in words, and no tracebacks."""
    for name in READERS:
        vars(import_module(name))["clean_exception"] = _cleaned
    families: Any = import_module("distributed.protocol.serialize").families
    for name, (write, _, wants_context) in families.items():
        if name not in WORDS:
            families[name] = (write, _bytes if name == "dask" else _object, wants_context)
    core = vars(import_module("distributed.protocol.core"))
    core["pickle"] = SimpleNamespace(dumps=core["pickle"].dumps, loads=lambda packed, **_: error_of(bytes(packed)))


def _bytes(_: object, frames: Any) -> bytes:
    """Return an object of a kind that Dask knows as its bytes, whatever kind it names."""
    return b"".join(frames)


def _object(_: object, frames: Any) -> Exception:
    """Return any other object as an error: none is expected."""
    return error_of(bytes(frames[0]) if frames else b"")


def _cleaned(exception: object, traceback: object = None, **_: Any) -> tuple[type[Exception], Exception, None]:
    """Return an error as Dask wants it."""
    if isinstance(exception, (bytes, bytearray)):
        error: Exception = error_of(bytes(exception))
    else:
        error = exception if isinstance(exception, Exception) else WorkerError(f"{exception}")
    return type(error), error, None
