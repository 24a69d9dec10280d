"""The stations of equal servers: cards, processors, drives and controllers, as a request visits them.

A card and a drive serve one request after the other, each at the full rate; a processor has a slot for each hardware
thread, at the pace that each has when so many are busy. So each station carries what the resource of the same name
carries in a fluid run, and no more.
"""

from __future__ import annotations

import math

from models.distributions import EVEN, Distribution, Spread
from models.hardware.cluster import Layout, Node
from models.hardware.drive import Access, Direction
from models.hardware.drive_classes import QUEUE_GAIN
from models.hardware.drive_times import delays, device_times
from models.hardware.memory_bus import MEMORY
from models.hardware.server import Cpu
from models.problem import refusal
from models.rebalance import holding
from models.requests import Pick, Route, Station, Visit
from models.values import value

UNBOUNDED = 1 << 20
"""Slots of a station that nobody waits at. Assumption: more requests are never under way."""
TURNS = 64
"""Turns in which the bytes of a request pass a station at most. Assumption: a 64th of a large object is fine enough for
others to get in between."""


def delay(name: str, time: Distribution) -> Route:
    """Return the visit to where time passes and nobody waits for another: none if it takes no time."""
    return (Visit(Station(name, UNBOUNDED, kind="delay"), time),) if time.mean > 0 else ()


def paced(name: str, per_byte: float, share: float = 1.0) -> Route:
    """Return the visit that keeps a connection at its own pace, whoever else is under way: none if it has no limit."""
    if per_byte <= 0 or share <= 0:
        return ()
    return (Visit(Station(name, UNBOUNDED, kind="delay"), per_byte=per_byte, share=share),)


@value()
class Stations:
    """The stations of one group of servers. `pick` says which server, or which drive, a request visits.

    What belongs to the server of a drive (card, controller) is visited where `pick.server` says. Drives that the load
    writes (`is_written`) collect beside its reads. Cards and links that burst on credits begin with all of them, and
    carry what they do on the mean over its `seconds`. Each server may stand for several that are `alike`. The pieces of
    other requests, `beside` those of one, lie on any of their drives.
    """

    group: str
    nodes: tuple[Node, ...]
    connection: float
    """Most that one connection of a server carries (B/s)."""
    is_written: bool = False
    seconds: float = math.inf
    alike: int = 1
    beside: float = math.inf

    @property
    def count(self) -> int:
        """Number of servers."""
        return len(self.nodes)

    @property
    def whole(self) -> int:
        """Number of servers with all those for which they stand."""
        return self.count * self.alike

    def card(self, mtu: float = math.inf) -> float:
        """Return what a card carries (B/s) in each direction, in packets of at most `mtu` bytes."""
        return self.nodes[0].server.nic.reaching(mtu, self.seconds)

    def drives(self, bay: str) -> int:
        """Return the number of drives in a bay of all servers."""
        return self.nodes[0].server.bays[bay].count * self.count

    def receive(self, pick: Pick, share: float = 1.0, mtu: float = math.inf) -> Route:
        """Return the visit to the card on the way in, with `share` of the bytes: none without bytes.

        `mtu` is the largest packet (B) on the way, where it is smaller than that of the card.
        """
        card = self._carry("network in", "nic-in", self.card(mtu), (pick, share))
        return card + self.cross(pick, share * self.nodes[0].server.end_crossings())

    def send(
        self,
        pick: Pick,
        share: float = 1.0,
        rate: float = math.inf,
        mtu: float = math.inf,
        touched: float | None = None,
    ) -> Route:
        """Return the visit to the card on the way out, and what a connection of `rate` (B/s) takes longer than it.

        Who sends has `touched` so many bytes in memory for each, by default as its card says.
        """
        reached = self.card(mtu)
        slower = 1 / min(self.connection, rate) - 1 / reached
        card = self._carry("network out", "nic-out", reached, (pick, share))
        crossed = self.cross(pick, share * self.nodes[0].server.end_crossings(touched))
        return card + paced(f"{self.group}/connection pace", slower, share) + crossed

    def cross(self, pick: Pick, crossings: float) -> Route:
        """Return the visit to the memory bus that each byte crosses so many times: none where it never limits.

        A request is alone on it for a moment only: the time that it takes of a processor is in the cost of that.
        """
        memory = self.nodes[0].memory
        return () if memory is None else self._carry(MEMORY, "memory", memory.capacity[0], (pick, crossings))

    def touch(self, pick: Pick, touched: float) -> Route:
        """Return the visit to the memory bus of processors that touch so many bytes in memory for each."""
        return self.cross(pick, touched * self.nodes[0].server.memory_bus.misses)

    @property
    def cpu(self) -> Cpu:
        """The processors of each server."""
        return self.nodes[0].server.cpu

    def compute(self, pick: Pick, *, once: float = 0.0, per_byte: float = 0.0, spread: Spread = EVEN) -> Route:
        """Return the visit to a processor for `once` and `per_byte` reference core-seconds: none without work.

        Its seconds are those of a thread while all are busy; those of `once` are spread around that mean.
        """
        if once <= 0 and per_byte <= 0:
            return ()
        cpu = self.cpu
        pace = cpu.threads / cpu.capacity()[-1]
        station = Station(f"{self.group}/cpu", cpu.threads, self.count, "cpu", cpu.paces())
        return (Visit(station, spread.around(once * pace), per_byte * pace, pick=pick),)

    def pass_through(self, pick: Pick, name: str, bandwidth: float, times: float = 1.0) -> Route:
        """Return the visit to a process that handles `bandwidth` (B/s), `times` the bytes: none if it never limits."""
        return self._carry(f"{name} process", "process", bandwidth, (pick, times))

    def access(
        self,
        bay: str,
        pick: Pick,
        direction: Direction,
        busy: float,
        times: float = 1.0,
        at_once: int | None = None,
    ) -> Route:
        """Return the visits of accesses at random, one after the other: to the drive, and what each takes beyond it.

        They take `busy` device-seconds (s) on average, less where others wait that the drive sorts, `at_once` of them
        at most; those of the delay of which `times` (accesses on average) are waited for. None if they take no time.
        """
        drive = self.nodes[0].server.bays[bay].drive
        is_written = self.is_written or direction == "write"
        turns = min(max(math.ceil(times - 1e-9), 1), TURNS)
        later = delays(drive, direction, is_written=is_written).scaled(times / turns)
        visits: Route = delay(f"{self.group}/{bay} latency", later)
        if busy > 0:
            share = busy / turns / drive.access_time(direction)
            sorting = QUEUE_GAIN if drive.technology == "hdd" else 0.0
            service = device_times(drive, direction).scaled(share)
            most = min(drive.sorts, at_once or drive.sorts)
            visits = Visit(self._drive(bay), service, pick=pick, sorting=sorting, sorted=most), *visits
        return visits * turns

    def read(self, bay: str, pick: Pick, share: float = 1.0, segment: float = math.inf, passed: float = 1.0) -> Route:
        """Return the visits that read bytes, of which `segment` (B) lie together: of the drive and its way.

        For each byte so many have `passed` the heads of the drive.
        """
        if share <= 0:
            return ()
        server = self.nodes[0].server
        cost = server.bays[bay].drive.read_cost(segment=segment, met=self._met(bay), passed=passed)
        drive = Visit(self._drive(bay), per_byte=cost, share=share, pick=pick)
        return (drive, *self._way(bay, "read", pick, share), *self.cross(pick, share))

    def write(
        self, bay: str, pick: Pick, share: float = 1.0, segment: float = math.inf, access: Access = "direct"
    ) -> Route:
        """Return the visits that write bytes, of which `segment` (B) lie together: of the way and the drive."""
        if share <= 0:
            return ()
        server = self.nodes[0].server
        cost = server.bays[bay].drive.write_cost(access, segment, lasting=True, met=self._met(bay))
        drive = Visit(self._drive(bay), per_byte=cost, share=share, pick=pick)
        return (*self.cross(pick, share), *self._way(bay, "write", pick, share), drive)

    def _way(self, bay: str, direction: Direction, pick: Pick, share: float) -> Route:
        """Return the visits to what the drives of a bay share: their controller, and the link of those behind one."""
        server = self.nodes[0].server
        ends, link = server.controller, server.volume_link.mean_rate(self.seconds)
        rate = ends.read_bandwidth if direction == "read" else ends.write_bandwidth
        route = self._carry(f"controller {direction}s", "controller", rate, (pick, share))
        if server.bays[bay].drive.is_volume:
            route += self._carry("volume link", "controller", link, (pick, share))
        return route

    def _met(self, bay: str) -> float:
        """Return the chance that a piece of another request is on the same drive, so that it seeks between the two."""
        return 1 - math.pow(1 - 1 / self.drives(bay), self.beside)

    def _drive(self, bay: str) -> Station:
        return Station(f"{self.group}/{bay} drives", 1, self.drives(bay), "drive")

    def _carry(self, name: str, kind: str, rate: float, way: tuple[Pick, float]) -> Route:
        pick, share = way
        if share <= 0 or math.isinf(rate):
            return ()
        station = Station(f"{self.group}/{name}", 1, self.count, kind)
        return (Visit(station, per_byte=1 / rate, share=share, pick=pick.server or pick),)


def stations(layout: Layout, group: str, *, is_written: bool = False, seconds: float = math.inf) -> Stations:
    """Return the stations of a group of a layout, for a load of so many seconds; who has just come serves nobody yet.

    Raises:
        RefusalError: its servers are of several kinds.
    """
    nodes = tuple(holding(layout, group))
    if any(node.server != nodes[0].server for node in nodes):
        way_out = "state later ones like the first, or leave them out"
        raise refusal(f"cluster.groups.{group}.later", "a load of requests needs servers of one kind", way_out)
    return Stations(group, nodes, layout.connection_rate(nodes[0]), is_written, seconds, layout.parts)
