"""A cluster: groups of equal servers in racks, and the shared capacities they stand for.

`Layout` turns the description into numbered resources once per run and answers which of them a transfer uses.
The core of the network is free of contention except for the racks' uplinks when they are oversubscribed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import field, replace

from pydantic import model_validator

from models.bucket import Bucket
from models.hardware.drive import Access, Drive
from models.hardware.memory_bus import MEMORY
from models.hardware.network import Network
from models.hardware.page_cache import PageCache
from models.hardware.server import Nic, Server
from models.hardware.uplinks import uplinks
from models.hardware.volume import Volume
from models.problem import refusal
from models.quantity import Model, part, setting
from models.values import value
from models.work import Demand, Resource, Resources, Use, demand

MOST_SERVERS = 100_000
"""Servers of a group at most. Assumption: more than anybody stands up; stores of some ten thousand are reported."""


class Batch(Model):
    """Servers of a group that are of another kind or came later."""

    server: Server = part("hardware/servers", "The server.")
    count: int = setting("Number of these servers, which are among the count of the group.", ge=1, le=MOST_SERVERS)


class Group(Model):
    """Servers that do the same; equal ones, but for those that came later."""

    server: Server = part("hardware/servers", "The server.")
    count: int = setting("Number of servers, those of `later` among them, or nodes.", ge=1, le=MOST_SERVERS)
    later: tuple[Batch, ...] = setting(
        "Servers among them that are of another kind or came later, in the order in which they came.", default=()
    )
    owned: int = setting("Servers of it that are there already and are not bought: the first ones.", default=0, ge=0)

    @model_validator(mode="after")
    def _some_came_first(self) -> Group:
        if (late := sum(batch.count for batch in self.later)) >= self.count:
            raise refusal("count", f"counts all servers, of which {late} came later", "raise it", value=self.count)
        return self

    def batches(self) -> tuple[Batch, ...]:
        """Return all servers by kind, in the order in which they came."""
        first = self.count - sum(batch.count for batch in self.later)
        return (Batch.model_construct(server=self.server, count=first), *self.later)

    def with_more(self, count: int, server: Server | None = None) -> Group:
        """Return the group with a further batch, by default of servers as the first."""
        more = Batch.model_construct(server=server or self.server, count=count)
        return self.model_copy(update={"count": self.count + count, "later": (*self.later, more)})


class Cluster(Model):
    """All servers of a scenario."""

    groups: dict[str, Group] = setting("Server groups by name.")
    network: Network = setting("Racks and uplinks.", default=Network())

    @model_validator(mode="after")
    def _racks_have_servers(self) -> Cluster:
        if not self.groups:
            raise refusal("groups", "a cluster needs at least one group of servers")
        for name in self.groups:
            if "/" in name:  # which stands between a server and a part of it in the names of all that is simulated
                raise refusal("groups", "expected no '/' in the name of a group", value=name)
        most = max(group.count for group in self.groups.values())
        if self.network.racks > most:
            raise refusal(
                "network.racks", f"no group has that many servers (largest: {most})", value=self.network.racks
            )
        return self


@value(eq=False)
class Device:
    """A drive or volume of one server as something to read from and write to; `peers` are the drives of its bay.

    What it writes passes its write `cache`, if it has one.
    """

    resource: Resource
    drive: Drive | Volume
    reads_through: tuple[Resource, ...] = ()
    writes_through: tuple[Resource, ...] = ()
    peers: int = 1
    cache: Resource | None = None
    _demands: dict[Access, Demand] = field(default_factory=dict, repr=False)

    def read(
        self, access: Access = "direct", bytes: float = 1.0, segment: float = math.inf, passed: float = 1.0
    ) -> list[Use]:
        """Return what reading `bytes` per unit uses; `segment` bounds the bytes that lie together.

        For each byte so many have `passed` the heads of a hard drive.
        """
        drive = self.drive
        cost = drive.read_cost(access, segment, passed=passed) if isinstance(drive, Drive) else 1 / drive.rate()
        return self._uses(cost, bytes, self.reads_through)

    def write(self, access: Access = "direct", bytes: float = 1.0, segment: float = math.inf) -> list[Use]:
        """Return what writing `bytes` per unit uses; `segment` bounds the bytes that lie together."""
        cost = self.drive.write_cost(access, segment) if isinstance(self.drive, Drive) else 1 / self.drive.rate()
        uses = self._uses(cost, bytes, self.writes_through)
        return uses if self.cache is None else [*uses, Use(self.cache, bytes, bytes)]

    def read_demand(self, access: Access = "direct") -> Demand:
        """Return the demand of a sequential stream that reads, made once."""
        if access not in self._demands:
            self._demands[access] = demand(self.read(access), max_rate=self.read_rate(), cap="one drive stream")
        return self._demands[access]

    def read_rate(self) -> float:
        """Return the rate (B/s) of a lone reader."""
        return self.drive.read_bandwidth if isinstance(self.drive, Drive) else self.drive.rate()

    def write_rate(self) -> float:
        """Return the rate (B/s) of a lone writer."""
        return self.drive.write_bandwidth if isinstance(self.drive, Drive) else self.drive.rate()

    def _uses(self, cost: float, bytes: float, through: tuple[Resource, ...]) -> list[Use]:
        return [Use(self.resource, cost * bytes, bytes), *(Use(shared, bytes, bytes) for shared in through)]


@value(eq=False)
class Node:
    """One server of a layout; `batch` counts the kinds of its group, from 0."""

    index: int
    name: str
    group: str
    rack: int
    server: Server
    cpu: Resource
    nic_in: Resource
    nic_out: Resource
    bays: dict[str, tuple[Device, ...]]
    volumes: dict[str, Device]
    batch: int = 0
    memory: Resource | None = None

    def devices(self, place: str) -> tuple[Device, ...]:
        """Return the devices of a bay or the volume of that name.

        Raises:
            RefusalError: the server has neither.
        """
        devices = self.bays.get(place)
        if devices is not None:
            return devices
        if place in self.volumes:
            return (self.volumes[place],)
        known = ", ".join([*self.bays, *self.volumes]) or "none"
        raise ValueError(f"servers of group {self.group!r} have no bay or volume {place!r} (they have: {known})")

    def compute(self, cost: float) -> list[Use]:
        """Return what `cost` reference core-seconds per unit use."""
        return [Use(self.cpu, cost)] if cost > 0 else []

    def crossing(self, bytes: float) -> list[Use]:
        """Return what `bytes` per unit that cross the memory bus use: nothing where it never limits."""
        return [] if self.memory is None or bytes <= 0 else [Use(self.memory, bytes, bytes)]

    def page_cache(self, held: float, readers: float = 0.0, grain: float = 1.0) -> PageCache:
        """Return the page cache while processes hold `held` bytes and `readers` tasks read files; see `PageCache`."""
        memory = self.server.memory
        return PageCache(f"{self.name}/page-cache", memory, memory.page_cache(held), readers, grain=grain)


class Layout:
    """The nodes and resources of a cluster; node i of a group stands in rack i modulo the racks.

    Each node may stand for several that are `alike`: a plan gives them a part of its work, and what the whole cluster
    shares, such as a line or a service beside it, has a part of its capacity. That need be no whole number: 14 of 206
    servers stand for 14.7 each; `parts` are taken where it is one. The `whole` is the cluster with all of them. `grain`
    is that of the page caches, of whose dirty room a part is full at first (`caches_hold`). Without `has_images`, which
    it has at first, `standing` are nodes alone. What a request takes once it takes before its first byte, or where it
    `spreads_once` with its bytes, if these take longer. Where it `evens_out` very many requests go to all places of a
    store alike.
    """

    def __init__(self, cluster: Cluster, alike: float = 1, grain: float = 1.0, whole: Cluster | None = None) -> None:
        self.cluster, self.alike, self._grain, self.whole = cluster, alike, grain, whole or cluster
        self.resources = Resources()
        self.nodes, self.groups = list[Node](), dict[str, list[Node]]()
        groups = cluster.groups.values()
        servers = ([batch.server for batch in group.batches() for _ in range(batch.count)] for group in groups)
        self._uplinks = uplinks(self.resources, servers, cluster.network)
        self._services: dict[str, Resource] = {}
        self._shared: set[str] = set()
        self._connections: dict[int, float] = {}  # of each node, once somebody asked
        self.pages: dict[int, PageCache] = {}
        self.caches_hold, self.spreads_once, self.evens_out = 0.0, False, False
        self.held: dict[str, tuple[Callable[[Node], float], int]] = {}
        self._jobs, self.has_images, self.fresh = 0, True, dict[str, int]()  # models.rebalance.holding
        self.workload = ""  # for which plans are being built: several runs of it hold their memory one after the other
        for name, group in cluster.groups.items():
            kinds = [
                (n, server, limit)
                for n, batch in enumerate(group.batches())
                for server in [batch.server.beside_others()]
                for limit in [server.memory_limit]
                for _ in range(batch.count)
            ]
            self.groups[name] = [self._add(name, server, i, n, limit) for i, (n, server, limit) in enumerate(kinds)]

    @property
    def parts(self) -> int:
        """How many such layouts make the whole, which its servers divide: loads of requests and images ask for that."""
        return round(self.alike)

    def standing(self, group: str) -> list[Node]:
        """Return all servers of the whole group: its nodes, and images of them for those that they stand for.

        An image has the resources of its node. What goes from one to the other leaves by its card and comes in by it,
        as between two servers that are alike.
        """
        nodes = self.groups[group]
        return [*nodes, *(replace(node) for _ in range((self.parts - 1) * self.has_images) for node in nodes)]

    def transfer(self, source: Node, target: Node, bytes: float = 1.0, touched: float | None = None) -> list[Use]:
        """Return what moving `bytes` per unit uses: nothing on the same node. `touched` is as in `Stations.send`."""
        if source is target or bytes == 0:
            return []
        uses = [Use(source.nic_out, bytes, bytes), Use(target.nic_in, bytes, bytes)]
        if self._uplinks and source.rack != target.rack:
            uses += [Use(self._uplinks[source.rack][1], bytes, bytes), Use(self._uplinks[target.rack][0], bytes, bytes)]
        if source.memory is not None or target.memory is not None:
            uses += source.crossing(bytes * source.server.end_crossings(touched))
            uses += target.crossing(bytes * target.server.end_crossings())
        return uses

    def service(self, node: Node | None, name: str, slots: int) -> Resource:
        """Return the slots of a service that runs on a node, in seconds of a slot per second, made once.

        Without a node it runs on a server of its own, which the cluster does not describe.
        """
        if node is None:
            return self.once(name, "index", name, "slot-s", float(slots))
        return self.of(node, name, "index", f"{node.group}/{name}", "slot-s", float(slots))

    def once(self, name: str, kind: str, group: str, unit: str, capacity: float) -> Resource:
        """Return a resource of that name which all share, made once however many workloads ask for it."""
        self._shared.add(name)
        return self._kept(name, kind, group, unit, capacity / self.alike)

    def of(self, node: Node, name: str, kind: str, group: str, unit: str, capacity: float) -> Resource:
        """Return a resource of a node beside its hardware, made once however many workloads ask for it."""
        return self._kept(f"{node.name}/{name}", kind, group, unit, capacity)

    def _kept(self, name: str, kind: str, group: str, unit: str, capacity: float) -> Resource:
        if name not in self._services:
            self._services[name] = self._resource(name, kind, group, unit, capacity)
        return self._services[name]

    def hold(self, held: Callable[[Node], float], tasks: int) -> None:
        """Take account of so many tasks a server, which hold so many bytes (B) of the memory of each."""
        self.held[self.workload] = held, tasks

    def page(self, node: Node) -> PageCache:
        """Return the page cache of a server beside what all processes hold, made once."""
        if node.index not in self.pages:
            memory = sum(held(node) for held, _ in self.held.values())
            readers = sum(tasks for _, tasks in self.held.values())
            page = node.page_cache(memory, readers, self._grain)
            self.pages[node.index] = replace(page, holds=self.caches_hold)
        return self.pages[node.index]

    def part(self, count: int) -> int:
        """Return how many of things that all nodes share alike fall to those of the layout: at least one, if any."""
        return max(round(count / self.alike), min(count, 1))

    def whole_of(self, count: int) -> int:
        """Return how many of all servers, or of what each of them has, `count` of the layout stand for."""
        return round(count * self.alike)

    def all_of(self, resource: Resource, count: int) -> int:
        """Return how many resources there are for `count` of the layout that are like one."""
        return count if resource.name in self._shared else self.whole_of(count)

    def job(self) -> str:
        """Return what tells the pools of one job from those of the others: "job 1", "job 2"."""
        self._jobs += 1
        return f"{self.workload or 'job'} {self._jobs}"

    def rate(self, name: str, requests: float) -> Resource:
        """Return a rate of requests (1/s) that a run shares, made once."""
        return self.once(f"{name}-requests", "requests", f"{name} requests", "1", requests)

    def process(self, node: Node, name: str, bandwidth: float) -> Resource:
        """Return a process of a node that handles `bandwidth` (B/s) in all, made once."""
        return self.of(node, name.replace(" ", "-"), "process", f"{node.group}/{name} process", "B", bandwidth)

    def stream_rate(self, source: Node, target: Node) -> float:
        """Return the most (B/s) that one connection carries between two nodes: no limit on the same node."""
        if source is target:
            return math.inf
        return min(self.connection_rate(source), self.connection_rate(target))

    def connection_rate(self, node: Node) -> float:
        """Return the most (B/s) that one connection of a node carries, whoever is at its other end."""
        rate = self._connections.get(node.index)
        if rate is None:
            rate = self._connections[node.index] = node.server.connection_rate(self.cluster.network.round_trip)
        return rate

    def _resource(self, name: str, kind: str, group: str, unit: str, capacity: float | tuple[float, ...]) -> Resource:
        return self.resources.add(name, kind=kind, group=group, unit=unit, capacity=capacity)

    def _card(self, name: str, kind: str, group: str, nic: Nic) -> Resource:
        """Return one direction of a card, which has credits of its own."""
        return self.resources.add(name, kind=kind, group=group, unit="B", capacity=nic.rate, bucket=nic.bucket)

    def _volume_link(self, name: str, group: str, server: Server) -> tuple[Resource, ...]:
        """Return what the volumes of a server share, nothing where it has none or that is without a limit."""
        link = server.volume_link
        if not server.has_volumes or math.isinf(link.bandwidth):
            return ()
        key, among = f"{name}/volume-link", f"{group}/volume link"
        return (
            self.resources.add(
                key, kind="controller", group=among, unit="B", capacity=link.bandwidth, bucket=link.bucket
            ),
        )

    def _add(self, group: str, server: Server, i: int, batch: int, limit: float) -> Node:
        name = f"{group}-{i + 1}"
        cpu = self._resource(f"{name}/cpu", "cpu", f"{group}/cpu", "core-s", server.cpu.capacity())
        nic_in = self._card(f"{name}/nic-in", "nic-in", f"{group}/network in", server.nic)
        nic_out = self._card(f"{name}/nic-out", "nic-out", f"{group}/network out", server.nic)
        memory = self._ceiling(f"{name}/memory", "memory", f"{group}/{MEMORY}", limit)
        link = self._volume_link(name, group, server)
        node = Node(
            index=len(self.nodes),
            name=name,
            group=group,
            rack=i % self.cluster.network.racks,
            batch=batch,
            server=server,
            cpu=cpu,
            nic_in=nic_in,
            nic_out=nic_out,
            memory=memory[0] if memory else None,
            bays=self._bays(name, group, server, link, memory),
            volumes={
                key: Device(
                    self._resource(f"{name}/{key}", "volume", f"{group}/{key} volume", "device-s", 1.0),
                    volume,
                    link + memory,
                    link + memory,
                )
                for key, volume in server.volumes.items()
            },
        )
        self.nodes.append(node)
        return node

    def _bays(
        self, name: str, group: str, server: Server, link: tuple[Resource, ...], memory: tuple[Resource, ...]
    ) -> dict[str, tuple[Device, ...]]:
        """Return the drives of each bay: all share controller and memory, and those that are volumes the `link` too."""
        ends = server.controller
        reads = self._ceiling(f"{name}/controller-read", "controller", f"{group}/controller reads", ends.read_bandwidth)
        writes = self._ceiling(
            f"{name}/controller-write", "controller", f"{group}/controller writes", ends.write_bandwidth
        )
        bays = {}
        for key, bay in server.bays.items():
            drive, table, bucket = bay.drive, bay.drive.stream_capacity(), bay.drive.bucket
            through = link + memory if drive.is_volume else memory
            among, caches = f"{group}/{key} drives", f"{group}/{key} write caches"
            devices = []
            for d in range(bay.count):
                own = f"{name}/{key}-{d + 1}"
                resource = self.resources.add(own, kind="drive", group=among, unit="device-s", capacity=table)
                cache = self._write_cache(f"{own}-cache", caches, drive.write_bandwidth, bucket)
                devices.append(Device(resource, drive, reads + through, writes + through, bay.count, cache))
            bays[key] = tuple(devices)
        return bays

    def _write_cache(self, name: str, group: str, rate: float, bucket: Bucket | None) -> Resource | None:
        """Return what writes pass at the rate of a drive, until its cache is full; None without one."""
        if bucket is None:
            return None
        return self.resources.add(name, kind="controller", group=group, unit="B", capacity=rate, bucket=bucket)

    def _ceiling(self, name: str, kind: str, group: str, bandwidth: float) -> tuple[Resource, ...]:
        return () if math.isinf(bandwidth) else (self._resource(name, kind, group, "B", bandwidth),)
