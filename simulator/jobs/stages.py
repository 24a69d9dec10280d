"""Stages on their way, and which of them decides how long a job takes at which time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from models.values import value
from models.work import ROUNDS, Stage
from simulator.fluid.recorder import HeldUp
from simulator.jobs.slots import TaskQueue
from simulator.jobs.slowest import Slowest
from simulator.jobs.speculation import Watch
from simulator.limits import NOTHING, limits


class StageRun:
    """One stage on its way: its waiting tasks, and how many have ended."""

    def __init__(self, stage: Stage, tag: int, racks: Sequence[int], slowest: Slowest) -> None:
        self.stage = stage
        self.tag = tag
        self.queue = TaskQueue(stage, racks)
        self.open = False
        self.followers: list[StageRun] = []  # closed ones that open after a part of its tasks
        self.soonest = 1.0  # the least of these parts
        self.on: Counter[int] = Counter()  # the attempts that run on each node
        self.ended = 0
        self.silent = 0  # tasks of servers that went down and are not given up yet
        self.rounds = 0  # milestones on the way to its end that were reached
        self.slowest = slowest  # its slowest tasks, and those of the same stage of other runs
        self.times: list[float] = []  # of each task that has ended, where they are kept
        self.watch = Watch(stage.speculation, stage.tasks) if stage.speculation else None
        self.start = 0.0
        self.began: float | None = None  # when its first task did
        self.end = 0.0
        self.thinned: float | None = None  # when a task ended for which no other was left
        self.asked = 0.0  # since when a slot is asked for a task that waits
        self.marks: dict[float, HeldUp] = {}  # what had held it up when stages opened or ended, and few tasks were left

    @property
    def follows(self) -> Sequence[str]:
        """The names of the stages that open it, each once."""
        after = () if self.stage.after is None else (self.stage.after,)
        return tuple(dict.fromkeys((*after, *self.stage.joined)))

    def begins(self, now: float, waited: Callable[[], None]) -> None:
        """Take notice that a task begins; call `waited` if that is the first one, and had to wait for a slot."""
        if self.began is None:
            self.began = now
            if now > self.start:
                waited()

    def held_slots_of(self, other: StageRun, now: float) -> bool:
        """Tell whether its tasks ran while another stage was open and waited for a slot for its first one."""
        began = other.began or 0.0
        return self is not other and self.began is not None and self.began < began <= self.ended_by(now)

    def lead(self, other: StageRun) -> None:
        """Take notice of a stage that opens after a part of the tasks."""
        self.followers.append(other)
        part = other.stage.slowstart if other.stage.after == self.stage.name else 1.0
        self.soonest = min(self.soonest, part)

    @property
    def fraction(self) -> float:
        """The part of the tasks that has ended, 0 to 1."""
        return self.ended / self.stage.tasks if self.stage.tasks else 1.0

    @property
    def has_halved(self) -> bool:
        """Whether its last tasks are under way, and half as many as when this was so before, or none."""
        left = self.running
        return not self.queue.left and not left & (left - 1)

    @property
    def running(self) -> int:
        """The tasks that have begun and not ended, without those that went down with their server."""
        return self.stage.tasks - self.queue.left - self.ended - self.silent

    @property
    def is_starved(self) -> bool:
        """Whether tasks wait, and none runs, or ran on a server that is not given up."""
        return self.queue.left > 0 and self.running + self.silent == 0

    def wait_again(self, task: int, now: float) -> None:
        """Let a task wait for a slot that had one."""
        if not self.queue.left:
            self.asked = now
        self.queue.put_back(task)

    def is_full(self, node: int) -> bool:
        """Tell whether a node, or all of them, run as many of the tasks as they may at once."""
        at_once, width = self.stage.at_once, self.stage.width
        return (at_once is not None and self.on[node] >= at_once[node]) or (width is not None and self.running >= width)

    def count_rounds(self) -> range:
        """Count the milestones that lie behind; return those that were reached since they were counted last."""
        before, self.rounds = self.rounds, self.ended * ROUNDS // self.stage.tasks
        return range(before + 1, min(self.rounds + 1, ROUNDS))

    def ended_by(self, time: float) -> float:
        """Return when the last task ended, or the time (s) at which the run was ended before it."""
        return self.end if self.fraction == 1 else time


@value(eq=False)
class Trial:
    """One attempt at a task: where it runs since when (s), and the resource that will hold what it leaves, if any.

    A copy began beside another attempt.
    """

    run: StageRun
    task: int
    node: int
    output: int | None
    began: float
    is_copy: bool


class UnderWay:
    """A task that runs on a node since a time (s), and what its end calls: made once for all that follow each other."""

    __slots__ = ("began", "end", "node", "run", "task")
    run: StageRun
    task: int
    node: int
    began: float

    def __init__(self, on_end: Callable[[UnderWay], None]) -> None:
        self.end = partial(on_end, self)


class Window(NamedTuple):
    """A time (s) in which one stage decides the end of its job."""

    stage: StageRun
    start: float
    end: float

    @property
    def held_up(self) -> dict[str, float]:
        """The seconds, summed over its works, in which each limit held the stage up within this time."""
        marks = self.stage.marks
        return limits(marks.get(self.end, NOTHING), marks.get(self.start, NOTHING))

    @property
    def parts(self) -> Iterator[Window]:
        """The times between moments at which it was noted what had held the stage up; in each something had."""
        start = self.start
        for end in (*sorted(time for time in self.stage.marks if start < time < self.end), self.end):
            part = Window(self.stage, start, end)
            if end == self.end or any(part.held_up.values()):
                yield part
                start = end


def deciding(stages: Sequence[StageRun], now: float) -> Iterator[Window]:
    """Yield the critical path of a job that has come to `now`, the last window first.

    The stage that ends last decides since the last end of those that it waits for, that one before, and so on. A stage
    that begins while the one that opens it still runs decides nothing sooner than that. While it waited for slots that
    a stage beside it held, that one decided.
    """
    known = {run.stage.name: run for run in stages if run.open}
    run = max(known.values(), key=lambda stage_run: stage_run.ended_by(now), default=None)
    end = run.ended_by(now) if run else 0.0
    while run is not None:
        names = dict.fromkeys((*run.stage.inputs, *run.follows))
        before = [known[name] for name in names if name in known and run.start < known[name].ended_by(now) < end]
        last = max(before, key=lambda stage_run: stage_run.ended_by(now), default=None)
        start = last.ended_by(now) if last else run.start
        if (began := run.began) is not None and start < began < end:
            beside = (other for other in known.values() if other.held_slots_of(run, now) and other.ended_by(now) <= end)
            if holder := max(beside, key=lambda stage_run: stage_run.ended_by(now), default=None):
                yield Window(run, began, end)
                run, end = holder, began
                continue
        yield Window(run, start, end)
        opened_by = (known[name] for name in run.follows if name in known)
        run, end = last or max(opened_by, key=lambda stage_run: stage_run.ended_by(now), default=None), start


SHOWS = 0.1
"""The part of a stage's tasks after which it shows how long each takes to simulate. Assumption: what all began with is
behind them then."""


def shown(stages: Sequence[StageRun]) -> int:
    """Return the tasks of those stages that show how long each of theirs takes to simulate."""
    return sum(run.stage.tasks for run in stages if run.ended >= SHOWS * run.stage.tasks)


def decided(stages: Sequence[StageRun], now: float) -> Iterator[float]:
    """Yield the seconds in which each stage decides the end of a job that has come to `now`."""
    turns = {turn.stage.stage.name: turn.end - turn.start for turn in deciding(stages, now)}
    yield from (turns.get(run.stage.name, 0.0) for run in stages)
