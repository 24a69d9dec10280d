"""Measure the engine: `python tests/benchmarks/engine.py WORKLOAD SIZE...`, one JSON line.

    shuffle N      N(N-1) flows of 25 to 75 MB, all at once
    waves M N      M tasks on N nodes: read 512 MB from a remote disk, compute 3 s, write 512 MB to a local disk
    requests K     K requests of 256 clients to 3 servers of 64 slots
    timeouts P     P processes of 1,000 timeouts

`wall_s` is the run alone, from the first start to the last end, `process_s` the CPU time of the whole process.
The steps of waves and requests are made when their turn comes, as a model makes them.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from models.work import Delay, Hold, Pool, Resources, Sequence, Work
from simulator.engine import Engine
from tests.benchmarks import workloads
from tests.benchmarks.workloads import Cluster, hashed

Run = Callable[[], Engine]


def shuffle(nodes: int) -> Run:
    """Return the run of the shuffle."""
    cluster = Cluster(nodes, has_disks=False)
    engine = Engine(cluster.resources)
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
    engine = Engine(cluster.resources)
    slots = nodes * workloads.SLOTS

    def steps(slot: int) -> Iterator[Work | Delay]:
        node = slot % nodes
        compute = Delay(workloads.TASK_SECONDS)
        for task in range(slot, tasks, slots):
            source = workloads.source_node(task, node, nodes)
            yield Work(workloads.TASK_BYTES, cluster.read(source, workloads.source_disk(task), node))
            yield compute
            yield Work(workloads.TASK_BYTES, cluster.write(node, workloads.local_disk(task, nodes)))

    def run() -> Engine:
        for slot in range(slots):
            engine.execute(Sequence(steps(slot)), _nothing)
        engine.run()
        return engine

    return run


def requests(count: int) -> Run:
    """Return the run of the requests: each client asks, waits for a slot, is served, and asks again."""
    engine = Engine(Resources())
    services = [Delay(seconds) for seconds in workloads.service_times()]
    servers = [Pool(f"server-{s}", float(workloads.SERVER_SLOTS)) for s in range(workloads.SERVERS)]

    def steps(client: int) -> Iterator[Hold]:
        for request in range(client, count, workloads.CLIENTS):
            server = servers[hashed(request ^ 0x5BD1E995) % workloads.SERVERS]
            yield Hold(server, 1.0, services[hashed(request) & 65535])

    def run() -> Engine:
        for client in range(workloads.CLIENTS):
            engine.execute(Sequence(steps(client)), _nothing)
        engine.run()
        return engine

    return run


def timeouts(processes: int) -> Run:
    """Return the run of the timeouts."""
    engine = Engine(Resources())
    chains = [Sequence([Delay(seconds) for seconds in each]) for each in workloads.delays(processes)]

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
    began = time.perf_counter()
    engine = run()
    wall = time.perf_counter() - began
    engine.close()
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # KiB on Linux
    return {
        "workload": workload,
        "size": list(size),
        "wall_s": round(wall, 4),
        "process_s": round(time.process_time(), 3),
        "makespan": engine.now,
        "rss_mb": round(rss, 1),
    }


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in WORKLOADS:
        sys.exit(__doc__)
    print(json.dumps(measure(sys.argv[1], *map(int, sys.argv[2:]))))
