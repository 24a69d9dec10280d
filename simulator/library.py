"""The library of compiled kernels: where it is kept, loaded, and made where it is missing.

It lies in a folder named after the text of all kernel modules and the kind of machine, so that a changed kernel is a
new folder: beside the source, where the wheel or the packaged program brings it, or else where the user's system keeps
such files. A file is named after a digest of its bytes; one that is damaged counts as not there, and is made anew.

It runs on any processor of its kind: it takes no more CPU time than one made for a single processor, and gives the same
bytes.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

Find = Callable[[str], int]
"""Returns the address of what has a name in the library."""

HERE = Path(__file__).parent
LINKED, OBJECT = "so", "o"
"""Suffixes of the library as the system loads it, and as LLVM does where no linker was at hand."""
KERNELS = (
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
BUILD = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from simulator.building import build
build(Path(sys.argv[2]))
"""


@functools.cache
def address_of(name: str) -> int:
    """Return where a kernel, or what is said of it, lies in the library.

    Raises:
        RuntimeError: a packaged program is damaged.
    """
    return _library()(name)


@functools.cache
def _library() -> Find:
    for folder in _folders():
        if found := load(folder):
            return found
    if getattr(sys, "frozen", False):
        raise RuntimeError(f"the compiled kernels are missing or damaged in {beside()}; install the program again")
    for folder in _folders():
        try:
            make(folder)
        except OSError:  # it cannot be written to
            continue
        if found := load(folder):
            return found
    raise RuntimeError("the compiled kernels can be kept nowhere; with NUMBA_DISABLE_JIT=1 they run uncompiled")


def load(folder: Path) -> Find | None:
    """Return the library that a folder holds, None where it holds none that is whole and for this system."""
    for path in _whole(folder, LINKED):
        try:
            return functools.partial(_address_in, ctypes.PyDLL(str(path)))
        except OSError:
            continue
    for path in _whole(folder, OBJECT):
        from simulator.llvm import engine_of  # imported late: few machines need it

        find: Find = engine_of(path.read_bytes()).get_global_value_address
        return find
    return None


def make(folder: Path) -> None:
    """Compile the library into a folder, in a process that may be interrupted at any time.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    generic = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_DISABLE_JIT": "0"}
    subprocess.run([sys.executable, "-P", "-c", BUILD, str(HERE.parent), str(folder)], env=generic, check=True)


def keep(data: bytes, folder: Path, suffix: str) -> Path:
    """Write a file of the library whole, under the name that its bytes have, and return it."""
    path = folder / f"{_digest(data)}.{suffix}"
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as part:
        part.write(data)
    os.chmod(part.name, 0o644)
    os.replace(part.name, path)
    return path


def beside() -> Path:
    """Return the folder of the library beside the source."""
    return HERE / "kernels" / name()


@functools.cache
def name() -> str:
    """Return the name of the folder of the library: a digest of what it is made of, and the kind of machine."""
    text = b"".join((HERE / f"{each}.py").read_bytes() for each in (*KERNELS, "compiled", "building", "llvm"))
    return f"{hashlib.blake2b(text, digest_size=6).hexdigest()}-{sys.platform}-{platform.machine().lower()}"


def _folders() -> Iterator[Path]:
    """Yield where the library may lie, the best first."""
    from platformdirs import user_cache_path  # imported late: the first folder mostly has it

    yield beside()
    yield user_cache_path("headroom", appauthor=False) / "kernels" / name()
    yield _passing()


@functools.cache
def _passing() -> Path:
    """Return a folder that goes with the process."""
    folder = Path(tempfile.mkdtemp(prefix="headroom-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _whole(folder: Path, suffix: str) -> Iterator[Path]:
    """Yield the files of a folder that hold what their names say."""
    for path in sorted(folder.glob(f"*.{suffix}")):
        if _digest(path.read_bytes()) == path.stem:
            yield path


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _address_in(library: ctypes.PyDLL, name: str) -> int:
    return ctypes.addressof(ctypes.c_char.in_dll(library, name))
