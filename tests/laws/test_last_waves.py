"""A container more on one server, or a map more, changes a job by little, or by a wave that the slower answer tells.

Little is a few per cent, and for a container what it is of all: tasks that keep all busy take longer by as much.
Where few tasks write to few drives, chance decides which ones meet: then the mean over several seeds decides.
"""

from __future__ import annotations

import math
from functools import cache
from statistics import fmean, stdev

import pytest

from models.jobs.mapreduce import MapReduce
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.laws.lone_jobs import CLIFF, SEEDS
from tests.laws.miniatures import whole
from tests.laws.random_profiles import scenario

CASES = ("2", "12", "13", *(("17",) if IS_WHOLE else ()), "19", "29", "minio-wordcount")
"""Random jobs of 24 containers and more, and one that ships; with `make laws` a larger one as well."""


@cache
def asked(case: str) -> tuple[Scenario, MapReduce]:
    """Return a case and its job."""
    one = scenario(int(case)) if case.isdigit() else whole(case)
    assert isinstance(one.workload, MapReduce)
    return one, one.workload


@cache
def run(case: str, *, has_master: bool = True, more: int = 0, seed: int = 0, spread: float = 0.0) -> Result:
    """Return the run of a job with so many maps more, the container of whose master is left to tasks or not."""
    one, job = asked(case)
    grown = job.grown(1 + more / run(case).stages[0].tasks if more else 1.0)
    memory = job.framework.am_memory if has_master else 0.0
    framework = job.framework.model_copy(update={"am_memory": memory, "compute_spread": spread})
    return simulate(one.model_copy(update={"workload": grown.model_copy(update={"framework": framework})}), seed=seed)


def of_a_container(case: str) -> float:
    """Return how many times as long tasks take with a container less that keep all of them busy."""
    one, job = asked(case)
    group = one.cluster.groups[job.framework.servers]
    containers = group.count * job.framework.on(group.server).containers
    return containers / (containers - 1)


def is_little_or_told(first: Result, other: Result, part: float = 1.0) -> bool:
    """Tell whether two runs take as long but for little and a part, or the longer tells of one more wave."""
    shorter, longer = sorted((first, other), key=lambda result: result.duration)
    told = any("one more wave" in warning for warning in longer.warnings)
    return told or longer.duration <= (1 + CLIFF) * part * shorter.duration


@pytest.mark.parametrize("case", CASES)
def test_a_container_more_on_one_server_changes_a_job_by_little_or_spares_a_wave_that_was_told(case: str) -> None:
    part = of_a_container(case)
    if is_little_or_told(run(case), run(case, has_master=False), part):
        return
    ratios = [run(case, seed=i).duration / run(case, has_master=False, seed=i).duration for i in range(SEEDS)]
    error = stdev(ratios) / math.sqrt(SEEDS)
    assert fmean(ratios) - 2 * error <= (1 + CLIFF) * part
    assert fmean(ratios) + 2 * error >= 1 / (1 + CLIFF)


@pytest.mark.parametrize("case", CASES)
def test_a_map_more_changes_a_job_by_little_or_by_a_wave_that_is_told(case: str) -> None:
    assert is_little_or_told(run(case), run(case, more=1))


def test_the_master_on_one_server_of_twelve_makes_it_run_a_last_wave_alone() -> None:
    """The server that has 71 containers of 72 ends two waves of maps 3.5 s before all others, and takes 71 of 322."""
    job, without = run("minio-wordcount"), run("minio-wordcount", has_master=False)
    assert job.duration > (1 + CLIFF) * without.duration
    assert "one more wave on 1 of 12 servers: the last 322 of 2,048 maps leave 541 containers idle" in job.warnings[0]
    assert without.warnings == ()


def test_tasks_that_compute_as_unequally_as_real_ones_leave_nothing_to_a_container_more() -> None:
    """They spread the last maps over all servers, with a container more on one of them or without."""
    job, without = (run("minio-wordcount", has_master=one, spread=0.031) for one in (True, False))
    assert job.duration == pytest.approx(without.duration, rel=0.01)
    assert job.warnings == without.warnings == ()
