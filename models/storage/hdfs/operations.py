"""What HDFS does for a request about a file: what its NameNode is asked, and what its DataNodes move.

Opening a file is a lookup; its bytes come from the nearest replica, or with a policy stripe after stripe, the cells of
one side by side: full ones, and what is left. Creating one is a change, and so are each of its blocks and its
completion; its bytes go through a pipeline of DataNodes, or with a policy to k + m of them. The parts of a multipart
upload are files that are joined (concat). DataNodes send pages of files as they are (dfs.datanode.transferTo.allowed);
what they receive they write from packets of 64 KiB.

Assumption: a load that goes on writes at the pace of its drives; what page caches take at first is not counted. Not
covered: leases, renames of directories.

Source: Apache Hadoop, HDFS Architecture, HDFS Erasure Coding; FileSystemMultipartUploader, DFSStripedInputStream.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from models.hardware.memory_bus import MADE
from models.storage.described import ByteRange, Description, First, Role, Sources, Targets
from models.storage.hdfs.policy import Policy
from models.storage.hdfs.system import Hdfs
from models.storage.operation import Operation
from models.storage.stages import (
    LIST_PAGE,
    Compute,
    Decode,
    FirstByte,
    Lanes,
    Move,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Wait,
    Write,
)


class HdfsOperations(Description):
    """The operations of HDFS with replicas."""

    def __init__(self, spec: Hdfs) -> None:
        self.spec = spec
        self.home, self.pieces = (spec.servers, spec.bay), (spec.code.pieces, spec.code.data)
        self.roles: Mapping[str, Role] = {
            "source": Sources(near="client"),
            "target": Targets(first="client"),
            "head": First("target"),
            "next": Targets(first="client", skip=1),
        }

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether pieces are rebuilt on servers that are left: the NameNode has blocks replicated again."""
        return True

    @property
    def rebuild_streams(self) -> int:
        """Blocks that a DataNode takes at a time."""
        return self.spec.replication_streams

    @property
    def rebuild_delay(self) -> float:
        """Seconds until the NameNode takes a silent DataNode for dead."""
        return self.spec.dead_node_time

    def rebuild_pause(self, in_flight: float) -> float:
        """Return the seconds for which a stream waits after each block: its DataNode gets so many in a round."""
        return self.spec.heartbeat * self.spec.replication_streams / self.spec.replication_work

    def get(self, part: ByteRange) -> Operation:
        """Return how a file, or a part of it, is opened and read."""
        read = (*self._sent(), FirstByte(), Move("source", "client", touched=0.0))
        seek = Seek("source", self.spec.bay, reads=part.size)
        return Operation((*self._asked(part.opens), seek, Stream(read)), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return how a file is created and written, with fewer replicas where servers are missing."""
        spec, count = self.spec, self.pieces[0] - missing
        hops = (Lanes((Move("target", "next"),), count - 1),) if count > 1 else ()
        pipeline = (
            Compute("client", per_byte=spec.stream_cpu),
            Move("client", "head", spec.window_rate, "write window"),
            *hops,
            Lanes(self._taken(), count),
        )
        sought = Lanes((Seek("target", spec.bay, writes=size),), count)
        waited = self._waited(size, 1, count, spec.spare(count))
        return Operation((*self._created(size, 1), *waited, sought, Stream(pipeline)), size)

    def head(self, *, exists: bool = True) -> Operation:
        """Return a stat."""
        return Operation(self._asked())

    def list_page(self, names: float = LIST_PAGE) -> Operation:
        """Return names of a directory, which take the NameNode no less than a lookup."""
        namenode = self.spec.namenode
        return Operation(self._called(max(namenode.listing_time * names / LIST_PAGE, namenode.lookup_time)))

    def delete(self) -> Operation:
        """Return the removal of a file: its blocks go later."""
        return Operation(self._changed())

    def note(self, parts: int = 0) -> Operation:
        """Return what begins an upload in parts, or joins them."""
        return Operation(self._changed())

    def names(self, lookups: int, changes: int, size: float | None) -> Operation:
        """Return so many lookups and changes of names, and those of a new file of `size` bytes, one after the other."""
        created = () if size is None else self._created(size, self.pieces[1])
        return Operation((*self._called(self.spec.namenode.lookup_time, lookups), *self._changed(changes), *created))

    def _asked(self, times: float = 1.0) -> tuple[Stage, ...]:
        """Return what so many lookups take: less than one in the mean of requests that mostly read what is open."""
        return self._called(self.spec.namenode.lookup_time, times)

    def _changed(self, times: int = 1) -> tuple[Stage, ...]:
        """Return what so many changes take, one after the other."""
        names = self.spec.namenode
        return *self._called(names.update_time, times), Wait("hdfs/journal", names.journal_time * times)

    def _called(self, seconds: float, times: float = 1.0) -> tuple[Stage, ...]:
        calls = Wait("hdfs/call", self.spec.namenode.rpc_time * times)
        return calls, Service(None, "hdfs/namenode", 1, seconds=seconds * times)

    def _created(self, size: float, blocks: int) -> tuple[Stage, ...]:
        """Return the changes of a new file: created, completed, and one for each group of so many blocks."""
        return self._changed(2 + self._groups(size, blocks))

    def _waited(self, size: float, blocks: int, replicas: int, spare: int) -> tuple[Stage, ...]:
        """Return what the writer waits for: `replicas` connections for each group of so many blocks, and late reports.

        So many pieces of a block are `spare`.
        """
        return (Wait("hdfs/pipeline", self.spec.waits(self._groups(size, blocks), replicas, spare)),)

    def _groups(self, size: float, blocks: int) -> int:
        """Return in how many groups of so many blocks a file lies."""
        return 1 if math.isinf(size) else max(math.ceil(size / self.spec.block_size / blocks), 1)

    def _sent(self) -> tuple[Stage, ...]:
        spec = self.spec
        passed = Compute("source", per_byte=spec.stream_cpu, beside="client" if spec.short_circuit else None)
        return Read("source", spec.bay), passed

    def _taken(self) -> tuple[Stage, ...]:
        return Compute("target", per_byte=self.spec.stream_cpu), Write("target", self.spec.bay)


class StripedOperations(HdfsOperations):
    """The operations of HDFS with an erasure coding policy."""

    def __init__(self, spec: Hdfs, policy: Policy) -> None:
        super().__init__(spec)
        self._policy = policy
        self.roles = {"source": Sources(), "target": Targets()}

    def get(self, part: ByteRange) -> Operation:
        """Return how a file, or a part of it, is opened and read: stripe after stripe, its cells side by side."""
        data, cell, spec = self._policy.data, self._policy.cell, self.spec
        stripe = data * cell
        lanes = data if part.size >= stripe else max(math.ceil(part.size / cell), 1)
        is_long = part.size > stripe
        seek = Seek("source", spec.bay, reads=part.size / lanes if is_long else min(part.size, cell))
        sought = Lanes((seek,), lanes, otherwise=data)
        read = Lanes((*self._sent(), Move("source", "client", touched=0.0)), lanes, 1 / lanes, data, part=cell)
        decoded = Decode("client", spec.encode_cpu * data / self._policy.parity), FirstByte()
        came = (Stream((read, *decoded), stripe),) if is_long else (read, *decoded)
        return Operation((*self._asked(part.opens), sought, *came), part.size)

    def put(self, size: float, missing: int = 0) -> Operation:
        """Return how a file is created and written: striped, with parity; a short one has fewer pieces."""
        spec, policy = self.spec, self._policy
        whole = policy.data * policy.cell
        lengths = [length for length in policy.lengths(min(size, whole)) if length]
        count, share = len(lengths) - missing, sum(lengths) / min(size, whole) / len(lengths)
        pieces = len(lengths) * share
        cost, touched = spec.stream_cpu * pieces, 1 + MADE * (pieces - 1)
        coded = Compute("client", per_byte=cost, coding=spec.encode_cpu, touched=touched)
        sent = Lanes((Move("client", "target", spec.window_rate, "write window"), *self._taken()), count, share)
        sought = Lanes((Seek("target", spec.bay, writes=size * share),), count)
        waited = self._waited(size, policy.data, 1, policy.parity)
        return Operation((*self._created(size, policy.data), *waited, sought, Stream((coded, sent))), size)


def operations(spec: Hdfs) -> HdfsOperations:
    """Return the operations of HDFS, with replicas or with its policy."""
    return StripedOperations(spec, spec.striping) if spec.striping else HdfsOperations(spec)
