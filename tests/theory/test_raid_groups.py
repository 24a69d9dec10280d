"""Streams that meet on a RAID group of hard drives against arithmetic: each drive seeks behind its part of a run."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.drive import Drive
from models.jobs.bulk_io import BulkIo
from models.planning.capacity import ceilings
from models.scenario import ProfileInfo, Scenario
from models.storage.parallel_fs.system import FileStream, Target
from simulator.run import simulate
from tests.models.machines import FREE, GB, MB, card, cluster, files, hdd, nvme, server

RATE, SEEK = 200 * MB, 0.010
GROUP = Target(data=8, parity=2, chunk=0.1 * MB)
MIB = 2.0**20


def asked(processes: int, drive: Drive | None = None, target: Target = GROUP, **storage: Any) -> Scenario:
    """Return processes on four clients that read, or write, a file each on one group, with nothing else in the way."""
    direction = storage.pop("direction", "read")
    fast = card(bandwidth=100 * GB)
    count = target.drives if target.data > 1 else 1
    machines = cluster(clients=(4, server(nic=fast)), servers=(1, server(drives=count, drive=drive or hdd(), nic=fast)))
    job = BulkIo(kind="bulk-io", servers=("clients",), direction=direction, size=GB, processes=processes)
    return Scenario(
        profile=ProfileInfo(title="group"), cluster=machines, storage=files(target=target, **storage), workload=job
    )


def rate(processes: int, **settings: Any) -> float:
    """Return the bytes a second of all processes."""
    return simulate(asked(processes, **settings)).metrics["throughput"][0]


def read_of(chunk: float, data: int = 8, parity: int = 2) -> float:
    """Return what a group reads where each drive has so much of a file between two seeks, and parity to pass over."""
    drives = data + parity
    return drives / (drives / data / RATE + SEEK / chunk)


@pytest.mark.parametrize(
    ("rpc", "in_flight", "chunk"),
    [
        (2 * MB, 2, 0.4 * MB),  # a tenth of four MB, which are more than a lone drive's one
        (0.5 * MB, 8, 0.4 * MB),
        (4 * MB, 8, 1 * MB),  # no more than a lone drive
        (0.1 * MB, 1, 0.1 * MB),  # what a lone drive has, a strip each
    ],
)
def test_readers_share_a_group_whose_drives_seek_behind_a_tenth_of_what_is_in_flight(
    rpc: float, in_flight: int, chunk: float
) -> None:
    assert rate(4, rpc_size=rpc, rpcs_in_flight=in_flight) == pytest.approx(read_of(chunk))


@pytest.mark.parametrize(("run", "chunk"), [(2 * MB, 0.25 * MB), (4 * MB, 0.5 * MB), (40 * MB, 1 * MB)])
def test_writers_share_a_group_whose_drives_seek_behind_an_eighth_of_a_run(run: float, chunk: float) -> None:
    assert rate(4, run_size=run, direction="write") == pytest.approx(8 / (1 / RATE + SEEK / chunk))


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("run", [0.1 * MB, 2 * MB, 100 * MB])
def test_one_stream_on_a_group_has_the_sequential_rate_however_short_its_runs_are(direction: str, run: float) -> None:
    scenario = asked(1, run_size=run, direction=direction)
    alone = scenario.cluster.groups["clients"].model_copy(update={"count": 1})
    lone = scenario.cluster.model_copy(update={"groups": {**scenario.cluster.groups, "clients": alone}})
    done = simulate(scenario.model_copy(update={"cluster": lone}))
    assert done.metrics["throughput"][0] == pytest.approx(8 * RATE)


@pytest.mark.parametrize("direction", ["read", "write"])
def test_a_target_of_one_drive_is_as_fast_as_before_whatever_is_in_flight(direction: str) -> None:
    lone = Target()
    rates = {rate(2, target=lone, run_size=run, direction=direction) for run in (0.01 * MB, 1 * MB, 100 * MB)}
    assert len(rates) == 1
    assert rates.pop() == pytest.approx(1 / (1 / RATE + SEEK / MB))


@pytest.mark.parametrize("direction", ["read", "write"])
def test_larger_rpcs_and_more_of_them_are_never_slower(direction: str) -> None:
    sizes = [0.05 * MB, 0.5 * MB, MIB, 4 * MIB, 16 * MIB]
    rates = [rate(4, rpc_size=size, direction=direction) for size in sizes]
    assert rates == sorted(rates)
    in_flight = [rate(4, rpc_size=0.25 * MB, rpcs_in_flight=count, direction=direction) for count in (1, 8, 16, 64)]
    assert in_flight == sorted(in_flight)
    assert in_flight[0] < in_flight[-1]


@pytest.mark.parametrize("direction", ["read", "write"])
def test_more_streams_are_never_faster_together(direction: str) -> None:
    rates = [rate(count, run_size=2 * MB, direction=direction) for count in (1, 4, 10, 25)]
    assert rates == pytest.approx(sorted(rates, reverse=True), rel=1e-9)


def test_servers_read_four_mebibytes_ahead_of_clients_that_do_not_and_write_behind_them() -> None:
    stream = FREE.model_copy(update={"reads_ahead": False, "request_size": 100 * MB})
    assert isinstance(stream, FileStream)
    spec = files(target=GROUP, stream=stream)
    servers = cluster(servers=(1, server(drives=10, drive=hdd())))
    drive = spec.grouped(servers).groups["servers"].server.bays["data"].drive
    assert drive.read_chunk == pytest.approx(0.4 * MIB)
    assert drive.write_chunk == 1 * MB


def test_a_wider_group_has_less_of_a_run_on_each_drive_down_to_a_strip() -> None:
    chunks = [
        hdd().of_group(0.128 * MB, reads=(2 * MB, drives), writes=(2 * MB, drives)).read_chunk
        for drives in (1, 2, 4, 8, 16, 32)
    ]
    assert chunks == pytest.approx([1 * MB, 1 * MB, 0.5 * MB, 0.25 * MB, 0.128 * MB, 0.128 * MB])


def test_flash_in_a_group_stays_as_it_is() -> None:
    assert nvme().of_group(1.0, reads=(1.0, 8), writes=(1.0, 8)) == nvme()


def test_what_a_plan_says_that_servers_deliver_knows_of_groups() -> None:
    short, long = (asked(4, run_size=run) for run in (2 * MB, 40 * MB))
    assert ceilings(short)[0] == pytest.approx(read_of(0.2 * MB))
    assert ceilings(long)[0] == pytest.approx(read_of(1 * MB))


def test_several_streams_on_pools_of_ten_drives_lie_near_what_was_measured_of_raidz() -> None:
    """OpenZFS, issue 6453: 32 files on two pools of 8 + 2 drives, by the bytes that are read ahead of each."""
    known = {"technology": "hdd", "capacity": 6e12, "read_bandwidth": RATE, "write_bandwidth": RATE}
    drive = Drive.model_validate(known)
    measured = {8 * MIB: 0.85 * GB, 64 * MIB: 1.1 * GB}
    for ahead, half in measured.items():
        grouped = drive.of_group(128 * 1024, reads=(ahead, 10), writes=(ahead, 8))
        told = 10 / grouped.read_cost(passed=10 / 8)
        assert 0.5 < told / half < 1.1
    unmerged = drive.model_copy(update={"read_chunk": MIB / 8})  # of a record of 1 MiB
    assert 10 / unmerged.read_cost(passed=10 / 8) < 0.3 * measured[8 * MIB]
