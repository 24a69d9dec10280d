"""What a delivered cluster should do in an acceptance test: its parts one by one, by closed forms.

    drive       sequential reads and writes of a lone drive, and small reads at random places of the file of the test
    server      all drives at once, a stream each: their sum, or what the controller carries
    network     one connection between two servers, and many: the card, or what the connections carry together

A write cache of a drive is full after C / (w - s) seconds of writing at w; what follows is written at s. Not covered:
uplinks of racks (both servers stand in one), processors, memory, random writes, which caches decide.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from models.hardware.cluster import Cluster
from models.hardware.drive import Direction, Drive
from models.hardware.server import Server
from models.jobs.object_load import ObjectLoad
from models.scenario import Scenario

Layer = Literal["drive", "server", "network", "work"]
SPAN = 16 * 2.0**30
"""Bytes of the file of a test. Assumption: more than any controller caches, which have up to 8 GiB."""
RAMP, TIME = 5.0, 60.0
"""Seconds of a test that are not measured, and that are. Assumption: five to settle, a minute to tell a mean."""
LARGE, SMALL = 2.0**20, 4096.0
"""Bytes of a request of sequential and of random access. Source: fio, examples; the page of most file systems."""
QUEUE, FLASH_QUEUE = 8, 32
"""Requests under way of sequential access, and of random reads of flash. Assumption: enough to keep a drive busy."""
CONNECTIONS = 10
"""Connections that fill a card. Source: MinIO, Performance comparison between MinIO and HDFS, 2019: iperf3 -P 10."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One test: its name, what is measured in words, and the value that is expected, in its unit.

    `group` is the group of servers, `bay` the bay of a drive ("" for others); `keys` are those of the numbers from
    which the value follows. More is better, but for what is measured in seconds.
    """

    name: str
    layer: Layer
    group: str
    what: str
    unit: str
    value: float
    keys: tuple[str, ...] = ()
    bay: str = ""
    direction: Direction | None = None
    is_random: bool = False
    drives: int = 1
    depth: int = 1
    connections: int = 1

    @property
    def is_time(self) -> bool:
        """Whether less is better."""
        return self.unit == "s"


def expected_of_parts(scenario: Scenario) -> list[Expected]:
    """Return the tests of all parts of a cluster, those of drives first; of what only sends requests its network.

    Each has a name of its own.
    """
    cluster, senders = scenario.cluster, _senders(scenario)
    tests: list[Expected] = []
    known, numbers = set[str](), Counter[str]()
    for group in cluster.groups:
        for name, key, server in _kinds(cluster, group):
            own = _of_kind(name, key, server, cluster, is_sender=group in senders)
            while known & _names(own):  # groups whose names differ in signs alone
                numbers[name] += 1
                own = _of_kind(f"{name}-{numbers[name] + 1}", key, server, cluster, is_sender=group in senders)
            known |= _names(own)
            tests += own
    return sorted(tests, key=lambda test: ("drive", "server", "network").index(test.layer))


def _of_kind(name: str, key: str, server: Server, cluster: Cluster, *, is_sender: bool) -> list[Expected]:
    own = [] if is_sender else list(_of_server(name, key, server))
    return own + list(_of_network(name, f"{key}.nic", server, cluster.network.round_trip))


def _names(tests: Sequence[Expected]) -> set[str]:
    """Return the names of tests as systems of files tell them apart."""
    return {test.name.casefold() for test in tests}


def _senders(scenario: Scenario) -> set[str]:
    """Return the groups that send requests, and neither keep data nor run jobs."""
    works = [part.workload for part in scenario.each().values()]
    busy = {name for work in works if not isinstance(work, ObjectLoad) for name in work.server_groups().values()}
    sending = {work.clients for work in works if isinstance(work, ObjectLoad)}
    return sending - busy - set(scenario.storage.server_groups().values())


def _kinds(cluster: Cluster, group: str) -> Iterator[tuple[str, str, Server]]:
    """Yield each kind of server of a group: a name that tells it, its key in a profile, and the server."""
    for number, batch in enumerate(cluster.groups[group].batches()):
        place = f"later.{number - 1}.server" if number else "server"
        name = f"{group}-{number + 1}" if number else group
        yield _word(name), f"cluster.groups.{group}.{place}", batch.server


def _word(name: str) -> str:
    """Return a name as files and scripts bear it."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name)


def _of_server(name: str, key: str, server: Server) -> Iterator[Expected]:
    for bay, held in server.bays.items():
        yield from _of_drive(f"{name}-{_word(bay)}", name, bay, f"{key}.bays.{bay}.drive", held.drive)
    if sum(held.count for held in server.bays.values()) > 1:
        yield from _of_drives(name, key, server)


def _of_drive(name: str, group: str, bay: str, key: str, drive: Drive) -> Iterator[Expected]:
    for direction in ("read", "write"):
        yield Expected(
            name=f"{name}-{direction}",
            layer="drive",
            group=group,
            bay=bay,
            what=f"sequential {direction}s of one drive of '{bay}'",
            unit="B/s",
            value=sequential(drive, direction),
            keys=(f"{key}.{direction}_bandwidth",),
            direction=direction,
            depth=QUEUE,
        )
    depth = 1 if drive.flash is None else FLASH_QUEUE
    yield Expected(
        name=f"{name}-random",
        layer="drive",
        group=group,
        bay=bay,
        what=f"random reads of one drive of '{bay}', 4 KiB, {depth} under way",
        unit="IOPS",
        value=random_reads(drive, depth),
        keys=(f"{key}.seek_time",) if drive.flash is None else (f"{key}.read_latency", f"{key}.read_iops"),
        direction="read",
        is_random=True,
        depth=depth,
    )


def _of_drives(name: str, key: str, server: Server) -> Iterator[Expected]:
    ends = {"read": server.controller.read_bandwidth, "write": server.controller.write_bandwidth}
    count = sum(held.count for held in server.bays.values())
    for direction in ("read", "write"):
        rates = [(held.drive, held.count * sequential(held.drive, direction)) for held in server.bays.values()]
        behind = sum(rate for drive, rate in rates if drive.is_volume)
        local = sum(rate for drive, rate in rates if not drive.is_volume)
        together = local + min(behind, server.volume_link.sustained)
        of_drives = (f"{key}.bays.{bay}.drive.{direction}_bandwidth" for bay in server.bays)
        is_held_up = ends[direction] < together
        yield Expected(
            name=f"{name}-server-{direction}",
            layer="server",
            group=name,
            what=f"sequential {direction}s of all {count} drives of a server at once",
            unit="B/s",
            value=min(together, ends[direction]),
            keys=(f"{key}.controller.{direction}_bandwidth",) if is_held_up else tuple(of_drives),
            direction=direction,
            drives=count,
            depth=QUEUE,
        )


def _of_network(name: str, key: str, server: Server, round_trip: float) -> Iterator[Expected]:
    one = server.connection_rate(round_trip)
    for connections, what in ((1, "one connection"), (CONNECTIONS, f"{CONNECTIONS} connections")):
        value = min(connections * one, server.nic.sustained)
        yield Expected(
            name=f"{name}-network-{connections}",
            layer="network",
            group=name,
            what=f"{what} to another server",
            unit="B/s",
            value=value,
            keys=(f"{key}.bandwidth",) if value >= server.nic.sustained else (f"{key}.flow_bandwidth", f"{key}.window"),
            connections=connections,
        )


def sequential(drive: Drive, direction: Direction) -> float:
    """Return the bytes a second that a lone stream moves during a test."""
    if direction == "read":
        return drive.read_bandwidth
    fast, slow = drive.write_bandwidth, drive.sustained
    if drive.write_cache is None:
        return fast
    in_cache = min(max(drive.write_cache / (fast - slow) - RAMP, 0.0), TIME)
    return (fast * in_cache + slow * (TIME - in_cache)) / TIME


def random_reads(drive: Drive, depth: int) -> float:
    """Return the small reads a second at random places of the file of a test, so many of them under way."""
    flash = drive.flash
    if flash is None:
        near = drive.model_copy(update={"stroke": min(SPAN / drive.capacity, 1.0)})
        return 1 / (near.access_time() + SMALL / drive.read_bandwidth)
    return min(min(depth, drive.depth) / flash.read_latency, flash.read_iops, drive.read_bandwidth / SMALL)
