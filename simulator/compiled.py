"""Kernels: functions over tables that run compiled, and as plain Python under NUMBA_DISABLE_JIT=1.

Here they are marked, and called from Python. `simulator/building.py` compiles all of them at once, with numba, into a
library that `simulator/library.py` finds: a run loads it and needs neither numba nor LLVM, whose import and loading
took two fifths of a short run. The kernels allocate nothing and raise nothing.
"""

from __future__ import annotations

import ctypes
import os
import re
from collections.abc import Callable, Sequence
from functools import update_wrapper
from operator import is_not
from struct import Struct
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from simulator.library import address_of

P = ParamSpec("P")
R = TypeVar("R")

IS_PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
NUMBERS = {"int": "q", "float": "d", "bool": "?7x"}
"""How a number of an annotation stands in a word of 8 bytes."""
_CALL = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Mark a function to be compiled, for other kernels to call; Python calls those that are `called`."""
    function.options = options  # type: ignore[attr-defined]
    return function


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function to be compiled into its callers: a call that hands on all tables copies some 90 words (25 ns)."""
    return compiled(function, forceinline=True)


def spliced(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function to be part of its only caller before that is compiled: faster to compile than `inlined`."""
    return compiled(function, inline="always")


def called(function: Callable[P, R]) -> Callable[P, R]:
    """Return a kernel that Python may call; its tables stand before its numbers."""
    return compiled(function) if IS_PLAIN else Kernel(function)


def entry(kernel: Callable[P, R]) -> Callable[P, R]:
    """Return what calls a kernel many times, in one thread, and lays tables out only when they are others."""
    way_in: Any = Entry(kernel) if isinstance(kernel, Kernel) else kernel
    made: Callable[P, R] = way_in
    return made


def prefetch(table: Any, at: int) -> None:
    """Have the processor fetch a row of a table that will be needed soon; uncompiled, do nothing."""


class Kernel(Generic[P, R]):
    """A compiled function that Python calls."""

    def __init__(self, function: Callable[P, R]) -> None:
        update_wrapper(self, function)
        self.function, self.options = function, dict[str, Any]()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it."""
        return Entry(self)(*args, **kwargs)


class Entry(Generic[P, R]):
    """A way into a kernel: memory in which it finds its arguments, word by word, and leaves its answer."""

    def __init__(self, kernel: Kernel[P, R]) -> None:
        kinds = {name: str(kind) for name, kind in kernel.function.__annotations__.items()}
        answer = re.findall("|".join(NUMBERS), kinds.pop("return"))
        numbers = [kind for kind in kinds.values() if kind in NUMBERS]
        self._name = kernel.function.__name__
        self._numbers = Struct("=" + "".join(NUMBERS[kind] for kind in numbers))
        self._answer = Struct("=" + "".join(NUMBERS[kind] for kind in answer))
        self._many = len(answer)
        self._tables: tuple[Any, ...] = (None,) * (len(kinds) - len(numbers))
        self._told = bytearray(self._answer.size)
        self._told_at = _address(self._told)
        self._call: Callable[[int, int], int] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel."""
        split = len(self._tables)
        if any(map(is_not, args, self._tables)):
            self._lay_out(args[:split])
        self._numbers.pack_into(self._words, self._before, *args[split:])
        assert self._call is not None
        if self._call(self._at, self._told_at):
            raise RuntimeError(f"the kernel {self._name} failed")
        values = self._answer.unpack(self._told)
        answer: Any = values if self._many > 1 else values[0] if values else None
        told: R = answer
        return told

    def _lay_out(self, tables: tuple[Any, ...]) -> None:
        """Write where the arrays of tables lie as the kernel takes them.

        Raises:
            TypeError: it was compiled for others; with these it would read and write anywhere.
        """
        arrays = [array for table in tables for array in table]
        if self._call is None:
            self._call = _CALL(address_of(self._name))
        if layout(arrays) != ctypes.string_at(address_of(f"{self._name}_layout")).decode():
            raise TypeError(f"the kernel {self._name} was compiled for other tables than it is called with")
        words = [word for array in arrays for word in _words(array)]
        self._words = bytearray(np.array(words, np.int64).tobytes() + bytes(self._numbers.size))
        self._before, self._at = 8 * len(words), _address(self._words)
        self._tables = tables


def layout(arrays: Sequence[Any]) -> str:
    """Return in words what a kernel must know of arrays before it is compiled."""
    return ",".join(f"{array.dtype.str}{array.ndim}{array.flags.c_contiguous:d}" for array in arrays)


def _words(array: Any) -> tuple[int, ...]:
    """Return an array as numba lays it out: no owner, size, size of an item, address, shape and strides.

    The address is not asked of `__array_interface__`: it describes all columns first, which takes 36 us instead of 3,
    and clears whatever is raised meanwhile, as by Ctrl+C.
    """
    return 0, 0, array.size, array.itemsize, array.ctypes.data, *array.shape, *array.strides


def _address(memory: bytearray) -> int:
    """Return where memory lies that keeps its length; nothing there for none."""
    return ctypes.addressof(ctypes.c_char.from_buffer(memory)) if memory else 0
