"""Writes that are answered before the drive has them, against closed forms: alone, in bursts, and for ever."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from models.distributions import fixed
from models.hardware.drive import Drive
from models.hardware.drive_classes import QUEUE_GAIN, SORTED
from models.hardware.server import Bay, Cpu
from models.requests import Closed, Draw, Kind, Open, Pick, Places, RequestRun, Station, Visit
from models.storage.ceph_rbd.operations import RbdOperations
from models.storage.ceph_rbd.system import CephRbd
from models.storage.described_routes import routes_of
from models.storage.object_routes import ends
from simulator.requests.behind import all_behind
from simulator.requests.program import assembled
from simulator.requests.run import RequestResult, run_requests
from simulator.requests.start import loop_state
from tests.models.machines import hdd, layout, nvme, server

JOURNAL, DRIVE, DRIVES, SLOTS = 1e-4, 6e-3, 4, 50
SIZE, COMMIT = 4096.0, 1e-3


def load(
    loop: Closed | Open, count: int, *, goes_on: bool, gathered: int = 1, places: Places | None = None
) -> RequestRun:
    """Return writes that go to a journal, and from there to a drive behind the answer, so many at once."""
    draw = Draw("place", DRIVES if places is None else len(places.copies))
    pick = Pick(draw, places=places)
    journal, drive = Station("journal", copies=DRIVES), Station("drive", copies=DRIVES, kind="drive")
    later = Visit(drive, fixed(DRIVE), pick=pick)
    throttle = Visit(Station("throttle", SLOTS, DRIVES), inside=(later,), pick=pick, behind=SIZE, gathered=gathered)
    kind = Kind("put", (Visit(journal, fixed(JOURNAL), pick=pick), throttle))
    return RequestRun("writes", (kind,), loop, count, goes_on=goes_on)


def drives_of(result: RequestResult, attribute: str) -> list[float]:
    """Return what is told of each drive."""
    return [getattr(use, attribute) for use in result.stations if use.station.name.endswith("drive")]


def test_a_lone_burst_below_the_throttle_takes_the_time_of_the_journal() -> None:
    result = run_requests(load(Closed(1), 100, goes_on=False))
    assert result.latency.mean.value == pytest.approx(JOURNAL)


def test_a_load_that_goes_on_is_as_fast_as_the_drives_behind_it() -> None:
    result = run_requests(load(Closed(16), 2_000, goes_on=True))
    assert result.throughput.value == pytest.approx(DRIVES / DRIVE, rel=0.03)
    assert result.latency.mean.value == pytest.approx(16 * DRIVE / DRIVES, rel=0.05)


@pytest.mark.parametrize("gathered", [1, 20])
def test_a_load_that_drives_keep_up_with_takes_the_time_of_the_journal_for_ever(gathered: int) -> None:
    result = run_requests(load(Open(0.5 * DRIVES / DRIVE), 4_000, goes_on=True, gathered=gathered))
    assert result.latency.mean.value == pytest.approx(JOURNAL, rel=0.05)
    assert sum(drives_of(result, "utilization")) / DRIVES == pytest.approx(0.5, rel=0.1)


def test_drives_have_whole_batches_of_writes_and_none_before_a_batch_is_full() -> None:
    result = run_requests(load(Closed(1), 500, goes_on=False, gathered=20))
    came = [use.visits for use in result.stations if use.station.name == "throttle"]
    assert sum(came) == 500
    assert drives_of(result, "visits") == [visits // 20 * 20 for visits in came]


def test_a_load_begun_anew_has_behind_it_what_closed_queues_have() -> None:
    copies = np.repeat([0, 1, 2, 3], [100, 80, 80, 50])[:, None]  # three drives get 0.8 and 0.5 of what the first gets
    run = load(Closed(1), 100, goes_on=True, places=Places(copies))
    program = assembled(run)
    loop = all_behind(loop_state(run, program, 0), program)
    at = program.stations["throttle"][1]
    first, *others, last = SLOTS - loop.stations["free"][at : at + DRIVES]
    assert first == SLOTS
    assert all(0 <= held <= 0.8**-1 * 20 for held in others)
    assert last <= 5


def test_as_many_are_behind_copies_alike_as_if_any_number_were_as_likely() -> None:
    many, pick = 400, Pick(Draw("place", 400))
    throttle = Visit(Station("throttle", SLOTS, many), inside=(Visit(Station("drive")),), pick=pick, behind=SIZE)
    run = RequestRun("writes", (Kind("put", (throttle,)),), Closed(1), 100, goes_on=True)
    program = assembled(run)
    loop = all_behind(loop_state(run, program, 0), program)
    at = program.stations["throttle"][1]
    held = SLOTS - loop.stations["free"][at : at + many]
    assert held.mean() == pytest.approx(SLOTS / 2, rel=0.02)
    assert np.bincount(held).std() < 2


def written(
    drive: Drive, loop: Closed, count: int, *, goes_on: bool, flash: bool = True, **settings: Any
) -> RequestResult:
    """Return how small writes fare of a pool of 32 OSDs, whose processors take no time."""
    bays = {"data": Bay(drive=drive, count=8), "db": Bay(drive=nvme(), count=1)}
    machine = server(bays=bays, cpu=Cpu(cores=64, threads=64, speed=1.0))
    made = layout(storage=(4, machine), clients=(1, machine))
    free: dict[str, Any] = dict.fromkeys(("osd_write_cpu", "osd_write_time", "client_op_cpu"), 0.0)
    known: dict[str, Any] = {"db_bay": "db" if flash else None, "commit_time": COMMIT, "pg_num": 1 << 15}
    spec = CephRbd(system="ceph-rbd", servers="storage", **known, **free, **settings)
    asking = replace(ends(made, "clients", own_server=False, in_turn=True), under_way=0)
    route = routes_of(RbdOperations(spec, made), made, asking).put(SIZE)
    return run_requests(RequestRun("put", (Kind("put", route, size=fixed(SIZE)),), loop, count, goes_on=goes_on))


@pytest.mark.parametrize("flash", [True, False])
def test_a_lone_write_takes_the_time_of_its_journal_whatever_the_drive_takes(flash: bool) -> None:
    alone = [written(hdd(seek_time=seek), Closed(1), 100, goes_on=False, flash=flash) for seek in (0.002, 0.02)]
    fast, slow = (result.latency.mean.value for result in alone)
    assert COMMIT < fast < slow + 1e-9 < 2 * COMMIT
    sought = 0.0 if flash else 0.018 * 3 * SIZE / hdd().write_chunk  # of the bytes of a journal on the drive itself
    assert slow - fast == pytest.approx(sought, abs=0.1 * COMMIT if sought else 1e-9)


def test_writes_that_go_on_are_as_fast_as_drives_that_have_as_many_to_sort_as_they_can() -> None:
    result = written(hdd(), Closed(64), 1_000, goes_on=True)
    access = 0.010 * SORTED**-QUEUE_GAIN
    assert result.throughput.value == pytest.approx(32 / 3 / (access + SIZE * hdd().write_cost()), rel=0.04)


def test_a_throttle_that_holds_fewer_writes_than_a_drive_sorts_makes_each_dearer() -> None:
    result = written(hdd(), Closed(512), 2_000, goes_on=True, deferred_writes={"throttle_cost_per_io": "24 MB"})
    access = 0.010 * 8**-QUEUE_GAIN  # 192 MiB over 24 MB
    assert result.throughput.value < 32 / 3 / access
