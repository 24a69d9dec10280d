"""Measure the engine: `python tests/benchmarks/engine.py WORKLOAD SIZE...`, one JSON line.

    shuffle N      N(N-1) flows of 25 to 75 MB, all at once
    waves M N      M tasks on N nodes: read 512 MB from a remote disk, compute 3 s, write 512 MB to a local disk
    requests K     K requests of 256 clients to 3 servers of 64 slots
    timeouts P     P processes of 1,000 timeouts

TOLERANCE=0.0005 in the environment lets works end with others when at most that part of them is left; exact without.
`wall_s` is the run alone, from the first start to the last end, `cpu_s` its CPU time, `process_s` that of the whole
process. On a machine that does other work, too, `cpu_s` is what to compare.
The steps of waves are made when their turn comes, as a model makes them. Of the requests, the percentiles are part of
the run; which server each goes to and how long it takes there is given.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np

from models.requests import Closed, Kind, RequestRun, Station, Trace, Visit
from models.work import Delay, Resources, Sequence, Work
from simulator.engine import Engine
from simulator.requests.run import RequestResult, run_requests
from tests.benchmarks import workloads
from tests.benchmarks.workloads import Cluster, hashed_all

Run = Callable[[], Engine | RequestResult]

TOLERANCE = float(os.environ.get("TOLERANCE", "0"))


def shuffle(nodes: int) -> Run:
    """Return the run of the shuffle."""
    cluster = Cluster(nodes, has_disks=False)
    engine = Engine(cluster.resources, tolerance=TOLERANCE)
    pairs = [(i, j) for i in range(nodes) for j in range(nodes) if i != j]
    flows = [Work(workloads.flow_size(i, j, nodes), cluster.send(i, j)) for i, j in pairs]

    def run() -> Engine:
        for flow in flows:
            engine.execute(flow, _nothing)
        engine.run()
        return engine

    return run


def waves(tasks: int, nodes: int) -> Run:
    """Return the run of the waves: each slot executes its tasks one after the other."""
    cluster = Cluster(nodes, has_disks=True)
    engine = Engine(cluster.resources, tolerance=TOLERANCE)
    slots = nodes * workloads.SLOTS

    compute = Delay(workloads.TASK_SECONDS)

    def start(task: int) -> None:
        """Let a task start in its slot, and the slot's next task after it."""
        if task < tasks:
            node = task % slots % nodes
            source = workloads.source_node(task, node, nodes)
            read = Work(workloads.TASK_BYTES, cluster.read(source, workloads.source_disk(task), node))
            write = Work(workloads.TASK_BYTES, cluster.write(node, workloads.local_disk(task, nodes)))
            engine.execute(Sequence((read, compute, write)), partial(start, task + slots))

    def run() -> Engine:
        for slot in range(slots):
            start(slot)
        engine.run()
        return engine

    return run


def requests(count: int) -> Run:
    """Return the run of the requests: each client asks, waits for a slot, is served, and asks again."""
    servers = [Station(f"server-{s}", slots=workloads.SERVER_SLOTS) for s in range(workloads.SERVERS)]
    kinds = tuple(Kind(server.name, (Visit(server, per_byte=1.0),)) for server in servers)  # the size is the time
    numbers = np.arange(count, dtype=np.uint64)
    chosen = hashed_all(numbers ^ np.uint64(0x5BD1E995)) % np.uint64(workloads.SERVERS)
    sizes = np.array(workloads.service_times())[(hashed_all(numbers) & np.uint64(65535)).astype(np.int64)]
    trace = Trace(chosen.astype(np.uint8), sizes)
    sent = RequestRun("requests", kinds, Closed(workloads.CLIENTS), count, trace=trace)
    return lambda: run_requests(sent)


def timeouts(processes: int) -> Run:
    """Return the run of the timeouts."""
    engine = Engine(Resources())
    chains = [Sequence([Delay(seconds) for seconds in delay]) for delay in workloads.delays(processes)]

    def run() -> Engine:
        for chain in chains:
            engine.execute(chain, _nothing)
        engine.run()
        return engine

    return run


def _nothing() -> None:
    """Nobody waits for this."""


WORKLOADS: dict[str, Callable[..., Run]] = {
    "shuffle": shuffle,
    "waves": waves,
    "requests": requests,
    "timeouts": timeouts,
}


def measure(workload: str, *size: int) -> dict[str, object]:
    """Run a workload once and return what it took."""
    run = WORKLOADS[workload](*size)
    began, used = time.perf_counter(), time.process_time()
    ended = run()
    wall, cpu = time.perf_counter() - began, time.process_time() - used
    if isinstance(ended, Engine):
        ended.close()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # KiB on Linux
    return {
        "workload": workload,
        "size": list(size),
        "wall_s": round(wall, 4),
        "cpu_s": round(cpu, 4),
        "process_s": round(time.process_time(), 3),
        "makespan": ended.now if isinstance(ended, Engine) else ended.simulated,
        "rss_mb": round(rss, 1),
    }


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in WORKLOADS:
        sys.exit(__doc__)
    print(json.dumps(measure(sys.argv[1], *map(int, sys.argv[2:]))))
