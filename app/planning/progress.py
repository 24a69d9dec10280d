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
    total, done = sum(each.stat().st_size for path in paths for each in _files(Path(path))), 0
    with counted("Reading, in MB") as show:

        def on_bytes(count: int) -> None:
            nonlocal done
            done = min(done + count, total)
            show(-(-done // MEGABYTE), -(-total // MEGABYTE))

        yield on_bytes


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (each for each in path.rglob("*") if each.is_file())
    elif path.is_file():
        yield path
