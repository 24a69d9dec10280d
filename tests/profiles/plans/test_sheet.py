"""A plan as text: what a customer requires, and candidates that become profiles which anybody can run."""

from __future__ import annotations

import math
from datetime import date, timedelta
from pathlib import Path

import pytest

from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.planning.sheet import Requirements
from models.problem import ProblemError
from models.scenario import Scenario
from models.units import DAY
from profiles.loading.catalog import names
from profiles.loading.loader import load_text
from profiles.plans.sheet import Sheet, sheet, sheet_of_text
from profiles.text.dump import dump
from simulator.studies.measures import of_scenario
from tests.app import plans
from tests.narrow import as_a

HEAD = f"""{plans.HEAD}\
years = 2
stored = "1 PB"
annual_growth = "50 %"
"""
NOTHING = f"""{plans.HEAD}
[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "6"
"""
JOB = """
[[requirements.workloads]]
name = "nightly"
use = "terasort"
input = "2 TB"
deadline = "1 h"
"""
LOAD = """
[[requirements.workloads]]
name = "web"
kind = "requests"
rate = "1000 1/s"
mix.GET = { action = "get", size = "1 MiB" }
objectives = ["GET latency p99 <= 50 ms"]
"""
OWNED = [name for name in names("storage") if not name.startswith(("amazon", "hepix", "hdfs-emr", "local"))]


def candidate(storage: str, more: str = "") -> str:
    return f'\n[candidates.A]\nstorage = "{storage}"\nservers = "hdd-25gbe"\ncount = "16,24"\n{more}'


def read(text: str) -> Sheet:
    return sheet_of_text(text, Path("plan.toml"))


def scenario(text: str) -> Scenario:
    document = read(text)
    run = document.plan.requirements.workloads
    return document.variants("A", run).load({**document.settings("A"), **dict(document.points("A")[0])}).scenario


@pytest.mark.parametrize("storage", OWNED)
def test_every_storage_system_of_ones_own_serves_jobs_on_servers_that_nobody_named(storage: str) -> None:
    profile = scenario(HEAD + JOB + candidate(storage))
    assert set(profile.storage.server_groups().values()) == {"servers"}
    assert profile.workload.server_groups() == {"workload.framework.servers": "servers"}
    assert profile.workload.places() == {"workload.framework.local_dirs": "data"}


def test_jobs_run_on_servers_of_their_own_where_a_candidate_has_them() -> None:
    profile = scenario(HEAD + JOB + candidate("minio", 'compute = "nvme-25gbe"\ncompute_count = "6"\n'))
    assert {name: group.count for name, group in profile.cluster.groups.items()} == {"servers": 16, "compute": 6}
    assert profile.workload.server_groups() == {"workload.framework.servers": "compute"}


def test_requests_come_from_machines_of_the_customer_that_cost_nothing() -> None:
    profile = scenario(HEAD + LOAD + candidate("minio"))
    assert profile.workload.server_groups() == {"workload.clients": "clients"}
    assert profile.prices is not None
    assert profile.prices.servers[profile.cluster.groups["clients"].server.model].capital == 0


@pytest.mark.parametrize(
    ("storage", "name", "raw"),
    [
        ("hdfs", "2x", 2.0),
        ("hdfs", "EC 6+3", 1.5),
        ("hdfs-rs-6-3", "3x", 3.0),
        ("minio", "EC:4", 4 / 3),
        ("minio", "EC:0", 1.0),
        ("minio", "EC 8+4", 1.5),
        ("ceph", "EC 4+2", 1.5),
        ("ceph-4-2", "2x", 2.0),
        ("object-store", "EC 10+2", 1.2),
        ("lustre", "EC 8+2", 1.25),
    ],
)
def test_a_protection_by_its_name_decides_the_raw_bytes_of_a_byte(storage: str, name: str, raw: float) -> None:
    profile = scenario(HEAD + JOB + candidate(storage, f'protection = "{name}"\n'))
    assert profile.storage.raw_per_byte(profile.cluster) == pytest.approx(raw)


def test_a_protection_that_a_system_does_not_have_is_refused_where_it_stands() -> None:
    with pytest.raises(ProblemError) as error:
        scenario(HEAD + JOB + candidate("hdfs", 'protection = "EC 7+2"\n'))
    assert f"{error.value}" == (
        "plan.toml:22: candidates.A.protection: expected copies, or one of EC 3+2, EC 6+3, EC 10+4 (got 'EC 7+2')"
    )


def test_a_growth_whose_sign_of_percent_was_forgotten_is_refused() -> None:
    with pytest.raises(ProblemError) as error:
        read((HEAD + JOB + candidate("hdfs")).replace('"50 %"', '"50"'))
    assert "annual_growth: expected at most '1000 %', such as '30 %' (got 50" in f"{error.value}"


def test_a_candidate_is_a_profile_that_anybody_can_run() -> None:
    document = read(HEAD + JOB + candidate("minio"))
    loaded = document.variants("A", document.plan.requirements.workloads).load(dict(document.points("A")[1]))
    again = load_text(dump(loaded.resolved), Scenario).scenario
    assert again == loaded.scenario
    assert again.cluster.groups["servers"].count == 24


def test_the_profile_grows_and_degrades_as_the_plan_says() -> None:
    text = HEAD + 'while_degraded = "2 drives"\n' + JOB + candidate("hdfs")
    document = read(text)
    variants = document.variants("A", document.plan.requirements.workloads, is_degraded=True)
    scenario = variants.load(dict(document.points("A")[0])).scenario
    assert scenario.growth is not None
    assert scenario.growth.end() == date(2029, 1, 1)
    assert scenario.growth.stored == 1e15
    assert scenario.failures is not None
    assert [fault.component for fault in scenario.failures.faults] == ["servers-1/data-1", "servers-2/data-1"]


def test_a_job_that_runs_alone_comes_as_often_as_the_plan_says_and_a_load_goes_on() -> None:
    daily = JOB.replace("deadline", 'every = "1 d"\ndeadline')
    assert scenario(HEAD + daily + candidate("hdfs")).workload.every == DAY
    assert scenario(HEAD + JOB + candidate("hdfs")).workload.every is None
    assert scenario(HEAD + LOAD + candidate("minio")).workload.every is None


def test_everything_that_is_wrong_is_told_at_once_with_its_line() -> None:
    wrong = HEAD + JOB.replace("2 TB", "2 TBx") + candidate("minioo")
    with pytest.raises(ProblemError) as error:
        scenario(wrong)
    assert "plan.toml:19: candidates.A.storage: nothing is named 'minioo'" in f"{error.value}"
    with pytest.raises(ProblemError) as error:
        scenario(wrong.replace("minioo", "minio"))
    assert "plan.toml:15: requirements.workloads.0.input: expected a size" in f"{error.value}"


@pytest.mark.parametrize("key", ["survives_reading", "survives_writing", "while_degraded"])
@pytest.mark.parametrize("failures", ["two", f"{'9' * 5000} drives"])
def test_failures_that_no_cluster_has_are_refused_with_their_line(key: str, failures: str) -> None:
    with pytest.raises(ProblemError) as error:
        read(f'{HEAD}{key} = "{failures}"\n{JOB}{candidate("minio")}')
    assert [problem.line for problem in error.value.problems] == [11]
    assert "expected failures such as '1 server'" in f"{error.value}"


def test_costs_are_told_in_the_currency_of_the_budget_if_the_price_list_says_what_it_is_worth() -> None:
    wanted = HEAD + 'budget = "2 M EUR"\n' + JOB + candidate("minio")
    with pytest.raises(ProblemError) as error:
        scenario(wanted)
    assert f"{error.value}" == (
        "plan.toml:11: prices.currency: the price list does not say what EUR is worth; state it in the list,"
        ' such as currencies.EUR.value = "1.08 USD",'
        ' or beside its name: { use = "NAME", currencies.EUR.value = "1.08 USD" }'
    )
    listed = '{ use = "on-premises-2024", currencies.EUR.value = "1.25 USD" }'
    in_euros, in_dollars = (
        scenario(text)
        for text in (wanted.replace('"on-premises-2024"', listed), wanted.replace("2 M EUR", "2.5 M USD"))
    )
    measure = "cost_over_2_years"
    euros, dollars = (of_scenario(priced, [measure])[measure] for priced in (in_euros, in_dollars))
    assert (euros.unit, dollars.unit) == ("EUR", "USD")
    assert dollars.value == pytest.approx(1.25 * euros.value)


def test_workloads_beside_each_other_are_in_one_run_and_others_alone() -> None:
    def named(name: str, *beside: str) -> dict[str, object]:
        return {"name": name, "beside": beside}

    stated = (named("a", "c"), named("b"), named("c"), named("d", "c"))
    runs = Requirements.model_validate({"start": "2027-01-01", "workloads": stated}).runs()
    assert [[demand.name for demand in run] for run in runs] == [["a", "c", "d"], ["b"]]


def test_what_is_required_is_of_the_last_day() -> None:
    requirements = sheet("hdfs-or-minio").plan.requirements
    limits = {need.target.measure: need.target.limit for need in requirements.required()}
    assert requirements.stored_at(requirements.end) == pytest.approx(
        2e15 * 1.4 ** ((requirements.end - requirements.start).days / 365)
    )
    assert limits["cost_over_3_years"] == "1.5 M USD"
    assert (limits["survives_reading_servers"], limits["survives_writing_servers"]) == ("2", "1")


def test_what_is_required_of_data_that_shrinks_is_of_the_first_day() -> None:
    asked = Requirements.model_validate({"start": "2027-01-01", "stored": "1 PB", "annual_growth": -0.2})
    assert asked.fullest == date(2027, 1, 1)
    assert [need.words for need in asked.required()] == ["Room on 2027-01-01"]
    assert asked.grown(asked.fullest) == 1


def test_what_comes_in_while_other_data_vanishes_is_most_when_the_first_of_it_is_deleted() -> None:
    stated = {"start": "2027-01-01", "stored": "1 PB", "annual_growth": -0.1, "ingest": "2 TB/d", "retention": "400 d"}
    asked = Requirements.model_validate(stated)
    days = [asked.start + timedelta(days=day) for day in range((asked.end - asked.start).days + 1)]
    assert asked.fullest == max(days, key=asked.stored_at) == date(2028, 2, 5)


def test_what_comes_in_may_grow_by_itself() -> None:
    """Two years of 731 days at a TB a year, which rises by half of it, are an integral."""
    stated = {"start": "2027-01-01", "years": 2, "ingest": f"{1 / 365} TB/d", "ingest_growth": "50 %"}
    asked = Requirements.model_validate(stated)
    assert asked.stored_at(asked.end) == pytest.approx((1.5 ** (731 / 365) - 1) / math.log(1.5) * 1e12)
    growing = scenario(HEAD + 'ingest = "1 TB/d"\ningest_growth = "50 %"\n' + candidate("hdfs")).growth
    assert growing is not None
    assert growing.ingest_growth == 0.5


def test_a_problem_of_one_candidate_names_it_and_one_of_all_names_none() -> None:
    one, other = candidate("hdfs"), candidate("ceph").replace("candidates.A", "candidates.B").replace("16,24", "1")
    with pytest.raises(ProblemError) as error:
        read(HEAD + JOB + one + other).check()
    assert [f"{problem}".rpartition("; ")[2] for problem in error.value.problems] == [
        "this is of the candidate 'B'",
    ]
    with pytest.raises(ProblemError) as error:
        read(HEAD + JOB.replace("2 TB", "2 TBx") + one + other.replace('"1"', '"16"')).check()
    assert "candidate" not in f"{error.value}"


def test_a_load_beside_a_job_goes_on_while_that_runs_and_a_lone_one_does_not() -> None:
    together = JOB + LOAD + 'beside = ["nightly"]\n'
    loads = {entry.name: entry for entry in scenario(HEAD + together + candidate("minio")).workloads}
    assert loads["web"].while_others_run
    web = as_a(ObjectLoad, loads["web"])
    assert (web.duration, web.count) == (3600.0, None)
    apart = read(HEAD + JOB + LOAD + candidate("minio")).loaded_at("A", read(HEAD + candidate("minio")).points("A")[0])
    entry = next(entry for entry in apart.scenario.workloads if entry.name == "web")
    assert not entry.while_others_run
    alone = as_a(ObjectLoad, entry)
    assert (alone.duration, alone.count) == (None, 20000)
    hours = f"rate_by_hour = {[0.5] * 12 + [1.0] * 12}\n"
    daily = next(
        entry for entry in scenario(HEAD + together + hours + candidate("minio")).workloads if entry.name == "web"
    )
    assert daily.while_others_run
    assert as_a(ObjectLoad, daily).duration == DAY
    stated = HEAD + together.replace('rate = "1000 1/s"', 'rate = "1000 1/s"\nduration = "60 s"') + candidate("minio")
    minute = next(entry for entry in scenario(stated).workloads if entry.name == "web")
    assert not minute.while_others_run
    assert as_a(ObjectLoad, minute).duration == 60.0


def test_a_plan_in_which_nothing_is_stored_and_nothing_runs_says_so() -> None:
    made = sheet_of_text(NOTHING, Path("plan.toml"))
    with pytest.raises(ProblemError, match="nothing is stored, and nothing runs; state"):
        made.loaded_at("HDFS", made.points("HDFS")[-1])


def test_a_name_that_no_file_can_have_is_refused_as_others_are() -> None:
    with pytest.raises(ProblemError, match="no file has this name"):
        sheet("hdfs-or\0minio")


BOTH = HEAD + JOB + LOAD + candidate("hdfs") + "[candidates.A.workloads.web]\nabsent = true\n"


@pytest.mark.parametrize("key", ["workload", "workloads.nightly"])
def test_a_setting_of_the_only_workload_holds_wherever_a_profile_is_made_of_it(key: str) -> None:
    changed = read(HEAD + JOB + candidate("hdfs")).changed({f"{key}.framework.locality_delay": "0"})
    changed.check()
    for run in (None, changed.plan.requirements.workloads):
        profile = changed.loaded_at("A", changed.points("A")[0], run).scenario
        (alone,) = profile.each().values()
        assert as_a(MapReduce, alone.workload).framework.locality_delay == 0


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("workload.input", "several workloads: set 'workloads.nightly.input' or 'workloads.web.input'"),
        ("workloads.nihgtly.input", "no such workload: 'nihgtly'; did you mean 'nightly'"),
    ],
)
def test_a_setting_of_one_of_several_workloads_says_of_which(key: str, message: str) -> None:
    changed = read(BOTH).changed({key: "1 TB"})
    with pytest.raises(ProblemError, match=message):
        changed.loaded_at("A", (), None if key.startswith("workload.") else changed.runs("A")[0])


def test_a_setting_of_a_workload_that_a_candidate_does_without_changes_nothing_there() -> None:
    plain = read(BOTH)
    changed = plain.changed({"workloads.web.rate": "7 1/s"})
    for run in (None, plain.runs("A")[0]):
        assert changed.loaded_at("A", (), run).scenario == plain.loaded_at("A", (), run).scenario
