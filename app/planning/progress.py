"""How far long work is, told to whoever asked for it: a terminal draws a line, the window a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

OnDone = Callable[[int, int], None]
"""Is told how many of how many are done."""
Counted = Callable[[str], AbstractContextManager[OnDone]]
"""Opens a line for work of a name; what it gives is told how much of it is done."""

MEGABYTE = 10**6


@contextmanager
def uncounted(_: str) -> Iterator[OnDone]:
    """Open a line for work that is done before anybody would read it."""
    yield lambda _done, _total: None


@contextmanager
def megabytes(paths: Sequence[str], counted: Counted) -> Iterator[Callable[[int], None]]:
    """Give what is told of bytes as they are read, and tells of them in MB."""
    total, done = sum(_size(file) for path in paths for file in [Path(path), *Path(path).rglob("*")]), 0
    with counted("Reading, in MB") as show:

        def on_bytes(count: int) -> None:
            nonlocal done
            done = min(done + count, total)
            show(-(-done // MEGABYTE), -(-total // MEGABYTE))

        yield on_bytes


def _size(path: Path) -> int:
    """Return the bytes of a file; what cannot be read has none here, and is told by its reader."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0
