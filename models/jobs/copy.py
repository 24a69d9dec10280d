"""Copies of files from an object store into the storage system: loops, command lines and MapReduce copy tools.

A tool is data: on which servers how many of its processes run at once, how the files are dealt to them, and whether a
file is streamed from origin to target or staged: downloaded to a local place, then uploaded from there. Files are of
one size. Not covered: failed attempts, listing, comparison of checksums after the copy.

Source: Apache Hadoop, UniformSizeInputFormat.java (DistCp); S3DistCp, CopyFilesReducer.java; see docs/models.md.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from models.quantity import Model, Quantity, part, quantity, setting
from models.storage.amazon_s3 import AmazonS3

Deal = Literal["queue", "size", "hash"]


class Staging(Model):
    """A download to a local place before the upload; the file is removed after it."""

    place: str = setting("Bay or volume of the tool's servers that takes the files.")
    start: Quantity = quantity("s", "Start of the program that downloads a file.", default=0.0, ge=0)
    uploads: bool = setting("Whether the upload moves the bytes, or only its program is started.", default=True)


class Tool(Model):
    """How a tool spreads its work."""

    servers: tuple[str, ...] = setting("Server groups that run the tool's processes.")
    processes: int = setting("Processes at once on a server: xargs -P, containers.", ge=1)
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
        "s", "Start of a process without computing: waiting, localisation.", default=0.0, ge=0
    )
    start_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds that the start of a process computes on one core, after the time above.",
        default=0.0,
        ge=0,
    )
    heap: Quantity = quantity("B", "Memory that the processes of a server hold together.", default=0.0, ge=0)
    write_window: Quantity | None = quantity(
        "B",
        "Bytes that the tool has in flight to the target; default: those of the storage system.",
        default=None,
        gt=0,
    )
    staging: Staging | None = setting("Local place between download and upload; default: streamed.", default=None)

    @model_validator(mode="after")
    def _runs_somewhere(self) -> Tool:
        if not self.servers:
            raise ValueError("servers: name at least one server group")
        if self.deal == "queue" and self.tasks is not None:
            raise ValueError('tasks: a queue gives out single files; set deal = "size" or "hash", or leave tasks out')
        return self


class Copy(Model):
    """Files on their way from their origin into the storage system."""

    kind: Literal["copy"] = setting("Kind of workload.")
    origin: AmazonS3 = part("storage", "Where the files come from.")
    tool: Tool = part("tools", "What copies them.")
    files: int = setting("Number of files, all of one size.", ge=1)
    size: Quantity = quantity("B", "Bytes of all files.", gt=0)

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the workload names, by key."""
        return {f"workload.tool.servers.{i}": name for i, name in enumerate(self.tool.servers)}

    def places(self) -> dict[str, str]:
        """Return the bays or volumes of its servers that the workload names, by key."""
        return {} if self.tool.staging is None else {"workload.tool.staging.place": self.tool.staging.place}

    def stored(self) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return 0.0, self.size, None

    def shares(self, processes: int) -> list[list[int]]:
        """Return the files of each task; `processes` of them run at once on the whole cluster."""
        if self.tool.deal == "queue":
            return [[file] for file in range(self.files)]
        count = self.tool.tasks or processes
        return self._packed(count) if self.tool.deal == "size" else self._hashed(count)

    def _packed(self, count: int) -> list[list[int]]:
        """Return files in order, as many to a task as stay within a `count`-th of the bytes, and at least one.

        Source: Apache Hadoop, UniformSizeInputFormat.getSplits.
        """
        each = max(self.files // count, 1)
        return [list(range(first, min(first + each, self.files))) for first in range(0, self.files, each)]

    def _hashed(self, count: int) -> list[list[int]]:
        """Return the files of each of `count` tasks by the hash of names like 000055_0: numbers in a row lie evenly.

        Source: Apache Hadoop, HashPartitioner and WritableComparator.hashBytes.
        """
        dealt: list[list[int]] = [[] for _ in range(count)]
        for file in range(self.files):
            name = 1
            for letter in f"{file:06d}_0".encode():
                name = 31 * name + letter
            dealt[name % 2**31 % count].append(file)
        return dealt
