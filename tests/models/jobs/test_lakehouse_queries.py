"""Suites of queries that are not alike: by hand, and that inequality never makes one shorter."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from models.hardware.server import Cpu
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_exchange import handed_on, rate_of_cards, spilled
from models.jobs.lakehouse_plan import LakehousePlan, Pause
from models.jobs.lakehouse_queries import Share
from models.jobs.waves import lengthened
from tests.models.jobs.suites import suite_of
from tests.models.machines import GB, MB, layout, server
from tests.models.storage.test_storagegrid import grid

MACHINES = layout(workers=(4, server(cpu=Cpu(cores=8, threads=8, speed=1.0))))  # cards of 1 GB/s, 32 cores in all
NODES = MACHINES.groups["workers"]


def suite(*shares: Share, **changes: Any) -> Lakehouse:
    """Return two queries that want 100 GB, hand on as much, and work 10 ns a byte: 31.25 s of 32 cores."""
    runs = {"exchanged": 1.0, "split_size": 128 * MB, "work_cpu": 10e-9}
    return suite_of(runs, {"queries": 2, "shares": shares}, changes)


def working(job: Lakehouse, reading: float) -> Pause:
    """Return what is worked beyond a reading of so many seconds."""
    return LakehousePlan(job, grid(), MACHINES).outside(reading)[0]


@pytest.mark.parametrize("overlap", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 7])
def test_equal_shares_in_any_unit_are_as_none(count: int, overlap: float) -> None:
    changes: dict[str, Any] = {"overlap": overlap, "exchanges": "drives", "task_memory": GB}
    equal = suite(*[Share(wanted=3e9, work=0.5, handed_on=17.0)] * count, **changes)
    told, untold = working(equal, 20.0), working(suite(**changes), 20.0)
    assert told.seconds == pytest.approx(untold.seconds, rel=1e-12)
    assert told.limits == pytest.approx(untold.limits, rel=1e-12)
    assert told.busy == pytest.approx(untold.busy, rel=1e-12)


def test_each_query_lasts_as_long_as_the_slowest_of_what_it_needs_itself() -> None:
    """Of 31.25 s of processors and 18.75 of cards, one query has 0.9 and 0.2, the other 0.1 and 0.8."""
    job = suite(Share(work=9, handed_on=1), Share(work=1, handed_on=4))
    pause = working(job, 20.0)
    assert pause.seconds == pytest.approx(0.9 * 31.25 + 0.8 * 18.75)
    assert pause.limits["workers/cpu"] == pytest.approx(0.9 * 31.25)
    assert sum(pause.limits.values()) == pytest.approx(pause.seconds)
    assert pause.busy["workers/network in"] == pytest.approx(18.75)  # cards carry what they did
    assert working(suite(), 20.0).seconds == pytest.approx(31.25)


def test_work_hides_behind_the_reading_of_its_own_query_only() -> None:
    """One query reads all and works on nothing, the other works only: nothing overlaps."""
    apart = suite(Share(wanted=1, work=0), Share(wanted=0, work=1), overlap=1.0, exchanged=0.0)
    assert working(apart, 40.0).seconds == pytest.approx(31.25)
    decoding = apart.read_bytes * apart.decoding / 32
    assert working(suite(overlap=1.0, exchanged=0.0), 20.0).seconds == pytest.approx(31.25 + decoding - 20)


def test_queries_that_hand_on_much_spill_and_others_do_not() -> None:
    """90 and 10 GB in four exchanges of 32 tasks, unpacked from half: 1.41 and 0.16 GB a task."""
    job = suite(Share(handed_on=9), Share(handed_on=1), exchanges="drives", exchange_tasks=32, task_memory=GB)
    heavy, light = (spilled(job, part, NODES[0], 32) for part in job.parts)
    assert heavy == pytest.approx(math.exp(-4 * 32 / 180))
    assert light == pytest.approx(math.exp(-4 * 32 / 20))


def test_a_share_stands_for_as_many_queries_as_there_are_of_its_like() -> None:
    """Each of two shares stands for five of ten queries, which spill and are kept by what one of them hands on."""
    shares = Share(handed_on=9), Share(handed_on=1)
    job = suite(*shares, exchanges="drives", exchange_tasks=32, task_memory=GB, queries=10)
    heavy, light = (spilled(job, part, NODES[0], 32) for part in job.parts)
    assert heavy == pytest.approx(math.exp(-4 * 32 * 5 / 180))
    assert light == pytest.approx(math.exp(-4 * 32 * 5 / 20))


def test_a_query_that_hands_on_nothing_keeps_nothing_busy() -> None:
    job = suite(Share(handed_on=0), Share(handed_on=1), exchanges="drives")
    assert handed_on(job, job.parts[0], NODES, rate_of_cards(NODES)) == {}
    assert spilled(job, job.parts[0], NODES[0], 32) == 0


@pytest.mark.parametrize("overlap", [0.0, 0.4, 1.0])
def test_unequal_queries_never_end_before_equal_ones_that_need_as_much(overlap: float) -> None:
    draw = random.Random(1)
    for _ in range(100):
        changes: dict[str, Any] = {
            "overlap": overlap,
            "exchanges": "drives",
            "exchanged": 10 ** draw.uniform(-1, 1.5),
            "work_cpu": 10 ** draw.uniform(-9, -7),
            "task_memory": GB * 10 ** draw.uniform(-1, 1),
            "queries": draw.randint(1, 50),
        }
        shares = [
            Share(**{key: draw.lognormvariate(0, 2) for key in Share.model_fields}) for _ in range(draw.randint(2, 12))
        ]
        equal, reading = suite(**changes), 10 ** draw.uniform(1, 3)
        assert working(suite(*shares, **changes), reading).seconds >= working(equal, reading).seconds * (1 - 1e-9)


def test_shares_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no query has any work"):
        suite(Share(work=0), Share(work=0))


def test_the_work_of_tasks_that_differ_lasts_as_long_as_the_slowest_of_each_stage() -> None:
    """A quarter of 31.25 s is behind exchanges of one task a slot; 5,000 objects of 32 MB a query are many to read."""
    even, uneven = (suite(exchange_work=0.25, exchange_tasks=32, task_spread=spread) for spread in (0.0, 0.3))
    readers = lengthened(1_192, 32, 0.3)  # splits of 128 MiB of 160 GB
    expected = 31.25 * (0.25 * lengthened(32, 32, 0.3) + 0.75 * readers)
    assert working(even, 20.0).seconds == pytest.approx(31.25)
    assert working(uneven, 20.0).seconds == pytest.approx(expected, rel=2e-3)


def test_a_suite_opens_each_split_once() -> None:
    """An object of 32 MB is one; one of 256 MB has two of 128 MB; where requests were counted, each may open one."""
    assert suite(opened=3200).openings == 3200
    assert suite(opened=3200, object_size=256 * MB).openings == pytest.approx(3200 * 2)
    assert suite(opened=0.0, gets=100, reads={"all": {"share": 1.0, "low": MB, "high": MB}}).openings == 100
