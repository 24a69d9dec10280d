"""Queues that give containers to the workloads that run beside each other, in the terms of YARN.

A container of a workload takes the part of its server that the workload's framework says: with four of them on a
server, a quarter. Whoever has tasks that wait is asked in the order of the policy, and nobody takes containers from
others; where a job has nothing but reduces while maps of it wait, these make room for them.

- fifo: one workload after the other, as they were submitted;
- fair: the queue that holds the least for its weight, and in it the workload that holds the least for its share;
- capacity: the queue that holds the least for its capacity, none above its maximum.

Source: Apache Hadoop YARN, CapacityScheduler and FairScheduler, both without preemption by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import model_validator

from models.handout import ROUNDING
from models.jobs.schedule import DEFAULT_QUEUE
from models.problem import refusal
from models.quantity import Model, setting

Policy = Literal["fifo", "fair", "capacity"]
"""How queues share the containers."""


class Queue(Model):
    """One queue of a scheduler."""

    capacity: float | None = setting(
        "Part of the containers that is its own under the capacity policy; default: an equal part of what is left.",
        default=None,
        gt=0,
        le=1,
    )
    maximum_capacity: float = setting("Part of the containers that it holds at most.", default=1.0, gt=0, le=1)
    weight: float = setting("Weight under the fair policy.", default=1.0, gt=0)
    maximum_am: float | None = setting(
        "Part of its capacity, or of its share under the fair policy, that application masters hold at most, so that "
        "others wait to begin; one may always (yarn.scheduler.capacity.maximum-am-resource-percent, maxAMShare). "
        "Default: 0.1, under the fair policy 0.5.",
        default=None,
        gt=0,
        le=1,
    )
    order: Literal["fifo", "fair"] = setting(
        "Whether its workloads get containers as they were submitted, or fairly by their share; under the fair policy"
        " all do.",
        default="fifo",
    )


_USUAL = Queue()
MASTERS = {"capacity": 0.1, "fifo": 0.1, "fair": 0.5}
"""Part of a queue that application masters hold at most, as it ships. Source: Apache Hadoop, capacity-scheduler.xml;
FairScheduler, queueMaxAMShareDefault. Assumption: fifo is a CapacityScheduler's, as the FifoScheduler lets masters take
all containers, and then no job ends."""


class Scheduler(Model):
    """Who gets a container that falls free."""

    policy: Policy = setting("How queues share the containers.", default="capacity")
    queues: dict[str, Queue] = setting("Queues by name; default: one, 'default'.", default={})

    @model_validator(mode="after")
    def _is_a_whole(self) -> Scheduler:
        stated = [queue.capacity for queue in self.queues.values() if queue.capacity is not None]
        is_all = len(stated) == len(self.queues)
        if sum(stated) > 1 + ROUNDING or (sum(stated) > 1 - ROUNDING and not is_all):
            raise refusal("queues", f"their capacities are {100 * sum(stated):g} %, with nothing left for the others")
        for name, queue in self.queues.items():
            if queue.capacity is not None and queue.capacity > queue.maximum_capacity:
                raise refusal(f"queues.{name}.maximum_capacity", "must not be below capacity")
        return self

    @property
    def names(self) -> Sequence[str]:
        """The names of the queues."""
        return list(self.queues) or [DEFAULT_QUEUE]

    def queue(self, name: str) -> Queue:
        """Return a queue by its name."""
        return self.queues.get(name, _USUAL)

    def masters(self, name: str) -> float:
        """Return the part of a queue that application masters hold at most."""
        return self.queue(name).maximum_am or MASTERS[self.policy]

    def claim(self, name: str) -> float:
        """Return what a queue has a claim to, relative to the others; one that is not stated, to what these leave."""
        queue = self.queue(name)
        if self.policy == "fair":
            return queue.weight
        stated = [other.capacity for other in self.queues.values() if other.capacity is not None]
        others = len(self.names) - len(stated)
        return queue.capacity if queue.capacity is not None else max(1 - sum(stated), 0.0) / max(others, 1)
