"""Histories and outputs of MapReduce jobs as observed work: one job in five formats says the same."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.importing import read as imported
from models.jobs.observed import Observed
from models.scenario import Scenario
from models.storage.clients.s3a import S3aClient
from models.storage.hdfs.system import Hdfs
from profiles.imports.finding import Finding, Value
from profiles.imports.opening import sources
from profiles.imports.processors import observed_speed
from profiles.imports.reading import findings
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load_text
from tests.narrow import as_a
from tests.profiles.imports import hadoop_fixtures as made
from tests.profiles.imports.fixtures import LSCPU

Read = Callable[..., Finding]
HISTORIES = ("Hadoop job history", "Hadoop 1 job history", "Rumen trace")


def told(finding: Finding, place: int = 0) -> dict[str, Any]:
    return {key: value.value for key, value in finding.workloads[place].values.items()}


def stage(finding: Finding, place: int) -> dict[str, Any]:
    """Return the only portion of a stage."""
    begin = f"stages.{place}.tasks.0."
    return {key.removeprefix(begin): value for key, value in told(finding).items() if key.startswith(begin)}


@pytest.mark.parametrize("name", HISTORIES)
def test_a_job_is_its_maps_its_reduces_behind_them_and_its_commit(read: Read, name: str) -> None:
    finding = read(made.FIXTURES[name])
    work = told(finding)
    assert [work[f"stages.{i}.name"] for i in range(3)] == ["map", "reduce", "commit"]
    assert [work.get(f"stages.{i}.after") for i in range(3)] == [None, ["map"], ["reduce"]]
    collection = {} if name == "Rumen trace" else {"collection": 2.0}  # which a trace does not tell
    cpu = 12.0 - collection.get("collection", 0.0)
    of_bytes = {"stalled": 20.0 - 12.0, "input": 128e6, "handed_on": 40e6}
    assert stage(finding, 0) == pytest.approx({"count": 8, "cpu": cpu, **collection, **of_bytes})
    assert (work["stages.0.delay"], stage(finding, 2)["wait"]) == pytest.approx((6.0, 1.5))


@pytest.mark.parametrize("name", HISTORIES)
def test_a_reduce_counts_from_the_end_of_the_last_map(read: Read, name: str) -> None:
    finding = read(made.FIXTURES[name])
    reduce, measured = stage(finding, 1), {one.about: one.value for one in finding.workloads[0].outcomes}
    assert (reduce["fetched"], reduce["spilled"], reduce["output"]) == (160e6, 160e6, 400e6)
    assert measured == pytest.approx({"map": 40.0, "reduce": 14.0, "commit": 1.5, "": 61.5})


@pytest.mark.parametrize("name", HISTORIES)
def test_servers_have_as_many_slots_as_ran_tasks_of_a_kind_at_a_time(read: Read, name: str) -> None:
    finding = read(made.FIXTURES[name])
    assert [part.values["cpu.cores"].value for part in finding.parts if part.kind == "server"] == [2, 2]
    assert (told(finding)["framework.executors"], told(finding)["framework.cores"]) == (2, 1)
    assert [part.values["kind"].value for part in finding.parts if part.kind == "storage"] == ["hdfs"]


def test_attempts_that_were_lost_are_told(read: Read) -> None:
    messages = [note.message for note in read(made.FIXTURES["Hadoop job history"]).warnings]
    assert "1 killed attempts at tasks left out: what they took is not part of the work" in messages


def test_counters_of_a_job_give_sums_that_are_spread_over_like_tasks(read: Read) -> None:
    finding = read(made.FIXTURES["Hadoop job output"])
    map_, reduce = stage(finding, 0), stage(finding, 1)
    assert (map_["count"], map_["input"], map_["handed_on"]) == (8, 128e6, 40e6)
    assert (reduce["count"], reduce["fetched"], reduce["output"]) == (2, 160e6, 400e6)
    total = 8 * (map_["cpu"] + map_["collection"]) + 2 * (reduce["cpu"] + reduce["collection"])
    assert total == pytest.approx(8 * 12 + 2 * 9)
    assert {one.about: one.value for one in finding.workloads[0].outcomes} == pytest.approx(
        {"map": 40.0, "reduce": 15.0, "": 61.0}
    )


def test_settings_beside_a_history_set_up_its_containers_and_its_storage(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(made.history())
    (tmp_path / "b").write_text(made.SETTINGS)
    report, _ = imported([str(tmp_path)])
    scenario = load_text(report.profiles[0].text, Scenario, path=tmp_path / "profile.toml").scenario
    assert as_a(Observed, scenario.workload).framework.memory == pytest.approx(2 * 2.0**30, 1e-5)
    assert scenario.storage.system == "hdfs"
    storage = as_a(Hdfs, scenario.storage)
    assert storage.block_size == pytest.approx(256 * 2.0**20, 1e-5)
    assert storage.replication == 2


def test_a_history_that_breaks_off_tells_what_had_ended(read: Read) -> None:
    lines = made.history().splitlines()
    finding = read("\n".join(lines[: len(lines) // 2]))
    assert [told(finding).get(f"stages.{i}.name") for i in range(2)] == ["map", None]
    assert not finding.problems


def test_a_line_that_is_none_of_a_history_is_told_and_left_out(read: Read) -> None:
    finding = read(made.history().replace('"attemptId":', '"attempt":', 1))
    assert "cannot be read, this is the first: left out" in finding.warnings[0].message


def test_a_binary_history_names_the_setting_that_writes_a_readable_one(read: Read) -> None:
    (problem,) = read(b"Avro-Binary\n\x00\x12\x88").problems
    assert "mapreduce.jobhistory.jhist.format=json" in problem.message


def test_jobs_of_a_folder_are_one_record_with_the_slots_of_all(tmp_path: Path) -> None:
    for job in range(3):
        (tmp_path / f"{job}").write_text(made.history(job, at=100_000 * job))
    with sources([str(tmp_path)]) as files:
        (finding,) = findings(files)
    assert len(finding.workloads) == 3
    assert len([part for part in finding.parts if part.kind == "server"]) == 2


def test_a_cpu_second_is_worth_what_the_processor_beside_the_history_says(tmp_path: Path) -> None:
    (tmp_path / "lscpu").write_text(json.dumps(LSCPU))
    (tmp_path / "history").write_text(made.history())
    report, _ = imported([str(tmp_path / "lscpu"), str(tmp_path / "history")])
    work = load_text(report.profiles[0].text, Scenario, path=tmp_path / "p.toml").scenario.workload
    assert as_a(Observed, work).speed == pytest.approx(0.86)  # two of 32 cores were busy


@pytest.mark.parametrize(("slots", "part"), [(1, 1.0), (32, 1.0), (64, 0.5), (None, 0.5)])
def test_tasks_that_share_a_core_have_half_of_what_its_threads_yield(slots: int | None, part: float) -> None:
    stated: dict[str, str | int] = {"cpu.model": "AMD EPYC 7763", "cpu.threads": 64, "cpu.cores": 32}
    values = {key: Value(value, "", "lscpu 1") for key, value in stated.items()}
    known = tomllib.loads((SHIPPED.root / "hardware/processors/epyc-7763.toml").read_text())
    worth = known["speed"] if part == 1 else known["speed"] * known["smt_yield"] / 2
    assert observed_speed(values, slots) == pytest.approx(worth)


def settings(*, source: str = "", **stated: str) -> str:
    """Return a site file with keys in which dots are written as `__`, hyphens as `_0_`."""
    tag = f"<source>{source}</source>" if source else ""
    body = "".join(
        f"<property><name>{key.replace('__', '.').replace('_0_', '-')}</name><value>{value}</value>{tag}</property>\n"
        for key, value in stated.items()
    )
    return f"<configuration>\n{body}</configuration>\n"


ON_OBJECTS = {"fs__defaultFS": "s3a://secret-bucket", "fs__s3a__block__size": "128M"}
TUNED = ON_OBJECTS | {
    "fs__s3a__threads__max": "256",
    "fs__s3a__experimental__input__fadvise": "random",
    "fs__s3a__readahead__range": "1M",
    "fs__s3a__vectored__read__min__seek__size": "128K",
    "fs__s3a__committer__name": "magic",
    "fs__s3a__multipart__purge": "true",
    "fs__s3a__multipart__purge__age": "24h",
    "mapreduce__fileoutputcommitter__algorithm__version": "1",
}


def values_of(finding: Finding, kind: str) -> dict[str, Any]:
    return {key: value.value for part in finding.parts if part.kind == kind for key, value in part.values.items()}


def test_settings_of_s3a_are_those_of_its_client(read: Read) -> None:
    mib = 2.0**20
    assert values_of(read(settings(**TUNED)), "client") == {
        "fs.s3a.block.size": 128 * mib,
        "fs.s3a.threads.max": 256,
        "fs.s3a.experimental.input.fadvise": "random",
        "fs.s3a.readahead.range": mib,
        "fs.s3a.vectored.read.min.seek.size": mib / 8,
        "fs.s3a.committer.name": "magic",
        "fs.s3a.committer.algorithm": 1,
        "fs.s3a.multipart.purge.age": 86400.0,
    }


@pytest.mark.parametrize("word", ["normal", "default", "adaptive"])
def test_later_releases_have_other_words_for_the_normal_policy(read: Read, word: str) -> None:
    finding = read(settings(**ON_OBJECTS, fs__s3a__experimental__input__fadvise=word))
    assert values_of(finding, "client")["fs.s3a.experimental.input.fadvise"] == "normal"


def test_each_setting_names_its_line(read: Read) -> None:
    finding = read(settings(**TUNED))
    lines = [value.line for part in finding.parts if part.kind == "client" for value in part.values.values()]
    assert sorted(line for line in lines if line) == [3, 4, 5, 6, 7, 8, 10, 11]


@pytest.mark.parametrize("text", ["", "nan", "inf", "-5", "1e400", "12 apples", "9" * 5000])
def test_a_setting_that_is_no_number_is_left_out_in_words(read: Read, text: str) -> None:
    stated = {"fs__s3a__readahead__range": text, "fs__s3a__threads__max": text}
    of_purge = {"fs__s3a__multipart__purge": "true", "fs__s3a__multipart__purge__age": text}
    finding = read(settings(**ON_OBJECTS, **stated, **of_purge))
    assert not finding.problems
    assert len(finding.warnings) == 3
    assert set(values_of(finding, "client")) == {"fs.s3a.block.size"}


@pytest.mark.parametrize(("text", "age"), [("86400", 86400.0), ("24h", 86400.0), ("90s", 90.0), ("5m", 300.0)])
def test_ages_may_have_units_in_later_releases(read: Read, text: str, age: float) -> None:
    of_purge = {"fs__s3a__multipart__purge": "true", "fs__s3a__multipart__purge__age": text}
    assert values_of(read(settings(**ON_OBJECTS, **of_purge)), "client")["fs.s3a.multipart.purge.age"] == age


def test_purging_is_off_unless_it_is_switched_on(read: Read) -> None:
    finding = read(settings(**ON_OBJECTS, fs__s3a__multipart__purge__age="86400"))
    assert "fs.s3a.multipart.purge.age" not in values_of(finding, "client")


def test_what_the_model_of_s3a_does_not_have_is_told_in_words_and_names_no_bucket(read: Read) -> None:
    others = {"fs__s3a__retry__limit": "7", "fs__s3a__socket__recv__buffer": "65536", "fs__s3a__access__key": "secret"}
    wrong = {"fs__s3a__input__fadvise": "random", "fs__s3a__bucket__secret__threads__max": "4"}
    unknown = {"fs__s3a__committer__name": "manifest"}
    warnings = [told.message for told in read(settings(**ON_OBJECTS, **others, **wrong, **unknown)).warnings]
    assert warnings == [
        "fs.s3a.committer.name left out: expected one of file, directory, partitioned, magic",
        "fs.s3a.input.fadvise left out: S3A has no such key, and does not read it: fs.s3a.experimental.input.fadvise "
        "is one",
        "fs.s3a.retry.limit, fs.s3a.socket.recv.buffer left out: the model of S3A has no such settings",
        "1 settings of single buckets (fs.s3a.bucket.*) left out: a profile has one client for all",
    ]


def test_what_a_release_ships_is_taken_from_the_settings_of_a_job_but_not_told(read: Read) -> None:
    shipped = {"fs__s3a__connection__maximum": "500", "fs__s3a__retry__limit": "7"}
    finding = read(settings(**ON_OBJECTS, **shipped, source="core-default.xml"))
    assert values_of(finding, "client")["fs.s3a.connection.maximum"] == 500
    assert not finding.warnings
    on_files = {"fs__defaultFS": "hdfs://host"} | shipped
    assert not values_of(read(settings(**on_files, source="core-default.xml")), "client")


def test_settings_of_s3a_make_the_client_of_an_imported_job_on_objects(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(made.history().replace("HDFS", "S3A"))
    (tmp_path / "b").write_text(settings(**TUNED))
    report, _ = imported([str(tmp_path)])
    client = as_a(
        S3aClient, load_text(report.profiles[0].text, Scenario, path=tmp_path / "profile.toml").scenario.client
    )
    assert client.fs.s3a.threads.max == 256
    assert client.policy(None) == "random"
    assert "secret" not in report.profiles[0].text


def test_settings_of_s3a_are_left_out_where_data_lie_on_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(made.history())
    (tmp_path / "b").write_text(settings(**TUNED | {"fs__defaultFS": "hdfs://host"}))
    report, _ = imported([str(tmp_path)])
    assert "client" not in report.profiles[0].text
    assert any("settings of S3A are left out, as data lie on hdfs" in f"{note}" for note in report.notes)


def test_settings_of_jobs_hold_for_those_of_which_nobody_counted_the_tasks(read: Read) -> None:
    asked = {
        "mapreduce__input__fileinputformat__split__minsize": "268435456",
        "mapreduce__task__io__sort__mb": "512",
        "yarn__scheduler__capacity__node_0_locality_0_delay": "0",
        "mapreduce__map__memory__mb": "-1",
    }
    assert values_of(read(settings(**asked)), "job") == {
        "split_minsize": 2.0**28,
        "framework.sort_memory": 2.0**29,
        "framework.locality_delay": 0,
    }
    assert not values_of(read(settings(mapreduce__input__fileinputformat__split__minsize="0")), "job")


def test_yarn_waits_for_no_place_below_zero_and_brings_a_container_at_least(read: Read) -> None:
    a_heartbeat = "yarn__scheduler__capacity__per_0_node_0_heartbeat__maximum_0_offswitch_0_assignments"
    in_all = "yarn__scheduler__capacity__per_0_node_0_heartbeat__maximum_0_container_0_assignments"
    asked = {"yarn__scheduler__capacity__node_0_locality_0_delay": "-1", a_heartbeat: "0", in_all: "20"}
    assert values_of(read(settings(**asked)), "job") == {
        "framework.locality_delay": 0,
        "framework.off_switch": 1,
        "framework.heartbeat_containers": 20,
    }
