"""Profiles at random, the same each time: systems, servers, work and sizes as somebody might put them together.

Small ones, of 3 to 8 servers with some gigabytes for each: what queues, spills, waits and seeks does so in them, too.
"""

from __future__ import annotations

import random

from models.scenario import Scenario
from profiles.loading.loader import load_text

SYSTEMS = {
    "hdfs": 'use = "hdfs"\nservers = "storage"',
    "hdfs on the servers that compute": 'use = "hdfs"\nservers = "workers"',
    "hdfs with a code": 'use = "hdfs"\nservers = "storage"\nreplication_min = 1\npolicy = "XOR-2-1-1024k"',
    "minio": 'use = "minio"\nservers = "storage"',
    "minio on flash": 'use = "minio-nvme"\nservers = "storage"',
    "storagegrid": 'use = "storagegrid"',
    "ceph": 'use = "ceph"',
    "ceph with block devices": 'use = "ceph-rbd"',
    "an object store": 'use = "object-store"',
    "amazon s3": 'use = "amazon-s3"',
    "a parallel file system": 'use = "beegfs"\nservers = "storage"\ntarget = {data = 1, parity = 1}',
}
SERVERS = tuple(f"{drive}-{card}gbe" for drive in ("hdd", "ssd", "nvme") for card in (10, 25, 100))
WORK = ("terasort", "sort", "wordcount", "teragen", "write", "read", "copy")
GIGABYTE = 1e9


def text(number: int) -> str:
    """Return the text of the profile of a number."""
    draw = random.Random(f"profile {number}")
    system = draw.choice(tuple(SYSTEMS))
    workers = draw.randint(3, 8)
    memory, cores = draw.choice((16, 32, 64)), draw.choice((8, 16, 32))
    groups = "".join(
        f"[cluster.groups.{name}]\ncount = {count}\n[cluster.groups.{name}.server]\nuse = '{draw.choice(SERVERS)}'\n"
        f"memory.size = '{memory} GiB'\nbays.data.count = {draw.choice((2, 4, 8))}\n"
        f"cpu.cores = {cores}\ncpu.threads = {2 * cores}\n"
        for name, count in (("workers", workers), ("storage", draw.randint(4, 8)), ("gateways", 2))
    )
    return (
        f"[profile]\ntitle = 'Random profile {number}'\n{groups}"
        f"[storage]\n{SYSTEMS[system]}\n[workload]\n{_work(draw, workers, memory)}"
    )


def scenario(number: int) -> Scenario:
    """Return the profile of a number as a scenario."""
    return load_text(text(number), Scenario).scenario


def _work(draw: random.Random, workers: int, memory: int) -> str:
    work = draw.choice(WORK)
    size = workers * 2 ** draw.uniform(0, 4) * GIGABYTE
    if work in ("write", "read"):
        processes = draw.choice((1, 4, 8))
        share = size / workers / processes
        return (
            f"kind = 'bulk-io'\nservers = ['workers']\nprocesses = {processes}\n"
            f"direction = '{work}'\nsize = '{share:.0f} B'\n"
        )
    if work == "copy":
        return (
            "use = 'copy-taxi-trips'\ntool.use = 'distcp'\ntool.servers = ['workers']\n"
            f"origin.use = 'hdfs'\norigin.servers = 'storage'\nsize = '{size:.0f} B'\n"
        )
    containers = draw.choice((4, 8, 16))
    amount = "generated" if work == "teragen" else "input"
    job = f"use = '{work}'\n{amount} = '{size:.0f} B'\n"
    if work in ("terasort", "sort"):
        job += f"reduces = {draw.randint(1, 2 * workers * containers)}\n"
    return (
        f"{job}[workload.framework]\nuse = 'yarn-vm-24vcpu'\ncontainers = {containers}\nlocal_dirs = 'data'\n"
        f"heap = '{memory // 2} GiB'\nslowstart = {draw.choice((0.05, 0.8, 1.0))}\n"
    )
