"""What a run reports while it goes on. The run only emits; terminal and window each read them in their own way."""

from __future__ import annotations

from collections.abc import Callable

from models.values import value


@value()
class StageStarted:
    """A stage has opened: its first tasks start at `time` (simulated seconds).

    Requests are no tasks that are planned: millions take seconds, and fewer are made where their rates are sure.
    """

    stage: str
    tasks: int
    time: float
    are_requests: bool = False


@value()
class StageFinished:
    """The last task of a stage has ended at `time` (simulated seconds)."""

    stage: str
    time: float


@value()
class Progress:
    """`fraction` of all tasks have ended, 0 to 1, at `time` (simulated seconds).

    The part `shown` is in stages of which so many have ended that it shows how long each takes to simulate.
    """

    fraction: float
    time: float
    shown: float = 1.0


Event = StageStarted | StageFinished | Progress
OnEvent = Callable[[Event], None]
