"""Observed stages against arithmetic: waves of tasks on cores, bytes over rates, and stages that wait for others."""

from __future__ import annotations

from typing import Any

import pytest

from models.jobs.observed import Observed
from models.problem import RefusalError
from models.quantity import stated
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server

SLOTS = {"servers": "compute", "executors": 1, "cores": 4, "memory": 2 * GB, "local_dirs": "root"}


def observed(*stages: dict[str, Any], **settings: Any) -> Observed:
    """Return stages on executors of 4 cores; a stage without a name is named by its place."""
    named = tuple({"name": str(number)} | stage for number, stage in enumerate(stages))
    framework = SLOTS | settings.pop("framework", {})
    return Observed.model_validate({"kind": "observed", "framework": framework, "stages": named} | settings)


def run(work: Observed, **machine: Any) -> Result:
    """Return the run on two servers of 4 cores, with a store whose connections carry 100 MB/s after 10 ms."""
    store = {"system": "amazon-s3", "first_byte": 0.010, "connection_bandwidth": 100 * MB, "get_rate": 1e9}
    return simulate(
        Scenario.model_validate(
            {
                "profile": {"title": "observed"},
                "cluster": stated(cluster(compute=(2, server(drives=1, **machine))).model_dump()),
                "storage": store,
                "client": {"connector": "s3a"},
                "workload": work.model_dump(),
            }
        )
    )


def tasks(count: int, **numbers: float) -> dict[str, Any]:
    return {"tasks": ({"count": count} | numbers,)}


@pytest.mark.parametrize(("count", "waves"), [(1, 1), (8, 1), (9, 2), (80, 10)])
def test_tasks_of_a_stage_take_as_many_waves_as_they_fill_cores(count: int, waves: int) -> None:
    assert run(observed(tasks(count, cpu=2.0))).duration == pytest.approx(2.0 * waves)


def test_tasks_beyond_the_cores_share_what_two_threads_of_a_core_yield() -> None:
    work = observed(tasks(16, cpu=2.0), framework={"cores": 8})
    assert run(work).duration == pytest.approx(2.0 * 2 / 1.25)


def test_seconds_of_a_slower_processor_are_fewer_on_a_faster_one() -> None:
    machine = server()
    fast = machine.cpu.model_copy(update={"speed": 1.5})
    work = observed(tasks(8, cpu=2.0, collection=1.0, wait=0.5), speed=0.6)
    assert run(work, cpu=fast).duration == pytest.approx((2.0 + 1.0) * 0.6 / 1.5 + 0.5)


def test_the_slowest_task_decides_a_stage() -> None:
    portions = ({"count": 7, "cpu": 1.0}, {"count": 1, "cpu": 10.0})
    assert run(observed({"tasks": portions})).duration == pytest.approx(10.0)


@pytest.mark.parametrize(("turn", "seconds"), [(0.0, 4.0), (1.0, 5.0)])
def test_slow_tasks_that_start_first_cost_less_than_those_that_start_last(turn: float, seconds: float) -> None:
    """Eight slots, 4 tasks of 4 s and 8 of 1 s: 4 s where the slow ones begin at once, 1 s more where they are last."""
    portions = ({"count": 8, "cpu": 1.0, "turn": 1 - turn}, {"count": 4, "cpu": 4.0, "turn": turn})
    assert run(observed({"tasks": portions})).duration == pytest.approx(seconds)


@pytest.mark.parametrize("cpu", [0.0, 0.4, 3.0])
def test_a_task_reads_while_it_computes_and_waits_for_each_request(cpu: float) -> None:
    result = run(observed(tasks(8, input=100 * MB, cpu=cpu), request_size=10 * MB))
    assert result.duration == pytest.approx(max(1.0, cpu) + 10 * 0.010)


def test_half_of_an_exchange_between_two_servers_crosses_the_network_and_all_of_it_goes_to_local_drives() -> None:
    rows = 100 * MB
    work = observed(tasks(4, handed_on=rows / 4), {"after": ("0",)} | tasks(4, fetched=rows / 4, cpu=5.0))
    result = run(work)
    moved = {group.group: group.bytes for group in result.groups}
    assert moved["compute/network out"] == pytest.approx(rows / 2)
    assert moved["compute/root volume"] == pytest.approx(rows)
    assert result.duration == pytest.approx(rows / 2 / 2 / GB + 5.0, rel=1e-3)  # two cards send at once, then compute


def test_what_is_written_goes_to_the_store() -> None:
    result = run(observed(tasks(8, output=100 * MB)))
    assert sum(group.bytes for group in result.groups if group.group == "compute/network out") == pytest.approx(
        800 * MB
    )


def test_a_stage_waits_for_all_that_it_follows_and_then_for_the_driver() -> None:
    work = observed(
        tasks(1, cpu=1.0),
        tasks(1, cpu=3.0),
        {"after": ("1", "0"), "delay": 0.5, "query": "2"} | tasks(8, cpu=1.0),
        {"after": ("0",), "query": "2"} | tasks(1, cpu=1.0),
    )
    result = run(work)
    assert result.duration == pytest.approx(3.0 + 0.5 + 1.0)
    assert result.metrics["query 1"][0] == pytest.approx(3.0)
    assert result.metrics["query 2"][0] == pytest.approx(4.5 - 1.0)
    assert {stage.name: stage.start for stage in result.stages}["3"] == pytest.approx(1.0)


def test_more_data_is_more_splits_and_more_for_each_task_behind_an_exchange() -> None:
    work = observed(tasks(8, input=10 * MB, cpu=1.0), {"after": ("0",)} | tasks(8, fetched=1 * MB, cpu=1.0))
    more = work.grown(3.0)
    assert [stage.count for stage in more.stages] == [24, 8]
    assert [more.total(key) for key in ("input", "fetched", "cpu")] == pytest.approx([240 * MB, 24 * MB, 48.0])


def test_the_order_of_tasks_is_the_same_in_each_run() -> None:
    classes = (20, 1.0), (9, 3.0), (2, 7.0)
    portions = tuple({"count": count, "cpu": cpu, "input": cpu * MB} for count, cpu in classes)
    first, second = (run(observed({"tasks": portions})) for _ in range(2))
    assert repr(first) == repr(second)


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([], "there is no stage"),
        ([{"tasks": ()}], "stage '0' has none"),
        ([tasks(1), {"name": "0"} | tasks(1)], "two stages are named '0'"),
        ([{"after": ("9",)} | tasks(1)], "stage '0': no stage '9' before it"),
    ],
)
def test_stages_are_refused_that_cannot_run(stages: list[dict[str, Any]], message: str) -> None:
    with pytest.raises((RefusalError, ValueError), match=message):
        observed(*stages)


@pytest.mark.parametrize(("width", "seconds"), [(None, 2.0), (8, 2.0), (3, 6.0), (1, 16.0)])
def test_a_stage_fills_no_more_slots_of_all_servers_than_it_did(width: int | None, seconds: float) -> None:
    assert run(observed({"width": width} | tasks(8, cpu=2.0))).duration == pytest.approx(seconds)


def test_slots_that_a_bounded_stage_leaves_are_those_of_the_next() -> None:
    ends = {
        stage.name: stage.end for stage in run(observed({"width": 2} | tasks(4, cpu=3.0), tasks(6, cpu=1.0))).stages
    }
    assert ends == pytest.approx({"0": 6.0, "1": 1.0})


def test_a_task_whose_executor_came_late_holds_its_slot_until_then() -> None:
    portions = ({"count": 4, "cpu": 2.0, "turn": 0.0}, {"count": 4, "cpu": 2.0, "late": 1.5, "turn": 1.0})
    assert run(observed({"tasks": portions})).duration == pytest.approx(1.5 + 2.0)


def test_a_task_reads_and_writes_no_faster_than_was_observed() -> None:
    """At 100 MB/s a connection 10 MB take 0.1 s; what is slower on the store as simulated stays slower."""
    assert run(observed(tasks(8, input=10 * MB, cpu=2.0, stalled=1.0))).duration == pytest.approx(3.0)
    assert run(observed(tasks(8, input=400 * MB, cpu=2.0, stalled=1.0))).duration == pytest.approx(4.0)
    written = run(observed(tasks(8, input=10 * MB, output=30 * MB, cpu=2.0, stalled=4.0))).duration
    assert written == pytest.approx(2.0 + 4.0 / 4 + 4.0 * 3 / 4)


def test_what_its_own_cluster_made_of_the_work_does_not_count_elsewhere() -> None:
    portion = {"count": 8, "cpu": 2.0, "input": 10 * MB, "stalled": 1.0, "late": 3.0}
    work = observed({"width": 1, "tasks": (portion,)})
    assert run(work.freed()).duration == pytest.approx(2.0 + 2 * 0.010)
    assert run(work.on_simulated_storage()).duration == pytest.approx(8 * (3.0 + 2.0 + 2 * 0.010))


def test_of_stages_that_are_open_side_by_side_the_first_takes_the_slots() -> None:
    work = observed(tasks(16, cpu=2.0), tasks(8, cpu=1.0))
    ends = {stage.name: stage.end for stage in run(work).stages}
    assert ends == pytest.approx({"0": 4.0, "1": 5.0})
