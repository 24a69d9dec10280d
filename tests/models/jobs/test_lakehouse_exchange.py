"""What a suite hands on between its tasks, over cards, drives and what memory holds: by hand."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from models.hardware.cluster import Layout
from models.hardware.server import Cpu
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_exchange import block, handed_on, rate_of_cards, spilled
from models.scenario import ProfileInfo, Scenario
from simulator.run import simulate
from tests.models.jobs.suites import suite_of
from tests.models.machines import GB, MB, card, cluster, hdd, layout, server
from tests.models.storage.test_storagegrid import grid

WORKER = server(cpu=Cpu(cores=8, threads=8, speed=1.0))  # two drives that write 1 GB/s and read 2, a card of 1 GB/s


def suite(**changes: Any) -> Lakehouse:
    """Return ten queries that want 100 GB, of which as much is handed on in 40 exchanges of 8 tasks."""
    runs = {"exchanges": "drives", "exchanged": 1.0, "exchange_tasks": 8, "split_size": 128 * MB}
    return suite_of(runs, {"queries": 10}, changes)


def of(count: int = 4, worker: Any = WORKER) -> Layout:
    return layout(workers=(count, worker))


def handed(job: Lakehouse, machines: Layout) -> dict[str, float]:
    """Return the seconds for which exchanges of all queries keep each group busy."""
    nodes, busy = machines.groups["workers"], Counter[str]()
    for part in job.parts:
        busy.update(handed_on(job, part, nodes, rate_of_cards(nodes)))
    return dict(busy)


def test_all_but_what_stays_on_a_worker_passes_its_card() -> None:
    """Of 100 GB three quarters cross four cards of 1 GB/s, in and out."""
    busy = handed(suite(exchanges="memory"), of(4))
    assert busy == pytest.approx({"workers/network in": 75 / 4, "workers/network out": 75 / 4})
    assert handed(suite(exchanges="memory"), of(1)) == {}


def test_exchanges_on_drives_are_written_once_and_read_from_the_page_cache_that_holds_them() -> None:
    """25 GB a worker on two drives of 1 GB/s; of 2.5 GB a query the page cache of 9 GB holds all."""
    busy = handed(suite(task_memory=1000 * GB), of(4))
    assert busy["workers/data drives"] == pytest.approx(25 / 2)


def test_exchanges_that_page_caches_do_not_hold_are_read_from_drives() -> None:
    """One query hands on 250 GB a worker, of which the page cache holds a part; the rest is read at 2 GB/s a drive."""
    job = suite(task_memory=1e6 * GB, queries=1, exchanged=10.0)
    node = of(4).groups["workers"][0]
    held = node.server.memory.size - (node.server.memory.size - 2**30) / 1.1
    read = 250 - held / GB
    assert handed(job, of(4))["workers/data drives"] == pytest.approx(250 / 2 + read / 2 / 2)


def test_what_a_task_cannot_keep_is_written_and_read_once_more() -> None:
    """2.5 GB an exchange are 0.625 GB a task, unpacked from half: a memory of as much spills 1 / e of it."""
    job, machines = suite(task_memory=0.625 * GB), of(4)
    share = spilled(job, job.parts[0], machines.groups["workers"][0], 32)
    assert share == pytest.approx(math.exp(-1))
    whole = handed(suite(task_memory=1000 * GB), machines)["workers/data drives"]
    more = handed(job, machines)["workers/data drives"] - whole
    assert more == pytest.approx(25 / 2 * share * (1 + 1 / 2))


def test_without_a_number_of_tasks_all_slots_of_all_workers_take_an_exchange_up() -> None:
    """2.5 GB an exchange in 32 slots are 78 MB a task, unpacked from half: a memory of as much spills 1 / e of it."""
    job, node = suite(exchange_tasks=0, task_memory=2.5 * GB / 32 * 2), of(4).groups["workers"][0]
    assert spilled(job, job.parts[0], node, 32) == pytest.approx(math.exp(-1))


def test_a_block_is_what_one_task_has_for_another_and_readers_make_more_of_them() -> None:
    """2.5 GB an exchange of eight tasks behind eight; then 250 readers a query, 62.5 for each of its four exchanges."""
    job = suite(split_size=1e6 * GB)
    assert block(job, job.parts[0], 32) == pytest.approx(2.5 * GB / 64)
    assert block(suite(), suite().parts[0], 32) == pytest.approx(2.5 * GB / (62.5 * 8))


def test_hard_drives_seek_for_each_block_that_the_page_cache_no_longer_has() -> None:
    """2,000 tasks of 2,000 make four million blocks of 62.5 kB, of which two drives of each worker seek for 96 %."""
    worker, drive = server(cpu=Cpu(cores=8, threads=8, speed=1.0), drive=hdd()), hdd()
    usual = {"task_memory": 1e6 * GB, "queries": 1, "exchanged": 10.0, "split_size": 1e6 * GB}
    few, many = (handed(suite(**usual, exchange_tasks=n), of(4, worker)) for n in (8, 2000))
    missing = 250 - (100 - (100 - 2**30 / GB) / 1.1)
    blocks, chunks = missing * GB / 62.5e3, missing * GB / drive.read_chunk
    more = many["workers/data drives"] - few["workers/data drives"]
    assert more == pytest.approx((blocks - chunks) * drive.seek_time / 2, rel=1e-6)


def test_less_memory_never_makes_exchanges_faster() -> None:
    busy = [handed(suite(task_memory=size * GB), of(4))["workers/data drives"] for size in (0.01, 0.1, 1, 10)]
    assert busy == sorted(busy, reverse=True)


def test_a_suite_spills_to_the_place_that_is_named() -> None:
    """25 GB on a volume of 100 MB/s."""
    busy = handed(suite(task_memory=1000 * GB, local_dirs="root"), of(4))
    assert busy["workers/root volume"] == pytest.approx(250)


@pytest.mark.parametrize("overlap", [0.0, 1.0])
def test_slow_cards_hold_the_work_after_reading_up_and_are_named(overlap: float) -> None:
    """A tenth of the card: four times 75 GB / 4 / 0.1 GB/s of exchanges, beside which 1 ns a byte is nothing."""
    slow = server(cpu=Cpu(cores=8, threads=8, speed=1.0), nic=card(bandwidth=0.1 * GB))
    nodes = server(cpu=Cpu(cores=4, threads=4, speed=1.0), drives=16, drive=hdd())
    job = suite(exchanges="memory", exchanged=4.0, work_cpu=1e-9, overlap=overlap)
    scenario = Scenario(
        profile=ProfileInfo(title="A test"),
        cluster=cluster(storage=(3, nodes), gateways=(1, server()), workers=(4, slow)),
        storage=grid(),
        workload=job.model_copy(update={"precision": 0.02}),
    )
    stages = {stage.name: stage for stage in simulate(scenario).stages}
    working, reading = stages["working after reading"], stages["reading"]
    lasts, handed = working.end - working.start, 4 * 75 / 4 / 0.1
    fetching = job.read_bytes / (4 * 0.1 * GB)
    hidden = reading.end - reading.start - fetching if overlap else 0.0
    assert lasts == pytest.approx(handed - hidden, rel=0.01)
    assert working.bottleneck is not None
    assert working.bottleneck.resource.startswith("workers/network")
