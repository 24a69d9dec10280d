"""A suite of queries on an object store: its phases by hand, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from models.build import build
from models.hardware.server import Cpu
from models.jobs.lakehouse import Lakehouse, Range
from models.jobs.lakehouse_plan import LakehousePlan
from models.scenario import ProfileInfo, Scenario
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, hdd, server
from tests.models.storage.test_storagegrid import grid

ONE_MB = {"all": Range(share=1.0, low=1 * MB, high=1 * MB)}
CORES = server(cpu=Cpu(cores=8, threads=8, speed=0.5))


def suite(**changes: Any) -> Scenario:
    """Return 2000 GETs of 1 MB by one slot, 100 probes, 200 pages, and 10 queries that take 4 s besides."""
    settings = {
        "kind": "lakehouse",
        "servers": "workers",
        "driver": "workers",
        "slots": 1,
        "queries": 10,
        "data": 100 * GB,
        "object_size": 32 * MB,
        "gets": 2000,
        "opens": 0,
        "probes": 100,
        "lists": 200,
        "reads": ONE_MB,
        "byte_cpu": 10e-9,
        "query_cpu": 2.0,
        "precision": 0.0,
    }
    nodes = server(cpu=Cpu(cores=4, threads=4, speed=0.5), drives=16, drive=hdd())
    return Scenario(
        profile=ProfileInfo(title="A test"),
        cluster=cluster(storage=(3, nodes), gateways=(1, server()), workers=(1, CORES)),
        storage=grid(),
        workload=Lakehouse(**settings | changes),
    )


def seconds(result: Result) -> dict[str, float]:
    return {stage.name: stage.end - stage.start for stage in result.stages}


def test_a_lone_slot_takes_the_times_of_its_requests_one_after_the_other() -> None:
    """A GET: 2 ms index, 25 ms drive, six cards of 1 ms, two of them once in three; 1 MB of 10 ns takes 20 ms."""
    found = seconds(simulate(suite()))
    assert found["reading"] == pytest.approx(2000 * (0.002 + 0.025 + (4 + 2 / 3) * 0.001 + 0.020), rel=1e-3)
    assert found["outside of reading"] == 10 * 2.0 / 0.5


def test_listing_is_serial_on_one_thread_and_shared_by_several() -> None:
    one, eight = (seconds(simulate(suite(listing_threads=n)))["listing"] for n in (1, 8))
    assert one == pytest.approx(100 * 0.002 + 200 * 0.1, rel=0.1)
    assert eight == pytest.approx(one / 8, rel=0.1)


def test_the_get_rate_is_that_of_the_reading_phase() -> None:
    result = simulate(suite(opens=500))
    rate, unit = result.metrics["GET requests per second while reading"]
    assert unit == "1/s"
    assert rate == pytest.approx(2000 / seconds(result)["reading"])


def test_every_object_of_a_split_bears_its_part_of_the_start_of_their_task() -> None:
    """Eight objects of 32 MB are a split of 256 MB; chance has 5,000 of 25,000 requests open one."""
    none, eight, lone = (
        seconds(simulate(suite(gets=20_000, opens=5_000, **changes)))["reading"]
        for changes in ({}, {"task_start": 8.0, "split_size": 256 * MB}, {"task_start": 8.0, "split_size": 16 * MB})
    )
    assert eight - none == pytest.approx(5_000 / 8 * 8.0, rel=0.05)
    assert lone - none == pytest.approx(5_000 * 8.0, rel=0.05)


def test_more_slots_read_faster_until_the_processors_are_busy() -> None:
    durations = [seconds(simulate(suite(slots=n)))["reading"] for n in (1, 4, 8, 32)]
    assert durations[0] / durations[1] == pytest.approx(4, rel=0.1)
    assert durations[3] == pytest.approx(2000 * 0.020 / 8, rel=0.05)
    assert durations == sorted(durations, reverse=True)


def test_every_byte_that_is_read_passes_drives_and_cards() -> None:
    moved = {group.group: group.bytes for group in simulate(suite()).groups if group.bytes}
    once = ("storage/data drives", "gateways/network in", "gateways/network out", "workers/network in")
    crossing = {"storage/network out": 1 + 1 / 3, "storage/network in": 1 / 3}  # two of three nodes have a copy
    assert moved == pytest.approx(
        {name: times * 2000 * MB for name, times in (dict.fromkeys(once, 1) | crossing).items()}
    )


def test_an_early_stop_is_told_and_changes_the_answer_by_less_than_it_says() -> None:
    whole = simulate(suite(gets=1_000_000, slots=8))
    early = simulate(suite(gets=1_000_000, slots=8, precision=0.002))
    assert whole.warnings == ()
    assert early.warnings[-1].startswith("reading: ")
    assert "of 1,000,000 requests simulated" in early.warnings[-1]
    assert early.duration == pytest.approx(whole.duration, rel=0.004)


def test_no_listing_means_no_phase_of_listing() -> None:
    assert list(seconds(simulate(suite(probes=0, lists=0)))) == ["reading", "outside of reading"]


def test_shares_of_ranges_must_add_up() -> None:
    with pytest.raises(ValueError, match=r"the shares add up to 0\.9; they must add up to 1"):
        suite(reads={"all": Range(share=0.9, low=1.0, high=2.0)})


def test_a_range_must_not_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="low = 2 B is above high = 1 B"):
        suite(reads={"all": Range(share=1.0, low=2.0, high=1.0)})


def test_a_suite_is_built_as_phases_not_as_a_job() -> None:
    assert isinstance(build(suite(), 0), LakehousePlan)
