"""A query of Hive on Tez, of Impala and of Dremio, each a scan on two servers and a join behind it."""

from __future__ import annotations

import json
from typing import Any

MS = 1_700_000_000_000
"""When they begin, in milliseconds since 1970."""

# --- Tez

APPLICATION = "1700000000000_0001"
TASKS = "org.apache.tez.common.counters.TaskCounter"
FILES = "org.apache.tez.common.counters.FileSystemCounter"


def counters(**numbers: float) -> dict[str, Any]:
    """Return counters of a task, and those of one of its edges, which say some of it again."""
    files = {name: value for name, value in numbers.items() if "_BYTES_READ" in name or "_BYTES_WRITTEN" in name}
    groups = {TASKS: {name: numbers[name] for name in numbers if name not in files}, FILES: files}
    groups["TaskCounter_Map_1_OUTPUT_Reducer_2"] = {"OUTPUT_BYTES_PHYSICAL": 1e15}
    return {
        "counterGroups": [
            {
                "counterGroupName": group,
                "counterGroupDisplayName": group,
                "counters": [{"counterName": name, "counterValue": value} for name, value in some.items()],
            }
            for group, some in groups.items()
        ]
    }


def entity(kind: str, name: str, above: dict[str, str], **info: Any) -> dict[str, Any]:
    """Return an entity of the timeline server."""
    filters = {key: [value] for key, value in above.items()}
    return {"entitytype": kind, "entity": name, "primaryfilters": filters, "otherinfo": info, "events": []}


def attempt(
    vertex: int, number: int, begin: int, end: int, status: str = "SUCCEEDED", **numbers: float
) -> dict[str, Any]:
    """Return an attempt at a task, of one of two hosts."""
    return entity(
        "TEZ_TASK_ATTEMPT_ID",
        f"attempt_{APPLICATION}_1_{vertex:02d}_{number:06d}_0",
        {"TEZ_VERTEX_ID": f"vertex_{APPLICATION}_1_{vertex:02d}"},
        startTime=MS + begin,
        endTime=MS + end,
        status=status,
        nodeId=f"secret-host-{number % 2}:45454",
        counters=counters(**numbers),
    )


def vertex(number: int, name: str, tasks: int, end: int) -> dict[str, Any]:
    """Return a vertex."""
    return entity(
        "TEZ_VERTEX_ID",
        f"vertex_{APPLICATION}_1_{number:02d}",
        {"TEZ_DAG_ID": f"dag_{APPLICATION}_1"},
        vertexName=name,
        numTasks=tasks,
        startTime=MS,
        endTime=MS + end,
        status="SUCCEEDED",
        counters=counters(CPU_MILLISECONDS=8000.0 * tasks, HDFS_BYTES_READ=128e6 * tasks),
    )


DAG = entity(
    "TEZ_DAG_ID",
    f"dag_{APPLICATION}_1",
    {"user": "secret-user"},
    startTime=MS,
    endTime=MS + 16_000,
    dagName="select * from secret_table",
    dagPlan={"edges": [{"edgeId": "1", "inputVertexName": "Map 1", "outputVertexName": "Reducer 2"}]},
)
VERTICES = [vertex(0, "Map 1", 4, 10_000), vertex(1, "Reducer 2", 2, 16_000)]
MAPS = [
    attempt(
        0,
        number,
        0,
        10_000,
        CPU_MILLISECONDS=8000,
        GC_TIME_MILLIS=500,
        HDFS_BYTES_READ=128e6,
        FILE_BYTES_WRITTEN=30e6,
        OUTPUT_BYTES_PHYSICAL=30e6,
    )
    for number in range(4)
]
REDUCES = [
    attempt(1, number, 4000, 16_000, CPU_MILLISECONDS=5000, SHUFFLE_BYTES=60e6, HDFS_BYTES_WRITTEN=10e6)
    for number in range(2)
]
LOST = attempt(0, 9, 0, 3000, "KILLED")
TEZ = "\n".join(json.dumps(line) for line in (DAG, {"entities": VERTICES}, {"task_attempts": [*MAPS, LOST, *REDUCES]}))

# --- Impala

IMPALA = """Query (id=1a48b5796f8f07f5:49ba9e6b00000000):
  Summary:
    Session Type: HIVESERVER2
    Start Time: 2026-11-02 10:00:00.000000000
    End Time: 2026-11-02 10:00:45.500000000
    Query State: FINISHED
    User: secret-user
    Network Address: 192.0.2.77:63745
    Sql Statement: select * from secret_table
    Query Timeline: 45s500ms
       - Query submitted: 0.000ns (0.000ns)
       - Planning finished: 400.000ms (400.000ms)
       - Ready to start on 2 backends: 500.000ms (100.000ms)
       - Unregister query: 45s500ms (30s)
  ImpalaServer:
     - ClientFetchWaitTimer: 30s
  Execution Profile 1a48b5796f8f07f5:49ba9e6b00000000:(Total: 15s, non-child: 0.000ns, % non-child: 0.00%)
    Averaged Fragment F01:(Total: 15s, non-child: 1s256ms, % non-child: 83.68%)
      HDFS_SCAN_NODE (id=0):(Total: 9s, non-child: 9s, % non-child: 100.00%)
         - BytesRead: 99.00 GB (106300440576)
"""
INSTANCE = """      Instance 1a48b57:49ba{number} (host=secret-host-{host}:22000):(Total: {total}, non-child: 1s)
        MemoryUsage(500.000ms): 12.00 KB, 12.00 KB, 12.00 KB
         - TotalStorageWaitTime: {waited}
         - TotalThreadsTotalWallClockTime: 40s
           - TotalThreadsSysTime: 4s
           - TotalThreadsUserTime: {user}
        Fragment Instance Lifecycle Timings:
           - ExecTime: 9s
        {node}:(Total: 9s, non-child: 9s, % non-child: 100.00%)
          File Formats: PARQUET/SNAPPY:2
           - {taken}
           - {taken_again}
        {sender}:
           - {made}
"""


def instances(fragment: str, **fields: str) -> str:
    """Return a fragment with an instance on each of two hosts."""
    texts = (INSTANCE.format(number=number, host=number, **fields) for number in (1, 2))
    return f"    Fragment {fragment}:\n{''.join(texts)}"


IMPALA += instances(
    "F00",
    total="10s",
    waited="3s",
    user="36s",
    node="HDFS_SCAN_NODE (id=0)",
    taken="BytesRead: 8.00 GB (8589934592)",
    taken_again="BytesReadLocal: 8.00 GB (8589934592)",
    sender="DataStreamSender (dst_id=1)",
    made="BytesSent: 1.00 GB (1073741824)",
)
IMPALA += instances(
    "F01",
    total="14s500ms",
    waited="0.000ns",
    user="10s",
    node="EXCHANGE_NODE (id=1)",
    taken="BytesReceived: 1.00 GB (1073741824)",
    taken_again="RowsReturned: 1.15K (1150)",
    sender="PLAN_ROOT_SINK",
    made="PeakMemoryUsage: 0",
)


AGGREGATED = """Query (id=1a48b5796f8f07f5:49ba9e6b00000000):
  Summary:
    Start Time: 2026-11-02 10:00:00.000000000
    End Time: 2026-11-02 10:00:15.500000000
  Execution Profile 1a48b5796f8f07f5:49ba9e6b00000000:(Total: 15s, non-child: 0.000ns, % non-child: 0.00%)
    Per Node Profiles:
      secret-host-1:22000:
        CPU Info: Secret CPU @ 2.50GHz (16 cores)
         - ScratchBytesWritten: 0
        Fragment F00:
      secret-host-2:22000:
        CPU Info: Secret CPU @ 2.50GHz (16 cores)
        Fragment F00:
    Fragment F00 [2 instances]:
    Instances:
      [0] Instance 1a48b5796f8f07f5:49ba9e6b00000001 (host=secret-host-1:22000)
      [1] Instance 1a48b5796f8f07f5:49ba9e6b00000002 (host=secret-host-2:22000)
      Last report received time[0-1]: 2026-11-02 10:00:15.400
      Fragment Instance Lifecycle Event Timeline Summary :
         - Open Finished (1.787ms):
            Min: 934.918us, Avg: 1.359ms, Max: 1.787ms, Count: 2
       - TotalStorageWaitTime: mean=3s000ms min=2s000ms max=4s000ms
       - TotalThreadsTotalWallClockTime: mean=40s000ms min=39s000ms max=41s000ms
         [39s000ms,
          41s000ms]
         - TotalThreadsSysTime: mean=4s000ms min=4s000ms max=4s000ms
         - TotalThreadsUserTime: mean=36s000ms min=35s000ms max=37s000ms
       - TotalTime: mean=0.000ns min=0.000ns max=0.000ns
      Fragment Instance Lifecycle Timings [2 instances]:
         - ExecTime: mean=9s000ms min=8s000ms max=10s000ms
         - OpenTime: mean=900.000ms min=900.000ms max=900.000ms
         - PrepareTime: mean=100.000ms min=100.000ms max=100.000ms
      KrpcDataStreamSender (dst_id=1) [2 instances]:(Total: 1.460ms, non-child: 202us, % non-child: 13.86%)
         - BytesSent[0] (500.000ms): 0, 0
         - TotalBytesSent: mean=1.00 GB (1073741824) min=1.00 GB (1073741824) max=1.00 GB (1073741824)
      HDFS_SCAN_NODE (id=0) [2 instances]:(Total: 9s, non-child: 9s, % non-child: 100.00%)
         - BytesRead: mean=8.00 GB (8589934592) min=7.00 GB (7516192768) max=9.00 GB (9663676416)
"""

# --- Dremio

METRICS: list[dict[str, list[dict[str, int | str]]]] = [{"metricDef": []} for _ in range(22)]
METRICS[6] = {"metricDef": [{"id": 0, "name": "N_RECEIVERS"}, {"id": 1, "name": "BYTES_SENT"}]}
METRICS[11] = {"metricDef": [{"id": 0, "name": "BYTES_RECEIVED"}]}
METRICS[13] = {"metricDef": [{"id": 0, "name": "BYTES_SENT"}]}
METRICS[21] = {"metricDef": [{"id": 4, "name": "TOTAL_BYTES_READ"}]}


def operator(kind: int, process: float, wait: float = 0.0, **metrics: int) -> dict[str, Any]:
    """Return an operator that was set up in 0.1 s."""
    told = [{"metricId": int(name.removeprefix("m")), "longValue": value} for name, value in metrics.items()]
    times = {"setupNanos": 100_000_000, "processNanos": int(process * 1e9), "waitNanos": int(wait * 1e9)}
    return {"operatorId": 0, "operatorType": kind, **times, "inputProfile": [{"records": 9, "size": 7}], "metric": told}


def thread(number: int, begin: int, end: int, *operators: dict[str, Any]) -> dict[str, Any]:
    """Return a thread, on one of two servers."""
    point = {"address": f"secret-host-{number % 2}", "fabricPort": 45678, "availableCores": 16}
    times = {"startTime": MS + begin, "endTime": MS + end}
    return {"state": 3, "minorFragmentId": number, "operatorProfile": list(operators), "endpoint": point, **times}


DREMIO = {
    "id": {"part1": 1, "part2": 2},
    "start": MS,
    "end": MS + 12_000,
    "query": "SELECT * FROM secret_table",
    "user": "secret-user",
    "state": 2,
    "fragmentProfile": [
        {"majorFragmentId": 0, "minorFragmentProfile": [thread(0, 500, 11_900, operator(11, 0.9, 9.0, m0=40))]},
        {
            "majorFragmentId": 1,
            "minorFragmentProfile": [
                thread(number, 500, 11_000, operator(21, 3.9, 2.0, m4=512_000_000), operator(6, 0.9, 1.0, m1=10))
                for number in range(4)
            ],
        },
    ],
    "operatorTypeMetricsMap": {"metricsDef": METRICS},
}

FIXTURES = {"Tez history": TEZ, "Impala profile": IMPALA, "Dremio profile": json.dumps(DREMIO)}
