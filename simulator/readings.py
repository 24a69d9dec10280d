"""From the books of a run to its answer: how busy each resource was, what a plan's metrics say, what comes next."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from models.hardware.cluster import Layout
from models.hardware.server import EXPONENT
from models.plan import Plan
from models.rebalance import THROTTLE
from models.values import value
from models.work import Account, Metric, Resource, Resources
from simulator.fluid.recorder import Books, HeldUp
from simulator.limits import limits, named
from simulator.result import Bottleneck, GroupResult, ResourceResult


def metrics_of(plan: Plan) -> dict[str, Metric]:
    """Return what a run is measured by: its plan says so, and the requests to rented stores count as well."""
    return {**plan.metrics, **asked_of(plan)}


def asked_of(plan: Plan) -> dict[str, Metric]:
    """Return what a run asks of rented stores: requests by their kind, and bytes out of them; empty without any."""
    known = plan.layout.resources
    rented = [known[i] for i in range(len(known)) if known[i].kind == "requests"]
    if not rented:
        return {}
    asked = {
        f"{resource.name.rsplit('/')[-1].removesuffix('-requests').upper()} requests": Metric("1", _taken(resource))
        for resource in rented
    }
    read = [resource for resource in rented if resource.name.endswith("get-requests")]
    return {**asked, "egress": Metric("B", lambda account: sum(map(account.bytes, read)))}


def _taken(resource: Resource) -> Callable[[Account], float]:
    return lambda account: account.used(resource)


@value()
class PlanAccount:
    """The books as a workload's metrics read them; what is simulated is one of so many parts that are `alike`."""

    duration: float
    books: Books
    ends: dict[str, float]
    tasks: dict[str, list[float]]
    alike: float = 1

    def bytes(self, resource: Resource) -> float:
        """Return the bytes that moved over a resource."""
        return float(self.books.bytes[resource.index]) * self.alike

    def used(self, resource: Resource) -> float:
        """Return what was taken of a resource, in its unit."""
        return float(self.books.used[resource.index]) * self.alike

    def ended(self, stage: str) -> float:
        """Return the moment (s) at which a stage ended."""
        return self.ends[stage]

    def times(self, stage: str) -> Sequence[float]:
        """Return the seconds that each task of a stage took."""
        return self.tasks[stage]


@value()
class OwnAccount:
    """What is known of one run beside others: its time, and not what it used of resources that all of them use."""

    class Shared(Exception):  # noqa: N818 - says what it is
        """What was asked for is not known of one run alone."""

    duration: float
    ends: dict[str, float]
    tasks: dict[str, list[float]]

    def bytes(self, resource: Resource) -> float:
        """Raise `Shared`: others move bytes there, too."""
        raise self.Shared

    def used(self, resource: Resource) -> float:
        """Raise `Shared`: others use it, too."""
        raise self.Shared

    def ended(self, stage: str) -> float:
        """Return when a stage ended, after the start of the run (s)."""
        return self.ends[stage]

    def times(self, stage: str) -> Sequence[float]:
        """Return the seconds that each task of a stage took."""
        return self.tasks[stage]


def resources_of(known: Resources, books: Books) -> tuple[ResourceResult, ...]:
    """Return how busy each resource was."""
    columns = zip(books.mean.tolist(), books.peak.tolist(), books.bytes.tolist(), books.utilization, strict=True)
    return tuple(
        ResourceResult(
            name=known[i].name,
            kind=known[i].kind,
            group=known[i].group,
            utilization_mean=mean,
            utilization_peak=peak,
            bytes=moved,
            utilization=series,
        )
        for i, (mean, peak, moved, series) in enumerate(columns)
    )


def groups_of(layout: Layout, books: Books, resources: Sequence[ResourceResult]) -> tuple[GroupResult, ...]:
    """Return how busy like resources were, taken together."""
    known = layout.resources
    return tuple(
        GroupResult(
            group=group,
            kind=known[rows[0]].kind,
            count=layout.all_of(known[rows[0]], len(rows)),
            utilization_mean=float(np.mean([resources[i].utilization_mean for i in rows])),
            utilization_peak=float(np.max(np.mean([books.utilization[i] for i in rows], axis=0), initial=0.0)),
            bytes=float(sum(resources[i].bytes for i in rows)) * layout.alike,
            bound=float(sum(books.used[rows]) / sum(max(known[i].capacity) for i in rows)),
            swollen_mean=float(np.mean([swollen(resources[i]) for i in rows])),
        )
        for group, rows in members_of(known).items()
    )


def swollen(resource: ResourceResult) -> float:
    """Return the mean over time of a utilization to the power by which processors draw power."""
    series = resource.utilization
    mean = float(series.mean()) if len(series) else 0.0
    if not mean:  # busy for no time that a bin shows
        return 0.0
    return float(np.mean(series**EXPONENT)) * resource.utilization_mean / mean


def members_of(known: Resources) -> dict[str, list[int]]:
    """Return the numbers of the resources of each group."""
    members: dict[str, list[int]] = {}
    for i in range(len(known)):
        members.setdefault(known[i].group, []).append(i)
    return members


class Busy:
    """How busy groups of resources are over time; of `shared` ones some members can be idle while others are busy."""

    def __init__(self, known: Resources, books: Books) -> None:
        members = members_of(known)
        self.shared = frozenset(group for group, rows in members.items() if len(rows) > 1)
        self._series = {group: books.utilization[rows].mean(axis=0) for group, rows in members.items()}
        self._width = books.bin_width

    def between(self, start: float, end: float) -> dict[str, float]:
        """Return how busy each group can have been from one moment to another (s), 0 to 1.

        What it did in the bins that begin or end outside may all have been done within.
        """
        if end <= start:
            return {}
        first, last = math.floor(start / self._width), math.ceil(end / self._width)
        seconds = {group: float(shares[first:last].sum()) * self._width for group, shares in self._series.items()}
        return {group: min(busy / (end - start), 1.0) for group, busy in seconds.items()}

    def held_up(self, held: HeldUp, start: float, end: float) -> dict[str, float]:
        """Return the seconds of each limit of what was held up from one moment to another, as `named` names it."""
        return named(limits(held), self.between(start, end), self.shared)


def next_of(groups: Sequence[GroupResult], bottleneck: Bottleneck | None, duration: float) -> Bottleneck | None:
    """Return the group with the next highest bound: what would hold the run up if the bottleneck were gone.

    The throttles of a rebalance hold up nobody else.
    """
    held = [group for group in groups if group.kind != THROTTLE]
    others = [group for group in held if bottleneck is None or group.group != bottleneck.resource]
    if not others or not duration:
        return None
    group = max(others, key=lambda other: other.bound)
    return Bottleneck(group.group, group.bound / duration)
