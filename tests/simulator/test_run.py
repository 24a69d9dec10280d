"""simulate(): one scenario in, one result out."""

from __future__ import annotations

import gc
import math
import re
from statistics import fmean, stdev

import pytest
from scipy import stats

from models.build import build
from models.hardware.server import Memory
from models.jobs.mapreduce import MapReduce
from models.plan import Plan
from models.quantity import LIFE
from models.scenario import Scenario
from models.work import Stage
from profiles.loading.loader import load
from simulator.clock import Cancelled
from simulator.events import Event, Progress, StageFinished, StageStarted
from simulator.fluid.recorder import Behind, HeldUp
from simulator.limits import limits, worst
from simulator.result import Bottleneck, GroupResult, Result
from simulator.run import simulate
from tests.models.machines import GB, MB, card, hdd
from tests.narrow import as_a
from tests.simulator.small import framework, generation, scenario, sort


def group(result: Result, name: str) -> GroupResult:
    return next(group_result for group_result in result.groups if group_result.group == name)


def drives(result: Result) -> dict[str, float]:
    return {resource.name: resource.bytes for resource in result.resources if resource.kind == "drive"}


# one run


def test_a_job_that_only_computes_takes_its_starts_and_its_work() -> None:
    """12 files of 500 MB on 12 containers: 2 s to start, and 500 MB at 100 ns a byte on one core each.

    Two DataNodes are set up for each of five blocks, and a close waits for a report, of which one is spare.
    """
    waits = 5 * 2 * 2.4e-3 + 0.4 * 0.65 / 3
    frame = framework(container_spread=0.0, job_start=5.0)
    result = simulate(generation(frame=frame, cpu=100e-9))
    assert result.duration == pytest.approx(5.0 + 2.0 + 50.0 + waits)
    assert result.bottleneck.resource == "one core a task"
    assert result.bottleneck.share == pytest.approx((50 + waits) / (57 + waits))  # they are of the same thread


def test_a_run_that_takes_longer_than_hardware_lives_says_so() -> None:
    soon, never = (simulate(generation(frame=framework(), cpu=seconds)) for seconds in (100e-9, 10.0))
    assert not any("longer than hardware lives" in warning for warning in soon.warnings)
    assert never.duration > LIFE
    assert "longer than hardware lives" in never.warnings[-1]


def test_a_job_that_waits_for_drives_names_them_though_it_writes_through_the_page_cache() -> None:
    """Two replicas of 24 GB on six drives of 15 ns a byte take 120 s, less 2 GB a server that may stay dirty, 15 s."""
    machine = {"drive": hdd(), "memory": Memory(size=20 * GB, dirty_ratio=0.2)}
    result = simulate(generation(machine=machine, generated=24 * GB, maps=48))
    assert result.bottleneck.resource == "workers/data drives"
    assert result.next_bottleneck is not None
    assert result.next_bottleneck.resource != "workers/data drives"
    assert result.duration == pytest.approx(2.0 + 120 - 15, rel=0.1)


def test_a_result_says_who_asked_for_what() -> None:
    result = simulate(sort(), profile="mine", seed=7)
    assert (result.profile, result.seed, result.interval) == ("mine", 7, None)
    assert result.durations == (result.duration,)
    assert result.metrics["duration"] == (result.duration, "s")
    assert result.metrics["throughput"] == (6 * GB / result.duration, "B/s")


def test_a_result_has_a_row_for_every_stage_resource_and_group() -> None:
    result = simulate(sort())
    assert [(stage.name, stage.tasks) for stage in result.stages] == [("map", 60), ("reduce", 12)]
    assert len(result.resources) == 3 * (1 + 2 + 2 + 1)  # cpu, network in and out, two drives, root volume
    assert {group_result.group: group_result.count for group_result in result.groups} == {
        "workers/cpu": 3,
        "workers/network in": 3,
        "workers/network out": 3,
        "workers/data drives": 6,
        "workers/root volume": 3,
    }


def test_a_group_has_the_bytes_and_the_mean_utilisation_of_its_members() -> None:
    result = simulate(sort())
    for group_result in result.groups:
        members = [resource for resource in result.resources if resource.group == group_result.group]
        assert group_result.bytes == pytest.approx(sum(member.bytes for member in members))
        assert group_result.utilization_mean == pytest.approx(fmean(member.utilization_mean for member in members))
        assert group_result.utilization_mean <= group_result.utilization_peak <= 1 + 1e-9


def test_a_run_reports_its_stages_and_its_progress() -> None:
    told: list[Event] = []
    result = simulate(sort(), on_event=told.append)
    assert told[0] == StageStarted("map", 60, result.stages[0].start)
    assert told[-1] == StageFinished("reduce", result.stages[1].end)
    fractions = [event.fraction for event in told if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert [event.time for event in told] == sorted(event.time for event in told)


# what held a run up


def test_waits_for_the_page_cache_are_booked_on_what_its_drains_wait_for() -> None:
    """10 s of waiting: drains stood 3 parts in 4 at the drive and 1 part at the controller."""
    held = limits(HeldUp({"cpu": 5.0}, Behind({"drive": 30.0, "controller": 10.0}, 10.0)))
    assert held == {"cpu": 5.0, "drive": 7.5, "controller": 2.5}


def test_what_had_held_works_up_before_a_time_does_not_hold_them_up_in_it() -> None:
    before = HeldUp({"cpu": 5.0}, Behind({"drive": 3.0}, 1.0))
    after = HeldUp({"cpu": 7.0, "nic": 1.0}, Behind({"drive": 9.0}, 4.0))
    assert limits(after, before) == {"cpu": 2.0, "nic": 1.0, "drive": 3.0}


def test_drains_that_nobody_waits_for_hold_nothing_up() -> None:
    assert limits(HeldUp({"cpu": 5.0}, Behind({"drive": 30.0}, 0.0))) == {"cpu": 5.0, "drive": 0.0}


def test_who_waits_for_uploads_waits_for_nothing_that_page_caches_drain_to() -> None:
    held = HeldUp({}, cached=Behind({"own drive": 30.0}, 0.0), sent=Behind({"drive of the store": 90.0}, 40.0))
    assert limits(held) == {"own drive": 0.0, "drive of the store": 40.0}


def test_the_limit_with_the_most_seconds_is_the_bottleneck_with_its_share_of_all() -> None:
    assert worst({"cpu": 1.0, "drive": 3.0}) == Bottleneck("drive", 0.75)
    assert worst({}) is None
    assert worst({"cpu": 0.0}) is None


# seeds and replications


def test_the_same_seed_gives_the_same_run_and_another_seed_another() -> None:
    first, again, other = simulate(sort()), simulate(sort()), simulate(sort(), seed=1)
    assert (first.duration, drives(first)) == (again.duration, drives(again))
    assert (first.duration, drives(first)) != (other.duration, drives(other))


def test_replications_use_the_seeds_that_follow_and_the_duration_is_their_mean() -> None:
    result = simulate(sort(), seed=3, replications=4)
    assert result.durations == tuple(simulate(sort(), seed=3 + i).duration for i in range(4))
    assert result.duration == pytest.approx(fmean(result.durations))
    assert result.metrics["duration"] == (result.duration, "s")


def test_stages_and_resources_are_those_of_the_first_replication() -> None:
    first, many = simulate(sort(), seed=3), simulate(sort(), seed=3, replications=2)
    assert drives(many) == drives(first)
    assert many.stages == first.stages


def expected_interval(durations: tuple[float, ...]) -> tuple[float, float]:
    half = stats.t.ppf(0.975, len(durations) - 1) * stdev(durations) / math.sqrt(len(durations))
    return fmean(durations) - half, fmean(durations) + half


@pytest.mark.parametrize("replications", [2, 3, 5, 10])
def test_interval_is_that_of_students_t(replications: int) -> None:
    result = simulate(sort(), replications=replications)
    low, high = expected_interval(result.durations)
    assert result.interval is not None
    assert low < high
    assert result.interval == pytest.approx((low, high), rel=1e-9)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6, 1e8])
def test_a_small_job_balances_its_books_as_a_large_one_does(size: float) -> None:
    scenario = load("hdfs-wordcount", Scenario, {"workload.input": f"{size:.0f} B"}).scenario
    assert simulate(scenario).duration > 0


def test_fewer_than_one_replication_is_refused() -> None:
    with pytest.raises(ValueError, match=r"replications must be >= 1 \(got 0\)"):
        simulate(sort(), replications=0)


# tolerance


def test_a_run_with_a_tolerance_is_nearly_exact_and_says_that_it_is_not() -> None:
    measured = {"workload.cpu": "104.5 ns/B", "workload.map_share": "0.6"}  # one step; of several more end early
    alone = {"workload.framework.am_memory": "0 B"}  # no master, so that servers end waves together
    scenario = load("hdfs-terasort", Scenario, {"workload.input": "50 GB", **measured, **alone}).scenario
    exact, loose = simulate(scenario), simulate(scenario, tolerance=1e-3)
    assert loose.duration == pytest.approx(exact.duration, rel=1e-3)
    assert exact.warnings == ()
    (warning,) = loose.warnings
    assert re.fullmatch(
        r"not exact: a step of a task counts as done when 0\.1% of it or less is left and another ends; \d+% ended so",
        warning,
    )


@pytest.mark.parametrize("tolerance", [-1e-9, 1.1e-3, math.nan])
def test_a_tolerance_beyond_a_thousandth_is_refused(tolerance: float) -> None:
    with pytest.raises(ValueError, match=rf"tolerance must be from 0 to 0.001 \(got {tolerance}\)"):
        simulate(sort(), tolerance=tolerance)


# common random numbers


def one_wave(scenario: Scenario) -> Scenario:
    """Return a scenario in which tasks start in the same order whatever the speed, and nothing stays dirty."""
    assert as_a(MapReduce, scenario.workload).map_tasks(100 * MB) <= 12
    return scenario


def stage(scenario: Scenario, salt: int) -> Stage:
    """Return the first stage of the job of a scenario."""
    return as_a(Plan, build(scenario, salt=salt)).job.stages[0]


def test_two_scenarios_that_differ_in_their_network_write_their_blocks_to_the_same_drives() -> None:
    dry = {"memory": Memory(size=20 * GB, dirty_ratio=0.0)}
    slow = simulate(one_wave(generation(machine=dry | {"nic": card(bandwidth=100 * MB)})))
    fast = simulate(one_wave(generation(machine=dry | {"nic": card(bandwidth=1000 * MB)})))
    assert fast.duration < slow.duration
    assert drives(fast) == pytest.approx(drives(slow))
    assert drives(fast) != pytest.approx(drives(simulate(generation(machine=dry), seed=1)))


def test_two_scenarios_that_differ_in_their_network_find_their_input_on_the_same_servers() -> None:
    slow, fast = (stage(sort(machine={"nic": card(bandwidth=rate)}), salt=5) for rate in (1e8, 1e9))
    other = stage(sort(), salt=6)
    assert slow.preferred is not None
    assert fast.preferred is not None
    assert other.preferred is not None
    assert (slow.preferred == fast.preferred).all()
    assert not (slow.preferred == other.preferred).all()


# stopping


def test_a_run_that_is_told_to_stop_is_cancelled() -> None:
    with pytest.raises(Cancelled, match=r"cancelled at 0\.0 s"):
        simulate(sort(), should_stop=lambda: True)


def test_a_run_may_be_cancelled_on_its_way() -> None:
    told: list[Event] = []
    with pytest.raises(Cancelled):
        simulate(sort(input=600 * GB), on_event=told.append, should_stop=lambda: len(told) > 20)
    assert 20 < len(told) < 200


def test_a_run_may_be_cancelled_while_the_tasks_of_its_first_wave_are_planned() -> None:
    asked: list[None] = []
    many = scenario(framework(containers=2000), generated=6 * GB, maps=6000)
    with pytest.raises(Cancelled, match=r"cancelled at 0\.0 s"):
        simulate(many, should_stop=lambda: asked.append(None) or len(asked) > 5)  # type: ignore[func-returns-value]


def test_a_run_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    simulate(generation())
    assert gc.isenabled()
    with pytest.raises(Cancelled):
        simulate(sort(), should_stop=lambda: True)
    assert gc.isenabled()
