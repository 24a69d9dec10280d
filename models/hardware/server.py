"""One server: processor, memory, network card, drives behind a controller, and attached volumes.

A processor with n busy threads delivers `speed * n` core-seconds per second up to its cores, and then rises
to `speed * cores * smt_yield` when all hardware threads are busy: the second thread of a core adds little. Where
cores share a cache or memory bus, each further busy thread slows them all by `contention`.
Memory that no process holds caches files; a part of it may wait to be written.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from pydantic import model_validator

from models.bucket import Bucket
from models.hardware.background import Background
from models.hardware.burst import bucket, check_burst, mean_rate
from models.hardware.drive import Direction, Drive
from models.hardware.memory_bus import BESIDE, COPIED, SUMMED, MemoryBus
from models.hardware.vector import CODING, Vector
from models.hardware.volume import Volume, VolumeLink
from models.problem import refusal
from models.quantity import Model, Quantity, part, quantity, setting

MOST_DRIVES = 1_000
"""Drives of a bay, at most. Assumption: ten times what the largest enclosures hold (108 bays in four rack units)."""
MOST_THREADS = 100_000
"""Hardware threads of a server, at most, each of which has a row of how fast all are. Assumption: twelve times what one
Linux runs on. Source: Linux, NR_CPUS of x86 and POWER, 8,192.
"""
EXPONENT = 0.7
"""Of how busy processors are in what they draw, see `models.planning.power`.

Source: Teads, power of EC2 hosts under stress (m5, c5, i3, d2, m6), where half load takes 0.60 to 0.65 of the span;
before 2010 it was nearly linear.
"""


class Cpu(Model):
    """The processors of a server. A shipped one is one socket; a server of several states all its cores and threads."""

    model: str = setting("Processor, as its maker names it; empty: not told.", default="")
    cores: int = setting("Physical cores.", ge=1, le=MOST_THREADS)
    threads: int = setting("Hardware threads (vCPU).", ge=1, le=MOST_THREADS)
    speed: float = setting(
        "Speed of one core, one thread on each of all cores, relative to the reference core (Skylake-SP at 3.4 GHz);"
        " a processor that ships, or its neighbour by generation and clock, knows it better.",
        default=0.98,
        gt=0,
        source="prior: median of the processors since 2016 that ship, all cores busy",
        between=(0.7, 1.42),
    )
    smt_yield: float = setting(
        "Throughput of a core with all its threads busy over one thread alone.", default=1.0, ge=1
    )
    vector: Vector = setting(
        "Vector instructions, which set the pace of erasure coding: with GFNI 1.5 times that of AVX2 and of AVX-512"
        " alone, with NEON 0.45, with SSSE3 0.5, without any 0.1 times.",
        default="avx2",
    )
    contention: float = setting(
        "Part by which each further busy thread slows all others (shared cache, memory bus).", default=0.0, ge=0
    )
    socket_cores: int | None = setting("Cores of a socket; default: one socket has all.", default=None, ge=1)
    memory_bandwidth: Quantity | None = quantity(
        "B/s",
        "Stated rate of the memory of a socket with all channels filled: channels, times 8 B, times transfers a second;"
        " default: not known, and memory limits nothing.",
        default=None,
        gt=0,
    )

    @model_validator(mode="after")
    def _threads_fill_cores(self) -> Cpu:
        if self.threads < self.cores:
            raise refusal("threads", f"a core has at least one thread, cores = {self.cores}", value=self.threads)
        if self.threads > self.cores and self.smt_yield > self.threads / self.cores:
            most = self.threads / self.cores
            raise refusal("smt_yield", f"{most:g} threads a core yield at most {most:g}", value=self.smt_yield)
        return self

    @property
    def coding(self) -> float:
        """Pace of erasure coding of a core, over that of one as fast otherwise with AVX2."""
        return CODING[self.vector]

    @property
    def sockets(self) -> int:
        """Number of sockets; one that is not full counts as a whole one."""
        return math.ceil(self.cores / (self.socket_cores or self.cores))

    def capacity(self) -> tuple[float, ...]:
        """Return reference core-seconds per second for 1 ... `threads` busy threads."""
        return _capacity(self.speed, self.cores, self.threads, self.smt_yield, self.contention)

    def paces(self) -> tuple[float, ...]:
        """Return how much faster a thread is while 1 ... `threads` are busy than while all are: empty if it is not."""
        capacity = self.capacity()
        full = capacity[-1] / self.threads
        paces = tuple(total / n / full for n, total in enumerate(capacity, 1))
        return () if max(paces) - min(paces) < 1e-9 else paces


@lru_cache(maxsize=64)  # a layout asks it of each of its servers
def _capacity(speed: float, cores: int, threads: int, smt_yield: float, contention: float) -> tuple[float, ...]:
    gain = (smt_yield - 1) * cores / max(threads - cores, 1)
    return tuple(
        speed * (min(n, cores) + gain * max(n - cores, 0)) / (1 + contention * (n - 1)) for n in range(1, threads + 1)
    )


class Memory(Model):
    """Main memory and what the kernel does with the part that no process holds."""

    size: Quantity = quantity("B", "Main memory.", gt=0)
    dirty_ratio: float = setting(
        "Part of the memory not held by processes that may be dirty before writers wait (vm.dirty_ratio).",
        default=0.2,
        ge=0,
        le=1,
    )
    dirty_background_ratio: float = setting(
        "Part of it from which on the kernel writes them in the background (vm.dirty_background_ratio).",
        default=0.1,
        ge=0,
        le=1,
    )

    @property
    def dirty_share(self) -> float:
        """The part of the page cache that is dirty where writers and drives settle.

        It lies midway between where writers begin to be paused and the limit. Source: Linux, mm/page-writeback.c,
        domain_dirty_limits and wb_position_ratio.
        """
        return (self.free_run_share + self.dirty_ratio) / 2

    @property
    def free_run_share(self) -> float:
        """The part of the page cache below which nobody is paused, whatever drive he writes to.

        It lies midway between both thresholds. Source: Linux, mm/page-writeback.c, dirty_freerun_ceiling.
        """
        background = self.dirty_background_ratio
        if background >= self.dirty_ratio:
            background = self.dirty_ratio / 2
        return (self.dirty_ratio + background) / 2

    def page_cache(self, held: float) -> float:
        """Return bytes of memory free to cache files while processes hold `held` bytes."""
        return max(self.size - held, 0.0)


FRAME_ON_WIRE = 38.0
"""Bytes that a frame takes on the wire beside its packet: preamble 8, header 14, checksum 4, gap 12 (IEEE 802.3)."""
PACKET_HEADERS = 52.0
"""Bytes of a packet that are no payload: IPv4 20 (RFC 791), TCP 20 (RFC 9293), its time stamps 12 (RFC 7323)."""


def payload(mtu: float) -> float:
    """Return the payload of TCP/IPv4 as a part of what packets of `mtu` bytes take of a wire."""
    return (mtu - PACKET_HEADERS) / (mtu + FRAME_ON_WIRE)


class Nic(Model):
    """A network card, full duplex. Of its nominal rate the payload gets what headers and gaps between frames leave."""

    only_with: ClassVar[Mapping[str, str]] = {"burst_time": "baseline"}
    bandwidth: Quantity = quantity("B/s", "Rate of one link in each direction.", gt=0)
    links: int = setting("Links that work as one card (a bond): one connection stays on one of them.", default=1, ge=1)
    flow_bandwidth: Quantity = quantity("B/s", "Most that one connection carries.", default=math.inf, gt=0)
    mtu: Quantity = quantity(
        "B",
        "Largest packet that a frame carries; 9001 between instances of EC2.",
        default=1500.0,
        source="published: RFC 894, MTU of Ethernet",
        gt=PACKET_HEADERS,
        le=65535,
    )
    efficiency: float | None = setting(
        "Payload as a part of these rates; default: that of TCP/IPv4 in frames of `mtu`, 0.9415 with 1500 B. A rate"
        " that was measured, as by iperf3, is one of payload: 1.",
        default=None,
        gt=0,
        le=1,
    )

    window: Quantity = quantity(
        "B",
        "Bytes that one connection has under way at most: each takes at most this a round trip of the network.",
        default="3 MiB",
        source="published: Linux ip-sysctl, half of the largest receive buffer of net.ipv4.tcp_rmem, 6 MiB",
        gt=0,
    )
    connection_cpu: Quantity = quantity(
        "s/B",
        "Core-seconds of a byte of a connection, which one core at a time sends or receives. They only limit its rate:"
        " what they take of the processor is in the CPU of stores, clients and workloads.",
        default="0.25 ns/B",
        source="prior: kernel TCP with all offloads, receiving: Cai et al., SIGCOMM 2021, 42 Gbit/s a core",
        between=("0.17 ns/B", "0.45 ns/B"),
        ge=0,
    )
    touched: float = setting(
        "Bytes that processors touch in memory for each byte of a connection: a copy reads, allocates and writes back;"
        " 0 with RDMA.",
        default=COPIED,
        ge=0,
    )
    baseline: Quantity | None = quantity(
        "B/s",
        "Rate that a card has for ever whose `bandwidth` is a burst on credits, as on instances of a cloud;"
        " default: it is no burst.",
        default=None,
        gt=0,
    )
    burst_time: Quantity = quantity(
        "s",
        "How long all credits carry a burst. What is not taken of the baseline brings them back, for each direction.",
        default="30 min",
        source="prior: EC2 User Guide, instance network bandwidth: bursts last from 5 to 60 minutes",
        between=("5 min", "60 min"),
        gt=0,
    )

    @model_validator(mode="after")
    def _bursts_above_its_baseline(self) -> Nic:
        check_burst(self.baseline, self.nominal)
        return self

    @property
    def bucket(self) -> Bucket | None:
        """The credits of one direction, None for a card without."""
        return bucket(self.rate, self.sustained, self.burst_time)

    @property
    def sustained(self) -> float:
        """Payload (B/s) that all links together carry in each direction without credits."""
        return self.rate if self.baseline is None else self.baseline * self.payload

    @property
    def payload(self) -> float:
        """The payload as a part of the stated rates."""
        return payload(self.mtu) if self.efficiency is None else self.efficiency

    def mean_rate(self, seconds: float) -> float:
        """Return the payload (B/s) that a card carries in each direction over so many seconds from full credits on."""
        return mean_rate(self.rate, self.bucket, seconds)

    def reaching(self, mtu: float, seconds: float = math.inf) -> float:
        """Return the payload (B/s) in each direction on a way with packets of at most `mtu` bytes.

        It is the mean over so many seconds, which begin with all credits. A rate that was measured is one with packets
        of the card.
        """
        rate = self.mean_rate(seconds)
        return rate * payload(mtu) / payload(self.mtu) if mtu < self.mtu else rate

    @property
    def nominal(self) -> float:
        """The stated rate (B/s) of all links together, in each direction."""
        return self.links * self.bandwidth

    @property
    def rate(self) -> float:
        """Payload (B/s) that all links together carry in each direction, while credits last."""
        return self.nominal * self.payload

    @property
    def flow_rate(self) -> float:
        """Payload (B/s) that one connection carries: it stays on one link."""
        return min(self.bandwidth, self.flow_bandwidth) * self.payload


class Bay(Model):
    """Drives of one kind in a server."""

    drive: Drive = part("hardware/drives", "The drive.")
    count: int = setting("Number of drives.", ge=1, le=MOST_DRIVES)


class Controller(Model):
    """The host bus adapter or backplane that all drives of a server share."""

    read_bandwidth: Quantity = quantity("B/s", "Most that all drives together deliver.", default=math.inf, gt=0)
    write_bandwidth: Quantity = quantity("B/s", "Most that all drives together accept.", default=math.inf, gt=0)


class Server(Model):
    """One kind of server."""

    model: str = setting(
        "Model, by which a price list finds the whole server; else its price follows from its parts.", default=""
    )
    chassis: str = setting(
        "Chassis, by which a price list finds it; empty: the cheapest that holds the drives.", default=""
    )
    cpu: Cpu = part("hardware/processors", "Processors.")
    memory: Memory = setting("Main memory.")
    nic: Nic = setting("Network card.")
    bays: dict[str, Bay] = setting("Local drives, by the name of their bay.", default={})
    controller: Controller = setting("What all drives of its bays share.", default=Controller())
    volumes: dict[str, Volume] = setting("Attached volumes, by name.", default={})
    volume_link: VolumeLink = setting(
        "What all attached volumes share, with the drives of bays that are behind it.", default=VolumeLink()
    )
    memory_bus: MemoryBus = setting("What reads and writes of its memory share.", default=MemoryBus())
    background: Background = setting("What others use of it already.", default=Background())

    def acts(self, key: str) -> bool:
        """Tell whether a key does anything: the memory bus does where it can limit."""
        return super().acts(key) and (key != "memory_bus" or math.isfinite(self.memory_limit))

    @model_validator(mode="after")
    def _places_are_distinct(self) -> Server:
        if both := self.bays.keys() & self.volumes.keys():
            raise refusal(f"volumes.{min(both)}", "a bay has the same name", "rename one of the two")
        return self

    def connection_rate(self, round_trip: float) -> float:
        """Return the most (B/s) that one connection carries whose packets need so long (s) to go and come back."""
        nic = self.nic
        window = nic.window / round_trip if round_trip else math.inf
        core = self.cpu.speed / nic.connection_cpu if nic.connection_cpu else math.inf
        return min(nic.flow_rate, window, core)

    def beside_others(self) -> Server:
        """Return the server as its background leaves it: each thread, drive, volume and card by a part slower."""
        cpu, drives, network = (self.background.left(what) for what in ("cpu", "drives", "network"))
        if cpu == drives == network == 1:
            return self
        nic, volumes = self.nic, self.volumes
        slower = {"bandwidth": nic.bandwidth * network, "baseline": nic.baseline and nic.baseline * network}
        bays = {name: bay.model_copy(update={"drive": bay.drive.slowed(drives)}) for name, bay in self.bays.items()}
        changed = {
            "cpu": self.cpu.model_copy(update={"speed": self.cpu.speed * cpu}),
            "nic": nic.model_copy(update=slower),
            "bays": bays,
            "volumes": {name: volume.slowed(drives) for name, volume in volumes.items()},
        }
        return self.model_copy(update=changed)

    @property
    def memory_bandwidth(self) -> float:
        """What reads and writes of memory reach together (B/s); without end where nobody knows it."""
        bus, stated = self.memory_bus, self.cpu.memory_bandwidth
        if bus.bandwidth is not None:
            return bus.bandwidth
        return math.inf if stated is None else stated * self.cpu.sockets * bus.efficiency

    def end_crossings(self, touched: float | None = None) -> float:
        """Return how often each byte crosses the memory bus at an end of a connection that touches so many besides."""
        return self.memory_bus.crossings(self.nic.touched if touched is None else touched)

    @property
    def most_crossing(self) -> float:
        """What crosses the memory bus at most (B/s) of all that cards and drives move, whatever stores do to it."""
        bus, links = self.memory_bus, [volume.rate() for volume in self.volumes.values()]
        drives = sum(bay.count * max(bay.drive.read_bandwidth, bay.drive.write_bandwidth) for bay in self.bays.values())
        cards = 2 * self.nic.rate * bus.crossings(self.nic.touched + BESIDE)
        return cards + (drives + sum(links)) * bus.crossings(SUMMED)

    @property
    def memory_limit(self) -> float:
        """What its memory carries (B/s), without end where cards and drives cannot fill it."""
        carried = self.memory_bandwidth
        return carried if self.most_crossing > carried else math.inf

    @property
    def has_volumes(self) -> bool:
        """Whether anything of it is behind the link to its volumes, of bays or beside them."""
        return bool(self.volumes) or any(bay.drive.is_volume for bay in self.bays.values())

    def shared_rates(self, drive: Drive) -> dict[Direction, float]:
        """Return the most (B/s) that what its drives of a kind share carries for ever: controller and volume link."""
        link = self.volume_link.sustained if drive.is_volume else math.inf
        return {
            "read": min(self.controller.read_bandwidth, link),
            "write": min(self.controller.write_bandwidth, link),
        }

    def sustained_write(self, bay: str) -> float:
        """Return the bytes a second that all drives of a bay take for long."""
        held = self.bays[bay]
        return min(held.count * held.drive.sustained, self.shared_rates(held.drive)["write"])

    def raw_capacity(self) -> float:
        """Return bytes of all local drives."""
        return sum(bay.count * bay.drive.capacity for bay in self.bays.values())
