"""Small machines for the tests, with round numbers: what matters to a test is said where it is used."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from models.hardware.cluster import Cluster, Group, Layout
from models.hardware.drive import Drive
from models.hardware.network import Network
from models.hardware.server import Bay, Controller, Cpu, Memory, Nic, Server
from models.hardware.volume import Volume
from models.storage.parallel_fs.system import FileStream, ParallelFs

GB = 1e9
MB = 1e6


def hdd(**changes: Any) -> Drive:
    """Return a drive of 200 MB/s each way that costs 10 ms a seek and seeks each MB: 1/200 + 10 = 15 ms a MB.

    It turns so fast that half a turn takes no time.
    """
    settings = {
        "technology": "hdd",
        "capacity": 1000 * GB,
        "read_bandwidth": 200 * MB,
        "write_bandwidth": 200 * MB,
        "seek_time": 0.010,
        "rpm": 6e10,
        "read_chunk": 1 * MB,
        "write_chunk": 1 * MB,
        "writeback_chunk": 1 * MB,
        "mixed_chunk": 1 * MB,
    }
    return Drive.model_validate(settings | changes)


def nvme(**changes: Any) -> Drive:
    """Return a drive of 2 GB/s read and 1 GB/s write, without seeks."""
    settings = {"technology": "nvme", "capacity": 1000 * GB, "read_bandwidth": 2 * GB, "write_bandwidth": 1 * GB}
    return Drive.model_validate(settings | changes)


def card(**settings: Any) -> Nic:
    """Return a network card whose rates are those of its payload, and one connection of which may fill it."""
    return Nic(**{"efficiency": 1.0, "connection_cpu": 0.0, "window": 1000 * GB} | settings)


def server(drives: int = 2, drive: Drive | None = None, **changes: Any) -> Server:
    """Return a server of 4 cores, 100 GB, 1 GB/s network, drives in the bay "data" and a volume "root" of 100 MB/s."""
    settings: dict[str, Any] = {
        "cpu": Cpu(cores=4, threads=8, speed=1.0, smt_yield=1.25),
        "memory": Memory(size=100 * GB, dirty_ratio=0.2),
        "nic": card(bandwidth=1 * GB),
        "bays": {"data": Bay(drive=drive or nvme(), count=drives)},
        "controller": Controller(),
        "volumes": {"root": Volume(size=100 * GB, bandwidth=100 * MB)},
    }
    return Server(**settings | changes)


def cluster(
    known: Mapping[str, tuple[int, Server]] = MappingProxyType({}),
    /,
    *,
    racks: int = 1,
    oversubscription: float = 1.0,
    **groups: tuple[int, Server],
) -> Cluster:
    """Return a cluster of groups given as name=(count, server), or as a mapping of such."""
    return Cluster(
        groups={name: Group(server=machine, count=count) for name, (count, machine) in {**known, **groups}.items()},
        network=Network(racks=racks, oversubscription=oversubscription),
    )


def layout(
    known: Mapping[str, tuple[int, Server]] = MappingProxyType({}),
    /,
    *,
    racks: int = 1,
    oversubscription: float = 1.0,
    **groups: tuple[int, Server],
) -> Layout:
    """Return the layout of such a cluster."""
    return Layout(cluster(known, racks=racks, oversubscription=oversubscription, **groups))


def parallel_fs(**settings: Any) -> ParallelFs:
    """Return a parallel file system as it is where a profile states no more."""
    return ParallelFs(**{"system": "parallel-fs"} | settings)


def files(**changes: Any) -> ParallelFs:
    """Return a file system on the group "servers" whose streams cost no processor and wait for no RPC."""
    settings: dict[str, Any] = {"system": "parallel-fs", "servers": "servers", "rpc_time": 0.0, "stream": FREE}
    return ParallelFs(**settings | changes)


FREE = FileStream(read_cpu=0.0, write_cpu=0.0, served_read_cpu=0.0, served_write_cpu=0.0)
