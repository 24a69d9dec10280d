"""Drives under random accesses against closed forms: closed loops of flash, and of platters that sort what waits."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from models.distributions import BODY, BODY_BITS, TAIL, fixed
from models.hardware.drive import Direction, Drive
from models.hardware.drive_classes import QUEUE_GAIN
from models.hardware.drive_times import delays, device_times
from models.jobs.object_load import ObjectLoad
from models.requests import OLDEST, Closed, Draw, Kind, Pick, RequestRun, Route
from models.scenario import ProfileInfo, Scenario
from models.storage.object_store.system import DirectStore
from models.storage.stations import Stations, stations
from simulator.requests.run import RequestResult, run_requests
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, hdd, layout, nvme, server

LATENCY, IOPS = 100e-6, 200e3
WANT = 40_000


def machine(drive: Drive) -> Stations:
    return stations(layout(storage=(1, server(drives=1, drive=drive))), "storage")


def under(drive: Drive, clients: int, *, write: bool = False) -> RequestResult:
    """Return how clients fare of which each accesses the drive again and again."""
    way: Direction = "write" if write else "read"
    pick = Pick(Draw("drive", 1))
    route: Route = machine(drive).access("data", pick, way, drive.access_time(way))
    return run_requests(RequestRun("fio", (Kind("op", route),), Closed(clients), WANT, warm_up=0.1), seed=1)


def rate(drive: Drive, clients: int, *, write: bool = False) -> float:
    return under(drive, clients, write=write).throughput.value


@pytest.mark.parametrize("depth", [1, 4, 16, 64, 256])
def test_flash_does_queue_depth_over_latency_up_to_its_operations_a_second(depth: int) -> None:
    drive = nvme(read_latency=LATENCY, read_iops=IOPS)
    assert rate(drive, depth) == pytest.approx(min(depth / LATENCY, IOPS), rel=0.06)


def test_a_drive_that_takes_few_accesses_at_once_does_no_more_of_them_than_those_over_their_latency() -> None:
    drive = nvme(read_latency=LATENCY, read_iops=IOPS, queue_depth=8)
    assert rate(drive, 64) == pytest.approx(8 / LATENCY, rel=0.02)


def test_reads_and_writes_of_flash_have_numbers_of_their_own() -> None:
    drive = nvme(read_iops=200e3, write_iops=50e3, write_latency=20e-6)
    assert rate(drive, 256) == pytest.approx(200e3, rel=0.02)
    assert rate(drive, 256, write=True) == pytest.approx(50e3, rel=0.02)
    alone = drive.access_time("write") + delays(drive, "write", is_written=True).mean
    assert rate(drive, 1, write=True) == pytest.approx(1 / alone, rel=0.05)


def test_a_lone_random_read_of_a_hard_drive_takes_a_seek_and_half_a_turn() -> None:
    drive = hdd(seek_time=0.0085, rpm=7200)
    assert rate(drive, 1) == pytest.approx(1 / (0.0085 + 30 / 7200), rel=0.02)
    assert rate(hdd(seek_time=0.0029, rpm=15000), 1) == pytest.approx(1 / (0.0029 + 0.002), rel=0.02)


@pytest.mark.parametrize(("depth", "gain"), [(2, 1.15), (4, 1.4), (8, 1.75), (16, 2.15), (32, 2.6), (128, 2.6)])
def test_a_hard_drive_gains_from_a_queue_what_data_sheets_state(depth: int, gain: float) -> None:
    drive = hdd(seek_time=0.0085, rpm=7200)
    alone = 1 / (0.0085 + 30 / 7200)
    assert rate(drive, depth) == pytest.approx(gain * alone, rel=0.12)  # the spread between drives
    assert rate(drive, depth) == pytest.approx(min(depth, 32) ** QUEUE_GAIN * alone, rel=0.02)


def brute_force(drive: Drive, depth: int) -> float:
    """Return within what time 99 % of the reads end of which so many are under way at a drive."""
    luck, now, begun = random.Random(1), 0.0, 0.0
    times = device_times(drive, "read").values
    waiting, ended = [0.0] * (depth - 1), list[float]()
    for _ in range(60_000):
        at = luck.randrange(1 << BODY_BITS)
        now += times[at if at < BODY else BODY + luck.randrange(TAIL)] * depth**-QUEUE_GAIN
        ended.append(now - begun)
        begun = waiting.pop(0 if luck.random() < OLDEST else luck.randrange(len(waiting)))
        waiting.append(now)
    return float(np.percentile(ended, 99))


@pytest.mark.parametrize("depth", [8, 32])
def test_some_wait_long_for_a_hard_drive_that_takes_who_lies_near(depth: int) -> None:
    drive = hdd(seek_time=0.0085, rpm=7200)
    latency = under(drive, depth).latency
    assert latency.percentiles["p99"].value == pytest.approx(brute_force(drive, depth), rel=0.06)
    assert latency.mean.value == pytest.approx(depth / rate(drive, depth), rel=0.01)


def test_seeks_are_shorter_where_data_lies_on_a_part_of_the_platters() -> None:
    quarter = hdd(seek_time=0.0085, rpm=7200, stroke=0.25)
    assert quarter.access_time() == pytest.approx(0.0015 + 0.007 / 2 + 30 / 7200)
    assert quarter.read_cost() == hdd(seek_time=0.0085, rpm=7200).read_cost()


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(("others", "drives"), [(0, 1), (0, 12), (1, 12), (5, 12), (5, 1)])
def test_a_hard_drive_seeks_as_often_as_a_stream_meets_another(others: int, drives: int, write: bool) -> None:
    drive = hdd(seek_time=0.0085)
    servers = stations(layout(storage=(1, server(drives=drives, drive=drive))), "storage")
    group, pick = replace(servers, beside=others), Pick(Draw("drive", drives))
    route = group.write("data", pick) if write else group.read("data", pick)
    met = 1 - (1 - 1 / drives) ** others
    chunk, pace = (drive.write_chunk, drive.write_bandwidth) if write else (drive.read_chunk, drive.read_bandwidth)
    run = RequestRun("one", (Kind("stream", route, size=fixed(1e8)),), Closed(1), 1000)
    cost = run_requests(run, seed=1).latency.mean.value / 1e8
    assert cost == pytest.approx(1 / pace + met * 0.0085 / chunk)


def test_scattered_blocks_cost_a_seek_each_whoever_else_reads() -> None:
    drive = hdd(seek_time=0.0085)
    for met in (0.0, 0.5, 1.0):
        assert drive.read_cost(segment=1e5, met=met) == 1 / drive.read_bandwidth + 0.0085 / 1e5


@pytest.mark.parametrize(("threads", "rate"), [(1, 200 * MB), (400, 8 * MB / 0.015)])
def test_a_lone_reader_of_hard_drives_has_one_in_sequence_and_many_have_all_with_seeks(
    threads: int, rate: float
) -> None:
    load = Scenario(
        profile=ProfileInfo(title="load"),
        cluster=cluster(storage=(4, server(2, hdd())), clients=(1, server())),
        storage=DirectStore(system="object-store", servers="storage", replication=1),
        workload=ObjectLoad.model_validate(
            {
                "kind": "requests",
                "clients": "clients",
                "threads": threads,
                "count": 2000,
                "mix": {"read": {"action": "get", "size": 1 * GB}},
            }
        ),
    )
    assert simulate(load).metrics["throughput"][0] == pytest.approx(rate, rel=0.05)


def test_an_operation_of_flash_contains_its_bytes() -> None:
    drive = nvme(read_iops=100e3)
    for size in (512.0, 4096.0, 1e6):
        beside = max(drive.access_time() - drive.contained("read", size), 0.0)
        assert beside + size * drive.read_cost() == pytest.approx(max(1 / 100e3, size / drive.read_bandwidth))


@pytest.mark.parametrize(
    ("technology", "bandwidth", "interface"),
    [
        ("ssd", 0.54, "sata"),
        ("ssd", 2.0, "sas"),
        ("nvme", 3.5, "pcie-3"),
        ("nvme", 7.0, "pcie-4"),
        ("nvme", 14, "pcie-5"),
    ],
)
def test_the_class_of_a_drive_follows_from_the_link_that_carries_what_it_reads(
    technology: Literal["ssd", "nvme"], bandwidth: float, interface: str
) -> None:
    drive = Drive.model_validate(
        {
            "technology": technology,
            "capacity": GB,
            "read_bandwidth": bandwidth * GB,
            "write_bandwidth": 0.5 * bandwidth * GB,
        }
    )
    assert drive.attached == interface
    assert drive.flash is not None
    assert drive.flash.read_iops > drive.flash.write_iops


def test_keys_of_another_technology_are_refused() -> None:
    with pytest.raises(ValueError, match="read_iops: does not act on a hard drive"):
        hdd(read_iops=100.0)
    with pytest.raises(ValueError, match="rpm: does not act on flash"):
        nvme(rpm=7200)
