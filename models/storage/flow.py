"""A flow: what a stream of bytes uses per byte, how fast one stream can go, and how long its first byte takes."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence as Series
from dataclasses import replace
from functools import cached_property

from models.columns import Columns
from models.distributions import EVEN, Spread
from models.hardware.cluster import Node
from models.outage import Outage
from models.values import value
from models.work import Delay, Demand, Failover, Hold, Parallel, Pool, Resource, Sequence, Step, Use, Work, demand

ONE_CORE = "one core a task"
"""Why a stream is no faster where its task computes on what it moves."""
LISTING = "listing threads of the engine"
"""What limits requests for directories where each of these threads waits for its own."""
SLOTS = "slots of the engine"
"""What limits work whose tasks at once leave most of the processors idle, and requests of which each slot waits for its
own: slots are a share of hardware threads."""


@value(eq=False, slots=False)
class Flow:
    """One stream: `uses` per byte, at most `max_rate` (B/s, for the reason `cap`), first byte after `latency` s.

    Before its bytes come the steps of `opening`; while all of it lasts, it holds a slot of each of the pools `held`.
    Of each byte it stands still for `pause` s: who asks for blocks in turn waits for each of them. Latencies lie around
    their mean by `spread`.

    A flow that stands for several streams at once has their number as its `weight` against others, and one whose task
    computes f times as long on a byte as others a `pace` of 1 / f: cores share out time, not bytes. `again` answers
    with the flow by which the rest goes on when a resource is lost.
    """

    uses: tuple[Use, ...] | Columns = ()
    max_rate: float = math.inf
    cap: str = "one stream"
    latency: float = 0.0
    weight: float = 1.0
    again: Callable[[], Flow] | None = None
    opening: tuple[Step, ...] = ()
    held: tuple[Pool, ...] = ()
    pause: float = 0.0
    spread: Spread = EVEN
    pace: float = 1.0

    @cached_property
    def demand(self) -> Demand:
        """The demand of the flow, made once: it is the same for every file that goes this way."""
        weight = self.weight * self.pace
        if not self.pause:
            return demand(self.uses, max_rate=self.max_rate, weight=weight, cap=self.cap)
        cap = self.cap if self.pause * self.max_rate < 1 else "waiting for each block"
        rate = 1 / (1 / self.max_rate + self.pause)
        return demand(self.uses, max_rate=rate, weight=weight, cap=cap)

    def joined(self, other: Flow) -> Flow:
        """Return both flows as one stream that passes through both: the slower cap holds."""
        slower = self if self.max_rate <= other.max_rate else other
        weight = max(self.weight, other.weight)
        is_steady = self.again is None and other.again is None
        again = None if is_steady else lambda: self.after_loss().joined(other.after_loss())
        return Flow(
            self.uses + other.uses,
            slower.max_rate,
            slower.cap,
            self.latency + other.latency,
            weight,
            again,
            self.opening + other.opening,
            self.held + other.held,
            self.pause + other.pause,
            pace=self.pace * other.pace,
        )

    def in_one_thread(self, other: Flow) -> Flow:
        """Return both as one stream of which one thread does both: where both compute, their times of a byte add up."""
        both = self.joined(other)
        if not self.cap == other.cap == ONE_CORE:
            return both
        again = None if both.again is None else lambda: self.after_loss().in_one_thread(other.after_loss())
        return replace(both, max_rate=1 / (1 / self.max_rate + 1 / other.max_rate), again=again)

    def repeated(self, times: float) -> Flow:
        """Return the flow that stands for as many requests one after the other: each waits for its first byte.

        Steps that come before are those of one.
        """
        if times == 1:
            return self
        flow = self.as_many.get(times)
        if flow is None:
            again = None if self.again is None else lambda: self.after_loss().repeated(times)
            flow = self.as_many[times] = replace(self, latency=self.latency * times, again=again)
        return flow

    def after(self, steps: tuple[Step, ...]) -> Flow:
        """Return the flow with steps that come before its first byte."""
        return replace(self, opening=(*steps, *self.opening)) if steps else self

    def scaled(self, share: float) -> Flow:
        """Return the flow of a stream of which only `share` of the bytes go this way."""
        if share <= 0:
            return Flow()
        uses = tuple(Use(use.resource, use.cost * share, use.bytes * share) for use in self.uses)
        again = None if self.again is None else lambda: self.after_loss().scaled(share)
        return replace(self, uses=uses, max_rate=self.max_rate / share, again=again, pause=self.pause * share)

    def side_by_side(self, streams: int) -> Flow:
        """Return the flow of so many such streams together."""
        if streams == 1:
            return self
        again = None if self.again is None else lambda: self.after_loss().side_by_side(streams)
        return replace(
            self,
            max_rate=self.max_rate * streams,
            weight=self.weight * streams,
            pause=self.pause / streams,
            again=again,
        )

    def move(self, amount: float) -> Step:
        """Return the step that moves `amount` bytes; where nothing limits the flow, they move at once."""
        if not self.uses and math.isinf(self.max_rate) and not self.pause:
            return Delay(self.latency)
        step: Step = Work(amount, self.demand) if self.again is None else self._failover(amount, self.again)
        before = (*((Delay(self.latency),) if self.latency else ()), *self.opening)
        if before:
            step = Sequence((*before, step))
        for pool in self.held:
            step = Hold(pool, 1, step)
        return step

    def step(self, amount: float, own: Flow) -> Step:
        """Return the step that moves `amount` bytes while a task spends `own` on each, made once for a flow."""
        step = self.made.get((own, amount))
        if step is None:
            step = self.made[own, amount] = self.joined(own).move(amount)
        return step

    @cached_property
    def as_many(self) -> dict[float, Flow]:
        """Flows that stand for several requests of this one, by their number, each made once: so is its demand."""
        return {}

    @cached_property
    def made(self) -> dict[Hashable, Step]:
        """Steps that move bytes this way, each made once by whoever knows it by a key."""
        return {}

    def after_loss(self) -> Flow:
        """Return the flow as it goes after a loss: by another way if it has one."""
        return self if self.again is None else self.again()

    def _failover(self, amount: float, again: Callable[[], Flow]) -> Work:
        return Failover(amount, self.demand, lambda left: again().move(left))


def rerouted(flow: Flow, node: Node, outage: Outage, again: Callable[[], Flow]) -> Flow:
    """Return a flow of a client on `node` which, when a resource of it is lost, goes on as `again` answers."""
    if not outage.may_fail or node.index in outage.nodes:
        return flow
    return replace(flow, again=again)


def compute(node: Node, cost: float, times: float = 1.0) -> Flow:
    """Return the flow of a task that spends `cost` reference core-seconds per byte on at most one core.

    It computes so many `times` as long as others that spend as much.
    """
    cost *= times
    if cost <= 0:
        return Flow()
    return Flow(tuple(node.compute(cost)), node.server.cpu.speed / cost, ONE_CORE, pace=1 / times)


def coded(node: Node, cost: float) -> Flow:
    """Return the flow of a task that spends `cost` reference core-seconds per byte, with AVX2, on erasure coding."""
    return compute(node, cost / node.server.cpu.coding)


def ranged(flow: Flow, size: float) -> Flow:
    """Return the flow of ranges of `size` bytes, of which each takes what comes before its first byte: spread over all.

    How long each waits for that is left to the caller, who knows how many are under way.
    """
    if not flow.opening:
        return flow
    again = None if flow.again is None else lambda: ranged(flow.after_loss(), size)
    before = tuple(use for step in flow.opening for use in _taken(step, 1 / size))
    return replace(flow, uses=flow.uses + before, opening=(), again=again)


def added(uses: Iterable[Use], others: Series[Use], most: float) -> tuple[tuple[Use, ...] | Columns, float]:
    """Return what a byte uses with some others, one use of each resource, and the seconds by which a lone one is later.

    A lone stream goes at `most` (B/s) where resources allow that to a single one.
    """
    alone, together = demand(uses, max_rate=most), demand((*uses, *others), max_rate=most)
    return together.uses, second_of(together) - second_of(alone)


def second_of(asked: Demand) -> float:
    """Return the seconds of a byte of a lone stream."""
    return max([1 / asked.max_rate, *(cost / resource.capacity[0] for resource, cost, _ in asked.uses)])


def _taken(step: Step, share: float) -> Iterator[Use]:
    """Yield what a step takes, for a share of it."""
    match step:
        case Work(amount, asked):
            yield from (Use(use.resource, use.cost * amount * share, use.bytes * amount * share) for use in asked.uses)
        case Sequence(steps) | Parallel(steps):
            for one in steps:
                yield from _taken(one, share)


def spread(flows: Series[Flow], again: Callable[[], Flow] | None = None, known: tuple[Use, ...] | None = None) -> Flow:
    """Return the flow of a stream that takes an equal part of its bytes from each of several ways, one after the other.

    Its latency is left to the caller, who knows how often it asks. `again` answers with the flow after a loss, where
    any of the ways knows another. What it uses may be `known`.
    """
    share = 1 / len(flows)
    uses = known
    if uses is None:
        uses = tuple(Use(use.resource, use.cost * share, use.bytes * share) for flow in flows for use in flow.uses)
    rate = len(flows) / sum(1 / flow.max_rate for flow in flows)
    is_steady = all(flow.again is None for flow in flows)
    return Flow(uses, rate, flows[0].cap, again=None if is_steady else again)


def averaged(flows: Series[Flow], again: Callable[[], Flow]) -> Flow:
    """Return `spread` of flows to all places of a store, added up to one use of each resource.

    Among a hundred servers these are 80,000 uses of 3,000 resources.
    """
    share, costs, bytes, resources = 1 / len(flows), dict[int, float](), dict[int, float](), dict[int, Resource]()
    for flow in flows:
        for resource, cost, moved in flow.uses:
            if cost > 0:
                index = resource.index
                costs[index] = costs[index] + cost * share if index in costs else cost * share
                bytes[index] = bytes[index] + moved * share if index in bytes else moved * share
                resources[index] = resource
    return spread(flows, again, tuple(Use(resources[index], costs[index], bytes[index]) for index in sorted(costs)))
