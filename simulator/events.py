"""What a run reports while it goes on. The run only emits; terminal and window each read them in their own way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from models.units import format_duration
from models.values import value

MANY = 1_000_000
"""Tasks of a stage that are told to take long. Assumption: who waits for half a minute of a processor wants a word."""
TASK = (30e-6, 100e-6)
"""CPU seconds of a task. Measured: 29 µs of a count on HDFS; of a sort 35 to plan it, and 1.5 for each of its works."""


@value()
class StageStarted:
    """A stage has opened: its first tasks start at `time` (simulated seconds)."""

    stage: str
    tasks: int
    time: float


@value()
class StageFinished:
    """The last task of a stage has ended at `time` (simulated seconds)."""

    stage: str
    time: float


@value()
class Progress:
    """`fraction` of all tasks have ended, 0 to 1, at `time` (simulated seconds)."""

    fraction: float
    time: float


@value()
class Long:
    """What begins at `time` takes long to simulate: `text` says why, and what would make it shorter."""

    text: str
    time: float


Event = StageStarted | StageFinished | Progress | Long
OnEvent = Callable[[Event], None]


def begun(stage: str, tasks: int, time: float) -> Iterator[Event]:
    """Yield what to tell of a stage whose tasks are about to be simulated one by one."""
    if tasks >= MANY:
        least, most = (format_duration(tasks * seconds) for seconds in TASK)
        yield Long(
            f"{tasks:,} tasks of {stage} are simulated one by one, which takes {least} to {most} of a processor a run;"
            " with --tolerance 0.1%, with larger splits or blocks, or with --interval none it takes less.",
            time,
        )
    yield StageStarted(stage, tasks, time)
