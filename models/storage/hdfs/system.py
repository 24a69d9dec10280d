"""HDFS: blocks in r replicas on the drives of its servers, or striped groups of blocks by an erasure coding policy.

Reading a block takes its bytes from one replica, the local one where there is one. Writing sends a block
through a pipeline writer -> first -> second -> third server; each server takes its copy into the page cache and
writes it behind. A writer waits while a server's dirty pages are at their limit.

A DataNode has one thread for each block that it is sent, which receives, checks, sends on and writes a packet after the
other, so that a pipeline is as fast as the slowest of them. Between two blocks nothing moves until the next pipeline
stands, nor at the end of a file while the NameNode waits for a report. Source: Apache Hadoop, BlockReceiver,
PacketResponder, DataStreamer, DFSOutputStream.completeFile.

Per byte written with r replicas: r drive writes, r - 1 network transfers if the writer holds the first
replica, else r. With a policy: models/storage/hdfs/striped.py. Not covered: leases, the NameNode's own work,
checksum files (0.8 % of the bytes).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from types import MappingProxyType
from typing import Any, ClassVar, Literal, Self

from pydantic import model_validator

from models.advice import Advice
from models.hardware.cluster import Cluster
from models.hardware.places import check_bay
from models.hardware.server import Cpu
from models.problem import refusal
from models.quantity import Quantity, group, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Scattered
from models.storage.hdfs.namenode import NameNode
from models.storage.hdfs.policy import POLICIES, Policy, policy_of
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
from models.storage.redundancy import ErasureCode, Redundancy, Replicas
from models.storage.room import in_blocks
from models.units import format

CHECKSUM_CHUNK, CHECKSUM = 512, 4
"""Bytes of data to a checksum, and bytes of a checksum (CRC32C). Source: Apache Hadoop, DFSConfigKeys."""

MOST_PER_NODE = 100e12
"""Bytes a DataNode. Source: MinIO, Performance comparison between MinIO and HDFS, August 2019, introduction."""

META_HEADER = 7
"""Bytes at the head of a block's checksum file. Source: Apache Hadoop, BlockMetadataHeader.getHeaderSize."""


SPARED = 3.0
"""How much rarer a writer waits for a report with each DataNode that is spare. Prior: 65, 21 and 11 % of files, as
`late_reports`; range 1.7 to 3.5."""

SERVERS_A_PIECE = 2
"""Servers for each piece of a block from which on their number matters no more. Assumption: half of them are free."""


class Hdfs(OwnedStorage):
    """The distributed file system of Hadoop."""

    usual = MappingProxyType({"planning": "hdfs-usual"})
    interface: ClassVar[Interface] = "files"
    has_own_client: ClassVar[bool] = True
    rebalances: ClassVar[bool] = True
    protected_by: ClassVar[str] = "storage.replication"
    many_writers: ClassVar[bool] = False
    system: Literal["hdfs"] = setting("Storage system.")
    servers: str = group("Server group of the DataNodes.")
    bay: str = setting("Drives that hold the blocks.", default="data")
    replication: int = setting("Replicas of each block (dfs.replication).", default=3, ge=1)
    policy: str | None = setting(
        "Erasure coding policy of its directories (hdfs ec -setPolicy), in place of replicas: RS-3-2-1024k,"
        " RS-6-3-1024k, RS-10-4-1024k, XOR-2-1-1024k, or an own one (-addPolicies), such as RS-6-3-64k.",
        default=None,
    )
    encode_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte of data that computing the parity takes a writer, and decoding a reader.",
        default=3.5e-10,
        ge=0,
        source="prior: ISA-L from memory 0.15, dealing out cells 0.2; 1 to 3 without native code",
        between=("0.2 ns/B", "2 ns/B"),
    )
    replication_min: int = setting(
        "Replicas that must be reported before a block is complete (dfs.namenode.replication.min).", default=1, ge=1
    )
    report_delay: Quantity = quantity(
        "s", "Time until a further replica is reported to the NameNode.", default=0.0, ge=0
    )
    block_size: Quantity = quantity("B", "Size of a block (dfs.blocksize).", default=134217728.0, gt=0)
    short_circuit: bool = setting("Local reads bypass the DataNode (dfs.client.read.shortcircuit).", default=False)
    stream_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte that passes through a DataNode.", default=0.0, ge=0
    )
    write_window: Quantity = quantity(
        "B", "Bytes a writer has in flight (dfs.client.write.max-packets-in-flight).", default=5242880.0, gt=0
    )
    ack_time: Quantity = quantity("s", "Time until a packet is acknowledged by the pipeline.", default=0.0, ge=0)
    setup_time: Quantity = quantity(
        "s",
        "Time that each DataNode of a pipeline takes from the last acknowledgement of a block to the first packet of"
        " the next: files created, connections made one after the other.",
        default="2.4 ms",
        ge=0,
        source="prior: measured of Hadoop 2.7.3 on loopback and memory: 4.8 ms with two DataNodes, 7.2 with three",
        between=("1.2 ms", "6 ms"),
    )
    close_delay: Quantity = quantity(
        "s",
        "Wait of a writer whose file the NameNode does not take for complete yet, as a report is still on its way"
        " (dfs.client.block.write.locateFollowingBlock.initial.delay.ms).",
        default="400 ms",
        ge=0,
        source="published: hdfs-default.xml of Hadoop 3",
    )
    late_reports: float = setting(
        "Part of the files for which it waits where no DataNode is spare: all replicas of a block must be reported."
        " With each that is spare it is a third of that.",
        default=0.65,
        source="prior: measured of Hadoop 2.7.3 on loopback: 65 % of 72 files with 1 replica, 21 with 2, 11 with 3",
        between=(0.2, 0.9),
        ge=0,
        le=1,
    )
    dead_node_time: Quantity = quantity(
        "s",
        "Until a silent DataNode counts as dead: 2 * heartbeat.recheck-interval + 10 * dfs.heartbeat.interval.",
        default=630.0,
        ge=0,
    )
    heartbeat: Quantity = quantity(
        "s", "Time between heartbeats, and between rounds of replication (dfs.heartbeat.interval).", default=3.0, gt=0
    )
    replication_work: int = setting(
        "Blocks a live DataNode and round that are replicated again"
        " (dfs.namenode.replication.work.multiplier.per.iteration).",
        default=2,
        ge=1,
    )
    namenode: NameNode = setting("What the NameNode takes for requests and copies of files.", default=NameNode())
    balance_bandwidth: Quantity = quantity(
        "B/s",
        "What a DataNode gives to the balancer (dfs.datanode.balance.bandwidthPerSec).",
        default=104857600.0,
        gt=0,
        source="published: hdfs-default.xml of Hadoop 3, 100m",
    )
    balance_moves: int = setting(
        "Blocks that a DataNode takes in from the balancer at a time (dfs.datanode.balance.max.concurrent.moves).",
        default=100,
        ge=1,
    )
    balance_threads: int = setting(
        "Blocks that the balancer moves at a time in all (dfs.balancer.moverThreads).", default=1000, ge=1
    )
    balance_round: Quantity = quantity(
        "B",
        "Bytes that a DataNode takes in, or gives, in a round of the balancer (dfs.balancer.max-size-to-move).",
        default="10 GiB",
        gt=0,
    )
    balance_threshold: Quantity = quantity(
        "1",
        "Part of a DataNode's drives by which it may be fuller or emptier than the mean when the balancer ends"
        " (hdfs balancer -threshold).",
        default=0.1,
        ge=0,
        le=1,
    )
    replication_streams: int = setting(
        "Blocks that a DataNode sends at a time for replication (dfs.namenode.replication.max-streams);"
        " twice as many of the last replicas.",
        default=2,
        ge=1,
    )

    @model_validator(mode="after")
    def _knows_its_policy(self) -> Self:
        if self.policy is not None:
            policy_of(self.policy)
        return self

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            return {"replication": protection.copies, "policy": None}
        known = {(policy.data, policy.parity): name for name, policy in POLICIES.items() if name.startswith("RS")}
        if (name := known.get((protection.data, protection.parity))) is None:
            codes = ", ".join(f"EC {data}+{parity}" for data, parity in known)
            raise refusal("protection", f"expected copies, or one of {codes}", value=f"{protection}")
        return {"policy": name}

    def is_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell whether the pieces of a block still find other servers free."""
        return SERVERS_A_PIECE * self.code.pieces <= part.groups[self.servers].count

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster that cannot hold the replicas.

        Raises:
            RefusalError: a bay is missing, or there are fewer servers than replicas.
        """
        check_bay(cluster, self.servers, self.bay)
        servers = cluster.groups[self.servers].count
        if self.striping and servers < self.striping.pieces:
            smaller = ", ".join(name for name, code in POLICIES.items() if code.pieces <= servers)
            raise refusal(
                "storage.policy",
                f"needs {self.striping.pieces} servers, group {self.servers!r} has {servers}",
                f"choose a smaller policy ({smaller}) or add servers" if smaller else "add servers",
                value=self.policy,
            )
        self._check_replicas(cluster, self.replication, "storage.replication")

    @property
    def block(self) -> float:
        """Bytes by which jobs split its files."""
        return self.block_size

    @property
    def striping(self) -> Policy | None:
        """The erasure coding policy; None with replicas."""
        return None if self.policy is None else policy_of(self.policy)

    @property
    def code(self) -> Redundancy:
        """How files are protected: by its policy, or by replicas."""
        return ErasureCode(self.striping.data, self.striping.parity) if self.striping else Replicas(self.replication)

    @property
    def window_rate(self) -> float:
        """Bytes a second that a writer sends with a window in flight until it is acknowledged."""
        return self.write_window / self.ack_time if self.ack_time else math.inf

    def thread_rate(self, cpu: Cpu) -> float:
        """Return the bytes a second that the one thread of a DataNode takes in, checks, sends on and writes."""
        return cpu.speed / self.stream_cpu if self.stream_cpu else math.inf

    def waits(self, blocks: int, replicas: int, spare: int) -> float:
        """Return the seconds for which the writer of a file of so many blocks moves nothing, on average.

        It sets up a pipeline of so many `replicas` for each block, and has the file completed, for which so many of its
        pieces are `spare`.
        """
        return blocks * replicas * self.setup_time + self.close_delay * self.late_reports / SPARED**spare

    def spare(self, replicas: int) -> int:
        """Return the replicas of a block that need not be reported for it to be complete."""
        return replicas - min(self.replication_min, replicas)

    def with_window(self, window: float) -> Self:
        """Return HDFS as writers meet it that have so many bytes in flight."""
        return self.model_copy(update={"write_window": window})

    def check_output(self, cluster: Cluster, replicas: int) -> None:
        """Refuse a number of replicas that a job asks for its output.

        Raises:
            RefusalError: there are fewer servers.
        """
        self._check_replicas(cluster, replicas, "workload.output_replication")

    def _check_replicas(self, cluster: Cluster, replicas: int, key: str) -> None:
        """Refuse more replicas than servers; a policy leaves no choice of replicas.

        Raises:
            RefusalError: there are.
        """
        servers = cluster.groups[self.servers].count
        if replicas > servers and not self.striping:
            raise refusal(
                key,
                f"needs as many servers, group {self.servers!r} has {servers}",
                "lower it or add servers",
                value=replicas,
            )

    def redundancy(self, cluster: Cluster) -> Redundancy:
        """Return how its bytes outlive a failure."""
        return self.code

    def placement(self, cluster: Cluster) -> Scattered:
        """Return its failure domains: each block, or group of blocks, on servers of its own.

        New ones go to servers that are up: at least `replication_min` of them, or as many as a policy has data blocks
        (dfs.namenode.ec: a writer goes on while k streams do).
        """
        least = self.striping.data if self.striping else self.replication_min
        unit = self.block_size * self.code.data
        return Scattered(self.code, unit, least, racks="even" if self.striping else "two", chooses=True)

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: one a replica, or (k + m)/k."""
        if self.striping:
            return super().raw_per_byte(cluster)
        return float(replicas or self.replication)

    def moved_onto(self, old: float, new: float, held: float) -> float:
        """Return the raw bytes that the balancer moves: until no server is off the mean by more than its threshold."""
        mean = held / (old + new)
        missing = (mean - self.balance_threshold) * new
        beyond = held - (mean + self.balance_threshold) * old
        return max(missing, beyond, 0.0)

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left: the NameNode replicates blocks again."""
        return True

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of a file of `size` bytes: blocks with their checksum files, in blocks of the drive."""
        if self.striping:
            whole = self.striping.data * self.block_size
            groups, rest = divmod(size, whole)
            return groups * _on_drives(self.striping.lengths(whole)) + _on_drives(self.striping.lengths(rest))
        blocks, rest = divmod(size, self.block_size)
        return self.replication * (blocks * _on_drives((self.block_size,)) + _on_drives((rest,)))

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise: DataNodes that take days to be replicated again, and two replicas."""
        bay = cluster.groups[self.servers].server.bays[self.bay]
        held = bay.count * bay.drive.capacity
        if held > MOST_PER_NODE:
            size = format(held, "B")
            text = f"{size} a DataNode, vendors support 100 TB; take more servers with fewer or smaller drives"
            key = f"cluster.groups.{self.servers}.server.bays.{self.bay}"
            yield Advice("node-too-large", "warning", key, text, "MinIO against HDFS, August 2019, introduction")
        if self.replication == 2 and not self.striping:
            text = "2: while a lost replica is rebuilt, a single one is left; 3 is the default of HDFS"
            yield Advice("two-replicas", "hint", "storage.replication", text, "Apache Hadoop hdfs-default.xml")


def _on_drives(blocks: Series[float]) -> float:
    """Return what blocks take on drives, each with its checksum file."""
    return sum(in_blocks(block) + _checksum_file(block) for block in blocks if block)


def _checksum_file(block: float) -> float:
    return in_blocks(META_HEADER + CHECKSUM * math.ceil(block / CHECKSUM_CHUNK))
