"""Compilation of the kernels: numba, cached on disk, and the same functions uncompiled under NUMBA_DISABLE_JIT=1.

Numba renews a cached function when its own file changes, not when a file that it calls into does. So the cache lies
in a folder named after the text of all kernel modules: a changed kernel is a new folder.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")

_config: Any = numba.config
KERNELS = (
    "compiled",
    "state",
    "heaps",
    "recorder",
    "sharing",
    "fluid",
    "request_state",
    "request_queues",
    "request_loop",
)


def compiled(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    """Return the function compiled on first use: no fast maths, so that both ways give the same bytes.

    The kernels allocate nothing, so numba's runtime for that (`_nrt`), which counts references to every array at every
    call of a function, is left out; numba compiles its own text functions so.
    """
    if _config.DISABLE_JIT:
        return function
    before = _config.CACHE_DIR
    _config.CACHE_DIR = before or str(cache_folder())
    try:
        all_options: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False, **options}
        jitted: Callable[P, R] = numba.njit(**all_options)(function)
    finally:
        _config.CACHE_DIR = before
    return jitted


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled into its callers: a call that hands on all tables copies some 90 words (25 ns)."""
    return compiled(function, forceinline=True)


def entry(function: Callable[P, R], example: tuple[Any, ...]) -> Callable[P, R]:
    """Return what runs the function on arguments of the types of `example`.

    It skips the choice between signatures, which costs 0.2 us an array (measured, CPython 3.11, numba 0.68).
    """
    if _config.DISABLE_JIT:
        return function
    started: Callable[P, R] = function.compile(tuple(map(numba.typeof, example)))  # type: ignore[attr-defined]
    return started


@functools.cache
def cache_folder() -> Path:
    """Return the folder of the compiled kernels: beside the source, or else in the home of the user."""
    here = Path(__file__).parent
    text = b"".join((here / f"{name}.py").read_bytes() for name in KERNELS)
    beside = here / "__pycache__"
    base = beside if os.access(beside if beside.exists() else here, os.W_OK) else Path.home() / ".cache" / "headroom"
    return base / f"kernels-{hashlib.blake2b(text, digest_size=6).hexdigest()}"
