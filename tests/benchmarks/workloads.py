"""Four deterministic workloads, the same in every engine that is measured: no random library, only a hash.

Node: 4 drives (205 MB/s read, 137 MB/s write, both together at most 205 MB/s), a NIC of 3.1 GB/s each way (NIC=4e8 in
the environment makes `waves` network-bound), 8 slots; a star network without a limit of its own.
Source: the definitions and makespans that were measured with SimGrid 4.1 (s4u, C++); see MAKESPANS.
"""

from __future__ import annotations

import math
import os
from functools import cache

import numpy as np
from numpy.typing import NDArray

from models.work import Demand, Resource, Resources, Use, demand

DISK_READ, DISK_WRITE = 205e6, 137e6  # B/s
DISKS, SLOTS = 4, 8
TASK_BYTES, TASK_SECONDS = 512e6, 3.0
CLIENTS, SERVERS, SERVER_SLOTS = 256, 3, 64
TIMEOUTS = 1000  # of each process

# Makespans (s) on which the engines agree: (workload, sizes, NIC in B/s).
MAKESPANS = {
    ("shuffle", (50,), 3.1e9): 0.89991,
    ("shuffle", (100,), 3.1e9): 1.707513,
    ("shuffle", (200,), 3.1e9): 3.395786,
    ("waves", (2000, 12), 3.1e9): 373.1357,
    ("waves", (20000, 100), 3.1e9): 486.017,
    ("waves", (100000, 1000), 3.1e9): 272.2847,
    ("waves", (20000, 100), 4e8): 492.3165,
    ("waves", (100000, 1000), 4e8): 294.815,
    ("requests", (1000000,), 3.1e9): 107.164,
    ("requests", (4400000,), 3.1e9): 468.999,
    ("timeouts", (1000,), 3.1e9): 1025.6578,
}

# Seconds of wall time that SimGrid 4.1 (s4u, C++, one activity a read) took for the same on one core of a quiet machine
# of 2 cores; measured, medians, not by `make bench`. That of shuffle 200 is from another machine, the one on which
# docs/performance.md was written: runs took 406 and 444 s, and there SimGrid takes 1.3 to 1.7 times as long for all.
SIMGRID = {
    ("shuffle", (50,), 3.1e9): 0.31,
    ("shuffle", (100,), 3.1e9): 6.5,
    ("shuffle", (200,), 3.1e9): 425.0,
    ("waves", (2000, 12), 3.1e9): 0.078,
    ("waves", (20000, 100), 3.1e9): 5.8,
    ("waves", (100000, 1000), 3.1e9): 704.0,
    ("waves", (20000, 100), 4e8): 7.5,
    ("waves", (100000, 1000), 4e8): 1537.0,
    ("requests", (1000000,), 3.1e9): 1.1,
    ("requests", (4400000,), 3.1e9): 5.3,
    ("timeouts", (1000,), 3.1e9): 0.97,
}

# How many times faster than that the engine is meant to be.
TARGETS = {
    ("shuffle", (100,), 3.1e9): 4,
    ("shuffle", (200,), 3.1e9): 20,
    ("waves", (20000, 100), 3.1e9): 10,
    ("waves", (100000, 1000), 3.1e9): 100,
    ("waves", (20000, 100), 4e8): 5,
    ("requests", (4400000,), 3.1e9): 2,
    ("timeouts", (1000,), 3.1e9): 1,
}


def nic() -> float:
    """Return the rate of a NIC each way (B/s)."""
    return float(os.environ.get("NIC", "3.1e9"))


def hashed(x: int) -> int:
    """Return 32 well-mixed bits of a number."""
    x = (x * 2654435761) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 2246822519) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 3266489917) & 0xFFFFFFFF
    return x ^ (x >> 16)


def hashed_all(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return `hashed` of each number of an array."""
    low = np.uint64(0xFFFFFFFF)
    x = (x * np.uint64(2654435761)) & low
    x ^= x >> np.uint64(16)
    x = (x * np.uint64(2246822519)) & low
    x ^= x >> np.uint64(13)
    x = (x * np.uint64(3266489917)) & low
    return x ^ (x >> np.uint64(16))


def flow_size(source: int, target: int, nodes: int) -> float:
    """Return the bytes of one flow of the shuffle: 25 to 75 MB."""
    return float(math.floor(50e6 * (0.5 + hashed(source * nodes + target) / 2**32)))


def source_node(task: int, node: int, nodes: int) -> int:
    """Return the other node from which a task of the waves reads."""
    at = hashed(2 * task) % (nodes - 1)
    return at + 1 if at >= node else at


def source_disk(task: int) -> int:
    return hashed(2 * task + 1) % DISKS


def local_disk(task: int, nodes: int) -> int:
    """Return the drive to which a task of the waves writes."""
    slots = nodes * SLOTS
    return ((task % slots) // nodes + task // slots) % DISKS


def service_times() -> list[float]:
    """Return the table of service times (s) of the requests: like a log-normal of mean 20 ms and sigma 0.5."""
    sigma = 0.5
    mu = math.log(0.020) - sigma * sigma / 2
    uniform = hashed_all(np.arange(65536 * 12, dtype=np.uint64)).reshape(65536, 12) / 2.0**32
    z = np.full(65536, -6.0)
    for column in uniform.T:
        z += column
    return [math.exp(mu + sigma * value) for value in z.tolist()]


def delays(processes: int) -> list[list[float]]:
    """Return the delays (s) of each process: 0.5 to 1.5."""
    numbers = np.arange(processes * TIMEOUTS, dtype=np.uint64).reshape(processes, TIMEOUTS)
    delays: list[list[float]] = (0.5 + hashed_all(numbers) / 2.0**32).tolist()
    return delays


class Cluster:
    """The nodes as named resources, and what reading and writing asks of them."""

    def __init__(self, nodes: int, *, has_disks: bool) -> None:
        self.resources = Resources()
        self.up = [self._add(f"node-{n}/nic/up", "nic", nic()) for n in range(nodes)]
        self.down = [self._add(f"node-{n}/nic/down", "nic", nic()) for n in range(nodes)]
        self.disks = [[self._disk(n, d) for d in range(DISKS)] for n in range(nodes)] if has_disks else []
        self.write = cache(self._write)  # few and asked for again and again

    def _add(self, name: str, kind: str, capacity: float) -> Resource:
        return self.resources.add(name, kind=kind, group=name.split("/", 1)[1], unit="B", capacity=capacity)

    def _disk(self, node: int, disk: int) -> tuple[Resource, Resource, Resource]:
        name = f"node-{node}/disk-{disk}"
        limits = {"read": DISK_READ, "write": DISK_WRITE, "both": DISK_READ}
        read, write, both = (self._add(f"{name}/{way}", "drive", limit) for way, limit in limits.items())
        return read, write, both

    def send(self, source: int, target: int) -> Demand:
        return demand((Use(self.up[source], 1.0, 1.0), Use(self.down[target], 1.0, 1.0)))

    def read(self, source: int, disk: int, target: int) -> Demand:
        """Return what reading from a remote disk asks for: the disk and both NICs at once."""
        read, _, both = self.disks[source][disk]
        links = Use(self.up[source], 1.0, 1.0), Use(self.down[target], 1.0, 1.0)
        return demand((Use(read, 1.0, 1.0), Use(both, 1.0), *links))

    def _write(self, node: int, disk: int) -> Demand:
        _, write, both = self.disks[node][disk]
        return demand((Use(write, 1.0, 1.0), Use(both, 1.0)))
