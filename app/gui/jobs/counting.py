"""Lines of progress in the child process: what the planning functions count goes to the window. Knows no Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.gui.jobs.run import Report

if TYPE_CHECKING:
    from app.planning.progress import Counted


def counted(report: Report) -> Counted:
    """Return what opens a line of progress: here the report of the job."""

    @contextmanager
    def opened(what: str) -> Iterator[Callable[[int, int], None]]:
        def on_done(done: int, total: int) -> None:
            report(done / total if total else 1.0, f"{what}: {done} of {total}")

        report(0.0, what)
        yield on_done

    return opened
