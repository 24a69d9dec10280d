"""A query of Trino on two workers: two scans, a join behind them, and the answer, as its coordinator tells it."""

from __future__ import annotations

import json
from typing import Any

BEGIN = "2026-11-02T10:00:"
SCAN = {"physicalInputDataSize": "8.00GB", "internalNetworkInputDataSize": "0B", "outputDataSize": "1.00GB"}
JOIN = {"physicalInputDataSize": "0B", "internalNetworkInputDataSize": "1.00GB", "outputDataSize": "16.00kB"}
ANSWER = {"physicalInputDataSize": "0B", "internalNetworkInputDataSize": "32.00kB", "outputDataSize": "1.00kB"}
STAGES = (("0", 1, "10ms", ANSWER, (28, 30)), ("1", 16, "48.00s", JOIN, (2, 29)), ("2", 32, "1.60m", SCAN, (1, 20)))
"""Number, drivers and CPU time of each task, sizes, and seconds at which it began and ended."""


def task(worker: int, drivers: int, cpu: str, sizes: dict[str, str], span: tuple[int, int]) -> dict[str, Any]:
    """Return what one worker did for a stage."""
    times = {"firstStartTime": f"{BEGIN}{span[0]:02d}.000Z", "endTime": f"{BEGIN}{span[1]:02d}.500Z"}
    stats = {"totalDrivers": drivers, "totalCpuTime": cpu, "totalBlockedTime": "9.00m", **sizes, **times}
    status = {"self": "http://secret-host:8080/v1/task/x", "nodeId": f"secret-host-{worker}"}
    return {"taskStatus": status, "stats": {**stats, "physicalWrittenDataSize": "0B"}}


def stage(number: int) -> dict[str, Any]:
    """Return a stage without those below it."""
    name, drivers, cpu, sizes, span = STAGES[number]
    workers = 1 if number == 0 else 2
    tasks = [task(worker, drivers, cpu, sizes, span) for worker in range(workers)]
    return {"stageId": f"20261102_100000_00001_abcde.{name}", "state": "FINISHED", "tasks": tasks}


QUERY = {
    "queryId": "20261102_100000_00001_abcde",
    "session": {"user": "secret/key", "source": "192.0.2.77"},
    "state": "FINISHED",
    "memoryPool": "general",
    "query": "SELECT secret/key FROM secret-bucket",
    "queryStats": {
        "createTime": f"{BEGIN}00.000Z",
        "queuedTime": "250.00ms",
        "elapsedTime": "31.00s",
        "operatorSummaries": [{"stageId": 1, "operatorType": "HashBuilderOperator", "spilledDataSize": "2.00GB"}],
    },
}
TREE = {**QUERY, "outputStage": {**stage(0), "subStages": [{**stage(1), "subStages": [{**stage(2), "subStages": []}]}]}}
LIST = {**QUERY, "stages": {"outputStageId": stage(0)["stageId"], "stages": [stage(number) for number in (2, 0, 1)]}}
FIXTURES = {"Trino query": json.dumps(TREE)}
