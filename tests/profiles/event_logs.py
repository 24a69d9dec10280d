"""Event logs as Spark writes them, made for tests."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

MS = 1_700_000_000_000
"""When the application begins, in milliseconds since 1970."""


def event(name: str, **values: Any) -> str:
    """Return a line of an event whose keys have blanks where the arguments have underscores."""
    return json.dumps({"Event": name, **{key.replace("_", " "): value for key, value in values.items()}}, **COMPACT)


COMPACT: dict[str, Any] = {"separators": (",", ":")}


def executor(name: str, host: str, cores: int, at: int = 0) -> str:
    info = {"Host": host, "Total Cores": cores}
    return event("SparkListenerExecutorAdded", Timestamp=MS + at, Executor_ID=name, Executor_Info=info)


def removed(name: str, at: int) -> str:
    return event("SparkListenerExecutorRemoved", Timestamp=MS + at, Executor_ID=name, Removed_Reason="idle")


def job(number: int, stages: Iterable[int], at: int, query: int | None = None) -> str:
    properties = {} if query is None else {"spark.sql.execution.id": f"{query}"}
    return event(
        "SparkListenerJobStart", Job_ID=number, Submission_Time=MS + at, Stage_IDs=list(stages), Properties=properties
    )


def query(number: int, at: int) -> str:
    name = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"
    plan = "Scan parquet secret.table [customer]" * 10
    return json.dumps(
        {"Event": name, "executionId": number, "physicalPlanDescription": plan, "time": MS + at}, **COMPACT
    )


def task(stage: int, launch: int, finish: int, *, attempt: int = 0, **metrics: Any) -> str:
    """Return the end of a task; of its metrics `cpu`, `gc` and `run` are in milliseconds, the others in bytes."""
    numbers = {
        "Executor Run Time": metrics.get("run", finish - launch),
        "Executor CPU Time": metrics.get("cpu", 0) * 1_000_000,
        "JVM GC Time": metrics.get("gc", 0),
        "Disk Bytes Spilled": metrics.get("spilled", 0),
        "Input Metrics": {"Bytes Read": metrics.get("input", 0)},
        "Output Metrics": {"Bytes Written": metrics.get("output", 0)},
        "Shuffle Read Metrics": {"Remote Bytes Read": metrics.get("fetched", 0), "Local Bytes Read": 0},
        "Shuffle Write Metrics": {"Shuffle Bytes Written": metrics.get("written", 0), "Shuffle Write Time": 0},
    }
    is_killed = bool(metrics.get("killed"))
    info = {"Host": "h", "Launch Time": MS + launch, "Finish Time": MS + finish, "Failed": False, "Killed": is_killed}
    info |= {"Executor ID": metrics["executor"]} if "executor" in metrics else {}
    return event(
        "SparkListenerTaskEnd",
        Stage_ID=stage,
        Stage_Attempt_ID=attempt,
        Task_End_Reason={"Reason": "TaskKilled" if is_killed else "Success"},
        Task_Info=info | {"Accumulables": [{"ID": 1, "Name": "x", "Update": metrics.get("update", "1")}]},
        Task_Metrics=numbers,
    )


def completed(stage: int, tasks: int, begin: int, end: int, attempt: int = 0) -> str:
    info = {"Stage ID": stage, "Stage Attempt ID": attempt, "Number of Tasks": tasks}
    times = {"Submission Time": MS + begin, "Completion Time": MS + end}
    return event("SparkListenerStageCompleted", Stage_Info=info | times)


START = event("SparkListenerLogStart", Spark_Version="3.5.1")
SETTINGS = event(
    "SparkListenerEnvironmentUpdate",
    Spark_Properties={"spark.executor.memory": "4g", "spark.app.name": "secret", "spark.memory.fraction": "0.7"},
)
BEGIN = (START, executor("1", "one.example.com", 4), executor("2", "two.example.com", 4), SETTINGS)
"""What a log on two hosts begins with."""


def log() -> str:
    """Return the log of a query of two stages, the second of which fetches what the first hands on."""
    stages = [job(0, [0, 1], 100, query=1), *(task(0, 200, 1200, cpu=600, input=1e6, written=1e5) for _ in range(8))]
    stages += [completed(0, 8, 200, 1200), *(task(1, 1250, 2250, cpu=700, gc=100, fetched=2e5) for _ in range(4))]
    return "\n".join([*BEGIN, query(1, 50), *stages, completed(1, 4, 1250, 2250), ""])


def measured() -> str:
    """Return the table of tasks that sparkMeasure writes of such a log."""
    numbers = "executorRunTime,executorCpuTime,jvmGCTime,shuffleFetchWaitTime,bytesRead,shuffleTotalBytesRead"
    header = (
        f"jobId,stageId,launchTime,finishTime,successful,{numbers},shuffleBytesWritten,diskBytesSpilled,bytesWritten"
    )
    rows = [
        f"0,{stage},{MS + 1000 * stage},{MS + 1000 * stage + 900},true,900,700,0,0,5000,7000,0,0,0" for stage in (0, 1)
    ]
    return "\n".join([header, *rows, ""])


FIXTURES = {"Spark event log": log(), "sparkMeasure": measured()}
