"""What holds for a lone job on any cluster, whatever it is and wherever it runs.

More of anything never makes it slower, a little more work takes a little longer, it is not much slower than what is
busiest needs, or says which serial limit holds it up, and what it names as its limit is one.

Chances are drawn anew with every change: which drive, which slot. So where the first seed breaks a law, the mean over
several decides, less twice its standard error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import fmean, stdev

from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_parts import part
from models.scenario import Scenario
from models.work import SETUP
from simulator.limits import queued_at
from simulator.result import Result
from simulator.run import simulate
from tests.laws.miniatures import Change, changed, times
from tests.laws.test_bottlenecks import busy

SLOWER = 0.02
"""Part by which a job may be slower with more of anything."""
CLIFF = 0.05
"""Part by which a hundredth more input, or a reduce less, may change a duration, but for a whole wave."""
FAR = 2.5
"""How many times as long as its busiest resources need a job may take without naming a serial limit."""
FELT = 0.5
"""Part of the time for which a limit is named that it must add, at least, at half its speed."""
SEEDS = 8
ONE_CORE = "one core a task"
DELAYS = {
    SETUP: ("framework.job_start", "tool.job_start", "process_start"),
    "container starts": ("framework.container_start", "framework.heartbeat"),  # each waits for one
    "process starts": ("tool.process_start", "tool.staging.start"),
}
"""The keys of the workload that state how long a delay takes."""
PARTS: dict[str, dict[str, Change]] = {
    "core": {"cpu.speed": times(0.5)},
    "network card": {f"nic.{key}": times(0.5) for key in ("bandwidth", "baseline")},
    "drive": {
        **{
            f"bays.*.drive.{key}": times(0.5)
            for key in ("read_bandwidth", "write_bandwidth", "read_iops", "write_iops")
        },
        **{f"bays.*.drive.{key}": times(2) for key in ("seek_time", "read_latency", "write_latency")},
    },
}
"""What makes a part of a server half as fast, by the word for it in limits of one a request."""
ONE = re.compile(r"one (.*) a \w+")
KINDS = ("cluster.groups.*.server", "cluster.groups.*.later.*.server")
INPUT = {f"workload.{key}": times(1.01) for key in ("input", "generated", "size")}


def on_all(changes: Mapping[str, Change]) -> dict[str, Change]:
    """Return changes of servers, by what stands below them, as those of all kinds of servers of all groups."""
    return {f"{server}.{key}": change for server in KINDS for key, change in changes.items()}


CORES = "twice the cores"
MORE = {
    "twice the memory": on_all({"memory.size": times(2)}),
    "more dirty room": on_all({"memory.dirty_ratio": times(1.5)}),
    "twice the drives": on_all({"bays.*.count": times(2)}),
    "network cards twice as fast": on_all({"nic.bandwidth": times(2)}),
    CORES: on_all({f"cpu.{key}": times(2) for key in ("cores", "threads")}),
}


@dataclass
class Lone:
    """A job, and how it goes as it is and with changes."""

    scenario: Scenario

    @cached_property
    def result(self) -> Result:
        return simulate(self.scenario)

    def growth(self, changes: Mapping[str, Change], limit: float) -> float:
        """Return by what part the time changes; where that is beyond a limit, what is sure over seeds."""
        after = changed(self.scenario, changes)
        first = time_taken(simulate(after)) / time_taken(self.result) - 1
        if abs(first) <= limit:
            return first
        pairs = [(simulate(self.scenario, seed=seed), simulate(after, seed=seed)) for seed in range(SEEDS)]
        gains = [time_taken(new) / time_taken(old) - 1 for old, new in pairs]
        return math.copysign(max(abs(fmean(gains)) - 2 * stdev(gains) / math.sqrt(SEEDS), 0.0), fmean(gains))

    def is_no_slower(self, changes: Mapping[str, Change]) -> bool:
        """Tell whether it takes no longer with more of something.

        With more cores a slow server is given as many more tasks at once as a fast one, and ends later: so that holds
        where the servers that compute are alike.
        """
        return (changes is MORE[CORES] and not self._are_alike) or self.growth(changes, SLOWER) <= SLOWER

    @property
    def _are_alike(self) -> bool:
        groups = {name: self.scenario.cluster.groups[name] for name in self.scenario.workload.server_groups().values()}
        return len(groups) == 1 and not any(group.later for group in groups.values())

    def grows_by_little(self) -> bool:
        """Tell whether a hundredth more input changes the duration by little, or by a wave that is told."""
        told = [simulate(one).warnings for one in (self.scenario, changed(self.scenario, INPUT))]
        is_wave = [any("one more wave" in warning for warning in warnings) for warnings in told]
        return is_wave[0] != is_wave[1] or abs(self.growth(INPUT, CLIFF)) <= CLIFF

    def shrinks_by_little(self) -> bool:
        """Tell whether a reduce less changes the duration by little, or spares a wave that was told.

        Each of the others then does its part of the one, which of a few is much, and has more files to merge.
        More than `sort_factor` files are merged in passes: of 3 reduces that merge 33 of their 39 files into larger
        ones first, one less leaves 2 that do so with 54 of 58, and take 57 % more through their drives, not a half.
        """
        many = getattr(self.scenario.workload, "reduces", None) or 0
        if many < 2:
            return True
        was_told = any("one more wave" in warning for warning in self.result.warnings)
        limit = max(CLIFF, self._handled(many - 1) / self._handled(many) - 1)
        return was_told or abs(self.growth({"workload.reduces": lambda count: count - 1}, limit)) <= limit

    def _handled(self, reduces: int) -> float:
        """Return the bytes that each of so many reduces takes in, and those that it merges into larger files first."""
        job, maps = self.scenario.workload, self.result.stages[0].tasks
        assert isinstance(job, MapReduce)
        job = job.on(self.scenario.cluster.groups[job.framework.servers].server)
        one = part(job, maps, reduces, share=1.0)
        return one.fetched + one.merge.merged

    def is_near_its_bound(self) -> bool:
        """Tell whether it takes not much longer than what is busiest needs, or names what is serial.

        From one end of a stage to the next, what is busiest has that long at least to work.
        """
        result = self.result
        groups = {group.group for group in result.groups}
        told = (result.bottleneck, *(stage.bottleneck for stage in result.stages))
        limits = {limit.resource for limit in told if limit is not None}
        begun = min(stage.start for stage in result.stages)
        ends = sorted({begun, *(stage.end for stage in result.stages)})
        spans = list(pairwise(ends))
        least = sum(max(busy(result, group, start, end) for group in groups) * (end - start) for start, end in spans)
        return ends[-1] - begun <= FAR * least or bool(limits - groups)

    def is_limited_as_it_says(self) -> bool:
        """Tell whether what limits it makes it longer by its share at half the speed.

        A queue at some of a group holds up other tasks than the last, too: it is only known to make a job longer.
        """
        limit = self.result.bottleneck
        changes = slowed(limit.resource)
        if not changes or changed(self.scenario, changes) == self.scenario:
            return True
        is_queue = queued_at(limit.resource) != limit.resource
        return self.growth(changes, math.inf) >= (0.0 if is_queue else FELT * limit.share)

    def gains_of_cores_as_it_says(self) -> bool:
        """Tell whether twice the cores change only what is not told to be one core a task."""
        limit = self.result.bottleneck
        rest = SLOWER + (1 - limit.share if limit.resource == ONE_CORE else 1.0)
        return self.growth(MORE[CORES], rest) >= -rest


def time_taken(result: Result) -> float:
    """Return the seconds that a job takes, those per event of a closed loop, and of a load per request."""
    if result.load is not None:
        return 1 / result.load.rate.value
    events, _ = result.metrics.get("events", (1.0, "1"))
    return result.duration / events


def slowed(limit: str) -> dict[str, Change]:
    """Return the changes that make a limit half as fast, none where it is no resource."""
    if limit in DELAYS:
        return {f"workload.{key}": times(2) for key in DELAYS[limit]}
    if (one := ONE.match(limit)) and one[1] in PARTS:
        return on_all(PARTS[one[1]])
    group, _, what = queued_at(limit).partition("/")
    bay, _, kind = what.partition(" ")
    word = {"cpu": "core", "network": "network card"}.get(bay, kind.removesuffix("s"))
    volumes = {f"volumes.{bay}.{key}": times(0.5) for key in ("bandwidth", "iops")}
    parts = {"volume": volumes, **PARTS}.get(word, {})
    return {
        key.replace("groups.*", f"groups.{group}").replace("bays.*", f"bays.{bay}"): change
        for key, change in on_all(parts).items()
    }
