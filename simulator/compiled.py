"""Compilation of the kernels: numba, cached on disk, and the same functions uncompiled under NUMBA_DISABLE_JIT=1.

Numba renews a cached function when its own file changes, not when a file that it calls into does. So the cache lies
in a folder named after the text of all kernel modules: a changed kernel is a new folder. A packaged program brings that
folder along, compiled for any processor of its kind, and copies it to where it may write. A file in it that is damaged
counts as not there: it is compiled and written anew.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
from numba.core import cgutils, types
from numba.core.caching import IndexDataCacheFile, UserProvidedCacheLocator
from numba.extending import intrinsic
from platformdirs import user_cache_path

from simulator.interrupts import held

P = ParamSpec("P")
R = TypeVar("R")

HERE = Path(__file__).parent
DIGEST = 16  # bytes
_config: Any = numba.config
_Files: Any = IndexDataCacheFile  # has no types
KERNELS = (
    "compiled",
    "state",
    "heaps",
    "recorder",
    "filling",
    "sharing",
    "rows",
    "fluid",
    "withdrawal",
    "reservation",
    "credits",
    "step_state",
    "step_calls",
    "step_frames",
    "step_rooms",
    "step_loop",
    "request_state",
    "request_queues",
    "request_arrivals",
    "request_lanes",
    "request_pipelines",
    "request_loop",
)


class KernelLocator(UserProvidedCacheLocator):
    """Tells numba where a kernel is kept, and by what it is known again: the text of all kernels, nothing else.

    Numba's own locators go by the path of the source, which in a packaged program depends on the current folder, and by
    the bytes of the executable: each of two executables would throw away what the other compiled.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = _config.CACHE_DIR

    def get_source_stamp(self) -> str:
        """Return what a kernel must have been compiled from to be used."""
        return text_digest()

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> KernelLocator:
        """Return the locator of a kernel; unlike numba's, it does not ask for the file."""
        return cls(function, file)


class KernelFile(_Files):  # type: ignore[misc]
    """The files of a kernel, each with a digest behind it.

    Numba unpickles and runs what it finds there: a file that was cut off would end the program, one with a wrong byte
    could do worse.
    """

    def _dump(self, obj: object) -> bytes:
        data: bytes = super()._dump(obj)
        return data + _digest(data)

    def _load_index(self) -> dict[Any, str]:
        try:
            index: dict[Any, str] = super()._load_index()
        except Exception:  # a damaged pickle may raise anything
            return {}
        return index

    def _load_data(self, name: str) -> Any:
        """Return what is kept of a kernel.

        Raises:
            OSError: it is not there or damaged, and numba compiles the kernel.
        """
        data = Path(self._data_path(name)).read_bytes()
        whole, digest = data[:-DIGEST], data[-DIGEST:]
        if _digest(whole) != digest:
            raise OSError(f"{name} is damaged")
        return pickle.loads(whole)


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST).digest()


def compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Return the function compiled on first use, for others to call that are: Python cannot, see `called`.

    No fast maths, so that both ways give the same bytes.

    The kernels allocate nothing, so numba's runtime for that (`_nrt`), which counts references to every array at every
    call of a function, is left out; numba compiles its own text functions so.
    """
    if _config.DISABLE_JIT:
        return function
    before = _config.CACHE_DIR, _config.CACHE_LOCATOR_CLASSES
    _config.CACHE_DIR = before[0] or str(cache_folder())
    _config.CACHE_LOCATOR_CLASSES = f"{__name__}.{KernelLocator.__name__}"
    try:
        base = {"cache": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
        all_options: dict[str, Any] = {**base, "no_cpython_wrapper": True, **options}
        jitted: Any = numba.njit(**all_options)(function)
    finally:
        _config.CACHE_DIR, _config.CACHE_LOCATOR_CLASSES = before
    kept = jitted._cache._impl
    jitted._cache._cache_file = KernelFile(
        kept.locator.get_cache_path(), kept.filename_base, kept.locator.get_source_stamp()
    )
    jitted.compile = _whole(jitted.compile)
    made: Callable[P, R] = jitted
    return made


def _whole(compile_: Callable[P, R]) -> Callable[P, R]:
    """Return what compiles, or loads, a kernel without being cut short.

    LLVM asks Python for what is in the cache. A KeyboardInterrupt there is lost with what it asked for, and the kernel
    that comes of it ends the process with a segmentation fault.
    """

    @functools.wraps(compile_)
    def compile_whole(*args: P.args, **kwargs: P.kwargs) -> R:
        with held():
            return compile_(*args, **kwargs)

    return compile_whole


def called(function: Callable[P, R], **options: bool) -> Callable[P, R]:
    """Return the function compiled so that Python can call it; if all were, compiling would take half as long again."""
    return compiled(function, no_cpython_wrapper=False, **options)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function compiled into its callers: a call that hands on all tables copies some 90 words (25 ns)."""
    return compiled(function, forceinline=True)


def spliced(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function made part of its only caller before that is compiled: faster to compile than `inlined`."""
    return compiled(function, inline="always")


def entry(function: Callable[P, R], example: tuple[Any, ...]) -> Callable[P, R]:
    """Return what runs the function on arguments of the types of `example`.

    It skips the choice between signatures, which costs 0.2 us an array (measured, CPython 3.11, numba 0.68).
    """
    if _config.DISABLE_JIT:
        return function
    started: Callable[P, R] = function.compile(tuple(map(numba.typeof, example)))  # type: ignore[attr-defined]
    return started


def prefetch(table: Any, at: int) -> None:
    """Have the processor fetch a row of a table that will be needed soon; uncompiled, do nothing."""


def _prefetch(_: Any, table: Any, at: Any) -> Any:
    """Return the signature of `prefetch` and what writes its code: LLVM's own instruction, which cannot fail."""
    ir: Any = cgutils.ir  # type: ignore[attr-defined]  # llvmlite, which numba is built on

    def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(table)(context, builder, values[0])
        row = builder.gep(array.data, [context.cast(builder, values[1], at, types.intp)])
        address, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address, flag, flag, flag])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        to_read, all_caches, data = flag(0), flag(3), flag(1)
        builder.call(function, [builder.bitcast(row, address), to_read, all_caches, data])
        return context.get_dummy_value()

    return types.void(table, at), write


if not _config.DISABLE_JIT:
    prefetch = intrinsic(_prefetch)  # type: ignore[assignment]


def _spare_blas() -> None:
    """Let numba look for BLAS in vain: for that it imports scipy.linalg (0.13 s), and the kernels use none."""
    if "scipy.linalg" not in sys.modules:
        sys.modules["scipy.linalg"] = None  # type: ignore[assignment]  # as the import system has it: not to be found
        importlib.import_module("numba.np.arraymath")
        del sys.modules["scipy.linalg"]


if not _config.DISABLE_JIT:
    _spare_blas()


@functools.cache
def text_digest() -> str:
    """Return a digest of the text of all kernel modules."""
    text = b"".join((HERE / f"{name}.py").read_bytes() for name in KERNELS)
    return hashlib.blake2b(text, digest_size=6).hexdigest()


@functools.cache
def cache_folder() -> Path:
    """Return the folder of the compiled kernels: beside the source, or else where the user's system keeps such files.

    A packaged program leaves its own folder as it is. Where nothing can be kept, each process compiles for itself.
    """
    name = f"kernels-{text_digest()}"
    beside = HERE / "__pycache__"
    is_packaged = getattr(sys, "frozen", False)
    if not is_packaged and os.access(beside if beside.exists() else HERE, os.W_OK):
        return beside / name
    kept = user_cache_path("headroom", appauthor=False) / name
    try:
        take_over(beside / name, kept)
    except OSError:
        kept = Path(tempfile.mkdtemp(prefix="headroom-"))
        atexit.register(shutil.rmtree, kept, ignore_errors=True)
    return kept


def take_over(packed: Path, kept: Path) -> None:
    """Make the folder `kept`, with what `packed` holds, unless it is there; another process may be doing the same.

    Raises:
        OSError: it cannot be made.
    """
    if kept.exists():
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix="new-", dir=kept.parent))
    if packed.is_dir():
        shutil.copytree(packed, made, dirs_exist_ok=True)
    try:
        made.rename(kept)
    except OSError:
        shutil.rmtree(made)
        if not kept.exists():
            raise
