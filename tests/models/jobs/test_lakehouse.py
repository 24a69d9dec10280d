"""A suite of queries on an object store: its phases by hand, and what it refuses."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.build import build
from models.hardware.cluster import Group
from models.hardware.server import Cpu
from models.jobs.engine import Engine
from models.jobs.lakehouse import Lakehouse, Range
from models.jobs.lakehouse_plan import LakehousePlan
from models.requests import Closed
from models.scenario import ProfileInfo, Scenario
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.s3a import S3aClient
from models.storage.flow import SLOTS
from simulator.result import Result
from simulator.run import simulate
from tests.models.machines import GB, MB, card, cluster, hdd, server
from tests.models.storage.test_storagegrid import grid
from tests.narrow import as_a

ONE_MB = {"all": Range(share=1.0, low=1 * MB, high=1 * MB)}
CORES = server(cpu=Cpu(cores=8, threads=8, speed=0.5))


def engine(slots: int = 1, **changes: Any) -> Engine:
    """Return an engine with so many slots on the eight cores of a worker, 10 ns a byte, and 4 s a query besides."""
    settings: dict[str, Any] = {"decode_cpu": {"parquet": 10e-9}, "query_time": 4.0}
    return Engine(name="an engine", slots=slots / 8, **settings | changes)


def suite(runs: Engine | None = None, **changes: Any) -> Scenario:
    """Return 2000 GETs of 1 MB by one slot, 100 probes, 200 pages, and 10 queries that take 4 s besides."""
    settings: dict[str, Any] = {
        "engine": runs or engine(),
        "kind": "lakehouse",
        "servers": "workers",
        "driver": "workers",
        "queries": 10,
        "data": 100 * GB,
        "object_size": 32 * MB,
        "gets": 2000,
        "opens": 0,
        "probes": 100,
        "lists": 200,
        "reads": ONE_MB,
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
    """A GET: 2 ms index, 25 ms drive, six cards of 1 ms, two of them once in three; 1 MB of 10 ns takes 20 ms.

    Chance draws the way of each seek, of which the square root counts beside 1.5 ms: its mean is 8/15 of the longest,
    its variance 1/3 - (8/15)^2 = 11/225. It also draws the two cards. So the sum is off by up to 3 standard errors.
    """
    times = seconds(simulate(suite()))
    seek, cards = 0.0085 * 15 / 8 * math.sqrt(11 / 225), 0.002 * math.sqrt(1 / 3 * 2 / 3)
    expected = 2000 * (0.002 + 0.025 + (4 + 2 / 3) * 0.001 + 0.020)
    assert times["reading"] == pytest.approx(expected, abs=3 * math.sqrt(2000) * math.hypot(seek, cards))
    assert times["fixed time of queries"] == 10 * 4.0


def test_a_query_waits_for_its_driver_and_for_the_code_of_its_stages() -> None:
    """On cores of half the reference: 0.1 core-seconds of the driver and 0.2 of a worker for each stage."""
    plans = engine(stage_cpu=0.1, compile_cpu=0.2)
    told, as_exchanged = (
        seconds(simulate(suite(plans, **stages)))["fixed time of queries"] for stages in ({"stages": 12.0}, {})
    )
    assert told == pytest.approx(10 * (4.0 + 12 * (0.1 + 0.2) / 0.5))
    assert as_exchanged == pytest.approx(10 * (4.0 + 5 * (0.1 + 0.2) / 0.5))  # one more than four exchanges


def test_a_driver_of_its_own_plans_at_its_own_pace() -> None:
    """The driver runs on a gateway, which has cores of the reference."""
    plans = engine(stage_cpu=0.1, compile_cpu=0.2)
    alone = seconds(simulate(suite(plans, driver="gateways", stages=12.0)))["fixed time of queries"]
    assert alone == pytest.approx(10 * (4.0 + 12 * 0.1 + 12 * 0.2 / 0.5))


def test_listing_is_serial_on_one_thread_and_shared_by_several() -> None:
    one, eight = (seconds(simulate(suite(engine(listing_threads=n))))["listing"] for n in (1, 8))
    assert one == pytest.approx(100 * 0.002 + 200 * 0.1, rel=0.1)
    assert eight == pytest.approx(one / 8, rel=0.1)


def test_tasks_of_the_workers_list_where_the_driver_does_not() -> None:
    """No threads of the driver: all eight slots of the worker list."""
    tasks, threads = (seconds(simulate(suite(engine(8, listing_threads=n))))["listing"] for n in (0, 8))
    assert tasks == pytest.approx(threads, rel=0.05)


def test_threads_that_list_may_depend_on_the_format() -> None:
    """Ten for one format, one for others."""
    both: dict[str, Any] = {"decode_cpu": {"parquet": 10e-9, "orc": 10e-9}, "format_listing_threads": {"orc": 10}}
    parquet, orc = (
        seconds(simulate(suite(engine(**both), file_format=name)))["listing"] for name in ("parquet", "orc")
    )
    assert parquet / orc == pytest.approx(10, rel=0.1)


WORK = 2000 * MB * 500e-9 / (8 * 0.5)  # s, of 500 ns a byte on eight cores of half the speed
DECODING = 2000 * MB * 10e-9 / (8 * 0.5)


@pytest.mark.parametrize("nanoseconds", [50, 500])
def test_work_that_overlaps_hides_behind_reading_or_reading_behind_it(nanoseconds: int) -> None:
    """The suite lasts as long as the slower of the two: requests, or all that is computed."""
    times = seconds(simulate(suite(engine(8, overlap=1.0, work_cpu=nanoseconds * 1e-9), probes=0, lists=0)))
    reading, computing = times["reading"], DECODING + WORK * nanoseconds / 500
    assert sum(times.values()) == pytest.approx(max(reading, computing) + 10 * 4.0)


def test_work_behind_a_barrier_adds_to_reading() -> None:
    times = seconds(simulate(suite(engine(8, work_cpu=500e-9), probes=0, lists=0)))
    assert times["working after reading"] == pytest.approx(WORK)


def test_half_of_the_queries_overlap_half_of_the_time() -> None:
    none, half, all_of_them = (
        simulate(suite(engine(overlap=overlap, work_cpu=500e-9))).duration for overlap in (0.0, 0.5, 1.0)
    )
    assert half == pytest.approx((none + all_of_them) / 2)


def test_an_engine_without_work_lasts_as_long_whether_it_overlaps_or_not() -> None:
    assert simulate(suite(engine(overlap=1.0))).duration == simulate(suite(engine(overlap=0.0))).duration


def test_processors_are_limiting_where_work_is_and_busy_for_as_long() -> None:
    """The next limit after one core is what requests wait for; 260 s of work of all eight cores are in their share."""
    result = simulate(suite(engine(8, work_cpu=1e-6)))
    assert result.bottleneck.resource == "workers/cpu"
    cpu = next(group for group in result.groups if group.group == "workers/cpu")
    assert cpu.utilization_mean * result.duration == pytest.approx(2 * WORK + DECODING, rel=1e-3)


def test_what_holds_the_work_after_reading_up_is_busy_meanwhile() -> None:
    """Processors are busy most then, though hardly while their queries read."""
    result = simulate(suite(engine(8, overlap=0.0, work_cpu=1e-6)))
    cpu = next(group for group in result.groups if group.group == "workers/cpu")
    assert cpu.utilization_peak == pytest.approx(1.0)
    assert all(group.utilization_mean <= group.utilization_peak for group in result.groups)


def test_bytes_that_are_read_over_are_fetched_but_not_decoded() -> None:
    whole, sparse = (seconds(simulate(suite(engine(overread=overread))))["reading"] for overread in (1.0, 4.0))
    assert whole - sparse == pytest.approx(2000 * 0.020 * 3 / 4, rel=1e-3)


def test_what_queries_need_is_computed_once_however_many_bytes_are_fetched_for_it() -> None:
    """Twice as many GETs for the same bytes wanted take twice as long to fetch, and as long as before to compute."""
    runs = engine(work_cpu=500e-9, overread=3.0)
    once, twice = (seconds(simulate(suite(runs, gets=gets, wanted=1000 * MB))) for gets in (2000, 4000))
    on_one_core = 8 * WORK / 2
    assert once["working after reading"] == twice["working after reading"] == pytest.approx(on_one_core)
    fetching = 0.002 + 0.025 + (4 + 2 / 3) * 0.001
    assert twice["reading"] - once["reading"] == pytest.approx(2000 * fetching, rel=0.02)


def test_no_more_is_computed_than_is_fetched() -> None:
    times = seconds(simulate(suite(engine(8, work_cpu=500e-9), wanted=3 * GB)))
    assert times["working after reading"] == pytest.approx(WORK)


def test_an_engine_that_does_not_know_the_format_is_refused() -> None:
    with pytest.raises(ValueError, match=r"file_format: the engine states no decode_cpu of it \(it has: parquet\)"):
        suite(file_format="orc")


def test_the_get_rate_is_that_of_the_reading_phase() -> None:
    result = simulate(suite(opens=500))
    rate, unit = result.metrics["GET requests per second while reading"]
    assert unit == "1/s"
    assert rate == pytest.approx(2000 / seconds(result)["reading"])


def test_every_object_of_a_split_bears_its_part_of_the_start_of_their_task() -> None:
    """Eight objects of 32 MB are a split of 256 MB; chance has 5,000 of 25,000 requests open one."""
    none, eight, lone = (
        seconds(simulate(suite(engine(**changes), gets=20_000, opens=5_000)))["reading"]
        for changes in (
            dict[str, Any](),
            {"task_start": 8.0, "split_size": 256 * MB},
            {"task_start": 8.0, "split_size": 16 * MB},
        )
    )
    assert eight - none == pytest.approx(5_000 / 8 * 8.0, rel=0.05)
    assert lone - none == pytest.approx(5_000 * 8.0, rel=0.05)


def test_more_slots_read_faster_until_the_processors_are_busy() -> None:
    durations = [seconds(simulate(suite(engine(n))))["reading"] for n in (1, 4, 8, 32)]
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
    whole = simulate(suite(engine(8), gets=1_000_000))
    early = simulate(suite(engine(8), gets=1_000_000, precision=0.002))
    assert whole.warnings == ()
    assert early.warnings[-1].startswith("reading: ")
    assert "of 1,000,000 requests simulated" in early.warnings[-1]
    assert early.duration == pytest.approx(whole.duration, rel=0.004)


def test_no_listing_means_no_phase_of_listing() -> None:
    assert list(seconds(simulate(suite(probes=0, lists=0)))) == ["reading", "fixed time of queries"]


def test_shares_of_ranges_must_add_up() -> None:
    with pytest.raises(ValueError, match=r"the shares add up to 0\.9; they must add up to 1"):
        suite(reads={"all": Range(share=0.9, low=1.0, high=2.0)})


def test_a_range_must_not_end_before_it_starts() -> None:
    with pytest.raises(ValueError, match="low = 2 B is above high = 1 B"):
        suite(reads={"all": Range(share=1.0, low=2.0, high=1.0)})


def test_a_suite_is_built_as_phases_not_as_a_job() -> None:
    assert isinstance(build(suite(), 0), LakehousePlan)


def test_a_suite_of_another_scale_has_the_same_objects_and_requests_so_many_times_as_long() -> None:
    three, one = suite(scale=3.0), suite()
    assert isinstance(three.workload, Lakehouse)
    assert isinstance(one.workload, Lakehouse)
    whole = three.workload.at_scale()
    assert (whole.gets, whole.probes, whole.lists, whole.data, whole.object_size) == (2000, 100, 200, 300 * GB, 96 * MB)
    assert whole.read_bytes == pytest.approx(3 * one.workload.read_bytes)
    assert whole.scale == 1
    assert three.workload.stored(three.cluster) == (300 * GB, 0.0, None)
    times = [seconds(simulate(scenario)) for scenario in (one, three)]
    size_dependent = 2000 * (0.025 - 0.015 + (4 + 2 / 3) * 0.001 + 0.020)  # without 2 ms of index, 15 ms of seek
    assert times[1]["reading"] - times[0]["reading"] == pytest.approx(2 * size_dependent, rel=0.05)
    assert times[1]["fixed time of queries"] == times[0]["fixed time of queries"]
    assert times[1]["listing"] == times[0]["listing"]


def test_an_object_longer_than_a_split_is_opened_and_read_once_a_split() -> None:
    """Ten times 32 MB are 2.5 splits of 128 MB: as many times the requests, each four times as long."""
    runs = engine(split_size=128 * MB)
    ten = suite(runs, scale=10.0, opens=400).workload
    assert isinstance(ten, Lakehouse)
    whole = ten.at_scale()
    assert (whole.gets, whole.opens) == (5000, 1000)
    assert whole.reads["all"].low == pytest.approx(4 * MB)
    assert whole.read_bytes == pytest.approx(10 * 2000 * MB)


def test_a_suite_that_grows_has_more_objects_and_directories() -> None:
    one = suite(opens=400, wanted=GB).workload
    assert isinstance(one, Lakehouse)
    grown = one.grown(3.0)
    counts = (grown.gets, grown.opens, grown.probes, grown.lists)
    assert (grown.scale, grown.data, grown.wanted, *counts) == (1.0, 300 * GB, 3 * GB, 6000, 1200, 300, 600)


def test_work_behind_an_exchange_takes_as_many_cores_as_it_has_tasks() -> None:
    """2 GB of 100 ns are 200 core-s: on eight cores of half the speed 50 s, on two 200 s, of which no core is full."""
    wide, narrow = (
        seconds(simulate(suite(engine(slots=8, work_cpu=100e-9, exchange_tasks=tasks)))) for tasks in (0, 2)
    )
    assert wide["working after reading"] == pytest.approx(50.0)
    assert narrow["working after reading"] == pytest.approx(200.0)
    stages = simulate(suite(engine(slots=8, work_cpu=100e-9, exchange_tasks=2))).stages
    [limit] = [stage.bottleneck for stage in stages if stage.name == "working after reading"]
    assert limit is not None
    assert limit.resource == "one core a task"


def test_only_work_behind_an_exchange_is_bound_by_its_tasks() -> None:
    """Of 200 core-s a quarter takes two cores of half the speed, 50 s; the rest takes all eight, 37.5 s."""
    runs = engine(slots=8, work_cpu=100e-9, exchange_tasks=2, exchange_work=0.25)
    assert seconds(simulate(suite(runs)))["working after reading"] == pytest.approx(50.0 + 37.5)


@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_neither_more_slots_nor_more_tasks_behind_exchanges_take_longer(share: float) -> None:
    def working(slots: int, tasks: int) -> float:
        runs = engine(slots, work_cpu=100e-9, exchange_tasks=tasks, exchange_work=share)
        return seconds(simulate(suite(runs, gets=200, probes=0, lists=0)))["working after reading"]

    by_slots = [working(slots, 4) for slots in (1, 2, 4, 8, 16)]
    by_tasks = [working(8, tasks) for tasks in (1, 2, 4, 8, 16)]
    assert by_slots == sorted(by_slots, reverse=True)
    assert by_tasks == sorted(by_tasks, reverse=True)


@pytest.mark.parametrize(("slots", "expected"), [(2, 200.0), (8, 50.0), (16, 50.0)])
def test_work_takes_no_more_cores_than_there_are_slots(slots: int, expected: float) -> None:
    """2 GB of 100 ns are 200 core-s, of which a slot does half a core's a second: four of two slots, eight of all."""
    assert seconds(simulate(suite(engine(slots, work_cpu=100e-9))))["working after reading"] == pytest.approx(expected)


OPENED: dict[str, Any] = {
    "gets": 0,
    "reads": {},
    "probes": 0,
    "lists": 0,
    "opened": 1000.0,
    "columns": 3.0,
    "wanted": 12 * GB,
}
READER: dict[str, Any] = {"requests": 2, "read_buffer": 8 * MB, "split_size": 128 * MB}


def asked(runs: Engine, **changes: Any) -> Lakehouse:
    """Return the suite with what an engine asks for 12 GB, in three columns of a thousand objects of 32 MB."""
    job = suite(runs, **OPENED | changes).workload
    assert isinstance(job, Lakehouse)
    return job.at_scale()


def test_an_engine_reads_its_footers_and_each_column_of_every_object_that_is_opened() -> None:
    """12 GB of 1000 objects are 4 MB a column: one range of at most 8 MB, or four of at most 1 MB."""
    whole, short = (asked(engine(**READER | {"read_buffer": buffer})) for buffer in (8 * MB, 1 * MB))
    assert (whole.gets, whole.reads["columns"].low) == (1000 * (2 + 3), 4 * MB)
    assert (short.gets, short.reads["columns"].low) == (1000 * (2 + 3 * 4), 1 * MB)
    assert whole.gets * whole.reads["footers"].share == pytest.approx(2000)


def test_an_object_longer_than_a_split_is_opened_once_a_split_as_the_engine_reads_it() -> None:
    eight = asked(engine(**READER, lookups=2.0), scale=8.0)
    assert (eight.opens, eight.gets) == (2 * 2000, 2000 * (2 + 3 * 2))
    assert eight.read_bytes == pytest.approx(8 * 12 * GB, rel=0.01)


@pytest.mark.parametrize(("listings", "expected"), [("query", 500), ("session", 1562), ("catalog", 0)])
def test_directories_are_listed_in_each_query_once_a_session_or_never(listings: str, expected: int) -> None:
    """100 GB in 3,125 objects lie in half as many directories."""
    job = asked(engine(**READER, listings=listings), directories=1562)
    assert (job.probes, job.lists) == (expected, 2 * expected)


def test_an_engine_that_does_not_probe_lists_each_directory_by_one_request_a_page() -> None:
    """Of 3,125 objects in two directories each is listed by two pages of 1,000 names, and not asked for before."""
    runs = engine(**READER, probes_directories=False)
    one, two = (asked(runs, directories=count) for count in (0, 2))
    assert (one.probes, one.lists, one.listed_names) == (0, 3125, 1)
    assert (two.probes, two.lists, two.listed_names) == (0, 2 * 2, 1000)


def test_a_rate_of_the_store_that_refuses_requests_is_what_limits_reading() -> None:
    """A hundred reads a second of one prefix: 2,000 GETs take 20 s, which eight slots would read in less than one."""
    store = AmazonS3(system="amazon-s3", first_byte=0.001, connection_bandwidth=GB, get_rate=100.0)
    result = simulate(suite(engine(8), probes=0, lists=0).model_copy(update={"storage": store}))
    [reading] = [stage for stage in result.stages if stage.name == "reading"]
    assert reading.end - reading.start == pytest.approx(20.0, rel=0.1)
    assert reading.bottleneck is not None
    assert reading.bottleneck.resource == "reads of a prefix"


def test_an_engine_that_does_not_prune_reads_more_and_works_as_long() -> None:
    prunes, reads_all = (
        seconds(simulate(suite(engine(8, work_cpu=500e-9, prunes=prunes, **READER), unpruned=2.0, **OPENED)))
        for prunes in (True, False)
    )
    assert reads_all["reading"] == pytest.approx(2 * prunes["reading"], rel=0.03)
    assert reads_all["working after reading"] == pytest.approx(prunes["working after reading"])


def test_gets_that_were_counted_are_as_long_as_what_is_wanted_makes_them() -> None:
    job = asked(engine(overread=1.5), gets=6000)
    assert (job.gets, job.reads["columns"].high) == (6000, 3 * MB)


def test_a_suite_that_says_nothing_of_what_it_reads_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing says what is read"):
        suite(gets=0, reads={})


def test_no_more_is_wanted_than_the_objects_that_are_opened_hold() -> None:
    with pytest.raises(ValueError, match=r"the 10 objects opened hold 3\.2e\+08 B"):
        suite(**OPENED | {"opened": 10.0})


def test_only_workers_need_the_drives_of_exchanges() -> None:
    bare = server(bays={}, volumes={})
    machines = cluster(storage=(3, server(drives=2, drive=hdd())), gateways=(1, server()), workers=(1, bare))
    scenario = suite(servers="storage", driver="workers", local_dirs="data").model_copy(update={"cluster": machines})
    assert Scenario.model_validate(dict(scenario)).workload == scenario.workload
    with pytest.raises(ValueError, match="no such bay or volume"):
        Scenario.model_validate(dict(suite(servers="workers", local_dirs="data")) | {"cluster": machines})


def test_a_suite_tells_that_its_cards_burst_which_is_left_out() -> None:
    plain = suite()
    bursting = server(cpu=CORES.cpu, nic=card(bandwidth=1 * GB, baseline=0.25 * GB))
    workers = Group(server=bursting, count=1)
    groups = {**plain.cluster.groups, "workers": workers}
    burst = plain.model_copy(update={"cluster": plain.cluster.model_copy(update={"groups": groups})})
    told = [line for line in simulate(burst, seed=1).warnings if "on credits" in line]
    assert told == [
        "reading: cards of workers are taken at 250 MB/s, which they carry for ever: 1 GB/s on credits, for some"
        " 30 min 0 s, would read faster"
    ]
    assert not [line for line in simulate(plain, seed=1).warnings if "on credits" in line]


# what S3A makes of what an engine reads

MIB = 2.0**20


def derived(policy: str = "normal", **changes: Any) -> LakehousePlan:
    """Return a suite that opens 1,000 objects of 32 MiB, with two footers and four columns of 1 MiB each, by S3A."""
    runs = engine(requests=2, read_buffer=8 * MIB, **changes)
    bytes_wanted = {"opened": 1000, "object_size": 32 * MIB, "columns": 4, "wanted": 4000 * MIB}
    s3a = {"experimental": {"input": {"fadvise": policy}}}
    client = S3aClient.model_validate({"connector": "s3a", "fs": {"s3a": s3a}})
    opened = suite(runs, gets=0, reads={}, **bytes_wanted).model_copy(update={"client": client})
    return as_a(LakehousePlan, build(opened, salt=0))


def shares(plan: LakehousePlan) -> dict[str, float]:
    """Return the GETs of reading by name."""
    kinds = plan.runs()[-1].kinds
    return {kind.name: kind.weight for kind in kinds if kind.name.startswith("GET")}


@pytest.mark.parametrize(
    ("policy", "apart", "file_system", "name"),
    [
        ("normal", (), "hadoop", "GET columns"),
        ("normal", ("parquet",), "hadoop", "GET columns, left early"),
        ("sequential", (), "hadoop", "GET columns, left early"),
        ("random", ("parquet",), "hadoop", "GET columns"),
        ("sequential", (), "own", "GET columns"),  # an engine with a client of its own asks as it likes
    ],
)
def test_the_policy_of_s3a_says_which_connections_of_columns_are_left(
    policy: str, apart: tuple[str, ...], file_system: str, name: str
) -> None:
    plan = derived(policy, columns_apart=apart, file_system=file_system)
    assert shares(plan) == {name: pytest.approx(4000), "GET footers": pytest.approx(2000)}


def test_columns_in_a_vector_are_under_way_side_by_side() -> None:
    """Two footers one after the other, then four columns at once: six requests in three turns."""
    assert derived().runs()[-1].loop == Closed(1, slots=SLOTS)
    assert derived(vectored=("parquet",)).runs()[-1].loop == Closed(2, slots=SLOTS)


def test_connections_that_are_left_cost_new_ones_and_what_is_on_its_way() -> None:
    kept, left = (
        next(kind for kind in derived(policy).runs()[-1].kinds if kind.name.startswith("GET columns"))
        for policy in ("random", "sequential")
    )
    assert left.size.mean - kept.size.mean == pytest.approx(1 * GB * 0.2e-3)  # a card, in a round trip
    assert len(left.route) > len(kept.route)
