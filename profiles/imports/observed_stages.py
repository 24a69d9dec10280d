"""Stages as histories of frameworks tell them: tasks gathered in constant memory, and written as observed work.

A stage keeps a sketch of its tasks: alike ones are added up, more coarsely in the middle than at the slow end, so that
sums stay exact and skew stays visible whatever the number of tasks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from profiles.imports.finding import Finding, Workload

NUMBERS = ("cpu", "collection", "wait", "stalled", "late", "input", "fetched", "handed_on", "spilled", "output")
"""What a portion of tasks states; the first five in seconds, the others in bytes. Source: models.jobs.observed."""
_SECONDS = 5
_MOST = 256
"""Groups of tasks that a stage keeps on its way. Assumption: memory; a group has less than 2 % of the tasks then."""
_PORTIONS = 12
"""Portions of a stage at most. Assumption: tasks of one are then within a few percent of each other, or few."""
_SETTLED = 2 * _PORTIONS
"""Groups of a stage that are kept once it has ended."""
_ALIKE = 1.25
"""Time of a slower task over that of a faster one up to which both are alike. Assumption."""

LEAST_RATE = 1e6
"""B/s that any storage system or exchange gives a task: what takes longer waits for something else, such as code.
Assumption: 0.3 to 3 MB/s; a hard drive gives each of fifty streams 2 MB/s."""


def divided(
    seconds: float, run: float, cpu: float, collection: float, fetching: float, moved: Sequence[float]
) -> tuple[tuple[float, ...], float]:
    """Return what a task did, in the order of NUMBERS, and the seconds that nothing explains.

    Of its `seconds` it ran for `run`. `moved` are the bytes of NUMBERS. Of a task that reads or writes the storage
    system, what its run holds beyond computing is left to the storage, and `fetching` to the exchange, as far as their
    bytes at `LEAST_RATE` explain it; the rest, and that of another task, is a wait of its own.
    """
    cpu = min(cpu, seconds)
    collection = min(collection, seconds - cpu)
    left = max(seconds - cpu - collection - min(fetching, moved[1] / LEAST_RATE), 0.0)
    outside = max(seconds - run, 0.0)
    stored = min(max(left - outside, 0.0), (moved[0] + moved[-1]) / LEAST_RATE)
    return (cpu, collection, left - stored, stored, 0.0, *moved), max(left - outside, 0.0)


def late(numbers: Sequence[float], seconds: float) -> tuple[float, ...]:
    """Return what a task did whose executor came so many seconds after the first task of the stage had begun."""
    place = NUMBERS.index("late")
    return (*numbers[:place], seconds, *numbers[place + 1 :])


@dataclass(slots=True)
class Tasks:
    """The tasks of a stage, as groups `[seconds a task, tasks, sum of their starts, sums of NUMBERS ...]`.

    Seconds are those from when a task could have had a slot, had its executor been there, to its end.
    """

    groups: list[list[float]] = field(default_factory=list)

    def add(self, start: float, seconds: float, numbers: Sequence[float], count: int = 1) -> None:
        """Count so many tasks, each of which started then, took so long and did so much."""
        self.groups.append([seconds, count, count * start, *(count * number for number in numbers)])
        if len(self.groups) > 2 * _MOST:
            self.groups = _merged(self.groups, _steps(_MOST))

    @property
    def count(self) -> int:
        """Tasks."""
        return round(sum(group[1] for group in self.groups))

    @property
    def seconds(self) -> float:
        """Seconds of all tasks."""
        return sum(group[0] * group[1] for group in self.groups)

    def total(self, name: str) -> float:
        """Return the sum of a number over all tasks."""
        place = 3 + NUMBERS.index(name)
        return sum(group[place] for group in self.groups)

    def settle(self) -> None:
        """Keep less of the tasks, where no more of them are to come; portions stay what they would have been."""
        made = sorted(self.groups)
        self.groups = [*_nearest_joined(made[:-1], _SETTLED), *made[-1:]]

    def portions(self) -> list[list[float]]:
        """Return few groups, the slowest task in one of its own, with means of a task in place of sums."""
        made = sorted(self.groups)
        slowest = made.pop() if len(made) > 1 and made[-1][1] == 1 else None
        made = _nearest_joined(made, _PORTIONS, _ALIKE)
        if slowest is not None:
            is_alike = slowest[0] <= _ALIKE * made[-1][0]
            made[-1:] = [_sum(made[-1], slowest)] if is_alike else [made[-1], slowest]
        return [[seconds, count, *(value / count for value in sums)] for seconds, count, *sums in made]


def _steps(count: int) -> tuple[float, ...]:
    """Return parts of the tasks at which groups end, ever closer together towards the slow end."""
    return tuple(1 - (1 - step / count) ** 2 for step in range(1, count))


def _merged(groups: Iterable[list[float]], bounds: Sequence[float]) -> list[list[float]]:
    """Return groups by ascending seconds, those together that end before the same of the bounds."""
    ordered = sorted(groups)
    total = sum(group[1] for group in ordered)
    merged: list[list[float]] = []
    before, place, last = 0.0, 0, -1
    for group in ordered:
        middle = (before + group[1] / 2) / total
        before += group[1]
        while place < len(bounds) and middle > bounds[place]:
            place += 1
        if place == last:
            merged[-1] = _sum(merged[-1], group)
        else:
            merged.append(group)
            last = place
    return merged


def _nearest_joined(groups: list[list[float]], most: int, alike: float = 0.0) -> list[list[float]]:
    """Return ordered groups, those that lose least as one together, until there are no more than `most`.

    After that only those are joined of which one takes up to `alike` times as long as the other.
    """
    made = list(groups)
    losses = [_loss(one, other) for one, other in pairwise(made)]
    while losses:
        place = losses.index(min(losses))
        if len(made) <= most and made[place + 1][0] > alike * made[place][0]:
            break
        made[place : place + 2] = [_sum(made[place], made[place + 1])]
        near = range(max(place - 1, 0), min(place + 1, len(made) - 1))
        losses[max(place - 1, 0) : place + 2] = [_loss(made[one], made[one + 1]) for one in near]
    return made


def _loss(one: Sequence[float], other: Sequence[float]) -> float:
    """Return by how much the squares of differences of seconds grow where two groups are one. Source: Ward, 1963."""
    return one[1] * other[1] / (one[1] + other[1]) * (other[0] - one[0]) ** 2


def _sum(one: Sequence[float], other: Sequence[float]) -> list[float]:
    count = one[1] + other[1]
    seconds = (one[0] * one[1] + other[0] * other[1]) / count
    return [seconds, count, *(a + b for a, b in zip(one[2:], other[2:], strict=True))]


@dataclass(slots=True)
class Stage:
    """A stage on its way: when it was submitted, launched its first task and ended, in seconds since 1970.

    `count` is what the history says of the number of its tasks, `running` how many run at the place where it is read,
    `most` how many ran at once, `executors` where; `line` is where it says that the stage has ended.
    """

    name: str
    query: str = ""
    submitted: float | None = None
    launched: float | None = None
    last_launched: float = 0.0
    finished: float | None = None
    ended: float | None = None
    count: int = 0
    running: int = 0
    most: int | None = None
    line: int | None = None
    executors: set[str] = field(default_factory=set)
    tasks: Tasks = field(default_factory=Tasks)

    def add(self, launched: float, finished: float, numbers: Sequence[float], after: float = 0.0) -> None:
        """Count a task, whose executor came so many seconds after the first task."""
        self.launched = launched if self.launched is None else min(self.launched, launched)
        self.finished = finished if self.finished is None else max(self.finished, finished)
        self.last_launched = max(self.last_launched, launched)
        if after > 0:
            numbers = late(numbers, after)
        self.tasks.add(launched, finished - launched + after, numbers)

    def turn(self, start: float) -> float:
        """Return the place of a moment between the starts of its first and its last task, 0 to 1."""
        first = self.launched or 0.0
        return min(max((start - first) / max(self.last_launched - first, 1e-3), 0.0), 1.0)

    @property
    def middle(self) -> float:
        """Mean start of its tasks, not before it was submitted."""
        starts = sum(group[2] for group in self.tasks.groups) / max(self.tasks.count, 1)
        return max(starts, self.begin)

    @property
    def begin(self) -> float:
        """When it was submitted, as far as the history tells."""
        known = [time for time in (self.submitted, self.launched) if time is not None]
        return known[0] if known else 0.0

    @property
    def end(self) -> float:
        """When it ended, as far as the history tells."""
        known = [time for time in (self.ended, self.finished) if time is not None]
        return known[0] if known else self.begin


@dataclass(frozen=True, slots=True)
class Placed:
    """A stage among the others: those that it follows, the driver's seconds before it, and its own."""

    stage: Stage
    after: Sequence[str]
    delay: float
    seconds: float


def placed(
    stages: Iterable[Stage], begun: dict[str, float], is_scarce: Callable[[float], bool] = lambda time: False
) -> list[Placed]:
    """Return stages in the order in which they had slots, each after those that had ended when it was submitted.

    Stages that are open side by side take slots by their place in this order: that of the mean starts of their tasks.
    Of the stages before it, one follows the last ones: those that ended after each of them had begun. `begun` says when
    queries began; what lies between the end of one and the beginning of the next is nobody's time. A stage that waits
    for its first slot while no other runs, or where executors were scarce, waits for executors, which is time of the
    driver.
    """
    ordered = sorted(stages, key=lambda stage: (stage.begin, stage.end, stage.name))
    by_end = sorted(ordered, key=lambda stage: stage.end)
    order: list[Placed] = []
    place, latest_begin = 0, 0.0
    for number, stage in enumerate(ordered):
        while place < number and by_end[place].end <= stage.begin and by_end[place] is not stage:
            latest_begin = max(latest_begin, by_end[place].begin)
            place += 1
        last = place
        while last > max(place - _NEAR, 0) and by_end[last - 1].end > latest_begin:
            last -= 1
        before = by_end[last:place]
        ready = max([earlier.end for earlier in before] + [begun.get(stage.query, 0.0)])
        opened = _opened(stage, ordered, number, is_scarce)
        delay = opened - ready if ready > 0 else 0.0
        order.append(Placed(stage, [earlier.name for earlier in before], max(delay, 0.0), stage.end - opened))
    return sorted(order, key=lambda entry: entry.stage.middle)


SLACK = 0.05
"""Part of a core that rounding of times may add. Assumption: clocks count milliseconds."""
_NEAR = 50
"""Stages that may run beside one, or that it follows at once. Assumption: more than schedulers keep open."""


def _opened(stage: Stage, ordered: Sequence[Stage], number: int, is_scarce: Callable[[float], bool]) -> float:
    """Return when a stage could begin: with its first task if it waited for executors until then, else as submitted."""
    if stage.launched is None or stage.tasks.count < stage.count:  # the first of them is not told
        return stage.begin
    first = min(max(stage.launched, stage.begin), stage.end)
    near = (*ordered[max(number - _NEAR, 0) : number], *ordered[number + 1 : number + _NEAR])
    is_alone = all(other.end <= stage.begin or (other.launched or other.begin) >= first for other in near)
    return first if is_alone or is_scarce(stage.begin) else stage.begin


def one_server(stages: Iterable[Stage], finding: Finding) -> None:
    """State one server with as many cores as tasks ran at a time in the busiest stage, where no server is told of."""
    spans = [(stage.tasks.seconds, (stage.finished or 0.0) - (stage.launched or 0.0)) for stage in stages]
    cores = max((math.ceil(seconds / span - SLACK) for seconds, span in spans if span > 0), default=1)
    finding.warn(None, f"no server is told of: one with {cores} cores was taken, which the busiest stage kept busy")
    server = finding.part("server", is_listed=True)
    server.put("cpu.cores", max(cores, 1))
    server.put("cpu.threads", max(cores, 1))


def busy_workers(stages: Iterable[Stage], count: int, finding: Finding) -> None:
    """State so many servers with the cores that the CPU time of stages side by side kept busy at most."""
    changes: list[tuple[float, float]] = []
    for stage in stages:
        begin, end = stage.launched or 0.0, stage.finished or 0.0
        if end > begin:
            rate = stage.tasks.total("cpu") / (end - begin)
            changes += [(begin, rate), (end, -rate)]
    busiest = max(accumulate(change for _, change in sorted(changes)), default=1.0)
    cores = max(math.ceil(busiest / count - SLACK), 1)
    text = f"{count} workers with {cores} cores, which stages side by side kept busy"
    finding.warn(None, f"queries do not tell the cores of workers: {text}; add lscpu -J of one")
    equal_servers(count, cores, finding)


def servers_of(hosts: Mapping[str, int], stages: Iterable[Stage], finding: Finding) -> None:
    """State the hosts, with the cores that they tell, or those that stages kept busy where one of them tells none."""
    if hosts and min(hosts.values()) > 0:
        equal_servers(len(hosts), math.ceil(sum(hosts.values()) / len(hosts)), finding)
    else:
        busy_workers(stages, max(len(hosts), 1), finding)


def equal_servers(count: int, cores: int, finding: Finding) -> None:
    """State so many servers with so many cores each."""
    for number in range(count):
        server = finding.part("server", host=f"server {number}", is_listed=True)
        server.put("cpu.cores", cores)
        server.put("cpu.threads", cores)


@dataclass(slots=True)
class Query:
    """A query of pipelined stages: when it began, in seconds since 1970 or 0, and how long it took as far as told."""

    name: str
    line: int
    begun: float = 0.0
    seconds: float | None = None
    stages: list[Stage] = field(default_factory=list)


def state_queries(queries: Sequence[Query], finding: Finding) -> None:
    """Put queries into one workload; whole ones alone are compared, as pipelined stages wait for each other."""
    work = finding.work("observed", queries[0].line)
    stages = [stage for query in queries for stage in query.stages]
    state(work, placed(stages, {query.name: query.begun for query in queries if query.begun > 0}))
    work.outcomes.clear()
    for query in queries:
        if query.seconds is not None:
            work.outcome(f"query {query.name}", "duration", query.seconds, query.line)


def state(work: Workload, stages: Sequence[Placed], slots: int = 0) -> None:
    """Put stages into a workload, and beside it how long they took.

    Of the slots of all servers a stage may have used fewer.
    """
    for number, entry in enumerate(stages):
        stage, key = entry.stage, f"stages.{number}"
        work.put(f"{key}.name", stage.name, line=stage.line)
        work.put(f"{key}.query", stage.query, line=stage.line)
        if entry.after:
            work.put(f"{key}.after", list(entry.after), line=stage.line)
        if entry.delay > 0:
            work.put(f"{key}.delay", entry.delay, "s", stage.line)
        if stage.most and stage.most < min(slots, stage.count):
            work.put(f"{key}.width", stage.most, line=stage.line)
        scale = stage.count / stage.tasks.count if stage.count > stage.tasks.count else 1.0
        portions = stage.tasks.portions()
        for place, (_, count, start, *values) in enumerate(portions):
            work.put(f"{key}.tasks.{place}.count", max(round(count * scale), 1), line=stage.line)
            if len(portions) > 1:
                work.put(f"{key}.tasks.{place}.turn", round(stage.turn(start), 3), line=stage.line)
            for index, (name, value) in enumerate(zip(NUMBERS, values, strict=True)):
                if value > 0:
                    unit = "s" if index < _SECONDS else "B"
                    work.put(f"{key}.tasks.{place}.{name}", value, unit, stage.line)
        if stage.ended is not None:
            work.outcome(stage.name, "duration", entry.seconds, stage.line)
