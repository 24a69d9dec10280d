"""Bulk input or output: many processes that each read or write so many bytes, and do nothing else.

Benchmarks of file systems and object stores are of this kind: TestDFSIO, IOR, elbencho, fio over a file system. Each
process has a file of its own, or its part of one that all share. It streams, or it asks for blocks: then it has `depth`
of them in flight, and waits for the answer to one before it asks for the next in its place.

Assumption: each block in flight is a stream of its own, with a connection of its own.
Not covered: random offsets, what is read again from memory, the creation and listing of files.

Source: Apache Hadoop, TestDFSIO.java (its two rates); IOR manual, options -F, -b, -t; elbencho and fio manuals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Quantity, group, quantity, setting
from models.storage.clients.s3a import S3aClient

if TYPE_CHECKING:
    from models.storage.systems import Client, StorageSystem

RATE, PROCESS_RATE = "throughput", "process rate"
"""Metrics of a run: bytes a second of all processes together, and of one."""


class BulkIo(WorkloadModel):
    """Processes that read or write in bulk."""

    kind: Literal["bulk-io"] = setting("Kind of workload.")
    servers: tuple[str, ...] = group("Server groups that run the processes.")
    processes: int = setting("Processes on each of these servers.", default=1, ge=1)
    direction: Literal["read", "write"] = setting("Whether they read or write.")
    files: Literal["own", "shared"] = setting(
        "Whether each process has a file of its own, or a part of one that all share.", default="own"
    )
    size: Quantity = quantity("B", "Bytes that a process reads or writes in a pass.", gt=0)
    block: Quantity | None = quantity(
        "B", "Bytes that a process asks for at a time, and waits for; default: it streams.", default=None, gt=0
    )
    depth: int = setting("Blocks that a process has in flight.", default=1, ge=1)
    passes: int = setting("How often it is done; a pass begins when all have ended the one before.", default=1, ge=1)
    process_start: Quantity = quantity("s", "Time until the processes have started.", default=0.0, ge=0)
    cpu: Quantity = quantity(
        "s/B", "Reference core-seconds that a process spends on each byte besides the client.", default=0.0, ge=0
    )
    heap: Quantity = quantity("B", "Memory that the processes of a server hold together.", default=0.0, ge=0)

    @model_validator(mode="after")
    def _runs_somewhere(self) -> BulkIo:
        if not self.servers:
            raise refusal("servers", "name at least one server group")
        if self.depth > 1 and self.block is None:
            raise refusal("depth", "blocks are in flight only where a process asks for blocks", "state block")
        return self

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        servers = sum(cluster.groups[name].count for name in self.servers)
        size = self.size * self.processes * servers
        return (size, 0.0, None) if self.direction == "read" else (0.0, size, None)

    def check_use(self, storage: StorageSystem, client: Client | None, cluster: Cluster) -> None:
        """Refuse several writers of a file where it can have only one, and files of too many parts.

        Raises:
            RefusalError: the storage system or the client allows one, or fewer parts.
        """
        if self.direction == "write" and isinstance(client, S3aClient):
            client.check_parts(self.size)
        key = "files" if self.files == "shared" else "depth"
        is_possible = storage.many_writers and (client is None or storage.interface in client.shared_writes)
        if self.direction == "write" and not is_possible and (self.files == "shared" or self.depth > 1):
            what = storage.system if client is None else f"{client.connector} on {storage.system}"
            raise refusal(f"workload.{key}", f"a file has one writer at a time ({what})", f"leave workload.{key} out")

    def grown(self, factor: float) -> Self:
        """Return the workload with its data multiplied."""
        return self.model_copy(update={"size": self.size * factor})
