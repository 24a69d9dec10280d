"""When a workload runs beside others, who gives it containers, and what is expected of it.

An entry of `[[workloads]]` is a workload of any kind that has a schedule besides: each kind as a class of its own, made
of the two (`scheduled`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Self

import numpy as np
from pydantic import create_model, model_validator

from models.jobs.workload import EVERY, WorkloadModel
from models.problem import RefusalError, refusal
from models.quantity import Model, Quantity, pieces, quantity, setting
from models.target import Target, target
from models.units import HOUR

HOURS = 24
"""Hours after which the rates of `rate_by_hour` come again."""
DEFAULT_QUEUE = "default"
"""Queue of what names none. Source: Apache Hadoop, YARN CapacityScheduler, root.default."""
_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)

Time = Annotated[Quantity, quantity("s", "Time after the start.", ge=0)]


class Schedule(Model):
    """What a workload states that runs beside others, with the keys of its kind. Times count from the common start."""

    name: str = setting("Name of the workload, once among those of the profile.")
    start: Quantity = quantity("s", "When it runs, or runs first.", default=0.0, ge=0)
    every: Quantity | None = EVERY
    arrivals: tuple[Time, ...] = setting("Times at which it runs, in place of start.", default=())
    arrival_rate: Quantity | None = quantity(
        "1/s", "Runs that come at random (Poisson), from start on; state `until`, too.", default=None, gt=0
    )
    until: Quantity | None = quantity("s", "No run begins from this time on.", default=None, gt=0)
    queue: str | None = setting(
        "Queue that gives it containers; default: 'default' for what runs in containers of a framework, none for tools"
        " that run beside it.",
        default=None,
    )
    share: float = setting("Weight among the workloads of a queue that shares fairly.", default=1.0, gt=0)
    throttle: Quantity | None = quantity(
        "B/s",
        "Bytes a second that all its tasks together read and write at most; those of a copy count once.",
        default=None,
        gt=0,
    )
    finish_by: Quantity | None = quantity(
        "s", "When its first run has to have ended; later ones are due as much later as they begin.", default=None, gt=0
    )
    objectives: tuple[str, ...] = setting(
        "What is expected of each run, or of its requests.", default=(), examples=["p99 <= 50 ms"]
    )
    while_others_run: bool = setting(
        "Whether a load of requests goes on until the last run of the jobs beside it has ended, in place of its"
        " duration or count, one with `rate_by_hour` for a day at least; without jobs these hold.",
        default=False,
    )
    rate_by_hour: tuple[Annotated[float, setting("Part of `rate`.", ge=0)], ...] = setting(
        "Rate of a load of requests in each of the 24 hours from the start on, and again, as a part of `rate`.",
        default=(),
    )

    @model_validator(mode="after")
    def _schedule_fits(self) -> Schedule:
        if not _NAME.fullmatch(self.name):
            raise refusal("name", "expected letters, digits, - and _, a letter first", value=self.name)
        ways = [key for key in ("every", "arrivals", "arrival_rate") if getattr(self, key) not in (None, ())]
        if len(ways) > 1:
            raise refusal(ways[1], f"goes not with {ways[0]}", f"state one of {' and '.join(ways)}")
        if ways and ways[0] != "arrivals" and self.until is None:
            raise refusal("until", f"missing: with {ways[0]} the runs have no end", 'for example until = "24 h"')
        if self.finish_by is not None and self.finish_by <= min(self.arrivals or (self.start,)):
            raise refusal("finish_by", "must come after the start", value=f"{self.finish_by:g} s")
        if self.throttle is not None and "mix" in type(self).model_fields:
            raise refusal("throttle", "requests come at the rate of their clients", "lower rate or threads instead")
        if self.while_others_run:
            self._goes_on(ways)
        self._rates_fit()
        self._objectives_fit()
        return self

    def _goes_on(self, ways: list[str]) -> None:
        if "mix" not in type(self).model_fields:
            raise refusal("while_others_run", "only a load of requests goes on while others run", "remove it")
        for key in (*ways, *(["start"] if self.start else [])):
            raise refusal(
                key, "goes not with while_others_run, which goes on from the common start", "remove one of them"
            )

    def _rates_fit(self) -> None:
        if not self.rate_by_hour:
            return
        if getattr(self, "rate", None) is None:
            raise refusal("rate_by_hour", "only a load of requests with a `rate` has one that varies")
        if len(self.rate_by_hour) != HOURS or not any(self.rate_by_hour):
            raise refusal("rate_by_hour", f"expected {HOURS} numbers, not all 0", value=len(self.rate_by_hour))

    def _objectives_fit(self) -> None:
        for i, text in enumerate(self.objectives):
            try:
                target(text)
            except RefusalError as error:
                raise refusal(f"objectives.{i}", f"{error}") from None

    def targets(self) -> tuple[Target, ...]:
        """Return the objectives as targets."""
        return tuple(map(target, self.objectives))

    def starts(self, rng: np.random.Generator) -> tuple[float, ...]:
        """Return when it runs (s), in order; arrivals at random are drawn from `rng`."""
        until = math.inf if self.until is None else self.until
        if self.arrivals:
            starts = sorted(self.arrivals)
        elif self.arrival_rate is not None:
            pieces(until - self.start, 1 / self.arrival_rate, f"workloads.{self.name}.arrival_rate")
            starts = list(_random(self.start, self.arrival_rate, until, rng))
        elif self.every is not None:
            runs = pieces(until - self.start, self.every, f"workloads.{self.name}.until")
            starts = [self.start + i * self.every for i in range(runs)]
        else:
            starts = [self.start]
        return tuple(time for time in starts if time < until)

    def due(self, start: float, first: float) -> float:
        """Return when a run has to have ended that begins at `start`, the first one at `first` (s)."""
        return math.inf if self.finish_by is None else self.finish_by + start - first

    def rate_at(self, time: float) -> float:
        """Return the part of its rate at which requests come at a time (s)."""
        return self.rate_by_hour[int(time // HOUR) % HOURS] if self.rate_by_hour else 1.0


def _random(start: float, rate: float, until: float, rng: np.random.Generator) -> Iterator[float]:
    time = start + float(rng.exponential(1 / rate))
    while time < until:
        yield time
        time += float(rng.exponential(1 / rate))


class Scheduled(Schedule, WorkloadModel):
    """A workload with a schedule, of whatever kind."""

    def once(self) -> Self:
        """Return what it does, whenever it runs and by whatever name: those that do the same are equal."""
        plan = {key: key_field.default for key, key_field in Schedule.model_fields.items() if key != "throttle"}
        return self.model_copy(update=plan | {"name": ""})

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how pickle makes it again, where its class may not be made yet."""
        return _unpickled, (type(self).__bases__[0],), self.__getstate__()


def _unpickled(kind: type[WorkloadModel]) -> Scheduled:
    made: type[Scheduled] = scheduled(kind)
    return made.__new__(made)


@cache
def scheduled(kind: type[WorkloadModel]) -> Any:
    """Return the class of workloads of a kind that have a schedule."""
    made = create_model(f"Scheduled{kind.__name__}", __base__=(kind, Scheduled), __module__=kind.__module__)
    made.__doc__ = kind.__doc__
    return made


def as_entry(workload: WorkloadModel, name: str) -> Scheduled:
    """Return a workload as one of many, of that name, which comes once, at the start."""
    stated = {key: getattr(workload, key) for key in type(workload).model_fields if key != "every"}
    entry: Scheduled = scheduled(type(workload)).model_construct(**stated, name=name)
    return entry
