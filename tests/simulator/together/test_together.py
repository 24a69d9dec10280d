"""Many workloads on one cluster: who gets containers, who waits for whom, and what the answer says of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from models.failures import Failures, Fault
from models.jobs.copy import Copy, Staging, Tool
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.jobs.schedule import scheduled
from models.jobs.scheduler import Queue, Scheduler
from models.jobs.storing import Storing
from models.problem import RefusalError
from models.scenario import Scenario
from models.storage.amazon_s3.system import AmazonS3
from simulator.events import Event, Progress
from simulator.result import Result, WorkloadResult
from simulator.run import measured, simulate
from tests.models.machines import GB, MB
from tests.simulator.small import framework, scenario, sort

S3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)
HEAVY: dict[str, Any] = {"cpu": 200e-9, "input": 6 * GB, "map_output": 0.0, "reduces": 0}
"""A job of 60 maps that only compute, 20 s each: 4 containers a server on 4 cores."""


def entry(name: str, **changes: Any) -> Any:
    job = {"kind": "mapreduce", "framework": framework(container_start=0.0, container_spread=0.0)} | HEAVY
    return scheduled(MapReduce)(**job | {"name": name} | changes)


def many(*entries: Any, scheduler: Scheduler | None = None, failures: Failures | None = None) -> Scenario:
    one = scenario(**HEAVY)
    return Scenario(
        profile=one.profile,
        cluster=one.cluster,
        storage=one.storage,
        workloads=entries,
        scheduler=scheduler,
        failures=failures,
    )


def found(result: Result, name: str) -> WorkloadResult:
    return next(workload for workload in result.workloads if workload.name == name)


def lasted(result: Result, name: str) -> float:
    return result.metrics[f"{name}.duration"][0]


EARLY: dict[str, Any] = {"input": 6 * GB, "map_output": 1.0, "reduces": 12, "map_share": 0.6, "cpu": 10e-9}
"""A sort of 60 maps, whose reduces begin while these run, and whose containers start at times that chance chooses."""
FAULT = Failures(faults=(Fault(at=5.0, component="workers-1"),))


@pytest.mark.parametrize("failures", [None, FAULT], ids=["no faults", "a lost server"])
@pytest.mark.parametrize("job", [HEAVY, EARLY], ids=["maps alone", "a sort"])
def test_a_workload_that_is_the_only_one_of_many_goes_as_one_to_the_last_digit(
    job: dict[str, Any], failures: Failures | None
) -> None:
    entries = (entry("only", framework=framework(), **job),)
    among = simulate(many(*entries, failures=failures), seed=3)
    one = simulate(scenario(framework(), **job).model_copy(update={"failures": failures}), seed=3)
    told = found(among, "only")
    assert told.metrics.items() >= one.metrics.items()
    assert [(stage.start, stage.end) for stage in among.stages] == [(stage.start, stage.end) for stage in one.stages]
    assert among.groups == one.groups
    assert (among.duration, among.bottleneck, among.next_bottleneck) == (
        one.duration,
        one.bottleneck,
        one.next_bottleneck,
    )
    assert told.slowdown == 1.0 or failures is not None


def test_fifo_serves_the_second_after_the_first() -> None:
    result = simulate(many(entry("first"), entry("second"), scheduler=Scheduler(policy="fifo")))
    alone = found(result, "first").alone["duration"][0]
    assert lasted(result, "first") == pytest.approx(alone, rel=0.02)
    assert lasted(result, "second") == pytest.approx(2 * alone, rel=0.02)


def test_who_waits_for_containers_is_told_who_held_them() -> None:
    result = simulate(many(entry("first"), entry("second"), scheduler=Scheduler(policy="fifo")))
    second = found(result, "second")
    assert second.bottleneck is not None
    assert second.bottleneck.resource == "containers"
    assert second.bottleneck.share == pytest.approx(0.5, abs=0.03)
    assert second.taken_by == (("first", 1.0),)


def test_fair_queues_let_equal_jobs_end_together() -> None:
    fair = Scheduler(policy="fair")
    result = simulate(many(entry("first"), entry("second"), scheduler=fair))
    alone = found(result, "first").alone["duration"][0]
    assert lasted(result, "first") == pytest.approx(2 * alone, rel=0.1)
    assert lasted(result, "second") == pytest.approx(2 * alone, rel=0.1)


def test_a_share_of_three_to_one_gives_three_quarters_of_the_containers() -> None:
    result = simulate(many(entry("large", share=3.0), entry("small"), scheduler=Scheduler(policy="fair")))
    alone = found(result, "large").alone["duration"][0]
    assert lasted(result, "large") == pytest.approx(alone / 0.75, rel=0.1)
    assert lasted(result, "small") == pytest.approx(2 * alone, rel=0.05)


def test_a_queue_keeps_its_capacity_and_no_more_than_its_maximum() -> None:
    queues = {"a": Queue(capacity=0.75), "b": Queue(capacity=0.25, maximum_capacity=0.25)}
    result = simulate(many(entry("one", queue="a"), entry("two", queue="b"), scheduler=Scheduler(queues=queues)))
    alone = found(result, "one").alone["duration"][0]
    assert lasted(result, "one") == pytest.approx(alone / 0.75, rel=0.1)
    assert lasted(result, "two") == pytest.approx(4 * alone, rel=0.1)


def test_a_job_without_a_queue_has_what_queues_that_share_all_leave_it() -> None:
    queues = {"a": Queue(capacity=0.6), "b": Queue(capacity=0.4)}
    entries = (entry("none"), entry("one", queue="a"), entry("two", queue="b"))
    result = simulate(many(*entries, scheduler=Scheduler(queues=queues)))
    ends = {workload.name: workload.passes[0].end for workload in result.workloads}
    assert max(ends, key=lambda name: ends[name]) == "none"


def test_a_workload_that_comes_again_says_how_many_runs_were_in_time() -> None:
    alone = simulate(many(entry("only"))).duration
    late = entry("hourly", every=alone / 2, until=1.2 * alone, finish_by=1.1 * alone)
    result = found(simulate(many(late)), "hourly")
    assert len(result.passes) == 3
    assert [pass_result.is_met for pass_result in result.passes] == [True, False, False]
    assert result.met == pytest.approx(1 / 3)


def test_an_objective_is_told_with_its_value() -> None:
    result = found(simulate(many(entry("only", objectives=("duration <= 1 s",)))), "only")
    assert [(objective.text, objective.met) for objective in result.objectives] == [("duration <= 1 s", 0.0)]


def test_an_objective_that_nothing_is_measured_by_is_refused_with_its_key() -> None:
    with pytest.raises(RefusalError, match=r"workloads\.only\.objectives\.0.*no measure 'spead'"):
        simulate(many(entry("only", objectives=("spead <= 1 s",))))


def test_a_throttle_bounds_the_rate_of_a_workload() -> None:
    slow = simulate(many(entry("slow", cpu=1e-12, throttle=100 * MB)))
    assert lasted(slow, "slow") == pytest.approx(6 * GB / (100 * MB), rel=0.02)


@pytest.mark.parametrize("staging", [None, Staging(place="data")], ids=["streamed", "staged"])
def test_a_throttle_counts_a_byte_of_a_copy_once(staging: Staging | None) -> None:
    tool = Tool(servers=("workers",), processes=4, staging=staging)
    copy = {"kind": "copy", "origin": S3, "tool": tool, "files": 60, "size": 6 * GB}
    slow = scheduled(Copy)(**copy | {"name": "slow", "throttle": 100 * MB})
    result = simulate(many(slow, entry("other", **{"cpu": 1e-12})))
    assert lasted(result, "slow") == pytest.approx(6 * GB / (100 * MB), rel=0.03)
    assert found(result, "slow").alone["duration"][0] == pytest.approx(6 * GB / (100 * MB), rel=0.03)
    assert found(result, "slow").slowdown == pytest.approx(1.0, rel=0.03)


def test_a_throttle_counts_what_a_job_reads_and_what_it_writes() -> None:
    moved = {"cpu": 1e-12, "map_output": 1.0, "output": 1.0, "reduces": 0, "throttle": 100 * MB}
    assert lasted(simulate(many(entry("slow", **moved))), "slow") == pytest.approx(2 * 6 * GB / (100 * MB), rel=0.03)


def test_a_throttle_of_requests_is_refused() -> None:
    load = {"kind": "requests", "clients": "workers", "rate": 1.0, "mix": {"get": {"action": "get", "size": MB}}}
    with pytest.raises(ValueError, match="requests come at the rate of their clients"):
        scheduled(ObjectLoad)(**load | {"name": "tenant", "throttle": 100 * MB})


def test_drives_that_two_jobs_share_are_blamed_on_both() -> None:
    queues = {"a": Queue(capacity=0.5), "b": Queue(capacity=0.5)}
    io = {"cpu": 1e-12, "throttle": None}
    result = simulate(
        many(entry("one", queue="a", **io), entry("two", queue="b", **io), scheduler=Scheduler(queues=queues))
    )
    taken = dict(found(result, "one").taken_by)
    assert taken["one"] == pytest.approx(0.5, abs=0.1)
    assert taken["two"] == pytest.approx(0.5, abs=0.1)
    series = [found(result, name).series["workers/data drives"] for name in ("one", "two")]
    whole = next(group for group in result.groups if group.group == "workers/data drives").utilization_mean
    assert sum(used.mean() for used in series) == pytest.approx(whole, rel=0.05)


def test_a_drive_that_fails_beside_many_is_rebuilt_for_all_of_them() -> None:
    failures = Failures(faults=(Fault(at=10.0, component="workers-1/data-1"),))
    with_fault = many(entry("first"), entry("second"), failures=failures)
    result = simulate(with_fault)
    assert result.failures is not None
    assert result.failures.faults[0].healed > 0
    assert result.duration >= result.failures.healthy_duration * 0.99


def test_what_a_rebuild_uses_between_two_jobs_is_told_of_neither() -> None:
    io, fault = {"cpu": 1e-12, "input": 60 * GB}, Fault(at=60.0, component="workers-1/data-1")
    first, second = entry("first", **io), entry("second", start=200.0, **io)
    result = simulate(many(first, second, failures=Failures(faults=(fault,), replacement_time=0.0)))
    assert result.failures is not None
    assert result.failures.faults[0].healed > 0
    pause = slice(int(60.0 / result.bin_width) + 1, int(200.0 / result.bin_width))
    drives = [resource.utilization for resource in result.resources if resource.group == "workers/data drives"]
    assert np.sum(drives, axis=0)[pause].sum() > 0
    assert not any(found(result, name).series["workers/data drives"][pause].any() for name in ("first", "second"))


def test_a_job_that_is_alone_and_whose_tasks_wait_first_is_told_to_use_all_that_is_used() -> None:
    waiting = framework(container_start=2.0, container_spread=0.0)
    result = simulate(many(entry("only", framework=waiting, start=100.0, cpu=1e-12)))
    for group, used in found(result, "only").series.items():
        whole = next(group_result for group_result in result.groups if group_result.group == group).utilization_mean
        assert used.sum() * result.bin_width == pytest.approx(whole * result.duration, rel=1e-6)


def test_equal_seeds_give_equal_answers() -> None:
    asked = many(entry("a", arrival_rate=0.02, until=200.0), entry("b"))
    assert simulate(asked, seed=3).metrics == simulate(asked, seed=3).metrics


def test_what_is_only_stored_counts_for_the_room_and_takes_no_time() -> None:
    kept = scheduled(Storing)(kind="storing", name="archive", data=10 * GB)
    result = simulate(many(entry("only"), kept))
    assert found(result, "archive").passes == ()
    assert result.capacity["needed"] == pytest.approx(2 * 16 * GB, rel=0.01)


def test_metrics_are_named_by_workload_before_anything_runs() -> None:
    asked = many(entry("night"))
    assert set(measured(asked)) >= {"duration", "night.duration", "night.slowdown"}
    assert set(simulate(asked).metrics) <= set(measured(asked))


def test_two_workloads_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="another workload has this name"):
        many(entry("night"), entry("night"))


def test_more_workloads_than_anybody_tells_apart_are_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match=r"there are 1,001, expected at most 1,000.*arrival_rate"):
        many(*(entry(f"w{i}") for i in range(1001)))


def test_a_queue_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(ValueError, match="did you mean 'batch'"):
        many(entry("night", queue="bach"), scheduler=Scheduler(queues={"batch": Queue()}))


def test_a_refusal_of_one_workload_names_it() -> None:
    with pytest.raises(ValueError, match=r"workloads\.night\.framework\.servers"):
        many(entry("night", framework=framework(servers="nobody")))


def test_sorts_beside_each_other_take_longer_than_one_and_less_than_both() -> None:
    job = sort().workload.model_dump()
    result = simulate(many(scheduled(MapReduce)(**job | {"name": "a"}), scheduled(MapReduce)(**job | {"name": "b"})))
    alone = found(result, "a").alone["duration"][0]
    assert alone < result.duration < 2.2 * alone


def test_workloads_that_do_the_same_go_alone_as_each_would_by_itself() -> None:
    result = simulate(many(entry("first"), entry("other", input=3 * GB), entry("second", start=100.0)))
    alone = {name: found(result, name).alone["duration"] for name in ("first", "other", "second")}
    assert alone["first"] == alone["second"] == (simulate(many(entry("first")).alone("first")).duration, "s")
    assert alone["other"] == (simulate(many(entry("other", input=3 * GB)).alone("other")).duration, "s")


def test_progress_of_workloads_beside_each_other_never_falls_and_ends_when_all_have_ended() -> None:
    told: list[float] = []
    shown: list[float] = []

    def hear(event: Event) -> None:
        if isinstance(event, Progress):
            told.append(event.fraction)
            shown.append(event.shown)

    simulate(many(*(entry(f"job-{number}") for number in range(5))), on_event=hear)
    assert told == sorted(told)
    assert shown == sorted(shown)
    assert told[-1] == shown[-1] == 1.0


def test_progress_of_workloads_counts_tasks_be_they_of_many_runs_or_of_one_that_is_simulated_alone() -> None:
    """Sixty maps twice, a day apart, with six of a small job between them; then sixty and six alone."""
    told: list[tuple[float, float]] = []

    def hear(event: Event) -> None:
        if isinstance(event, Progress):
            told.append((event.time, event.fraction))

    large = (entry(f"large-{number}", start=number * 86400.0) for number in range(2))
    simulate(many(*large, entry("small", input=0.6 * GB, start=43200.0)), on_event=hear)
    assert [fraction for _, fraction in told] == pytest.approx([(i + 1) / 192 for i in range(192)])
    assert [told[i][0] // 43200 for i in (59, 60, 65, 66, 125, 126)] == [0, 1, 1, 2, 2, 0]
