"""Copies of files from one storage system into another: loops, command lines and MapReduce copy tools.

A tool is data: on which servers how many of its processes run at once, how the files are dealt to them, and whether a
file is streamed from origin to target or staged: downloaded to a local place, then uploaded from there. Files are of
one size. Not covered: failed attempts, listing, what DataNodes read for checksums that are compared after the copy.

Source: Apache Hadoop, UniformSizeInputFormat.java (DistCp); S3DistCp, CopyFilesReducer.java; see docs/models.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal, Self, overload

from pydantic import model_validator

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import PLACE, Model, Quantity, group, named, part, place, quantity, setting
from models.storage.clients.s3a import S3aClient
from models.storage.systems import Client, StorageSystem

Deal = Literal["queue", "size", "hash"]
WHOLE = 1 << 40
"""Blocks of a copy that is simulated whole. Assumption: none has as many."""


class Staging(Model):
    """A download to a local place before the upload; the file is removed after it."""

    place: str = place("Bay or volume of the tool's servers that takes the files.")
    start: Quantity = quantity("s", "Start of the program that downloads a file.", default=0.0, ge=0)
    uploads: bool = setting("Whether the upload moves the bytes, or only its program is started.", default=True)


class Tool(Model):
    """How a tool spreads its work."""

    servers: tuple[str, ...] = group("Server groups that run the tool's processes.")
    processes: int = setting("Processes at once on a server: xargs -P, containers.", ge=1)
    master_places: int = setting(
        "Places of processes that the application master of its job takes, all on one server "
        "(yarn.app.mapreduce.am.resource.mb over mapreduce.map.memory.mb, both in whole allocations); 0: none, as of "
        "programs outside of YARN, or beside the processes.",
        default=0,
        ge=0,
    )
    threads: int = setting("Files that a process copies at the same time.", default=1, ge=1)
    deal: Deal = setting(
        "How processes get files: one after the other from a queue (queue), in order up to an equal share of the bytes"
        " (size), or by the hash of their names (hash).",
        default="queue",
    )
    tasks: int | None = setting(
        "Shares into which the bytes or names are cut (distcp -m); default: one a process.", default=None, ge=1
    )
    job_start: Quantity = quantity("s", "Submission to first task: client, application master.", default=0.0, ge=0)
    process_start: Quantity = quantity(
        "s", "Mean start of a process without computing: waiting, localisation.", default=0.0, ge=0
    )
    process_spread: Quantity = quantity(
        "s", "Starts vary evenly by up to this much around the mean, and by no more than it.", default=0.0, ge=0
    )
    start_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds that the start of a process computes on one core, after the time above.",
        default=0.0,
        ge=0,
    )
    heap: Quantity = quantity("B", "Memory that the processes of a server hold together.", default=0.0, ge=0)
    node_expiry: Quantity = quantity(
        "s",
        "Until the tasks of a silent server start elsewhere (yarn.nm.liveness-monitor.expiry-interval-ms).",
        default=0.0,
        ge=0,
    )
    write_window: Quantity | None = quantity(
        "B",
        "Bytes that the tool has in flight to the target; default: those of the storage system.",
        default=None,
        gt=0,
    )
    bandwidth: Quantity = quantity(
        "B/s", "Most that a process moves (distcp -bandwidth); default: no limit.", default=math.inf, gt=0
    )
    origin_lookups: int = setting(
        "Lookups of a name that a process makes for each file in a file system of origin, besides opening it.",
        default=0,
        ge=0,
    )
    target_lookups: int = setting(
        "Lookups of a name that it makes for each file in a file system that is the target.", default=0, ge=0
    )
    target_changes: int = setting(
        "Changes of names that it makes there besides creating the file and renaming it.", default=0, ge=0
    )
    checksums: bool = setting(
        "Whether it looks up the checksum of each file in origin and target; only file systems keep one.", default=False
    )
    direct: bool = setting(
        "Whether it writes a file under its own name (distcp -direct); otherwise under a temporary one that it renames,"
        " which an object store does by copying it.",
        default=True,
    )
    rename_lookups: int = setting(
        "Lookups of a name that it makes there for each file that it renames.", default=0, ge=0
    )
    staging: Staging | None = setting("Local place between download and upload; default: streamed.", default=None)
    client: Client | None = part(
        "clients",
        "Client that it brings, where the profile names none that speaks to the store; default: the usual one.",
        default=None,
    )

    @model_validator(mode="after")
    def _runs_somewhere(self) -> Tool:
        if not self.servers:
            raise refusal("servers", "name at least one server group")
        if self.deal == "queue" and self.tasks is not None:
            raise refusal("tasks", "a queue gives out single files", 'set deal = "size" or "hash", or leave tasks out')
        return self


class Queue(Sequence[range]):
    """The files of tasks that have one each, in order: of ten million nobody holds a list."""

    def __init__(self, files: int) -> None:
        self._files = range(files)

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, task: int) -> range: ...

    @overload
    def __getitem__(self, task: slice) -> Sequence[range]: ...

    def __getitem__(self, task: int | slice) -> range | Sequence[range]:
        if isinstance(task, slice):
            return [self[position] for position in self._files[task]]
        file = self._files[task]
        return range(file, file + 1)


class Line(Model):
    """A line between two sites, which all bytes cross on their way from the origin."""

    rate: Quantity = quantity("B/s", "Bytes a second that the line carries for the copy.", gt=0)
    round_trip: Quantity = quantity("s", "Time of a packet to the other site and back.", default=0.0, ge=0)
    streams: int = setting("TCP streams over which a file is fetched.", default=1, ge=1)
    window: Quantity = quantity(
        "B",
        "Bytes that a TCP stream has under way at most; default: half of the largest receive buffer of Linux, 6 MiB"
        " (net.ipv4.tcp_rmem).",
        default="3 MiB",
        gt=0,
    )

    @property
    def stream_rate(self) -> float:
        """Bytes a second at which a file is fetched at most: a window a round trip on each stream."""
        return self.streams * self.window / self.round_trip if self.round_trip else math.inf


class Copy(WorkloadModel):
    """Files on their way from their origin into the storage system."""

    is_divided: ClassVar[bool] = True
    kind: Literal["copy"] = setting("Kind of workload.")
    origin: StorageSystem = part("storage", "Where the files come from.")
    tool: Tool = part("tools", "What copies them.")
    line: Line | None = setting("Line between the site of the origin and that of the tool.", default=None)
    files: int = setting("Number of files, all of one size.", ge=1)
    size: Quantity = quantity("B", "Bytes of all files.", gt=0)
    sample: int = setting(
        "Blocks of the target that are simulated, about: of a larger copy an equal part of each task's files, and of"
        " larger files a part of each, stand for the rest.",
        default=60_000,
        ge=1,
    )

    def whole(self) -> Self:
        """Return the same copy without a sample: beside others time cannot be scaled."""
        return self.model_copy(update={"sample": WHOLE})

    def divided(self, files: int) -> Self:
        """Return the part of the copy that so many of its files are, on as small a part of the cluster."""
        part = files / self.files
        tasks = self.tool.tasks and max(round(self.tool.tasks * part), 1)
        update = {"files": files, "size": self.size * part, "sample": max(round(self.sample * part), 1)}
        return self.model_copy(update=update | {"tool": self.tool.model_copy(update={"tasks": tasks})})

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return 0.0, self.size, None

    @property
    def is_even(self) -> bool:
        """Whether it does the same at any time: its files are alike."""
        return True

    def check_use(self, storage: StorageSystem, client: Client | None, cluster: Cluster) -> None:
        """Refuse files that have too many parts for S3A.

        Raises:
            RefusalError: they have.
        """
        if isinstance(client, S3aClient):
            client.check_parts(self.size / self.files)

    def grown(self, factor: float) -> Self:
        """Return the workload with so many times as many files of the same size."""
        return self.model_copy(update={"files": max(round(self.files * factor), 1), "size": self.size * factor})

    def fetched(self) -> list[tuple[StorageSystem, float]]:
        """Return the storage system that is copied from, with the bytes of all files."""
        return [(self.origin, self.size)]

    @property
    def brought(self) -> Client | None:
        """The client of its tool."""
        return self.tool.client

    def places(self) -> dict[str, str]:
        """Return the bays or volumes of its servers that it names; those of a client matter where it is taken."""
        return named(self.model_copy(update={"tool": self.tool.model_copy(update={"client": None})}), "workload", PLACE)

    def brought_places(self) -> dict[str, str]:
        """Return the bays or volumes that the client of its tool names, by key."""
        return {} if self.brought is None else named(self.brought, "workload.tool.client", PLACE)

    def shares(self, processes: int, most: int | None = None) -> Sequence[Sequence[int]]:
        """Return the files of each task; `processes` of them run at once on the whole cluster.

        Of more than `most` files all tasks keep an equal part of theirs, at least one each; of a queue the first are
        kept.
        """
        most = min(most or self.files, self.files)
        if self.tool.deal == "queue":
            return Queue(most)
        count = self.tool.tasks or processes
        shares = self._packed(count) if self.tool.deal == "size" else self._hashed(count)
        return [share[: max(round(len(share) * most / self.files), 1)] for share in shares]

    def _packed(self, count: int) -> list[Sequence[int]]:
        """Return files in order, as many to a task as stay within a `count`-th of the bytes, and at least one.

        Source: Apache Hadoop, UniformSizeInputFormat.getSplits.
        """
        batch = max(self.files // count, 1)
        return [range(first, min(first + batch, self.files)) for first in range(0, self.files, batch)]

    def _hashed(self, count: int) -> list[Sequence[int]]:
        """Return the files of each of `count` tasks by the hash of names like 000055_0: numbers in a row lie evenly.

        Source: Apache Hadoop, HashPartitioner and WritableComparator.hashBytes.
        """
        import numpy as np  # keeps numpy out of commands that only read profiles

        files = np.arange(self.files)
        names = np.ones(self.files, np.int64)
        for power in range(max(len(str(self.files - 1)), 6) - 1, -1, -1):
            has_digit = (files >= 10**power) | (power < 6)
            names = np.where(has_digit, (31 * names + ord("0") + files // 10**power % 10) % 2**31, names)
        for letter in b"_0":
            names = (31 * names + letter) % 2**31
        tasks = names % count
        order = np.argsort(tasks, kind="stable")
        parts: list[Sequence[int]] = [part.tolist() for part in np.split(order, np.cumsum(np.bincount(tasks)))]
        return (parts + [()] * count)[:count]
