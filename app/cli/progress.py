"""Progress on stderr, only on a terminal: a bar with the time left for one run, a count for many.

`rich` is imported once a run has lasted long enough to need a bar.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import deque
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

MANY = 200_000
"""Tasks of a stage that are told to take long. Assumption: who waits for half a minute of a processor wants a word."""
TASK = (30e-6, 300e-6)
"""CPU seconds of a task. Measured: 29 µs of a count on HDFS; of a sort 35 to plan it, and 1.5 for each of its works; of
sorts of 10 TB on object stores 170 to 280 on a host that did much else."""

LONG = 30.0
"""Seconds after which what is left is told. Assumption: who has waited so long asks how long it will be."""
SOON = 5.0
"""Seconds after which what is left is told that takes as long at the least. Assumption: who is told so within seconds
can still change the question, and a run shows its pace by then."""
TIMES = (0.3, 6.0)
"""How many times as long as tasks that ended lately those of other stages may take to simulate. Nothing says so before
they end. Measured over ten MapReduce jobs and days: what was left took 0.3 to 5.3 times as long as what had ended let
expect, and reduces take up to six times as long as maps."""
LATELY = 0.1
"""The last part of a run that tells how fast it goes now; what it was until then tells, too, as tasks are planned in
waves, of which a part may have none. Assumption: less is chance, more are other stages."""
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
    been several times as long; soon, if as much is left at the least. Where they take no tolerance, or have one, none
    is named as a way out of what takes long, and to have no interval only where there `is_interval`.
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
        self._begun, self._due, self._told = time.process_time(), long, 0.0
        self._long = long
        self._visible = on_terminal() if visible is None else visible
        self._since = time.monotonic() + patience
        self._finished, self._whole = 0, 0.0  # replications, and the seconds of a processor that all of them took
        self._fraction = self._shown = 0.0
        self._passed = deque([(0.0, 0.0)])  # when which part of this one had ended, by its own seconds of a processor
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
        if self._fraction == 1.0:  # by now the next replication has begun
            self._finished += 1
            self._whole, self._passed = self._whole + self._passed[-1][0], deque([(0.0, 0.0)])
        self._fraction, self._shown = fraction, getattr(event, "shown", 1.0)
        spent = time.process_time() - self._begun
        self._passed.append((spent - self._whole, fraction))
        while len(self._passed) > 2 and self._passed[1][1] <= fraction - LATELY:
            self._passed.popleft()
        self._tell_what_is_left(spent)
        if self._visible and time.monotonic() >= self._since:
            self._line.show(self.done, 1.0)

    @property
    def done(self) -> float:
        """The part of all runs that is done, 0 to 1."""
        return (self._finished + self._fraction) / self._replications

    @property
    def left(self) -> tuple[float, float]:
        """The least and the most seconds of a processor that the rest takes."""
        runs = self._replications - self._finished - 1  # to come, as this one
        if self._finished:
            left = self._whole / self._finished * (runs + 1 - self._fraction)
            return left, left
        (before, was), (spent, done) = self._passed[0], self._passed[-1]
        if not done > was:
            return 0.0, math.inf
        so_far, lately = spent / done, (spent - before) / (done - was)
        few, many = (self._shown - done + (1 - self._shown) * times for times in TIMES)
        least = min(so_far, lately) * few
        most = max(so_far * many, lately * (1 - done))
        return least + runs * (spent + least), most + runs * (spent + most)

    def _tell_what_is_left(self, spent: float) -> None:
        """Tell how long the rest takes, once that has taken long enough, or will for sure."""
        if spent < min(self._due, SOON) or not self._told < self.done < 1:
            return
        (least, most), is_due = self.left, spent >= self._due
        if not is_due and (self._told or least < self._long):
            return
        if most >= self._due:
            more = dict.fromkeys(map(format_duration, (least, most)))
            other = ", for nothing shows yet how long tasks of other stages take" if self._shown < 1 else ""
            mention(
                f"{self.done:.0%} of the tasks have ended after {format_duration(spent)} of a processor; the others"
                f" take {' to '.join(more)} more{other}; {self._less}.",
                err=True,
            )
        self._told, self._due = self.done, AGAIN * spent if is_due else self._due


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
