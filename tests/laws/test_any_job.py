"""What holds for a lone job on any cluster: on random ones, and with `make laws` on all of those that ship, too.

More of anything never makes it slower, a little more work takes a little longer, it is not much slower than what is
busiest needs, or says which serial limit holds it up, and what it names as its limit is one.

Chances are drawn anew with every change: which drive, which slot. So where the first seed breaks a law, the mean over
several decides, less twice its standard error.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from statistics import fmean, stdev

import pytest

from models.jobs.bulk_io import BulkIo
from models.jobs.copy import Copy
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_merge import reduce_merge
from models.scenario import Scenario
from models.work import SETUP
from simulator.limits import queued_at
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.laws.miniatures import Change, changed, miniature, shipped, times
from tests.laws.random_profiles import scenario
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
    "container starts": ("framework.container_start",),
    "process starts": ("tool.process_start",),
}
"""The keys of the workload that state how long a delay takes."""
NUMBERS = range(200) if IS_WHOLE else (2, 4, 18, 20, 21, 23)
JOBS = tuple(name for kind in (MapReduce, Copy, BulkIo) for name in shipped(kind)) if IS_WHOLE else ()
CASES = (*(f"{number}" for number in NUMBERS), *JOBS)
SERVER = "cluster.groups.*.server"
MORE: dict[str, dict[str, Change]] = {
    "twice the memory": {f"{SERVER}.memory.size": times(2)},
    "more dirty room": {f"{SERVER}.memory.dirty_ratio": times(1.5)},
    "twice the drives": {f"{SERVER}.bays.*.count": times(2)},
    "network cards twice as fast": {f"{SERVER}.nic.bandwidth": times(2)},
    "twice the cores": {f"{SERVER}.cpu.{key}": times(2) for key in ("cores", "threads")},
}
INPUT = {f"workload.{key}": times(1.01) for key in ("input", "generated", "size")}
each_case = pytest.mark.parametrize("case", CASES)


@cache
def asked(case: str) -> Scenario:
    return scenario(int(case)) if case.isdigit() else miniature(case)


@cache
def run(case: str) -> Result:
    return simulate(asked(case))


def growth(case: str, changes: dict[str, Change], limit: float) -> float:
    """Return by what part the time changes with some changes; where that is beyond a limit, what is sure over seeds."""
    after = changed(asked(case), changes)
    first = simulate(after).duration / run(case).duration - 1
    if abs(first) <= limit:
        return first
    pairs = [(simulate(asked(case), seed=seed), simulate(after, seed=seed)) for seed in range(SEEDS)]
    gains = [new.duration / old.duration - 1 for old, new in pairs]
    return math.copysign(max(abs(fmean(gains)) - 2 * stdev(gains) / math.sqrt(SEEDS), 0.0), fmean(gains))


IN_STEP = pytest.param(
    *("170", "twice the memory"),
    marks=pytest.mark.xfail(strict=True, reason="2.2 %: no writer waits for drives, so that all reduces end in step"),
)
"""Tasks that nobody holds up end together, and what they use last is idle until the next wave comes to it.

With more memory no reduce of the first wave waits for room in a page cache, all upload at once and end within a second
(within 3.4 s before), and the gateways, whose cards limit the job, are idle for three seconds while the next wave
starts. With cards four times as fast nothing is left of it: -0.3 to 0.1 % over four seeds. That is so in life
(`tests/theory/test_pipelines.py`), and no rule of the model: it is left as it is, and the law as strict.
"""
LAWFUL = [(case, more) for case in CASES for more in MORE if (case, more) != IN_STEP.values]


@pytest.mark.parametrize(("case", "more"), [*LAWFUL, *([IN_STEP] if "170" in CASES else [])])
def test_a_lone_job_is_never_slower_with(case: str, more: str) -> None:
    assert growth(case, MORE[more], SLOWER) <= SLOWER


@each_case
def test_a_hundredth_more_input_changes_the_duration_by_little_or_by_a_wave_that_is_told(case: str) -> None:
    told = [simulate(scenario).warnings for scenario in (asked(case), changed(asked(case), INPUT))]
    is_wave = [any("one more wave" in warning for warning in warnings) for warnings in told]
    assert is_wave[0] != is_wave[1] or abs(growth(case, INPUT, CLIFF)) <= CLIFF


def handled(case: str, reduces: int) -> float:
    """Return the bytes that each of so many reduces takes in, and those that it merges into larger files first."""
    scenario = asked(case)
    job, maps = scenario.workload, run(case).stages[0].tasks
    assert isinstance(job, MapReduce)
    job = job.on(scenario.cluster.groups[job.framework.servers].server)
    framework, amount = job.framework, job.input * job.map_output / reduces
    merge = reduce_merge(
        amount,
        maps,
        framework.reduce_heap * framework.shuffle_memory,
        merge_percent=framework.merge_percent,
        limit=framework.segment_limit,
        kept=framework.reduce_memory,
        factor=framework.sort_factor,
    )
    return amount + merge.merged


@each_case
def test_a_reduce_less_changes_the_duration_by_little_or_spares_a_wave_that_was_told(case: str) -> None:
    """Each of the others then does its part of the one, which of a few is much, and has more files to merge.

    More than `sort_factor` files are merged in passes: of 3 reduces that merge 33 of their 39 files into larger ones
    first, one less leaves 2 that do so with 54 of 58, and take 57 % more through their drives instead of a half.
    """
    many = getattr(asked(case).workload, "reduces", None) or 0
    if many < 2:
        return
    was_told = any("one more wave" in warning for warning in run(case).warnings)
    limit = max(CLIFF, handled(case, many - 1) / handled(case, many) - 1)
    assert was_told or abs(growth(case, {"workload.reduces": lambda count: count - 1}, limit)) <= limit


@each_case
def test_a_job_takes_not_much_longer_than_what_is_busiest_or_names_what_is_serial(case: str) -> None:
    """From one end of a stage to the next, what is busiest has that long at least to work."""
    result = run(case)
    groups = {group.group for group in result.groups}
    named = {result.bottleneck.resource, *(stage.bottleneck.resource for stage in result.stages if stage.bottleneck)}
    begun = min(stage.start for stage in result.stages)
    ends = sorted({begun, *(stage.end for stage in result.stages)})
    spans = list(pairwise(ends))
    least = sum(max(busy(result, group, start, end) for group in groups) * (end - start) for start, end in spans)
    assert ends[-1] - begun <= FAR * least or named - groups


def slowed(limit: str) -> dict[str, Change]:
    """Return the changes that make a limit half as fast, none where it is no resource."""
    if limit == ONE_CORE:
        return {f"{SERVER}.cpu.speed": times(0.5)}
    if limit in DELAYS:
        return {f"workload.{key}": times(2) for key in DELAYS[limit]}
    group, _, what = queued_at(limit).partition("/")
    part = f"cluster.groups.{group}.server"
    if what == "cpu":
        return {f"{part}.cpu.speed": times(0.5)}
    if what.startswith("network"):
        return {f"{part}.nic.bandwidth": times(0.5)}
    bay, _, kind = what.partition(" ")
    rates = {f"{part}.bays.{bay}.drive.{key}": times(0.5) for key in ("read_bandwidth", "write_bandwidth")}
    volumes = {f"{part}.volumes.{bay}.{key}": times(0.5) for key in ("bandwidth", "iops")}
    seeks: dict[str, Change] = {f"{part}.bays.{bay}.drive.seek_time": times(2)}
    return {"drives": rates | seeks, "volume": volumes}.get(kind, {})


@each_case
def test_what_limits_a_job_makes_it_longer_by_its_share_at_half_its_speed(case: str) -> None:
    """A queue at some of a group holds up other tasks than the last, too: it is only known to make a job longer."""
    limit = run(case).bottleneck
    changes = slowed(limit.resource)
    if changes and changed(asked(case), changes) != asked(case):
        is_queue = queued_at(limit.resource) != limit.resource
        assert growth(case, changes, math.inf) >= (0.0 if is_queue else FELT * limit.share)


@each_case
def test_twice_the_cores_change_only_what_is_not_told_to_be_one_core_a_task(case: str) -> None:
    limit = run(case).bottleneck
    rest = SLOWER + (1 - limit.share if limit.resource == ONE_CORE else 1.0)
    assert growth(case, MORE["twice the cores"], rest) >= -rest
