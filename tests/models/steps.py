"""What a step comes to: its works, and the bytes and costs that they take from resources, summed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from models.work import Await, Delay, Hold, Parallel, Pieces, Resource, Sequence, Step, Use, Work, WriteBehind

S = TypeVar("S", Work, Delay, Sequence, Parallel, Hold, WriteBehind, Await)
Label = Callable[[Resource], str]


@dataclass(frozen=True)
class At:
    """A moment at which the same part of the tasks of each stage has ended."""

    part: float

    def finished(self, stage: str) -> float:
        return self.part

    def milestone(self, stage: str, after: float = 1.0) -> str:
        return stage


def kind(resource: Resource) -> str:
    return resource.kind


def name(resource: Resource) -> str:
    return resource.name


def owner(resource: Resource) -> str:
    return resource.name.partition("/")[0]


def walk(step: Step) -> Iterator[Step]:
    """Yield a step and all that it contains, in order, pieces as what they stand for."""
    yield step
    if isinstance(step, (Sequence, Parallel)):
        for inner in step.steps:
            yield from walk(inner)
    elif isinstance(step, Pieces):
        for _ in range(step.many):
            yield from walk(_sized(step.step, step.size))
    elif isinstance(step, Hold):
        yield from walk(step.step)
    elif isinstance(step, WriteBehind):
        yield from walk(step.drain)


def _sized(step: Step, size: float) -> Step:
    """Return a step of a piece as it is in a size."""
    match step:
        case Work(amount, wanted):
            return Work(size * amount, wanted)
        case WriteBehind(pool, amount, drain):
            return WriteBehind(pool, size * amount, _sized(drain, size))
        case Hold(pool, amount, held):
            return Hold(pool, amount, _sized(held, size))
        case Sequence(steps):
            return Sequence(tuple(_sized(part, size) for part in steps))
    return step


def all_of(step: Step, wanted: type[S]) -> list[S]:
    """Return the steps of one type, in order."""
    return [part for part in walk(step) if isinstance(part, wanted)]


def moved(step: Step, by: Label = kind) -> dict[str, float]:
    """Return the bytes that a step moves over the resources, summed by a label."""
    total: dict[str, float] = defaultdict(float)
    for work in all_of(step, Work):
        for use in work.demand.uses:
            if use.bytes:
                total[by(use.resource)] += work.amount * use.bytes
    return dict(total)


def spent(step: Step, by: Label = kind) -> dict[str, float]:
    """Return what a step takes of the resources in their own units, summed by a label."""
    total: dict[str, float] = defaultdict(float)
    for work in all_of(step, Work):
        for use in work.demand.uses:
            total[by(use.resource)] += work.amount * use.cost
    return dict(total)


def per_byte(uses: Iterable[Use], by: Label = kind) -> dict[str, float]:
    """Return the bytes that one byte of a flow moves over the resources, summed by a label."""
    total: dict[str, float] = defaultdict(float)
    for use in uses:
        if use.bytes:
            total[by(use.resource)] += use.bytes
    return dict(total)


def cost_per_byte(uses: Iterable[Use], by: Label = kind) -> dict[str, float]:
    """Return what one byte of a flow takes of the resources in their own units, summed by a label."""
    total: dict[str, float] = defaultdict(float)
    for use in uses:
        total[by(use.resource)] += use.cost
    return dict(total)


def delays(step: Step) -> float:
    """Return the seconds of all delays of a step together."""
    return sum(delay.seconds for delay in all_of(step, Delay))
