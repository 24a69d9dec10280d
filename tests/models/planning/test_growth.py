"""Data over the months by hand: compound growth, ingest and retention, later servers, the day of full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from models.jobs.kinds import Entry
from models.jobs.mapreduce import MapReduce
from models.jobs.storing import Storing
from models.planning.capacity import Planning
from models.planning.growth import (
    Expansion,
    Growth,
    Missed,
    add_months,
    cluster_at,
    data_at,
    first_missed,
    grow,
    scenario_at,
)
from models.scenario import ProfileInfo, Scenario
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from tests.models.machines import GB, cluster, nvme, server
from tests.simulator.small import framework

TB = 1e12
DAY = 86400.0
START = date(2027, 1, 1)
HDFS = Hdfs(system="hdfs", servers="workers", replication=2)


def scenario(storage: Any = HDFS, data: float = 10 * TB, **growth: Any) -> Scenario:
    """Return 10 TB kept on ten servers of 4 TB, which hold 20 TB in two copies."""
    return Scenario(
        profile=ProfileInfo(title="grows"),
        cluster=cluster(workers=(10, server(drives=4))),
        storage=storage,
        workload=Storing(kind="storing", data=data),
        growth=Growth(**{"start": START} | growth),
    )


def later(day: date, servers: int, **changes: Any) -> Expansion:
    return Expansion(date=day, servers=servers, **changes)


def test_data_grows_by_compound_interest_over_years_of_365_days() -> None:
    growing = scenario(annual_growth=0.3)
    assert data_at(growing, START) == 10 * TB
    assert data_at(growing, START + timedelta(days=365)) == pytest.approx(13 * TB)
    assert data_at(growing, START + timedelta(days=730)) == pytest.approx(16.9 * TB)
    assert data_at(growing, START + timedelta(days=73)) == pytest.approx(10 * TB * 1.3**0.2)


def test_ingest_adds_up_until_its_retention_and_then_stays() -> None:
    growing = scenario(ingest=1 * TB / DAY, retention=90 * DAY)
    assert [round(data_at(growing, START + timedelta(days=d)) / TB) for d in (0, 1, 89, 90, 91, 500)] == [
        *(10, 11, 99, 100, 100, 100)
    ]


def test_ingest_that_grows_is_the_integral_of_its_rate() -> None:
    """1 TB a day, twice as much after a year: after two years (4 - 1) / ln 2 x 365 TB, (4 - 2) / ln 2 of the last."""
    settings = {"ingest": 1 * TB / DAY, "ingest_growth": 1.0, "stored": 0.0}
    day = START + timedelta(days=730)
    assert data_at(scenario(**settings), day) == pytest.approx(3 / math.log(2) * 365 * TB)
    assert data_at(scenario(**settings, retention=365 * DAY), day) == pytest.approx(2 / math.log(2) * 365 * TB)


def test_data_may_shrink() -> None:
    assert data_at(scenario(annual_growth=-0.5), START + timedelta(days=365)) == pytest.approx(5 * TB)


def test_the_cluster_is_full_on_the_first_day_on_which_its_data_exceeds_what_it_holds() -> None:
    """10 TB at 30 % a year reach 20 TB after ln 2 / ln 1.3 = 2.642 years, 964.3 days."""
    full = grow(scenario(annual_growth=0.3)).full
    assert full == Missed(START + timedelta(days=965), "full drives")


def test_a_cluster_that_is_filled_to_the_byte_is_not_yet_full() -> None:
    """0.1 TB a day for a hundred days."""
    assert grow(scenario(ingest=0.1 * TB / DAY, retention=100 * DAY)).full is None
    assert grow(scenario(ingest=0.1 * TB / DAY)).full == Missed(START + timedelta(days=101), "full drives")


def test_the_cause_of_full_is_the_rule_that_leaves_the_least() -> None:
    rules = Planning(fill_limit=0.8, rebuild_servers=1, rebuilt_fill=0.85)
    full = grow(scenario(annual_growth=0.3).model_copy(update={"planning": rules})).full
    days = math.ceil(math.log(36 * 0.85 / 2 / 10) / math.log(1.3) * 365)
    assert full == Missed(START + timedelta(days=days), "room to rebuild 1 server")


def test_added_servers_put_full_off_from_their_day_on() -> None:
    """Five more servers hold 30 TB in all; full after ln 3 / ln 1.3 = 4.187 years."""
    plan = grow(scenario(annual_growth=0.3, expansions=(later(date(2029, 6, 1), 5),)))
    assert plan.full == Missed(START + timedelta(days=1529), "full drives")
    assert [(month.day, month.servers) for month in plan.months[28:30]] == [
        (date(2029, 5, 1), 10),
        (date(2029, 6, 1), 15),
    ]


def test_servers_that_come_too_late_do_not_change_the_day_of_full() -> None:
    late = scenario(annual_growth=0.3, expansions=(later(date(2029, 9, 1), 5),))
    plan = grow(late)
    assert plan.full == Missed(START + timedelta(days=965), "full drives")
    assert [month.fill > 1 for month in plan.months[31:34]] == [False, False, False]


def test_hdfs_fills_servers_of_another_generation_with_the_others() -> None:
    """Two servers of 32 TB beside ten of 4: 104 TB of drives hold 52 TB in two copies; one of 64 TB only 40."""
    big = server(drives=4, drive=nvme(capacity=8 * TB))
    pair = grow(scenario(expansions=(later(date(2027, 2, 1), 2, server=big),)))
    assert [month.effective / TB for month in pair.months[:2]] == pytest.approx([20, 52])
    single = server(drives=8, drive=nvme(capacity=8 * TB))
    lone = grow(scenario(expansions=(later(date(2027, 2, 1), 1, server=single),)))
    assert lone.months[1].effective == pytest.approx(40 * TB)


def test_minio_takes_added_servers_as_a_pool_with_sets_of_its_own() -> None:
    """Forty drives form sets of 10, 6 of them data; three more servers form a set of 12, 8 of them data."""
    minio = Minio(system="minio", servers="workers", parity=4)
    plan = grow(scenario(minio, expansions=(later(date(2027, 2, 1), 3),)))
    assert [month.effective / TB for month in plan.months[:2]] == pytest.approx([24, 24 + 8])


def test_the_table_has_a_row_for_the_start_and_for_each_month() -> None:
    months = grow(scenario(months=14, annual_growth=0.1)).months
    assert [month.day for month in (months[0], months[1], months[-1])] == [START, date(2027, 2, 1), date(2028, 3, 1)]
    assert len(months) == 15
    assert months[12].stored == pytest.approx(11 * TB)


@pytest.mark.parametrize(
    ("day", "months", "expected"),
    [
        (date(2027, 1, 31), 1, date(2027, 2, 28)),
        (date(2027, 1, 31), 13, date(2028, 2, 29)),
        (date(2027, 12, 15), 1, date(2028, 1, 15)),
        (date(2027, 11, 30), 1, date(2027, 12, 30)),
    ],
)
def test_months_end_where_the_calendar_says(day: date, months: int, expected: date) -> None:
    assert add_months(day, months) == expected


def test_the_scenario_of_a_day_has_its_servers_and_its_data_and_grows_no_more() -> None:
    growing = scenario(annual_growth=0.3, expansions=(later(date(2027, 7, 1), 5), later(date(2029, 1, 1), 5)))
    then = scenario_at(growing, START + timedelta(days=365))
    assert isinstance(then.workload, Storing)
    assert then.workload.data == pytest.approx(13 * TB)
    assert then.cluster.groups["workers"].count == 15
    assert then.growth is None
    assert cluster_at(growing, START).groups["workers"].count == 10


def job(**growth: Any) -> Scenario:
    run = MapReduce(kind="mapreduce", framework=framework(), generated=100 * GB, maps=12, cpu=0.0)
    return Scenario(**{**dict(scenario(**growth)), "workload": run})


def test_the_data_of_a_job_grows_only_where_the_growth_says_so() -> None:
    then = START + timedelta(days=365)
    sizes = [scenario_at(job(annual_growth=0.3, stored=1 * TB, workload_grows=w), then).workload for w in (False, True)]
    assert [run.generated for run in sizes if isinstance(run, MapReduce)] == pytest.approx([100 * GB, 130 * GB])


def test_a_job_of_one_servers_group_may_run_where_later_servers_have_more_drives() -> None:
    bigger = server(drives=8)
    then = scenario_at(job(stored=1 * TB, expansions=(later(date(2027, 2, 1), 2, server=bigger),)), date(2027, 3, 1))
    assert [batch.count for batch in then.cluster.groups["workers"].batches()] == [10, 2]


def test_the_first_missed_target_is_asked_for_month_by_month_and_before_full() -> None:
    growing = job(annual_growth=1.0, stored=10 * TB, workload_grows=True)
    slow = lambda days: ["too slow" if then.workload.generated > 150 * GB else None for _, then in days]  # noqa: E731
    assert first_missed(growing, slow) == Missed(date(2027, 9, 1), "too slow")  # after 0.585 years
    assert first_missed(growing, lambda days: [None] * len(days)) == Missed(date(2028, 1, 2), "full drives")


def test_nothing_is_asked_of_a_cluster_that_is_full() -> None:
    asked: list[date] = []

    def noted(days: Sequence[tuple[date, Scenario]]) -> list[str | None]:
        asked.extend(day for day, _ in days)
        return [None] * len(days)

    first_missed(scenario(annual_growth=0.3), noted)
    assert (len(asked), asked[0], asked[-1]) == (32, START, date(2029, 8, 1))  # full on the 23rd


@pytest.mark.parametrize(
    ("growth", "message"),
    [
        (
            {"expansions": (Expansion(date=START, servers=1),)},
            "expansions.0.date = 2027-01-01: must be after start = 2027-01-01; servers that are there at the start"
            " belong to the cluster",
        ),
        (
            {"expansions": (Expansion(date=date(2028, 1, 1), servers=1, group="workres"),)},
            "growth.expansions.0.group = 'workres': the cluster has no such group (it has: workers)",
        ),
        (
            {"expansions": (Expansion(date=date(2028, 1, 1), servers=1, server=server(bays={})),)},
            "growth.expansions: storage.bay = 'data': the servers have no such bay (they have: none)",
        ),
        ({"start": "1.1.2027"}, "expected a date such as '2027-01-31' (got '1.1.2027')"),
    ],
)
def test_growth_that_cannot_be_is_refused(growth: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as error:
        scenario(**growth)
    assert message in str(error.value)


def test_a_pool_of_minio_that_forms_no_set_is_refused() -> None:
    minio = Minio(system="minio", servers="workers", parity=4)
    with pytest.raises(ValidationError, match=r"growth.expansions: storage.parity = 4: a set of 4 drives has room"):
        scenario(minio, expansions=(later(date(2028, 1, 1), 1),))


def test_growth_of_a_scenario_without_any_is_refused() -> None:
    still = scenario().model_copy(update={"growth": None})
    with pytest.raises(ValueError, match=r"growth: missing; add a \[growth\] table"):
        grow(still)


def many(*growing: str, names: Sequence[str] = ("daily", "fixed")) -> Scenario:
    entries = [
        {"kind": "mapreduce", "name": name, "framework": framework(), "generated": 100 * GB, "maps": 12, "cpu": 0.0}
        for name in names
    ]
    growth = Growth(start=START, annual_growth=0.3, stored=1 * TB, growing_workloads=growing)
    workloads = TypeAdapter(tuple[Entry, ...]).validate_python(entries)
    stated = {key: part for key, part in scenario() if key != "workload"}
    return Scenario(**{**stated, "growth": growth, "workloads": workloads})


def test_of_many_workloads_those_that_are_named_grow_beside_the_others_and_alone() -> None:
    then, both = START + timedelta(days=365), many("daily")
    beside = scenario_at(both, then).workloads
    alone = [scenario_at(both.alone(name), then).workload for name in ("daily", "fixed")]
    for runs in (beside, alone):
        assert [run.generated for run in runs if isinstance(run, MapReduce)] == pytest.approx([130 * GB, 100 * GB])


def test_a_workload_that_grows_has_to_be_there() -> None:
    with pytest.raises(ValidationError, match=r"growth.growing_workloads.0 = 'dayly': .*; did you mean 'daily'?"):
        many("dayly")
    with pytest.raises(ValidationError, match="a single workload has none: state workload_grows = true"):
        scenario(annual_growth=0.3, stored=1 * TB, growing_workloads=("dayly",))
