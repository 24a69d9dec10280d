"""What the books of a simulation of many workloads say: how busy everything was, who used it, and what held whom up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from models.work import COMMIT, SETUP
from simulator.limits import added, queued_at
from simulator.readings import Busy, groups_of, resources_of
from simulator.together.loads import of_groups
from simulator.together.run import Pass, Together
from simulator.together.windows import DEGRADED, HEALTHY, Background

Floats = NDArray[np.float64]

CONTAINERS = "containers"
"""What limits a workload while others hold the containers that it waits for."""


class Reading:
    """The books, with what loads of requests had beside the works."""

    def __init__(self, together: Together) -> None:
        self._together = together
        known, works = together.layout.resources, together.engine.close()
        self.bins = works.utilization.shape[1]
        self.middles = np.asarray((np.arange(self.bins) + 0.5) * works.bin_width, np.float64)
        had = np.array([together.parts(time) for time in self.middles.tolist()]).T.reshape(len(known), self.bins)
        capacity = np.array([max(known[i].capacity) for i in range(len(known))])
        self.books = works.beside(had, capacity) if together.loads else works
        self.resources = resources_of(known, self.books)
        self.groups = groups_of(together.layout, self.books, self.resources)
        self.members = together.members
        self._busy = Busy(known, self.books)
        self._works, self._had = works.utilization, had
        together.usage.reach(works.bin_width)
        self._shares = together.usage.shares(self.bins)
        self._streams = together.usage.streams(self.bins)
        self._series_of: dict[str, dict[str, Floats]] = {}

    def background(self) -> Background:
        """Return what works did beside the requests, and the state of the store over time."""
        failed = self._together.faults.spans() if self._together.faults else ()
        states = tuple(
            DEGRADED if any(start <= time < end for start, end in failed) else HEALTHY for time in self.middles
        )
        return Background(self.members, self._works, 1 - self._had, self._streams, self.middles, states)

    def end(self, run: Pass) -> float:
        """Return when a run ended, or the simulation if that came first (s)."""
        return self.books.time if run.end is None else run.end

    def held_up(self, run: Pass) -> list[dict[str, float]]:
        """Return the seconds of each limit of each stage of a run."""
        engine, time = self._together.engine, self.books.time
        return [
            self._busy.held_up(engine.held_up(stage.tag), stage.start, stage.ended_by(time)) for stage in run.run.stages
        ]

    def decided(self, run: Pass) -> dict[str, float]:
        """Return the seconds in which each limit decided the end of a run, from when it came to its commit."""
        end, stages = self.end(run), [stage for stage in run.run.stages if stage.open]
        begun = min((stage.start for stage in stages), default=end)
        last = max((min(stage.ended_by(end), end) for stage in stages), default=end)
        path = run.run.decided(end, self._busy.between, self._busy.shared)
        began = min(run.run.began, end)
        return added([path, {CONTAINERS: began - run.start, SETUP: begun - began, COMMIT: end - last}])

    def used(self, group: str) -> Floats:
        """Return the mean utilization of a group of resources over time."""
        return np.asarray(self.books.utilization[self.members[group]].mean(axis=0))

    def of_works(self, group: str, owner: int) -> Floats:
        """Return the part of a group of resources that the works of an owner use over time."""
        rows = self.members[group]
        used = (self._works[rows] * (1 - self._had[rows])).mean(axis=0)
        return np.asarray(used * self._shares[owner, list(self.members).index(group)])

    def series(self, name: str) -> dict[str, Floats]:
        """Return the part of each group of resources that a workload uses over time, of those that it uses."""
        if name not in self._series_of:
            self._series_of[name] = self._used_by(name)
        return self._series_of[name]

    def _used_by(self, name: str) -> dict[str, Floats]:
        owner = self._together.owners.index(name)
        by_group = {group: self.of_works(group, owner) for group in self.members}
        for load in self._together.loads:
            if load.entry.name == name:
                parts = [of_groups(load, self.members, time) for time in self.middles.tolist()]
                by_group = {group: np.array([part.get(group, 0.0) for part in parts]) for group in self.members}
        return {group: used for group, used in by_group.items() if used.any()}

    def while_running(self, spans: Sequence[tuple[float, float]]) -> Floats:
        """Return the seconds of each bin that lie within some spans of time (s)."""
        edges = np.arange(self.bins + 1) * self.books.bin_width
        seconds = np.zeros(self.bins)
        for start, end in spans:
            seconds += np.clip(np.minimum(edges[1:], end) - np.maximum(edges[:-1], start), 0.0, None)
        return seconds

    def taken_by(self, limit: str, weights: Floats) -> tuple[tuple[str, float], ...]:
        """Return who used a group of resources in bins that count by their weights, the one that used most first."""
        group = queued_at(limit)
        if group not in self.members:
            return ()
        names = self._together.owners
        return ranked({name: float((weights * self.series(name).get(group, np.zeros(1))).sum()) for name in names})


def ranked(amounts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Return the parts of those that have any, the largest first."""
    total = sum(amounts.values())
    parts = [(name, amount / total) for name, amount in amounts.items() if amount > 0]
    return tuple(sorted(parts, key=lambda pair: -pair[1]))
