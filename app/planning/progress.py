"""How far long work is, told to whoever asked for it: a terminal draws a line, the window a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

OnDone = Callable[[int, int], None]
"""Is told how many of how many are done."""
Counted = Callable[[str], AbstractContextManager[OnDone]]
"""Opens a line for work of a name; what it gives is told how much of it is done."""


@contextmanager
def uncounted(_: str) -> Iterator[OnDone]:
    """Open a line for work that is done before anybody would read it."""
    yield lambda _done, _total: None
