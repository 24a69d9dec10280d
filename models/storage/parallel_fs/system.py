"""A parallel file system on file servers: Lustre, GPFS (Storage Scale), BeeGFS, AFS.

A file is cut into stripes of `stripe_size`, dealt round robin to `stripe_count` targets. A target is a drive, or a RAID
group of `target.data + target.parity` drives of one server; a declustered array spreads its groups over all drives of
the server. A client reads from and writes to its targets side by side, over a connection to each server; the server's
process, and the client's, may each be one more ceiling (`process_bandwidth`, `client_bandwidth`). Opening a file is one
operation of a metadata server, creating one two. What a client moves beyond what a job asks for belongs to it
(`models/storage/clients/posix.py`).

A lone stream (`stream`) is held by its process, which copies each byte, by the thread that serves it, and by the bytes
of RPCs in flight to a target over the time of one. A client that reads ahead and writes behind (Lustre, GPFS) has
several in flight. One that does not (BeeGFS with its buffers of a file) waits for what each call moves, a stripe of
each target at most in a round: the time of an RPC, then the link and the thread that takes the bytes come one after the
other.

Parity lies on all drives of a group in turn. A hard drive that reads stripe after stripe passes over its chunks of
parity, which takes as long as to read them: a group reads as k drives do, and not as k + m. Flash passes over nothing.
Blocks that are scattered over a target cost its hard drives a seek each, of which every drive has a k-th part; nothing
is passed over within one. That is a seek without half a turn: of 7,200 rpm 8.5 ms, where a lone access takes 12.7.
Assumption: about four wait on each drive, of which it takes the nearest (4^-0.276 of 12.7 ms are 8.6), as clients read
ahead and write behind; with 32, which many clients have, it would be 4.9 ms.

Where several files are read or written at once, hard drives of a group seek behind their part of `run_size`, or of what
a lone drive has of a file between two seeks if that is more, and never behind more than a lone drive (`grouped`): of
RPCs of 4 MiB, of which eight are in flight, one of 8 + 2 drives has 3.4 MB of what is read and 4.2 of what is written.
Several processes of a client share its RPCs in flight to a target: not covered, nor queues too short for all of them.

A write takes the way back, k + m drive bytes for k, and ends when its drives have the bytes. One of a load that fills
no row of a group reads before it writes (`operations.py`); jobs write whole rows. Not covered: locks of files that many
write, write-back on the client, high-availability pairs.

Source: Lustre Operations Manual; IBM Storage Scale, mmcrfs; BeeGFS documentation, Striping. Of parity that is passed
over: X-bit labs, 3ware 9650SE: RAID 5 of n drives reads as fast as RAID 0 of n - 1; OpenZFS, issue 6453: eight files of
a raidz2 of ten drives of 6 TB read at once, 1.59 GB/s, eight times what one drive gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from models.advice import Advice
from models.hardware.bays import BayBatch, with_drives
from models.hardware.cluster import Cluster
from models.hardware.drive import Drive
from models.hardware.places import check_bay
from models.problem import refusal
from models.quantity import Model, Quantity, group, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import SetKind, Sets
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
from models.storage.redundancy import ErasureCode
from models.storage.room import Room, in_blocks


class Target(Model):
    """What a stripe of a file lies on: a drive, or a RAID group of drives of one server."""

    data: int = setting("Drives of a group that hold data.", default=1, ge=1)
    parity: int = setting("Further drives of a group: 2 of RAID 6 or raidz2.", default=0, ge=0)
    chunk: Quantity = quantity(
        "B",
        "Bytes of a row of a group on one of its drives: chunk of mdadm, segment or strip of an array.",
        default="128 KiB",
        source="published: Lustre Operations Manual, RAID options: 8 + 2 drives write 1 MiB",
        gt=0,
    )
    declustered: bool = setting("Whether its groups are spread over all drives of a server.", default=False)
    spares: int = setting(
        "Drives of a server whose room is kept to rebuild into; further ones that fill no group are spare as well.",
        default=0,
        ge=0,
    )
    rebuild_rate: Quantity | None = quantity(
        "B/s",
        "Rate at which a drive is rebuilt; default: 100 MB/s onto a spare drive, 550 MB/s in a declustered array.",
        default=None,
        source="prior: 60 to 150 MB/s onto a spare drive; 16 TB in 24 to 3 h, 190 to 1,500 MB/s, declustered",
        gt=0,
    )

    @property
    def drives(self) -> int:
        """Drives of a group."""
        return self.data + self.parity

    @property
    def rebuild_bandwidth(self) -> float:
        """Bytes a second at which a drive is rebuilt."""
        if self.rebuild_rate is not None:
            return self.rebuild_rate
        return 5.5e8 if self.declustered else 1e8

    def groups(self, bay: int) -> int:
        """Return the groups that the drives of a bay form."""
        return (bay - self.spares) // self.drives


class Metadata(Model):
    """Servers of names and attributes."""

    servers: str | None = group("Server group of the metadata servers; default: the file servers.", default=None)
    rate: Quantity = quantity(
        "1/s",
        "Operations (open, create, stat, unlink) of one server.",
        default="50000 1/s",
        gt=0,
        source="prior: 50,000 on flash",
        between=("20000 1/s", "200000 1/s"),
    )
    time: Quantity = quantity(
        "s",
        "Time of an operation on an idle server.",
        default="0.4 ms",
        gt=0,
        source="prior: a round trip and a journal on flash",
        between=("0.2 ms", "1 ms"),
    )


class FileStream(Model):
    """What a byte of a file costs the process that reads or writes it, and the server; how far ahead its client is."""

    reads_ahead: bool = setting(
        "Whether clients read ahead and write behind; otherwise each call of a process waits for all of its RPCs.",
        default=True,
    )
    request_size: Quantity = quantity(
        "B",
        "Bytes of a call of a process, where its client does not read ahead.",
        default="1 MiB",
        source="assumed: as benchmarks and copying programs have it",
        between=("128 KiB", "4 MiB"),
        gt=0,
    )
    read_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a client per byte that it reads.",
        default="0.4 ns/B",
        ge=0,
        source="prior: TCP 0.25, a copy out of the cache 0.12",
        between=("0.25 ns/B", "0.8 ns/B"),
    )
    write_cpu: Quantity = quantity(
        "s/B",
        "The same per byte that it writes.",
        default="0.8 ns/B",
        ge=0,
        source="prior: a copy into the page cache, 1 to 2 GB/s a core",
        between=("0.5 ns/B", "1.2 ns/B"),
    )
    served_read_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a file server per byte that is read.",
        default="0.35 ns/B",
        ge=0,
        source="prior: TCP 0.2, a copy out of the cache 0.12",
        between=("0.2 ns/B", "0.7 ns/B"),
    )
    served_write_cpu: Quantity = quantity(
        "s/B",
        "The same per byte that is written.",
        default="0.6 ns/B",
        ge=0,
        source="prior: TCP 0.25, checksums 0.1, a copy; into the page cache 1.05 in all",
        between=("0.35 ns/B", "1.3 ns/B"),
    )


SERVER_READS_AHEAD = 4 * 2.0**20
"""Bytes that a file server reads ahead of a file whose client does not. Source: BeeGFS documentation, Storage Node
Tuning: read_ahead_kb = 4096. Linux reads two rows of an array of its own ahead (drivers/md/raid5.c), 2 to 8 MiB of
eight drives, and 128 KiB of what it takes for a drive."""


def _together(stated: dict[str, Any]) -> float:
    """Return the bytes of a file that reach a target together, of a file system of which so much is stated."""
    if (stream := stated.get("stream")) is None or not stream.reads_ahead:
        return SERVER_READS_AHEAD
    return float(stated.get("rpcs_in_flight", 1) * stated.get("rpc_size", SERVER_READS_AHEAD))


class ParallelFs(OwnedStorage):
    """A file system on file servers."""

    usual = MappingProxyType({"planning": "parallel-fs-usual"})
    only_with = MappingProxyType({"run_size": "target"})
    interface: ClassVar[Interface] = "files"
    protected_by: ClassVar[str] = "storage.target"
    system: Literal["parallel-fs"] = setting("Storage system.")
    servers: str = group("Server group of the file servers.")
    bay: str = setting("Drives that hold the files.", default="data")
    target: Target = setting("Drives behind a stripe of a file.", default=Target())
    stripe_count: int | Literal["all"] = setting("Targets over which a file is striped.", default=1)
    new_files: Literal["random", "round-robin", "drawn"] = setting(
        "Which targets new files get: any, and those on the next servers; the next ones in turn, server by server; or "
        "one drawn from each of stripe_count equal parts of all, in order of their servers.",
        default="random",
    )
    stripe_size: Quantity = quantity(
        "B", "Bytes of a file on a target before the next one follows.", default="4 MiB", gt=0
    )
    blocks: Literal["together", "scattered"] = setting(
        "Where blocks of a file, of stripe_size, lie on a target: one after the other as far as there is room, or each "
        "at a random place (mmcrfs -j scatter), to which hard drives seek.",
        default="together",
    )
    rpc_size: Quantity = quantity("B", "Most bytes of an RPC.", default="4 MiB", gt=0)
    rpcs_in_flight: int = setting("RPCs of a client to a target at a time.", default=8, ge=1)
    rpc_time: Quantity = quantity(
        "s",
        "Time of an RPC without its bytes.",
        default="0.2 ms",
        ge=0,
        source="prior: a round trip of 0.1 ms, and two threads that wake up",
        between=("0.05 ms", "0.5 ms"),
    )
    stream: FileStream = setting("What a stream of a file costs, and waits for.", default=FileStream())
    run_size: Quantity = quantity(
        "B",
        "Bytes of a file that reach a RAID group of hard drives together, before it seeks to another file; default: "
        "those of the RPCs in flight, which the queues of drives put in order, or what servers read ahead.",
        by=_together,
        source="assumed: all of a file that is under way; one RPC of eight if none follow one another; 2 to 4 times as "
        "much by pools of ZFS, whose files lay near by (openzfs/zfs, issue 6453)",
        between=("0.125 x", "4 x"),
        gt=0,
    )
    process_bandwidth: Quantity = quantity(
        "B/s", "Most that the file server process of one server delivers.", default=math.inf, gt=0
    )
    client_bandwidth: Quantity = quantity("B/s", "Most that the client of one server moves.", default=math.inf, gt=0)
    metadata: Metadata | None = setting("Metadata servers; default: they never limit.", default=None)
    split_size: Quantity = quantity(
        "B", "Bytes of a split of a file, for jobs that cut files up (fs.local.block.size).", default="32 MiB", gt=0
    )

    @property
    def block(self) -> float:
        """Bytes by which jobs split its files."""
        return self.split_size

    @property
    def segment(self) -> float:
        """Bytes of a file that lie together on a drive, as far as the file system decides it."""
        return self.stripe_size / self.target.data if self.blocks == "scattered" else math.inf

    @property
    def bytes_passed(self) -> float:
        """Bytes that pass a hard drive for each that is read of it in a row."""
        return self.target.drives / self.target.data if self.blocks == "together" else 1.0

    def grouped(self, cluster: Cluster) -> Cluster:
        """Return a cluster whose hard drives seek as parts of RAID groups, each of which has its part of a file.

        What is read lies among the parity of all drives. Where clients do not write behind, servers do: their page
        caches write half a second of a group at a time.
        """
        target = self.target
        if target.data == 1:
            return cluster
        writes = self.run_size if self.stream.reads_ahead else math.inf

        def member(drive: Drive) -> Drive:
            return drive.of_group(target.chunk, reads=(self.run_size, target.drives), writes=(writes, target.data))

        return with_drives(cluster, self.servers, self.bay, member)

    def window_rate(self, count: int, card: float, taken: float = 0.0) -> float:
        """Return the most (B/s) that a stream over so many targets moves from or to one, on a `card` (B/s).

        That are the RPCs in flight over the time of one. Of a client that does not read ahead that are rounds: a call
        asks each target for one stripe at most, and waits for all of a round. So a target that no stripe of a round is
        on waits for the links of others, and for their threads, which take a byte in `taken` (s/B).
        """
        if self.stream.reads_ahead:
            return self.rpcs_in_flight * self.rpc_size / self.rpc_time if self.rpc_time else math.inf
        turns = count / self.asked_at_once(count)
        return 1 / (count * self.rpc_time / self._round(count) + turns / card + (turns - 1) * taken)

    def asked_at_once(self, count: int) -> int:
        """Return how many of so many targets a round of a call asks, by a client that does not read ahead."""
        return min(math.ceil(self._round(count) / self.stripe_size), count)

    def _round(self, count: int) -> float:
        """Return the bytes (B) of a call that are asked of so many targets in a round, a stripe of each at most."""
        request = self.stream.request_size
        return request / math.ceil(request / (count * self.stripe_size))

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            raise refusal("protection", "expected the drives of a RAID group, such as 'EC 8+2'", value=f"{protection}")
        data, parity = protection.code()
        return {"target": {"data": data, "parity": parity}}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster whose servers cannot form a target each.

        Raises:
            RefusalError: a bay is missing, has too few drives, or a file has more stripes than there are targets.
        """
        check_bay(cluster, self.servers, self.bay)
        for batch in self.batches(cluster):
            if self.target.groups(batch.bay.count) < 1:
                needed = self.target.drives + self.target.spares
                text = f"a target and its spares take {needed} drives, bay {self.bay!r} has {batch.bay.count}"
                data = batch.bay.count - self.target.parity - self.target.spares
                fitting = f" ({data} + {self.target.parity} fit)" if data > 0 else ""
                raise refusal("storage.target", text, f"lower data, parity or spares{fitting}, or add drives")
        targets = self.targets(cluster)
        if not 1 <= self.stripes(math.inf, targets) <= targets:
            text = f"a file is striped over 1 to {targets} targets, the drives form as many"
            raise refusal("storage.stripe_count", text, 'lower it, or say "all"', value=self.stripe_count)

    def targets(self, cluster: Cluster) -> int:
        """Return the targets of all servers."""
        return sum(batch.servers * self.target.groups(batch.bay.count) for batch in self.batches(cluster))

    def stripes(self, size: float, targets: int) -> int:
        """Return over how many of so many targets `size` bytes of a file lie."""
        most = targets if self.stripe_count == "all" else self.stripe_count
        return most if size >= most * self.stripe_size else max(math.ceil(size / self.stripe_size), 1)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: without parity and spare drives."""
        bays, target = [batch.bay.count for batch in self.batches(cluster)], self.target
        return sum(room.total * _data_drives(target, bays[room.batch]) / bays[room.batch] for room in rooms)

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of a file of `size` bytes: whole blocks of a drive, and parity."""
        target = self.target
        return target.drives * in_blocks(size / target.data)

    def redundancy(self, cluster: Cluster) -> ErasureCode | None:
        """Return how its bytes outlive a failure: by RAID; None where redundancy lies below what counts as a drive."""
        return ErasureCode(self.target.data, self.target.parity) if self.target.parity else None

    def placement(self, cluster: Cluster) -> Sets | None:
        """Return its failure domains: RAID groups, each on a server of its own."""
        if not self.target.parity:
            return None
        batches = self.batches(cluster)
        firsts = [sum(batch.servers for batch in batches[:i]) for i in range(len(batches))]
        return Sets(tuple(self._sets(batch, first) for batch, first in zip(batches, firsts, strict=True)))

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise: groups that go with their server, RPCs that are not whole stripes."""
        target = self.target
        if target.parity:
            text = (
                "a RAID group is lost with its server; where two servers reach its drives, which is not modelled, "
                "state failures.server_failures_per_year = 0"
            )
            yield Advice("lone-server", "hint", "storage.servers", text, "Lustre Operations Manual, failover")
        if target.parity and self.rpc_size % (target.data * target.chunk):
            text = (
                f"{target.data} data drives do not share an RPC of {self.rpc_size / 2**20:g} MiB in chunks of "
                f"{target.chunk / 2**10:g} KiB: RAID then reads before it writes; take 4, 8 or 16"
            )
            yield Advice("raid-stripe", "hint", "storage.target.data", text, "Lustre Operations Manual, RAID options")

    def _sets(self, batch: BayBatch, first: int) -> SetKind:
        target, capacity = self.target, getattr(batch.bay.drive, "capacity", 0.0)
        count = batch.servers * target.groups(batch.bay.count)
        return SetKind((first,) * target.drives, count, target.parity, target.parity, capacity)


def _data_drives(target: Target, bay: int) -> float:
    """Return how many drives' worth of a bay hold data."""
    if target.declustered:
        return (bay - target.spares) * target.data / target.drives
    return float(target.groups(bay) * target.data)
