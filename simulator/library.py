"""The library of compiled kernels: where it is kept, loaded, and made where it is missing.

It lies in a folder named after the kind of machine and the text of all that the kernels are made of, modules from which
they take constants included, so that a changed kernel is a new folder: beside the source, where the wheel or the
packaged program brings it, or else where the user's system keeps such files. A file is named after a digest of its
bytes; one that is damaged counts as not there, and is made anew. Of several processes that find none one compiles, and
the others wait for it: a lock of the system is held meanwhile, which ends with whoever holds it.

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
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

Find = Callable[[str], int]
"""Returns the address of what has a name in the library."""

HERE = Path(__file__).parent
LINKED, OBJECT = "so", "o"
"""Suffixes of the library as the system loads it, and as LLVM does where no linker was at hand."""
LOCK = ".lock"
PART = "part-"
"""What the names of files begin with that are not yet whole."""
PATIENCE, POLL = 600.0, 0.1
"""Seconds to wait for another process, and between two looks. Assumption: the slowest machine in use needs no 600."""
KERNELS = (
    "fluid.state",
    "fluid.heaps",
    "fluid.recorder",
    "fluid.sharing",
    "fluid.rows",
    "fluid.classes",
    "fluid.membership",
    "fluid.kernel",
    "fluid.withdrawal",
    "fluid.reservation",
    "fluid.credits",
    "steps.state",
    "steps.calls",
    "steps.frames",
    "steps.rooms",
    "steps.loop",
    "requests.state",
    "requests.chance",
    "requests.queues",
    "requests.arrivals",
    "requests.lanes",
    "requests.pipelines",
    "requests.connections",
    "requests.loop",
    "requests.batches",
)
MAKERS = ("simulator.compiled", "simulator.building", "simulator.llvm")
"""What compiles the kernels; of what these import nothing gets into them."""
_IMPORTED = re.compile(rb"^(?:from|import) +((?:models|profiles|simulator)\b[\w.]*)", re.MULTILINE)
BUILD = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for this process meets it, and ends this one
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from simulator.building import build
try:
    build(Path(sys.argv[2]))
except OSError as error:
    sys.exit(f"the compiled kernels cannot be kept in {sys.argv[2]}: {error.strerror}")
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
        if answer := load(folder):
            return answer
    if getattr(sys, "frozen", False):
        raise RuntimeError(f"the compiled kernels are missing or damaged in {beside()}; install the program again")
    reasons = []
    for folder in _folders():
        try:
            make(folder)
        except OSError as error:
            reasons.append(str(error))
            continue
        if answer := load(folder):
            return answer
    why = "; ".join(dict.fromkeys(reasons))
    raise RuntimeError(f"the kernels cannot be compiled ({why}); with NUMBA_DISABLE_JIT=1 they run uncompiled")


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

    Where another process does that already, wait for it instead.

    Raises:
        OSError: the folder cannot be written to, or the other process does not come to an end.
    """
    import subprocess  # imported late, as all that a run needs only where no library is made

    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder) as lock:
        if load(folder):
            return
        for left in folder.glob(f"{PART}*"):  # of a process that was killed
            left.unlink()
        _say("Compiling the kernels, once for this version: some 25 s.")
        generic = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_DISABLE_JIT": "0"}
        command = [sys.executable, "-P", "-c", BUILD, str(HERE.parent), str(folder)]
        held = () if sys.platform == "win32" else (lock.fileno(),)  # should this process be killed meanwhile
        if status := subprocess.run(command, env=generic, pass_fds=held, check=False).returncode:
            raise OSError(f"compiling the kernels ended with status {status}")


@contextmanager
def _alone(folder: Path) -> Iterator[IO[bytes]]:
    """Hold the lock of a folder.

    Raises:
        OSError: the folder cannot be written to, or another process holds the lock for too long.
    """
    with (folder / LOCK).open("ab") as lock:
        until = time.monotonic() + PATIENCE
        if not _is_taken(lock):
            _say("Another process compiles the kernels: waiting for it.")
            while not _is_taken(lock):
                if time.monotonic() > until:
                    raise OSError(f"another process has compiled kernels into {folder} for {PATIENCE:.0f} s")
                time.sleep(POLL)
        yield lock


def _is_taken(lock: IO[bytes]) -> bool:
    """Take a lock, unless another process has it; True, too, where files have no locks."""
    if sys.platform == "win32":
        import msvcrt

        with suppress(OSError):
            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
            return True
        return False
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _say(what: str) -> None:
    """Tell whoever watches a terminal why nothing happens."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(what, file=sys.stderr, flush=True)


def keep(data: bytes, folder: Path, suffix: str) -> Path:
    """Write a file of the library whole, under the name that its bytes have, and return it."""
    import tempfile

    path = folder / f"{_digest(data)}.{suffix}"
    number, part = tempfile.mkstemp(dir=folder, prefix=PART)
    try:
        with open(number, "wb") as file:
            file.write(data)
        os.chmod(part, 0o644)
        os.replace(part, path)
    finally:
        with suppress(FileNotFoundError):  # it has its name
            os.unlink(part)
    return path


def beside() -> Path:
    """Return the folder of the library beside the source."""
    return HERE / "kernels" / name()


@functools.cache
def name() -> str:
    """Return the name of the folder of the library: a digest of what it is made of, and the kind of machine."""
    text = b"".join(text for _, text in sorted(sources().items()))
    return f"{hashlib.blake2b(text, digest_size=6).hexdigest()}-{sys.platform}-{platform.machine().lower()}"


def sources() -> dict[str, bytes]:
    """Return the text of each module of ours on which compiled kernels depend, by its name.

    A constant that a kernel takes from elsewhere is compiled into it, so all that its module imports at its beginning
    counts, and what that imports in turn.
    """
    texts = {name: _text(name) for name in MAKERS}
    asked = [f"simulator.{name}" for name in KERNELS]
    while asked:
        module = asked.pop()
        if module not in texts:
            texts[module] = _text(module)
            asked += map(bytes.decode, _IMPORTED.findall(texts[module]))
    return texts


def _text(module: str) -> bytes:
    path = HERE.parent.joinpath(*module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()


def _folders() -> Iterator[Path]:
    """Yield where the library may lie, the best first."""
    yield beside()
    from platformdirs import user_cache_path  # imported late: the first folder mostly has it

    yield user_cache_path("headroom", appauthor=False) / "kernels" / name()
    yield _passing()


@functools.cache
def _passing() -> Path:
    """Return a folder that goes with the process."""
    import shutil
    import tempfile

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
