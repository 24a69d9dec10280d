"""Progress on stderr, only on a terminal: a bar with the time left for one run, a count for many.

`rich` is imported once a run has lasted long enough to need a bar.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING

from app.cli.terminal import mention
from models.units import format_duration

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from simulator.events import Event

PATIENCE = 1.0
"""Seconds before a bar appears; what is done sooner needs none. Source: Nielsen, the limit of an unbroken thought."""

MANY = 1_000_000
"""Tasks of a stage that are told to take long. Assumption: who waits for half a minute of a processor wants a word."""
TASK = (30e-6, 100e-6)
"""CPU seconds of a task. Measured: 29 µs of a count on HDFS; of a sort 35 to plan it, and 1.5 for each of its works."""

LONG = 30.0
"""Seconds after which what is left is told. Assumption: who has waited so long asks how long it will be.

Sooner it misleads. Measured: of ten MapReduce jobs and days of 4 to 20 s, the tasks that had begun and ended in a tenth
to half of the time foretold 0.2 to 1.5 times what was left, of six less than half at some moment: reduces take up to
six times as long to simulate as maps, and nothing says so before they begin."""
AGAIN = 3
"""Times as long after which it is told again. Assumption: a stage goes otherwise than the one before, and an hour is
worth a few lines."""
LARGER, ALONE = "with larger splits, blocks or parts", "--interval none"
"""What makes runs shorter, whatever they are of, and what leaves the fewest of them."""


def on_terminal() -> bool:
    """Tell whether somebody watches stderr."""
    return sys.stderr.isatty()


class RunProgress:
    """Reads the events of `replications` runs in a row and shows how much of them is done.

    What is left once they have taken a processor for `long` seconds is told, whoever watches, and again when it has
    been several times as long. Where they take no tolerance, or have one, none is named as a way out of what takes
    long, and to have no interval only where there `is_interval`.
    """

    def __init__(
        self,
        replications: int,
        *,
        may_be_rough: bool = False,
        is_interval: bool = True,
        patience: float = PATIENCE,
        long: float = LONG,
        visible: bool | None = None,
    ) -> None:
        self._replications = replications
        self._less = _less(may_be_rough=may_be_rough, is_interval=is_interval)
        self._begun, self._due, self._told = time.process_time(), long, (0.0, 0.0)
        self._visible = on_terminal() if visible is None else visible
        self._since = time.monotonic() + patience
        self._finished = 0
        self._fraction = 0.0
        self._has_warned = False
        self._line = Line("Simulating")

    def __enter__(self) -> RunProgress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._line.stop()

    def __call__(self, event: Event) -> None:
        """Take notice of an event; that a stage of many tasks takes long is told once, whoever watches."""
        tasks = 0 if getattr(event, "are_requests", True) else getattr(event, "tasks", 0)
        if tasks >= MANY and not self._has_warned:
            self._has_warned = True
            mention(_long(getattr(event, "stage", ""), tasks, self._less), err=True)
        fraction = getattr(event, "fraction", None)
        if fraction is None:
            return
        self._finished += self._fraction == 1.0  # by now the next replication has begun
        self._fraction = fraction
        self._tell_what_is_left()
        if self._visible and time.monotonic() >= self._since:
            self._line.show(self.done, 1.0)

    @property
    def done(self) -> float:
        """The part of all runs that is done, 0 to 1."""
        return (self._finished + self._fraction) / self._replications

    def _tell_what_is_left(self) -> None:
        """Tell how long the rest takes if it goes on as since the last time, once that has taken long enough."""
        spent, done = time.process_time() - self._begun, self.done
        before, was = self._told
        if spent < self._due or not was < done < 1:
            return
        left = (spent - before) / (done - was) * (1 - done)
        if left >= self._due:
            mention(
                f"{done:.0%} of the tasks have ended after {format_duration(spent)} of a processor; as it goes now the"
                f" others take {format_duration(left)} more; {self._less}.",
                err=True,
            )
        self._told, self._due = (spent, done), AGAIN * spent


def _less(*, may_be_rough: bool = False, is_interval: bool = True) -> str:
    """Return what makes a run shorter."""
    rough = "with --tolerance 0.1%, " if may_be_rough else ""
    alone = f", or with {ALONE}" if is_interval else ""
    return f"{rough}{LARGER}{alone} it takes less"


def _long(stage: str, tasks: int, less: str) -> str:
    """Return how long the tasks of a stage take to simulate, and what makes it `less`."""
    least, most = (format_duration(tasks * seconds) for seconds in TASK)
    return (
        f"{tasks:,} tasks of {stage} are simulated one by one, which takes {least} to {most} of a processor a run;"
        f" {less}."
    )


@contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how many of how many things are done; what this gives is to be called with both numbers."""
    line, visible = Line(what), on_terminal()

    def on_done(done: int, total: int) -> None:
        _keep_what_is()
        if visible:
            line.show(done, total)

    try:
        yield on_done
    finally:
        line.stop()


class CountedRuns:
    """Counts the runs of one question as `counted` does, in one turn or several.

    That they take long is told once, as soon as one has ended after `patience` seconds, whoever watches.
    """

    def __init__(self, patience: float = LONG) -> None:
        self._since, self._patience = time.monotonic(), patience
        self._ended, self._is_told = 0, False

    @contextmanager
    def __call__(self, what: str) -> Iterator[Callable[[int, int], None]]:
        """Show how many runs of a turn are done; what this gives is to be called with both numbers."""
        before = 0
        with counted(what) as count:

            def on_done(done: int, total: int) -> None:
                nonlocal before
                self._ended, before = self._ended + max(done - before, 0), done
                self._tell(total - done)
                count(done, total)

            yield on_done

    def _tell(self, left: int) -> None:
        """Tell how long the runs take that are left of this turn, if all so far have taken long."""
        spent = time.monotonic() - self._since
        if self._is_told or not self._ended or not left or spent < self._patience:
            return
        self._is_told = True
        more = format_duration(spent / self._ended * left)
        ended = "1 run has" if self._ended == 1 else f"{self._ended:,} runs have"
        so_far = f"{ended} ended after {format_duration(spent)}"
        to_come = "1 to come takes" if left == 1 else f"{left:,} to come take"
        mention(f"{so_far}; {to_come} {more} or more; with fewer of them, {_less()}.", err=True)


@cache
def _keep_what_is() -> None:
    """Let Python look for garbage in this process no more where there is none: in what was imported and read.

    A look after each of many runs took a tenth of a second. Only once: what is made later may become garbage.
    """
    gc.freeze()


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Show that something of unknown length goes on."""
    if not on_terminal():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield


class Line:
    """A bar with the time left, drawn from its first `show` on and gone after `stop`."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._bar: Bar | None = None

    def show(self, done: float, total: float) -> None:
        """Draw how much is done."""
        if self._bar is None:
            self._bar = _bar()
            self._bar.add_task(self._what)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, total=total)

    def stop(self) -> None:
        """Remove the bar."""
        if self._bar:
            self._bar.stop()


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
