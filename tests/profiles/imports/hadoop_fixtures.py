"""Histories and outputs of a MapReduce job of eight maps and two reduces on two servers, in each of their formats."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

MS = 1_700_000_000_000
"""When the job was submitted, in milliseconds since 1970."""
MAPS, REDUCES, HOSTS = 8, 2, ("secret-host-1", "secret-host-2")
MAP_SECONDS, SHUFFLE_SECONDS, REDUCE_SECONDS = 20, 4, 10
LAUNCH, START = 5_000, 6_000
"""Milliseconds from the submission to the launch, and to the first maps."""
MAP_END = START + 2 * MAP_SECONDS * 1000
REDUCE_END = MAP_END + (SHUFFLE_SECONDS + REDUCE_SECONDS) * 1000
END = REDUCE_END + 1_500
OF_A_MAP = {
    "HDFS_BYTES_READ": 128_000_000,
    "FILE_BYTES_READ": 0,
    "FILE_BYTES_WRITTEN": 40_100_000,
    "MAP_OUTPUT_MATERIALIZED_BYTES": 40_000_000,
    "CPU_MILLISECONDS": 12_000,
    "GC_TIME_MILLIS": 2_000,
}
OF_A_REDUCE = {
    "HDFS_BYTES_WRITTEN": 400_000_000,
    "FILE_BYTES_READ": 160_000_000,
    "REDUCE_SHUFFLE_BYTES": 160_000_000,
    "CPU_MILLISECONDS": 9_000,
    "GC_TIME_MILLIS": 1_000,
}
"""Two waves of maps on two slots a server; reduces start with the second and fetch when the last map has ended."""


def _attempts() -> list[tuple[str, str, str, int, int, dict[str, int]]]:
    """Return kind, name, host, start and end (ms after the submission) and counters of all attempts."""
    attempts = []
    for number in range(MAPS):
        start = START + number // 4 * MAP_SECONDS * 1000
        attempts.append(("MAP", f"m_{number:06d}_0", HOSTS[number % 2], start, start + MAP_SECONDS * 1000, OF_A_MAP))
    for number in range(REDUCES):
        attempts.append(("REDUCE", f"r_{number:06d}_0", HOSTS[number], MAP_END - 10_000, REDUCE_END, OF_A_REDUCE))
    return attempts


def _event(kind: str, body: str, **fields: Any) -> str:
    event = {"type": kind, "event": {f"org.apache.hadoop.mapreduce.jobhistory.{body}": fields}}
    return json.dumps(event, separators=(",", ":"))


def _counted(counters: dict[str, int]) -> dict[str, Any]:
    counts = [{"name": name, "displayName": name, "value": value} for name, value in counters.items()]
    groups = [{"name": "org.apache.hadoop.mapreduce.TaskCounter", "displayName": "x", "counts": counts}]
    own = {"name": "com.example.SecretCounter", "displayName": "x", "counts": [{"name": "secret/key", "value": 1}]}
    return {"name": "COUNTERS", "groups": [*groups, own]}


def history(job: int = 1, at: int = 0) -> str:
    """Return a .jhist of Hadoop 2 or 3 of a job that was submitted so many milliseconds later."""
    name, begin = f"1700000000000_{job:04d}", MS + at
    lines = ["Avro-Json", '{"type":"record","name":"Event"}']
    jobid, host = f"job_{name}", {"nodeManagerHost": HOSTS[0]}
    lines.append(_event("AM_STARTED", "AMStarted", applicationAttemptId=f"appattempt_{name}_000001", **host))
    path = "hdfs://secret-host:9000/secret/key"
    lines.append(_event("JOB_SUBMITTED", "JobSubmitted", jobid=jobid, submitTime=begin, jobConfPath=path))
    lines.append(_event("JOB_INITED", "JobInited", jobid=jobid, launchTime=begin + LAUNCH, totalMaps=MAPS))
    for kind, task, where, start, end, counters in _attempts():
        id_ = f"attempt_{name}_{task}"
        lines.append(_event(f"{kind}_ATTEMPT_STARTED", "TaskAttemptStarted", attemptId=id_, startTime=begin + start))
        ends: dict[str, Any] = {"finishTime": begin + end, "hostname": where, "rackname": {"string": "/secret-host"}}
        if kind == "REDUCE":
            ends["shuffleFinishTime"] = begin + MAP_END + SHUFFLE_SECONDS * 1000
        fields = {"attemptId": id_, "taskType": kind, "taskStatus": "SUCCEEDED", **ends, "counters": _counted(counters)}
        lines += ["", _event(f"{kind}_ATTEMPT_FINISHED", f"{kind.title()}AttemptFinished", **fields)]
    killed = {"attemptId": f"attempt_{name}_m_000003_1", "taskType": "MAP", "status": "KILLED"}
    lines.append(_event("MAP_ATTEMPT_KILLED", "TaskAttemptUnsuccessfulCompletion", **killed))
    lines.append(_event("JOB_FINISHED", "JobFinished", jobid=jobid, finishTime=begin + END))
    return "\n".join([*lines, ""])


def old_history() -> str:
    """Return the history of the job as Hadoop 1 writes it."""
    job = 'Job JOBID="job_202611021000_0001"'
    lines = ['Meta VERSION="1" .', rf'{job} JOBNAME="secret\"key" SUBMIT_TIME="{MS}" .']
    lines.append(f'{job} LAUNCH_TIME="{MS + LAUNCH}" TOTAL_MAPS="{MAPS}" JOB_STATUS="PREP" .')
    for kind, task, where, start, end, counters in _attempts():
        begin = f'{kind.title()}Attempt TASK_TYPE="{kind}" TASK_ATTEMPT_ID="attempt_202611021000_0001_{task}"'
        lines.append(f'{begin} START_TIME="{MS + start}" TRACKER_NAME="secret-host" .')
        counted = "".join(rf"[({name})(x \\(y\\))({value})]" for name, value in counters.items())
        shuffled = f'SHUFFLE_FINISHED="{MS + MAP_END + SHUFFLE_SECONDS * 1000}" ' if kind == "REDUCE" else ""
        ended = f'TASK_STATUS="SUCCESS" {shuffled}FINISH_TIME="{MS + end}" HOSTNAME="/{where}"'
        lines.append(f'{begin} {ended} COUNTERS="{{(x)(y){counted}}}" .')
    return "\n".join([*lines, f'{job} FINISH_TIME="{MS + END}" JOB_STATUS="SUCCESS" .', ""])


def rumen() -> str:
    """Return the job as Rumen writes it, indented."""
    names = {"HDFS_BYTES_READ": "hdfsBytesRead", "HDFS_BYTES_WRITTEN": "hdfsBytesWritten"}
    names |= {"FILE_BYTES_READ": "fileBytesRead", "REDUCE_SHUFFLE_BYTES": "reduceShuffleBytes"}
    tasks: dict[str, list[Any]] = {"MAP": [], "REDUCE": []}
    for kind, _, where, start, end, counters in _attempts():
        numbers = {key: counters.get(name, -1) for name, key in names.items()}
        numbers["mapOutputBytes"] = counters.get("MAP_OUTPUT_MATERIALIZED_BYTES", -1)
        used = {"resourceUsageMetrics": {"cumulativeCpuUsage": counters["CPU_MILLISECONDS"]}}
        span = {"startTime": MS + start, "finishTime": MS + end, "result": "SUCCESS", "hostName": f"/rack/{where}"}
        if kind == "REDUCE":
            span["shuffleFinished"] = MS + MAP_END + SHUFFLE_SECONDS * 1000
        tasks[kind].append({"taskType": kind, "attempts": [{**span, **numbers, **used}]})
    times = {"submitTime": MS, "launchTime": MS + LAUNCH, "finishTime": MS + END}
    job = {"jobID": "job_1_1", "user": "secret/key", **times, "mapTasks": tasks["MAP"], "reduceTasks": tasks["REDUCE"]}
    return json.dumps(job, indent=2) + "\n"


def _clock(at: int) -> str:
    return datetime.fromtimestamp((MS + at) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S,000 INFO mapreduce.Job:")


def job_output() -> str:
    """Return what the client of the job prints."""
    sums = {name: MAPS * value for name, value in OF_A_MAP.items()}
    for name, value in OF_A_REDUCE.items():
        sums[name] = sums.get(name, 0) + REDUCES * value
    return f"""\
{_clock(0)} The url to track the job: http://secret-host:8088/
{_clock(0)} Running job: job_1700000000000_0001
{_clock(START)}  map 0% reduce 0%
{_clock(MAP_END)}  map 100% reduce 0%
{_clock(END)}  map 100% reduce 100%
{_clock(END)} Job job_1700000000000_0001 completed successfully
{_clock(END)} Counters: 49
\tFile System Counters
\t\tFILE: Number of bytes read={sums["FILE_BYTES_READ"]}
\t\tFILE: Number of bytes written=1
\t\tHDFS: Number of bytes read={sums["HDFS_BYTES_READ"]}
\t\tHDFS: Number of bytes written={sums["HDFS_BYTES_WRITTEN"]}
\tJob Counters\x20
\t\tKilled map tasks=1
\t\tLaunched map tasks={MAPS + 1}
\t\tLaunched reduce tasks={REDUCES}
\t\tTotal time spent by all map tasks (ms)={MAPS * MAP_SECONDS * 1000}
\t\tTotal time spent by all reduce tasks (ms)={REDUCES * 24_000}
\tMap-Reduce Framework
\t\tMap output materialized bytes={sums["MAP_OUTPUT_MATERIALIZED_BYTES"]}
\t\tReduce shuffle bytes={sums["REDUCE_SHUFFLE_BYTES"]}
\t\tGC time elapsed (ms)={sums["GC_TIME_MILLIS"]}
\t\tCPU time spent (ms)={sums["CPU_MILLISECONDS"]}
"""


SETTINGS = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?><configuration>
<property><name>fs.defaultFS</name><value>hdfs://secret-host:9000</value><source>core-site.xml</source></property>
<property><name>mapreduce.map.java.opts</name><value>-server -Xmx2g</value></property>
<property><name>dfs.replication</name><value>2</value></property>
<property>
  <name>dfs.blocksize</name>
  <value>256m</value>
</property>
<property><name>mapreduce.job.user.name</name><value>secret/key</value></property>
</configuration>
"""
FIXTURES = {
    "Hadoop job history": history(),
    "Hadoop 1 job history": old_history(),
    "Rumen trace": rumen(),
    "Hadoop job output": job_output(),
    "Hadoop settings": SETTINGS,
}
