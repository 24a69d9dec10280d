"""Streams of bytes: joined, scaled, moved."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from models.storage.flow import Flow, averaged, compute, ranged, spread
from models.work import Delay, Demand, Parallel, Sequence, Use, Work, demand
from tests.models.machines import MB, layout, server
from tests.models.steps import cost_per_byte, moved, name, per_byte

NODE = layout(workers=(1, server())).nodes[0]
NIC, CPU = NODE.nic_in, NODE.cpu
DRIVE = NODE.bays["data"][0]


def test_joined_flows_use_what_both_use() -> None:
    both = Flow((Use(NIC, 1.0, 1.0),)).joined(Flow((Use(NIC, 0.5, 0.5), Use(CPU, 2e-9))))
    assert cost_per_byte(both.uses, name) == {"workers-1/nic-in": 1.5, "workers-1/cpu": 2e-9}


@pytest.mark.parametrize("is_swapped", [False, True])
def test_joined_flows_are_as_slow_as_the_slower_and_say_why(is_swapped: bool) -> None:
    slow, fast = Flow(max_rate=10.0, cap="slow", latency=1.0), Flow(max_rate=20.0, cap="fast", latency=2.0)
    both = fast.joined(slow) if is_swapped else slow.joined(fast)
    assert (both.max_rate, both.cap, both.latency) == (10.0, "slow", 3.0)


def test_flow_of_a_quarter_of_the_bytes_uses_a_quarter_and_holds_up_four_times_as_many() -> None:
    part = Flow((Use(NIC, 1.0, 1.0),), max_rate=10.0).scaled(0.25)
    assert per_byte(part.uses) == {"nic-in": 0.25}
    assert part.max_rate == 40.0


def test_flow_of_no_bytes_holds_nothing_up() -> None:
    none = Flow((Use(NIC, 1.0, 1.0),), max_rate=10.0).scaled(0.0)
    assert (none.uses, none.max_rate) == ((), math.inf)


def test_moved_bytes_wait_for_the_first_one() -> None:
    step = Flow((Use(NIC, 1.0, 1.0),), latency=0.5).move(100.0)
    assert isinstance(step, Sequence)
    wait, work = step.steps
    assert wait == Delay(0.5)
    assert moved(work) == {"nic-in": 100.0}


def test_flow_without_latency_is_one_work() -> None:
    assert isinstance(Flow(max_rate=10.0).move(100.0), Work)


def test_flow_that_nothing_limits_takes_no_time_but_its_latency() -> None:
    assert Flow(latency=0.5).move(100.0) == Delay(0.5)


def test_task_computes_on_one_core() -> None:
    flow = compute(NODE, 4e-9)  # a core of speed 1 does 1 / 4 ns = 250 MB/s
    assert cost_per_byte(flow.uses, name) == {"workers-1/cpu": 4e-9}
    assert flow.max_rate == pytest.approx(250 * MB)
    assert flow.cap == "one core a task"


def test_a_thread_that_reads_and_computes_does_one_after_the_other_also_after_a_loss() -> None:
    """2 ns a byte and 6 ns are 8; where the way of the first may be lost, the next one takes 4 ns of it."""
    read, again, coding = (compute(NODE, cost * 1e-9) for cost in (2.0, 4.0, 6.0))
    for way in (read, replace(read, again=lambda: again)):
        assert way.in_one_thread(coding).max_rate == pytest.approx(125 * MB)
    after = replace(read, again=lambda: again).in_one_thread(coding).after_loss()
    assert after.max_rate == pytest.approx(100 * MB)


def test_faster_core_computes_faster() -> None:
    fast = layout(workers=(1, server(cpu=NODE.server.cpu.model_copy(update={"speed": 2.0})))).nodes[0]
    assert compute(fast, 4e-9).max_rate == pytest.approx(500 * MB)


def test_task_without_cost_is_not_held_up_by_the_processor() -> None:
    assert (compute(NODE, 0.0).uses, compute(NODE, 0.0).max_rate) == ((), math.inf)


def test_an_average_of_ways_demands_what_they_demand_spread_with_one_use_of_each_resource() -> None:
    drives = [device.resource for device in NODE.bays["data"]]
    ways = [Flow((Use(NIC, 1.0, 1.0), Use(drive, 1 / 3, 0.1), Use(CPU, 0.0)), 10.0 * MB) for drive in drives * 3]
    mean, way_by_way = averaged(ways, Flow), spread(ways)
    assert len(mean.uses) == 1 + len(drives)
    assert demand(mean.uses).uses == demand(way_by_way.uses).uses
    assert (mean.max_rate, mean.cap, mean.again) == (way_by_way.max_rate, way_by_way.cap, None)


def test_ranges_take_what_comes_before_their_bytes_each_spread_over_them() -> None:
    """Two drives seek for 10 ms each before 5 MB: 2 ns a byte, of whatever number of ranges."""
    drives = layout(workers=(1, server(drives=2))).nodes[0].bays["data"]
    seeks = Parallel(tuple(Work(0.01, Demand((Use(d.resource, 1.0),))) for d in drives))
    flow = Flow((Use(drives[0].resource, 4e-9, 1.0),), 100 * MB, opening=(Sequence((seeks,)), Delay(1.0)))
    ranges = ranged(flow, 5 * MB)
    assert cost_per_byte(ranges.uses, name) == pytest.approx(
        {drives[0].resource.name: 6e-9, drives[1].resource.name: 2e-9}
    )
    assert (ranges.opening, ranges.max_rate) == ((), flow.max_rate)
    assert sum(use.bytes for use in ranges.uses) == 1.0
    assert ranged(ranges, MB) is ranges
