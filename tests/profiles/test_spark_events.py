"""Event logs of Spark as observed work: what tasks did is added up, skew stays, and nothing has a name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from profiles.imports.finding import Finding
from profiles.imports.observed_stages import NUMBERS, Tasks
from profiles.imports.opening import sources
from profiles.imports.reading import findings
from tests.profiles.event_logs import BEGIN, MS, START, completed, event, executor, job, query, removed, task


def found(folder: Path, lines: Iterable[str]) -> Finding:
    path = folder / "log"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    with sources([str(path)]) as files:
        (finding,) = findings(files)
    return finding


def work(finding: Finding) -> dict[str, Any]:
    (made,) = finding.workloads
    return {key: value.value for key, value in made.values.items()}


def measured(finding: Finding) -> dict[str, float]:
    return {outcome.about: outcome.value for made in finding.workloads for outcome in made.outcomes}


def _numbers(**numbers: float) -> tuple[float, ...]:
    return tuple(numbers.get(name, 0.0) for name in NUMBERS)


def stage(number: int, begin: int, end: int, **metrics: Any) -> list[str]:
    """Return a stage of two tasks that take all of its time."""
    return [*(task(number, begin, end, **metrics) for _ in range(2)), completed(number, 2, begin, end)]


def test_a_task_is_its_cpu_time_its_bytes_and_the_time_that_neither_explains(tmp_path: Path) -> None:
    metrics = {"cpu": 700, "gc": 100, "fetched": 5e6, "written": 2e6, "spilled": 1e6}
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *stage(0, 10, 1010, **metrics)]))
    numbers = {key.rpartition(".")[2]: value for key, value in told.items() if key.startswith("stages.0.tasks.0.")}
    assert numbers == pytest.approx(
        {"count": 2, "cpu": 0.7, "collection": 0.1, "wait": 0.2, "fetched": 5e6, "handed_on": 2e6, "spilled": 1e6}
    )


def test_what_a_task_that_reads_waits_for_within_its_run_is_left_to_the_storage(tmp_path: Path) -> None:
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *stage(0, 0, 1000, cpu=300, run=950, input=1e6)]))
    assert (told["stages.0.tasks.0.input"], told["stages.0.tasks.0.wait"]) == pytest.approx((1e6, 0.05))
    assert told["stages.0.tasks.0.stalled"] == pytest.approx(0.65)


def test_a_slow_task_stays_a_portion_of_its_own(tmp_path: Path) -> None:
    tasks = [task(0, 0, 1000, cpu=1000) for _ in range(99)] + [task(0, 500, 9500, cpu=9000)]
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *tasks, completed(0, 100, 0, 9500)]))
    assert [told[f"stages.0.tasks.{i}.{key}"] for i in (0, 1) for key in ("count", "cpu", "turn")] == pytest.approx(
        [99, 1.0, 0.0, 1, 9.0, 1.0]
    )


def test_stages_follow_those_that_had_ended_and_the_driver_takes_what_lies_between(tmp_path: Path) -> None:
    lines = [*BEGIN, query(7, 0), job(0, [0, 1, 2], 100, query=7), *stage(0, 200, 1000), *stage(1, 200, 2000)]
    lines += [*stage(2, 2050, 3000), job(1, [3], 9000), *stage(3, 9010, 9500)]
    finding = found(tmp_path, lines)
    told = work(finding)
    assert [told.get(f"stages.{i}.after") for i in range(4)] == [None, None, ["0", "1"], ["2"]]
    delays = [told.get(f"stages.{i}.delay", 0.0) for i in range(4)]
    assert delays == pytest.approx([0.2, 0.2, 0.05, 0.01])  # what lies between jobs is nobody's
    assert [told[f"stages.{i}.query"] for i in range(4)] == ["sql 7", "sql 7", "sql 7", "job 1"]
    assert measured(finding) == pytest.approx(
        {"0": 0.8, "1": 1.8, "2": 0.95, "3": 0.49, "query sql 7": 3.0, "query job 1": 0.5}
    )


def test_attempts_that_were_lost_are_told_of_and_left_out(tmp_path: Path) -> None:
    lines = [*BEGIN, job(0, [0], 0), task(0, 0, 5000, killed=1), *stage(0, 0, 1000, cpu=900)]
    finding = found(tmp_path, lines)
    assert work(finding)["stages.0.tasks.0.count"] == 2
    assert "1 killed attempts at tasks left out" in finding.warnings[0].message


def test_executors_that_were_alive_at_once_are_the_servers(tmp_path: Path) -> None:
    changes = [removed("2", at=50), executor("3", "two.example.com", 4, at=60), executor("4", "one.example.com", 4)]
    finding = found(tmp_path, [*BEGIN, *changes, job(0, [0], 100), *stage(0, 100, 900)])
    told = work(finding)
    assert [part.values["cpu.cores"].value for part in finding.parts] == [6, 6]  # 8 and 4
    assert (told["framework.cores"], told["framework.memory"]) == (4, 4 * 2**30)
    assert told["framework.memory_fraction"] == 0.7
    assert "4 to 8 cores" in finding.warnings[0].message


def test_tasks_of_an_executor_that_came_while_their_stage_ran_are_late(tmp_path: Path) -> None:
    came = [START, executor("1", "one.example.com", 1), job(0, [0], 100), started(0, 100, "1")]
    came += [executor("2", "two.example.com", 1, at=1900), started(0, 2100, "2")]
    ends = [task(0, at, at + 2000, cpu=2000, executor=name) for at, name in ((100, "1"), (2100, "2"), (4100, "2"))]
    told = work(found(tmp_path, [*came, *ends, completed(0, 3, 100, 6100)]))
    assert [told.get(f"stages.0.tasks.{i}.late") for i in range(2)] == [None, pytest.approx(2.0)]
    assert [told[f"stages.0.tasks.{i}.count"] for i in range(2)] == [2, 1]


def test_a_quick_task_frees_its_slot_before_slow_ones_of_its_stage(tmp_path: Path) -> None:
    tasks = [task(0, 0, 300, cpu=300), *(task(0, 0, 2000, cpu=2000) for _ in range(9))]
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *tasks, completed(0, 10, 0, 2000)]))
    assert [told[f"stages.0.tasks.{i}.{key}"] for i in (0, 1) for key in ("count", "cpu")] == pytest.approx(
        [1, 0.3, 9, 2.0]
    )


def test_a_log_that_breaks_off_gives_the_tasks_that_had_ended(tmp_path: Path) -> None:
    lines = [
        *BEGIN,
        job(0, [0], 0),
        *stage(0, 0, 900),
        *(task(1, 950, 1500, cpu=500) for _ in range(3)),
        '{"Event":"Sp',
    ]
    finding = found(tmp_path, lines)
    assert work(finding)["stages.1.tasks.0.count"] == 3
    assert list(measured(finding)) == ["0", "query job 0"]
    assert any("had not ended" in warning.message for warning in finding.warnings)


def test_events_that_are_not_as_spark_writes_them_are_counted_and_left_out(tmp_path: Path) -> None:
    broken = [
        event("SparkListenerTaskEnd", Stage_ID="x"),
        '{"Event":"SparkListenerJobStart"',
        executor("1", "h", 4)[:-9],
    ]
    nested = task(0, 0, 1000, cpu=500, update=[{"Block": {}}])
    finding = found(tmp_path, [*BEGIN, *broken, job(0, [0], 0), nested, nested, completed(0, 2, 0, 1000)])
    assert work(finding)["stages.0.tasks.0.cpu"] == pytest.approx(0.5)
    assert "3 events cannot be read" in finding.warnings[0].message


def test_pieces_of_a_rolled_log_are_one_application_in_any_order(tmp_path: Path) -> None:
    whole = [*BEGIN, job(0, [0, 1], 0), *stage(0, 0, 900, cpu=800), *stage(1, 950, 1500, cpu=400)]
    rolled = tmp_path / "rolled"
    rolled.mkdir()
    (rolled / "eventlog").write_text("\n".join(whole[8:]), encoding="utf-8")
    (rolled / "eventlog-2026").write_text("\n".join(whole[:8]), encoding="utf-8")
    with sources([str(rolled)]) as files:
        (pieces,) = findings(files)
    assert work(pieces) == work(found(tmp_path, whole))


def test_each_application_of_a_folder_is_a_workload(tmp_path: Path) -> None:
    short = [START, job(0, [0], 0), *stage(0, 0, 100, cpu=100)]
    finding = found(tmp_path, [*short, *BEGIN, job(0, [0], 0), *stage(0, 0, 900, cpu=800)])
    cpu = [made.values["stages.0.tasks.0.cpu"].value for made in finding.workloads]
    assert cpu == pytest.approx([0.1, 0.8])


def test_no_name_of_the_users_systems_is_kept(tmp_path: Path) -> None:
    finding = found(tmp_path, [*BEGIN, query(0, 0), job(0, [0], 0, query=0), *stage(0, 0, 900, cpu=800, input=1e6)])
    text = repr((finding.workloads, [part.values for part in finding.parts]))
    assert not any(word in text for word in ("secret", "customer", "example.com"))


def test_without_executors_one_server_has_the_cores_that_tasks_kept_busy(tmp_path: Path) -> None:
    finding = found(tmp_path, [START, job(0, [0], 0), *stage(0, 0, 900, cpu=800), *stage(0, 900, 1800, cpu=800)])
    assert [part.values["cpu.cores"].value for part in finding.parts] == [2]
    assert "one with 2 cores was taken" in finding.warnings[0].message


def test_a_log_without_tasks_is_refused(tmp_path: Path) -> None:
    assert "no task has ended" in found(tmp_path, BEGIN).problems[0].message


def test_a_sketch_of_many_tasks_keeps_their_sums_and_the_slowest() -> None:
    tasks = Tasks()
    for number in range(50_000):
        tasks.add(0.0, 1.0 + number * 7919 % 997 / 997, _numbers(cpu=1.0, input=2.0))
    tasks.add(0.0, 60.0, _numbers(cpu=60.0, input=2.0))
    assert len(tasks.groups) <= 512
    assert (tasks.count, tasks.total("cpu"), tasks.total("input")) == pytest.approx((50_001, 50_060.0, 100_002.0))
    assert tasks.portions()[-1][:2] == [60.0, 1]


def test_what_is_kept_of_a_stage_that_has_ended_gives_the_same_portions() -> None:
    tasks, kept = Tasks(), Tasks()
    for number in range(300):
        for batch in (tasks, kept):
            batch.add(float(number), 1.0 + number * 7919 % 997, _numbers(cpu=float(number)))
    kept.settle()
    assert len(kept.groups) <= 25
    assert kept.portions() == [pytest.approx(portion) for portion in tasks.portions()]


def started(stage: int, at: int, name: str = "1") -> str:
    info = {"Task ID": 0, "Launch Time": MS + at, "Executor ID": name}
    return event("SparkListenerTaskStart", Stage_ID=stage, Stage_Attempt_ID=0, Task_Info=info)


def test_stages_that_share_slots_stand_in_the_order_in_which_they_had_them(tmp_path: Path) -> None:
    first = [task(0, 0, 100, cpu=100), task(0, 5000, 6000, cpu=900)]
    second = [task(1, 100, 5000, cpu=4900) for _ in range(8)]
    ended = [completed(0, 2, 0, 6000), completed(1, 8, 1, 5000)]
    told = work(found(tmp_path, [*BEGIN, job(0, [0, 1], 0), *first, *second, *ended]))
    assert [told[f"stages.{i}.name"] for i in range(2)] == ["1", "0"]


def test_tasks_that_overlap_for_a_moment_use_no_more_slots_than_their_executor_has(tmp_path: Path) -> None:
    starts = [started(0, at, "1") for at in (0, 0, 0, 0, 999)]  # the next one before the end of the last is told
    ends = [task(0, at, at + 1000, cpu=900, executor="1") for at in (0, 0, 0, 0, 999)]
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *starts, *ends, completed(0, 5, 0, 1999)]))
    assert told["stages.0.width"] == 4


def test_a_stage_that_used_fewer_slots_than_there_are_is_bounded(tmp_path: Path) -> None:
    narrow = [line for at in (0, 1000) for line in (started(0, at), started(0, at), *stage(0, at, at + 1000)[:2])]
    wide = [
        *(started(1, 2000) for _ in range(8)),
        *(task(1, 2000, 3000) for _ in range(8)),
        completed(1, 8, 2000, 3000),
    ]
    told = work(found(tmp_path, [*BEGIN, job(0, [0, 1], 0), *narrow, completed(0, 4, 0, 2000), *wide]))
    assert [told.get(f"stages.{i}.width") for i in range(2)] == [2, None]


@pytest.mark.parametrize(
    ("path", "default", "kind"),
    [
        ("s3a://b/t", "hdfs://n", "object-store"),
        ("", "hdfs://n", "hdfs"),
        ("dbfs:/x", "", "object-store"),
        ("", "file:/", None),
    ],
)
def test_the_storage_is_told_by_the_schemes_of_paths(tmp_path: Path, path: str, default: str, kind: str | None) -> None:
    asked = query(0, 0).replace("secret.table", f"secret.table Location: [{path}]")
    settings = event("SparkListenerEnvironmentUpdate", Spark_Properties={}, Hadoop_Properties={"fs.defaultFS": default})
    finding = found(tmp_path, [*BEGIN, settings, asked, job(0, [0], 0, query=0), *stage(0, 0, 900)])
    assert [part.values["kind"].value for part in finding.parts if part.kind == "storage"] == ([kind] if kind else [])


def test_time_that_its_bytes_do_not_explain_is_a_wait_of_a_task_that_reads(tmp_path: Path) -> None:
    told = work(found(tmp_path, [*BEGIN, job(0, [0], 0), *stage(0, 0, 5000, cpu=300, input=2e5)]))
    assert told["stages.0.tasks.0.wait"] == pytest.approx(5.0 - 0.3 - 0.2)  # 200 kB take 0.2 s of any store
